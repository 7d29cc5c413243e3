// Package js holds a verifier of bundles in plain JavaScript, verify.js, which
// runs in Node and in browsers, and the parts of the page verifiers/verify.html
// that is made of it with make_page.js. It has no Go code but the test that
// runs vectors_test.js. The format is specified in docs/spec/bundle.md.
package js
