package audit

import (
	"muniment/archive"
	"muniment/bundle"
	"muniment/sign"
)

// SignBundle writes a copy of a bundle with the signature of one more key.
// The statement and every other file stay as they are.
func SignBundle(path, out string, s sign.Signer) (*BundleInfo, error) {
	b, err := archive.ReadValidBundle(path)
	if err != nil {
		return nil, err
	}
	if b, err = b.Sign(s); err != nil {
		return nil, archive.Problem(archive.TypeKey, archive.Advise("muniment verify says whether the bundle holds; muniment key list shows the keys that can sign"), "%w", err)
	}
	return writeBundle(out, b)
}

// writeBundle writes the zip of a bundle into a new file and describes it.
func writeBundle(out string, b *bundle.Bundle) (*BundleInfo, error) {
	data, err := b.Zip()
	if err != nil {
		return nil, archive.Environment(err, "bundle")
	}
	if err := archive.WriteNew(out, data); err != nil {
		return nil, err
	}
	return describeBundle(out, b)
}
