package answerlog

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"muniment/archive/journal"
	"muniment/cid"
	"muniment/objects/disk"
	"muniment/sign"
)

// notedKind is the kind of the entries of the journal that say how many entries each epoch of a log has. The key of
// one is archive, key and epoch, as in the folders.
const notedKind = "log"

// errSetBack reports a log that ends earlier than this copy has noted.
var errSetBack = errors.New("the answer log ends earlier than it did: an older one was put back, or a part is gone")

// journalOf returns the path of the journal of the copy whose logs are in dir.
func journalOf(dir string) string { return filepath.Join(filepath.Dir(dir), journal.File) }

// noteSize notes in the journal how many entries an epoch has.
func (l *Log) noteSize(epoch, size int64) error {
	return journal.Append(l.journal, disk.Hooks{}, journal.Entry{Kind: notedKind, Key: l.noteKey() + strconv.FormatInt(epoch, 10), Value: strconv.FormatInt(size, 10)})
}

// noteKey returns the beginning of the keys of a log's entries in the journal.
func (l *Log) noteKey() string { return l.archive.Hex() + "/" + filepath.Base(l.dir) + "/" }

// notedSizes returns the sizes that the journal has of a log, by epoch. Of a damaged journal the sound lines count:
// what stops writers there is not for this package to say.
func (l *Log) notedSizes() (map[int64]int64, error) {
	s, err := journal.Read(l.journal)
	var damage *journal.DamagedError
	if err != nil && !errors.As(err, &damage) {
		return nil, err
	}
	sizes := map[int64]int64{}
	for key, value := range s.Kind(notedKind) {
		at, ours := strings.CutPrefix(key, l.noteKey())
		epoch, bad := strconv.ParseInt(at, 10, 64)
		size, worse := strconv.ParseInt(value, 10, 64)
		if ours && bad == nil && worse == nil {
			sizes[epoch] = size
		}
	}
	return sizes, nil
}

// A shortfall is an epoch that has fewer entries than were noted.
type shortfall struct {
	log             *Log
	epoch, was, now int64
}

func (s shortfall) String() string {
	return fmt.Sprintf("log %.16s epoch %d: it has %d entries and had %d: an older log was put back, or a part is gone", filepath.Base(s.log.dir), s.epoch, s.now, s.was)
}

// findShort returns the epochs of the logs of an archive under dir that have fewer entries than were noted.
func findShort(dir string, archive cid.ID) ([]shortfall, error) {
	s, err := journal.Read(journalOf(dir))
	var damage *journal.DamagedError
	if err != nil && !errors.As(err, &damage) {
		return nil, err
	}
	var short []shortfall
	for _, key := range slices.Sorted(maps.Keys(s.Kind(notedKind))) {
		parts := strings.Split(key, "/")
		if len(parts) != 3 || parts[0] != archive.Hex() {
			continue
		}
		l := &Log{dir: filepath.Join(dir, parts[0], parts[1]), archive: archive, journal: journalOf(dir)}
		epoch, bad := strconv.ParseInt(parts[2], 10, 64)
		was, worse := strconv.ParseInt(s.Value(notedKind, key), 10, 64)
		if bad != nil || worse != nil || epoch < 1 {
			continue
		}
		now := int64(0)
		if info, err := os.Lstat(filepath.Join(l.dir, parts[2], "entries")); err == nil {
			now = info.Size() / sign.EntrySize
		}
		if now < was {
			short = append(short, shortfall{l, epoch, was, now})
		}
	}
	return short, nil
}

// AcceptSetBack has a copy go on with logs that end earlier than they did, and returns in words what they lack. The
// next answer begins another epoch, so that no index is given twice.
func AcceptSetBack(dir string, archive cid.ID) ([]string, error) {
	short, err := findShort(dir, archive)
	if err != nil {
		return nil, fmt.Errorf("answer log: %w", err)
	}
	var lines []string
	for _, s := range short {
		last, err := s.log.lastEpoch()
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return lines, fmt.Errorf("answer log: %w", err)
		}
		if last <= s.epoch {
			if err := os.MkdirAll(filepath.Join(s.log.dir, strconv.FormatInt(s.epoch+1, 10)), 0o700); err != nil {
				return lines, fmt.Errorf("answer log: %w", err)
			}
		}
		if err := s.log.noteSize(s.epoch, s.now); err != nil {
			return lines, fmt.Errorf("answer log: %w", err)
		}
		lines = append(lines, s.String())
	}
	return lines, nil
}
