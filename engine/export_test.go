package engine

import (
	"muniment/archive"
	"muniment/history"
)

// SignOnly is Snapshot by a process that ends once the snapshot is signed; noted says
// whether the file that FinishSnapshot looks for is there.
func SignOnly(a *archive.Archive, o history.SnapshotOptions, noted bool) (*archive.SnapshotResult, error) {
	waiting, _, err := readWaiting(a)
	if err != nil {
		return nil, err
	}
	if noted {
		if err := beginFinish(a); err != nil {
			return nil, err
		}
	}
	signed, err := history.SignStaged(a, o, waiting.encodeObjects())
	if err != nil {
		return nil, err
	}
	return signed.Result, nil
}
