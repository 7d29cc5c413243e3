-- +goose Up

-- The keys by which a caller's retry finds the citation that is there.
CREATE TABLE citation_keys (
    id      INTEGER PRIMARY KEY,
    time    TEXT NOT NULL,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    agent   TEXT NOT NULL,
    key     TEXT NOT NULL,
    ordinal INTEGER NOT NULL REFERENCES citations (ordinal),
    UNIQUE (project, session, agent, key)
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER citation_keys_next AFTER INSERT ON citation_keys
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM citation_keys WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'citation_keys: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER citation_keys_once BEFORE INSERT ON citation_keys
WHEN EXISTS (SELECT 1 FROM citation_keys WHERE id = NEW.id OR project = NEW.project AND session = NEW.session AND agent = NEW.agent AND key = NEW.key)
BEGIN SELECT RAISE(ABORT, 'citation_keys: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER citation_keys_update BEFORE UPDATE ON citation_keys BEGIN SELECT RAISE(ABORT, 'citation_keys: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER citation_keys_delete BEFORE DELETE ON citation_keys BEGIN SELECT RAISE(ABORT, 'citation_keys: append only'); END;
-- +goose StatementEnd
