package remote

import "testing"

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
