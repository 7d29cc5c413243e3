-- +goose Up

-- The artifacts that citations name, and the spans of them.
CREATE TABLE documents (
    id       INTEGER PRIMARY KEY,
    time     TEXT NOT NULL,
    artifact TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE chunks (
    id       INTEGER PRIMARY KEY,
    time     TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES documents (id),
    span     TEXT NOT NULL,
    UNIQUE (document, span)
) STRICT;

-- A citation's source, document and chunk are rows; its day of publication is what its record said.
DROP TRIGGER citations_update;

ALTER TABLE citations ADD COLUMN document INTEGER REFERENCES documents (id);
ALTER TABLE citations ADD COLUMN chunk INTEGER REFERENCES chunks (id);
ALTER TABLE citations ADD COLUMN published_at TEXT NOT NULL DEFAULT '';

-- What was registered before.
INSERT INTO documents (id, time, artifact)
SELECT row_number() OVER (ORDER BY first), time, artifact
FROM (SELECT artifact, min(time) AS time, min(ordinal) AS first FROM citations WHERE artifact <> '' GROUP BY artifact) AS cited;

INSERT INTO chunks (id, time, document, span)
SELECT row_number() OVER (ORDER BY cited.first), cited.time, documents.id, cited.span
FROM (SELECT artifact, span, min(time) AS time, min(ordinal) AS first FROM citations WHERE artifact <> '' AND span <> '' GROUP BY artifact, span) AS cited
JOIN documents ON documents.artifact = cited.artifact;

UPDATE citations SET
    document = (SELECT id FROM documents WHERE documents.artifact = citations.artifact),
    chunk = (SELECT chunks.id FROM chunks JOIN documents ON documents.id = chunks.document WHERE documents.artifact = citations.artifact AND chunks.span = citations.span);

-- +goose StatementBegin
CREATE TRIGGER citations_update BEFORE UPDATE ON citations BEGIN SELECT RAISE(ABORT, 'citations: append only'); END;
-- +goose StatementEnd

CREATE INDEX citations_document ON citations (document);
CREATE INDEX citations_published_at ON citations (published_at, ordinal);

-- +goose StatementBegin
CREATE TRIGGER documents_next AFTER INSERT ON documents
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM documents WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'documents: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER documents_once BEFORE INSERT ON documents
WHEN EXISTS (SELECT 1 FROM documents WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'documents: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER documents_update BEFORE UPDATE ON documents BEGIN SELECT RAISE(ABORT, 'documents: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER documents_delete BEFORE DELETE ON documents BEGIN SELECT RAISE(ABORT, 'documents: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER chunks_next AFTER INSERT ON chunks
WHEN NEW.id < 1 OR NEW.id > 1 AND NOT EXISTS (SELECT 1 FROM chunks WHERE id = NEW.id - 1)
BEGIN SELECT RAISE(ABORT, 'chunks: ordinals have no gaps'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER chunks_once BEFORE INSERT ON chunks
WHEN EXISTS (SELECT 1 FROM chunks WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'chunks: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER chunks_update BEFORE UPDATE ON chunks BEGIN SELECT RAISE(ABORT, 'chunks: append only'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER chunks_delete BEFORE DELETE ON chunks BEGIN SELECT RAISE(ABORT, 'chunks: append only'); END;
-- +goose StatementEnd
