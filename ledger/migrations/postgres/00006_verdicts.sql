-- +goose Up

-- How the claim stands to the cited words: follows, contradicted, not_shown, judged; '' before claims were judged.
ALTER TABLE attestations ADD COLUMN claim_verdict TEXT NOT NULL DEFAULT '';
