// Package bundle makes and verifies the signed record of an answer.
//
// An answer is split into leaves: claims, citations, excerpts, sources, gate
// decisions. Each leaf is committed to by its sha256; the Merkle root over the
// commitments stands in a short text, the statement; only the statement is
// signed. A leaf can therefore be left out or sealed to auditors without
// touching the signature, and whoever holds it can show that it belongs.
//
//	b, err := bundle.Assemble(answer, env)            // sealed, signed, logged
//	v := bundle.Verify(b, bundle.Requirements{Allowed: trusted})
//	// bundle.IsValid(v.Verdict)
//
// Answer is the builder. Beyond these two, Read, ReadPage and ReadDir read a
// bundle, Check reads and verifies it in little memory, Disclose and
// WithoutSealed reduce one, Open shows an auditor everything, and Render shows
// what a requestor sees.
//
// # Files
//
// A bundle is a folder, or a zip of exactly one form:
//
//	statement                   what is signed: at most 4 KiB of ASCII lines
//	sigs/<key id>.sshsig        SSHSIG, namespace answer@muniment
//	SHA256SUMS                  the commitments, as sha256sum prints and checks them
//	leaves/00000.json           disclosed leaves
//	sealed/<scope>.age          undisclosed leaves, encrypted to the scope's auditors
//	log.proof                   the statement's place in the signer's answer log
//
// The format, and verification as numbered steps, are in docs/spec/bundle.md;
// the same numbers stand in the comments here. Test vectors are in
// testvectors/bundle.
//
// # Three people, three views
//
// A requestor reads claims, rungs, opaque handles and short excerpts, which
// Render computes from the disclosed leaves and from nothing else. An auditor
// opens the sealed leaves and re-checks each quote against the signed snapshot
// it came from. A third party checks signatures and commitments with ssh-keygen
// and sha256sum.
//
// # What is not promised
//
// No verdict says that a claim is true. A bundle proves nothing about time, and
// it does not carry the policy by which it is judged: that comes with the
// verifier. Read and its like need up to a few times the size of the bundle,
// which is at most 64 MiB, in memory; Check keeps no sealed file, and needs
// little. A source leaf is at most 64 KiB and holds the whole units that its span
// touches, so that a span in a longer paragraph has to be cited by lines.
//
// This package reads no clock, file, network or environment; package bundlefile
// reads bundles from files.
package bundle
