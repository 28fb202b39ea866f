package aardvark

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Bytes of a true proof that are changed, doubled or cut prove what is true, or nothing.
func TestDamagedProofsGiveTheTrueAnswerOrNone(t *testing.T) {
	verifier, err := NewVerifier()
	if err != nil {
		t.Fatal(err)
	}
	var file proofVectors
	readVectors(t, "proofs.json", &file)
	var honest []proofVector
	for _, test := range file.Tests {
		if test.Expected.Refused == nil && test.Strict == nil && test.Bytes != nil && len(test.Bytes) < 4096 {
			honest = append(honest, test)
		}
	}
	random, answered := rand.New(rand.NewPCG(14, 3)), 0
	for range 1_000 {
		test := honest[random.IntN(len(honest))]
		damaged := slices.Clone(test.Bytes)
		at := random.IntN(len(damaged))
		switch random.IntN(4) {
		case 0:
			damaged = damaged[:at]
		case 1:
			damaged = slices.Insert(damaged, at, damaged[at:min(at+1+random.IntN(48), len(damaged))]...)
		default:
			damaged[at] ^= 1 << random.IntN(8)
		}
		question := readQuestion(t, test.Question)
		proof, err := ReadProofBytes(damaged)
		if err != nil {
			continue
		}
		answer, err := verifier.Verify(readTrusted(t, file.Trusted[test.Trusted]), question, proof)
		if err != nil {
			continue
		}
		answered++
		if why := differs(test.Expected, question, answer, nil); why != "" {
			t.Errorf("test %d, damaged at byte %d: %s", test.ID, at, why)
		}
	}
	// A tail's start, say, is of no meaning where a root binds it; but a change of it is not taken.
	if answered > 100 {
		t.Errorf("%d damaged proofs answered", answered)
	}
	t.Logf("%d of 1000 damaged proofs answered, and truly", answered)
}
