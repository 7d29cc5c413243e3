package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"muniment/archive/payloads"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// PayloadStoreFile is the file of archive.local that names the payload store of this
// copy. It holds no credential.
const PayloadStoreFile = "payload-store"

// maxPayloadStoreFile bounds the file: an address, an endpoint and three words.
const maxPayloadStoreFile = 16 << 10

// PayloadStoreConfig returns what this copy says of its payload store, nil where it
// names none.
func (a *Repository) PayloadStoreConfig() (*payloads.Config, error) {
	path := a.local(PayloadStoreFile)
	data, err := disk.ReadOwnPlain(path, maxPayloadStoreFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, problem.Wrap(err, "payload store")
	}
	c := &payloads.Config{}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err = dec.Decode(c); err == nil {
		err = c.Check()
	}
	if err != nil {
		return nil, problem.New(problem.Damaged, problem.Next(problem.DoNamePayloadStore), "%s is not readable: %w", path, err)
	}
	return c, nil
}

// PayloadStore returns the payload store of this copy, nil where it names none.
func (a *Repository) PayloadStore() (*payloads.Store, error) {
	if a == nil {
		return nil, notOpenError()
	}
	a.storeMu.Lock()
	defer a.storeMu.Unlock()
	if a.payloadStore != nil {
		return a.payloadStore, nil
	}
	c, err := a.PayloadStoreConfig()
	if err != nil || c == nil {
		return nil, err
	}
	a.payloadStore, err = payloads.Open(*c, payloads.Options{})
	return a.payloadStore, PayloadStoreError(err)
}

// PayloadStoreError returns the *Error of a failure of a payload store; it returns nil
// for nil, and an error that is no failure of a store unchanged.
func PayloadStoreError(err error) error {
	var failed *payloads.Error
	switch {
	case err == nil || !errors.As(err, &failed):
		return err
	case errors.Is(err, payloads.ErrNoCredentials):
		return problem.New(problem.Key, problem.Advise("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write a profile into ~/.aws/credentials"), "%w", err)
	case errors.Is(err, payloads.ErrDenied):
		return problem.New(problem.NotPermitted, problem.Advise("the credentials must allow s3:GetObject and s3:PutObject there"), "%w", err)
	case errors.Is(err, payloads.ErrAbsent), errors.Is(err, payloads.ErrWrongBytes):
		return problem.Negative(problem.Damaged, problem.Next(problem.DoRepair).Or(problem.DoCheckPayloads), "%w", err)
	case errors.Is(err, payloads.ErrNoBucket):
		return problem.New(problem.Remote, problem.Next(problem.DoNamePayloadStore).With("or make the bucket"), "%w", err)
	case errors.Is(err, context.Canceled):
		return problem.InterruptedError()
	}
	return problem.New(problem.Remote, problem.Advise("try again when the store can be reached; what is here stays as it is"), "%w", err)
}

// Pointer returns the pointer that stands in a tree in the place of the payload or
// original at path, nil where none does.
func (a *Repository) Pointer(tree objects.Hash, path string) (*record.Pointer, error) {
	return parseFile(a, tree, layout.PointerPath(path), record.ParsePointer)
}

// EachPointer calls fn with each pointer of a tree and its path, in path order.
func (a *Repository) EachPointer(tree objects.Hash, fn func(path string, p *record.Pointer) error) error {
	return problem.Wrap(a.Store().Walk(tree, "", func(path string, _ objects.Hash) error {
		if kind, _ := layout.ClassifyPath(path); kind != layout.KindPointer && kind != layout.KindOriginalPointer {
			return nil
		}
		p, err := a.Pointer(tree, strings.TrimSuffix(path, layout.PointerPath("")))
		if err != nil || p == nil {
			return err
		}
		return fn(path, p)
	}), "pointers")
}

// PointerContent returns a reader of the payload or original id that a pointer names,
// which is read from the payload store; what names it in messages, as "payload of".
func (a *Repository) PointerContent(p *record.Pointer, id cid.ID, what string) (*Content, error) {
	digests, err := p.ObjectDigests()
	if err != nil || p.Payload != id.String() {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoListDamage), "the %s %s has the pointer to %s", what, id, p.Payload)
	}
	store, err := a.PayloadStore()
	if err == nil && store == nil {
		err = problem.New(problem.NotFound, problem.Next(problem.DoNamePayloadStore), "the %s %s lies in a payload store, and this copy names none", what, id)
	}
	if err != nil {
		return nil, err
	}
	c := NewContent(a.Store(), id, what, nil)
	c.parts = len(digests)
	c.part = func(i int) ([]byte, error) {
		data, err := store.Get(context.Background(), digests[i], p.ObjectLimit(i, c.size))
		return data, PayloadStoreError(err)
	}
	return c, nil
}
