package formstest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// pythonText is text@1, its units and its roots written again from
// docs/spec/canonical-forms.md, with Python's codecs and tables. Each line of
// its input is a label, a codec and bytes in hexadecimal; it answers with the
// line of golden.txt, or with a label and "-" for code points that its version
// of Unicode does not assign.
const pythonText = `
import base64, hashlib, re, sys, unicodedata
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def root(leaves):
    if not leaves: return sha()
    if len(leaves) == 1: return leaves[0]
    k = 1
    while 2 * k < len(leaves): k *= 2
    return sha(b"\x01", root(leaves[:k]), root(leaves[k:]))
for line in sys.stdin:
    label, codec, data = line.rstrip("\n").split("\t")
    s = bytes.fromhex(data).decode(codec)
    if s[:1] == "\ufeff": s = s[1:]
    if any(unicodedata.category(c) == "Cn" for c in s):
        print(label, "-", sep="\t")
        continue
    s = re.sub("\r\n|[\r\x85\u2028\u2029]", "\n", s)
    s = unicodedata.normalize("NFC", s)
    s = re.sub("[ \t]+(?=\n)|[ \t]+\\Z", "", s)
    s = s.lstrip("\ufeff\n").rstrip("\n") + "\n"
    payload = s.encode()
    digest = hashlib.sha256(payload).digest()
    cid = "b" + base64.b32encode(b"\x01\x55\x12\x20" + digest).decode().lower().rstrip("=")
    ps = [p for p in re.split("\n\n+", s[:-1])]
    ls = s[:-1].split("\n")
    fields = [label, "text@1", cid]
    for units in (ps, ls): fields += [str(len(units)), root([sha(b"\x00", u.encode()) for u in units]).hex()]
    print("\t".join(fields))
`

// codecs are Python's names for what the WHATWG calls by others; the rest have
// one name.
var codecs = map[string]string{
	"windows-1250": "cp1250", "windows-1251": "cp1251", "windows-1252": "cp1252", "windows-1253": "cp1253", "windows-1254": "cp1254", "windows-1255": "cp1255",
	"windows-1256": "cp1256", "windows-1257": "cp1257", "windows-1258": "cp1258", "windows-874": "cp874", "iso-8859-8-i": "iso-8859-8",
	"ibm866": "cp866", "macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic", "shift_jis": "cp932", "euc-kr": "cp949", "gb2312": "gbk", "big5": "big5hkscs",
}

// minByPython is how many inputs of the golden corpus must be compared.
const minByPython = 330

// What golden.txt says of texts is what an independent implementation finds.
func TestGoldenAgreesWithPython(t *testing.T) {
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: python3 is missing: install the Debian package python3")
	}
	file, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	golden := map[string]string{}
	for line := range strings.Lines(string(file)) {
		label, _, _ := strings.Cut(line, "\t")
		golden[label] = strings.TrimSuffix(line, "\n")
	}
	var in bytes.Buffer
	asked := 0
	for _, one := range goldenInputs() {
		codec := "utf-8"
		if _, charset, ok := strings.Cut(one.MediaType, "charset="); ok {
			codec = charset
		} else if strings.HasPrefix(one.label, "mark-") {
			codec = "utf-16le"
		} else if i := strings.Index(one.label, "-"); strings.HasPrefix(one.label, "guess-") {
			_, codec, _ = strings.Cut(one.label[i+1:], "-")
		}
		if name, ok := codecs[codec]; ok {
			codec = name
		}
		if strings.Contains(golden[one.label], "\ttext@1\t") && one.Name == "a.txt" {
			asked++
			fmt.Fprintf(&in, "%s\t%s\t%x\n", one.label, codec, one.Data)
		}
	}
	cmd := exec.Command(path, "-c", pythonText)
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, stderr.String())
	}
	compared, unknown := 0, 0
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		label, rest, _ := strings.Cut(line, "\t")
		if rest == "-" {
			unknown++
			continue
		}
		if compared++; line != golden[label] {
			t.Errorf("Python has\n %s\nwant\n %s", line, golden[label])
		}
	}
	if compared+unknown != asked || compared < minByPython {
		t.Errorf("%d of %d inputs compared and %d not assigned there, want at least %d", compared, asked, unknown, minByPython)
	}
	t.Logf("%d of %d texts compared, %d have what is not assigned in Python's Unicode", compared, asked, unknown)
}
