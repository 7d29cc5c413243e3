-- +goose Up

-- The keys by which a caller's retry finds the citation that is there.
CREATE TABLE citation_keys (
    id      BIGINT PRIMARY KEY,
    time    TEXT COLLATE "C" NOT NULL,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    agent   TEXT NOT NULL,
    key     TEXT NOT NULL,
    ordinal BIGINT NOT NULL REFERENCES citations (ordinal),
    UNIQUE (project, session, agent, key)
);

CREATE TRIGGER citation_keys_append BEFORE UPDATE OR DELETE OR TRUNCATE ON citation_keys FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TRIGGER citation_keys_next AFTER INSERT ON citation_keys FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
