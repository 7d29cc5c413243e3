package sign

import (
	"bytes"
	"io"

	"filippo.io/age"
)

// randomWork is the work of scrypt, as a power of two, for secrets that are random: guessing 128 bits needs no more.
const randomWork = 10

// SealUnder returns data as an age file under a secret of at least 128 random bits.
func SealUnder(secret string, data []byte) ([]byte, error) {
	to, err := age.NewScryptRecipient(secret)
	if err != nil {
		return nil, err
	}
	to.SetWorkFactor(randomWork)
	var out bytes.Buffer
	w, err := age.Encrypt(&out, to)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// OpenUnder returns the data of an age file that SealUnder made.
func OpenUnder(secret string, sealed []byte) ([]byte, error) {
	id, err := age.NewScryptIdentity(secret)
	if err != nil {
		return nil, err
	}
	id.SetMaxWorkFactor(randomWork)
	r, err := age.Decrypt(bytes.NewReader(sealed), id)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
