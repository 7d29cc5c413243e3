// Package formstest is the harness of the vectors of each canonical form:
//
//	set := formstest.Set{Dir: "../../testvectors/canon-json", Registry: registry, Table: table}
//	set.Run(t, 26)
//
// A vector is a file as package testvectors describes it, whose body is the
// input. The header keys, in this order and each only if it has a value: name and
// media_type_hint, which go in with the bytes; expect, which is text, bytes or
// refused; canonicalizer, unicode, media_type, charset, reason; fact_ and the name
// of each fact, in the order of the alphabet; title, creators (between
// semicolons), publisher, url, published_at, language; part for each part, with
// its ID, media type and name; artifact; p_count, p_root, l_count, l_root; and
// payload, a JSON string. With bytes the payload is the input, and there are no
// units; of what is refused there is the reason alone.
package formstest
