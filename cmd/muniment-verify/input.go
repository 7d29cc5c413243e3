package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"muniment/bundle"
	"muniment/objects/disk"
	"muniment/sign"
	"muniment/sign/quorum"
	"muniment/sign/trust"
)

// readRequirements reads the files and values that the verifier brings along.
func readRequirements(o options) (bundle.Requirements, *problem) {
	q := bundle.Requirements{Require: o.require, Archive: o.archive, Now: time.Now()}
	none := bundle.Requirements{}
	if o.trust != "" {
		data, err := disk.ReadPlain(o.trust, sign.MaxAllowedSigners)
		if err != nil {
			return none, &problem{exitEnvironment, err, "name a trust root or an OpenSSH allowed_signers file: --trust FILE"}
		}
		if trust.Is(data) {
			q.Root, err = trust.Parse(data)
		} else {
			q.Allowed, err = sign.ParseAllowedSigners(data)
		}
		if err != nil {
			if line, ok := sign.AllowedLine(data); ok {
				return none, &problem{exitUsage, fmt.Errorf("%s is a public key, not a list of who is trusted", o.trust),
					"put this line into a file, allowed_signers, and give that file: " + line}
			}
			return none, &problem{exitUsage, fmt.Errorf("%s: %w", o.trust, err),
				"a trust root begins with " + trust.Head + " or " + trust.HeadExpiring + "; a line of the other file reads: name@example.org ssh-ed25519 AAAA…"}
		}
	}
	for _, file := range o.secrets {
		data, err := disk.ReadPlain(file, sign.MaxIdentities)
		if err != nil {
			return none, &problem{exitEnvironment, err, "name an age identity file: --identity FILE"}
		}
		if err := bundle.CheckIdentities(data); err != nil {
			return none, &problem{exitUsage, fmt.Errorf("%s: %w", file, err), "an identity file holds a line AGE-SECRET-KEY-…"}
		}
		q.Identities = append(append(q.Identities, data...), '\n')
	}
	if o.nonceFile != "" {
		data, err := disk.ReadPlain(o.nonceFile, maxNonceFile)
		if err != nil {
			return none, &problem{exitEnvironment, err, "name the file that holds the nonce: --nonce-file FILE"}
		}
		o.nonce = strings.TrimSpace(string(data))
	}
	if o.question != "" || o.nonce != "" {
		nonce, err := hex.DecodeString(o.nonce)
		if err != nil || len(nonce) == 0 || o.question == "" {
			return none, &problem{exitUsage, errors.New("--question and --nonce go together; the nonce is hexadecimal"), "ask --json printed it as request_nonce"}
		}
		q.Request = &bundle.RequestProof{Question: o.question, Nonce: nonce}
	}
	if p := readLogMaterial(o, &q); p != nil {
		return none, p
	}
	return q, nil
}

// maxNonceFile is the most bytes of a file with a nonce, in hexadecimal digits.
const maxNonceFile = 4096

// readLogMaterial reads the checkpoint and the proofs of the answer log that the
// verifier kept.
func readLogMaterial(o options, q *bundle.Requirements) *problem {
	var found sign.Pathfinder
	for _, file := range o.since {
		data, err := disk.ReadPlain(file, sign.MaxLogProof)
		if err != nil {
			return &problem{exitEnvironment, err, "name a checkpoint that was kept, or a consistency proof: --since FILE"}
		}
		switch {
		case sign.IsConsistency(data):
			c, err := sign.ParseConsistency(data)
			if err != nil {
				return &problem{exitUsage, fmt.Errorf("%s: %w", file, err), "ask for another copy of the proof"}
			}
			found.Proofs = append(found.Proofs, c)
		case q.Since != nil:
			return &problem{exitUsage, fmt.Errorf("%s is a second checkpoint", file), "give one checkpoint, and proofs beside it"}
		default:
			if _, err := sign.Cosignatures(data); err != nil {
				return &problem{exitUsage, fmt.Errorf("%s: %w", file, err), "a checkpoint is the last part of log.proof"}
			}
			q.Since = data
		}
	}
	if o.tiles != "" {
		if info, err := os.Stat(o.tiles); err != nil || !info.IsDir() {
			return &problem{exitEnvironment, fmt.Errorf("%s is not a folder", o.tiles), "name the folder with checkpoint and tile/"}
		}
		found.Tiles = disk.Folder(o.tiles)
	}
	q.Consistency = found.Find
	if o.witnesses == "" {
		return nil
	}
	data, err := disk.ReadPlain(o.witnesses, quorum.MaxFile)
	if err != nil {
		return &problem{exitEnvironment, err, "name a policy file: --witnesses FILE"}
	}
	if q.Witnesses, err = quorum.Parse(data); err != nil {
		return &problem{exitUsage, fmt.Errorf("%s: %w", o.witnesses, err), "c2sp.org/tlog-policy describes the form"}
	}
	return nil
}
