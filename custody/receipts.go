package custody

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"muniment/archive"
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
	line, err := json.Marshal(r)
	if err != nil {
		return nil, archive.Environment(err, "receipt")
	}
	f, err := disk.OpenPlain(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, archive.Environment(err, "receipt")
	}
	_, err = f.Write(append(line, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return r, archive.Environment(err, "receipt")
}

// Receipts returns the receipts of a remote, or of all remotes where remote is "",
// oldest first. A line that was cut short by a power failure is skipped.
func Receipts(a *archive.Archive, remote string) ([]Receipt, error) {
	out := []Receipt{}
	data, err := disk.ReadOwnPlain(filepath.Join(a.Dir(), archive.LocalDir, receiptsFile), maxReceipts)
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	} else if err != nil {
		return nil, archive.Environment(err, "receipts")
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var r Receipt
		if json.Unmarshal(lines.Bytes(), &r) == nil && (remote == "" || r.Remote == remote) {
			out = append(out, r)
		}
	}
	return out, archive.Environment(lines.Err(), "receipts")
}
