package accession

import (
	"errors"
	"fmt"

	"muniment/text/legible"
)

// A wholeFile is a packed folder or a web archive that is kept unchanged, in addition to the files
// read from it, because a part of it could not be read. One that holds what may not be kept is not
// kept either.
type wholeFile struct {
	wanted bool // something of it is known not to be read
}

// wholeInput returns the input of a packed file itself. unread is how many files in it are
// known not to be read, and damage what is wrong with it, or nil.
func wholeInput(in Input, unread int, damage error) Input {
	in.whole = &wholeFile{wanted: unread > 0 || damage != nil}
	switch {
	case damage != nil:
		in.Facts = map[string]string{"container_damage": legible.Reason(damage)}
	case unread > 0:
		in.Facts = map[string]string{"container_unread": fmt.Sprintf("files that cannot be read: %d", unread)}
	}
	return in
}

// errUnneeded marks a packed file of which everything was read. It is in no result.
var errUnneeded = errors.New("everything in it was read")

// readWholes reads the packed files among the inputs that are to be kept as they are, once
// what lies in them was read; additions has the result of that, and takes the packed files'.
func (in *intake) readWholes(inputs []Input, additions []addition, wholes []readJob, read func(readJob)) {
	if len(wholes) == 0 {
		return
	}
	unread, refused := map[*wholeFile]int{}, map[*wholeFile]string{}
	for i := range inputs {
		w := inputs[i].within
		if w == nil {
			continue
		}
		if err := additions[i].err; err != nil && !errors.Is(err, errEmpty) && !errors.Is(err, errUnneeded) {
			unread[w]++
		}
		for add := range flatten(additions[i : i+1]) {
			var r *refusal
			if add.web || errors.As(add.err, &r) || add.existing.withdrawn && !in.options.Reinstate {
				refused[w] = add.name
			}
		}
	}
	for _, j := range wholes {
		input := &inputs[j.at]
		n := unread[input.whole]
		switch name := refused[input.whole]; {
		case !input.whole.wanted && n == 0:
			additions[j.at].err = errUnneeded
		case name != "":
			additions[j.at] = addition{name: input.Name, encoded: input.Encoded, err: fmt.Errorf("not kept as it is: it holds %s, which is not taken so", legible.Printable(name))}
		default:
			if input.Facts == nil {
				input.Facts = wholeInput(*input, n, nil).Facts
			}
			read(j)
		}
	}
}
