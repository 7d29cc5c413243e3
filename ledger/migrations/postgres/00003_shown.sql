-- +goose Up

-- What requestors were shown, passage by passage: the account of their budgets.
CREATE TABLE shown (
    id        BIGINT PRIMARY KEY,
    time      TEXT COLLATE "C" NOT NULL,
    requestor TEXT NOT NULL, -- '' is shared by all who gave no name
    kind      TEXT NOT NULL CHECK (kind IN ('ask', 'bind', 'more', 'audit')),
    answer    TEXT NOT NULL, -- ID of the statement
    handle    TEXT NOT NULL, -- of the citation in it
    artifact  TEXT NOT NULL,
    span      TEXT NOT NULL, -- of the citation
    first     BIGINT NOT NULL, -- code points of the text, half-open; both 0 where nothing was shown
    past      BIGINT NOT NULL CHECK (past >= first),
    fresh     BIGINT NOT NULL CHECK (fresh >= 0) -- of them, not seen before
);

CREATE INDEX shown_requestor ON shown (requestor, time, fresh);
CREATE INDEX shown_artifact ON shown (requestor, artifact, time);
CREATE INDEX shown_handle ON shown (answer, handle);

-- What a budget withheld.
CREATE TABLE extraction_risks (
    id        BIGINT PRIMARY KEY,
    time      TEXT COLLATE "C" NOT NULL,
    requestor TEXT NOT NULL,
    rule      TEXT NOT NULL,
    artifact  TEXT NOT NULL,
    code_points BIGINT NOT NULL
);

CREATE TRIGGER shown_append BEFORE UPDATE OR DELETE OR TRUNCATE ON shown FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER extraction_risks_append BEFORE UPDATE OR DELETE OR TRUNCATE ON extraction_risks FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TRIGGER shown_next AFTER INSERT ON shown FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
CREATE TRIGGER extraction_risks_next AFTER INSERT ON extraction_risks FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
