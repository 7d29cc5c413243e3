// Package verifiers holds verifiers of Muniment's formats that share no code
// with the rest of the project.
//
// verify.py checks bundles. It was written from docs/spec/bundle.md and the pages
// that it refers to, in Python 3 with nothing but the standard library:
//
//	python3 verify.py FILE.zip|DIR ... [--trust allowed_signers] [--json]
//
// It decides the axes integrity, signer threshold, log inclusion, display
// completeness and gate re-evaluation, and reports the others NOT-CHECKED. Its
// exit codes are 0 for VALID, 1 for INVALID, 3 for INCOMPLETE and 2 for usage. With
// --json it prints one line for each bundle.
//
// There is no Go code here but the test, which compares its verdicts with what
// testvectors/bundle expects.
package verifiers
