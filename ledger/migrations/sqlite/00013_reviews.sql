-- +goose Up

-- What people said of a claim and its words, each with its signed object. The note stays here.
CREATE TABLE reviews (
    id       INTEGER PRIMARY KEY,
    time     TEXT NOT NULL,
    project  TEXT NOT NULL,
    agent    TEXT NOT NULL, -- who handed it in
    user_id  TEXT NOT NULL,
    ordinal  INTEGER REFERENCES citations (ordinal), -- the citation it was made for, where there is one
    subject  TEXT NOT NULL,
    review   TEXT NOT NULL UNIQUE, -- ID of json
    json     TEXT NOT NULL,
    note     TEXT NOT NULL,
    digest   TEXT NOT NULL
) STRICT;

CREATE INDEX reviews_subject ON reviews (subject);
CREATE INDEX reviews_ordinal ON reviews (ordinal);

CREATE TABLE review_seals (
    id       INTEGER PRIMARY KEY REFERENCES reviews (id),
    time     TEXT NOT NULL,
    snapshot TEXT NOT NULL
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER reviews_next AFTER INSERT ON reviews
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM reviews WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'reviews: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER reviews_once BEFORE INSERT ON reviews
WHEN EXISTS (SELECT 1 FROM reviews WHERE id = NEW.id OR review = NEW.review)
BEGIN SELECT RAISE(ABORT, 'reviews: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER reviews_update BEFORE UPDATE ON reviews BEGIN SELECT RAISE(ABORT, 'reviews: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER reviews_delete BEFORE DELETE ON reviews BEGIN SELECT RAISE(ABORT, 'reviews: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER review_seals_once BEFORE INSERT ON review_seals
WHEN EXISTS (SELECT 1 FROM review_seals WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'review_seals: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER review_seals_update BEFORE UPDATE ON review_seals BEGIN SELECT RAISE(ABORT, 'review_seals: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER review_seals_delete BEFORE DELETE ON review_seals BEGIN SELECT RAISE(ABORT, 'review_seals: append only'); END;
-- +goose StatementEnd
