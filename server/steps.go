package server

import (
	"muniment/archive/problem"
)

// DoListTokens lists the tokens of an archive. No args.
const DoListTokens problem.Action = "list-tokens"
