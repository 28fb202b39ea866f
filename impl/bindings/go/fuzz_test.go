package aardvark

import (
	"bytes"
	"testing"
)

// FuzzReadProof looks for a text that makes reader or verifier panic, or that proves another value
// of a key than the one that it has: `go test -fuzz ReadProof`.
func FuzzReadProof(f *testing.F) {
	known, err := ReadCommitments([]byte(example(f, "commitments.json")))
	if err != nil {
		f.Fatal(err)
	}
	verifier, err := NewVerifier()
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(example(f, "proof.json")))
	f.Add([]byte(example(f, "range.json")))
	f.Fuzz(func(t *testing.T, text []byte) {
		proof, err := ReadProof(text)
		if err != nil {
			return
		}
		value, present, err := verifier.VerifyKey(known, []byte("curl"), proof)
		if err == nil && !(present && bytes.Equal(value, []byte("curl 1.0"))) {
			t.Errorf("curl has the value %q", value)
		}
		if _, err := verifier.Verify(RootAlone{}, proof.Question, proof); err == nil {
			t.Error("a proof under a root of which nothing is known")
		}
	})
}

func FuzzReadCommitments(f *testing.F) {
	f.Add([]byte(example(f, "commitments.json")))
	f.Fuzz(func(t *testing.T, text []byte) {
		known, err := ReadCommitments(text)
		if err == nil && !isVectorSize(known.VectorSize) {
			t.Errorf("vectors of %d", known.VectorSize)
		}
	})
}
