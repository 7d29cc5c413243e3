package server

import "muniment/archive"

// DoListTokens lists the tokens of an archive. No args.
const DoListTokens archive.Action = "list-tokens"
