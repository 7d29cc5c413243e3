package verifiers_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/sign"
)

// allowedTexts are allowed_signers files around one key, good and bad.
func allowedTexts(key string) []string {
	signed := "a@example.org " + key
	texts := []string{
		"", signed, signed + "\n", "# who\n\n \t\n" + signed, "\t# who\n" + signed, "  " + signed + " \t\n", signed + " a comment\twith a tab\n",
		signed + "\r\n", signed + "\x00", signed + " \x01", signed + "\v", "\f\n" + signed, signed + "\x7f", signed + "\u0085", signed + "\u2028x", "\ufeff" + signed, "\u00a0# who\n" + signed,
		signed + strings.Repeat("\n", 1<<20), signed + strings.Repeat("\n", 1<<20-len(signed)), "a  \t" + key, "a\t" + key, "a" + key, key, key + " " + key, "ssh-ed25519 " + key, "cert-authority " + key,
		`"a b" ` + key, "\"a\tb\" " + key, `"" ` + key, `a"b ` + key, `"a\b" ` + key, `a\b ` + key, "a,,b " + key, "a, " + key, "!a " + key, "!!a " + key, "! " + key, `"!" ` + key,
		"a\u00a0b " + key, "a\u2003b " + key, "a\x01b " + key, "#a " + key, `"#a" ` + key,
		strings.Repeat("a", 255) + " " + key, strings.Repeat("a", 256) + " " + key, "!" + strings.Repeat("a", 255) + " " + key, strings.Repeat("é", 127) + " " + key, strings.Repeat("é", 128) + " " + key,
		"a " + key + "=", "a " + strings.TrimRight(key, "="), "a sk-ssh-ed25519@openssh.com " + strings.Fields(key)[1], "a " + strings.ToUpper(key[:3]) + key[3:], "a " + key[:len(key)-4],
	}
	other := cid.OfJSON([]byte("another")).String()
	for _, comment := range []string{
		" muniment-archive=" + archiveID, "\tmuniment-archive=" + archiveID, " at home muniment-archive=" + archiveID + " \t ", " muniment-archive=" + other, " muniment-archive=" + other + " x",
		" muniment-archive=" + archiveID + " muniment-archive=" + archiveID, " muniment-archive=" + archiveID + " muniment-archive=" + other, " muniment-archive=", " muniment-archive", " x-muniment-archive=" + other,
		" muniment-archive=" + strings.ToUpper(archiveID), " muniment-archive=" + archiveID[:60], " muniment-archive=" + archiveID + "x", " muniment-archive=" + archiveID[:60] + "b", " muniment-archive=bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am",
		" Muniment-Archive=" + other, " muniment-archive\u00a0=" + other, " x\u00a0muniment-archive=" + other, " \u00a0muniment-archive=" + other, " x\u2028muniment-archive=" + other, " muniment-archive=" + archiveID + "\u2028",
		" muniment-archive=" + other + "\na " + key, " muniment-archive=" + other + "\nb " + key + " muniment-archive=" + archiveID, " \"muniment-archive=" + other + "\"",
	} {
		texts = append(texts, "a "+key+comment+"\n")
	}
	for _, option := range []string{
		`namespaces="answer@muniment"`, `namespaces="git"`, `NameSpaces="git"`, "name\u017fpaces=\"git\"", `namespaces="answer@*"`, `namespaces="*,!answer@muniment"`, `namespaces="!git"`, `namespaces="!!answer@muniment,*"`,
		`namespaces=""`, `namespaces="answer@muniment,"`, `namespaces="!,*"`, `namespaces="é,*"`, `namespaces="a b,*"`, `namespaces="a\b,*"`, "namespaces=\"a\x7f,*\"", `namespaces=answer@muniment`, `namespaces`,
		`namespaces="[a]nswer@muniment"`, `namespaces="answer.muniment"`, `namespaces="answer@munimen?"`, `namespaces="answer@muniment??"`, `namespaces="answer@muniment",namespaces="*"`,
		`namespaces="` + strings.Repeat("*", 255) + `"`, `namespaces="` + strings.Repeat("*", 256) + `"`,
		`cert-authority`, `Cert-Authority`, `cert-authority="x"`, `namespaces="*",cert-authority`, `verify-required`, `namespaces="*",`, `,namespaces="*"`, `namespaces="*", cert-authority`,
		`valid-after="20200101"`, `VALID-AFTER="20200101Z"`, `valid-after="20200101z"`, `valid-after="202001011200"`, `valid-after="20200101120000Z"`, `valid-after="2020010112"`, `valid-after=""`, `valid-after="2020-01-01"`,
		`valid-after="20200230"`, `valid-after="20210229"`, `valid-after="20200229"`, `valid-after="19000229"`, `valid-after="00000229"`, `valid-after="20201301"`, `valid-after="202001012400"`, `valid-after="202001011260"`, `valid-after="20200101235960"`, `valid-after="２０２００１０１"`,
		`valid-after="20200101",valid-before="20190101"`, `valid-after="20200101Z",valid-before="20190101"`, `valid-after="20200101Z",valid-before="20190101Z"`, `valid-after="20200101",valid-before="20200101"`,
		`valid-after="20200101",valid-before="202001010000"`, `valid-before="20200102",valid-after="20200101"`, `valid-before="20200101",valid-before="20200101"`,
	} {
		texts = append(texts, "a "+option+" "+key+"\n")
	}
	return texts
}

// TestAllowedSigners requires that the library, verify.py and verify.js read
// the file that says whose signatures count alike.
func TestAllowedSigners(t *testing.T) {
	key := answerer.Key().Authorized()
	texts := allowedTexts(key)
	k, own := answerer.Key(), must(cid.ParseAs(cid.JSON, archiveID))
	given, err := json.Marshal(map[string]any{"id": k.ID(), "archive": archiveID, "texts": texts})
	if err != nil {
		t.Fatal(err)
	}
	python(t)
	judges := map[string]*exec.Cmd{
		"verify.py": exec.Command("python3", "-c", `import hashlib, json, sys; sys.dont_write_bytecode = True; sys.path.insert(0, "."); import verify
given = json.load(sys.stdin)
def judge(text):
    try: return "allowed" if given["id"] in {hashlib.sha256(b).hexdigest() for b, archive in verify.allowed_signers(verify.need(len(text.encode()) <= 1 << 20, "long") or text.encode())[verify.NAMESPACE] if archive in ("", given["archive"])} else "not allowed"
    except ValueError: return "refused"
print(json.dumps([judge(text) for text in given["texts"]]))`),
		"verify.js": exec.Command(node(t), "-e", `const v = require('./verify.js'), given = JSON.parse(require('fs').readFileSync(0));
console.log(JSON.stringify(given.texts.map((text) => { try { return v.allowed(v.parseTrust(new TextEncoder().encode(text)), given, '`+sign.NamespaceAnswer+`', given.archive) ? 'allowed' : 'not allowed'; } catch (e) { return 'refused'; } })))`),
	}
	for who, cmd := range judges {
		cmd.Stdin = strings.NewReader(string(given))
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", who, err)
		}
		var theirs []string
		if err := json.Unmarshal(out, &theirs); err != nil || len(theirs) != len(texts) {
			t.Fatalf("%s: %d judgements of %d texts, %v", who, len(theirs), len(texts), err)
		}
		count := map[string]int{}
		for i, text := range texts {
			ours := "refused"
			if a, err := sign.ParseAllowedSigners([]byte(text)); err == nil {
				ours = "not allowed"
				if _, ok := a.Allows(k, sign.NamespaceAnswer, own); ok {
					ours = "allowed"
				}
			}
			count[ours]++
			if theirs[i] != ours {
				t.Errorf("%.120q: %s says %s, the library %s", text, who, theirs[i], ours)
			}
		}
		if len(count) != 3 || count["allowed"] < 20 || count["refused"] < 20 {
			t.Errorf("the texts are not both good and bad: %v", count)
		}
	}
}
