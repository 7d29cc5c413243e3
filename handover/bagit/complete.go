package bagit

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"strings"

	"muniment/accession/container"
)

// readManifests finds and reads the manifests at the top of the bag.
func (c *check) readManifests() {
	strong, payloads := false, 0
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		m := manifestName.FindStringSubmatch(name)
		if m == nil {
			if lower := strings.ToLower(name); lower != name && manifestName.MatchString(lower) {
				c.note(name, OK, fmt.Sprintf("not taken for a manifest, whose name would be %q", lower))
			}
			continue
		}
		one := &manifest{file: name, algorithm: m[2], tag: m[1] != "", listed: map[string]string{}}
		c.manifests = append(c.manifests, one)
		if one.tag {
			c.report.TagAlgorithms = append(c.report.TagAlgorithms, one.algorithm)
		} else {
			c.report.Algorithms = append(c.report.Algorithms, one.algorithm)
			payloads++
			strong = strong || !weak(one.algorithm)
		}
		c.readManifest(one)
	}
	for _, m := range c.manifests {
		c.checkAlike(m)
	}
	switch {
	case payloads == 0:
		c.note("", Absent, "no payload manifest: at least one manifest-ALGORITHM.txt is required")
	case !strong:
		c.note("", OK, fmt.Sprintf("no checksum stronger than %s: files can be made to match", strings.Join(c.report.Algorithms, " and ")))
	}
	if len(c.report.TagAlgorithms) == 0 {
		c.note("", OK, "no tag manifest: bagit.txt, bag-info.txt and the manifests themselves are not protected")
	}
}

// readManifest reads one manifest and adds its lines.
func (c *check) readManifest(m *manifest) {
	lines, ok := c.readLines(m.file, maxManifest)
	if !ok {
		m.unread = true
		return
	}
	size := 0
	if make, known := algorithms[m.algorithm]; known {
		size = make().Size()
	} else {
		c.note(m.file, NotChecked, fmt.Sprintf("the algorithm %q is not known here", m.algorithm))
	}
	stars := 0
	for i, line := range lines {
		if line == "" {
			c.fail(m.file, fmt.Sprintf("line %d: empty", i+1))
			continue
		}
		l, err := parseManifestLine(line, size)
		if err != nil {
			c.fail(m.file, fmt.Sprintf("line %d: %v", i+1, err))
			continue
		}
		if rest, ok := strings.CutPrefix(l.path, "*"); ok && m.tag {
			if _, exists := c.files[l.path]; !exists {
				l.path, l.star = rest, true
			}
		}
		if l.star {
			stars++
		}
		c.addLine(m, l)
	}
	if stars > 0 {
		c.note(m.file, OK, fmt.Sprintf("%d paths have the asterisk of md5sum; strict validators refuse it", stars))
	}
}

// addLine adds one line of a manifest to those of the file that it means.
func (c *check) addLine(m *manifest, l manifestLine) {
	path, size, reason := c.resolve(l.path)
	switch {
	case reason != "":
		c.fail(l.path, fmt.Sprintf("refused in %s: %s", m.file, reason))
		return
	case strings.HasPrefix(l.path, "./"):
		c.note(path, OK, fmt.Sprintf(`%s has it with a leading "./"; strict validators refuse it`, m.file))
	}
	switch {
	case !m.tag && !strings.HasPrefix(path, payloadFolder):
		c.fail(path, fmt.Sprintf("%s lists a file outside data/", m.file))
		return
	case m.tag && strings.HasPrefix(path, payloadFolder):
		c.fail(path, fmt.Sprintf("%s lists a payload file", m.file))
		return
	case m.tag && strings.HasPrefix(path, "tagmanifest-") && manifestName.MatchString(path):
		state := Failed
		if c.report.Version != "1.0" {
			state = OK
		}
		c.note(path, state, fmt.Sprintf("%s lists a tag manifest", m.file))
	}
	if sum, twice := m.listed[path]; twice {
		state, how := Failed, "with another checksum"
		if sum == l.sum {
			how = "with the same checksum"
			if c.report.Version != "1.0" {
				state = OK
			}
		}
		c.note(path, state, fmt.Sprintf("listed twice in %s, %s", m.file, how))
		return
	}
	m.listed[path] = l.sum
	if size < 0 {
		c.missing[path] = append(c.missing[path], m.file)
	}
}

// checkAlike compares the names in one manifest with each other. Two of one
// normal form are one name listed twice (RFC 8493 section 6.1.1.3): which file a
// system keeps under it is unknown. Other names that look alike are noted.
func (c *check) checkAlike(m *manifest) {
	first := make(map[string]string, len(m.listed))
	for _, path := range slices.Sorted(maps.Keys(m.listed)) {
		key := container.Skeleton(path)
		other, ok := first[key]
		switch {
		case !ok:
			first[key] = path
		case container.NFC(other) == container.NFC(path):
			c.fail(path, fmt.Sprintf("%s lists it and %s, which is the same name in another Unicode normalization: which of the two files a system keeps is unknown", m.file, container.Quoted(other)))
		default:
			c.note(path, OK, fmt.Sprintf("differs from %s only %s", container.Quoted(other), container.Difference(other, path)))
		}
	}
}

// checkMissing reports files that a manifest lists and the bag lacks.
func (c *check) checkMissing() {
	for _, path := range slices.Sorted(maps.Keys(c.missing)) {
		files := c.missing[path]
		if c.states[path] == Failed { // a link, or an unreadable file: noted before
			continue
		}
		reason := "listed in " + strings.Join(files, " and ") + ", and not there"
		for _, f := range c.foldAlike(path) {
			how := "in case"
			if container.NFC(f) == container.NFC(path) {
				how = "in Unicode normalization, as others do"
			}
			reason += fmt.Sprintf("; %q differs only %s", f, how)
		}
		c.note(path, Absent, reason)
	}
}

// checkListed reports files of the bag that a manifest should list.
func (c *check) checkListed() {
	var payload, tag []*manifest
	for _, m := range c.manifests {
		if m.tag {
			tag = append(tag, m)
		} else {
			payload = append(payload, m)
		}
	}
	for _, f := range c.report.Payload {
		if not := manifestsWithout(payload, f.Path); len(not) > 0 && (c.report.Version == "1.0" || len(not) == len(payload)) {
			c.fail(f.Path, "not listed in "+strings.Join(not, " and "))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(c.files)) {
		if strings.HasPrefix(path, payloadFolder) {
			continue
		}
		not := manifestsWithout(tag, path)
		m := manifestName.FindStringSubmatch(path)
		switch {
		case len(not) == 0 || m != nil && m[1] != "":
		case m != nil && c.report.Version == "1.0":
			c.fail(path, "not listed in "+strings.Join(not, " and ")+", where every payload manifest must be")
		default:
			c.note(path, OK, "not listed in "+strings.Join(not, " and "))
		}
	}
}

// manifestsWithout returns the names of the manifests that should list path and do not.
func manifestsWithout(list []*manifest, path string) []string {
	var not []string
	for _, m := range list {
		if _, ok := m.listed[path]; !ok && !m.unread {
			not = append(not, m.file)
		}
	}
	return not
}

// hashAll computes the listed checksums of every file in one reading of the file.
func (c *check) hashAll(compare func(a, b string) int, progress func(done, total int64)) error {
	listing := map[string][]*manifest{}
	var total, done int64
	for _, m := range c.manifests {
		for path := range m.listed {
			size, ok := c.files[path]
			if _, known := algorithms[m.algorithm]; !ok || !known {
				continue
			}
			if listing[path] == nil {
				total += size
			}
			listing[path] = append(listing[path], m)
		}
	}
	paths := slices.SortedFunc(maps.Keys(listing), func(a, b string) int { return cmp.Or(compare(a, b), strings.Compare(a, b)) })
	for _, path := range paths {
		n, sums, err := c.hashFile(path, listing[path])
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		switch {
		case err != nil:
			c.fail(path, fmt.Sprintf("cannot be read: %v", causeOf(err)))
		case n != c.files[path]:
			c.fail(path, fmt.Sprintf("changed while it was read: %d bytes, then %d", c.files[path], n))
		default:
			c.checkSums(path, listing[path], sums)
		}
		done += c.files[path]
		if progress != nil {
			progress(done, total)
		}
	}
	return nil
}

// checkSums compares the checksums of one file with those in the manifests.
func (c *check) checkSums(path string, manifests []*manifest, sums map[string]string) {
	right := true
	for _, m := range manifests {
		if got, want := sums[m.algorithm], m.listed[path]; got != want {
			right = false
			c.fail(path, fmt.Sprintf("%s is %s, %s wants %s", m.algorithm, got, m.file, want))
			c.report.Problems[len(c.report.Problems)-1].checksum = true
		}
	}
	if right && c.states[path] == NotChecked && !c.halfChecked(path) {
		c.states[path] = OK
	}
}

// halfChecked reports whether a manifest of an unknown algorithm lists path.
func (c *check) halfChecked(path string) bool {
	for _, m := range c.manifests {
		_, listed := m.listed[path]
		if _, known := algorithms[m.algorithm]; listed && !known {
			return true
		}
	}
	return false
}

func (c *check) hashFile(path string, manifests []*manifest) (int64, map[string]string, error) {
	f, err := c.open(path)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	hashes := map[string]hash.Hash{}
	var all []io.Writer
	for _, m := range manifests {
		if hashes[m.algorithm] == nil {
			hashes[m.algorithm] = algorithms[m.algorithm]()
			all = append(all, hashes[m.algorithm])
		}
	}
	n, err := io.Copy(io.MultiWriter(all...), &contextReader{c.ctx, f})
	if err != nil {
		return n, nil, err
	}
	sums := map[string]string{}
	for name, h := range hashes {
		sums[name] = hex.EncodeToString(h.Sum(nil))
	}
	return n, sums, nil
}

// A contextReader reads until its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
