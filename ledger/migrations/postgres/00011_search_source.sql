-- +goose Up

-- The registered source that was looked through, 0 for none, and where the caller looked: a JSON object or ''.
ALTER TABLE search_records ADD COLUMN source BIGINT NOT NULL DEFAULT 0;
ALTER TABLE search_records ADD COLUMN locator TEXT NOT NULL DEFAULT '';
