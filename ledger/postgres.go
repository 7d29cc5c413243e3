package ledger

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// connections is how many of the server's connections one process takes: one
// writes, the others read. Servers allow a hundred or so in all.
const connections = 4

// connectTimeout bounds one attempt to reach the server.
const connectTimeout = 5 * time.Second

// Writers of one schema take turns: an ordinal is given where the last one is
// known, and none is lost when a transaction fails, as it would be with a
// sequence. Readers do not wait.
var onServer = dialect{goose: goose.DialectPostgres, migrations: "postgres", numbered: true, check: checkServer,
	single: `SELECT pg_advisory_xact_lock(hashtextextended('muniment ledger ' || current_schema(), 0))`}

// schemaName matches a schema name that needs no quotation marks.
var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)

// OpenPostgres opens the ledger in a PostgreSQL database, or makes it, and
// brings its schema up to date. address is a connection URL or a list of
// key=value. The tables lie in the first schema of the address's search_path,
// else in the one named; it is made when it is not there.
//
// A server that does not answer is tried again for three seconds; then the
// error is an *UnavailableError.
func OpenPostgres(address, schema string) (*Ledger, error) {
	cfg, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("ledger: address of the database: %s", withoutPassword(err))
	}
	path := fmt.Sprintf("postgres://%s/%s", net.JoinHostPort(cfg.Host, fmt.Sprint(cfg.Port)), cfg.Database)
	if strings.HasPrefix(cfg.Host, "/") {
		path = fmt.Sprintf("postgres:///%s?host=%s", cfg.Database, cfg.Host)
	}
	if given := cfg.RuntimeParams["search_path"]; given != "" {
		schema, _, _ = strings.Cut(given, ",")
		schema = strings.Trim(strings.TrimSpace(schema), `"`)
	}
	if !schemaName.MatchString(schema) {
		return nil, fmt.Errorf("ledger %s: schema %q, want lower-case letters, digits and _", path, schema)
	}
	cfg.RuntimeParams["search_path"] = schema
	cfg.RuntimeParams["application_name"] = "muniment"
	// Acknowledged is on disk, whatever the server's default.
	cfg.RuntimeParams["synchronous_commit"] = "on"
	if cfg.ConnectTimeout == 0 || cfg.ConnectTimeout > connectTimeout {
		cfg.ConnectTimeout = connectTimeout
	}
	db := stdlib.OpenDB(*cfg)
	db.SetMaxOpenConns(connections)
	db.SetConnMaxIdleTime(time.Minute)
	l := &Ledger{path: path + "#" + schema, dialect: &onServer, write: db, read: db, transient: isTransient, waits: backOff}
	err = l.retry(func() error {
		have, err := serverSchema(db, schema)
		if err != nil || have > 0 {
			return err
		}
		// Made by two at once, one of them is told that it is there.
		_, err = db.Exec(`CREATE SCHEMA IF NOT EXISTS ` + schema)
		var pe *pgconn.PgError
		if errors.As(err, &pe) && (pe.Code == "23505" || pe.Code == "42P06") {
			return nil
		}
		return err
	})
	if err == nil {
		err = l.retry(func() error {
			return migrate(l.path, &onServer, db, func() (int64, error) { return serverSchema(db, schema) })
		})
	}
	if err != nil {
		db.Close()
		var newer *NewerSchemaError
		if errors.As(err, &newer) {
			return nil, newer
		}
		return nil, l.fault(err)
	}
	return l, nil
}

// serverSchema returns the schema version of a ledger, 0 when there is none.
func serverSchema(db *sql.DB, schema string) (int64, error) {
	var there bool
	err := db.QueryRow(`SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'goose_db_version')`, schema).Scan(&there)
	if err != nil || !there {
		return 0, err
	}
	return versionOf(db)
}

// isTransient reports errors of a server that is away, starting, full, or that undid
// a transaction for another's sake: trying again may help.
func isTransient(err error) bool {
	var commit *commitError
	if errors.As(err, &commit) {
		return false
	}
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		class := pe.Code[:2]
		// 28 and 3D, a wrong password or database, will be wrong again.
		return class == "08" || class == "40" || class == "57" && pe.Code != "57014" || pe.Code == "53300"
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// withoutPassword returns the error in an address without the address.
func withoutPassword(err error) string {
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) {
		if cause := errors.Unwrap(parse); cause != nil {
			var u *url.Error
			if errors.As(cause, &u) {
				return u.Err.Error()
			}
			return cause.Error()
		}
	}
	return "it is not a PostgreSQL connection URL"
}
