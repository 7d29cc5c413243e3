package verifiers

import _ "embed"

// Page is verify.html, to be kept with an archive.
//
//go:embed verify.html
var Page []byte

// Script is verify.js, for a page that verifies in the browser.
//
//go:embed verify.js
var Script []byte

// Sentence is sentence.js, which says the verdict of Script in words.
//
//go:embed js/sentence.js
var Sentence []byte
