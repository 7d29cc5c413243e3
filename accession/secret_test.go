package accession

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"muniment/sign"
	"muniment/sign/sshkey"
)

// wide returns ASCII text in UTF-16.
func wide(text []byte, order binary.AppendByteOrder, mark bool) (out []byte) {
	if mark {
		out = order.AppendUint16(out, 0xfeff)
	}
	for _, c := range text {
		out = order.AppendUint16(out, uint16(c))
	}
	return out
}

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, errWrite := z.Write(data)
	if err := errors.Join(errWrite, z.Close()); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// quoted returns text as a mail quotes it.
func quoted(before, mark string, text []byte) []byte {
	out := []byte(before)
	for line := range bytes.Lines(text) {
		out = append(append(out, mark...), line...)
	}
	return out
}

// Private keys of every kind that the program writes or reads are refused, and
// so are keys of other programs, whatever public text stands before them.
func TestPrivateKeys(t *testing.T) {
	dir := t.TempDir()
	made := map[string][]byte{}
	auditor, _, err := sign.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	made["auditor"] = auditor
	short, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	made["age"] = []byte("# created: 2026-01-01T00:00:00Z\n# public key: " + short.Recipient().String() + "\n" + short.String() + "\n")
	made["age bare"] = []byte(short.String())
	made["two identities"] = append([]byte(strings.Repeat("# a line of comment\n", 200)), auditor...)
	made["age after notes"] = []byte("my keys, do not lose\n" + short.String() + "\n")
	for name, passphrase := range map[string][]byte{"signer": nil, "signer with passphrase": []byte("mill")} {
		file := filepath.Join(dir, name)
		if _, err := sshkey.Generate(rand.Reader, file, "muniment", passphrase); err != nil {
			t.Fatal(err)
		}
		if made[name], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
		public, err := os.ReadFile(file + ".pub")
		if err != nil {
			t.Fatal(err)
		}
		made[name+" after its public half"] = append(public, made[name]...)
		if err := checkSecret(public); err != nil {
			t.Errorf("the public half of a %s: %v", name, err)
		}
	}
	for name, command := range map[string][]string{
		"ssh-keygen rsa":   {"ssh-keygen", "-q", "-t", "rsa", "-b", "1024", "-m", "PEM", "-N", "", "-f"},
		"ssh-keygen pkcs8": {"ssh-keygen", "-q", "-t", "ecdsa", "-m", "PKCS8", "-N", "millwheel", "-f"},
		"openssl ec":       {"openssl", "ecparam", "-name", "prime256v1", "-genkey", "-out"},
		"openssl rsa":      {"openssl", "genpkey", "-algorithm", "ed25519", "-out"},
	} {
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Logf("%s is missing: no key of %s", command[0], name)
			continue
		}
		file := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		if out, err := exec.Command(command[0], append(command[1:], file)...).CombinedOutput(); err != nil {
			t.Logf("%s makes no key: %v %s", name, err, out)
			continue
		}
		if made[name], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if len(made) < 9 {
		t.Fatalf("only %d keys were made", len(made))
	}
	noise := make([]byte, 4096)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	for name, data := range made {
		for form, data := range map[string][]byte{
			"":                  data,
			" with CRLF":        []byte(strings.ReplaceAll(string(data), "\n", "\r\n")),
			" after a mark":     append([]byte("\xef\xbb\xbf"), data...),
			" after empty ones": append([]byte("\n\n \n"), data...),
			" in UTF-16LE":      wide(data, binary.LittleEndian, true),
			" in UTF-16BE":      wide(data, binary.BigEndian, true),
			" without mark":     wide(data, binary.LittleEndian, false),
			" in gzip":          gzipped(data),
			" in gzip twice":    gzipped(gzipped(data)),
			" UTF-16 in gzip":   gzipped(wide(data, binary.LittleEndian, true)),
			" cut gzip":         gzipped(append(bytes.Clone(data), noise...))[:len(data)+len(noise)/2],
			" quoted":           quoted("On Monday you wrote:\n", "> ", data),
			" quoted twice":     quoted("", ">> ", data),
		} {
			if checkSecret(data) == nil {
				t.Errorf("%s%s: taken", name, form)
			}
		}
	}
	for name, text := range map[string]string{
		"letter quoted": "> A key file begins with the line\n> -----BEGIN OPENSSH PRIVATE KEY-----\n> and ends.\n",
		"wide letter":   string(wide([]byte("A key file begins with the line\n-----BEGIN OPENSSH PRIVATE KEY-----\n"), binary.LittleEndian, true)),
		"packed letter": string(gzipped([]byte("A letter.\n"))),
		"letter":        "A key file begins with the line\n-----BEGIN OPENSSH PRIVATE KEY-----\n",
		"instruction":   "Look for this line:\n-----BEGIN RSA PRIVATE KEY-----\nand cut the rest off.\n",
		"public key":    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n",
		"age in prose":  "An identity is a line AGE-SECRET-KEY-1 and more.\n",
		"age elsewhere": "An identity:\nAGE-SECRET-KEY-1 stands first.\n",
	} {
		if err := checkSecret([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
