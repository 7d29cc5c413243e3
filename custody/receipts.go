package custody

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/objects/disk"
	"muniment/snapshot"
)

// receiptsFile holds one line of JSON per receipt in archive.local. Lines are
// only ever added.
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
	SHA256   string `json:"sha256,omitempty"` // of the line without this member, in hexadecimal; none in lines of earlier versions
}

// maxReceipts is the most bytes of the file of receipts: some 200,000 of them.
const maxReceipts = 64 << 20

// appendReceipt appends a receipt to the file and returns it once it is durable.
func appendReceipt(a *archive.Archive, info *RemoteInfo, s *snapshot.Snapshot) (*Receipt, error) {
	path, err := a.LocalPath(receiptsFile)
	if err != nil {
		return nil, err
	}
	r := &Receipt{Time: now(a.Repository), Remote: info.Name, URL: info.URL, Seq: s.Seq, Snapshot: s.ID.String(),
		Commit: objects.Sum(objects.Commit, s.Content).String()}
	if r.SHA256, err = r.sum(); err != nil {
		return nil, problem.Wrap(err, "receipt")
	}
	line, err := json.Marshal(r)
	if err != nil {
		return nil, problem.Wrap(err, "receipt")
	}
	f, err := disk.OpenPlain(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, problem.Wrap(err, "receipt")
	}
	_, err = f.Write(append(line, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return r, problem.Wrap(err, "receipt")
}

// sum returns the checksum of a receipt.
func (r Receipt) sum() (string, error) {
	r.SHA256 = ""
	line, err := json.Marshal(r)
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:]), err
}

// Receipts returns the receipts of a remote, or of all remotes where remote is "",
// oldest first. A last line that was cut short by a power failure is skipped; any
// other line that is not as it was written is an error of kind Damaged.
func Receipts(a *archive.Archive, remote string) ([]Receipt, error) {
	out := []Receipt{}
	data, err := disk.ReadOwnPlain(filepath.Join(a.Dir(), archive.LocalDir, receiptsFile), maxReceipts)
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	} else if err != nil {
		return nil, problem.Wrap(err, "receipts")
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		var r Receipt
		err := json.Unmarshal(line, &r)
		if err == nil && r.SHA256 != "" {
			var sum string
			if sum, err = r.sum(); err == nil && sum != r.SHA256 {
				err = errors.New("it does not have the checksum that is kept with it")
			}
		}
		if err != nil {
			return nil, problem.Negative(problem.Damaged, problem.Advise("keep a copy of "+archive.LocalDir+"/"+receiptsFile+" and take that line out; the next sync makes receipts anew"),
				"line %d of the receipts is damaged: %w", n, err)
		}
		if remote == "" || r.Remote == remote {
			out = append(out, r)
		}
	}
	return out, nil
}
