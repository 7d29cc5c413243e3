-- +goose Up

-- What was looked through before a question was answered or refused: a snapshot, how many of its
-- papers, and how many it has. '' and 0 where nothing was, and in rows from before this schema.
ALTER TABLE questions ADD COLUMN snapshot TEXT NOT NULL DEFAULT '';
ALTER TABLE questions ADD COLUMN searched INTEGER NOT NULL DEFAULT 0;
ALTER TABLE questions ADD COLUMN papers INTEGER NOT NULL DEFAULT 0;

ALTER TABLE refusals ADD COLUMN snapshot TEXT NOT NULL DEFAULT '';
ALTER TABLE refusals ADD COLUMN searched INTEGER NOT NULL DEFAULT 0;
ALTER TABLE refusals ADD COLUMN papers INTEGER NOT NULL DEFAULT 0;
