// Package ledger keeps what agents registered: sources, claims, citations,
// what verifications found, links, searches, sessions and refusals. It is one
// implementation over database/sql with two dialects: SQLite, a file beside an
// archive that is written by one process at a time and read by any; and
// PostgreSQL, for many agents on many machines at once.
//
//	l, err := ledger.Open("archive.ledger")                       // or
//	l, err := ledger.OpenPostgres("postgres://host/db", "fessi")
//	n, err := l.AddCitation(ledger.Entry{Time: now, Claim: …, Status: ledger.Verified})
//	page, err := l.List(ledger.Filter{Session: "s1", After: n, Limit: 100})
//
// An entry gets the next ordinal, 1, 2, 3, …, which is an alias inside this
// ledger; the identity of a citation is its content ID, and it has one only
// when it is bound. Entries are unbound, then bound (a snapshot holds the
// artifact, the citation object is written), then sealed (a later snapshot
// holds the citation object). What verification found is a list of
// attestations; the last one is the entry's status. Sources, claims, sessions,
// links and search records have numbers of their own, counted the same way; so
// have reviews, which say what a person found, evidence packs and syntheses, the texts that were checked, with the
// citations of each of their bullets.
//
// No ordinal is lost: writers of one ledger take turns, each takes the last
// number plus 1 in its transaction, and one that fails takes none.
//
// Nothing is ever changed or removed: triggers in the schema refuse it to every
// program, TRUNCATE and INSERT OR REPLACE included, and the current state is
// the view named current. Times are the caller's, kept in UTC to the
// nanosecond. Refusals are kept without the text of the question.
//
// A returned call is on disk (SQLite: WAL with synchronous=FULL; PostgreSQL:
// synchronous_commit=on): a process that is killed loses no ordinal that it has
// told anyone. Processes wait for each other, for a file up to BusyTimeout. A
// server that does not answer is tried again for three seconds; then the error
// is an *UnavailableError. A commit whose answer was lost is tried again only where
// that adds nothing twice: citations with keys, bindings and seals.
//
// The schema is versioned by goose migrations, forward only. A ledger written
// by a newer version is refused, unchanged, with a *NewerSchemaError.
//
// Limits: the ledger is not signed. It says what was claimed, not what is true;
// what has to be proved is bound and sealed. Whoever owns the file or the
// tables can replace them as a whole. Texts are UTF-8 without NUL; names have
// at most MaxName bytes.
package ledger
