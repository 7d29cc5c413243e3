package archive

import (
	"bytes"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"time"

	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/record"
)

// sentName is the file below archive.local that names what was sent to endpoints.
const sentName = "sent.jsonl"

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
		return record.ProcessingLocal
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
	return record.AllowsProcessing(rules.ProcessingOf(consent), processingAt(endpoint)), nil
}

// LogSent writes down that words of artifacts are sent to an endpoint, before they are.
func (a *Archive) LogSent(endpoint, purpose string, ids []string) error {
	if len(ids) == 0 || a.ReadOnly() {
		return nil
	}
	path, err := a.LocalPath(sentName)
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	for _, id := range ids {
		if err := e.Encode(Sending{a.World().Now().UTC().Format(time.RFC3339), hostOf(endpoint), purpose, id}); err != nil {
			return problem.Wrap(err, sentName)
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return problem.Wrap(err, sentName)
	}
	_, err = f.Write(lines.Bytes())
	if end := f.Close(); err == nil {
		err = end
	}
	return problem.Wrap(err, sentName)
}
