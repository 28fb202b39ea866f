package aardvark

import (
	"errors"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// fold makes the folded opening of a proof from its plain ones, each of which is [q_i(τ)].
func fold(t *testing.T, known *Commitments, proof *Proof) *FoldedOpening {
	t.Helper()
	basis, err := known.basis(subject{vectorSize: known.VectorSize}, proof)
	if err != nil {
		t.Fatal(err)
	}
	commitments, err := basis.commitmentsOf(proof.Claims)
	if err != nil {
		t.Fatal(err)
	}
	domain := newDomain(known.VectorSize)
	claims, openings := make([]foldedClaim, len(proof.Claims)), make([]bls12381.G1Affine, len(proof.Claims))
	for i, claim := range proof.Claims {
		value, err := claim.Slot.scalar()
		if err != nil {
			t.Fatal(err)
		}
		claims[i] = foldedClaim{commitments[i], domain.at(claim.Position), value}
		if _, err := openings[i].SetBytes(claim.Opening[:]); err != nil {
			t.Fatal(err)
		}
	}
	drawn := func(seed [32]byte, i int) fr.Element {
		scalar, err := challenge(seed, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		return scalar
	}
	sum := func(factors []fr.Element) (total bls12381.G1Affine) {
		if _, err := total.MultiExp(openings, factors, ecc.MultiExpConfig{}); err != nil {
			t.Fatal(err)
		}
		return total
	}
	seed := claimsSeed(foldContext(proof.Dictionary, proof.Version, proof.VectorSize), claims)
	gammas := make([]fr.Element, len(claims))
	for i := range claims {
		gammas[i] = drawn(seed, i)
	}
	var folded FoldedOpening
	quotient := sum(gammas)
	folded.Quotient = quotient.Bytes()
	z := drawn(taggedHash("AARDVARK-V1-FOLD", append(seed[:], folded.Quotient[:]...)), 0)
	for i := range claims {
		var distance fr.Element
		gammas[i].Div(&gammas[i], distance.Sub(&z, &claims[i].point))
	}
	witness := sum(gammas)
	folded.Witness = witness.Bytes()
	return &folded
}

func TestAFoldedOpeningOpensAllClaimsAndNoOthers(t *testing.T) {
	known, err := ReadCommitments([]byte(example(t, "commitments.json")))
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := NewVerifier()
	if err != nil {
		t.Fatal(err)
	}
	asked := AskRange{From: []byte("c"), To: []byte("n")}
	honest := func() *Proof {
		proof, err := ReadProof([]byte(example(t, "range.json")))
		if err != nil {
			t.Fatal(err)
		}
		proof.Folded = fold(t, known, proof)
		return proof
	}
	answer, err := verifier.Verify(known, asked, honest())
	if err != nil || len(answer.(RangeAnswer).Entries) != 4 {
		t.Fatalf("%v %v", answer, err)
	}
	for name, lie := range map[string]func(*Proof){
		"a value":               func(proof *Proof) { proof.Claims[1].Slot.Value = []byte("curl 2.0") },
		"a position":            func(proof *Proof) { proof.Claims[2].Position++ },
		"two claims swapped":    func(proof *Proof) { proof.Claims[1], proof.Claims[2] = proof.Claims[2], proof.Claims[1] },
		"the last claim is cut": func(proof *Proof) { proof.Claims = proof.Claims[:4] },
		"W and W' swapped": func(proof *Proof) {
			proof.Folded.Quotient, proof.Folded.Witness = proof.Folded.Witness, proof.Folded.Quotient
		},
	} {
		proof := honest()
		lie(proof)
		_, err := verifier.Verify(known, asked, proof)
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Reason != AnswerOpeningFalse {
			t.Errorf("%s: %v", name, err)
		}
	}
	proof := honest()
	proof.Folded.Witness[47] ^= 1
	_, err = verifier.Verify(known, asked, proof)
	var refusal *Refusal
	if !errors.As(err, &refusal) || refusal.Reason.Class() == Other {
		t.Errorf("bytes that are no point: %v", err)
	}
}
