package retrieve

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// ErrMoved says that another process updated a shared index. Open it again.
var ErrMoved = errors.New("another process updated the search index")

// An UnavailableError says that the database does not answer or lets nobody in.
type UnavailableError struct{}

func (*UnavailableError) Error() string { return "the database does not answer or lets nobody in" }

// A Server is an index in a PostgreSQL database, shared by all who use the archive there. It has a
// schema of its own, which can be dropped like any other derived thing.
type Server struct {
	db *sql.DB

	mu     sync.RWMutex
	extent Extent
}

// serverLayout ends the name of a schema; another layout of the tables has another end.
const serverLayout = "_blocks"

// tables is what a schema holds. Texts and titles are bytes: they may hold U+0000, which the
// database's text may not. A term is a word of some kind, such as termWord, with the number of
// passages that have it; a block holds a stretch of its postings. terms of a passage are the numbers of
// its terms as uvarints, so that its postings are found when it leaves. tongue counts the passages in a language.
const tables = `
CREATE TABLE IF NOT EXISTS state (one boolean PRIMARY KEY CHECK (one), snapshot text NOT NULL, last text NOT NULL, done bigint NOT NULL, began text NOT NULL,
	passages bigint NOT NULL, next_passage bigint NOT NULL, next_term bigint NOT NULL);
CREATE TABLE IF NOT EXISTS passage (
	id bigint PRIMARY KEY, artifact text COLLATE "C" NOT NULL, n integer NOT NULL, title bytea NOT NULL, author bytea NOT NULL,
	date text NOT NULL, lang text NOT NULL, span text NOT NULL, text bytea NOT NULL, tongue text NOT NULL, terms bytea NOT NULL,
	UNIQUE (artifact, n) INCLUDE (id));
CREATE TABLE IF NOT EXISTS term (term text COLLATE "C" PRIMARY KEY, id bigint NOT NULL UNIQUE, n bigint NOT NULL, most double precision NOT NULL);
CREATE TABLE IF NOT EXISTS block (term bigint NOT NULL, first bigint NOT NULL, n integer NOT NULL, data bytea NOT NULL, PRIMARY KEY (term, first)) WITH (fillfactor = 80);
ALTER TABLE block ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE TABLE IF NOT EXISTS tongue (tongue text COLLATE "C" PRIMARY KEY, n bigint NOT NULL);
INSERT INTO state VALUES (true, '', '', 0, '', 0, 1, 1) ON CONFLICT DO NOTHING;`

// emptyTables takes everything out of a schema.
const emptyTables = `DELETE FROM passage; DELETE FROM term; DELETE FROM block; DELETE FROM tongue;
	UPDATE state SET snapshot = '', last = '', done = 0, began = '', passages = 0, next_passage = 1, next_term = 1`

// schemaKey is the key of the lock under which the writers of a schema take turns.
const schemaKey = `hashtextextended('muniment search ' || current_schema(), 0)`

// serverConnections is how many connections one process takes: an update holds one.
const serverConnections = 4

// serverWait bounds one attempt to reach the server.
const serverWait = 5 * time.Second

var validSchema = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,50}$`)

// OpenServer opens the index of an archive in a database, or makes it. address is a connection URL or
// a list of key=value; schema, of lower-case letters, digits and _, is the archive's own. To it is
// added the version of the layout, so that programs of two versions keep out of each other's way.
func OpenServer(ctx context.Context, address, schema string) (*Server, error) {
	cfg, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errors.New("search index: the address of the database is none")
	}
	if !validSchema.MatchString(schema) {
		return nil, fmt.Errorf("search index: schema %q, want lower-case letters, digits and _", schema)
	}
	schema += strings.ReplaceAll(strings.TrimPrefix(Version, "muniment/index/"), "v", "_v") + serverLayout
	cfg.RuntimeParams["search_path"] = schema
	cfg.RuntimeParams["application_name"] = "muniment"
	if cfg.ConnectTimeout == 0 || cfg.ConnectTimeout > serverWait {
		cfg.ConnectTimeout = serverWait
	}
	x := &Server{db: stdlib.OpenDB(*cfg)}
	x.db.SetMaxOpenConns(serverConnections)
	err = x.withConn(ctx, func(conn *pgx.Conn) error {
		var made bool
		if err := conn.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, schema+".state").Scan(&made); err != nil {
			return err
		}
		if !made {
			err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
				// Two that make the schema at once would meet at its name, before it can be locked.
				_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('muniment search', 0)); CREATE SCHEMA IF NOT EXISTS `+schema+";"+tables)
				return err
			})
			if err != nil {
				return err
			}
		}
		x.extent, _, err = readState(ctx, conn)
		return err
	})
	if err != nil {
		x.db.Close()
		return nil, fmt.Errorf("search index in the database: %w", serverError(err))
	}
	return x, nil
}

// readState returns the extent of the index and its number of passages.
func readState(ctx context.Context, conn *pgx.Conn) (e Extent, passages int64, err error) {
	err = conn.QueryRow(ctx, `SELECT snapshot, last, done, began, passages FROM state`).Scan(&e.Snapshot, &e.Last, &e.Done, &e.From, &passages)
	return e, passages, err
}

// serverError leaves addresses and passwords out of what went wrong.
func serverError(err error) error {
	var connect *pgconn.ConnectError
	var network net.Error
	var u *url.Error
	if errors.As(err, &connect) || errors.As(err, &network) || errors.As(err, &u) {
		return &UnavailableError{}
	}
	return err
}

// errNoServer is the error of the calls of a Server that was not opened.
var errNoServer = errors.New("retrieve: the index in a database is not open")

// withConn gives fn a connection.
func (x *Server) withConn(ctx context.Context, fn func(*pgx.Conn) error) error {
	if x.db == nil {
		return errNoServer
	}
	conn, err := x.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(driver any) error { return fn(driver.(*stdlib.Conn).Conn()) })
}

// Close gives the connections back.
func (x *Server) Close() error {
	if x.db == nil {
		return nil
	}
	return x.db.Close()
}

// Snapshot returns the ID of the snapshot that the index stood for when it was opened or updated, ""
// where it was empty or held a part.
func (x *Server) Snapshot() string {
	if e := x.Extent(); e.Last == "" {
		return e.Snapshot
	}
	return ""
}

// Extent returns how far the index was on the way to a snapshot when it was opened or updated.
func (x *Server) Extent() Extent {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.extent
}

func (x *Server) setExtent(e Extent) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.extent = e
}

// Artifacts returns the IDs of the artifacts in the index, sorted.
func (x *Server) Artifacts(ctx context.Context) (ids []string, err error) {
	err = x.read(ctx, func(tx pgx.Tx, _ uint64, _ []string) error {
		rows, err := tx.Query(ctx, `SELECT DISTINCT artifact FROM passage ORDER BY artifact`)
		if err == nil {
			ids, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		return err
	})
	return ids, err
}

// Reset empties the index.
func (x *Server) Reset(ctx context.Context) error {
	err := x.withConn(ctx, func(conn *pgx.Conn) error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(`+schemaKey+`); `+emptyTables)
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("search index in the database: %w", serverError(err))
	}
	x.setExtent(Extent{})
	return nil
}

// read gives fn one state of the index, its number of passages and their languages, sorted; ErrMoved when
// it is not the one that this index was opened or updated at.
func (x *Server) read(ctx context.Context, fn func(tx pgx.Tx, passages uint64, languages []string) error) error {
	err := x.withConn(ctx, func(conn *pgx.Conn) error {
		return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			var e Extent
			var passages uint64
			var languages []string
			err := tx.QueryRow(ctx, `SELECT snapshot, last, done, began, passages, ARRAY(SELECT tongue FROM tongue ORDER BY tongue) FROM state`).
				Scan(&e.Snapshot, &e.Last, &e.Done, &e.From, &passages, &languages)
			if err == nil && e != x.Extent() {
				err = ErrMoved
			}
			if err != nil {
				return err
			}
			return fn(tx, passages, languages)
		})
	})
	if err != nil {
		return fmt.Errorf("search index in the database: %w", serverError(err))
	}
	return nil
}

// longestWord is how many bytes of a word the database's indexes take; a longer one is known by its sum.
const longestWord = 500

func lexeme(kind, word string) string {
	if len(word) > longestWord {
		sum := sha256.Sum256([]byte(word))
		word = "sha256:" + hex.EncodeToString(sum[:])
	}
	return kind + word
}
