package remote

import (
	"errors"
	"strings"
	"testing"
)

func TestOpen(t *testing.T) {
	for _, address := range []string{"", "-oProxyCommand=x", "ssh://-oProxyCommand=x/y", "https://ada:secret@host/x.git", "ftp://host/x", "a\nb", "https://", "ext::sh -c x"} {
		if r, err := Open(address, Options{Home: "/"}); err == nil && r.Path() == "" {
			t.Errorf("%q was accepted", address)
		}
	}
	for _, address := range []string{"/srv/x.git", "file:///srv/x.git", "ssh://ada@host:2222/x.git", "host:x.git", "https://host/x.git", "git://host/x.git"} {
		if _, err := Open(address, Options{Home: "/"}); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestWanted(t *testing.T) {
	for name, want := range map[string]bool{
		"refs/heads/main": true, "refs/tags/v1": true, "refs/muniment/cosigs": true, "refs/muniment/log/ab": true,
		"refs/heads/other": false, "refs/replace/ab": false, "refs/muniment/staged": false, "refs/tags/": false, "HEAD": false, "refs/muniment/cosigs/x": false,
	} {
		if IsExchanged(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func TestNetrc(t *testing.T) {
	text := "machine one login a password x\n# a remark\nmachine host\n  login b\n  password y\ndefault login c password z\nmacdef m\nmachine host login d password w\n"
	for _, c := range []struct{ host, user, want string }{
		{"one", "", "a:x"}, {"host", "", "b:y"}, {"host", "b", "b:y"}, {"host", "c", "c:z"}, {"other", "", "c:z"}, {"host", "d", ""},
	} {
		got := ""
		if s := netrcEntry(text, c.host, c.user); s != nil {
			got = s.user + ":" + s.password
		}
		if got != c.want {
			t.Errorf("%s as %q: %q, want %q", c.host, c.user, got, c.want)
		}
	}
}

// An address with a password or a token is refused, and no error shows it.
func TestSecretAddresses(t *testing.T) {
	const secret = "0123456789abcdef0123456789abcdef01234567"
	for _, address := range []string{
		"https://ada:" + secret + "@host/x.git", "https://:" + secret + "@host/x.git", "https://" + secret + "@host/x.git", "HTTPS://" + secret + "@host/x.git",
		"https://ghp_" + secret[:8] + "@host/x.git", "https://x-access-token:" + secret + "@host/x.git", "https://oauth2:" + secret + "@host/x.git",
		"https://host/x.git?access_token=" + secret, "https://host/x.git?private_token=" + secret + "#f", "http://host/x.git#" + secret,
		"ssh://git:" + secret + "@host/x.git", "git://git:" + secret + "@host/x.git", "https://" + secret + ":@host/x.git", "https://%67hp_" + secret + "@host/x.git",
	} {
		_, err := Open(address, Options{Home: "/"})
		if !errors.Is(err, ErrSecret) || strings.Contains(err.Error(), secret[:8]) {
			t.Errorf("%q: %v", address, err)
		}
		if r := Redacted(address); strings.Contains(r, secret[:8]) || Redacted(r) != r {
			t.Errorf("%q is shown as %q", address, r)
		}
	}
	for _, address := range []string{"https://ada:" + secret + "@", "ftp://ada:" + secret + "@host/x", "https://ada:" + secret + "@host:port/x\n", "https://ada:" + secret + "@%zz/"} {
		if _, err := Open(address, Options{Home: "/"}); err == nil || strings.Contains(err.Error(), secret[:8]) {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, address := range []string{"https://ada@host/x.git", "https://anna.brandt%40vale.example@host/x.git", "https://host:8443/a/b.git", "ssh://git@host:22/x?y", "host:x.git", "/srv/a?b#c", "file:///srv/a@b"} {
		if r := Redacted(address); r != address {
			t.Errorf("%q is shown as %q", address, r)
		}
	}
}
