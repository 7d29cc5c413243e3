package archive

import (
	"os"

	"muniment/archive/problem"
	"muniment/objects/disk"
	"muniment/sign"
	"muniment/sign/quorum"
	"muniment/sign/trust"
	"muniment/text/legible"
)

// Trust is what a verifier brings along to say whose signatures count: the
// lines of an allowed_signers file, or a trust root. The zero value trusts
// nobody.
type Trust struct {
	Allowed *sign.AllowedSigners
	Root    *trust.Root
	Text    []byte // of the file, for a copy that remembers it
}

// IsZero reports whether nothing was brought along.
func (t Trust) IsZero() bool { return t.Allowed == nil && t.Root == nil }

// MaxTrustFile is the most bytes of a file with trust: an allowed_signers file
// may be larger than a trust root.
const MaxTrustFile = sign.MaxAllowedSigners

// ReadTrust returns the trust that a file holds: a trust root or an allowed_signers
// file, told apart by the first line. "" is the zero Trust.
func ReadTrust(file string) (Trust, error) {
	if file == "" {
		return Trust{}, nil
	}
	data, err := disk.ReadPlain(file, MaxTrustFile)
	if err != nil {
		return Trust{}, problem.New(problem.Usage, problem.Next(problem.DoMakeTrust).With("give a trust root, or an OpenSSH allowed_signers file"), "trust: %s: %s", legible.Printable(file), legible.Reason(err))
	}
	if trust.Is(data) {
		root, err := trust.Parse(data)
		if err != nil {
			return Trust{}, problem.New(problem.Usage, problem.Advise("ask its maker for another copy, and compare the digest on paper"), "trust: %s: %w", legible.Printable(file), err)
		}
		return Trust{Root: root, Text: data}, nil
	}
	allowed, err := sign.ParseAllowedSigners(data)
	if err != nil {
		if line, ok := sign.AllowedLine(data); ok {
			return Trust{}, problem.New(problem.Usage, problem.Advise("put this line into a file, allowed_signers, and give that file: "+line), "trust: %s is a public key, not a list of who is trusted", legible.Printable(file))
		}
		return Trust{}, problem.New(problem.Usage, problem.Next(problem.DoMakeTrust).With("give a trust root, or an OpenSSH allowed_signers file"), "trust: %s: %w", legible.Printable(file), err)
	}
	return Trust{Allowed: allowed, Text: data}, nil
}

// ReadLogProofs returns what a verifier kept of an answer log: at most one
// checkpoint and any number of consistency proofs among files, told apart by
// their first lines, and the folder of tiles, "" for none.
func ReadLogProofs(files []string, tiles string) (since []byte, found sign.Pathfinder, err error) {
	for _, file := range files {
		data, err := disk.ReadPlain(file, sign.MaxLogProof)
		if err != nil {
			return nil, found, problem.New(problem.Usage, problem.Next(problem.DoProveLog).With("give a checkpoint that was kept, or such a proof"), "log checkpoint or proof: %s: %s", legible.Printable(file), legible.Reason(err))
		}
		if sign.IsConsistency(data) {
			c, err := sign.ParseConsistency(data)
			if err != nil {
				return nil, found, problem.New(problem.Usage, problem.Next(problem.DoProveLog), "log checkpoint or proof: %s: %w", legible.Printable(file), err)
			}
			found.Proofs = append(found.Proofs, c)
			continue
		}
		if since != nil {
			return nil, found, problem.New(problem.Usage, problem.Advise("give one checkpoint, and proofs beside it"), "log checkpoint or proof: %s is a second checkpoint", legible.Printable(file))
		}
		if _, err := sign.Cosignatures(data); err != nil {
			return nil, found, problem.New(problem.Usage, problem.Next(problem.DoProveLog).With("give a checkpoint that was kept, or such a proof"), "log checkpoint or proof: %s: %w", legible.Printable(file), err)
		}
		since = data
	}
	if tiles != "" {
		if info, err := os.Stat(tiles); err != nil || !info.IsDir() {
			return nil, found, problem.New(problem.Usage, problem.Advise("give the folder with checkpoint and tile/"), "tiles: %s is not a folder", legible.Printable(tiles))
		}
		found.Tiles = disk.Folder(tiles)
	}
	return since, found, nil
}

// ReadWitnesses reads a policy file that names witnesses, in the form of C2SP tlog-policy; nil
// for the name "".
func ReadWitnesses(file string) (*quorum.Policy, error) {
	if file == "" {
		return nil, nil
	}
	data, err := disk.ReadPlain(file, quorum.MaxFile)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("give a file of witnesses and their quorum, as c2sp.org/tlog-policy describes"), "%s: %s", legible.Printable(file), legible.Reason(err))
	}
	p, err := quorum.Parse(data)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("give a file of witnesses and their quorum, as c2sp.org/tlog-policy describes"), "%s: %w", legible.Printable(file), err)
	}
	return p, nil
}
