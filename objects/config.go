package objects

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"muniment/objects/object"
)

// headText is the content of HEAD: the one branch of an archive.
const headText = "ref: refs/heads/main\n"

// required are the settings that Init writes into config and Doctor expects there.
var required = []struct{ key, value, why string }{
	{"core.repositoryformatversion", "0", "any git reads it"},
	{"core.filemode", "true", ""},
	{"core.bare", "true", "there is no working tree to be tricked by"},
	{"core.usereplacerefs", "false", "a replace ref would show other content under a name"},
	{"core.logallrefupdates", "false", "history is in the snapshots"},
	{"core.fsync", "all", "stock git syncs what it writes here"},
	{"gc.auto", "0", "no git command repacks on its own"},
	{"maintenance.auto", "false", "no git command repacks on its own"},
	{"receive.unpacklimit", "1", "pushes stay packs"},
	{"receive.denynonfastforwards", "true", "snapshots are never rewritten"},
	{"receive.denydeletes", "true", "snapshots are never rewritten"},
}

// spelling gives the keys as git's manual writes them.
var spelling = map[string]string{
	"usereplacerefs": "useReplaceRefs", "logallrefupdates": "logAllRefUpdates", "unpacklimit": "unpackLimit",
	"denynonfastforwards": "denyNonFastForwards", "denydeletes": "denyDeletes",
}

// configText returns the config file that Init writes.
func configText() string {
	var b strings.Builder
	last := ""
	for _, r := range required {
		section, name, _ := strings.Cut(r.key, ".")
		if section != last {
			fmt.Fprintf(&b, "[%s]\n", section)
			last = section
		}
		if s, ok := spelling[name]; ok {
			name = s
		}
		fmt.Fprintf(&b, "\t%s = %s\n", name, r.value)
	}
	return b.String()
}

// maxConfig bounds the config file in bytes; remotes need a few hundred each.
const maxConfig = 1 << 20

// A config holds the last value of every key, keys in lower case except for
// the quoted part of a section.
type config map[string]string

// readConfig reads a config file of at most maxConfig bytes.
func readConfig(path string) (config, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.Size() > maxConfig {
		return nil, fmt.Errorf("config of %d bytes, limit %d", st.Size(), maxConfig)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseConfig(string(data)), nil
}

// parseConfig reads git's configuration syntax as far as the keys this
// package looks at can use it: sections, plain and quoted values, comments.
func parseConfig(text string) config {
	c := config{}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			name, rest, _ := strings.Cut(line[1:], "]")
			head, quoted, sub := strings.Cut(name, " ")
			section = strings.ToLower(head)
			if sub {
				section += "." + strings.Trim(strings.TrimSpace(quoted), `"`)
			}
			if line = strings.TrimSpace(rest); line == "" {
				continue
			}
		}
		key, value, assigned := strings.Cut(line, "=")
		if !assigned {
			value = "true"
		}
		c[section+"."+strings.ToLower(strings.TrimSpace(key))] = configValue(value)
	}
	return c
}

// configValue returns a value without quotes or comment.
func configValue(v string) string {
	v = strings.TrimSpace(v)
	if strings.HasPrefix(v, `"`) {
		v, _, _ = strings.Cut(v[1:], `"`)
		return v
	}
	if i := strings.IndexAny(v, "#;"); i >= 0 {
		v = strings.TrimSpace(v[:i])
	}
	return v
}

// checkSupported refuses a repository format that this package would misread.
func (c config) checkSupported() error {
	if v := c["core.repositoryformatversion"]; v != "" && v != "0" && v != "1" {
		return fmt.Errorf("repository format version %q, want 0", object.Clip(v))
	}
	for key, value := range c {
		name, ok := strings.CutPrefix(key, "extensions.")
		if !ok {
			continue
		}
		switch {
		case name == "objectformat" && value == "sha1", name == "refstorage" && value == "files":
		case name == "noop", name == "preciousobjects", name == "worktreeconfig":
		default:
			return fmt.Errorf("repository extension %s = %s is not supported", object.Clip(name), object.Clip(value))
		}
	}
	return nil
}

// differences returns an error for each key that is not as Init wrote it.
func (c config) differences() []error {
	var out []error
	for _, r := range required {
		if v := c[r.key]; !sameValue(v, r.value) {
			e := fmt.Sprintf("%s is %q, want %q", r.key, object.Clip(v), r.value)
			if r.why != "" {
				e += ": " + r.why
			}
			out = append(out, errors.New(e))
		}
	}
	return out
}

// sameValue reports whether git reads two values as the same: a truth value has
// several spellings.
func sameValue(have, want string) bool {
	switch strings.ToLower(have) {
	case "yes", "on":
		have = "true"
	case "no", "off":
		have = "false"
	}
	if want == "true" && have == "1" || want == "false" && have == "0" {
		return true
	}
	return strings.EqualFold(have, want)
}
