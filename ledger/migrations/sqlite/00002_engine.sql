-- +goose Up

-- Which conversation or task this is: its agent, on whose behalf, in which
-- project. Written at its first use.
CREATE TABLE sessions (
    id      INTEGER PRIMARY KEY,
    time    TEXT NOT NULL,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    agent   TEXT NOT NULL,
    user_id TEXT NOT NULL,
    UNIQUE (project, session)
) STRICT;

-- What agents were given to cite. The number is what they are told; the
-- artifact or record is what it stands for.
CREATE TABLE sources (
    id         INTEGER PRIMARY KEY,
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
) STRICT;

CREATE INDEX sources_type ON sources (type, id);
CREATE INDEX sources_project ON sources (project, id);
CREATE INDEX sources_artifact ON sources (artifact);
CREATE INDEX sources_record ON sources (record);

-- Every assertion once a project.
CREATE TABLE claims (
    id      INTEGER PRIMARY KEY,
    time    TEXT NOT NULL,
    project TEXT NOT NULL,
    claim   TEXT NOT NULL
) STRICT;

CREATE INDEX claims_claim ON claims (project, claim);

-- What one citation is to another.
CREATE TABLE links (
    id      INTEGER PRIMARY KEY,
    time    TEXT NOT NULL,
    ordinal INTEGER NOT NULL REFERENCES citations (ordinal),
    type    TEXT NOT NULL CHECK (type IN ('supports', 'contradicts', 'extends', 'supersedes')),
    target  INTEGER NOT NULL REFERENCES citations (ordinal),
    agent   TEXT NOT NULL,
    session TEXT NOT NULL,
    CHECK (ordinal <> target),
    UNIQUE (ordinal, type, target)
) STRICT;

CREATE INDEX links_target ON links (target);

-- Searches that found no support: what was looked for, where, and in what.
CREATE TABLE search_records (
    id        INTEGER PRIMARY KEY,
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
) STRICT;

CREATE INDEX search_records_session ON search_records (session, id);
CREATE INDEX search_records_project ON search_records (project, id);

-- Citations learn whose they are and what they rest on.
DROP VIEW current;
DROP TRIGGER citations_update;

ALTER TABLE citations ADD COLUMN source INTEGER REFERENCES sources (id);
ALTER TABLE citations ADD COLUMN claim_id INTEGER REFERENCES claims (id);
ALTER TABLE citations ADD COLUMN project TEXT NOT NULL DEFAULT '';
ALTER TABLE citations ADD COLUMN user_id TEXT NOT NULL DEFAULT '';
ALTER TABLE citations ADD COLUMN method TEXT NOT NULL DEFAULT '';   -- extraction_method as the caller gave it
ALTER TABLE citations ADD COLUMN language TEXT NOT NULL DEFAULT ''; -- of the quote
ALTER TABLE citations ADD COLUMN inputs TEXT NOT NULL DEFAULT '';   -- JSON array, '' for none
ALTER TABLE citations ADD COLUMN text TEXT NOT NULL DEFAULT '';     -- the words at the span

INSERT INTO claims (time, project, claim) SELECT min(time), '', claim FROM citations GROUP BY claim ORDER BY min(ordinal);
UPDATE citations SET claim_id = (SELECT id FROM claims WHERE claims.claim = citations.claim);

-- +goose StatementBegin
CREATE TRIGGER citations_update BEFORE UPDATE ON citations BEGIN SELECT RAISE(ABORT, 'citations: append only'); END;
-- +goose StatementEnd

CREATE INDEX citations_source ON citations (source);
CREATE INDEX citations_claim ON citations (claim_id);
CREATE INDEX citations_project ON citations (project);
CREATE INDEX citations_agent ON citations (agent);
CREATE INDEX attestations_status ON attestations (status, ordinal);

-- What a judgement rests on.
ALTER TABLE attestations ADD COLUMN kind TEXT NOT NULL DEFAULT 'checks';  -- checks or model
ALTER TABLE attestations ADD COLUMN checks TEXT NOT NULL DEFAULT '';      -- JSON array of steps
ALTER TABLE attestations ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE attestations ADD COLUMN prompt_sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE attestations ADD COLUMN prompt TEXT NOT NULL DEFAULT '';
ALTER TABLE attestations ADD COLUMN reply TEXT NOT NULL DEFAULT '';

CREATE VIEW current AS
SELECT c.*,
       a.status, a.notes,
       CASE WHEN s.ordinal IS NOT NULL THEN 'sealed' WHEN b.ordinal IS NOT NULL THEN 'bound' ELSE 'unbound' END AS binding,
       coalesce(b.citation, '') AS citation, coalesce(b.json, '') AS json, coalesce(s.snapshot, '') AS snapshot
FROM citations c
JOIN attestations a ON a.id = (SELECT max(id) FROM attestations WHERE ordinal = c.ordinal)
LEFT JOIN bindings b ON b.ordinal = c.ordinal
LEFT JOIN seals s ON s.ordinal = c.ordinal;

-- +goose StatementBegin
CREATE TRIGGER sessions_once BEFORE INSERT ON sessions
WHEN EXISTS (SELECT 1 FROM sessions WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'sessions: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER sessions_update BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'sessions: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER sessions_delete BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'sessions: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER sessions_next AFTER INSERT ON sessions
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'sessions: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER sources_once BEFORE INSERT ON sources
WHEN EXISTS (SELECT 1 FROM sources WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'sources: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER sources_update BEFORE UPDATE ON sources BEGIN SELECT RAISE(ABORT, 'sources: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER sources_delete BEFORE DELETE ON sources BEGIN SELECT RAISE(ABORT, 'sources: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER sources_next AFTER INSERT ON sources
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM sources WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'sources: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER claims_once BEFORE INSERT ON claims
WHEN EXISTS (SELECT 1 FROM claims WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'claims: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER claims_update BEFORE UPDATE ON claims BEGIN SELECT RAISE(ABORT, 'claims: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER claims_delete BEFORE DELETE ON claims BEGIN SELECT RAISE(ABORT, 'claims: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER claims_next AFTER INSERT ON claims
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM claims WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'claims: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER links_once BEFORE INSERT ON links
WHEN EXISTS (SELECT 1 FROM links WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'links: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER links_update BEFORE UPDATE ON links BEGIN SELECT RAISE(ABORT, 'links: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER links_delete BEFORE DELETE ON links BEGIN SELECT RAISE(ABORT, 'links: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER links_next AFTER INSERT ON links
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM links WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'links: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER search_records_once BEFORE INSERT ON search_records
WHEN EXISTS (SELECT 1 FROM search_records WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'search_records: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER search_records_update BEFORE UPDATE ON search_records BEGIN SELECT RAISE(ABORT, 'search_records: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER search_records_delete BEFORE DELETE ON search_records BEGIN SELECT RAISE(ABORT, 'search_records: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER search_records_next AFTER INSERT ON search_records
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM search_records WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'search_records: ordinals have no gaps'); END;
-- +goose StatementEnd
