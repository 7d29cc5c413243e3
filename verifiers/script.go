package verifiers

import _ "embed"

// Script is verify.js. A page that re-checks itself carries it: see package
// bundle.
//
//go:embed verify.js
var Script string
