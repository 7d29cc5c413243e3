package archive

import (
	"cmp"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"muniment/archive/journal"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/access"
)

// SentFile is the file below archive.local that names what was sent to endpoints.
const SentFile = "sent.jsonl"

// OpeningsFile lists the bundles that were opened: in archive.local those opened with the archive, in another
// folder the rest. Lines are only added.
const OpeningsFile = "openings"

// maxSent is the most bytes of that file: some 100,000 sendings. The file of before is kept with .old at
// its end, and the one before it is replaced.
const maxSent = 16 << 20

// sendingSize is about how many bytes a line of that file has.
const sendingSize = 200

// A Sending says that words of a paper were sent to an endpoint.
type Sending struct {
	Time     string `json:"time"`
	Endpoint string `json:"endpoint"` // its host
	Purpose  string `json:"purpose"`  // embedding, rerank, draft or judge
	Artifact string `json:"artifact"`
}

// hostOf returns the host of the address of an endpoint.
func hostOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// processingAt returns the value of processing that an endpoint needs: local for one on this
// machine, else its host.
func processingAt(endpoint string) string {
	host := hostOf(endpoint)
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return access.ProcessingLocal
	}
	return host
}

// MaySend reports whether words of an artifact of a tree may be sent to an endpoint: its
// consent, or the default of the policy, allows their processing there.
func (a *Archive) MaySend(tree objects.Hash, rules *policy.Policy, id cid.ID, endpoint string) (bool, error) {
	consent, err := a.Consent(tree, id)
	if err != nil || rules == nil || hostOf(endpoint) == "" || (consent != nil && !consent.Inclusion) {
		return false, err
	}
	return access.AllowsProcessing(rules.ProcessingOf(consent), processingAt(endpoint)), nil
}

// LogSent writes down that words of artifacts are sent to an endpoint, before they are.
func (a *Archive) LogSent(endpoint, purpose string, ids []string) error {
	if len(ids) == 0 || a.ReadOnly() {
		return nil
	}
	path, err := a.LocalPath(SentFile)
	if err != nil {
		return err
	}
	list := make([]Sending, len(ids))
	for i, id := range ids {
		list[i] = Sending{a.World().Now().UTC().Format(time.RFC3339), hostOf(endpoint), purpose, id}
	}
	if info, err := os.Stat(path); err == nil && info.Size()+sendingSize*int64(len(ids)) > maxSent {
		if err := os.Rename(path, path+".old"); err != nil {
			return problem.Wrap(err, SentFile)
		}
	}
	return problem.Wrap(journal.AppendList(path, a.World().Disk, list...), SentFile)
}

// A SentPaper is a paper of which words were sent to one endpoint.
type SentPaper struct {
	Artifact, Endpoint string
	Purposes           []string // sorted
	Times              int
	Last               string // RFC 3339
}

// SentPapers returns the papers of which words were sent to an endpoint, the latest first.
func (a *Archive) SentPapers() ([]SentPaper, error) {
	path, err := a.LocalPath(SentFile)
	if err != nil {
		return nil, err
	}
	by := map[[2]string]*SentPaper{}
	for _, name := range []string{path + ".old", path} {
		list, err := journal.ReadList[Sending](name, nil)
		if err != nil {
			return nil, DamagedList(err, SentFile)
		}
		for _, s := range list {
			key := [2]string{s.Artifact, s.Endpoint}
			p := by[key]
			if p == nil {
				p = &SentPaper{Artifact: s.Artifact, Endpoint: s.Endpoint}
				by[key] = p
			}
			if at, ok := slices.BinarySearch(p.Purposes, s.Purpose); !ok {
				p.Purposes = slices.Insert(p.Purposes, at, s.Purpose)
			}
			p.Times, p.Last = p.Times+1, max(p.Last, s.Time)
		}
	}
	out := make([]SentPaper, 0, len(by))
	for _, p := range by {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b SentPaper) int {
		return cmp.Or(strings.Compare(b.Last, a.Last), strings.Compare(a.Artifact, b.Artifact), strings.Compare(a.Endpoint, b.Endpoint))
	})
	return out, nil
}
