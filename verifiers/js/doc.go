// Package js holds the parts of the page verifiers/verify.html, which make_page.js
// makes of them and of verifiers/verify.js, and the vectors that verify.js is
// compared with. It has no Go code but the test that runs vectors_test.js.
package js
