package snapshot

import (
	"fmt"

	"muniment/objects"
)

// A blobReader reads blobs for one worker. The bytes of the last payload, and
// those of the last record, are valid until the next one is read.
type blobReader struct {
	*objects.Reader
	payload, record []byte
}

func (r *blobReader) readPayload(h objects.Hash) ([]byte, error) { return r.into(&r.payload, h) }
func (r *blobReader) readRecord(h objects.Hash) ([]byte, error)  { return r.into(&r.record, h) }

func (r *blobReader) into(room *[]byte, h objects.Hash) ([]byte, error) {
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
