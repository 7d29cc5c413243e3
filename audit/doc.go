// Package audit answers whether what an archive says can be proved: it verifies
// archives, bundles and proofs, makes proofs, opens sealed layers, and reads the
// holdings again on a schedule.
//
// Most callers need two calls. VerifyBundle needs no archive and no network;
// Verify reads a whole archive:
//
//	verdict, err := audit.VerifyBundle("answer.zip", audit.VerifyOptions{Allowed: signers})
//	…
//	whole, err := audit.Verify(open, audit.ArchiveVerifyOptions{Allowed: signers})
//
// # Verdicts
//
// A verdict is VALID, INVALID or INCOMPLETE, with one axis for each thing that
// was checked. An axis that fails makes the verdict INVALID; one that could not be
// checked makes it INCOMPLETE. Without signers or a trust root nobody is trusted
// and the verdict is at best INCOMPLETE. A damaged archive or a malformed bundle
// is a verdict; errors are left for calls that could not be carried out, such as
// a file that cannot be read. VerifyBundleInArchive adds what only the archive
// knows: whether its policy allows what the bundle shows, and which sources were
// withdrawn since.
//
// # Proofs
//
// ProveParagraph and ProveArtifact prove a part of a signed snapshot without the
// rest of it; VerifyProofFile checks the file. RenewProof and ProveConsistency
// prove the place of an answer in the log, and that the log only grew. OpenBundle
// decrypts the sealed layer of a bundle for an auditor, and NoteOpening records
// that this was done before anything is shown.
//
// # Fixity
//
// Fixity hashes payloads, originals, records and the other files of the newest
// snapshot again and appends an event to archive.local. The items lie on a ring,
// so that samples of any size come round to every item. WritePREMIS writes the
// events as PREMIS 3. Doctor reports the state of the store, the ledger and the
// local folder; Sweep removes what interrupted processes left behind.
//
// # Limits
//
// Verify hashes every object and takes as long as reading the archive; Fixity
// with a budget or a sample is the call for large holdings. Verification proves
// who signed which words and that they are unchanged, not that the words are
// true.
package audit
