-- +goose Up

-- What requestors were shown, passage by passage: the account of their budgets.
CREATE TABLE shown (
    id        INTEGER PRIMARY KEY,
    time      TEXT NOT NULL,
    requestor TEXT NOT NULL, -- '' is shared by all who gave no name
    kind      TEXT NOT NULL CHECK (kind IN ('ask', 'bind', 'more', 'audit')),
    answer    TEXT NOT NULL, -- ID of the statement
    handle    TEXT NOT NULL, -- of the citation in it
    artifact  TEXT NOT NULL,
    span      TEXT NOT NULL, -- of the citation
    first     INTEGER NOT NULL, -- code points of the text, half-open; both 0 where nothing was shown
    past      INTEGER NOT NULL CHECK (past >= first),
    fresh     INTEGER NOT NULL CHECK (fresh >= 0) -- of them, not seen before
) STRICT;

CREATE INDEX shown_requestor ON shown (requestor, time, fresh);
CREATE INDEX shown_artifact ON shown (requestor, artifact, time);
CREATE INDEX shown_handle ON shown (answer, handle);

-- What a budget withheld.
CREATE TABLE extraction_risks (
    id        INTEGER PRIMARY KEY,
    time      TEXT NOT NULL,
    requestor TEXT NOT NULL,
    rule      TEXT NOT NULL,
    artifact  TEXT NOT NULL,
    code_points INTEGER NOT NULL
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER shown_next AFTER INSERT ON shown
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM shown WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'shown: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER shown_once BEFORE INSERT ON shown
WHEN EXISTS (SELECT 1 FROM shown WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'shown: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER shown_update BEFORE UPDATE ON shown BEGIN SELECT RAISE(ABORT, 'shown: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER shown_delete BEFORE DELETE ON shown BEGIN SELECT RAISE(ABORT, 'shown: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER extraction_risks_next AFTER INSERT ON extraction_risks
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM extraction_risks WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'extraction_risks: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER extraction_risks_once BEFORE INSERT ON extraction_risks
WHEN EXISTS (SELECT 1 FROM extraction_risks WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'extraction_risks: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER extraction_risks_update BEFORE UPDATE ON extraction_risks BEGIN SELECT RAISE(ABORT, 'extraction_risks: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER extraction_risks_delete BEFORE DELETE ON extraction_risks BEGIN SELECT RAISE(ABORT, 'extraction_risks: append only'); END;
-- +goose StatementEnd
