package leaf

import (
	"encoding/json"
	"fmt"

	"muniment/cid/jcs"
)

// An Unread leaf is of a newer type than this program reads. Its bytes are those that were
// signed, and all that is known of it is its header.
type Unread struct {
	Header
	Newer *jcs.NewerError
}

func (*Unread) kind() Kind            { return "" }
func (*Unread) check() error          { return nil }
func (*Unread) refs(to []Ref) []Ref   { return to }
func (l *Unread) remap(to []int) Leaf { c := *l; return &c }

// ParseUnread reads the header of a leaf that ParseLeaf found newer. Every version of a
// leaf is canonical JSON and has the members of Header.
func ParseUnread(data []byte, newer *jcs.NewerError) (*Unread, error) {
	if err := jcs.Check(data, newer.Type, MaxSize); err != nil {
		return nil, err
	}
	l := &Unread{Header: Header{Index: -1}, Newer: newer}
	if err := json.Unmarshal(data, &l.Header); err != nil {
		return nil, fmt.Errorf("header of a leaf of type %s: %w", newer.Type, err)
	}
	if h := l.Header; h.Kind == "" || !IsHex(h.Salt, SaltSize) {
		return nil, fmt.Errorf("a leaf of type %s has not the members kind and salt of every leaf", newer.Type)
	}
	return l, nil
}
