// Package formstest tests all canonical forms together, through a registry
// that has every reader, and has the harness of the vectors of each form:
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
//
// Four promises are tested here, since no reader can keep one of them alone:
//
//   - golden_test.go: what an input gives never changes. The inputs are made by
//     code, testvectors/golden/golden.txt says what each gives: name,
//     canonicalizer, artifact ID, p_count, p_root, l_count, l_root, separated by
//     tabs. A change to that file is a change of identities: it needs a new
//     version of the form. python_test.go asks docs/spec/canon.py, an
//     implementation of the page in Python, for seven of the forms.
//   - encodings_test.go: one text has one ID, whatever it is encoded in.
//   - differ_test.go: two texts that differ in a character, a number or an order
//     that a reader sees have two IDs.
//   - damage_test.go: a damaged file of any type gives a text or its bytes, in
//     time and within memory.
//
// bench_test.go has one benchmark for each form, from bytes to ID and units;
// bench/canon.sh runs it.
package formstest
