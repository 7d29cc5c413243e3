package audit

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/bundle"
	"muniment/custody"
	"muniment/history"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
)

// signedRoot adds a key of an organisation in every role to a root that r
// begins, and signs it.
func signedRoot(t *testing.T, r *trust.Root, org string, k sign.Signer, by ...sign.Signer) (*trust.Root, trust.Signed) {
	t.Helper()
	r, err := r.With(func(r *trust.Root) {
		for _, role := range trust.Roles {
			key := trust.Key{Role: role, Org: org, Key: k.Key(), From: trust.Seq(1)}
			if role == trust.Answer || role == trust.Log || role == trust.Witness {
				key.From = trust.Place{}
			}
			r.Keys = append(r.Keys, key)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	s := trust.Signed{Text: r.Encode()}
	for _, one := range by {
		armored, err := sign.Sign(one, trust.Namespace, s.Text)
		if err != nil {
			t.Fatal(err)
		}
		s.Signatures = append(s.Signatures, armored)
	}
	return r, s
}

// rootFiles returns the files of a root in force and of its signed version.
func rootFiles(version string, s trust.Signed, k sign.Signer) map[string][]byte {
	return map[string][]byte{archive.PathTrustRoot: s.Text, "trust/" + version + "/root.txt": s.Text,
		"trust/" + version + "/" + k.Key().ID() + archive.ExtSignature: s.Signatures[0]}
}

// A snapshot may not drop the trust root, go back to an older version, put
// another in its place or add one that the policy keys before have not signed.
// Each of these is found in a snapshot that somebody with a snapshot key signed,
// by verify and by whoever fetches it, also when a later one undoes it.
func TestRootSteps(t *testing.T) {
	attacks := []struct {
		name, says string
		files      func(v1, v2 trust.Signed, k, thief sign.Signer, a *archive.Archive) map[string][]byte
	}{
		{"dropped", "drops version 2", func(v1, v2 trust.Signed, k, _ sign.Signer, _ *archive.Archive) map[string][]byte {
			return map[string][]byte{archive.PathTrustRoot: nil, "trust/1": nil, "trust/2": nil}
		}},
		{"file gone", "is gone, and its versions are there", func(v1, v2 trust.Signed, k, _ sign.Signer, _ *archive.Archive) map[string][]byte {
			return map[string][]byte{archive.PathTrustRoot: nil}
		}},
		{"back", "goes back from version 2", func(v1, v2 trust.Signed, k, _ sign.Signer, _ *archive.Archive) map[string][]byte {
			return map[string][]byte{archive.PathTrustRoot: v1.Text, "trust/2": nil}
		}},
		{"older in force", "is version 1, the newest that is signed is 2", func(v1, v2 trust.Signed, k, _ sign.Signer, _ *archive.Archive) map[string][]byte {
			return map[string][]byte{archive.PathTrustRoot: v1.Text}
		}},
		{"history of versions trimmed", "1 versions of the root, the newest is 2", func(v1, v2 trust.Signed, k, _ sign.Signer, _ *archive.Archive) map[string][]byte {
			return map[string][]byte{"trust/1": nil}
		}},
		{"signatures stripped", "too few policy keys", func(v1, v2 trust.Signed, k, _ sign.Signer, _ *archive.Archive) map[string][]byte {
			return map[string][]byte{"trust/2/" + k.Key().ID() + archive.ExtSignature: nil}
		}},
		{"another root", "another version 2", func(v1, v2 trust.Signed, k, thief sign.Signer, a *archive.Archive) map[string][]byte {
			r1, o1 := signedRoot(t, trust.First(a.ID()), "thief", thief, thief)
			_, o2 := signedRoot(t, r1.Next(), "other", k, thief)
			files := rootFiles("1", o1, thief)
			for name, data := range rootFiles("2", o2, thief) {
				files[name] = data
			}
			files["trust/1/"+k.Key().ID()+archive.ExtSignature], files["trust/2/"+k.Key().ID()+archive.ExtSignature] = nil, nil
			return files
		}},
		{"version 3 of a stranger", "too few policy keys", func(v1, v2 trust.Signed, k, thief sign.Signer, a *archive.Archive) map[string][]byte {
			r2, err := trust.Parse(v2.Text)
			if err != nil {
				t.Fatal(err)
			}
			_, s := signedRoot(t, r2.Next(), "thief", thief, thief)
			return rootFiles("3", s, thief)
		}},
	}
	quick := custody.Transfer{Stall: 20 * time.Second}
	for _, c := range attacks {
		t.Run(c.name, func(t *testing.T) {
			a, k := archivetest.New(t, map[string]string{"letter-1.txt": "Letter 1 of the mill.\n"})
			r1, v1 := signedRoot(t, trust.First(a.ID()), "vale", k, k)
			if _, err := a.PutRootInForce(v1); err != nil {
				t.Fatal(err)
			}
			archivetest.Seal(t, a, k)
			other := archivetest.NewKey(t)
			_, v2 := signedRoot(t, r1.Next(), "museum", other, k)
			if _, err := a.PutRootInForce(v2); err != nil {
				t.Fatal(err)
			}
			archivetest.Seal(t, a, k)
			if v, err := Verify(a, ArchiveVerifyOptions{Root: r1}); err != nil || v.Verdict != bundle.Valid {
				t.Fatalf("before: %+v %v", v, err)
			}
			remote := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
			if _, err := custody.AddRemote(a, "host", remote); err != nil {
				t.Fatal(err)
			}
			if _, err := custody.Push(t.Context(), a, "host", quick); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "copy")
			if _, err := custody.Clone(t.Context(), remote, dir, custody.CloneOptions{Transfer: quick, Trust: archive.Trust{Root: r1}}, a.World()); err != nil {
				t.Fatal(err)
			}
			held, err := archive.Open(dir, a.World())
			if err != nil {
				t.Fatal(err)
			}
			defer held.Close()
			before := archivetest.HashFiles(t, held)
			tree := mustTree(t, a)
			if err := a.Edit(c.files(v1, v2, k, archivetest.NewKey(t), a)); err != nil {
				t.Fatal(err)
			}
			if _, err := history.SignStaged(a, history.SnapshotOptions{Text: "bad", Signer: k, AwaitCountersign: true}, nil); err != nil {
				t.Fatal(err)
			}
			bad := c.says
			failing := func(what string) {
				for _, o := range []ArchiveVerifyOptions{{}, {Root: r1}} {
					v, err := Verify(a, o)
					if err != nil {
						t.Fatal(err)
					}
					if axis := axisOf(v, "trust root"); v.Verdict != bundle.Invalid || axis.Result != bundle.Fail || !strings.Contains(axis.Reason, bad) || !strings.Contains(axis.Reason, "snapshot 3") {
						t.Errorf("%s: %s %+v, want %q of snapshot 3", what, v.Verdict, axis, bad)
					}
				}
			}
			failing("newest")
			if _, err := custody.Push(t.Context(), a, "host", quick); err != nil {
				t.Fatal(err)
			}
			if _, err := custody.Fetch(t.Context(), held, "origin", custody.FetchOptions{Transfer: quick}); err == nil || !strings.Contains(err.Error(), bad) || archivetest.HashFiles(t, held) != before {
				t.Errorf("fetch: %v, want %q and nothing changed", err, bad)
			}
			// A later snapshot puts everything back as it was.
			restore(t, a, tree, k)
			failing("undone")
		})
	}
}

// restore signs a snapshot whose folder trust is that of an older tree.
func restore(t *testing.T, a *archive.Archive, tree objects.Hash, k sign.Signer) {
	t.Helper()
	files := map[string][]byte{}
	if err := a.Store().Walk(mustTree(t, a), archive.DirTrust, func(name string, _ objects.Hash) error {
		files[name] = nil
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := a.Store().Walk(tree, archive.DirTrust, func(name string, h objects.Hash) error {
		_, data, err := a.Store().Get(h)
		files[name] = data
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := a.Edit(files); err != nil {
		t.Fatal(err)
	}
	if _, err := history.SignStaged(a, history.SnapshotOptions{Text: "as it was", Signer: k, AwaitCountersign: true}, nil); err != nil {
		t.Fatal(err)
	}
}

func axisOf(v *ArchiveVerdict, name string) bundle.Axis {
	for _, x := range v.Axes {
		if x.Name == name {
			return x
		}
	}
	return bundle.Axis{}
}
