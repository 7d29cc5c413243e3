// Package verifiers holds verifiers of Muniment's formats that share no code
// with the rest of the project, each by itself:
//
//   - verify.py, in Python 3 with nothing but the standard library:
//     python3 verify.py FILE.zip|FILE.html|DIR|EVIDENCE ... [--trust allowed_signers] [--archive ID] [--require AXIS] [--json]
//   - verify.js, plain JavaScript for Node and browsers:
//     node verify.js FILE.zip|FILE.html|EVIDENCE ... [--trust allowed_signers] [--archive ID] [--require AXIS] [--json]
//   - verify.html, a page that works from a file in a browser, made of verify.js
//     and the parts in js.
//
// They are written from docs/spec/bundle.md and the pages that it refers to. They
// decide the axes integrity, signer threshold, archive, log inclusion, display
// completeness and gate re-evaluation; of witnesses and consistency, what fails
// without a trust root or a kept checkpoint. They report the others NOT-CHECKED.
// Evidence of two histories they verify by docs/spec/evidence.md. Exit codes are 0 for VALID, 1 for INVALID, 3 for INCOMPLETE and 2 for usage. With
// --json they print one line for each bundle.
//
// There is no Go code here but the tests and the two files as bytes, for programs
// that hand them out. The tests compare the verdicts with what
// testvectors/bundle and testvectors/evidence expect, and the verdicts on generated
// bundles with each other and with the library's: agree.sh.
package verifiers
