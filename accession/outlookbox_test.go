package accession

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/accession/pst"
	"muniment/canon/read"
)

// What readpst writes becomes inputs named by their folders, and is read as mail. Its
// mails begin with a line of mailboxes and have "Status" among the fields.
func TestMailInputs(t *testing.T) {
	const mail = "From \"Anne\" Mon Mar  3 10:00:00 2003\nStatus: RO\nFrom: \"Anne\" <anne@example.org>\nSubject: The mill\nTo: zoe@example.net\nDate: Mon, 03 Mar 2003 10:00:00 +0000\n" +
		"MIME-Version: 1.0\nContent-Type: multipart/mixed;\n\tboundary=\"--boundary-LibPST-iamunique-1\"\n\n\n----boundary-LibPST-iamunique-1\nContent-Type: text/plain; charset=\"utf-8\"\n\nIt burnt down.\n\n" +
		"----boundary-LibPST-iamunique-1\nContent-Type: image/png\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; \n        filename*=utf-8''mill.png;\n        filename=\"mill.png\"\n\niVBORw0KGgo=\n\n----boundary-LibPST-iamunique-1--\n\n"
	at := filepath.Join(t.TempDir(), "1.eml")
	if err := os.WriteFile(at, []byte(mail), 0o600); err != nil {
		t.Fatal(err)
	}
	box := &pst.Box{Files: []pst.File{{Path: "Top/Inbox/1.eml", At: at, Size: int64(len(mail))}, {Path: "Top/Inbox/2.eml", At: at}}}
	inputs, skips := mailInputs(Input{Path: "box.pst", Name: "letters/box.pst"}, box, "readpst 0.6.76 (libpst)")
	if len(inputs) != 1 || len(skips) != 1 || skips[0].Path != "letters/box.pst/Top/Inbox/2.eml" {
		t.Fatalf("%d inputs, skips %v", len(inputs), skips)
	}
	in := inputs[0]
	if in.Name != "letters/box.pst/Top/Inbox/1.eml" || in.Facts[factConvertedBy] != "readpst 0.6.76 (libpst)" || in.Facts[factBox] != "letters/box.pst" {
		t.Errorf("the input is %+v", in)
	}
	got, err := in.Fetch(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	form, err := readers.Canonicalize(read.Input{Name: in.Name, Data: got.Data})
	if err != nil {
		t.Fatal(err)
	}
	const want = "From: Anne <anne@example.org>\nTo: zoe@example.net\nDate: Mon, 03 Mar 2003 10:00:00 +0000\nSubject: The mill\n\nIt burnt down.\n"
	if string(form.Payload) != want || len(form.Parts) != 1 || form.Parts[0].Name != "mill.png" {
		t.Errorf("%s\n%d parts\n%s", form.Canonicalizer, len(form.Parts), form.Payload)
	}
}

// Where readpst is missing, the file is kept and the hint names the package.
func TestOutlookMissing(t *testing.T) {
	in := Input{Path: filepath.Join(t.TempDir(), "box.pst"), Name: "box.pst"}
	if err := os.WriteFile(in.Path, []byte("!BDN"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	out, skips, closers := unpack(context.Background(), []Input{in}, false)
	if len(out) != 1 || out[0].Path != in.Path || len(skips) != 1 || len(closers) != 0 {
		t.Fatalf("inputs %v, skips %v, %d to close", out, skips, len(closers))
	}
	if s := skips[0]; !strings.Contains(s.Reason, "readpst is not installed") || !strings.Contains(fmt.Sprint(s.Next), "pst-utils") {
		t.Errorf("the skip is %+v", s)
	}
}

// The mails of a box are taken out by readpst, beside the box itself.
func TestOutlookBox(t *testing.T) {
	tool, err := pst.Find()
	if errors.Is(err, pst.ErrMissing) {
		t.Skip("readpst is not installed: install the Debian package pst-utils")
	}
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Path: "pst/testdata/box.pst", Name: "box.pst"}
	out, skips, closers := unpack(context.Background(), []Input{in}, false)
	if len(out) != 2 || len(skips) != 0 || len(closers) != 1 {
		t.Fatalf("%d inputs, skips %v, %d to close", len(out), skips, len(closers))
	}
	if out[0].Fetch != nil || out[1].Name != "box.pst/Box/Inbox/1.eml" || out[1].Facts[factConvertedBy] != tool.Name() {
		t.Errorf("the inputs are %+v", out)
	}
	got, err := out[1].Fetch(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	form, err := readers.Canonicalize(read.Input{Name: out[1].Name, Data: got.Data})
	const want = "From: Anne <MAILER-DAEMON>\nTo: zoe@example.net\nDate: Mon, 03 Mar 2003 10:00:00 +0000\nSubject: The mill\n\nIt burnt down.\n"
	if err != nil || string(form.Payload) != want {
		t.Errorf("the mail is %s\n%s\n%v", form.Canonicalizer, form.Payload, err)
	}
	if err := closers[0].Close(); err != nil {
		t.Error(err)
	}
}
