package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"muniment/bundle/leaf"
	"slices"
	"testing"

	"muniment/cid"
	"muniment/cite"
	"muniment/sign"
)

// A forgery is a bundle that is signed and logged like a good one and has been
// changed on the way.
type forgery struct {
	f       *fixture
	answer  Answer
	env     Env
	encrypt sealFunc

	leaves    func(t testing.TB, leaves []leaf.Leaf, shown []bool) // before commitments are taken
	statement func(st *Statement)                                  // before it is signed
	text      func(text []byte) []byte                             // what is signed
	files     func(t testing.TB, files map[string][]byte)          // at the end
	namespace string                                               // of the signatures
	first     bool                                                 // leaves of the first version only
	log       func(head *sign.Checkpoint, entry *[32]byte)         // before it is logged
}

func newForgery(t testing.TB) *forgery {
	f := newFixture(t)
	return &forgery{f: f, answer: f.answer(t), env: f.env(), encrypt: openSeal, namespace: sign.NamespaceAnswer}
}

// openSeal stands in for encryption where no vector holds the sealed file: its
// hash must not change from run to run.
func openSeal(_ []string, plaintext []byte) ([]byte, error) { return plaintext, nil }

// make returns the files of the forged bundle.
func (g *forgery) make(t testing.TB) map[string][]byte {
	t.Helper()
	seal := must[*sealer](t)(newSealer(g.env.Scopes, g.encrypt))
	st := &Statement{
		ID: [16]byte{9, 8, 7}, Archive: g.env.Archive, Issued: g.env.Now, Request: g.env.RequestMAC,
		Policy: g.env.PolicyDigest, Trust: g.env.TrustDigest,
	}
	leaves, shown, err := g.answer.number(g.env.Rand, st)
	if err != nil {
		t.Fatal(err)
	}
	if g.first {
		asFirst(leaves)
	}
	if g.leaves != nil {
		g.leaves(t, leaves, shown)
	}
	files := must[map[string][]byte](t)(writeLeaves(g.answer, leaves, shown, seal, st))
	head := must[sign.Checkpoint](t)(g.env.Log.Head())
	if g.log != nil {
		g.log(&head, new([32]byte))
	}
	st.After = After{head.Origin, head.Size, head.Root}
	if g.statement != nil {
		g.statement(st)
	}
	text := must[[]byte](t)(st.Encode())
	if g.text != nil {
		text = g.text(text)
	}
	files[nameStatement] = text
	for _, s := range g.env.Signers {
		files[sigName(s.Key())] = must[[]byte](t)(sign.Sign(s, g.namespace, text))
	}
	entry := sha256.Sum256(text)
	if g.log != nil {
		g.log(new(sign.Checkpoint), &entry)
	}
	files[nameProof] = must[[]byte](t)(g.env.Log.Append(entry))
	if g.files != nil {
		g.files(t, files)
	}
	return files
}

// firstForgery is a forgery of a bundle whose leaves are all of the first version, as
// programs wrote them before there were roles and scores.
func firstForgery(t testing.TB) *forgery {
	g := newForgery(t)
	g.first = true
	return g
}

// asFirst turns leaves into those of the first version.
func asFirst(leaves []leaf.Leaf) {
	for _, l := range leaves {
		l.Head().Type = leaf.Type1
		if c, ok := l.(*leaf.Claim); ok {
			c.Role = ""
		}
	}
}

// find returns the leaves of a type with their indexes, in index order.
func find[L leaf.Leaf](leaves []leaf.Leaf) []L {
	var out []L
	for _, l := range leaves {
		if l, ok := l.(L); ok {
			out = append(out, l)
		}
	}
	return out
}

// showAlso discloses one more leaf and lists it, so that a source can be looked
// at without opening anything.
func showAlso(leaves []leaf.Leaf, shown []bool, index int) {
	d := find[*leaf.Display](leaves)[0]
	d.Shown = append(d.Shown, index)
	shown[index] = true
}

// sourceOf returns the source of claim n's first citation.
func sourceOf(leaves []leaf.Leaf, n int) *leaf.Source {
	for _, c := range find[*leaf.Claim](leaves) {
		if c.Claim == n {
			return leaves[leaves[c.Cites[0]].(*leaf.Cite).Source].(*leaf.Source)
		}
	}
	return nil
}

// withSource discloses the source of claim n after edit has changed it.
func withSource(n int, edit func(s *leaf.Source)) func(testing.TB, []leaf.Leaf, []bool) {
	return func(_ testing.TB, leaves []leaf.Leaf, shown []bool) {
		s := sourceOf(leaves, n)
		edit(s)
		showAlso(leaves, shown, s.Index)
	}
}

// A forgeryCase is a signed bundle that contradicts itself, and the axis that
// must say so; none where it is good.
type forgeryCase struct {
	name, axis string
	edit       func(g *forgery)
}

func forgeries(t testing.TB) []forgeryCase {
	return []forgeryCase{
		{"good", "", func(*forgery) {}},
		{"source-shown", "", func(g *forgery) { g.leaves = withSource(1, func(*leaf.Source) {}) }},
		{"source-of-three-units", "", func(g *forgery) { g.leaves = withSource(3, func(*leaf.Source) {}) }},
		{"source-field", "", func(g *forgery) { g.leaves = withSource(4, func(*leaf.Source) {}) }},
		{"signature-namespace", AxisSigners, func(g *forgery) { g.namespace = sign.NamespaceGit }},
		{"log-other-entry", AxisLog, func(g *forgery) {
			g.log = func(_ *sign.Checkpoint, entry *[32]byte) { entry[0] ^= 1 }
		}},
		{"log-other-epoch", AxisLog, func(g *forgery) {
			g.log = func(head *sign.Checkpoint, _ *[32]byte) {
				if head.Origin != "" {
					head.Origin = sign.AnswerOrigin(g.f.archive, g.f.answerer.Key().ID(), 2)
				}
			}
		}},
		{"log-index-before-after", AxisLog, func(g *forgery) {
			g.log = func(head *sign.Checkpoint, _ *[32]byte) { head.Size, head.Root = 5, [32]byte{1} }
		}},
		{"log-root-before", AxisConsistency, func(g *forgery) {
			must[[]byte](t)(g.f.log.Append([32]byte{1}))
			must[[]byte](t)(g.f.log.Append([32]byte{2}))
			must[[]byte](t)(g.f.log.Append([32]byte{3}))
			g.log = func(head *sign.Checkpoint, _ *[32]byte) { head.Root[0] ^= 1 }
		}},
		{"log-of-nobody-here", AxisLog, func(g *forgery) {
			g.env.Log = &memoryLog{signer: newSeedKey('x'), archive: g.f.archive}
		}},
		{"display-keeps-nothing", AxisDisplay, func(g *forgery) {
			g.leaves = func(_ testing.TB, leaves []leaf.Leaf, _ []bool) { find[*leaf.Display](leaves)[0].Keep = nil }
		}},
		{"display-lists-too-little", AxisDisplay, func(g *forgery) {
			g.leaves = func(_ testing.TB, leaves []leaf.Leaf, _ []bool) {
				d := find[*leaf.Display](leaves)[0]
				d.Shown = slices.DeleteFunc(d.Shown, func(i int) bool { return leaf.KindOf(leaves[i]) == leaf.KindChunk })
			}
		}},
		{"display-rung", AxisDisplay, func(g *forgery) {
			g.leaves = func(_ testing.TB, leaves []leaf.Leaf, _ []bool) {
				find[*leaf.Display](leaves)[0].OutcomeRung = cite.Supported
			}
		}},
		{"outcome", AxisDisplay, func(g *forgery) { g.statement = func(st *Statement) { st.Outcome = OutcomeAnswer } }},
		{"gate-rung", AxisGate, func(g *forgery) {
			g.leaves = func(_ testing.TB, leaves []leaf.Leaf, _ []bool) {
				for _, x := range find[*leaf.Gate](leaves) {
					if x.Claim == 3 {
						x.Inputs.Marker = false
					}
				}
			}
		}},
		{"claim-rung", AxisGate, func(g *forgery) {
			g.leaves = func(_ testing.TB, leaves []leaf.Leaf, _ []bool) {
				for _, x := range find[*leaf.Claim](leaves) {
					if x.Claim == 1 {
						x.Rung = cite.Narrowed
					}
				}
			}
		}},
		{"source-quote", AxisSpan, func(g *forgery) {
			g.leaves = withSource(1, func(s *leaf.Source) { s.Quote = "about nine rods from the stackyard" })
		}},
		{"source-span", AxisSpan, func(g *forgery) { g.leaves = withSource(1, func(s *leaf.Source) { s.Span = "p2:0-36" }) }},
		{"source-paragraph", AxisSpan, func(g *forgery) {
			g.leaves = withSource(1, func(s *leaf.Source) { s.Paragraphs[0].Text += " " })
		}},
		{"source-paragraph-missing", AxisSpan, func(g *forgery) {
			g.leaves = withSource(3, func(s *leaf.Source) { s.Paragraphs = s.Paragraphs[:1] })
		}},
		{"source-paragraph-ordinal", AxisSpan, func(g *forgery) {
			g.leaves = withSource(1, func(s *leaf.Source) { s.Paragraphs[0].Ordinal = 1 })
		}},
		{"source-prefix", AxisSpan, func(g *forgery) { g.leaves = withSource(1, func(s *leaf.Source) { s.Prefix = "x" }) }},
		{"source-record", AxisSpan, func(g *forgery) {
			g.leaves = withSource(1, func(s *leaf.Source) {
				s.RecordJSON = string(bytes.Replace([]byte(s.RecordJSON), []byte("1871"), []byte("1872"), 1))
			})
		}},
		{"source-proof", AxisSpan, func(g *forgery) {
			g.leaves = withSource(1, func(s *leaf.Source) { s.RecordProof.Lines[0].Index++ })
		}},
		{"source-snapshot", AxisSpan, func(g *forgery) {
			other := g.f.commit(t, g.f.archivist, [32]byte{1}, 1)
			g.leaves = withSource(1, func(s *leaf.Source) { s.Commit, s.Snapshot = string(other.Content), other.ID.String() })
		}},
		{"source-commit-altered", AxisSpan, func(g *forgery) {
			g.leaves = withSource(1, func(s *leaf.Source) {
				s.Commit = string(bytes.Replace([]byte(s.Commit), []byte("First"), []byte("Fifth"), 1))
			})
		}},
		{"source-words-elsewhere", AxisSpan, func(g *forgery) {
			g.leaves = withSource(1, func(s *leaf.Source) {
				c := must[*cite.Citation](t)(cite.ParseCitation([]byte(s.CitationJSON)))
				s.Quote = "about nine rods from the stackyard"
				sum := sha256.Sum256([]byte(s.Quote))
				c.QuoteSHA256 = hex.EncodeToString(sum[:])
				s.QuoteSHA256 = c.QuoteSHA256
				s.CitationJSON = string(must[[]byte](t)(c.Encode()))
				s.Citation = cid.OfJSON([]byte(s.CitationJSON)).String()
			})
		}},
		{"source-seq", AxisSpan, func(g *forgery) { g.leaves = withSource(1, func(s *leaf.Source) { s.Seq = 2 }) }},
		{"source-field-value", AxisSpan, func(g *forgery) {
			g.leaves = withSource(4, func(s *leaf.Source) { s.Quote = "1871-03-05" })
		}},
		{"excerpt-not-in-source", AxisSpan, func(g *forgery) {
			g.leaves = func(_ testing.TB, leaves []leaf.Leaf, shown []bool) {
				showAlso(leaves, shown, sourceOf(leaves, 1).Index)
				for _, k := range find[*leaf.Chunk](leaves) {
					if k.Text == "stackyard" {
						k.Text = "farmyard"
					}
				}
			}
		}},
		{"relation-of-source", AxisSpan, func(g *forgery) {
			g.leaves = func(_ testing.TB, leaves []leaf.Leaf, shown []bool) {
				showAlso(leaves, shown, sourceOf(leaves, 3).Index)
				for _, c := range find[*leaf.Cite](leaves) {
					if c.Claim == 3 {
						c.Relation, c.Label = cite.Paraphrase, leaf.Label(cite.Paraphrase)
					}
				}
			}
		}},
	}
}
