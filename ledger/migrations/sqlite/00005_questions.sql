-- +goose Up

-- What became of questions; what was asked is not kept.
CREATE TABLE questions (
    id         INTEGER PRIMARY KEY,
    time       TEXT NOT NULL,
    profile    TEXT NOT NULL,
    type       TEXT NOT NULL,
    refused    INTEGER NOT NULL CHECK (refused IN (0, 1)),
    kind       TEXT NOT NULL, -- of a refusal, as shown; else ''
    reason     TEXT NOT NULL,
    true_kind  TEXT NOT NULL, -- the reason that the display may have to hide
    stage      TEXT NOT NULL, -- of the pipeline that refused
    reached    INTEGER NOT NULL CHECK (reached IN (0, 1)), -- retrieval
    best       INTEGER NOT NULL, -- similarity, in ten-thousandths
    threshold  INTEGER NOT NULL,
    sources    INTEGER NOT NULL
) STRICT;

CREATE INDEX questions_time ON questions (time);

-- +goose StatementBegin
CREATE TRIGGER questions_next AFTER INSERT ON questions
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM questions WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'questions: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER questions_once BEFORE INSERT ON questions
WHEN EXISTS (SELECT 1 FROM questions WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'questions: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER questions_update BEFORE UPDATE ON questions BEGIN SELECT RAISE(ABORT, 'questions: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER questions_delete BEFORE DELETE ON questions BEGIN SELECT RAISE(ABORT, 'questions: append only'); END;
-- +goose StatementEnd
