package sign

import (
	"fmt"
	"strings"

	"muniment/cid"
)

func allowedVectors() []vector {
	anna, ben := newTestSigner("anna").key, newTestSigner("ben").key
	sk := newTestSecurityKey("anna", 1).key
	a, b := anna.Authorized(), ben.Authorized()
	var vectors []vector
	// line is the line that allows anna, or 0 where none should.
	add := func(name string, line int, body string) {
		v := vector{name: "allowed/" + name, expect: accept, body: []byte(body),
			head: []string{"key: " + a, "namespace: " + NamespaceAnswer, fmt.Sprintf("line: %d", line)}}
		if line == 0 {
			v.expect, v.says = refused, "not allowed"
			v.head = v.head[:2]
		}
		vectors = append(vectors, v)
	}
	add("plain", 1, "anna@example.org "+a+"\n")
	add("comment", 4, "# signers\n\n  # more\n\tanna@example.org,*@example.com\t "+a+"  Anna's key \n")
	add("quoted-principals", 1, `"Anna A,!Ben B" `+a+"\n")
	add("no-final-line-end", 2, "ben "+b+"\nanna "+a)
	add("namespaces", 1, `anna namespaces="git,answer@muniment" `+a+"\n")
	add("namespace-wildcard", 1, `anna namespaces="*@munimen?" `+a+"\n")
	add("second-line-of-key", 2, `anna namespaces="git" `+a+"\n"+`anna namespaces="answer@*" `+a+"\n")
	add("all-options", 1, `anna Namespaces="*",VALID-AFTER="20200101Z",valid-before="20991231235959Z" `+a+" x\n")
	add("empty", 0, "")
	add("comments-only", 0, "# anna "+a+"\n")
	add("other-key", 0, "ben "+b+"\n")
	add("other-wrapping-of-key", 0, "anna "+sk.Authorized()+"\n")
	add("other-namespace", 0, `anna namespaces="git" `+a+"\n")
	add("negated-namespace", 0, `anna namespaces="*,!answer@muniment" `+a+"\n")
	add("negated-namespace-alone", 0, `anna namespaces="!git" `+a+"\n")
	add("cert-authority", 0, "anna cert-authority "+a+"\n")
	// Lines that name an archive in the comment, asked in the archive x.
	x, y := cid.OfJSON([]byte("x")).String(), cid.OfJSON([]byte("y")).String()
	in := func(name string, line int, body string) {
		add(name, line, body)
		v := &vectors[len(vectors)-1]
		v.head = append(v.head, "archive: "+x)
	}
	in("archive", 1, "anna "+a+" muniment-archive="+x+"\n")
	in("archive-within-a-comment", 1, "anna "+a+" Anna's key,\tmuniment-archive="+x+" at home\n")
	in("archive-of-the-second-line", 2, "anna "+a+" muniment-archive="+y+"\nanna "+a+" muniment-archive="+x+"\n")
	in("archive-of-any", 2, "anna "+a+" muniment-archive="+y+"\nanna "+a+"\n")
	in("archive-in-another-word", 1, "anna "+a+" not-muniment-archive="+y+"\n")
	in("archive-another", 0, "anna "+a+" muniment-archive="+y+"\n")

	bad := func(name, says, body string) {
		vectors = append(vectors, vector{name: "allowed/" + name, expect: malformed, body: []byte(body), says: says,
			head: []string{"key: " + a, "namespace: " + NamespaceAnswer}})
	}
	bad("unknown-option", "line 2: unknown option", "ben "+b+"\nanna no-touch-required "+a+"\n")
	bad("valued-cert-authority", "unknown option", `anna cert-authority="yes" `+a+"\n")
	bad("option-without-value", "unknown option", "anna namespaces "+a+"\n")
	bad("option-twice", "twice", `anna namespaces="git",namespaces="answer@muniment" `+a+"\n")
	bad("option-not-quoted", "not in quotes", "anna namespaces=git "+a+"\n")
	bad("option-trailing-comma", "unknown option", `anna namespaces="git", `+a+"\n")
	bad("option-quote-open", "closing quote", `anna namespaces="git `+a+"\n")
	bad("option-backslash", "backslash", `anna namespaces="gi\t" `+a+"\n")
	bad("namespaces-empty", "empty namespace", `anna namespaces="" `+a+"\n")
	bad("namespaces-space", "without space", `anna namespaces="git, answer@muniment" `+a+"\n")
	bad("principal-empty", "empty principal", "anna,,ben "+a+"\n")
	bad("principal-negation-of-nothing", "empty principal", "anna,! "+a+"\n")
	bad("principal-quote-open", "closing quote", `"anna `+a+"\n")
	bad("principal-inner-quote", "quote or backslash", `an"na `+a+"\n")
	bad("principal-too-long", "at most 255", strings.Repeat("a", 256)+" "+a+"\n")
	bad("no-principals", "empty", `"" `+a+"\n")
	bad("key-first", "principals before it", a+"\n")
	bad("no-key", "no key", "anna\n")
	bad("key-rsa", "key type", "anna ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ==\n")
	bad("key-type-differs", "line says", "anna "+TypeSKEd25519+strings.TrimPrefix(a, TypeEd25519)+"\n")
	bad("key-spare-characters", "base64", "anna "+a+"=\n")
	bad("key-small-order", "small order", "anna "+TypeEd25519+" "+base64Of(appendStr(appendStr(nil, TypeEd25519), unhex(badPoints[0].point)))+"\n")
	bad("time-month-13", "time", `anna valid-after="20261301" `+a+"\n")
	bad("time-with-dashes", "time", `anna valid-before="2026-01-01" `+a+"\n")
	bad("time-reversed", "not before", `anna valid-after="20270101Z",valid-before="20260101Z" `+a+"\n")
	bad("crlf", "line 1: control character", "anna "+a+"\r\n")
	bad("nul", "control character", "anna\x00 "+a+"\n")
	bad("archive-twice", "two archives", "anna "+a+" muniment-archive="+x+" muniment-archive="+x+"\n")
	bad("archive-empty", "muniment-archive: ", "anna "+a+" muniment-archive=\n")
	bad("archive-of-another-codec", "codec", "anna "+a+" muniment-archive="+cid.Of([]byte("x")).String()+"\n")
	bad("archive-in-capitals", "muniment-archive: ", "anna "+a+" muniment-archive="+strings.ToUpper(x)+"\n")
	bad("not-utf8", "UTF-8", "ann\xe4 "+a+"\n")
	return vectors
}
