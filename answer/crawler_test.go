package answer_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"muniment/accession"
	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/internal/casecount"
	"muniment/sign"
)

// diary is an archive of the diary whose clock a test moves.
type diary struct {
	*archive.Archive
	signer  sign.Signer
	allowed *sign.AllowedSigners // trusts the signer
	now     time.Time
	size    int // code points of its texts
	days    []string
	text    string // all of them, one after the other
	out     string // where bundles go
	asked   int
}

// openDiary signs an archive of the whole diary.
func openDiary(t *testing.T) *diary {
	t.Helper()
	source := diaryFolder(t)
	d := &diary{now: time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC), out: t.TempDir()}
	d.signer, d.allowed = archivetest.NewSigner(t)
	w := archivetest.World()
	w.Now = func() time.Time { return d.now }
	a, err := archive.Init(filepath.Join(t.TempDir(), "pepys"), archive.InitOptions{Subject: "Samuel Pepys", Aliases: []string{"Pepys", "Samuel"}}, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	years, err := filepath.Glob(filepath.Join(source, "1*"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	added, err := accession.Add(ctx, a, years, accession.AddOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const entries = 3413
	if added.Added != entries || len(added.Skipped) != 0 {
		t.Fatalf("added %d, skipped %d; want %d and 0", added.Added, len(added.Skipped), entries)
	}
	again, err := accession.Add(ctx, a, years, accession.AddOptions{})
	if err != nil || again.Added != 0 || again.Unchanged != entries {
		t.Fatalf("second add: %d added, %d unchanged, %v", again.Added, again.Unchanged, err)
	}
	snap, err := engine.Snapshot(a, history.SnapshotOptions{Text: "the diary", Signer: d.signer})
	if err != nil {
		t.Fatal(err)
	}
	if snap.Artifacts != entries || snap.Seq != 1 {
		t.Fatalf("snapshot %d of %d artifacts", snap.Seq, snap.Artifacts)
	}
	files, err := filepath.Glob(filepath.Join(source, "1*", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		d.size += utf8.RuneCount(data)
		text.Write(data)
		d.days = append(d.days, strings.TrimSuffix(filepath.Base(f), ".txt"))
	}
	d.Archive, d.text = a, text.String()
	return d
}

// ask puts a question in somebody's name; with auditor, as one who is not
// metered.
func (d *diary) ask(t *testing.T, who, question string, auditor bool) *answer.Result {
	t.Helper()
	d.asked++
	r, err := answer.Ask(context.Background(), d.Archive, question, answer.AskOptions{Signer: d.signer, Requestor: who, Auditor: auditor,
		BundleFile: filepath.Join(d.out, fmt.Sprint(d.asked, ".zip"))})
	if err != nil {
		t.Fatalf("%q: %v", question, err)
	}
	return r
}

// spelled writes a date as a question does.
func spelled(day string) string {
	at, err := time.Parse("2006-01-02", day[:10])
	if err != nil {
		return day
	}
	return at.Format("2 January 2006")
}

var capital = regexp.MustCompile(`\p{Lu}\p{Ll}{3,}`)

// A crawler reads an archive out: it asks for day after day, after every name
// that it was shown, on the days around it, and for more of every citation.
type crawler struct {
	name  string
	days  []string
	at    int
	names []string
	known map[string]bool
	seen  map[string]bool // excerpts, with what stands between gaps apart
}

// next is a question made of what was seen.
func (c *crawler) next(i int) string {
	day := spelled(c.days[c.at%len(c.days)])
	if i%3 == 0 || len(c.names) == 0 {
		c.at++
		return "What happened on " + day + "?"
	}
	name := c.names[len(c.names)-1-i%min(len(c.names), 20)]
	if i%3 == 1 {
		return "What did he say of " + name + " on " + day + "?"
	}
	return "When did he see " + name + " and " + c.names[(i*7)%len(c.names)] + "?"
}

// learn keeps what an answer shows.
func (c *crawler) learn(r *answer.Result) {
	for _, claim := range r.Claims {
		for _, e := range claim.Citations {
			for piece := range strings.SplitSeq(e.Quote, "[…]") {
				if piece = strings.TrimSpace(piece); piece != "" {
					c.seen[piece] = true
				}
			}
			for _, n := range capital.FindAllString(e.Quote, -1) {
				if !c.known[n] {
					c.known[n] = true
					c.names = append(c.names, n)
				}
			}
		}
	}
}

// crawl lets a crawler ask so many questions in a day, spread over it, and ask
// for more after each answer.
func (d *diary) crawl(t *testing.T, c *crawler, questions int) {
	for i := range questions {
		d.now = d.now.Add(10 * time.Minute)
		r := d.ask(t, c.name, c.next(i), false)
		c.learn(r)
		for _, claim := range r.Claims {
			for _, e := range claim.Citations {
				d.asked++
				more, err := answer.More(context.Background(), d.Archive, e.Handle, r.Bundle, answer.AskOptions{Signer: d.signer, Requestor: c.name,
					BundleFile: filepath.Join(d.out, fmt.Sprint(d.asked, ".zip"))})
				if err != nil {
					t.Fatal(err)
				}
				c.learn(more)
			}
		}
	}
}

// shown is how many code points of the diary the crawlers saw together: the
// union of the places of what they were shown.
func (d *diary) shown(t *testing.T, crawlers ...*crawler) int {
	t.Helper()
	seen := make([]bool, len(d.text))
	for _, c := range crawlers {
		for piece := range c.seen {
			at := strings.Index(d.text, piece)
			if at < 0 {
				t.Errorf("shown, and not in the diary: %q", piece)
			}
			for i := range len(piece) {
				seen[at+i] = true
			}
		}
	}
	n := 0
	for i := range d.text {
		if seen[i] {
			n++
		}
	}
	return n
}

// The default budgets: a crawler sees a small share of the diary, five that
// work together no more than five times that, and whoever asks 50 ordinary
// questions a day does not notice.
func (d *diary) testCrawlers(t *testing.T) {
	days, perDay, colluding := 1, 90, 1
	if casecount.Long() { // ten days, as internal/bench/crawler.sh crawls
		days, perDay, colluding = 10, 100, 5
	}
	crawlers := make([]*crawler, colluding)
	for i := range crawlers {
		// They share the days between them.
		c := &crawler{name: fmt.Sprintf("crawler %d", i+1), known: map[string]bool{}, seen: map[string]bool{}}
		for j, day := range d.days {
			if j%colluding == i {
				c.days = append(c.days, day)
			}
		}
		crawlers[i] = c
	}
	begin := d.now
	partial := 0
	for day := range days {
		for _, c := range crawlers {
			d.now = begin.AddDate(0, 0, day)
			d.crawl(t, c, perDay)
		}
		d.now = begin.AddDate(0, 0, day)
		partial += d.ordinary(t, day)
	}
	percent := func(n int) float64 { return 100 * float64(n) / float64(d.size) }
	alone, together := 0, d.shown(t, crawlers...)
	for _, c := range crawlers {
		alone = max(alone, d.shown(t, c))
	}
	t.Logf("the diary has %d code points; in %d days of %d questions one crawler saw %d (%.2f %%), %d together %d (%.2f %%)",
		d.size, days, perDay, alone, percent(alone), colluding, together, percent(together))
	if alone == 0 || percent(alone) > 0.4*float64(days) || percent(together) > float64(colluding)*0.4*float64(days) {
		t.Errorf("the crawlers saw too much, or nothing")
	}
	if partial > days*ordinaryADay*3/20 { // a day told in three long sentences, or the nearest passages, takes more than is left
		t.Errorf("%d of %d ordinary questions were not answered in full", partial, days*ordinaryADay)
	}
	info, err := answer.Budget(d.Archive, answer.BudgetOptions{All: true})
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]int{}
	for _, r := range info.Risks {
		rules[r.Rule]++
	}
	t.Logf("withheld: %v", rules)
	if rules["daily"] == 0 {
		t.Error("nothing was logged as a risk")
	}
}

const ordinaryADay = 50

// ordinaryTopics are what somebody asks who reads about the time.
var ordinaryTopics = []string{
	"Who called them up about three in the morning on 2 September 1666?", "When did he drink a cup of tee?", "When did he see Romeo and Juliet?",
	"What did he see in Drury Lane in June 1665?", "Which houses were marked with a red cross?", "Who brought the great baboon from Guinea?",
	"Where did he eat lobsters and prawns?", "When was the silver watch left at his house?", "Who was hanged on 13 October 1660?",
	"What did the pigeons do during the fire on 2 September 1666?", "Who had a parrot upon his shoulder?", "When did he drink chocolate to settle his stomach?",
	"How much did he give Mr. Reeve for a microscope?", "How many died of the plague in the week of 7 September 1665?", "When was the cat killed with the Duke of Florence's poison?",
	"What did he pay for the History of the Turkish Policy?", "Who stole his lobsters?", "What did he hear of the Dutch at Chatham in June 1667?",
	"When did his brother Tom die?", "When did he see Macbeth?",
}

// ordinary asks the questions of one day in the name of a reader, after asking
// them as an auditor, who is not metered, and counts those whose answers differ.
func (d *diary) ordinary(t *testing.T, day int) int {
	questions := slices.Clone(ordinaryTopics)
	for i := len(questions); i < ordinaryADay; i++ {
		on := spelled(d.days[(day*ordinaryADay+i)*61%len(d.days)])
		questions = append(questions, []string{"Where did he dine on %s?", "What happened on %s?", "Whom did he meet on %s?"}[i%3])
		questions[i] = fmt.Sprintf(questions[i], on)
	}
	words := func(r *answer.Result) string {
		text := r.Outcome
		for _, c := range r.Claims {
			text += "\n" + c.Text
		}
		return text
	}
	differ, answered, spent := 0, 0, 0
	for _, q := range questions {
		d.now = d.now.Add(7 * time.Minute)
		full := d.ask(t, "reader", q, true)
		r := d.ask(t, "reader", q, false)
		if words(full) != words(r) {
			t.Logf("%s: %s\ninstead of %s", q, words(r), words(full))
			differ++
		}
		if r.Outcome != "refused" {
			answered++
		}
		spent = r.Budget.Spent
	}
	t.Logf("%d ordinary questions: %d with an answer, %d code points of the day's budget", len(questions), answered, spent)
	if answered < len(questions)/4 {
		t.Errorf("only %d of %d ordinary questions have an answer", answered, len(questions))
	}
	return differ
}
