-- +goose Up

-- Who was refused, and when, neither what was asked nor why: what a limit is counted from.
CREATE TABLE refused (
    id        BIGINT PRIMARY KEY,
    time      TEXT COLLATE "C" NOT NULL,
    requestor TEXT NOT NULL -- '' is shared by all who gave no name
);

CREATE INDEX refused_requestor ON refused (requestor, time);

-- Texts that could not be cut into claims, or could be in two ways; the text is not kept.
CREATE TABLE segmentation_errors (
    id     BIGINT PRIMARY KEY,
    time   TEXT COLLATE "C" NOT NULL,
    stage  TEXT NOT NULL, -- ask, bind or check
    reason TEXT NOT NULL,
    places BIGINT NOT NULL CHECK (places > 0)
);

CREATE INDEX segmentation_errors_time ON segmentation_errors (time);

CREATE TRIGGER refused_append BEFORE UPDATE OR DELETE OR TRUNCATE ON refused FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TRIGGER refused_next AFTER INSERT ON refused FOR EACH ROW EXECUTE FUNCTION no_gaps('id');

CREATE TRIGGER segmentation_errors_append BEFORE UPDATE OR DELETE OR TRUNCATE ON segmentation_errors FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TRIGGER segmentation_errors_next AFTER INSERT ON segmentation_errors FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
