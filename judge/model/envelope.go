package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// maxObjects is how many objects are looked for in a reply: a model that thinks aloud
// writes a few, and each is parsed to its end.
const maxObjects = 32

// object finds the one JSON object in a reply that has the named members, in any case, and returns it with all names in
// lower case. What stands around it is skipped. The error is a *ReplyError.
func object(reply string, names ...string) (map[string]json.RawMessage, error) {
	reply = withoutThoughts(reply)
	var found map[string]json.RawMessage
	var first []byte
	var fault error
	for tries := 0; tries < maxObjects; tries++ {
		at := strings.IndexByte(reply, '{')
		if at < 0 {
			break
		}
		reply = reply[at:]
		var raw json.RawMessage
		dec := json.NewDecoder(strings.NewReader(reply))
		if dec.Decode(&raw) != nil {
			reply = reply[1:]
			continue
		}
		reply = reply[dec.InputOffset():]
		members, err := membersOf(raw, names)
		switch {
		case err != nil:
			fault = err
		case members == nil:
		case found != nil && !bytes.Equal(raw, first):
			return nil, &ReplyError{"it holds two objects that differ"}
		default:
			found, first = members, raw
		}
	}
	switch {
	case fault != nil:
		return nil, &ReplyError{fault.Error()}
	case found == nil:
		return nil, &ReplyError{"it holds no JSON object with the members " + strings.Join(names, ", ")}
	}
	return found, nil
}

// membersOf returns the members of an object by their names in lower case; nil where
// one of the named is missing. The error is about an object that has one twice.
func membersOf(raw json.RawMessage, names []string) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, nil
	}
	lower := make(map[string]json.RawMessage, len(members))
	for name, value := range members {
		low := strings.ToLower(name)
		if lower[low] != nil {
			return nil, fmt.Errorf("member %q stands twice", low)
		}
		lower[low] = value
	}
	for _, n := range names {
		if lower[n] == nil {
			return nil, nil
		}
	}
	return lower, once(raw)
}

// thoughtEnd and thoughtStart are the tags around what a model thinks aloud.
var (
	thoughtEnd   = regexp.MustCompile(`(?i)</(?:think|thinking|reasoning)>`)
	thoughtStart = regexp.MustCompile(`(?i)<(?:think|thinking|reasoning)>`)
)

// withoutThoughts returns a reply without the thoughts that precede it. Some templates write the
// closing tag only; a thought that never ends hides the rest.
func withoutThoughts(reply string) string {
	if all := thoughtEnd.FindAllStringIndex(reply, -1); len(all) > 0 {
		reply = reply[all[len(all)-1][1]:]
	}
	if at := thoughtStart.FindStringIndex(reply); at != nil {
		reply = reply[:at[0]]
	}
	return reply
}

// texts reads a reply that holds one JSON object with the named members, each a text. The error is a *ReplyError.
func texts(reply string, names ...string) (map[string]string, error) {
	members, err := object(reply, names...)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(names))
	for _, n := range names {
		var text *string
		if json.Unmarshal(members[n], &text) != nil || text == nil {
			return nil, &ReplyError{n + " is no text"}
		}
		if strings.ContainsRune(*text, 0) {
			return nil, &ReplyError{n + " holds a NUL"}
		}
		out[n] = *text
	}
	return out, nil
}

// once requires one JSON value without repeated members.
func once(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := value(dec, 0); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the JSON value")
	}
	return nil
}

// maxDepth is how deep a response may be nested: the protocol's have five.
const maxDepth = 32

func value(dec *json.Decoder, depth int) error {
	token, err := dec.Token()
	if err != nil {
		return errors.New("it is not JSON")
	}
	if depth > maxDepth {
		return errors.New("it is nested too deeply")
	}
	switch token {
	case json.Delim('{'):
		seen := map[string]bool{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return errors.New("it is not JSON")
			}
			name, _ := key.(string)
			if seen[name] {
				return fmt.Errorf("member %q stands twice", name)
			}
			seen[name] = true
			if err := value(dec, depth+1); err != nil {
				return err
			}
		}
	case json.Delim('['):
		for dec.More() {
			if err := value(dec, depth+1); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	if _, err := dec.Token(); err != nil { // the closing bracket
		return errors.New("it is not JSON")
	}
	return nil
}
