package verifiers_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"muniment/bundle"
	"muniment/testvectors"
)

// evaluate waits for a script to give something else than nothing.
func evaluate(ctx context.Context, t *testing.T, script string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	got, err := chromedp.Run(ctx, chromedp.Poll[string](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return got
}

// vectorNamed writes the body of a vector where a browser can open it.
func vectorNamed(t *testing.T, name, file string) (vector, string) {
	t.Helper()
	for _, v := range append(readVectors(t), readPages(t)...) {
		if v.name == name {
			path := filepath.Join(t.TempDir(), file)
			write(t, path, v.body)
			return v, path
		}
	}
	t.Fatalf("no vector %s", name)
	return vector{}, ""
}

// TestPageOfVerifier gives verify.html files, as a person does, with the
// browser's own cryptography gone: the page brings its own.
func TestPageOfVerifier(t *testing.T) {
	ctx := browser(t, "verify.html")
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`delete globalThis.crypto; Object.defineProperty(globalThis, 'crypto', { value: undefined }); true`)); err != nil {
		t.Fatal(err)
	}
	good, zip := vectorNamed(t, "zip-good", "answer.zip")
	_, altered := vectorNamed(t, "zip-leaf-altered", "altered.zip")
	_, page := vectorNamed(t, "page-odd-texts", "answer.html")
	conflict := filepath.Join(t.TempDir(), "log.conflict")
	write(t, conflict, testvectors.ReadFile(t, "../testvectors/evidence/log-two-sizes").Body)
	photo := filepath.Join(t.TempDir(), "photo.jpg")
	write(t, photo, []byte("\xff\xd8\xff\xe0 a picture"))
	signers := filepath.Join(t.TempDir(), "allowed_signers")
	write(t, signers, []byte(good.trust+"\n"))
	for _, step := range []struct{ input, file, want, text string }{
		{"#bundle", zip, "compare with what the archive publishes", "Unchanged since it was signed by the key SHA256:"},
		{"#trust", signers, ", and unchanged since.", "line 1 of your file"},
		{"#bundle", altered, "Do not rely on it.", "Forged or damaged: this is not what was signed."},
		{"#bundle", page, ", and unchanged since.", "two\" lines, it's\nsaid: a"}, // a line break is shown as one
		{"#bundle", conflict, "INVALID: ", "the trust file gives a key no right"}, // evidence against another key
		{"#bundle", photo, "Not a bundle", "nothing in this file was signed"},
	} {
		if _, err := chromedp.Run(ctx, chromedp.SetUploadFiles(chromedp.CSS(step.input), []string{step.file})); err != nil {
			t.Fatal(err)
		}
		got := evaluate(ctx, t, `(() => { const t = document.getElementById('result').textContent; return t.includes('`+step.want+`') && t; })()`)
		if !strings.Contains(got, step.text) {
			t.Errorf("%s: %q is not on the page: %.300s", step.want, step.text, got)
		}
	}
}

// TestExportedPage opens the page of a bundle from a file: untouched, with a
// word changed, with the bundle in it changed, and with a key of its own.
func TestExportedPage(t *testing.T) {
	v, _ := vectorNamed(t, "zip-good", "answer.zip")
	b, err := bundle.Read(bytes.NewReader(v.body))
	if err != nil {
		t.Fatal(err)
	}
	page, err := b.Page()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		page []byte
		want string
	}{
		"as written":    {page, "internally consistent"},
		"word changed":  {bytes.Replace(page, []byte("about seven rods"), []byte("about nine rods"), 1), "INVALID. This page does not show"},
		"rung changed":  {bytes.Replace(page, []byte(">Labelled: inferred from the evidence<"), []byte(">Supported: the evidence says it<"), 1), "INVALID. This page does not show"},
		"claim hidden":  {bytes.Replace(page, []byte("<article aria"), []byte("<article hidden aria"), 1), "INVALID. This page does not show"},
		"text unmarked": {bytes.Replace(page, []byte(" data-said"), nil, 1), "INVALID. This page does not show"},
		"bundle gone":   {bytes.Replace(page, []byte("UEsDB"), []byte("UEsDC"), 1), "INVALID."},
	} {
		path := filepath.Join(t.TempDir(), "answer.html")
		write(t, path, test.page)
		ctx := browser(t, path)
		got := evaluate(ctx, t, `(() => { const t = document.getElementById('check').textContent; return !t.startsWith('Not checked') && t; })()`)
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: the page says %q, want %q", name, got, test.want)
		}
		badges := evaluate(ctx, t, `[...document.querySelectorAll('.rung')].filter((e) => e.textContent && getComputedStyle(e).borderTopStyle === 'solid').length + ' badges, signed by ' + document.getElementById('signers').textContent`)
		if kept := strings.Contains(badges, "SHA256:") && !strings.HasPrefix(badges, "0 "); kept != (name == "as written") {
			t.Errorf("%s: %s", name, badges)
		}
		_, err := bundle.ReadPage(test.page)
		if bad := (*bundle.InvalidError)(nil); errors.As(err, &bad) == bytes.Equal(test.page, page) {
			t.Errorf("%s: read: %v", name, err)
		}
		if name == "as written" {
			checkAccess(ctx, t)
			picture(ctx, t, "page.png")
			if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`for (const s of document.querySelectorAll('style')) s.textContent = s.textContent; true`)); err != nil {
				t.Fatal(err)
			}
			if pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF()); err != nil || len(pdf) < 1000 {
				t.Errorf("printed: %d bytes, %v", len(pdf), err)
			} else if dir := os.Getenv("MUNIMENT_PICTURES"); dir != "" {
				write(t, filepath.Join(dir, "page.pdf"), pdf)
			}
		}
	}
}

// checkAccess asks what a reader with other senses needs: landmarks, headings
// in order, names, and contrast of every text of at least 4.5.
func checkAccess(ctx context.Context, t *testing.T) {
	t.Helper()
	got := evaluate(ctx, t, `(() => {
		const wrong = [], one = (s) => document.querySelectorAll(s).length === 1 || wrong.push('not one ' + s);
		['header', 'main', 'footer', 'h1', 'title', 'html[lang]', '[role=status]'].forEach(one);
		let level = 0; for (const h of document.querySelectorAll('h1,h2,h3')) { const n = Number(h.tagName[1]); if (n > level + 1) wrong.push('heading ' + h.textContent); level = n; }
		for (const e of document.querySelectorAll('[aria-labelledby]')) if (!document.getElementById(e.getAttribute('aria-labelledby'))) wrong.push('no name');
		const rgb = (c) => c.match(/[\d.]+/g).map(Number), lum = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
		const back = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
		let n = 0; for (const e of document.querySelectorAll('body *')) {
			if (!Array.from(e.childNodes).some((c) => c.nodeType === 3 && c.data.trim()) || !e.offsetParent) continue;
			const a = lum(rgb(getComputedStyle(e).color).slice(0, 3)), b = lum(back(e).slice(0, 3)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); n++;
			if (ratio < 4.5) wrong.push(ratio.toFixed(2) + ' ' + e.textContent.slice(0, 30)); }
		return (n > 20 ? 'ok ' : 'few texts ') + wrong.join('; ');
	})()`)
	if got != "ok " {
		t.Errorf("access: %s", got)
	}
}

// picture writes what the browser shows where somebody asked for it.
func picture(ctx context.Context, t *testing.T, name string) {
	dir := os.Getenv("MUNIMENT_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, name), png)
}
