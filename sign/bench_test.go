package sign

import "testing"

func BenchmarkParseSignature(b *testing.B) {
	armored, err := Sign(newTestSigner("anna"), NamespaceAnswer, []byte(vectorMessage))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := ParseSignature(armored); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	armored, err := Sign(newTestSigner("anna"), NamespaceAnswer, []byte(vectorMessage))
	if err != nil {
		b.Fatal(err)
	}
	s, err := ParseSignature(armored)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := s.Verify(NamespaceAnswer, []byte(vectorMessage)); err != nil {
			b.Fatal(err)
		}
	}
}
