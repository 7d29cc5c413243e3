-- +goose Up

-- One row per registered claim. The ordinal is the number its caller is told.
CREATE TABLE citations (
    ordinal    INTEGER PRIMARY KEY,
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
    edits      INTEGER NOT NULL,
    length     INTEGER NOT NULL,
    difference TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    prefix     TEXT NOT NULL,
    suffix     TEXT NOT NULL
) STRICT;

CREATE INDEX citations_session ON citations (session);
CREATE INDEX citations_artifact ON citations (artifact);

-- What verifications found, each beside the earlier ones. The last one counts.
CREATE TABLE attestations (
    id      INTEGER PRIMARY KEY,
    ordinal INTEGER NOT NULL REFERENCES citations (ordinal),
    time    TEXT NOT NULL,
    agent   TEXT NOT NULL,
    status  TEXT NOT NULL CHECK (status IN ('verified', 'failed', 'pending', 'unverified')),
    notes   TEXT NOT NULL
) STRICT;

CREATE INDEX attestations_ordinal ON attestations (ordinal);

-- Set once: the citation object, when a snapshot held its artifact.
CREATE TABLE bindings (
    ordinal  INTEGER PRIMARY KEY REFERENCES citations (ordinal),
    time     TEXT NOT NULL,
    citation TEXT NOT NULL, -- its ID
    json     TEXT NOT NULL  -- its canonical bytes
) STRICT;

CREATE INDEX bindings_citation ON bindings (citation);

-- Set once: the snapshot that holds the citation object.
CREATE TABLE seals (
    ordinal  INTEGER PRIMARY KEY REFERENCES bindings (ordinal),
    time     TEXT NOT NULL,
    snapshot TEXT NOT NULL
) STRICT;

-- What was refused. There is no column for what was asked.
CREATE TABLE refusals (
    id        INTEGER PRIMARY KEY,
    time      TEXT NOT NULL,
    kind      TEXT NOT NULL, -- as shown
    true_kind TEXT NOT NULL,
    stage     TEXT NOT NULL
) STRICT;

CREATE VIEW current AS
SELECT c.*,
       a.status, a.notes,
       CASE WHEN s.ordinal IS NOT NULL THEN 'sealed' WHEN b.ordinal IS NOT NULL THEN 'bound' ELSE 'unbound' END AS binding,
       coalesce(b.citation, '') AS citation, coalesce(b.json, '') AS json, coalesce(s.snapshot, '') AS snapshot
FROM citations c
JOIN attestations a ON a.id = (SELECT max(id) FROM attestations WHERE ordinal = c.ordinal)
LEFT JOIN bindings b ON b.ordinal = c.ordinal
LEFT JOIN seals s ON s.ordinal = c.ordinal;

-- Rows are added and nothing else. INSERT OR REPLACE deletes without firing a
-- delete trigger, so a repeated key is refused before.

-- +goose StatementBegin
CREATE TRIGGER citations_next AFTER INSERT ON citations
WHEN NEW.ordinal < 1 OR NEW.ordinal > 1 AND NOT EXISTS (SELECT 1 FROM citations WHERE ordinal = NEW.ordinal - 1)
BEGIN SELECT RAISE(ABORT, 'citations: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER citations_once BEFORE INSERT ON citations
WHEN EXISTS (SELECT 1 FROM citations WHERE ordinal = NEW.ordinal)
BEGIN SELECT RAISE(ABORT, 'citations: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER citations_update BEFORE UPDATE ON citations BEGIN SELECT RAISE(ABORT, 'citations: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER citations_delete BEFORE DELETE ON citations BEGIN SELECT RAISE(ABORT, 'citations: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER attestations_once BEFORE INSERT ON attestations
WHEN EXISTS (SELECT 1 FROM attestations WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'attestations: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER attestations_update BEFORE UPDATE ON attestations BEGIN SELECT RAISE(ABORT, 'attestations: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER attestations_delete BEFORE DELETE ON attestations BEGIN SELECT RAISE(ABORT, 'attestations: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bindings_once BEFORE INSERT ON bindings
WHEN EXISTS (SELECT 1 FROM bindings WHERE ordinal = NEW.ordinal)
BEGIN SELECT RAISE(ABORT, 'bindings: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bindings_update BEFORE UPDATE ON bindings BEGIN SELECT RAISE(ABORT, 'bindings: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bindings_delete BEFORE DELETE ON bindings BEGIN SELECT RAISE(ABORT, 'bindings: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER seals_once BEFORE INSERT ON seals
WHEN EXISTS (SELECT 1 FROM seals WHERE ordinal = NEW.ordinal)
BEGIN SELECT RAISE(ABORT, 'seals: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER seals_update BEFORE UPDATE ON seals BEGIN SELECT RAISE(ABORT, 'seals: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER seals_delete BEFORE DELETE ON seals BEGIN SELECT RAISE(ABORT, 'seals: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER refusals_once BEFORE INSERT ON refusals
WHEN EXISTS (SELECT 1 FROM refusals WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'refusals: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER refusals_update BEFORE UPDATE ON refusals BEGIN SELECT RAISE(ABORT, 'refusals: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER refusals_delete BEFORE DELETE ON refusals BEGIN SELECT RAISE(ABORT, 'refusals: append only'); END;
-- +goose StatementEnd
