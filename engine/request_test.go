package engine_test

import (
	"errors"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/cid"
	"muniment/engine"
	"muniment/history"
	"muniment/objects/disk"
	"muniment/sign"
	"muniment/snapshot/layout"
)

// agent returns the engine of a program, which added the text as a source.
func agent(t *testing.T, a *archive.Archive, name, text string) *engine.Engine {
	t.Helper()
	e, err := engine.New(a, engine.Caller{Role: engine.RoleAgent, Session: "s", Agent: name, Account: "token " + name})
	if err != nil {
		t.Fatal(err)
	}
	if text != "" {
		if _, err := e.Sources().AddCustom(t.Context(), engine.CustomSourceOptions{Name: "by " + name, Content: text}); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// request asks for a snapshot and requires its state.
func request(t *testing.T, e *engine.Engine, s sign.Signer, want string) *engine.SnapshotOutcome {
	t.Helper()
	r, err := e.RequestSnapshot(s)
	if err != nil || r.State != want {
		t.Fatalf("%+v, %v; want %s", r, err, want)
	}
	return r
}

// signedHas reports whether the newest snapshot has a payload.
func signedHas(t *testing.T, a *archive.Archive, text string) bool {
	t.Helper()
	head, _, err := a.Head()
	if err != nil {
		t.Fatal(err)
	}
	_, has, err := a.Store().Lookup(head.Tree, layout.ArtifactPath(cid.Of([]byte(text))))
	if err != nil {
		t.Fatal(err)
	}
	return has
}

// A request signs what its caller added and nothing else, and the rest stays staged.
func TestRequestSnapshot(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	one, two := agent(t, a, "one", "One turns the wheel.\n"), agent(t, a, "two", "Two turns the mill.\n")
	r, err := one.Cite(t.Context(), engine.CiteOptions{Artifact: cid.Of([]byte("One turns the wheel.\n")).String(), Quote: "One turns the wheel.", Claim: "One turns the wheel."})
	if err != nil || r.Binding != "unbound" {
		t.Fatalf("%+v, %v", r, err)
	}
	request(t, one, nil, "waits")
	st, err := engine.Status(a)
	if err != nil || len(st.Requests) != 1 || st.Requests[0].Agent != "one" || st.Requests[0].Papers != 1 {
		t.Fatalf("%+v, %v", st.Requests, err)
	}
	if c, err := one.Citations().Get("1"); err != nil || c.Waits != "a signature" {
		t.Errorf("%+v, %v", c, err)
	}
	if got := request(t, one, s, "signed"); got.Papers != 1 || got.Waiting != 0 || got.Seq != 2 {
		t.Errorf("%+v", got)
	}
	if !signedHas(t, a, "One turns the wheel.\n") || signedHas(t, a, "Two turns the mill.\n") {
		t.Error("one's paper is signed, and two's is not")
	}
	if c, err := one.Citations().Get("1"); err != nil || c.Binding != "bound" || c.Waits != "" {
		t.Errorf("%+v, %v", c, err)
	}
	st, err = engine.Status(a)
	if err != nil || len(st.Requests) != 0 || st.Counts["added"] != 1 || st.Counts["removed"] != 0 {
		t.Fatalf("%+v, %v", st, err)
	}
	request(t, two, s, "signed")
	if got := request(t, one, s, "signed"); got.Citations != 1 { // now bound, it is sealed
		t.Errorf("%+v", got)
	}
	if st, err = engine.Status(a); err != nil || !st.Clean {
		t.Errorf("%+v, %v", st, err)
	}
	request(t, two, s, "nothing_to_sign")
}

// What a request may not have signed waits, and nothing moves.
func TestRequestWaits(t *testing.T) {
	other, _ := archivetest.NewSigner(t)
	const text = "The same words.\n"
	for name, prepare := range map[string]func(*testing.T, *archive.Archive) sign.Signer{
		"two agents with one text":   func(t *testing.T, a *archive.Archive) sign.Signer { agent(t, a, "two", text); return nil },
		"a registered one of others": func(t *testing.T, a *archive.Archive) sign.Signer { return nil },
		"a policy of the agent": func(t *testing.T, a *archive.Archive) sign.Signer {
			stage(t, a, layout.PathProfiles+"mine.json", "{}")
			return nil
		},
		"trust": func(t *testing.T, a *archive.Archive) sign.Signer {
			stage(t, a, layout.PathAllowedSigners, history.TrustLine(other.Key(), "x"))
			return nil
		},
		"a staged consent": func(t *testing.T, a *archive.Archive) sign.Signer {
			if _, err := history.Consent(a, history.ConsentOptions{Artifacts: []string{"1931-04-02.txt"}, Preset: "closed", Reason: "family"}); err != nil {
				t.Fatal(err)
			}
			return nil
		},
		"a key that may not sign": func(t *testing.T, a *archive.Archive) sign.Signer { return other },
		"a key that does not":     func(t *testing.T, a *archive.Archive) sign.Signer { return brokenSigner{} },
	} {
		t.Run(name, func(t *testing.T) {
			a, s := archivetest.New(t, archivetest.Papers)
			archivetest.Seal(t, a, s)
			e := agent(t, a, "one", text)
			if name == "a registered one of others" { // a row of the ledger is no addition
				e = agent(t, a, "two", "")
				if _, err := e.Sources().AddArtifact(cid.Of([]byte(text)).String(), engine.SourceOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			signer := prepare(t, a)
			if signer == nil {
				signer = s
			}
			if b, ok := signer.(brokenSigner); ok {
				b.Signer = s
				signer = b
			}
			want := "waits"
			if name == "a registered one of others" {
				want = "nothing_to_sign"
			}
			before, err := a.NewestTree()
			if err != nil {
				t.Fatal(err)
			}
			request(t, e, signer, want)
			after, err := a.NewestTree()
			head, _, headErr := a.Head()
			if err != nil || headErr != nil || after != before || head.Seq != 1 {
				t.Errorf("%v, %v: something moved", err, headErr)
			}
		})
	}
}

// A locked paper is never signed by a request, neither its stub nor the record for it, nor what lies on the same paper.
func TestRequestLocked(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	one := agent(t, a, "one", "One turns the wheel.\n")
	const stub = "locked/3f/9a/00.json"
	record := layout.RecordPath(cid.Of([]byte("One turns the wheel.\n")), cid.OfJSON([]byte("{}")))
	stage(t, a, stub, `{"type":"muniment/stub/v1"}`)
	stage(t, a, record, `{"type":"muniment/record/v3"}`)
	request(t, one, s, "waits")
	if err := a.Edit(map[string][]byte{record: nil}); err != nil {
		t.Fatal(err)
	}
	request(t, one, s, "signed")
	head, _, err := a.Head()
	if err != nil {
		t.Fatal(err)
	}
	_, signed, err := a.Store().Lookup(head.Tree, stub)
	st, stErr := engine.Status(a)
	if err != nil || stErr != nil || signed || len(st.Changes) != 1 || st.Changes[0].Path != stub {
		t.Errorf("signed %v, staged %+v: %v, %v", signed, st.Changes, err, stErr)
	}
}

// What one program adds is not signed for another of its name, and the note that it waits ends when a person signs.
func TestRequestOfNamesake(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	one := agent(t, a, "one", "One turns the wheel.\n")
	other, err := engine.New(a, engine.Caller{Role: engine.RoleAgent, Session: "s", Agent: "one", Account: "agent one"})
	if err != nil {
		t.Fatal(err)
	}
	if request(t, other, s, "nothing_to_sign"); signedHas(t, a, "One turns the wheel.\n") {
		t.Error("another program has it signed")
	}
	request(t, one, nil, "waits")
	archivetest.Seal(t, a, s)
	if all, err := a.Requests(); err != nil || len(all) > 0 || !signedHas(t, a, "One turns the wheel.\n") {
		t.Errorf("after a person signed: %+v, %v", all, err)
	}
}

func stage(t *testing.T, a *archive.Archive, path, text string) {
	t.Helper()
	if err := a.Edit(map[string][]byte{path: []byte(text)}); err != nil {
		t.Fatal(err)
	}
}

type brokenSigner struct{ sign.Signer }

func (brokenSigner) SignSSH([]byte) ([]byte, error) { return nil, errors.New("locked") }

// A process that ends between the signature and either ref leaves what was staged as it was.
func TestRequestCutShort(t *testing.T) {
	for cut := 1; cut <= 2; cut++ {
		a, s := archivetest.New(t, archivetest.Papers)
		archivetest.Seal(t, a, s)
		agent(t, a, "one", "One turns the wheel.\n")
		agent(t, a, "two", "Two turns the mill.\n")
		before, err := a.NewestTree()
		if err != nil {
			t.Fatal(err)
		}
		w, renames := a.World(), 0
		w.Disk = disk.Hooks{Before: func(op, path string) error {
			if name := strings.TrimSuffix(path, ".lock"); op == "rename" && (strings.HasSuffix(name, archive.RefStaged) || strings.HasSuffix(name, archive.RefMain)) {
				if renames++; renames >= cut {
					return errors.New("the process ended")
				}
			}
			return nil
		}}
		broken, err := archive.Open(a.Dir(), w)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := agent(t, broken, "one", "").RequestSnapshot(s); err == nil {
			t.Fatalf("cut %d: %+v", cut, r)
		}
		broken.Close()
		again, err := archive.Open(a.Dir(), a.World())
		if err != nil {
			t.Fatal(err)
		}
		if tree, err := again.NewestTree(); err != nil || tree != before {
			t.Errorf("cut %d: %s, want %s: %v", cut, tree, before, err)
		}
		request(t, agent(t, again, "one", ""), s, "signed")
		if st, err := engine.Status(again); err != nil || st.Counts["added"] != 1 || st.Counts["removed"] != 0 {
			t.Errorf("cut %d: %+v, %v", cut, st, err)
		}
		again.Close()
	}
}
