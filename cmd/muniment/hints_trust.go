package main

import (
	"muniment/archive"
	"muniment/custody"
)

// commandOfTrust says how this program accepts a trust that a fetch changed.
var commandOfTrust = map[archive.Action]string{
	custody.DoAcceptTrust: "compare the digest with the archive's owner, then push or sync again with --accept-trust %s",
}
