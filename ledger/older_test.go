package ledger

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"
)

// olderLedger writes a ledger of an earlier schema with one claim.
func olderLedger(t *testing.T, schema int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	files, err := fs.Sub(migrations, "migrations/sqlite")
	if err != nil {
		t.Fatal(err)
	}
	db := raw(t, path)
	p, err := goose.NewProvider(inFile.goose, db, files, goose.WithDisableGlobalRegistry(true))
	if err == nil {
		_, err = p.UpTo(context.Background(), schema)
	}
	if err == nil {
		_, err = db.Exec(`INSERT INTO claims (id, time, project, claim) VALUES (1, '2024-05-06T12:00:00.123456789Z', '', 'It burned.')`)
	}
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// A ledger of an older schema stays as it is, byte for byte, until the first change, which
// is announced once and keeps the file as it was until it is on disk.
func TestOlderSchema(t *testing.T) {
	path := olderLedger(t, 8)
	newest, err := newestSchema(&inFile)
	if err != nil {
		t.Fatal(err)
	}
	as, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var said []Migration
	l.Announce = func(m Migration) {
		said = append(said, m)
		if copied, err := fileSchema(m.Copy); err != nil || copied != 8 {
			t.Errorf("the copy has the schema %d, %v", copied, err)
		}
	}
	if claims, err := l.Claims(ClaimFilter{}); err != nil || len(claims) != 1 || claims[0].Claim != "It burned." {
		t.Errorf("%+v, %v", claims, err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, as) || len(said) > 0 {
		t.Errorf("reading changed the file: %v, %v", said, err)
	}
	if n := add(t, l, entry("It burned.")); n != 1 {
		t.Errorf("the next ordinal is %d", n)
	}
	if have, err := fileSchema(path); err != nil || have != newest {
		t.Errorf("schema %d, %v", have, err)
	}
	if len(said) != 1 || said[0] != (Migration{Path: path, From: 8, To: newest, Copy: path + beforeSuffix}) {
		t.Errorf("announced %+v", said)
	}
	if _, err := os.Lstat(path + beforeSuffix); err == nil {
		t.Error("the copy is still there after the change is on disk")
	}
	if claims, err := l.Claims(ClaimFilter{}); err != nil || len(claims) != 1 || claims[0].Citations != 1 {
		t.Errorf("after the change: %+v, %v", claims, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	again.Announce = l.Announce
	if add(t, again, entry("It stood.")); len(said) != 1 {
		t.Errorf("announced again: %+v", said)
	}
}

// A copy that a killed program left goes with the next change, and not with reading.
func TestCopyLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	add(t, l, entry("It burned."))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+beforeSuffix, []byte("as it was"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err = Open(path); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.List(Filter{}); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path + beforeSuffix); err != nil {
		t.Errorf("reading removed the copy: %v", err)
	}
	add(t, l, entry("It stood."))
	if _, err := os.Lstat(path + beforeSuffix); err == nil {
		t.Error("the copy is still there after a change")
	}
}

// A ledger of an older schema whose folder cannot be written is read.
func TestOlderReadOnly(t *testing.T) {
	l, err := openReadOnly(olderLedger(t, 8))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if claims, err := l.Claims(ClaimFilter{}); err != nil || len(claims) != 1 {
		t.Errorf("%+v, %v", claims, err)
	}
	if _, err := l.AddCitation(entry("It stood.")); err == nil {
		t.Error("it was changed")
	}
}
