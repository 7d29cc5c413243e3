package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"muniment/archive"
)

// The table of exits of the commands: whatever a command writes for others is the same,
// but for random parts and times, over two archives that differ in hidden papers alone, and
// has no word of these, at every tier. A command or an export that the table does not name
// fails the test. The exits over HTTP and the Model Context Protocol, and the pages, are those
// of TestTwins in server/pages.

// An exit is a call whose output is for others: {out} is a new file or folder, TIER follows
// as the flags of the tier.
type exit struct {
	name, call string
	unordered  bool // by hashes, which differ with the archive
}

var exits = []exit{
	{"finding aid, page", "export --finding-aid {out}.html", false},
	{"finding aid, table", "export --finding-aid {out}.csv", false},
	{"finding aid, EAD", "export --finding-aid {out}.xml", false},
	{"crate", "export --ro-crate {out}", true},
	{"storage root", "export --ocfl {out}", true},
	{"bag for others", "export --bag {out}", true},
	{"web archive", "export --warc {out}.warc", false},
	{"web archive, packed", "export --warc {out}.wacz", false},
	{"annotations", "export --annotations {out}.jsonld", false},
	{"provenance", "export --prov {out}.json", true},
	{"site", "export --site {out}", true},
	{"a question about it", "ask Who|sold|the|mill|wheel? --display {out}.zip", true},
	{"a question beside it", "ask When|was|the|mill|wheel|sold? --display {out}.zip", true},
	{"a question, as JSON", "ask Who|is|Verena|Halloway? --json", false},
	{"a question about the holdings", "ask How|many|letters|are|there|of|1944? --json", false},
	{"a draft", "bind draft.md --json", false},
	{"the words of a span of it by name", "export --finding-aid {out}.csv quillwort.txt", false},
	{"a crate of it by name", "export --ro-crate {out} quillwort.txt", false},
	{"a question about what came hidden first", "ask What|colour|was|the|wagon|of|the|miller|painted? --json", false},
	{"a question about it by date", "ask Which|letters|are|there|of|1943? --json", false},
	{"a certificate of it by name", "certify quillwort.txt --to {out}", false},
	{"the rest of a budget", "answers budget --json", false},
}

// exitTiers are those for whom the table is driven; an auditor holds the identity of the archive.
var exitTiers = []string{"public", "researcher", "family", "auditor"}

// coveredElsewhere are the commands that are exits of a server.
var coveredElsewhere = map[string]string{"serve": "TestTwins of server/pages", "mcp": "TestTwins of server/pages"}

// holders are the other commands, by the reason for which nothing is withheld from whoever
// calls them.
var holders = map[string]string{
	"works in the folder of the archive, which its holder may read in any other way": "add describe unstage reread snapshot status log show ls diff cat search index tag join consent withdraw hold fixity " +
		"source cite citations claims link why review bib draft check pack segment profile more verify import ledger refusals receipts budget upgrade persons examine",
	"a copy of the archive itself, or of what others hold": "clone remote push fetch sync repair",
	"keys, bundles that somebody has, and the program":     "key token bundle answers demo init doctor gc version man help commands completion",
}

// hiddenWords are of the hidden papers alone.
var hiddenWords = []string{"quillwort", "halloway", "zarnow", "verena"}

const (
	hiddenMail = "From: Verena Halloway <v@example.org>\r\nTo: Ben <b@example.org>\r\nDate: Fri, 5 May 1944 10:00:00 +0000\r\nMessage-ID: <q@example.org>\r\nSubject: Quillwort\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=zz\r\n\r\n--zz\r\nContent-Type: text/plain\r\n\r\nThe quillwort is enclosed.\r\n" +
		"--zz\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=halloway.txt\r\n\r\nA brochure of the mill.\n" +
		"\r\n--zz\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=zarnow.txt\r\n\r\nThe mill wheel of Zarnow.\r\n--zz--\r\n"
	wagonText  = "3 May 1943\n\nThe wagon of the miller was painted green.\n" // also in a hidden mail, which came first
	openSaid   = `[{"path":"letters/page.html","title":"The mill","url":"https://example.org/mill","fetched_at":"2020-02-02T02:02:02Z"}]`
	hiddenSaid = `[{"path":"box/quillwort.png","title":"The Quillwort Confession","creators":["Verena Halloway"],"place":"Zarnow","tags":["quillwort"],"date":"1944-05-05"},
		{"path":"box/quillwort.html","title":"Quillwort","url":"https://example.org/quillwort","fetched_at":"2020-02-02T02:02:02Z"}]`
)

// An exitTwin is one of the archives of the table.
type exitTwin struct{ dir, home string }

// call calls the program in the folder of the twin.
func (w exitTwin) call(t *testing.T, args ...string) result {
	t.Helper()
	env := map[string]string{"HOME": w.home, "MUNIMENT_HOME": filepath.Join(w.home, "keys"), "MUNIMENT_INDEX": "ask", "MUNIMENT_DIR": filepath.Join(w.dir, "a"), "MUNIMENT_AUTHOR": "Test Archivist <archivist@archive.invalid>"}
	r, err := callHere(w.dir, func(name string) string { return env[name] }, args)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// do calls the program, which must not fail.
func (w exitTwin) do(t *testing.T, args ...string) {
	t.Helper()
	if r := w.call(t, args...); r.code != 0 {
		t.Fatalf("%q: exit %d\n%s%s", args, r.code, r.stdout, r.stderr)
	}
}

// put writes files into the folder of the twin.
func (w exitTwin) put(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(w.dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
			err = os.WriteFile(file, []byte(text), 0o600)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// newExitTwin returns an archive with hidden papers in it, or without.
func newExitTwin(t *testing.T, home string, hidden bool) exitTwin {
	t.Helper()
	w := exitTwin{t.TempDir(), home}
	w.put(t, map[string]string{
		"letters/1931.txt": "14 March 1931\n\nThe mill wheel has stopped.\n", "letters/1940.txt": "2 February 1940\n\nThe mill wheel was sold on Monday.\n",
		"letters/brochure.txt": "A brochure of the mill.\n", "letters/page.html": "<html><body><p>The mill on the web.</p></body></html>\n",
		"dull.txt": "A dull paper.\n", "open.json": openSaid, "draft.md": "The mill wheel has stopped. It was sold by Anna Kern.\n",
	})
	w.do(t, "init", "a")
	w.do(t, "add", "letters", "--meta", "open.json")
	w.do(t, "add", "dull.txt")
	cited, quote := "dull.txt", "A dull paper."
	if hidden {
		w.put(t, map[string]string{"first/quillwort.eml": strings.ReplaceAll(strings.ReplaceAll(hiddenMail, "A brochure of the mill.\n", wagonText), "<q@", "<p@")})
		w.do(t, "add", "first")
		time.Sleep(1100 * time.Millisecond) // the accession of before describes a paper, by the second
	}
	w.put(t, map[string]string{"late/wagon.txt": wagonText})
	w.do(t, "add", "late")
	if hidden {
		w.put(t, map[string]string{"box/quillwort.png": "\x89PNG\r\n\x1a\n a scan", "box/quillwort.txt": "Verena Halloway sold the mill wheel of Zarnow on Monday.\n", "box/quillwort.eml": hiddenMail,
			"box/quillwort.html": "<html><body><p>The quillwort on the web.</p></body></html>\n", "hidden.json": hiddenSaid})
		w.do(t, "add", "box", "--meta", "hidden.json")
		cited, quote = "quillwort.txt", "Verena Halloway sold the mill wheel of Zarnow"
	}
	w.do(t, "cite", "--artifact", "1931.txt", "--quote", "The mill wheel has stopped.", "--claim", "The mill wheel has stopped.")
	w.do(t, "cite", "--artifact", cited, "--quote", quote, "--claim", quote)
	w.do(t, "cite", "--negative", "--artifact", cited, "--claim", "It was burned.")
	w.do(t, "link", "2", "supports", "1")
	w.do(t, "snapshot", "-m", "one")
	names := []string{"dull.txt"}
	if hidden {
		names = append(names, "box/quillwort.png", "box/quillwort.eml", "first/quillwort.eml", "box/quillwort.html")
	}
	w.do(t, append(append([]string{"consent"}, names...), "--preset", "hidden", "--reason", "asked for")...)
	w.do(t, "snapshot", "-m", "two")
	return w
}

// exitMasks are the parts of outputs that are random, times, or hashes of these.
var exitMasks = []*regexp.Regexp{
	regexp.MustCompile(`b[a-z2-7]{58,62}`), regexp.MustCompile(`(?i)[0-9a-f]{32,128}`), regexp.MustCompile(`[A-Za-z0-9+/_-]{26,}={0,2}`),
	regexp.MustCompile(`20\d\d-\d\d-\d\d([T ]\d\d:\d\d:\d\d(\.\d+)?(Z| UTC)?)?`), regexp.MustCompile(`\b20\d{12}\b`), regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`), regexp.MustCompile(`\bSource [A-Z]\b`),
	regexp.MustCompile(`(?s)<script type="application/zip;base64"[^<]*`), regexp.MustCompile(`\x00+`), regexp.MustCompile(`b[a-z2-7]{9,19}…`),
	regexp.MustCompile(`leaves/\d+|"[a-z_]+":\[[\d,]*\]|"(index|claim|gate|leaf|answer|source|record|removed|member|group|judge)":\d+`), // leaves are shuffled
	regexp.MustCompile(`(?m)"(bytes|length|offset)": ?"?\d+"?|^display \d+`),                                                            // of what is compressed, with times in it
}

// seen returns what a call wrote, by file: standard output, messages, and {out}.
func (w exitTwin) seen(t *testing.T, x exit, tier string) map[string]string {
	t.Helper()
	out := filepath.Join(w.dir, "out")
	defer os.RemoveAll(out)
	if err := os.Mkdir(out, 0o700); err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, word := range strings.Fields(x.call) {
		args = append(args, strings.ReplaceAll(strings.ReplaceAll(word, "|", " "), "{out}", "out/x"))
	}
	switch {
	case tier == "auditor" && (args[0] == "export" || args[0] == "certify"):
		args = append(args, "--tier", "family") // of which an auditor is one here: a package is for a tier
	case tier == "auditor" && args[0] == "answers":
	case tier == "auditor":
		args = append(args, "--auditor", "--requestor", "Bea", "--tier", "family")
	case args[0] == "export" || args[0] == "certify":
		args = append(args, "--tier", tier)
	default:
		args = append(args, "--tier", tier, "--requestor", "Bea")
	}
	r := w.call(t, args...)
	all := map[string]string{"": fmt.Sprint("exit ", r.code, "\n", r.stdout, r.stderr)}
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		unpack(all, strings.TrimPrefix(path, out), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// unpack notes the bytes of a file, or of the files in it.
func unpack(all map[string]string, name string, data []byte) {
	if z, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
		for _, f := range z.File {
			if r, err := f.Open(); err == nil {
				inner, _ := io.ReadAll(r)
				unpack(all, name+"!"+f.Name, inner)
			}
		}
		return
	}
	if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		data, _ = io.ReadAll(z)
	}
	all[name] = string(data)
}

// masked returns an output as one text without what is random.
func masked(all map[string]string, unordered bool) string {
	var b strings.Builder
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range all {
			if !yield(name) {
				return
			}
		}
	}) {
		fmt.Fprintln(&b, name)
		b.WriteString(all[name] + "\n")
	}
	text := b.String()
	for _, m := range exitMasks {
		text = m.ReplaceAllString(text, "#")
	}
	if unordered {
		lines := strings.Split(text, "\n")
		slices.Sort(lines)
		text = strings.Join(lines, "\n")
	}
	return text
}

// namedWords returns the hidden words in an output that were not in the call.
func namedWords(all map[string]string, call string) (found []string) {
	for name, text := range all {
		for _, word := range hiddenWords {
			if strings.Contains(strings.ToLower(name+text), word) && !strings.Contains(strings.ToLower(call), word) {
				found = append(found, word+" in "+name)
			}
		}
	}
	return found
}

func TestExits(t *testing.T) {
	home := t.TempDir()
	hidden, absent := exitTwin{}, exitTwin{}
	if r := (exitTwin{t.TempDir(), home}).call(t, "key", "new"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	hidden, absent = newExitTwin(t, home, true), newExitTwin(t, home, false)
	ran := 0
	for _, x := range exits {
		for _, tier := range exitTiers {
			ran++
			there, gone := hidden.seen(t, x, tier), absent.seen(t, x, tier)
			if found := namedWords(there, x.call); len(found) > 0 {
				t.Errorf("%s for %s names %q", x.name, tier, found)
			}
			if a, b := masked(there, x.unordered), masked(gone, x.unordered); a != b {
				at := 0
				for at < min(len(a), len(b)) && a[at] == b[at] {
					at++
				}
				t.Errorf("%s for %s differs at %d of %d and %d: with the papers\n%.300s\nwithout\n%.300s", x.name, tier, at, len(a), len(b), a[max(0, at-100):], b[max(0, at-100):])
			}
		}
	}
	if ran != len(exitTiers)*len(exits) || len(exits) < 15 {
		t.Errorf("%d exits were tried", ran)
	}
	data, err := os.ReadFile("../../server/pages/testdata/exits.txt")
	if err != nil {
		t.Fatal(err)
	}
	served := strings.Count(string(data), "\n")
	sum := served + len(exits)
	if sum < 60 {
		t.Errorf("%d exits are in the tables", sum)
	}
	t.Logf("%d exits of commands and %d of a server (TestTwins): %d at 4 tiers: public, researcher, family, auditor", len(exits), served, sum)
	// The papers are there for whoever holds the archive, so that the table looks for something.
	for _, call := range []string{"export --finding-aid out.csv --everything", "export --prov out.json --everything"} {
		hidden.do(t, strings.Fields(call)...)
		file := filepath.Join(hidden.dir, strings.Fields(call)[2])
		data, err := os.ReadFile(file)
		if err != nil || len(namedWords(map[string]string{"": string(data)}, "")) == 0 {
			t.Errorf("%s does not name what is hidden: %v", call, err)
		}
	}
}

// Every command, and every kind of export, is in the table or has a reason to be left out.
func TestExitsAreNamed(t *testing.T) {
	known := map[string]bool{}
	for _, x := range exits {
		known[strings.Fields(x.call)[0]] = true
	}
	for name := range coveredElsewhere {
		known[name] = true
	}
	for _, names := range holders {
		for _, name := range strings.Fields(names) {
			known[name] = true
		}
	}
	p := &program{world: archive.World{}, env: func(string) string { return "" }, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	n := 0
	for _, cmd := range p.root().Commands() {
		n++
		if !known[cmd.Name()] && cmd.GroupID != "" {
			t.Errorf("%s is in no table: does it write for others?", cmd.Name())
		}
		if cmd.Name() == "export" {
			exportsAreNamed(t, cmd)
		}
	}
	if n < 40 {
		t.Errorf("%d commands", n)
	}
}

// exportsAreNamed requires an exit, or a reason, for each flag of export that names a file.
func exportsAreNamed(t *testing.T, cmd *cobra.Command) {
	t.Helper()
	data, err := json.Marshal(exits)
	if err != nil {
		t.Fatal(err)
	}
	table := string(data)
	for _, x := range exits {
		table += x.call + "\n"
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name, _ := pflag.UnquoteUsage(f)
		if (name == "FILE" || name == "DIR") && f.Name != "key" && f.Name != "git-bundle" && !strings.Contains(table, "--"+f.Name+" ") {
			t.Errorf("export --%s is in no table", f.Name) // a git bundle is the archive itself
		}
	})
}
