package accession

import (
	"context"
	"errors"
	"io"
	"os"

	"muniment/archive/problem"
	"muniment/snapshot/record"
)

// PipePath is the path that means AddOptions.Piped; a file of that name is ./-.
const PipePath = "-"

// A Piped is a file without a path, as another program writes it into a pipe. Its name
// decides whether it is opened as a packed folder, as that of any file does.
type Piped struct {
	Name    string // relative, without ..
	Content io.Reader
}

// input copies the bytes into a temporary file, which packed folders are read from, and
// returns its input and what removes it.
func (p *Piped) input(ctx context.Context) (Input, io.Closer, error) {
	name, encoded := record.EncodeName(nameBase(p.Name))
	if name == "" {
		return Input{}, nil, problem.New(problem.Usage, problem.Next(problem.DoGive, "name", "FILE").With("say what standard input, -, is"), "what comes through the pipe has no name")
	}
	file, kept, err := spool(ctx, p.Content)
	if err != nil {
		if ctx.Err() != nil {
			return Input{}, nil, problem.InterruptedError()
		}
		return Input{}, nil, problem.Wrap(err, name)
	}
	return Input{Path: file, Name: name, Encoded: encoded}, kept, nil
}

// spool copies bytes into a temporary file, which the closer removes.
func spool(ctx context.Context, r io.Reader) (string, io.Closer, error) {
	f, err := os.CreateTemp("", "muniment-pipe-")
	if err != nil {
		return "", nil, err
	}
	_, err = io.Copy(f, untilDone{ctx, r})
	if err = errors.Join(err, f.Close()); err != nil {
		return "", nil, errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), temporary(f.Name()), nil
}

// A temporary is a file that Close removes.
type temporary string

func (t temporary) Close() error { return os.Remove(string(t)) }

// An untilDone reads until its context ends.
type untilDone struct {
	ctx context.Context
	io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(p)
}
