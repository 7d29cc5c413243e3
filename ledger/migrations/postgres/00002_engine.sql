-- +goose Up

-- The schema of the SQLite ledger after its second migration, in the words of
-- PostgreSQL. Ordinals are given by the program under an advisory lock, not by
-- a sequence, which leaves a gap behind every transaction that fails.

-- Which conversation or task this is: its agent, on whose behalf, in which
-- project. Written at its first use.
CREATE TABLE sessions (
    id      BIGINT PRIMARY KEY,
    time    TEXT NOT NULL,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    agent   TEXT NOT NULL,
    user_id TEXT NOT NULL,
    UNIQUE (project, session)
);

-- What agents were given to cite. The number is what they are told; the
-- artifact or record is what it stands for.
CREATE TABLE sources (
    id         BIGINT PRIMARY KEY,
    time       TEXT NOT NULL,
    type       TEXT NOT NULL CHECK (type IN ('document', 'website', 'database', 'custom')),
    identifier TEXT NOT NULL, -- file name, address, name of the database
    name       TEXT NOT NULL,
    version    TEXT NOT NULL,
    artifact   TEXT NOT NULL, -- '' for a source without a body
    record     TEXT NOT NULL,
    metadata   TEXT NOT NULL, -- JSON object
    inputs     TEXT NOT NULL, -- JSON array: what a source was derived from
    project    TEXT NOT NULL,
    session    TEXT NOT NULL,
    agent      TEXT NOT NULL,
    user_id    TEXT NOT NULL
);

CREATE INDEX sources_type ON sources (type, id);
CREATE INDEX sources_project ON sources (project, id);
CREATE INDEX sources_artifact ON sources (artifact);
CREATE INDEX sources_record ON sources (record);

-- Every assertion once a project.
CREATE TABLE claims (
    id      BIGINT PRIMARY KEY,
    time    TEXT NOT NULL,
    project TEXT NOT NULL,
    claim   TEXT NOT NULL
);

-- A claim may be longer than a row of a btree index.
CREATE INDEX claims_claim ON claims USING hash (claim);

-- One row per registered claim and its evidence. The ordinal is the number its
-- caller is told.
CREATE TABLE citations (
    ordinal    BIGINT PRIMARY KEY,
    time       TEXT NOT NULL,
    session    TEXT NOT NULL,
    agent      TEXT NOT NULL,
    artifact   TEXT NOT NULL, -- '' when no artifact was found for the source
    record     TEXT NOT NULL,
    span       TEXT NOT NULL, -- '' when the quote was not found
    relation   TEXT NOT NULL,
    claim      TEXT NOT NULL,
    quote      TEXT NOT NULL, -- as the caller gave it
    reasoning  TEXT NOT NULL,
    context    TEXT NOT NULL,
    locator    TEXT NOT NULL, -- as the caller gave it, JSON
    confidence TEXT NOT NULL,
    match      TEXT NOT NULL,
    edits      BIGINT NOT NULL,
    length     BIGINT NOT NULL,
    difference TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    prefix     TEXT NOT NULL,
    suffix     TEXT NOT NULL,
    source     BIGINT REFERENCES sources (id),
    claim_id   BIGINT REFERENCES claims (id),
    project    TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    method     TEXT NOT NULL, -- extraction_method as the caller gave it
    language   TEXT NOT NULL, -- of the quote
    inputs     TEXT NOT NULL, -- JSON array, '' for none
    text       TEXT NOT NULL  -- the words at the span
);

CREATE INDEX citations_session ON citations (session, ordinal);
CREATE INDEX citations_artifact ON citations (artifact, ordinal);
CREATE INDEX citations_source ON citations (source, ordinal);
CREATE INDEX citations_claim ON citations (claim_id, ordinal);
CREATE INDEX citations_project ON citations (project, ordinal);
CREATE INDEX citations_agent ON citations (agent, ordinal);

-- What verifications found, each beside the earlier ones. The last one counts.
CREATE TABLE attestations (
    id            BIGINT PRIMARY KEY,
    ordinal       BIGINT NOT NULL REFERENCES citations (ordinal),
    time          TEXT NOT NULL,
    agent         TEXT NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('verified', 'failed', 'pending', 'unverified')),
    notes         TEXT NOT NULL,
    kind          TEXT NOT NULL, -- checks or model
    checks        TEXT NOT NULL, -- JSON array of steps
    model         TEXT NOT NULL,
    prompt_sha256 TEXT NOT NULL,
    prompt        TEXT NOT NULL,
    reply         TEXT NOT NULL
);

CREATE INDEX attestations_ordinal ON attestations (ordinal, id);
CREATE INDEX attestations_status ON attestations (status, ordinal);

-- Set once: the citation object, when a snapshot held its artifact.
CREATE TABLE bindings (
    ordinal  BIGINT PRIMARY KEY REFERENCES citations (ordinal),
    time     TEXT NOT NULL,
    citation TEXT NOT NULL, -- its ID
    json     TEXT NOT NULL  -- its canonical bytes
);

CREATE INDEX bindings_citation ON bindings (citation);

-- Set once: the snapshot that holds the citation object.
CREATE TABLE seals (
    ordinal  BIGINT PRIMARY KEY REFERENCES bindings (ordinal),
    time     TEXT NOT NULL,
    snapshot TEXT NOT NULL
);

-- What was refused. There is no column for what was asked.
CREATE TABLE refusals (
    id        BIGINT PRIMARY KEY,
    time      TEXT NOT NULL,
    kind      TEXT NOT NULL, -- as shown
    true_kind TEXT NOT NULL,
    stage     TEXT NOT NULL
);

-- What one citation is to another.
CREATE TABLE links (
    id      BIGINT PRIMARY KEY,
    time    TEXT NOT NULL,
    ordinal BIGINT NOT NULL REFERENCES citations (ordinal),
    type    TEXT NOT NULL CHECK (type IN ('supports', 'contradicts', 'extends', 'supersedes')),
    target  BIGINT NOT NULL REFERENCES citations (ordinal),
    agent   TEXT NOT NULL,
    session TEXT NOT NULL,
    CHECK (ordinal <> target),
    UNIQUE (ordinal, type, target)
);

CREATE INDEX links_target ON links (target);

-- Searches that found no support: what was looked for, where, and in what.
CREATE TABLE search_records (
    id        BIGINT PRIMARY KEY,
    time      TEXT NOT NULL,
    claim     TEXT NOT NULL,
    query     TEXT NOT NULL,
    snapshot  TEXT NOT NULL, -- '' before the first one
    artifact  TEXT NOT NULL,
    spans     TEXT NOT NULL, -- JSON array: what was read
    reasoning TEXT NOT NULL,
    project   TEXT NOT NULL,
    session   TEXT NOT NULL,
    agent     TEXT NOT NULL,
    user_id   TEXT NOT NULL
);

CREATE INDEX search_records_session ON search_records (session, id);
CREATE INDEX search_records_project ON search_records (project, id);

CREATE VIEW current AS
SELECT c.*,
       a.status, a.notes,
       CASE WHEN s.ordinal IS NOT NULL THEN 'sealed' WHEN b.ordinal IS NOT NULL THEN 'bound' ELSE 'unbound' END AS binding,
       coalesce(b.citation, '') AS citation, coalesce(b.json, '') AS json, coalesce(s.snapshot, '') AS snapshot
FROM citations c
JOIN attestations a ON a.id = (SELECT max(id) FROM attestations WHERE ordinal = c.ordinal)
LEFT JOIN bindings b ON b.ordinal = c.ordinal
LEFT JOIN seals s ON s.ordinal = c.ordinal;

-- Rows are added and nothing else.

-- +goose StatementBegin
CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%: append only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION no_gaps() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    n BIGINT;
    found BOOLEAN;
BEGIN
    EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO n USING NEW;
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I.%I WHERE %I = $1)', TG_TABLE_SCHEMA, TG_TABLE_NAME, TG_ARGV[0]) INTO found USING n - 1;
    IF n < 1 OR n > 1 AND NOT found THEN
        RAISE EXCEPTION '%: ordinals have no gaps', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER sessions_append BEFORE UPDATE OR DELETE OR TRUNCATE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER sources_append BEFORE UPDATE OR DELETE OR TRUNCATE ON sources FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER claims_append BEFORE UPDATE OR DELETE OR TRUNCATE ON claims FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER citations_append BEFORE UPDATE OR DELETE OR TRUNCATE ON citations FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER attestations_append BEFORE UPDATE OR DELETE OR TRUNCATE ON attestations FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER bindings_append BEFORE UPDATE OR DELETE OR TRUNCATE ON bindings FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER seals_append BEFORE UPDATE OR DELETE OR TRUNCATE ON seals FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER refusals_append BEFORE UPDATE OR DELETE OR TRUNCATE ON refusals FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER links_append BEFORE UPDATE OR DELETE OR TRUNCATE ON links FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER search_records_append BEFORE UPDATE OR DELETE OR TRUNCATE ON search_records FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TRIGGER sessions_next AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
CREATE TRIGGER sources_next AFTER INSERT ON sources FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
CREATE TRIGGER claims_next AFTER INSERT ON claims FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
CREATE TRIGGER links_next AFTER INSERT ON links FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
CREATE TRIGGER search_records_next AFTER INSERT ON search_records FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
CREATE TRIGGER citations_next AFTER INSERT ON citations FOR EACH ROW EXECUTE FUNCTION no_gaps('ordinal');
