-- +goose Up

-- What became of questions; what was asked is not kept.
CREATE TABLE questions (
    id         BIGINT PRIMARY KEY,
    time       TEXT COLLATE "C" NOT NULL,
    profile    TEXT NOT NULL,
    type       TEXT NOT NULL,
    refused    BIGINT NOT NULL CHECK (refused IN (0, 1)),
    kind       TEXT NOT NULL, -- of a refusal, as shown; else ''
    reason     TEXT NOT NULL,
    true_kind  TEXT NOT NULL, -- the reason that the display may have to hide
    stage      TEXT NOT NULL, -- of the pipeline that refused
    reached    BIGINT NOT NULL CHECK (reached IN (0, 1)), -- retrieval
    best       BIGINT NOT NULL, -- similarity, in ten-thousandths
    threshold  BIGINT NOT NULL,
    sources    BIGINT NOT NULL
);

CREATE INDEX questions_time ON questions (time);

CREATE TRIGGER questions_append BEFORE UPDATE OR DELETE OR TRUNCATE ON questions FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TRIGGER questions_next AFTER INSERT ON questions FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
