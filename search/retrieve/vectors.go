package retrieve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"math"
	"muniment/objects/disk"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// VectorsVersion is the first line of a file of vectors.
const VectorsVersion = "muniment/vectors/v1"

// vectorBatch is how many passages are embedded at once: what endpoints commonly take.
const vectorBatch = 64

// vectorsPerFile bounds what an interruption loses, and the memory of a file being made.
const vectorsPerFile = 4096

// An Embed returns a vector of unit norm for each of at most 64 texts.
type Embed func(ctx context.Context, texts []string) ([][]float32, error)

// Vectors are the embeddings of passages by one model, in a folder. A vector is kept under its
// passage's name, artifact and ordinal, and artifacts never change, so that one that was made is good
// for every snapshot. All vectors are held in memory, four bytes a dimension.
//
// A file has the lines VectorsVersion, the index's Version, the model's name and the number of
// dimensions; then, for every vector, its passage's name, a line feed and the numbers as IEEE 754
// binary32, little endian. Its name is the sha256 of its bytes; one whose name is wrong is ignored.
type Vectors struct {
	dir, model string

	mu     sync.RWMutex
	dims   int
	at     map[string]int // by name of the passage
	names  []string
	values []float32
}

// OpenVectors reads the vectors of a model; dir need not exist.
func OpenVectors(dir, model string) (*Vectors, error) {
	if model == "" || strings.ContainsAny(model, "\n\r") {
		return nil, fmt.Errorf("model %q: a name in one line is wanted", model)
	}
	sum := sha256.Sum256([]byte(Version + "\n" + model))
	v := &Vectors{dir: filepath.Join(dir, hex.EncodeToString(sum[:8])), model: model, at: map[string]int{}}
	files, err := filepath.Glob(filepath.Join(v.dir, "*.vectors"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("vectors: %w", err)
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:])+".vectors" == filepath.Base(f) {
			v.decode(data)
		}
	}
	return v, nil
}

// Model returns the name of the model.
func (v *Vectors) Model() string { return v.model }

// Len returns how many passages have a vector.
func (v *Vectors) Len() int {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return len(v.names)
}

// Covered returns the ID of the snapshot of which every passage has a vector, "" when that is not known.
func (v *Vectors) Covered() string {
	id, err := disk.ReadOwnPlain(filepath.Join(v.dir, coveredFile), maxPointer)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// Cover notes that every passage of a snapshot has a vector.
func (v *Vectors) Cover(snapshot string) error {
	if err := os.MkdirAll(v.dir, 0o755); err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	return disk.WritePlain(filepath.Join(v.dir, coveredFile), []byte(snapshot+"\n"), 0o644)
}

const coveredFile = "snapshot"

func (v *Vectors) header(dims int) string {
	return fmt.Sprintf("%s\n%s\n%s\n%d\n", VectorsVersion, Version, v.model, dims)
}

// decode takes over the vectors of a file, and none of one that is not well formed or of another
// number of dimensions than those before.
func (v *Vectors) decode(data []byte) {
	lines := bytes.SplitN(data, []byte("\n"), 5)
	if len(lines) < 5 {
		return
	}
	dims := number(string(lines[3]))
	if dims < 1 || !bytes.HasPrefix(data, []byte(v.header(dims))) || v.dims != 0 && dims != v.dims {
		return
	}
	var names []string
	var values []float32
	for rest := lines[4]; len(rest) > 0; {
		name, after, ok := bytes.Cut(rest, []byte("\n"))
		if !ok || len(name) == 0 || len(after) < 4*dims {
			return
		}
		for i := range dims {
			values = append(values, math.Float32frombits(binary.LittleEndian.Uint32(after[4*i:])))
		}
		names, rest = append(names, string(name)), after[4*dims:]
	}
	v.take(dims, names, values)
}

func (v *Vectors) take(dims int, names []string, values []float32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.dims = dims
	for i, name := range names {
		if _, ok := v.at[name]; !ok {
			v.at[name] = len(v.names)
			v.names = append(v.names, name)
			v.values = append(v.values, values[i*dims:(i+1)*dims]...)
		}
	}
}

// Add makes the vectors that are missing for the passages of some documents. What was made before an
// error is kept. progress, which may be nil, hears of every batch how many vectors there are.
func (v *Vectors) Add(ctx context.Context, docs iter.Seq2[Doc, error], embed Embed, progress func(done int)) error {
	var names, texts, made []string
	var values []float32
	ask := func() error {
		if len(names) == 0 {
			return nil
		}
		got, err := embed(ctx, texts)
		if err != nil {
			return err
		}
		if len(got) != len(texts) {
			return fmt.Errorf("%d vectors for %d texts", len(got), len(texts))
		}
		for _, vector := range got {
			if v.dims == 0 {
				v.dims = len(vector)
			}
			if len(vector) != v.dims {
				return fmt.Errorf("the model %s gives vectors of %d numbers, and gave %d before", v.model, len(vector), v.dims)
			}
			values = append(values, vector...)
		}
		made = append(made, names...)
		names, texts = nil, nil
		if progress != nil {
			progress(v.Len() + len(made))
		}
		return nil
	}
	keep := func() error {
		err := v.write(made, values)
		if err == nil {
			v.take(v.dims, made, values)
		}
		made, values = nil, nil
		return err
	}
	for d, err := range docs {
		var ps []stored
		if err == nil {
			ps, err = passages(d)
		}
		if err != nil {
			return errors.Join(err, keep())
		}
		for n, p := range ps {
			name := passageID(d.Artifact, n)
			if _, ok := v.at[name]; ok {
				continue
			}
			names, texts = append(names, name), append(texts, p.Text)
			if len(names) < vectorBatch {
				continue
			}
			if err := ask(); err != nil {
				return errors.Join(err, keep())
			}
			if len(made) >= vectorsPerFile {
				if err := keep(); err != nil {
					return err
				}
			}
		}
	}
	err := ask()
	return errors.Join(err, keep())
}

// write makes a file of vectors, aside and then renamed.
func (v *Vectors) write(names []string, values []float32) error {
	if len(names) == 0 {
		return nil
	}
	var b bytes.Buffer
	b.WriteString(v.header(v.dims))
	for i, name := range names {
		b.WriteString(name + "\n")
		for _, x := range values[i*v.dims : (i+1)*v.dims] {
			b.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
		}
	}
	if err := os.MkdirAll(v.dir, 0o755); err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	f, err := os.CreateTemp(v.dir, "build-")
	if err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b.Bytes())
	sum := sha256.Sum256(b.Bytes())
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	return os.Rename(f.Name(), filepath.Join(v.dir, hex.EncodeToString(sum[:])+".vectors"))
}

// A near is a passage and the cosine of its vector with another one.
type near struct {
	name   string
	cosine float64
}

// nearest returns the k passages whose vectors are nearest, by cosine and then by name. It reads
// every vector.
func (v *Vectors) nearest(q []float32, k int, hidden map[string]bool) []near {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if len(q) != v.dims {
		return nil
	}
	var out []near
	order := func(a, b near) int {
		return cmp.Or(cmp.Compare(b.cosine, a.cosine), strings.Compare(a.name, b.name))
	}
	for i, name := range v.names {
		n := near{name, cosine(q, v.values[i*v.dims:(i+1)*v.dims])}
		if len(out) == k && order(out[k-1], n) < 0 || hidden[artifactOf(name)] {
			continue
		}
		at, _ := slices.BinarySearchFunc(out, n, order)
		if out = slices.Insert(out, at, n); len(out) > k {
			out = out[:k]
		}
	}
	return out
}

func cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
