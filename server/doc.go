// Package server lets programs and agents use an archive without a process for
// each call: over HTTP, and as tools of the Model Context Protocol.
//
//	s, err := server.New(server.Options{Open: open, Log: logger})
//	defer s.Close()
//	http.Serve(listener, s.Handler())   // muniment serve
//	s.RunMCP(ctx, credential, in, out)  // muniment mcp
//
// Every call is a method of a Client, which is one credential with the archive:
// HTTP and MCP translate to the same methods and answer with the same structs,
// which are those that the commands print with --json.
//
// # Who may do what
//
// A token decides role, project and tier; NewToken makes one and keeps its hash.
// Without a token a caller on the loopback interface is an agent of the lowest
// tier. Consent, trust, withdrawal and snapshots have no call here. A caller whose
// role is not admin sees the artifacts that consent and policy let its tier see,
// and of each text at most the excerpt of the tier in one reply.
//
// # Limits
//
// Citations are looked up and judged as calls come, by as many readers as there are
// handles, and registered by one goroutine, which writes all that wait in one
// transaction: a crash before the reply registers all or none of them. A retry
// with the same key returns the citation that is there. docs/spec/server.md has
// the numbers.
package server
