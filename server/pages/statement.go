package pages

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"muniment/bundle/display"
	"regexp"
	"strconv"
	"strings"
	"time"

	"muniment/bundle"
	"muniment/cid"
	"muniment/sign"
	"muniment/sign/trust"
)

// The three files that describe a site, and the words in them.
const (
	siteFile        = "site.txt"
	siteSignature   = "site.txt.sig"
	siteSums        = "SHA256SUMS"
	siteHead        = "muniment/site/v1"
	shownEverything = "everything"
	shownTier       = "tier "
	timeOfSite      = "2006-01-02T15:04:05Z"
)

// Limits of a site that is verified.
const (
	maxStatement = 4 << 10
	maxSums      = 512 << 20 // four million files
	maxSiteFile  = 1 << 30
)

// A siteStatement is what is signed of a site.
type siteStatement struct {
	Archive  string
	Snapshot string
	Seq      int64
	Shown    string
	Made     string
	Files    int
	Sums     [sha256.Size]byte
}

// encode returns the statement as it is signed.
func (s siteStatement) encode() []byte {
	return fmt.Appendf(nil, "%s\narchive %s\nsnapshot %s\nnumber %d\nshown %s\nmade %s\nfiles %d\nsums %s\n", siteHead, s.Archive, s.Snapshot, s.Seq, s.Shown, s.Made, s.Files, hex.EncodeToString(s.Sums[:]))
}

// parseStatement reads a statement. What it accepts is encoded to the same bytes.
func parseStatement(data []byte) (*siteStatement, error) {
	lines := strings.Split(string(data), "\n")
	names := []string{"archive ", "snapshot ", "number ", "shown ", "made ", "files ", "sums "}
	if len(lines) != len(names)+2 || lines[0] != siteHead {
		return nil, errors.New("it is no statement of a site")
	}
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = strings.TrimPrefix(lines[i+1], name)
	}
	s := &siteStatement{Archive: values[0], Snapshot: values[1], Shown: values[3], Made: values[4]}
	var errs [5]error
	_, errs[0] = cid.ParseAs(cid.JSON, s.Archive)
	s.Seq, errs[1] = strconv.ParseInt(values[2], 10, 64)
	s.Files, errs[2] = strconv.Atoi(values[5])
	_, errs[3] = time.Parse(timeOfSite, s.Made)
	var n int
	if len(values[6]) == 2*sha256.Size {
		n, errs[4] = hex.Decode(s.Sums[:], []byte(values[6]))
	}
	if err := errors.Join(errs[:]...); err != nil || n != sha256.Size || !bytes.Equal(s.encode(), data) || s.Shown != display.SafeLine(s.Shown) {
		return nil, errors.New("the statement is not written as it has to be")
	}
	return s, nil
}

// A SiteVerdict is the verdict on a site.
type SiteVerdict struct {
	Verdict  string        `json:"verdict"` // VALID, INVALID or INCOMPLETE
	Axes     []bundle.Axis `json:"axes"`
	Archive  string        `json:"archive,omitempty"`
	Snapshot string        `json:"snapshot,omitempty"`
	Seq      int64         `json:"seq,omitempty"`
	Shown    string        `json:"shown,omitempty"`
	Made     string        `json:"made,omitempty"`
	Files    int           `json:"files,omitempty"`
	Signer   string        `json:"signer,omitempty"`
}

// IsSite reports whether a folder says that it is a site.
func IsSite(dir fs.FS) bool {
	data, err := readSome(dir, siteFile, maxStatement)
	return err == nil && bytes.HasPrefix(data, []byte(siteHead+"\n"))
}

// VerifySite checks a site: the steps of docs/spec/site.md. What is wrong with it stands in the verdict.
func VerifySite(dir fs.FS, q bundle.Requirements) *SiteVerdict {
	v := &SiteVerdict{}
	st, key, err := checkSite(dir)
	if err != nil {
		v.Verdict, v.Axes = bundle.Invalid, []bundle.Axis{{Name: bundle.AxisIntegrity, Result: bundle.Fail, Reason: err.Error()}}
		return v
	}
	v.Archive, v.Snapshot, v.Seq, v.Shown, v.Made, v.Files, v.Signer = st.Archive, st.Snapshot, st.Seq, st.Shown, st.Made, st.Files, key.Fingerprint()
	id, err := cid.ParseAs(cid.JSON, st.Archive)
	if err != nil {
		return &SiteVerdict{Verdict: bundle.Invalid}
	}
	who := judgeSiteKey(key, id, st.Seq, q)
	v.Axes = []bundle.Axis{{Name: bundle.AxisIntegrity, Result: bundle.Pass, Reason: display.CountOf(st.Files, "file is that", "files are those") + " of the list that is signed, and there is no other"}, who, q.JudgeArchive(id, sign.NamespaceSite, []sign.Key{key})}
	v.Verdict = bundle.Valid
	for _, a := range v.Axes {
		switch {
		case a.Result == bundle.Fail:
			v.Verdict = bundle.Invalid
			return v
		case a.Name == bundle.AxisTrust && a.Result != bundle.Pass:
			v.Verdict = bundle.Incomplete
		}
	}
	return v
}

// judgeSiteKey returns whether the key of a site counts.
func judgeSiteKey(key sign.Key, archive cid.ID, seq int64, q bundle.Requirements) bundle.Axis {
	axis := bundle.Axis{Name: bundle.AxisTrust, Result: bundle.NotChecked, Reason: "signed by " + key.Fingerprint() + "; nothing was given that says whose key that is"}
	switch {
	case q.Root != nil && q.Root.Judge(trust.Snapshot, key, trust.Seq(seq)).Counts():
		axis.Result, axis.Reason = bundle.Pass, "signed by "+key.Fingerprint()+", which the trust root lets sign snapshots"
	case q.Allowed != nil:
		if line, ok := q.Allowed.Allows(key, sign.NamespaceSite, archive); ok {
			axis.Result, axis.Reason = bundle.Pass, fmt.Sprintf("signed by %s, line %d of the list: %s", key.Fingerprint(), line.Line, strings.Join(line.Principals, ","))
			break
		}
		axis.Reason = "signed by " + key.Fingerprint() + ", which the list does not allow to sign a site (" + sign.NamespaceSite + ")"
	case q.Root != nil:
		axis.Reason = "signed by " + key.Fingerprint() + ", which the trust root does not let sign"
	}
	return axis
}

// sumLine matches a line of the list: a hash, two spaces, a path of the site.
var sumLine = regexp.MustCompile(`^([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9._/-]*)$`)

// checkSite takes the steps that need no trust.
func checkSite(dir fs.FS) (*siteStatement, sign.Key, error) {
	none := sign.Key{}
	text, err := readSome(dir, siteFile, maxStatement)
	if err != nil {
		return nil, none, err
	}
	st, err := parseStatement(text)
	if err != nil {
		return nil, none, fmt.Errorf("%s: %w", siteFile, err)
	}
	armored, err := readSome(dir, siteSignature, maxStatement)
	if err != nil {
		return nil, none, err
	}
	sig, err := sign.ParseSignature(armored)
	if err == nil {
		err = sig.Verify(sign.NamespaceSite, text)
	}
	if err != nil {
		return nil, none, fmt.Errorf("%s: %w", siteSignature, err)
	}
	sums, err := readSome(dir, siteSums, maxSums)
	if err != nil {
		return nil, none, err
	}
	if sha256.Sum256(sums) != st.Sums {
		return nil, none, fmt.Errorf("%s is not the list that is signed", siteSums)
	}
	listed := map[string]bool{siteFile: true, siteSignature: true, siteSums: true}
	last := ""
	lines := bufio.NewScanner(bytes.NewReader(sums))
	for lines.Scan() {
		m := sumLine.FindStringSubmatch(lines.Text())
		if m == nil || m[2] <= last || !fs.ValidPath(m[2]) {
			return nil, none, fmt.Errorf("%s: a line is not as it has to be", siteSums)
		}
		if last = m[2]; listed[last] {
			return nil, none, fmt.Errorf("%s lists %s", siteSums, last)
		}
		if listed[last] = true; fileSum(dir, last) != m[1] {
			return nil, none, fmt.Errorf("%s is not the file that is signed", last)
		}
	}
	if len(listed) != st.Files+3 {
		return nil, none, fmt.Errorf("%d files are listed, %d are signed", len(listed)-3, st.Files)
	}
	err = fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !listed[name] {
			err = fmt.Errorf("%s is in no list", display.SafeLine(name))
		}
		return err
	})
	return st, sig.Key(), err
}

// readSome reads a plain file of at most limit bytes.
func readSome(dir fs.FS, name string, limit int64) ([]byte, error) {
	f, err := dir.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read", name)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("%s is no plain file of at most %d bytes", name, limit)
	}
	return io.ReadAll(io.LimitReader(f, limit+1))
}

// fileSum returns the hash of a file in hex, "" where it cannot be read.
func fileSum(dir fs.FS, name string) string {
	f, err := dir.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, maxSiteFile)); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
