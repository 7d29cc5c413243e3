-- +goose Up

-- Evidence that was chosen for a question: the contract's pack, its members as JSON.
CREATE TABLE packs (
    id       INTEGER PRIMARY KEY,
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
) STRICT;

CREATE INDEX packs_session ON packs (session, id);

-- Texts that were validated, as they are after repair.
CREATE TABLE syntheses (
    id             INTEGER PRIMARY KEY,
    time           TEXT NOT NULL,
    profile        TEXT NOT NULL,
    decision       TEXT NOT NULL CHECK (decision IN ('deliver', 'retry', 'abstain')),
    attempt        INTEGER NOT NULL,
    pack           TEXT NOT NULL, -- its pack_id, '' for none
    text           TEXT NOT NULL,
    report         TEXT NOT NULL, -- JSON: the contract's four counts
    findings       TEXT NOT NULL, -- JSON array: what was removed, and why
    passes         TEXT NOT NULL, -- JSON array: what repair did
    claims         INTEGER NOT NULL,
    covered_before INTEGER NOT NULL,
    covered_after  INTEGER NOT NULL,
    project        TEXT NOT NULL,
    session        TEXT NOT NULL,
    agent          TEXT NOT NULL,
    user_id        TEXT NOT NULL
) STRICT;

CREATE INDEX syntheses_session ON syntheses (session, id);
CREATE INDEX syntheses_project ON syntheses (project, id);

-- The bullets of a synthesis, by section, as a reader counts them.
CREATE TABLE synthesis_bullets (
    id        INTEGER PRIMARY KEY,
    time      TEXT NOT NULL,
    synthesis INTEGER NOT NULL REFERENCES syntheses (id),
    section   TEXT NOT NULL,
    bullet    INTEGER NOT NULL CHECK (bullet > 0),
    text      TEXT NOT NULL,
    UNIQUE (synthesis, section, bullet)
) STRICT;

-- Which citations support a bullet, in the order of the text.
CREATE TABLE synthesis_citations (
    id       INTEGER PRIMARY KEY,
    time     TEXT NOT NULL,
    bullet   INTEGER NOT NULL REFERENCES synthesis_bullets (id),
    position INTEGER NOT NULL CHECK (position > 0),
    ordinal  INTEGER NOT NULL REFERENCES citations (ordinal),
    UNIQUE (bullet, position)
) STRICT;

CREATE INDEX synthesis_citations_ordinal ON synthesis_citations (ordinal);

-- +goose StatementBegin
CREATE TRIGGER packs_once BEFORE INSERT ON packs
WHEN EXISTS (SELECT 1 FROM packs WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'packs: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER packs_update BEFORE UPDATE ON packs BEGIN SELECT RAISE(ABORT, 'packs: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER packs_delete BEFORE DELETE ON packs BEGIN SELECT RAISE(ABORT, 'packs: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER packs_next AFTER INSERT ON packs
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM packs WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'packs: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER syntheses_once BEFORE INSERT ON syntheses
WHEN EXISTS (SELECT 1 FROM syntheses WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'syntheses: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER syntheses_update BEFORE UPDATE ON syntheses BEGIN SELECT RAISE(ABORT, 'syntheses: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER syntheses_delete BEFORE DELETE ON syntheses BEGIN SELECT RAISE(ABORT, 'syntheses: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER syntheses_next AFTER INSERT ON syntheses
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM syntheses WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'syntheses: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER synthesis_bullets_once BEFORE INSERT ON synthesis_bullets
WHEN EXISTS (SELECT 1 FROM synthesis_bullets WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'synthesis_bullets: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER synthesis_bullets_update BEFORE UPDATE ON synthesis_bullets BEGIN SELECT RAISE(ABORT, 'synthesis_bullets: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER synthesis_bullets_delete BEFORE DELETE ON synthesis_bullets BEGIN SELECT RAISE(ABORT, 'synthesis_bullets: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER synthesis_bullets_next AFTER INSERT ON synthesis_bullets
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM synthesis_bullets WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'synthesis_bullets: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER synthesis_citations_once BEFORE INSERT ON synthesis_citations
WHEN EXISTS (SELECT 1 FROM synthesis_citations WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'synthesis_citations: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER synthesis_citations_update BEFORE UPDATE ON synthesis_citations BEGIN SELECT RAISE(ABORT, 'synthesis_citations: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER synthesis_citations_delete BEFORE DELETE ON synthesis_citations BEGIN SELECT RAISE(ABORT, 'synthesis_citations: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER synthesis_citations_next AFTER INSERT ON synthesis_citations
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM synthesis_citations WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'synthesis_citations: ordinals have no gaps'); END;
-- +goose StatementEnd
