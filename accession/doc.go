// Package accession adds files, folders, packed folders, web pages and sources
// to an archive. Add does all of it; AddSource registers a source whose body may
// not be kept.
//
//	r, err := accession.Add(ctx, a, []string{"letters"}, accession.AddOptions{})
//
// Each input is read, brought into canonical form by the reader of its format,
// and described in a record; payload, original and record go into one pack, and
// the staged ref moves at the end. An add that is interrupted leaves every ref
// as it was. An input that cannot be read is a Skip with a reason and never stops
// the others: then Add returns the result together with an error of the kind
// PartlyDone. The same bytes under the same name add nothing.
//
// Limits. No text is read from an input above 32 MiB; its bytes are kept, in
// chunks above 8 MiB. Containers are opened four deep. A reader has two minutes
// for one input. A file with a private key is refused unless AllowSecrets is set, be it
// in UTF-16, packed, in a mail or quoted in one; an address with a password or token
// unless KeepQuery is.
package accession
