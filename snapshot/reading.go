package snapshot

import (
	"fmt"

	"muniment/objects"
)

// A reading is what one worker reads files with: the bytes of the last payload
// and of the last record lie in rooms of their own until the next one is read.
type reading struct {
	*objects.Reader
	payload, record []byte
}

func (r *reading) readPayload(h objects.Hash) ([]byte, error) { return r.into(&r.payload, h) }
func (r *reading) readRecord(h objects.Hash) ([]byte, error)  { return r.into(&r.record, h) }

func (r *reading) into(room *[]byte, h objects.Hash) ([]byte, error) {
	kind, data, err := r.GetInto(*room, h)
	if err == nil && kind != objects.Blob {
		err = fmt.Errorf("object %s is a %s, want a blob", h, kind)
	}
	if err != nil {
		return nil, err
	}
	if cap(data) > cap(*room) {
		*room = data
	}
	return data, nil
}
