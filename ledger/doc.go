// Package ledger keeps the citations that callers registered: one SQLite file
// beside an archive, written by one process at a time and read by any.
//
// An entry gets the next ordinal, 1, 2, 3, …, which is an alias inside this
// ledger; the identity of a citation is its content ID, and it has one only
// when it is bound. Entries are unbound, then bound (a snapshot holds the
// artifact, the citation object is written), then sealed (a later snapshot
// holds the citation object). What verification found is a list of
// attestations; the last one is the entry's status.
//
//	l, err := ledger.Open("archive.ledger")
//	n, err := l.AddCitation(ledger.Entry{Time: now, Claim: …, Status: ledger.Verified})
//	err = l.Bind(n, canonicalJSON, id, now)
//
// Nothing is ever changed or removed: triggers in the file refuse it to every
// program, and the current state is the view named current. Times are the
// caller's, kept in UTC to the nanosecond. Refusals are kept without the text
// of the question.
//
// A returned call is on disk (WAL with synchronous=FULL): a process that is
// killed loses no ordinal that it has told anyone. Two processes wait for each
// other up to BusyTimeout.
//
// The schema is versioned by goose migrations, forward only. A file written by
// a newer version is refused, unchanged, with a *NewerSchemaError.
//
// Limits: the file is not signed. It says what was claimed, not what is true;
// what has to be proved is bound and sealed. Whoever can write the file can
// replace it as a whole.
package ledger
