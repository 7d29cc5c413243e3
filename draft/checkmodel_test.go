package draft_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/draft"
	"muniment/draft/contract"
	"muniment/engine"
	"muniment/text/segment"
)

// aModel answers every request with what say makes of the user's message.
func aModel(t *testing.T, say func(asked string, w http.ResponseWriter) (reply string)) *archive.Judge {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Messages []struct{ Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Messages) != 2 {
			t.Errorf("request: %v", err)
			return
		}
		if reply := say(in.Messages[1].Content, w); reply != "" {
			json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": reply}, "finish_reason": "stop"}}})
		}
	}))
	t.Cleanup(s.Close)
	return &archive.Judge{URL: s.URL, Timeout: 500 * time.Millisecond, Backoff: time.Millisecond}
}

// draftReply is a reply in the form that is asked for.
func draftReply(text string) string {
	sentences := []map[string]any{}
	for _, r := range segment.Sentences(text, "en") {
		sentences = append(sentences, map[string]any{"text": text[r.Start:r.End], "quotes": []any{}})
	}
	out, err := json.Marshal(map[string]any{"draft": text, "sentences": sentences})
	if err != nil {
		panic(err) // text always marshals
	}
	return string(out)
}

const gapped = "The mill wheel turned. [1]\n\nOld Hewer paid for the dam.\n"

// TestNothingThatAModelInventsIsDelivered asks models to repair a draft that
// invent citations, change words, answer in other forms or not at all.
func TestNothingThatAModelInventsIsDelivered(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{"mill.txt": "The mill wheel turned.\n", "dam.txt": "Hewer paid for the old dam in 1931.\n", "town.txt": "The town paid for the repairs.\n"})
	archivetest.Seal(t, a, s)
	for _, c := range [][2]string{{"mill.txt", "The mill wheel turned."}, {"dam.txt", "Hewer paid for the old dam in 1931."}, {"town.txt", "The town paid for the repairs."}} {
		if _, err := engine.Cite(a, engine.CiteOptions{Artifact: c[0], Quote: c[1], Claim: c[1]}); err != nil {
			t.Fatal(err)
		}
	}
	const text, dam = gapped, "2"
	cases := map[string]func(string, http.ResponseWriter) string{
		"invented citation": func(string, http.ResponseWriter) string {
			return draftReply(strings.Replace(text, "dam.\n", "dam. [77]\n", 1))
		},
		"changed words": func(string, http.ResponseWriter) string {
			return draftReply(strings.Replace(text, "Old Hewer paid for the dam.", "Hewer paid for the old dam in 1932. ["+dam+"]", 1))
		},
		"changed what stood": func(string, http.ResponseWriter) string {
			return draftReply(strings.Replace(text, "turned", "burned", 1))
		},
		"a new claim": func(string, http.ResponseWriter) string {
			return draftReply(text + "\nThe miller drowned. [" + dam + "]\n")
		},
		"evidence that does not hold": func(asked string, _ http.ResponseWriter) string {
			if strings.Contains(asked, `"passage"`) {
				return `{"entailed":"no","reason":"it says something else"}`
			}
			return draftReply(strings.Replace(text, "dam.\n", "dam. ["+dam+"]\n", 1))
		},
		"a yes that takes itself back": func(asked string, _ http.ResponseWriter) string {
			if strings.Contains(asked, `"passage"`) {
				return `{"entailed":"yes","reason":"the passage does not support it"}`
			}
			return draftReply(strings.Replace(text, "dam.\n", "dam. ["+dam+"]\n", 1))
		},
		"prose":          func(string, http.ResponseWriter) string { return "Here is the draft: " + text },
		"two members":    func(string, http.ResponseWriter) string { return `{"draft":"x","draft":"y"}` },
		"another member": func(string, http.ResponseWriter) string { return `{"text":"x"}` },
		"an error":       func(_ string, w http.ResponseWriter) string { w.WriteHeader(500); return "" },
		"no answer":      func(string, http.ResponseWriter) string { time.Sleep(700 * time.Millisecond); return "" },
	}
	ran := 0
	for name, say := range cases {
		a = archivetest.ReopenWithJudge(t, a, aModel(t, say))
		e := engineOf(t, a)
		r, err := draft.Check(context.Background(), e, text, draft.CheckOptions{Profile: "analyst-note"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, words := range []string{"Hewer", "77", "burned", "drowned"} {
			text := strings.ReplaceAll(r.Text, "Old Hewer paid for the dam. "+contract.Flag, "") // as it was drafted, and flagged
			if strings.Contains(text, words) {
				t.Errorf("%s: %q is delivered:\n%s", name, words, r.Text)
			}
		}
		if r.Decision != "flagged" || r.CoverageAfter != .5 || r.Synthesis == 0 {
			t.Errorf("%s: %s, coverage %v, passes %+v", name, r.Decision, r.CoverageAfter, r.Passes)
		}
		ran++
	}
	if ran != 11 {
		t.Errorf("%d cases", ran)
	}

	// What it finds that is right is taken: other words, which another judgement
	// of the model confirms, with no number, name or negation changed.
	const reworded = "The mill wheel turned. [1]\n\nThe town bore the cost of the repairs.\n"
	a = archivetest.ReopenWithJudge(t, a, aModel(t, func(asked string, _ http.ResponseWriter) string {
		if strings.Contains(asked, `"passage"`) {
			return `{"entailed":"yes","reason":"it says who paid"}`
		}
		return draftReply(strings.Replace(reworded, "repairs.\n", "repairs. [3]\n", 1))
	}))
	e := engineOf(t, a)
	r, err := draft.Check(context.Background(), e, reworded, draft.CheckOptions{Profile: "analyst-note"})
	if err != nil || r.Decision != "deliver" || r.CoverageGain != .5 || len(r.Passes) != 2 || !r.Passes[1].Accepted {
		t.Errorf("a good repair: %+v, %v", r, err)
	}
	if r, err = draft.Check(context.Background(), e, reworded, draft.CheckOptions{Profile: "analyst-note", NoRepair: true}); err != nil || len(r.Passes) != 0 || r.CoverageGain != 0 {
		t.Errorf("without repair: %+v, %v", r, err)
	}
}

// TestModelWritesTheSecondDraft: a first draft that does not suffice is written
// again once, and the second is held to the same rules.
func TestModelWritesTheSecondDraft(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{"mill.txt": "The mill wheel turned.\n"})
	archivetest.Seal(t, a, s)
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Cite(a, engine.CiteOptions{Artifact: "mill.txt", Quote: "The mill wheel turned.", Claim: "The mill wheel turned."}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../policy/shipped/analyst-note.json")
	if err != nil {
		t.Fatal(err)
	}
	mine := strings.NewReplacer(`"analyst-note"`, `"mine"`, `"attempts": 1`, `"attempts": 2`).Replace(string(text))
	if _, err := draft.AddProfile(a, []byte(mine)); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, s)
	n := 0
	for reply, want := range map[string]string{
		"The mill wheel turned. [1]\n":               "deliver",
		"The mill wheel turned. [1]\n\nIt burned.\n": "flagged",
	} {
		a = archivetest.ReopenWithJudge(t, a, aModel(t, func(asked string, _ http.ResponseWriter) string {
			if !strings.Contains(asked, "Cite evidence that is on file") {
				return draftReply("It burned.\n") // the repair, which changes nothing
			}
			return draftReply(reply)
		}))
		e = engineOf(t, a)
		r, err := draft.Check(context.Background(), e, "It burned.\n", draft.CheckOptions{Profile: "mine"})
		if err != nil || r.Attempt != 2 || r.Decision != want || strings.Contains(r.Text, "burned.\n") {
			t.Errorf("%q: %+v, %v", reply, r, err)
		}
		n++
	}
	all, err := draft.Syntheses(e, 0, 0)
	if err != nil || n != 2 || len(all) != 4 || all[0].Decision != "retry" {
		t.Errorf("%d drafts on file, want both of each run: %+v, %v", len(all), all, err)
	}
}

// TestJudgedRepairsOfAModelAreTaken asks a model for right marks and for softenings, one draft each. Taken are those that
// the rules or a judge let follow: softening a claim that nobody lets follow does not deliver it.
func TestJudgedRepairsOfAModelAreTaken(t *testing.T) {
	files := map[string]string{"gdp.txt": "Real GDP increased at an annual rate of 2.9 percent in the fourth quarter.\n", "town.txt": "The town paid for the repairs of the mill in 1931.\n", "oil.txt": "Oil prices rose after OPEC cut its quota.\n"}
	quotes := [][2]string{{"gdp.txt", "Real GDP increased at an annual rate of 2.9 percent in the fourth quarter."}, {"town.txt", "The town paid for the repairs of the mill in 1931."}, {"oil.txt", "Oil prices rose after OPEC cut its quota."}}
	a, s := archivetest.New(t, files)
	archivetest.Seal(t, a, s)
	for _, c := range quotes {
		if _, err := engine.Cite(a, engine.CiteOptions{Artifact: c[0], Quote: c[1], Claim: c[1]}); err != nil {
			t.Fatal(err)
		}
	}
	const soft = "According to limited available reports, "
	taken, n := 0, 0
	for _, c := range []struct{ was, is, verdict string }{
		{"The town bore the cost of the repairs.", "The town bore the cost of the repairs. [2]", "yes"},
		{"The town bore the cost of the repairs.", "The town bore the cost of the repairs [2].", "yes"},
		{"Economic output grew by 2.9 percent in the fourth quarter.", "Economic output grew by 2.9 percent in the fourth quarter. [1]", "yes"},
		{"GDP growth came in at 2.9 percent.", "GDP growth came in at 2.9 percent. [1]", "yes"},
		{"OPEC's quota cut drove oil prices up.", "OPEC's quota cut drove oil prices up. [3]", "yes"},
		{"The repairs of 1931 were paid by the town.", "The repairs of 1931 were paid by the town. [2]", "yes"},
		{"The town paid for repairs.", "The town paid for repairs. [2]", ""},
		{"Oil rose after the OPEC cut.", "Oil rose after the OPEC cut. [3]", "yes"},
		{"The town could afford the repairs.", soft + "the town could afford the repairs. [2]", "unclear"},
		{"OPEC moves oil prices.", soft + "OPEC moves oil prices. [3]", "unclear"},
		{"The mill was repaired by the town.", "Some sources suggest that the mill was repaired by the town. [2]", "unclear"},
		{"GDP expanded in the fourth quarter.", "GDP expanded in the fourth quarter, though this has not been widely reported. [1]", "unclear"},
		{"Oil prices follow the OPEC quota.", "Early indications suggest that oil prices follow the OPEC quota. [3]", ""},
		{"The mill needed repairs in 1931.", soft + "the mill needed repairs in 1931. [2]", "unclear"},
	} {
		n++
		a = archivetest.ReopenWithJudge(t, a, aModel(t, func(asked string, _ http.ResponseWriter) string {
			switch {
			case strings.Contains(asked, `"passage"`) && c.verdict == "":
				return `{"verdict":"it does"}` // a reply in another form
			case strings.Contains(asked, `"passage"`):
				return `{"entailed":"` + c.verdict + `","reason":"as read"}`
			}
			return draftReply("Oil prices rose after OPEC cut its quota. [3]\n\n" + c.is)
		}))
		r, err := draft.Check(context.Background(), engineOf(t, a), "Oil prices rose after OPEC cut its quota. [3]\n\n"+c.was+"\n", draft.CheckOptions{Profile: "analyst-note"})
		if err != nil {
			t.Fatal(err)
		}
		delivered := r.Decision == "deliver" && r.CoverageAfter == 1
		named := slices.ContainsFunc(r.Findings, func(f contract.Finding) bool { return f.Fault == contract.Judged })
		switch {
		case delivered && c.verdict != "yes", delivered && named != (c.verdict == "yes"):
			t.Errorf("%q is delivered, with a judge that says %q: %+v", c.is, c.verdict, r.Findings)
		case delivered:
			taken++
		default:
			t.Logf("%q: %s %+v", c.is, r.Decision, r.Passes)
		}
	}
	if n != 14 || taken < 6 {
		t.Errorf("%d of %d repairs were taken, want 6 of 7 that somebody lets follow", taken, n)
	}
}

// engineOf returns the engine of an archive for nobody in particular.
func engineOf(t *testing.T, a *archive.Archive) *engine.Engine {
	t.Helper()
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
