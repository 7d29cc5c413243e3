package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"muniment/accession/sourcemeta"
	"muniment/canon/media"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/handover/bagit"
	"muniment/objects"
	"muniment/objects/chunk"
	"muniment/objects/pack"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
)

// judgeBag validates a bag: files with a line before each that gives path and length.
func judgeBag(q question) (string, error) {
	bag := fstest.MapFS{}
	for rest := q.body; len(rest) > 0; {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		var path string
		var n int
		if _, err := fmt.Sscanf(string(line), "-- %q %d --", &path, &n); err != nil || n+1 > len(after) {
			return "", fmt.Errorf("%q: %v", line, err)
		}
		file := &fstest.MapFile{Data: after[:n], Mode: 0o644}
		if link, ok := strings.CutPrefix(path, "link "); ok {
			path, file.Mode = link, fs.ModeSymlink|0o777
		} else if folder, ok := strings.CutSuffix(path, "/"); ok {
			path, file = folder, &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		}
		bag[path], rest = file, after[n+1:]
	}
	r, err := bagit.Validate(context.Background(), bag, nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %t %t", r.Verdict(), r.Complete, r.Valid), nil
}

// judgeMedia describes a picture or a recording, which is kept by its bytes.
func judgeMedia(q question) (string, error) {
	reader := media.Pictures()
	if q.get("read_as") == "recording" {
		reader = media.Recordings()
	}
	form, err := reader.Read(read.Input{Data: q.body})
	if err != nil {
		return "", err
	}
	words := []string{cid.Of(form.Payload).String()}
	for _, key := range slices.Sorted(maps.Keys(form.Facts)) {
		if form.Facts[key] != "" {
			words = append(words, form.Facts[key])
		}
	}
	return strings.Join(words, " "), nil
}

// judgeChunks returns the sha256 of the list that the body of a vector holds: the table of
// the hash, or the chunks of a payload that the inputs describe.
func judgeChunks(q question) (string, error) {
	list := sha256.New()
	if q.kind == "gear" {
		for _, g := range chunk.Gear {
			fmt.Fprintf(list, "%016x\n", g)
		}
		return fmt.Sprintf("%x", list.Sum(nil)), nil
	}
	length, err1 := strconv.Atoi(q.get("length"))
	insert, err2 := strconv.Atoi(q.get("insert"))
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	payload := make([]byte, 0, length+sha256.Size)
	for i := uint64(0); len(payload) < length; i++ {
		d := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(q.get("seed")), i))
		if q.get("seed") == "" {
			d = [32]byte{}
		}
		payload = append(payload, d[:]...)
	}
	payload = payload[:length]
	if insert > 0 {
		payload = slices.Insert(payload, insert, 'x')
	}
	for s := chunk.NewSplitter(bytes.NewReader(payload)); ; {
		piece, err := s.Next()
		if err == io.EOF {
			return fmt.Sprintf("%x", list.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(list, "%d %x\n", len(piece), sha256.Sum256(piece))
	}
}

// judgeObject reads one of git's own forms.
func judgeObject(q question) (string, error) {
	switch q.kind {
	case "tree":
		_, err := objects.ParseTree(q.body)
		return objects.Sum(objects.Tree, q.body).String(), err
	case "index":
		x, err := pack.ParseIndex(q.body)
		if err == nil {
			err = x.Verify()
		}
		return "", err
	case "entry":
		_, err := pack.ParseHeader(q.body)
		return "", err
	case "delta":
		base, err := strconv.Atoi(q.get("base"))
		if err != nil || base > len(q.body) {
			return "", fmt.Errorf("base %q: %w", q.get("base"), err)
		}
		out, err := pack.ApplyDelta(q.body[:base], q.body[base:])
		return objects.Sum(objects.Blob, out).String(), err
	case "packed-refs":
		dir, err := os.MkdirTemp("", "refs")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
		st, err := objects.InitWith(filepath.Join(dir, "archive.git"), objects.Hooks{})
		if err != nil {
			return "", err
		}
		defer st.Close()
		if err := os.WriteFile(filepath.Join(dir, "archive.git", "packed-refs"), q.body, 0o600); err != nil {
			return "", err
		}
		_, err = st.Refs()
		return "", err
	}
	return "", errKind
}

// judgeSidecar reads a file that describes sources.
func judgeSidecar(q question) (string, error) {
	var s *sourcemeta.Sidecar
	var err error
	switch q.kind {
	case "csv":
		s, err = sourcemeta.ReadCSV("f", q.body)
	case "json":
		s, err = sourcemeta.ReadJSON("f", q.body)
	case "registry":
		_, err = sourcemeta.ReadRegistry("f", q.body)
	default:
		return "", errKind
	}
	var defects sourcemeta.Errors
	switch {
	case errors.As(err, &defects) && len(defects) > 0:
		return fmt.Sprintf("defect %d", defects[0].Line), nil
	case err != nil:
		return "", err
	case s != nil && len(s.Refused()) > 0:
		return fmt.Sprintf("refused %d", s.Refused()[0].Line), nil
	}
	return "ok", nil
}

// judgeSigners judges the keys of a snapshot, of which the first signed it.
func judgeSigners(q question) (string, error) {
	r, err := trust.Parse(q.body)
	if err != nil {
		return "", err
	}
	s := &snapshot.Snapshot{Draft: snapshot.Draft{Archive: r.Archive}}
	if s.Seq, err = strconv.ParseInt(q.get("seq"), 10, 64); err != nil {
		return "", err
	}
	var keys []sign.Key
	for _, text := range q.inputs["key"] {
		k, err := sign.ParseKey(text)
		if err != nil {
			return "", err
		}
		keys = append(keys, k)
	}
	err = snapshot.PermitRoot(r, nil)(trust.Snapshot, s, keys)
	switch {
	case err == nil:
		return "ok", nil
	case snapshot.IsUndersigned(err):
		return "few", nil
	}
	return "no", nil
}
