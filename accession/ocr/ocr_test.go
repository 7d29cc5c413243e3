package ocr

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// makePDF returns a PDF whose one page holds the content, and a picture in JPEG as /I
// where there is one.
func makePDF(content string, jpeg []byte, width, height int) []byte {
	var b bytes.Buffer
	var at []int
	object := func(body string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), body)
	}
	b.WriteString("%PDF-1.4\n")
	object("<</Type/Catalog/Pages 2 0 R>>")
	object("<</Type/Pages/Kids[3 0 R]/Count 1>>")
	object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</I 6 0 R>>>>>>")
	object(fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(content), content))
	object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
	object(fmt.Sprintf("<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length %d>>\nstream\n%s\nendstream", width, height, len(jpeg), jpeg))
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return b.Bytes()
}

// drawPage returns a picture of a printed page, made by poppler.
func drawPage(t *testing.T, format string) []byte {
	t.Helper()
	dir := t.TempDir()
	pdf := filepath.Join(dir, "a.pdf")
	if err := os.WriteFile(pdf, makePDF("BT /F 24 Tf 30 120 Td (The harbour froze) Tj 0 -40 Td (on Tuesday.) Tj ET", nil, 1, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftoppm", "-r", "200", "-gray", "-"+format, "-singlefile", pdf, filepath.Join(dir, "a")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"a.png", "a.jpg", "a.tif"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			return data
		}
	}
	t.Fatal("pdftoppm drew nothing")
	return nil
}

// Tesseract reads a page in every format of a scan, and a PDF of a picture alone.
func TestRecognise(t *testing.T) {
	tool, err := Find("eng")
	var missing *MissingError
	if errors.As(err, &missing) || err == nil && tool.pdftoppm == "" {
		t.Skipf("no OCR here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	scans := map[string][]byte{"image/png": drawPage(t, "png"), "image/jpeg": drawPage(t, "jpeg"), "image/tiff": drawPage(t, "tiff")}
	scans["application/pdf"] = makePDF("q 400 0 0 200 0 0 cm /I Do Q", scans["image/jpeg"], 1112, 556)
	for mediaType, data := range scans {
		alto, err := tool.Recognise(t.Context(), data, mediaType)
		if err != nil {
			t.Fatalf("%s: %v", mediaType, err)
		}
		for _, word := range []string{"<alto", `CONTENT="harbour"`, `CONTENT="Tuesday."`} {
			if !strings.Contains(string(alto), word) {
				t.Errorf("%s: no %s in %s", mediaType, word, alto)
			}
		}
		again, err := tool.Recognise(t.Context(), data, mediaType)
		if err != nil || !bytes.Equal(again, alto) {
			t.Errorf("%s: a second reading differs: %v", mediaType, err)
		}
		if name := tool.Name(mediaType); !strings.HasPrefix(name, "tesseract ") || !strings.Contains(name, "(eng)") {
			t.Errorf("the record names %q", name)
		}
		if _, err := tool.Recognise(t.Context(), data[:len(data)/9], mediaType); err == nil && mediaType == "application/pdf" {
			t.Errorf("%s: a damaged scan gives no error", mediaType)
		}
	}
}

// A program, a language and a list of languages that are none are told apart.
func TestMissing(t *testing.T) {
	if _, err := Find("deu; rm"); !errors.Is(err, ErrLanguages) {
		t.Errorf("languages: %v", err)
	}
	var missing *MissingError
	if _, err := Find("zzz"); !errors.As(err, &missing) || missing.Install == "" {
		t.Errorf("no language or no tesseract: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Find("eng"); !errors.As(err, &missing) || missing.What != "tesseract" {
		t.Errorf("no program: %v", err)
	}
}
