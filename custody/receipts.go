package custody

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"

	"muniment/archive"
	"muniment/archive/journal"
	"muniment/archive/mark"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/snapshot"
)

// receiptsFile holds one line of JSON per receipt in archive.local. Lines are only ever added.
const receiptsFile = "receipts"

// A Receipt is this archive's note that a remote showed a snapshot as its newest
// one at a time (RFC 3339). It is not the signature of the custodian.
type Receipt struct {
	Time     string `json:"time"`
	Remote   string `json:"remote"`
	URL      string `json:"url"`
	Seq      int64  `json:"seq"`
	Snapshot string `json:"snapshot"`
	Commit   string `json:"commit"`
	SHA256   string `json:"sha256,omitempty"` // of the line without this member, in lines of versions before the checksum of lists
}

// appendReceipt appends a receipt to the file and returns it once it is durable.
func appendReceipt(a *archive.Archive, info *RemoteInfo, s *snapshot.Snapshot) (*Receipt, error) {
	path, err := a.LocalPath(receiptsFile)
	if err != nil {
		return nil, err
	}
	r := &Receipt{Time: now(a.Repository), Remote: info.Name, URL: info.URL, Seq: s.Seq, Snapshot: s.ID.String(),
		Commit: objects.Sum(objects.Commit, s.Content).String()}
	return r, problem.Wrap(errors.Join(journal.AppendList(path, a.World().Disk, r), mark.Take(filepath.Dir(path))), "receipt")
}

// isReceiptLine reports whether a receipt of a version before the checksum of lists has the checksum of its own, which
// the first versions did not write.
func isReceiptLine(r Receipt, _ []byte) bool {
	sum, err := r.sum()
	return r.SHA256 == "" || err == nil && sum == r.SHA256
}

// sum returns the checksum of a receipt.
func (r Receipt) sum() (string, error) {
	r.SHA256 = ""
	line, err := json.Marshal(r)
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:]), err
}

// Receipts returns the receipts of a remote, or of all remotes where remote is "", oldest first. A last line that was
// cut short by a power failure is skipped; where any other line is not as it was written, the error is of kind Damaged.
func Receipts(a *archive.Archive, remote string) ([]Receipt, error) {
	all, err := journal.ReadList(filepath.Join(a.Dir(), archive.LocalDir, receiptsFile), isReceiptLine)
	if err != nil {
		return nil, archive.DamagedList(err, receiptsFile)
	}
	out := []Receipt{}
	for _, r := range all {
		if remote == "" || r.Remote == remote {
			r.SHA256 = "" // it is of the file, and no part of what callers see
			out = append(out, r)
		}
	}
	return out, nil
}
