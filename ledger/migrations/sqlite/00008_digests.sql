-- +goose Up

-- The sha256 of a row's columns, compared when the row is read; '' for rows of earlier versions.
ALTER TABLE citations ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE attestations ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE sources ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN digest TEXT NOT NULL DEFAULT '';
