package verifiers_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// chromium is the headless Chromium in whose tabs all tests of this package look.
var chromium struct {
	once    sync.Once
	ctx     context.Context
	stop    func()
	profile string
	err     error
}

// TestMain closes the browser behind the last test.
func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
		os.RemoveAll(chromium.profile)
	}
	os.Exit(code)
}

// startChromium starts the browser with a profile of its own.
func startChromium(program string) {
	if chromium.profile, chromium.err = os.MkdirTemp("", "muniment-verifiers"); chromium.err != nil {
		return
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.UserDataDir(chromium.profile), chromedp.WSURLReadTimeout(time.Minute),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-renderer-backgrounding", true), chromedp.Flag("disable-background-timer-throttling", true), chromedp.Flag("disable-backgrounding-occluded-windows", true))
	ctx, cancel := chromedp.NewContext(allocator)
	chromium.ctx, chromium.stop = ctx, func() { _ = chromedp.Cancel(ctx); cancel(); stop() }
	_, chromium.err = chromedp.Run(ctx, chromedp.Navigate("about:blank"))
}

// browser opens a file in a window of the browser, which closes with the test.
// Without a browser the test is skipped.
func browser(t *testing.T, file string) context.Context {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("SKIPPED: verify.html was not opened: there is no chromium")
	}
	full, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	chromium.once.Do(func() { startChromium(program) })
	if chromium.err != nil {
		t.Fatalf("chromium: %v", chromium.err)
	}
	ctx, cancel := chromedp.NewContext(chromium.ctx, chromedp.WithNewWindow(true))
	t.Cleanup(func() { _ = chromedp.Cancel(ctx); cancel() })
	if _, err := chromedp.Run(ctx, chromedp.Navigate("file://"+full)); err != nil {
		t.Fatalf("chromium: %v", err)
	}
	return ctx
}

// byBrowser asks the script in verify.html, opened from a file.
func byBrowser(t *testing.T) func(t *testing.T, with given, batch []sample) []judgement {
	ctx := browser(t, "verify.html")
	return func(t *testing.T, with given, batch []sample) []judgement {
		t.Helper()
		var lines []byte
		if with.trust != "" {
			var err error
			if lines, err = os.ReadFile(with.trust); err != nil {
				t.Fatal(err)
			}
		}
		var out []judgement
		for len(batch) > 0 {
			n := min(len(batch), 50) // so that a call stays short
			zips := make([]string, n)
			for i, x := range batch[:n] {
				zips[i] = base64.StdEncoding.EncodeToString(x.zip)
			}
			batch = batch[n:]
			out = append(out, judgeInPage(ctx, t, lines, with.archive, zips)...)
		}
		return out
	}
}

func judgeInPage(ctx context.Context, t *testing.T, trust []byte, archive string, zips []string) []judgement {
	t.Helper()
	given, err := json.Marshal(map[string]any{"trust": base64.StdEncoding.EncodeToString(trust), "archive": archive, "zips": zips})
	if err != nil {
		t.Fatal(err)
	}
	script := `(({ trust, archive, zips }) => {
		const bytes = (s) => Uint8Array.from(atob(s), (c) => c.charCodeAt(0));
		const keys = trust ? munimentVerify.parseTrust(bytes(trust)) : null;
		return JSON.stringify(zips.map((z) => { const r = munimentVerify.verify(bytes(z), keys, [], archive); return { verdict: r.verdict, axes: r.axes.map((a) => ({ name: a.axis, result: a.verdict, reason: a.detail })) }; }));
	})(` + string(given) + `)`
	answer, err := chromedp.Run(ctx, chromedp.Evaluate[string](script))
	if err != nil {
		t.Fatalf("verify.html: %v", err)
	}
	var reports []report
	if err := json.NewDecoder(strings.NewReader(answer)).Decode(&reports); err != nil {
		t.Fatalf("verify.html: %v", err)
	}
	return judgements(reports)
}
