package ledger

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*/*.sql
var migrations embed.FS

// migrate refuses a newer ledger before anything is written, then applies what
// is missing. Several processes may do so at once: one that comes second finds
// the tables made, and looks again.
func migrate(path string, d *dialect, db *sql.DB, schema func() (int64, error)) error {
	ctx := context.Background()
	files, err := fs.Sub(migrations, "migrations/"+d.migrations)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(d.goose, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("ledger migrations: %w", err)
	}
	sources := p.ListSources()
	can := sources[len(sources)-1].Version
	const attempts = 100 // two seconds in all: another process makes a few tables
	for attempt := 1; ; attempt++ {
		have, err := schema()
		switch {
		case err != nil:
			return fmt.Errorf("ledger %s: %w", path, err)
		case have > can:
			return &NewerSchemaError{path, have, can}
		case have == can:
			return nil
		}
		if _, err = p.Up(ctx); err == nil {
			return nil
		}
		if attempt == attempts {
			return fmt.Errorf("ledger %s: schema %d: %w", path, can, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// newestSchema returns the number of the schema that this program writes.
func newestSchema(d *dialect) (int64, error) {
	files, err := fs.ReadDir(migrations, "migrations/"+d.migrations)
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("ledger migrations: %w", err)
	}
	return goose.NumericComponent(files[len(files)-1].Name())
}

// versionOf reads the version that goose wrote.
func versionOf(db *sql.DB) (int64, error) {
	var version int64
	err := db.QueryRow(`SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	return version, err
}
