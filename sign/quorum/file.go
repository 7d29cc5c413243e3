package quorum

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muniment/sign"
)

// MaxFile is the most bytes of a policy file: 96 lines with long names and comments.
const MaxFile = 64 << 10

// Parse reads a policy file of C2SP tlog-policy. Its limits are those of this package, addresses
// of logs and witnesses are read and left out, and it has neither organisations nor a key of
// another type than Ed25519: an unknown type is an error, as whoever wrote the line counts on it.
func Parse(data []byte) (*Policy, error) {
	p, err := parse(data)
	if err == nil {
		err = p.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("witness policy: %w", err)
	}
	return p, nil
}

func parse(data []byte) (*Policy, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("%d bytes, at most %d", len(data), MaxFile)
	}
	for i, c := range data {
		if c < ' ' && c != '\t' && c != '\n' || c == 0x7F {
			return nil, fmt.Errorf("byte %d is 0x%02x, a control character", i+1, c)
		}
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		return nil, errors.New("does not end in a line end")
	}
	f := &file{policy: &Policy{}, in: make(map[string]*string)}
	for i, line := range strings.Split(string(data), "\n") {
		items := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
		if len(items) == 0 || strings.HasPrefix(items[0], "#") {
			continue
		}
		if err := f.line(items); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if f.policy.Quorum == "" {
		return nil, errors.New("no quorum line")
	}
	for i, w := range f.policy.Witnesses {
		f.policy.Witnesses[i].Group = *f.in[w.Name]
	}
	for i, g := range f.policy.Groups {
		f.policy.Groups[i].Group = *f.in[g.Name]
	}
	return f.policy, nil
}

// A file is a policy whose lines are being read.
type file struct {
	policy *Policy
	in     map[string]*string // by the name of each witness and group, the group it is in
}

func (f *file) line(items []string) error {
	words := items[1:]
	switch kind := items[0]; {
	case kind == "log" && (len(words) == 1 || len(words) == 2):
		return f.log(words[0])
	case kind == "witness" && (len(words) == 2 || len(words) == 3):
		c, err := sign.ParseCosigner(words[1])
		if err != nil {
			return err
		}
		f.policy.Witnesses = append(f.policy.Witnesses, Witness{Name: words[0], Cosigner: c})
		return f.define(words[0])
	case kind == "group" && len(words) >= 3:
		return f.group(words[0], words[1], words[2:])
	case kind == "quorum" && len(words) == 1:
		if f.policy.Quorum != "" {
			return errors.New("a second quorum line")
		}
		if _, ok := f.in[words[0]]; !ok && words[0] != None {
			return fmt.Errorf("quorum %q is not defined before it", words[0])
		}
		f.policy.Quorum = words[0]
		return nil
	}
	return fmt.Errorf("is %q with %d values, want log, witness, group or quorum and what belongs to it", items[0], len(words))
}

func (f *file) log(vkey string) error {
	l, err := sign.ParseLogKey(vkey)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(f.policy.Logs, func(o sign.LogKey) bool { return o.Key().Point() == l.Key().Point() }) {
		return fmt.Errorf("log %s has the key of another", l.Name())
	}
	f.policy.Logs = append(f.policy.Logs, l)
	return nil
}

// define takes a name that no line had before.
func (f *file) define(name string) error {
	if _, ok := f.in[name]; ok || name == None {
		return fmt.Errorf("the name %q is taken", name)
	}
	f.in[name] = new(string)
	return nil
}

func (f *file) group(name, needs string, members []string) error {
	g := Group{Name: name}
	switch needs {
	case "all":
		g.Needs = All
	case "any":
		g.Needs = 1
	default:
		n, err := strconv.Atoi(needs)
		if err != nil || strconv.Itoa(n) != needs || n < 1 || n > len(members) {
			return fmt.Errorf("group %s needs %q, want all, any or 1 to %d", name, needs, len(members))
		}
		g.Needs = n
	}
	for _, m := range members {
		in, ok := f.in[m]
		if !ok || *in != "" {
			return fmt.Errorf("group %s: member %q is not defined before it, or is a member already", name, m)
		}
		*in = name
	}
	f.policy.Groups = append(f.policy.Groups, g)
	return f.define(name)
}
