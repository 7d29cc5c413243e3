-- +goose Up

-- The artifacts that citations name, and the spans of them.
CREATE TABLE documents (
    id       BIGINT PRIMARY KEY,
    time     TEXT COLLATE "C" NOT NULL,
    artifact TEXT NOT NULL UNIQUE
);

CREATE TABLE chunks (
    id       BIGINT PRIMARY KEY,
    time     TEXT COLLATE "C" NOT NULL,
    document BIGINT NOT NULL REFERENCES documents (id),
    span     TEXT NOT NULL,
    UNIQUE (document, span)
);

-- A citation's source, document and chunk are rows; its day of publication is what its record said.
DROP TRIGGER citations_append ON citations;

ALTER TABLE citations ADD COLUMN document BIGINT REFERENCES documents (id);
ALTER TABLE citations ADD COLUMN chunk BIGINT REFERENCES chunks (id);
ALTER TABLE citations ADD COLUMN published_at TEXT COLLATE "C" NOT NULL DEFAULT '';

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

CREATE TRIGGER citations_append BEFORE UPDATE OR DELETE OR TRUNCATE ON citations FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE INDEX citations_document ON citations (document);
CREATE INDEX citations_published_at ON citations (published_at, ordinal);

CREATE TRIGGER documents_append BEFORE UPDATE OR DELETE OR TRUNCATE ON documents FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TRIGGER documents_next AFTER INSERT ON documents FOR EACH ROW EXECUTE FUNCTION no_gaps('id');

CREATE TRIGGER chunks_append BEFORE UPDATE OR DELETE OR TRUNCATE ON chunks FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TRIGGER chunks_next AFTER INSERT ON chunks FOR EACH ROW EXECUTE FUNCTION no_gaps('id');
