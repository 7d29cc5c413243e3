package archive

import (
	"encoding/json"
	"net/url"

	"muniment/archive/journal"
	"muniment/archive/problem"
	"muniment/cid"
)

// The kinds of entries of the journal about what programs brought in.
const (
	kindAddition = "addition" // by record: the name of the program that staged it
	kindRequest  = "request"  // by program: that it asked for a snapshot, and why it waits
)

// MaxAdditions is the most additions of programs that this copy notes: a person signs what is beyond them.
const MaxAdditions = 10_000

// An Adder is a program that brings papers in. Its account, the token or the process that calls, tells it from a program of the same name.
type Adder struct {
	Account string `json:"account"`
	Agent   string `json:"agent"` // its name
	Project string `json:"project,omitempty"`
}

// key returns the adder as a word of the journal.
func (p Adder) key() string { return url.QueryEscape(p.Account) + "/" + url.QueryEscape(p.Project) }

// A SnapshotRequest says that a program asked for a snapshot of what it brought in, and waits.
type SnapshotRequest struct {
	Adder
	Time   string `json:"time"`   // RFC 3339; of the first request that waits
	Reason string `json:"reason"` // why a person has to sign
	Papers int    `json:"artifacts"`
}

// NoteAdditions notes records as staged by a program. Each is new in the staged tree, so that no other program staged it. What is beyond MaxAdditions is not noted.
func (a *Repository) NoteAdditions(by Adder, records []cid.ID) error {
	s, err := a.readJournal()
	if err != nil || len(records) == 0 || len(s.Kind(kindAddition))+len(records) > MaxAdditions {
		return err
	}
	entries := make([]journal.Entry, len(records))
	for i, id := range records {
		entries[i] = journal.Entry{Kind: kindAddition, Key: id.String(), Value: by.key()}
	}
	return a.remember(entries...)
}

// ForgetAdditions forgets who added the records that are staged no more: a snapshot holds them, or nothing does. What is
// staged is asked for after the notes were read, so that what is staged and noted meanwhile stays noted.
func (a *Repository) ForgetAdditions(staged func() (map[cid.ID]bool, error)) error {
	s, err := a.readJournal()
	if err != nil {
		return err
	}
	is, err := staged()
	if err != nil {
		return err
	}
	var entries []journal.Entry
	for key := range s.Kind(kindAddition) {
		if id, bad := cid.ParseAs(cid.JSON, key); bad != nil || !is[id] {
			entries = append(entries, journal.Entry{Kind: kindAddition, Key: key})
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return a.remember(entries...)
}

// Additions returns the records that were noted as staged by a program.
func (a *Repository) Additions(by Adder) (map[cid.ID]bool, error) {
	s, err := a.readJournal()
	out := map[cid.ID]bool{}
	for key, who := range s.Kind(kindAddition) {
		if id, bad := cid.ParseAs(cid.JSON, key); bad == nil && who == by.key() {
			out[id] = true
		}
	}
	return out, err
}

// NoteRequest notes that a program waits for a signature; without a time the note is taken away. The time of the note
// that is there stays.
func (a *Repository) NoteRequest(r SnapshotRequest) error {
	s, err := a.readJournal()
	if err != nil {
		return err
	}
	entry := journal.Entry{Kind: kindRequest, Key: r.key()}
	if r.Time != "" {
		var before SnapshotRequest
		if json.Unmarshal([]byte(s.Value(kindRequest, entry.Key)), &before) == nil && before.Time != "" {
			r.Time = before.Time
		}
		data, err := json.Marshal(r)
		if err != nil {
			return problem.Wrap(err, JournalFile)
		}
		entry.Value = string(data)
	} else if s.Value(kindRequest, entry.Key) == "" {
		return nil
	}
	return a.remember(entry)
}

// Requests returns the requests that were noted, those too that a person has granted by signing since.
func (a *Repository) Requests() ([]SnapshotRequest, error) {
	s, err := a.readJournal()
	var out []SnapshotRequest
	for _, value := range s.Kind(kindRequest) {
		var one SnapshotRequest
		if json.Unmarshal([]byte(value), &one) == nil {
			out = append(out, one)
		}
	}
	return out, err
}
