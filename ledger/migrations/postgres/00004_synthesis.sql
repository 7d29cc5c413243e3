-- +goose Up

-- Evidence that was chosen for a question: the contract's pack, its members as JSON.
CREATE TABLE packs (
    id       BIGINT PRIMARY KEY,
    time     TEXT NOT NULL,
    pack_id  TEXT NOT NULL UNIQUE,
    query    TEXT NOT NULL,
    profile  TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    metadata TEXT NOT NULL, -- JSON: pack_id, query, generated_at, chunks, diversity_stats
    project  TEXT NOT NULL,
    session  TEXT NOT NULL,
    agent    TEXT NOT NULL,
    user_id  TEXT NOT NULL
);

CREATE INDEX packs_session ON packs (session, id);

-- Texts that were validated, as they are after repair.
CREATE TABLE syntheses (
    id             BIGINT PRIMARY KEY,
    time           TEXT NOT NULL,
    profile        TEXT NOT NULL,
    decision       TEXT NOT NULL CHECK (decision IN ('deliver', 'retry', 'abstain')),
    attempt        BIGINT NOT NULL,
    pack           TEXT NOT NULL, -- its pack_id, '' for none
    text           TEXT NOT NULL,
    report         TEXT NOT NULL, -- JSON: the contract's four counts
    findings       TEXT NOT NULL, -- JSON array: what was removed, and why
    passes         TEXT NOT NULL, -- JSON array: what repair did
    claims         BIGINT NOT NULL,
    covered_before BIGINT NOT NULL,
    covered_after  BIGINT NOT NULL,
    project        TEXT NOT NULL,
    session        TEXT NOT NULL,
    agent          TEXT NOT NULL,
    user_id        TEXT NOT NULL
);

CREATE INDEX syntheses_session ON syntheses (session, id);
CREATE INDEX syntheses_project ON syntheses (project, id);

-- The bullets of a synthesis, by section, as a reader counts them.
CREATE TABLE synthesis_bullets (
    id        BIGINT PRIMARY KEY,
    time      TEXT NOT NULL,
    synthesis BIGINT NOT NULL REFERENCES syntheses (id),
    section   TEXT NOT NULL,
    bullet    BIGINT NOT NULL CHECK (bullet > 0),
    text      TEXT NOT NULL,
    UNIQUE (synthesis, section, bullet)
);

-- Which citations support a bullet, in the order of the text.
CREATE TABLE synthesis_citations (
    id       BIGINT PRIMARY KEY,
    time     TEXT NOT NULL,
    bullet   BIGINT NOT NULL REFERENCES synthesis_bullets (id),
    position BIGINT NOT NULL CHECK (position > 0),
    ordinal  BIGINT NOT NULL REFERENCES citations (ordinal),
    UNIQUE (bullet, position)
);

CREATE INDEX synthesis_citations_ordinal ON synthesis_citations (ordinal);

CREATE TRIGGER packs_append BEFORE UPDATE OR DELETE OR TRUNCATE ON packs FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER syntheses_append BEFORE UPDATE OR DELETE OR TRUNCATE ON syntheses FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER synthesis_bullets_append BEFORE UPDATE OR DELETE OR TRUNCATE ON synthesis_bullets FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER synthesis_citations_append BEFORE UPDATE OR DELETE OR TRUNCATE ON synthesis_citations FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TRIGGER packs_next AFTER INSERT ON packs FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
CREATE TRIGGER syntheses_next AFTER INSERT ON syntheses FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
CREATE TRIGGER synthesis_bullets_next AFTER INSERT ON synthesis_bullets FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
CREATE TRIGGER synthesis_citations_next AFTER INSERT ON synthesis_citations FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
