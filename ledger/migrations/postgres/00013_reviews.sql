-- +goose Up

-- What people said of a claim and its words, each with its signed object. The note stays here.
CREATE TABLE reviews (
    id       BIGINT PRIMARY KEY,
    time     TEXT COLLATE "C" NOT NULL,
    project  TEXT NOT NULL,
    agent    TEXT NOT NULL, -- who handed it in
    user_id  TEXT NOT NULL,
    ordinal  BIGINT REFERENCES citations (ordinal), -- the citation it was made for, where there is one
    subject  TEXT NOT NULL,
    review   TEXT NOT NULL UNIQUE, -- ID of json
    json     TEXT NOT NULL,
    note     TEXT NOT NULL,
    digest   TEXT NOT NULL
);

CREATE INDEX reviews_subject ON reviews (subject);
CREATE INDEX reviews_ordinal ON reviews (ordinal);

CREATE TABLE review_seals (
    id       BIGINT PRIMARY KEY REFERENCES reviews (id),
    time     TEXT NOT NULL,
    snapshot TEXT NOT NULL
);

CREATE TRIGGER reviews_append BEFORE UPDATE OR DELETE OR TRUNCATE ON reviews FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TRIGGER reviews_next AFTER INSERT ON reviews FOR EACH ROW EXECUTE FUNCTION no_gaps('id');

CREATE TRIGGER review_seals_append BEFORE UPDATE OR DELETE OR TRUNCATE ON review_seals FOR EACH STATEMENT EXECUTE FUNCTION append_only();
