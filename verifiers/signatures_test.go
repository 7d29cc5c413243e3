package verifiers_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"muniment/sign"
)

// TestSignatures requires that the library, verify.py and verify.js judge the
// signatures of testdata/signatures.json alike: the cases in which
// implementations of Ed25519 differ (A or R of small or mixed order, not
// canonical, S beyond the group order), and the forms of SSHSIG that are
// narrower here than in ssh-keygen. All are over "hello" under answer@muniment.
func TestSignatures(t *testing.T) {
	data, err := os.ReadFile("testdata/signatures.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name    string
		Valid   bool
		Armored string
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	const message = "hello"
	verdicts := map[string][]bool{}
	valid := 0
	for _, c := range cases {
		s, err := sign.ParseSignature([]byte(c.Armored))
		verdicts["the library"] = append(verdicts["the library"], err == nil && s.Verify(sign.NamespaceAnswer, []byte(message)) == nil)
		if c.Valid {
			valid++
		}
	}
	if len(cases) != 70 || valid != 8 {
		t.Errorf("%d cases, %d of them valid", len(cases), valid)
	}
	python(t)
	for who, cmd := range map[string]*exec.Cmd{
		"verify.py": exec.Command("python3", "-c", `import json, sys; sys.dont_write_bytecode = True; sys.path.insert(0, "."); import verify
def judge(text):
    try: return verify.ssh_signature(text.encode())[3](b"hello") is True
    except ValueError: return False
print(json.dumps([judge(c["armored"]) for c in json.load(sys.stdin)]))`),
		"verify.js": exec.Command(node(t), "-e", `const v = require('./verify.js'), enc = (s) => new TextEncoder().encode(s);
console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0)).map((c) => { try { return v.sigVerifies(v.parseSig(enc(c.armored)), '`+sign.NamespaceAnswer+`', enc('hello')); } catch (e) { return false; } })))`),
	} {
		cmd.Stdin = strings.NewReader(string(data))
		out, err := cmd.Output()
		var theirs []bool
		if err == nil {
			err = json.Unmarshal(out, &theirs)
		}
		if err != nil || len(theirs) != len(cases) {
			t.Fatalf("%s: %d judgements of %d signatures, %v", who, len(theirs), len(cases), err)
		}
		verdicts[who] = theirs
	}
	for who, list := range verdicts {
		for i, c := range cases {
			if list[i] != c.Valid {
				t.Errorf("%s: %s says %v", c.Name, who, list[i])
			}
		}
	}
}
