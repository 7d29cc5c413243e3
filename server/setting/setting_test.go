package setting

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"muniment/server"
)

// TestWritten checks that what Write writes sets nothing new when it is read, and everything when
// another value is in it.
func TestWritten(t *testing.T) {
	s := New()
	if s.Limits != server.DefaultLimits() {
		t.Errorf("the limits are %+v", s.Limits)
	}
	for _, line := range []string{"LISTEN=0.0.0.0:80", "HOSTS=archive.example.org,B.example", "PROXIES=10.1.2.3/8,::1", "BODY=3MiB", "CALL_TIME=90s", "READERS=9", "TLS_CERT=/etc/c.pem"} {
		name, value, _ := strings.Cut(line, "=")
		if err := s.Set(Prefix+name, value); err != nil {
			t.Fatal(err)
		}
	}
	if s.Limits.Body != 3<<20 || s.Limits.CallTime != 90*time.Second || s.Limits.Readers != 9 || s.Proxies[0].String() != "10.0.0.0/8" || s.Proxies[1].String() != "::1/128" || s.Hosts[1] != "B.example" {
		t.Errorf("%+v", s)
	}
	var first, second bytes.Buffer
	if err := s.Write(&first); err != nil {
		t.Fatal(err)
	}
	again := New()
	if err := again.Read(strings.NewReader(first.String())); err != nil {
		t.Fatal(err)
	}
	if err := again.Write(&second); err != nil || first.String() != second.String() {
		t.Errorf("%v\n%s\n%s", err, first.String(), second.String())
	}
	again.all, s.all = nil, nil
	if !reflect.DeepEqual(again, s) {
		t.Errorf("%+v\n%+v", again, s)
	}
}

// TestEveryLimit checks that each limit of a server has its setting.
func TestEveryLimit(t *testing.T) {
	s := New()
	limits := reflect.TypeFor[server.Limits]()
	n := 0
	for i := range limits.NumField() {
		name, value := limits.Field(i).Name, "77"
		if limits.Field(i).Type == reflect.TypeFor[time.Duration]() {
			value = "77s"
		}
		var snake strings.Builder
		for i, r := range name {
			if i > 0 && r >= 'A' && r <= 'Z' {
				snake.WriteByte('_')
			}
			snake.WriteRune(r)
		}
		if err := s.Set(Prefix+strings.ToUpper(snake.String()), value); err != nil {
			t.Error(err)
		}
		if got := reflect.ValueOf(s.Limits).Field(i).Int(); got != 77 && got != int64(77*time.Second) {
			t.Errorf("%s is %d", name, got)
		}
		n++
	}
	if n < 20 {
		t.Errorf("%d limits", n)
	}
}

func TestRefused(t *testing.T) {
	for _, file := range []string{
		"MUNIMENT_SERVE_LISTN=x\n", "LISTEN=x\n", "MUNIMENT_SERVE_listen=x\n", "MUNIMENT_SERVE_READERS\n",
		"MUNIMENT_SERVE_READERS=0\n", "MUNIMENT_SERVE_READERS=-1\n", "MUNIMENT_SERVE_READERS=4 readers\n",
		"MUNIMENT_SERVE_BODY=16MB\n", "MUNIMENT_SERVE_BODY=9999999GiB\n", "MUNIMENT_SERVE_CALL_TIME=90\n", "MUNIMENT_SERVE_CALL_TIME=0s\n",
		"MUNIMENT_SERVE_PROXIES=10.0.0.0/99\n", "MUNIMENT_SERVE_READERS=1\nMUNIMENT_SERVE_READERS=2\n",
		strings.Repeat("#\n", MaxFile),
	} {
		if err := New().Read(strings.NewReader(file)); err == nil {
			t.Errorf("%.60q is read", file)
		}
	}
	if err := New().Environment([]string{"HOME=/x", Prefix + "READERS=", Prefix + "REDERS=3"}); err == nil || !strings.Contains(err.Error(), "REDERS") {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("MUNIMENT_SERVE_READERS=3\n# a comment\nMUNIMENT_SERVE_BODY=2MiB\n")
	f.Fuzz(func(t *testing.T, file string) {
		s := New()
		if s.Read(strings.NewReader(file)) != nil {
			return
		}
		var out bytes.Buffer
		if err := s.Write(&out); err != nil {
			t.Fatal(err)
		}
		if err := New().Read(&out); err != nil {
			t.Errorf("%q is written as %q: %v", file, out.String(), err)
		}
	})
}
