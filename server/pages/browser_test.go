package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"muniment/bundle"
	"muniment/engine"
	"muniment/internal/casecount"
	"muniment/internal/npm"
	"muniment/server"
	"muniment/sign"

	"muniment/history"
)

// A tab is a page of a headless Chromium. MUNIMENT_SHOTS names a folder for
// pictures of what the tests open, to be looked at.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// A sharedBrowser is the headless Chromium in whose tabs all tests look.
type sharedBrowser struct {
	once    sync.Once
	ctx     context.Context
	stop    func()
	profile string
	err     error
}

var browser sharedBrowser

// TestMain closes the browser behind the last test.
func TestMain(m *testing.M) {
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
		os.RemoveAll(browser.profile)
	}
	os.Exit(code)
}

// start starts the browser with a profile of its own.
func (s *sharedBrowser) start(program string) {
	if s.profile, s.err = os.MkdirTemp("", "muniment-pages"); s.err != nil {
		return
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.UserDataDir(s.profile), chromedp.WSURLReadTimeout(time.Minute),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"), // tests press play by script
		chromedp.Flag("disable-renderer-backgrounding", true), chromedp.Flag("disable-background-timer-throttling", true), chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-features", "Translate,BackForwardCache,PaintHolding")) // a page that is left is not kept in a process of its own
	ctx, cancel := chromedp.NewContext(allocator)
	s.ctx, s.stop = ctx, func() { _ = chromedp.Cancel(ctx); cancel(); stop() }
	_, s.err = chromedp.Run(ctx, chromedp.Navigate("about:blank")) // starts the browser, for as long as ctx lives
}

// openTab opens a tab, which closes with the test.
func openTab(t *testing.T) *tab {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("SKIPPED: the pages were not opened: there is no chromium")
	}
	browser.once.Do(func() { browser.start(program) })
	if browser.err != nil {
		t.Fatal(browser.err)
	}
	ctx, cancel := chromedp.NewContext(browser.ctx, chromedp.WithNewWindow(true))
	t.Cleanup(func() { _ = chromedp.Cancel(ctx); cancel() })
	if _, err := chromedp.Run(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	b := &tab{t, ctx}
	b.do(chromedp.EmulateViewport(1280, 900))
	return b
}

// tabsAtOnce is how many tabs look at pages at the same time: with two processors
// more are no faster.
const tabsAtOnce = 2

// lookAt opens each address in one of a few tabs and looks at it.
func lookAt(t *testing.T, addresses []string, look func(b *tab, address string)) {
	t.Helper()
	waiting := make(chan string, len(addresses))
	for _, address := range addresses {
		waiting <- address
	}
	close(waiting)
	var looked atomic.Int64
	t.Run("tabs", func(t *testing.T) {
		for i := range tabsAtOnce {
			t.Run(itoa(i), func(t *testing.T) {
				t.Parallel()
				b := openTab(t)
				for address := range waiting {
					b.open(address)
					look(b, address)
					looked.Add(1)
				}
			})
		}
	})
	if n := int(looked.Load()); n != len(addresses) {
		t.Errorf("%d of %d pages were looked at", n, len(addresses))
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// open opens an address.
func (b *tab) open(address string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Navigate(address))
	if err != nil && strings.Contains(err.Error(), "ERR_ABORTED") { // the page that is left was on its way elsewhere
		_, err = chromedp.Run(ctx, chromedp.Navigate(address))
	}
	if err != nil {
		b.t.Fatalf("%s: %v", address, err)
	}
}

// eval returns what a script gives, as text.
func (b *tab) eval(script string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[any](script, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%.300s: %v", script, err)
	}
	return fmt.Sprint(got)
}

// click clicks what a selector names, once the script that says so has ended.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.eval(`setTimeout(() => document.querySelector(` + strconv.Quote(selector) + `).click(), 0), 0`)
}

// wait waits until the page is read to its end and a script gives true.
func (b *tab) wait(script string) {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(40 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
		got, err := chromedp.Run(ctx, chromedp.Evaluate[any](`document.readyState === 'complete' && Boolean(`+script+`)`))
		cancel()
		if err == nil && got == true {
			return
		}
	}
	b.t.Fatalf("never true: %s on %s", script, b.eval(`location.href + ' ' + document.body.innerText.slice(0, 1500)`))
}

// shoot keeps a picture of the page where MUNIMENT_SHOTS wants one.
func (b *tab) shoot(name string) {
	dir := os.Getenv("MUNIMENT_SHOTS")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), data, 0o600)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// theme makes pages dark or light.
func (b *tab) theme(name string) { b.media("", name) }

// media makes pages dark or light, on the screen or, as "print", on paper.
func (b *tab) media(medium, theme string) {
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	}))
}

// Every numbered point of the pages, in a real browser over the real server.
func TestBrowser(t *testing.T) {
	h := newHouse(t)
	b := openTab(t)
	for _, point := range []struct {
		name string
		test func(*tab, *house)
	}{
		{"1 home", testHome}, {"2 browse", testBrowse}, {"3 paper", testPaper}, {"4 ask", testAsk}, {"5 citations", testCards}, {"6 verify", testVerify}, {"7 custody", testCustody}, {"8 site", testSite},
	} {
		t.Run(point.name, func(t *testing.T) {
			b.t = t
			point.test(b, h)
		})
	}
}

// maxPanel is how tall the citation panel may be on a small phone, in pixels: a screen and
// a half, before anything is unfolded.
const maxPanel = 1200

func testHome(b *tab, h *house) {
	b.open(h.url + "/")
	b.shoot("home")
	if got := b.eval(`[...document.querySelectorAll('.doors strong')].map((e) => e.textContent).join()`); got != "Read,Ask,Check" {
		b.t.Errorf("doors: %s", got)
	}
	b.do(chromedp.EmulateViewport(320, 900))
	b.shoot("home-320")
	if got := b.eval(`(() => { const seen = [...document.querySelectorAll('svg.chart text')].filter((e) => getComputedStyle(e).display !== 'none').map((e) => e.getBoundingClientRect()); const beside = seen.every((r, i) => i === 0 || seen[i - 1].right < r.left); return String(seen.length > 0 && beside && seen.every((r) => r.height >= 10 && r.right <= innerWidth)); })()`); got != "true" {
		b.t.Error("at 320 px the names below the bars are small, or lie over each other")
	}
	b.do(chromedp.EmulateViewport(1280, 900))
	year := b.eval(`document.querySelector('svg.chart a').getAttribute('href')`)
	b.eval(`setTimeout(() => document.querySelector('svg.chart a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })), 0), 0`)
	b.wait(`location.pathname === '/inventory'`)
	if got := b.eval(`location.pathname + location.search`); got != year {
		b.t.Errorf("a year of the timeline leads to %s, want %s", got, year)
	}
	if n := b.eval(`document.querySelectorAll('ol.papers > li').length`); n == "0" {
		b.t.Error("no paper of that year")
	}
}

func testBrowse(b *tab, h *house) {
	b.open(h.url + "/inventory?sort=-date")
	b.shoot("inventory")
	dates := b.eval(`[...document.querySelectorAll('ol.papers > li')].filter((e) => !e.textContent.includes('undated')).map((e) => e.querySelector('a').textContent).join()`)
	b.open(h.url + "/inventory?sort=date")
	if again := b.eval(`[...document.querySelectorAll('ol.papers > li')].filter((e) => !e.textContent.includes('undated')).map((e) => e.querySelector('a').textContent).reverse().join()`); dates != again || len(dates) < 20 {
		b.t.Errorf("newest first: %s; oldest first, reversed: %s", dates, again)
	}
	b.open(h.url + "/search?q=mill+wheel&order=date")
	b.shoot("search")
	if got := b.eval(`[...document.querySelectorAll('mark')].map((e) => e.textContent.toLowerCase()).join()`); !strings.Contains(got, "mill") || !strings.Contains(got, "wheel") {
		b.t.Errorf("marked words: %s", got)
	}
	b.eval(`(() => { const q = document.getElementById('q'); q.value = '1931'; q.dispatchEvent(new Event('input', { bubbles: true })); })()`)
	b.wait(`document.querySelectorAll('#suggestions option').length > 0`)
	b.click(".place")
	b.wait(`location.pathname.startsWith('/a/') && document.querySelector('#words mark')`)
}

func testPaper(b *tab, h *house) {
	id := h.idOf(b.t, "1931-03-14.txt")
	b.open(h.url + "/a/" + id)
	b.shoot("paper")
	// With the mouse: words that a reader marks.
	b.eval(`(() => {
		const p = [...document.querySelectorAll('.para')].find((e) => e.textContent.includes('mill wheel'));
		const walk = document.createTreeWalker(p, NodeFilter.SHOW_TEXT), r = new Range();
		for (let t = walk.nextNode(); t; t = walk.nextNode()) { const i = t.data.indexOf('mill wheel'); if (i >= 0) { r.setStart(t, i); r.setEnd(t, i + 10); break; } }
		getSelection().removeAllRanges(); getSelection().addRange(r);
	})()`)
	b.wait(`!document.getElementById('citepanel').hidden`)
	b.do(chromedp.EmulateViewport(320, 900))
	b.shoot("citepanel-320")
	if tall, err := strconv.Atoi(b.eval(`String(document.getElementById('citepanel').offsetHeight)`)); err != nil || tall > maxPanel {
		b.t.Errorf("at 320 px the citation panel is %d px tall, want at most %d: %v", tall, maxPanel, err)
	}
	b.do(chromedp.EmulateViewport(1280, 900))
	field := func(name string) string {
		return b.eval(`document.querySelector('[data-field="` + name + `"]').textContent`)
	}
	span, quote, link := field("span"), field("verbatim_quote"), field("link")
	located, err := h.server.Client(server.Credential{Name: "t", Role: engine.RoleAdmin}, "t").Locate(context.Background(), id, span, "")
	if err != nil || located.Quote != "mill wheel" || quote != "mill wheel" {
		b.t.Errorf("%s is %+v %v, the page says %q", span, located, err, quote)
	}
	for _, style := range referenceNames {
		if field(style) == "" {
			b.t.Errorf("no reference in the style %s", style)
		}
	}
	var annotation map[string]any
	if err := json.Unmarshal([]byte(field("Web Annotation")), &annotation); err != nil || annotation["type"] != "Annotation" {
		b.t.Errorf("annotation: %v %v", err, annotation)
	}
	b.shoot("cite-this")
	if !strings.HasSuffix(link, "/p/"+id[7:17]+"?at="+span+"#at") {
		b.t.Errorf("the link %s does not ask for %s", link, span)
	}
	// The link ends in the exact words.
	b.open("about:blank")
	b.open(link)
	b.wait(`document.getElementById('at')`)
	if got := b.eval(`document.getElementById('at').textContent`); got != "mill wheel" {
		b.t.Errorf("%s shows %q", link, got)
	}
	// With the keyboard, and without a script.
	b.eval(`document.querySelector('.citepara').focus()`)
	b.do(chromedp.KeyEvent("\r"))
	b.wait(`document.querySelector('[data-field="span"]') && document.activeElement.id === 'citepanel'`)
	_, plain := h.get(b.t, "/cite?artifact="+id+"&quote="+url.QueryEscape("The mill wheel has stopped."))
	for _, want := range []string{"verbatim_quote", "quote_context", "harvard", "bibtex", "csl-json", "TextQuoteSelector", "/p/" + id[7:17] + "?at="} {
		if !strings.Contains(plain, want) {
			b.t.Errorf("the page without a script has no %s", want)
		}
	}
}

// referenceNames are the styles that a paper offers.
var referenceNames = []string{"harvard", "chicago", "apa", "ieee", "inline", "bibtex", "ris", "csl-json"}

func testAsk(b *tab, h *house) {
	b.open(h.url + "/ask")
	b.shoot("ask")
	b.wait(`document.getElementById('question')`)
	b.eval(`document.getElementById('question').value = 'Why did the mill wheel stop?'`)
	b.click("form.ask button")
	b.wait(`location.pathname.startsWith('/answers/')`)
	b.wait(`document.querySelector('.claim blockquote')`)
	b.shoot("answer")
	answer := b.eval(`location.href`)
	if got := b.eval(`document.querySelector('.claim .evidence').textContent`); !strings.Contains(got, "Source A") {
		b.t.Errorf("evidence: %s", got)
	}
	b.click(".claim .acts a")
	b.wait(`location.pathname.startsWith('/a/') && document.querySelector('#words mark, #words .cited')`)
	b.open(answer)
	b.click(".claim .context summary")
	b.wait(`document.querySelector('.claim .context[open] mark').textContent.includes('mill wheel')`)
	b.open(h.url + "/ask")
	b.wait(`document.querySelector('#history:not([hidden]) a').textContent === 'Why did the mill wheel stop?'`)
	b.click("#history a")
	b.wait(`document.querySelector('.says')`)
	b.open(h.url + h.ask(b.t, "What did Ada think of television?"))
	b.wait(`document.body && /Not answered|Nearest passages/.test(document.body.innerText)`)
	b.shoot("refusal")
}

func testCards(b *tab, h *house) {
	id := h.idOf(b.t, "1931-03-14.txt")
	b.open(h.url + "/a/" + id)
	var at struct{ X, Y float64 }
	if err := json.Unmarshal([]byte(b.eval(`(() => { const r = document.querySelector('a.cited').getClientRects()[0]; return JSON.stringify({ X: r.x + 5, Y: r.y + r.height / 2 }); })()`)), &at); err != nil {
		b.t.Fatal(err)
	}
	for i := 0; i < 20 && b.eval(`document.querySelectorAll('.float').length`) == "0"; i++ { // the page may still listen for nothing
		b.do(chromedp.MouseEvent("mouseMoved", 1, 1), chromedp.MouseEvent("mouseMoved", at.X, at.Y), chromedp.Sleep(300*time.Millisecond))
	}
	b.wait(`document.querySelector('.float')`)
	b.shoot("card")
	if got := b.eval(`document.querySelector('.float').innerText`); !strings.Contains(got, "Open the source") || !strings.Contains(got, "The mill wheel has stopped") {
		b.t.Errorf("card: %s", got)
	}
	b.do(chromedp.KeyEvent("\u001b"))
	b.wait(`!document.querySelector('.float')`)
	b.eval(`document.querySelector('a.cited').focus()`)
	b.wait(`document.querySelector('.float') && document.activeElement.getAttribute('aria-describedby') === 'float'`)
	b.do(chromedp.KeyEvent("\u001b"))
	b.wait(`!document.querySelector('.float') && document.activeElement.matches('a.cited')`)
	b.open(h.url + "/citations?status=failed")
	b.shoot("citations")
	if got := b.eval(`[...document.querySelectorAll('.card .num')].map((e) => e.textContent).join()`); got != "[3]" {
		b.t.Errorf("failed citations: %s", got)
	}
	b.open(h.url + "/citations/1")
	b.shoot("citation")
	if got := b.eval(`document.querySelector('svg.links .link-supports text').textContent + document.body.innerText`); !strings.HasPrefix(got, "2") || !strings.Contains(got, "supports") || !strings.Contains(got, "now") {
		b.t.Errorf("the page of a citation: %s", got)
	}
}

func testVerify(b *tab, h *house) {
	kept := h.ask(b.t, "Why did the mill wheel stop?")
	dir := b.t.TempDir()
	for _, name := range []string{"answer.zip", "answer.html"} {
		_, data := h.getRaw(b.t, kept+"/"+name)
		for forged, change := range map[string]func(string) string{"": func(s string) string { return s }, "forged-": func(s string) string {
			return strings.Replace(strings.Replace(s, "mill wheel", "mill wheat", 1), "\x00\x00\x00PK\x01", "\x00\x00\x01PK\x01", 1)
		}} {
			file := filepath.Join(dir, forged+name)
			changed := change(string(data))
			if forged != "" && changed == string(data) {
				changed = changed[:len(changed)/2] + "x" + changed[len(changed)/2+1:]
			}
			if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
				b.t.Fatal(err)
			}
			b.open(h.url + "/verify")
			b.do(chromedp.SetUploadFiles("#bundle", []string{file}))
			b.wait(`document.querySelector('#local .notice')`)
			local := b.eval(`document.querySelector('#local .notice').textContent`)
			axis := `[...document.querySelectorAll('tr')].filter((e) => e.querySelector('th') && e.querySelector('th').textContent === 'Is it of this archive?').map((e) => e.querySelector('td').textContent).join()`
			judged := b.eval(axis)
			if shown := b.eval(`document.querySelector('#local').textContent.includes('1. ') ? 'words' : 'none'`); forged == "" && shown != "words" {
				b.t.Errorf("%s: the browser does not show what the bundle says", file)
			}
			b.click("#drop button")
			b.wait(`document.querySelector('#server .notice')`)
			said := b.eval(`document.querySelector('#server .notice').textContent`)
			b.shoot("verify-" + forged + name)
			if judged += b.eval(axis); forged == "" && judged != "yesyes" {
				b.t.Errorf("%s: of which archive it is: %s", file, judged)
			}
			want := map[string]string{"": "Signed by this archive on ", "forged-": "Forged or damaged: this is not what was signed. Do not rely on it."}[forged]
			if said != local || !strings.HasPrefix(said, want) {
				b.t.Errorf("%s: server %q, browser %q, want %q", file, said, local, want)
			}
			if height := b.eval(`document.documentElement.scrollHeight <= 2 * innerHeight ? 'fits' : String(document.documentElement.scrollHeight)`); forged == "" && height != "fits" {
				b.t.Errorf("%s: the page of a good bundle is %s px high", file, height)
			}
		}
	}
}

func testCustody(b *tab, h *house) {
	b.open(h.url + "/custody")
	b.shoot("custody")
	if got := b.eval(`document.body.innerText`); !strings.Contains(got, "Copies elsewhere") || !strings.Contains(got, "not answered") {
		b.t.Errorf("custody: %s", got)
	}
	if got := b.eval(`[...document.querySelectorAll('svg.chart [class^=layer-]')].map((e) => e.getAttribute('class')).sort().join() + ' ' + [...document.querySelectorAll('.key li')].map((e) => e.textContent.trim().split(/\s+/).join(' ')).join()`); !strings.Contains(got, "layer-refused") || !strings.Contains(got, "layer-supported") || !regexp.MustCompile(`(^|[ ,])answered [1-9]`).MatchString(got) {
		b.t.Errorf("the chart of rungs and refusals: %s", got)
	}
	b.click("table.list tbody a")
	b.wait(`location.pathname.startsWith('/snapshots/') && document.body.innerText.includes('What it changed')`)
	b.shoot("snapshot")
}

func testSite(b *tab, h *house) {
	dir := filepath.Join(b.t.TempDir(), "site")
	r, err := Export(b.t.Context(), h.server.Client(server.Credential{Name: "site", Role: engine.RoleAdmin}, ""), dir, SiteOptions{Signer: h.key})
	if err != nil {
		b.t.Fatal(err)
	}
	if r.Links < 50 || r.Papers < 3 {
		b.t.Errorf("%+v", r)
	}
	allowed, err := sign.ParseAllowedSigners([]byte(history.TrustLine(h.key.Key(), "test")))
	if err != nil {
		b.t.Fatal(err)
	}
	if v := VerifySite(os.DirFS(dir), bundle.Requirements{Allowed: allowed}); v.Verdict != bundle.Valid {
		b.t.Errorf("%+v", v)
	}
	b.open("file://" + dir + "/index.html")
	b.shoot("site-home")
	b.click(".doors a[href*=search]")
	b.wait(`location.pathname.endsWith('/search.html') && window.munimentSearch`)
	b.eval(`document.getElementById('q').value = 'mill wheel'`)
	b.click("#sitesearch button")
	b.wait(`document.querySelector('#found mark')`)
	b.shoot("site-search")
	b.click("#found .place")
	b.wait(`location.pathname.includes('/a/') && document.querySelector('.citepara')`)
	if got := b.eval(`getComputedStyle(document.querySelector('.top')).display`); got != "flex" {
		b.t.Errorf("the style of the site was not loaded: %s", got)
	}
	b.click(".citepara")
	b.wait(`document.querySelector('[data-field="link"]').textContent.startsWith('file:///')`)
	_, answer := h.getRaw(b.t, h.ask(b.t, "Why did the mill wheel stop?")+"/answer.zip")
	file := filepath.Join(b.t.TempDir(), "answer.zip")
	if err := os.WriteFile(file, answer, 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.open("file://" + dir + "/verify.html")
	b.do(chromedp.SetUploadFiles("#bundle", []string{file}))
	b.wait(`document.querySelector('#local .notice').textContent.startsWith('Signed by this archive on ')`)
}

// axe returns the script of axe-core, installed for the test.
func axe(t *testing.T) string {
	t.Helper()
	modules, err := npm.Install(t.Context(), "axe-core@4.14.1")
	if err != nil {
		t.Skipf("SKIPPED: axe did not look at the pages: %v", err)
	}
	script, err := os.ReadFile(filepath.Join(modules, "axe-core/axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(script) + "; 1"
}

// The rules of axe: all that WCAG 2.2 AA and good practice ask for, and those of
// colours, which alone can differ in the dark.
const (
	everyRule   = `{ type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }`
	colourRules = `{ type: 'rule', values: ['color-contrast', 'link-in-text-block'] }`
)

// Axe finds nothing on any page, served or of a site, in light and dark, and no page
// is wider than the window from 320 to 1,600 pixels.
func TestAccess(t *testing.T) {
	h := newHouse(t)
	script := axe(t)
	var addresses []string
	for i, path := range h.all(t) {
		if i%casecount.Of(2, 1) != 0 {
			continue
		}
		addresses = append(addresses, h.url+path)
	}
	dir := filepath.Join(t.TempDir(), "site")
	if _, err := Export(t.Context(), h.server.Client(server.Credential{Name: "site", Role: engine.RoleAdmin}, ""), dir, SiteOptions{Signer: h.key}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index", "inventory", "search", "a/" + h.idOf(t, "1931-03-14.txt"), "citations", "citations/1", "claims", "custody", "snapshots/2", "verify"} {
		addresses = append(addresses, "file://"+dir+"/"+name+".html")
	}
	looks := len(addresses) * 2
	lookAt(t, addresses, func(b *tab, address string) {
		name := strings.NewReplacer("/", "_", "?", "_", "=", "_").Replace(strings.Replace(strings.TrimPrefix(address, h.url), "file://"+dir, "site", 1))
		b.eval(script)
		for theme, rules := range map[string]string{"light": everyRule, "dark": colourRules} {
			b.theme(theme)
			if found := b.eval(`axe.run(document, { runOnly: ` + rules + ` }).then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target + ' ' + n.failureSummary).join('; ')).join('\n'))`); found != "" {
				b.t.Errorf("%s, %s: axe finds\n%s", address, theme, found)
			}
			b.shoot(theme + name[:min(len(name), 40)])
		}
		b.media("print", "dark")
		if got := b.eval(`[...document.querySelectorAll('nav, form, .skip, .acts')].filter((e) => getComputedStyle(e).display !== 'none').map((e) => e.outerHTML.slice(0, 80)).join() + getComputedStyle(document.body).backgroundColor`); got != "rgb(255, 255, 255)" && !strings.HasSuffix(address, "/verify.html") {
			b.t.Errorf("%s is printed with %s", address, got)
		}
		b.theme("light")
		for _, width := range []int64{320, 768, 1600} {
			b.do(chromedp.EmulateViewport(width, 900))
			if wide := b.eval(`document.documentElement.scrollWidth - innerWidth`); wide != "0" && !strings.HasPrefix(wide, "-") {
				b.t.Errorf("%s: %s px too wide at %d", address, wide, width)
			}
			b.shoot("w" + itoa(int(width)) + name[:min(len(name), 40)])
		}
		b.do(chromedp.EmulateViewport(1280, 900))
	})
	t.Logf("axe looked %d times", looks)
	if looks < casecount.Of(24, 40) {
		t.Errorf("axe looked %d times", looks)
	}
}
