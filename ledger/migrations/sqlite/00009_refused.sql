-- +goose Up

-- Who was refused, and when, neither what was asked nor why: what a limit is counted from.
CREATE TABLE refused (
    id        INTEGER PRIMARY KEY,
    time      TEXT NOT NULL,
    requestor TEXT NOT NULL -- '' is shared by all who gave no name
) STRICT;

CREATE INDEX refused_requestor ON refused (requestor, time);

-- Texts that could not be cut into claims, or could be in two ways; the text is not kept.
CREATE TABLE segmentation_errors (
    id     INTEGER PRIMARY KEY,
    time   TEXT NOT NULL,
    stage  TEXT NOT NULL, -- ask, bind or check
    reason TEXT NOT NULL,
    places INTEGER NOT NULL CHECK (places > 0)
) STRICT;

CREATE INDEX segmentation_errors_time ON segmentation_errors (time);

-- +goose StatementBegin
CREATE TRIGGER refused_next AFTER INSERT ON refused
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM refused WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'refused: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER refused_once BEFORE INSERT ON refused
WHEN EXISTS (SELECT 1 FROM refused WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'refused: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER refused_update BEFORE UPDATE ON refused BEGIN SELECT RAISE(ABORT, 'refused: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER refused_delete BEFORE DELETE ON refused BEGIN SELECT RAISE(ABORT, 'refused: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER segmentation_errors_next AFTER INSERT ON segmentation_errors
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM segmentation_errors WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'segmentation_errors: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER segmentation_errors_once BEFORE INSERT ON segmentation_errors
WHEN EXISTS (SELECT 1 FROM segmentation_errors WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'segmentation_errors: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER segmentation_errors_update BEFORE UPDATE ON segmentation_errors BEGIN SELECT RAISE(ABORT, 'segmentation_errors: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER segmentation_errors_delete BEFORE DELETE ON segmentation_errors BEGIN SELECT RAISE(ABORT, 'segmentation_errors: append only'); END;
-- +goose StatementEnd
