package pages

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/chromedp/chromedp"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/internal/casecount"
	"muniment/server"
)

// hostileStrings try to run a script, to leave their place in a page, or to look like
// something else. Each sets window.hit where it runs.
var hostileStrings = []string{
	`<script>window.hit=1</script>`,
	`"><img src=x onerror="window.hit=1">`,
	`'><svg onload='window.hit=1'>`,
	`</title><script>window.hit=1</script>`,
	`</textarea><script>window.hit=1</script>`,
	`</style><script>window.hit=1</script>`,
	`javascript:window.hit=1`,
	`{{.Links}} ${window.hit=1} <%= 1 %>`,
	"\u202e<b>txt.exe\u2066",
	`<!--<script>window.hit=1//-->`,
	`" autofocus onfocus="window.hit=1`,
	`&lt;script&gt;window.hit=1&lt;/script&gt;`,
	`<iframe srcdoc="<script>parent.hit=1</script>">`,
	`<a href="data:text/html,<script>window.hit=1</script>">x</a>`,
	`<meta http-equiv="refresh" content="0;url=javascript:window.hit=1">`,
	`<form action="https://evil.example"><button>`,
	`*/window.hit=1/*`, `\u003cscript\u003ewindow.hit=1\u003c/script\u003e`,
	"\x1b]8;;https://evil.example\x07x",
	`]]><script>window.hit=1</script>`,
}

// newHostileHouse returns an archive whose texts, names, records, claims and
// snapshot messages are hostile.
func newHostileHouse(t testing.TB) (*house, []string) {
	t.Helper()
	a, key := archivetest.New(t, map[string]string{"plain.txt": "A plain text.\n"})
	dir := t.TempDir()
	var names []string
	said := []map[string]any{}
	for i, s := range hostileStrings {
		name := strings.Map(func(r rune) rune {
			if r == '/' || r == 0 {
				return '_'
			}
			return r
		}, s)
		file := filepath.Join(dir, fmt.Sprintf("%02d", i)+name+".txt")
		if err := os.WriteFile(file, []byte("Line "+s+"\n\nA second paragraph with "+s+" in it, number "+itoa(i)+".\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if title := strings.Map(printable, s); i%2 == 0 {
			said = append(said, map[string]any{"path": filepath.Base(dir) + "/" + filepath.Base(file), "title": title, "creators": []string{title}, "publisher": title, "place": title, "tags": []string{title}})
		}
		names = append(names, fmt.Sprintf("%02d", i)+name+".txt")
	}
	hostilePage := `<!doctype html><title>` + hostileStrings[0] + `</title><body onload="window.hit=1"><p>` + hostileStrings[1] + `</p><script>window.hit=1</script>`
	hostilePicture := `<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit=1"><script>window.hit=1</script></svg>`
	for name, text := range map[string]string{"page.html": hostilePage, "picture.svg": hostilePicture, "picture.png": hostilePicture, "sound.wav": hostilePage} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	data, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	sidecar, err := sourcemeta.ReadJSON("said.json", data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := accession.Add(t.Context(), a, []string{dir}, accession.AddOptions{Sidecar: sidecar}); err != nil {
		t.Logf("add: %v", err) // some names are refused
	}
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: hostileStrings[0] + hostileStrings[1], Signer: key}); err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(a, engine.Caller{Agent: hostileStrings[1], Session: "s"})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range hostileStrings {
		o := engine.CiteOptions{Artifact: "plain.txt", Quote: "A plain text.", Claim: s, Reasoning: s, Context: s}
		if i%2 == 0 {
			o.Quote = s
		}
		if _, err := e.Cite(t.Context(), o); err != nil {
			t.Logf("cite: %v", err) // some claims are refused
		}
	}
	archivetest.Seal(t, a, key)
	return serveArchive(t, a, key, server.Credential{Role: engine.RoleAdmin}), names
}

// printable drops the characters that a record refuses.
func printable(r rune) rune {
	if !unicode.IsPrint(r) || r == ';' {
		return -1
	}
	return r
}

// No string of an archive runs a script or leaves its place, on any page, in a real
// browser, served or from a file; and nothing is fetched from elsewhere.
func TestHostileStrings(t *testing.T) {
	h, _ := newHostileHouse(t)
	if _, body := h.get(t, "/names"); strings.Count(body, "window.hit") < 8 || strings.Contains(body, "<script>window") {
		t.Errorf("the records do not hold the strings, or the page does not escape them: %.3000s", body)
	}
	paths := []string{"/", "/inventory", "/names", "/citations", "/claims", "/custody", "/snapshots/1", "/snapshots/2", "/search?q=paragraph", "/verify", "/ask", "/suggest?q=script"}
	for i, s := range hostileStrings {
		if i%casecount.Of(3, 1) != 0 {
			continue
		}
		q := fmt.Sprintf("?q=%s", escape(s))
		paths = append(paths, "/inventory?words="+escape(s)+"&tag="+escape(s)+"&creator="+escape(s), "/cite?artifact=plain.txt&quote="+escape(s), "/citations/"+itoa(i+1))
		paths = append(paths, []string{"/search" + q, "/ask?question=" + escape(s), "/" + escape(s), "/a/" + escape(s)}[i%4], []string{"/a/" + escape(s), "/search" + q, "/ask?question=" + escape(s), "/" + escape(s)}[i%4])
	}
	client := h.server.Client(server.Credential{Name: "t", Role: engine.RoleAdmin}, "t")
	list, err := client.Holdings(t.Context(), server.HoldingsRequest{Limit: 100})
	if err != nil || len(list.Holdings) < len(hostileStrings)-2 {
		t.Fatalf("%d papers, %v", len(list.Holdings), err)
	}
	for _, one := range list.Holdings {
		paths = append(paths, "/a/"+one.ID, "/o/"+one.ID)
	}
	dir := filepath.Join(t.TempDir(), "site")
	if _, err := Export(t.Context(), client, dir, SiteOptions{Signer: h.key}); err != nil {
		t.Fatal(err)
	}
	check := func(b *tab, address string) {
		if got := b.eval(`String(window.hit) + ' ' + performance.getEntriesByType('resource').filter((e) => !e.name.startsWith(location.origin) && !e.name.startsWith('file:')).map((e) => e.name) + ' ' + document.querySelectorAll('main script, main iframe, main object, main style, main meta, [onerror], [onload], [onfocus]').length + ' ' + [...document.querySelectorAll('a')].filter((a) => /^(javascript|data):/i.test(a.href)).length`); got != "undefined  0 0" {
			b.t.Errorf("%s: %s", address, got)
		}
	}
	var addresses []string
	for _, path := range paths {
		if strings.HasPrefix(path, "/o/") {
			status, data := h.getRaw(t, path)
			if status != 200 || len(data) == 0 {
				t.Errorf("%s: %d", path, status)
			}
			continue // it is saved, not opened; TestOriginals has its headers
		}
		addresses = append(addresses, h.url+path)
	}
	files, err := filepath.Glob(dir + "/*.html")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(dir + "/a/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, more...) {
		addresses = append(addresses, "file://"+f)
	}
	lookAt(t, addresses, check)
	b := openTab(t)
	b.open("file://" + dir + "/search.html")
	b.eval(`document.getElementById('q').value = 'paragraph number'`)
	b.click("#sitesearch button")
	b.wait(`document.querySelectorAll('#found li').length > 10 || document.getElementById('status').textContent.startsWith('No paper')`)
	if got := b.eval(`String(window.hit)`); got != "undefined" {
		t.Errorf("the search of the site: %s", got)
	}
	t.Logf("%d pages with strings: no script ran", len(addresses))
	if len(addresses) < casecount.Of(90, 150) {
		t.Errorf("%d pages", len(addresses))
	}
}

// escape returns a string as a part of an address.
func escape(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// newMedia returns a picture and a second of silence.
func newMedia(t testing.TB) (picture, sound []byte) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 40, 30))
	img.Set(3, 3, color.RGBA{200, 30, 30, 255})
	var p bytes.Buffer
	if err := png.Encode(&p, img); err != nil {
		t.Fatal(err)
	}
	const rate = 8000
	var w bytes.Buffer
	w.WriteString("RIFF")
	for _, v := range []any{uint32(36 + rate), []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(rate), uint32(rate), uint16(1), uint16(8), []byte("data"), uint32(rate), bytes.Repeat([]byte{128}, rate)} {
		if err := binary.Write(&w, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	return p.Bytes(), w.Bytes()
}

// Pictures and sound are shown and played on their pages, from the cited time on;
// every other original is saved, in a sandbox, under its own name.
func TestOriginals(t *testing.T) {
	picture, sound := newMedia(t)
	a, key := archivetest.New(t, map[string]string{"mill.png": string(picture), "voice.wav": string(sound), "page.html": "<title>x</title><p>The mill.</p><script>1</script>"})
	archivetest.Seal(t, a, key)
	h := serveArchive(t, a, key, server.Credential{Role: engine.RoleAdmin})
	for name, want := range map[string]string{"mill.png": "image/png", "page.html": "application/octet-stream"} {
		id := h.idOf(t, name)
		r := h.head(t, "/o/"+id)
		if r.Get("Content-Type") != want || r.Get("Content-Security-Policy") != "sandbox; default-src 'none'" || r.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", name, r)
		}
		if r := h.head(t, "/o/"+id+"?save=1"); !strings.Contains(r.Get("Content-Disposition"), "attachment; filename="+name) {
			t.Errorf("%s: %v", name, r)
		}
	}
	b := openTab(t)
	b.open(h.url + "/a/" + h.idOf(t, "mill.png"))
	b.wait(`document.querySelector('figure img').naturalWidth === 40`)
	b.open(h.url + "/a/" + h.idOf(t, "voice.wav") + "?t=0.5")
	b.wait(`document.querySelector('audio').duration === 1 && document.querySelector('audio').currentTime === 0.5`)
	for name, locator := range map[string]string{"mill.png": `{"region": "xywh=10,6,20,12"}`, "voice.wav": `{"time": "0.25,0.75"}`} {
		e, err := engine.New(a, engine.Caller{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Cite(t.Context(), engine.CiteOptions{Artifact: name, Span: "meta:facts.format:0-3", Claim: "It is a " + name[5:] + ".", Relation: "metadata_fact", Locator: locator}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	archivetest.Seal(t, a, key)
	testRegion(b, h)
	b.open(h.url + "/a/" + h.idOf(t, "voice.wav"))
	b.click("a.moment")
	b.wait(`document.querySelector('audio').currentTime === 0.25 && document.querySelector('figcaption').textContent.includes('0:00.2 to 0:00.8')`)
	dir := filepath.Join(t.TempDir(), "site")
	if _, err := Export(t.Context(), h.server.Client(server.Credential{Name: "t", Role: engine.RoleAdmin}, "t"), dir, SiteOptions{Signer: key}); err != nil {
		t.Fatal(err)
	}
	reader := h.server.Client(server.Credential{Name: "r", Role: engine.RoleAgent, Tier: "researcher"}, "t")
	of := filepath.Join(t.TempDir(), "site")
	if _, err := Export(t.Context(), reader, of, SiteOptions{Signer: key}); err != nil {
		t.Errorf("the site of a tier, with citations of facts: %v", err)
	}
	testFragments(b, h, a)
	b.open(h.url + "/citations/1")
	b.click(".acts a") // a fact leads to the artifact of its record
	b.wait(`location.pathname.startsWith('/a/') && document.querySelector('#medium')`)
	b.open("file://" + dir + "/a/" + h.idOf(t, "voice.wav") + ".html#t=0.5")
	b.wait(`document.querySelector('audio').currentTime === 0.5`)
	b.open("file://" + dir + "/a/" + h.idOf(t, "mill.png") + ".html#xywh=percent:0,0,50,50")
	b.wait(`document.querySelectorAll('.regions rect').length === 2`)
	b.wait(`document.querySelector('figure img').naturalWidth === 40`)
}

// testRegion looks at the cited region of a picture, draws another one with the mouse
// and cites it.
func testRegion(b *tab, h *house) {
	id := h.idOf(b.t, "mill.png")
	b.open(h.url + "/a/" + id)
	b.wait(`document.querySelector('figure img').naturalWidth === 40`)
	if got := b.eval(`(() => { const i = document.querySelector('.picture img').getBoundingClientRect(), r = document.querySelector('.regions a rect').getBoundingClientRect(); return [r.x - i.x, r.y - i.y, r.width, r.height].map(Math.round).join(); })()`); got != "10,6,20,12" {
		b.t.Errorf("the cited region is drawn at %s", got)
	}
	var at struct{ X, Y float64 }
	if err := json.Unmarshal([]byte(b.eval(`(() => { document.querySelector('.picture').scrollIntoView(); const r = document.querySelector('.regions').getBoundingClientRect(); return JSON.stringify({ X: r.x, Y: r.y }); })()`)), &at); err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.MouseEvent("mouseMoved", at.X+2, at.Y+20), chromedp.MouseEvent("mousePressed", at.X+2, at.Y+20, chromedp.Button("left")), chromedp.MouseEvent("mouseMoved", at.X+9, at.Y+28, chromedp.Button("left")), chromedp.MouseEvent("mouseReleased", at.X+9, at.Y+28, chromedp.Button("left")))
	b.wait(`/^\d+,\d+,[6-8],[7-9]$/.test(document.getElementById('xywh').value)`)
	drawn := b.eval(`document.getElementById('xywh').value`)
	b.click("#partform button")
	b.wait(`location.search.startsWith('?xywh=') && document.querySelector('[data-field="partlink"]')`)
	if got := b.eval(`document.querySelector('[data-field="partlink"]').textContent + ' ' + document.querySelectorAll('.regions .asked').length`); !strings.HasSuffix(got, "?xywh="+drawn+"#xywh="+drawn+" 1") {
		b.t.Errorf("a region that was drawn: %s", got)
	}
	for asked, want := range map[string]bool{"0,0,10,10": true, "xywh=percent:0,0,10,10": true, "percent:0,0,10.5,10": false, "pixel:1,1,1,1": true, "0,0,0,10": false, "40,0,1,1": false, "-1,0,5,5": false, "1,2,3": false, "a,b,c,d": false, "NaN,0,1,1": false, "1e300,0,1,1": false} {
		if r, ok := parseRegion(asked, 40, 30); ok != want || ok && r.Width*r.Height <= 0 {
			b.t.Errorf("region %s: %+v %v", asked, r, ok)
		}
	}
}

// testFragments cites a region and a time by their spans, and looks at the pages of the
// citations and of what they cite.
func testFragments(b *tab, h *house, a *archive.Archive) {
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		b.t.Fatal(err)
	}
	page := map[string]string{}
	for name, span := range map[string]string{"mill.png": "region:xywh=20,9,10,6", "voice.wav": "time:0.1-0.3"} {
		r, err := e.Cite(b.t.Context(), engine.CiteOptions{Artifact: name, Span: span, Claim: "It is there."})
		if err != nil || r.VerificationStatus != "unverified" || r.Match != "none" {
			b.t.Fatalf("%s: %+v, %v", span, r, err)
		}
		page[name] = h.url + "/citations/" + strconv.FormatInt(r.CitationID, 10)
	}
	b.open(page["mill.png"])
	b.wait(`document.querySelector('figure img').naturalWidth === 40`)
	if got := b.eval(`(() => { const i = document.querySelector('.picture img').getBoundingClientRect(), r = document.querySelector('.regions rect').getBoundingClientRect(); return [r.x - i.x, r.y - i.y, r.width, r.height].map(Math.round).join() + document.querySelector('figcaption').textContent; })()`); got != "20,9,10,6The cited part: a region of 10 × 6 pixels at 20, 9." {
		b.t.Errorf("the cited region is drawn at %s", got)
	}
	b.click(".acts a")
	b.wait(`location.search === '?xywh=20,9,10,6' && document.querySelectorAll('.regions a rect').length === 2 && document.querySelectorAll('.regions .asked').length === 1`)
	b.open(page["voice.wav"])
	b.wait(`document.querySelector('audio').currentTime === 0.1 && document.querySelector('figcaption').textContent.includes('0:00.1 to 0:00.3')`)
	b.eval(`(() => { const a = document.querySelector('audio'); a.muted = true; a.play(); return ''; })()`)
	b.wait(`document.querySelector('audio').paused && document.querySelector('audio').currentTime >= 0.3 && document.querySelector('audio').currentTime < 1`)
	b.click(".acts a")
	b.wait(`document.querySelector('audio').currentTime === 0.1 && document.querySelectorAll('a.moment').length === 2`)
}

// What consent hides from a tier is in no page, twin, count, timeline, suggestion or
// site of that tier: they are byte for byte those of an archive that never had it.
func TestHiddenPapers(t *testing.T) {
	secret := map[string]string{"1952-07-07-secret.txt": "Harrow Weir, 7 July 1952\n\nZanzibar is where the gold lies.\n"}
	for name, text := range archivetest.Papers {
		secret[name] = text
	}
	a, key := archivetest.New(t, secret)
	archivetest.Seal(t, a, key)
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []engine.CiteOptions{
		{Artifact: "1952-07-07-secret.txt", Quote: "Zanzibar is where the gold lies.", Claim: "Zanzibar is where the gold lies."},
		{Artifact: "1931-03-14.txt", Quote: "The mill wheel has stopped.", Claim: "The mill wheel has stopped."},
	} {
		if _, err := e.Cite(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Link("2", "supports", "1"); err != nil {
		t.Fatal(err)
	}
	hidden := false
	archivetest.Seal(t, a, key, history.ConsentOptions{Artifacts: []string{"1952-07-07-secret.txt"}, Existence: &hidden, Surfacing: &hidden, Display: &hidden, Reason: "quizzical"})
	h := serveArchive(t, a, key, server.Credential{Role: engine.RoleAuditor})
	id := (&house{archive: a, server: h.server}).idOf(t, "1952-07-07-secret.txt")
	dir := filepath.Join(t.TempDir(), "site")
	if _, err := Export(t.Context(), h.server.Reader(""), dir, SiteOptions{Signer: key}); err != nil {
		t.Fatal(err)
	}
	bad := []string{"Zanzibar", "zanzibar", "1952", id, "quizzical"}
	n := 0
	for _, path := range []string{"/", "/index.json", "/inventory", "/inventory.json", "/inventory?words=secret", "/inventory?year=1952", "/names.json", "/suggest?q=gold", "/suggest.json?q=19", "/suggest.json?q=secret", "/search?q=gold+lies", "/search.json?q=gold", "/citations", "/citations.json", "/citations/1", "/citations/1.json", "/citations/2", "/citations/2.json", "/claims", "/claims.json", "/custody", "/custody.json", "/snapshots/1", "/snapshots/2", "/snapshots/2.json", "/a/" + id, "/o/" + id, "/cite?artifact=1952-07-07-secret.txt&quote=the+gold", "/s/1/a/" + id, "/api/v1/citations", "/api/v1/citations/1", "/api/v1/citations/1/why", "/api/v1/claims", "/api/v1/snapshots", "/api/v1/artifacts"} {
		n++
		_, body := h.getRaw(t, path)
		text := string(body)
		for _, asked := range []string{path, strings.TrimPrefix(path, "/inventory?words="), "/a/" + id, "/o/" + id, `value="1952"`, "1952-07-07-secret.txt", "/s/1"} { // what the reader said
			text = strings.ReplaceAll(text, asked, "")
		}
		if strings.Contains(path, id) {
			text = strings.ReplaceAll(text, id, "")
		}
		for _, word := range bad {
			if word == "1952" && strings.Contains(path, "1952") {
				continue
			}
			if strings.Contains(text, word) {
				at := strings.Index(text, word)
				t.Errorf("%s says %q: …%s…", path, word, text[max(0, at-80):min(len(text), at+80)])
			}
		}
	}
	err = filepath.Walk(dir, func(file string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		n++
		data, err := os.ReadFile(file)
		data = hashes.ReplaceAll(data, nil) // which have some digits by chance
		for _, word := range bad {
			if bytes.Contains(data, []byte(word)) && !strings.HasSuffix(file, "verify.html") && !strings.HasSuffix(file, "verify.js") {
				t.Errorf("the site has %q in %s", word, file)
			}
		}
		return err
	})
	if err != nil || n < 60 {
		t.Errorf("%d places, %v", n, err)
	}
	var list homeCounts
	_, body := h.getRaw(t, "/index.json")
	if err := json.Unmarshal(body, &list); err != nil || list.Artifacts != len(archivetest.Papers) {
		t.Errorf("%d papers are counted, %v", list.Artifacts, err)
	}
}

// homeCounts are the counts of the first page.
type homeCounts struct {
	Artifacts int `json:"artifacts"`
}

// hashes matches hashes in hexadecimal, of which ten digits in a row are not a date.
var hashes = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
