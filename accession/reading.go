package accession

import (
	"context"
	"errors"
	"sync"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/objects"
)

// readInputs reads every input, brings it into canonical form and puts its
// payload and original into the batch. The result has an addition per input, in
// the same order.
func readInputs(ctx context.Context, a *archive.Archive, b *objects.Batch, lookup *holdings.Lookup, inputs []Input, now string, o AddOptions) ([]addition, error) {
	store, err := a.PayloadStore()
	if err != nil && !o.DryRun {
		return nil, err
	}
	in := &intake{archive: a, batch: b, lookup: lookup, now: now, options: o, payloadStore: store}
	if o.OCR != "" {
		if in.ocr, err = findOCR(o.OCR); err != nil {
			return nil, err
		}
	}
	return in.readAll(ctx, inputs)
}

// readAll reads every input, those that are texts of others after the others.
func (in *intake) readAll(ctx context.Context, inputs []Input) ([]addition, error) {
	o := in.options
	out := make([]addition, len(inputs))
	var mu sync.Mutex
	done := 0
	finished := make([]bool, len(inputs))
	read := func(j readJob) {
		out[j.at] = in.read(ctx, inputs[j.at], j)
		inputs[j.at].Fetch, inputs[j.at].Facts = nil, nil // a packed folder has a hundred thousand
		mu.Lock()
		defer mu.Unlock()
		finished[j.at] = true
		done++
		if o.Progress != nil {
			o.Progress(done, len(inputs))
		}
	}
	waiting, wholes := in.readSome(ctx, inputs, read)
	for _, j := range waiting {
		if link := inputs[j.at].textOf; !link.resolve(out) {
			inputs[j.at].textOf = nil
		}
		if ctx.Err() != nil {
			break
		}
		read(j)
	}
	if ctx.Err() != nil && !o.Keep {
		return nil, problem.InterruptedError()
	}
	if ctx.Err() == nil {
		in.readWholes(inputs, out, wholes, read)
	}
	for i := range out {
		if !finished[i] && out[i].err == nil {
			out[i] = addition{name: inputs[i].Name, encoded: inputs[i].Encoded, err: errInterrupted}
		}
	}
	for add := range flatten(out) {
		var fault storeError
		if errors.As(add.err, &fault) {
			return nil, problem.Wrap(fault.err, "add "+add.name)
		}
	}
	return out, nil
}

// maxWaiting is how many bytes of texts may wait in memory for the scans that they belong
// to: a packed folder is read in one pass. Those beyond are read as any other text.
const maxWaiting = 64 << 20

// readSome calls read, from several goroutines, for every input but the texts of others
// and the packed files of which others are parts. These it returns.
func (*intake) readSome(ctx context.Context, inputs []Input, read func(readJob)) (waiting, wholes []readJob) {
	jobs := make(chan readJob)
	var wg sync.WaitGroup
	for range addWorkers {
		wg.Go(func() {
			for j := range jobs {
				read(j)
			}
		})
	}
	defer wg.Wait()
	defer close(jobs)
	held := 0 // bytes
	for i := range inputs {
		j := readJob{at: i}
		if inputs[i].whole != nil {
			wholes = append(wholes, j)
			continue
		}
		if inputs[i].Fetch != nil { // in order: a packed folder is read in one pass
			j.got, j.err = inputs[i].Fetch(ctx)
			if j.got.stream != nil || len(j.got.Data) > maxWhole { // and nothing is fetched behind it meanwhile
				inputs[i].textOf = nil
				read(j)
				continue
			}
		}
		if inputs[i].textOf != nil {
			if held += len(j.got.Data); held <= maxWaiting {
				waiting = append(waiting, j)
				continue
			}
			inputs[i].textOf = nil
		}
		select {
		case <-ctx.Done():
			return waiting, wholes
		case jobs <- j:
		}
	}
	return waiting, wholes
}

// A readJob is the place of an input among all, for a worker, with the body of
// an input that is fetched rather than read from a file.
type readJob struct {
	at  int
	got Body
	err error
}
