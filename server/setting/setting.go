// Package setting holds what an operator sets of a server: addresses, keys, certificates,
// proxies and limits.
//
//	s := setting.New()
//	err := s.Read(file)          // lines NAME=value
//	err = s.Environment(getenv)  // the same names
//	err = s.Write(os.Stdout)     // every setting with its value and its meaning
//
// A file has one setting a line, NAME=value, in the form that EnvironmentFile= of systemd and
// env_file of compose read too; lines that begin with # and empty lines are skipped. What Write
// writes Read reads. A name that no setting has, a name twice and a value of another form are
// errors with the number of the line. Durations are written as 90s, 2m or 24h; sizes in bytes,
// or as 64KiB, 16MiB or 1GiB; lists with commas.
package setting

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"muniment/server"
)

// Prefix begins the name of every setting, in files and in the environment.
const Prefix = "MUNIMENT_SERVE_"

// MaxFile bounds a file of settings: all of them with their comments take 4 KiB.
const MaxFile = 64 << 10

// DefaultListen is the address of a server that sets none.
const DefaultListen = "127.0.0.1:8437"

// Settings hold the configuration of a server. Make them with New.
type Settings struct {
	Listen      string         // host:port; port 0 is a free one
	Hosts       []string       // names under which callers ask, in addition to the address
	Key         string         // file of the private key that signs answers; "" is the standard key
	ReviewKey   string         // file of the private key that signs the archivist's reviews; "" is none
	Trust       string         // file of the trust root or allowed_signers for posted bundles; "" is none
	Certificate string         // file of the TLS certificate chain, PEM; "" serves HTTP
	TLSKey      string         // file of its private key
	Webhooks    []string       // addresses to which events are posted
	HookSecret  string         // file of the secret that signs them
	Proxies     []netip.Prefix // whose X-Forwarded-For and X-Forwarded-Host count

	HeaderTime time.Duration // for a request's headers
	ReadTime   time.Duration // for a request
	WriteTime  time.Duration // for a reply; events have no end
	IdleTime   time.Duration // of a connection without a request
	StopTime   time.Duration // for the calls under way when the server is stopped
	Headers    int           // bytes of a request's headers

	Limits server.Limits

	all *flag.FlagSet
}

// New returns the settings of a server that sets nothing.
func New() *Settings {
	s := &Settings{Limits: server.DefaultLimits()}
	f := flag.NewFlagSet("", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	s.all = f
	text := func(at *string, name, value, meaning string) { f.StringVar(at, name, value, meaning) }
	text(&s.Listen, "listen", DefaultListen, "address to listen on, host:port; port 0 is a free one")
	f.Var((*names)(&s.Hosts), "hosts", "names under which callers ask, in addition to the address")
	text(&s.Key, "key", "", "file of the private key that signs answers; empty is the standard key")
	text(&s.ReviewKey, "review_key", "", "file of the private key that signs the archivist's reviews")
	text(&s.Trust, "trust", "", "file of the trust root or allowed_signers that posted bundles are verified with")
	text(&s.Certificate, "tls_cert", "", "file of the TLS certificate chain, PEM; empty serves HTTP")
	text(&s.TLSKey, "tls_key", "", "file of the private key of the certificate, PEM")
	f.Var((*prefixes)(&s.Proxies), "proxies", "addresses of proxies, such as 10.0.0.0/8, whose X-Forwarded-For and X-Forwarded-Host count")

	f.Var((*names)(&s.Webhooks), "webhooks", "addresses to which what happens is posted, https or on this machine")
	text(&s.HookSecret, "webhook_secret", "", "file of the secret that signs what is posted: whsec_ and 24 to 64 bytes in Base64")

	f.DurationVar(&s.HeaderTime, "header_time", 10*time.Second, "time for a request's headers: a program sends them at once")
	f.DurationVar(&s.ReadTime, "read_time", time.Minute, "time for a request: some megabytes over a slow line")
	f.DurationVar(&s.WriteTime, "write_time", 3*time.Minute, "time for a reply: longer than call_time")
	f.DurationVar(&s.IdleTime, "idle_time", 2*time.Minute, "time of a connection without a request")
	f.DurationVar(&s.StopTime, "stop_time", 30*time.Second, "time for the calls under way when the server is stopped")
	size := func(at *int, name string, value int, meaning string) {
		*at = value
		f.Var((*amount)(at), name, meaning)
	}
	size(&s.Headers, "headers", 32<<10, "bytes of a request's headers")

	l, d := &s.Limits, server.DefaultLimits()
	count := func(at *int, name string, value int, meaning string) {
		*at = value
		f.Var((*number)(at), name, meaning)
	}
	count(&l.Readers, "readers", d.Readers, "calls that read the archive at a time")
	count(&l.CallsPerSecond, "calls_per_second", d.CallsPerSecond, "calls of one principal a second, in the long run")
	count(&l.CallsAtOnce, "calls_at_once", d.CallsAtOnce, "calls that one principal may have saved up")
	f.DurationVar(&l.CallTime, "call_time", d.CallTime, "longest time of one call")
	f.DurationVar(&l.StreamTime, "stream_time", d.StreamTime, "longest time of a call that answers with events")
	count(&l.Streams, "streams", d.Streams, "calls that answer with their progress at a time")
	count(&l.Listeners, "listeners", d.Listeners, "calls that follow events at a time; a principal has a fourth of them")
	size(&l.KeepPerSecond, "keep_per_second", d.KeepPerSecond, "bytes a second that one principal has the archive keep, in the long run")
	size(&l.KeepAtOnce, "keep_at_once", d.KeepAtOnce, "bytes of these that one principal may have saved up")
	size(&l.Body, "body", d.Body, "bytes of a body that carries a bundle, documents or many citations")
	size(&l.TextBody, "text_body", d.TextBody, "bytes of every other body")
	size(&l.Draft, "draft", d.Draft, "bytes of a draft")
	size(&l.BodyMemory, "body_memory", d.BodyMemory, "bytes of all bodies at a time; decoding takes six times as much")
	f.DurationVar(&l.BodyWait, "body_wait", d.BodyWait, "longest wait of a body for memory that others hold")
	count(&l.Waiting, "waiting", d.Waiting, "calls that wait to register citations")
	count(&l.Answers, "answers", d.Answers, "answers kept for the pages of each principal")
	size(&l.AnswerMemory, "answer_memory", d.AnswerMemory, "bytes of all answers kept for pages")
	count(&l.Replies, "replies", d.Replies, "replies kept for the idempotency keys of each principal")
	size(&l.ReplyMemory, "reply_memory", d.ReplyMemory, "bytes of all kept replies")
	f.DurationVar(&l.ReplyAge, "reply_age", d.ReplyAge, "time after which a kept reply is dropped")
	size(&l.Pictures, "pictures", d.Pictures, "bytes of pictures made for pages that are kept")
	return s
}

// errNotMade is the error of every call of Settings that New did not make.
var errNotMade = errors.New("the settings are not made: New returns settings")

// variable returns the name of a setting in files and in the environment.
func variable(name string) string { return Prefix + strings.ToUpper(name) }

// Set sets one setting by its name in a file.
func (s *Settings) Set(name, value string) error {
	if s.all == nil {
		return errNotMade
	}
	short, ok := strings.CutPrefix(name, Prefix)
	if !ok || short != strings.ToUpper(short) || s.all.Lookup(strings.ToLower(short)) == nil {
		return fmt.Errorf("no setting is named %q", name)
	}
	f := s.all.Lookup(strings.ToLower(short))
	if err := f.Value.Set(value); err != nil {
		return fmt.Errorf("%s=%q is no value of it: %s", name, value, f.Usage)
	}
	if d, ok := f.Value.(flag.Getter); ok {
		if t, ok := d.Get().(time.Duration); ok && t <= 0 {
			return fmt.Errorf("%s=%q is not above 0", name, value)
		}
	}
	return nil
}

// Read applies the lines of a file.
func (s *Settings) Read(r io.Reader) error {
	lines, seen := bufio.NewScanner(io.LimitReader(r, MaxFile+1)), map[string]bool{}
	n, read := 0, 0
	for lines.Scan() {
		n++
		line := lines.Text()
		if read += len(line) + 1; read > MaxFile {
			return fmt.Errorf("more than %d bytes of settings", MaxFile)
		}
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			return fmt.Errorf("line %d is not NAME=value", n)
		}
		if seen[name] {
			return fmt.Errorf("line %d: %s is set twice", n, name)
		}
		seen[name] = true
		if err := s.Set(name, value); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}

// Environment applies variables of the environment, which environ has as NAME=value; an empty one
// sets nothing. A variable with Prefix that names no setting is an error.
func (s *Settings) Environment(environ []string) error {
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, Prefix) || value == "" {
			continue
		}
		if err := s.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// Write writes every setting with its meaning and value, as Read reads them.
func (s *Settings) Write(w io.Writer) error {
	if s.all == nil {
		return errNotMade
	}
	var err error
	s.all.VisitAll(func(f *flag.Flag) {
		_, e := fmt.Fprintf(w, "# %s\n%s=%s\n", f.Usage, variable(f.Name), f.Value)
		err = errors.Join(err, e)
	})
	return err
}

// A number is a count above 0.
type number int

func (n *number) String() string { return strconv.Itoa(int(*n)) }

func (n *number) Set(value string) error {
	v, err := strconv.Atoi(value)
	if err != nil || v < 1 {
		return errors.New("not a number above 0")
	}
	*n = number(v)
	return nil
}

// An amount is a number of bytes above 0.
type amount int

// units are the units of sizes, the largest first.
var units = []struct {
	name string
	size int
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

func (b *amount) String() string {
	for _, u := range units {
		if n := int(*b); n != 0 && n%u.size == 0 {
			return strconv.Itoa(n/u.size) + u.name
		}
	}
	return strconv.Itoa(int(*b))
}

func (b *amount) Set(value string) error {
	size := 1
	for _, u := range units {
		if rest, ok := strings.CutSuffix(value, u.name); ok {
			value, size = rest, u.size
			break
		}
	}
	v, err := strconv.Atoi(value)
	if err != nil || v < 1 || v > (1<<40)/size {
		return errors.New("not a size above 0 and up to 1024GiB")
	}
	*b = amount(v * size)
	return nil
}

// names is a list of names.
type names []string

func (n *names) String() string { return strings.Join(*n, ",") }

func (n *names) Set(value string) error {
	*n = nil
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name != "" {
			*n = append(*n, name)
		}
	}
	return nil
}

// prefixes is a list of addresses and networks.
type prefixes []netip.Prefix

func (p *prefixes) String() string {
	var out []string
	for _, one := range *p {
		out = append(out, one.String())
	}
	return strings.Join(out, ",")
}

func (p *prefixes) Set(value string) error {
	*p = nil
	for text := range strings.SplitSeq(value, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		one, err := netip.ParsePrefix(text)
		if err != nil {
			a, err := netip.ParseAddr(text)
			if err != nil {
				return err
			}
			one = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen())
		}
		*p = append(*p, one.Masked())
	}
	return nil
}
