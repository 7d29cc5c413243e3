package retrieve

import (
	"bytes"
	"context"
	"iter"
	"runtime"
	"sync"
)

// batchSize is about how many passages a batch has. A batch is an fsync, and a segment of
// the index to merge later, and lies in memory.
const batchSize = 4000

// usualPassage is how many bytes of prose have a passage, about.
const usualPassage = 500

// documents reads documents and cuts them into passages on all processors.
type documents struct {
	pull func() (Doc, error, bool)
	stop func()
}

func newDocuments(add iter.Seq2[Doc, error]) *documents {
	d := &documents{}
	d.pull, d.stop = iter.Pull2(add)
	return d
}

// A cutDocument is the passages of a document.
type cutDocument struct {
	artifact string
	passages []stored
}

// next returns the documents of one batch of about so many passages, in their order; none
// after the last.
func (d *documents) next(ctx context.Context, most int) ([]cutDocument, error) {
	var docs []Doc
	for size := 0; size < most*usualPassage; {
		doc, err, ok := d.pull()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		size += 1 + len(doc.Document.Payload())
		if doc.Rows {
			size += usualPassage * bytes.Count(doc.Document.Payload(), []byte{'\n'})
		}
		docs = append(docs, doc)
	}
	cut := make([]cutDocument, len(docs))
	faults := make([]error, len(docs))
	var workers sync.WaitGroup
	at := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(docs)) {
		workers.Go(func() {
			for i := range at {
				ps, err := passages(docs[i])
				cut[i], faults[i] = cutDocument{docs[i].Artifact, ps}, err
			}
		})
	}
	for i := range docs {
		at <- i
	}
	close(at)
	workers.Wait()
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	return cut, ctx.Err()
}
