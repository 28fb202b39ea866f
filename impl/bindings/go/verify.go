package aardvark

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"sync"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	goethkzg "github.com/crate-crypto/go-eth-kzg"
)

// ErrTrusted is returned where what is trusted is nothing that any dictionary has.
var ErrTrusted = errors.New("what is trusted has no vector size from 1 to 4096 that is a power of two")

// ceremony is go-eth-kzg's view of the Ethereum ceremony, all of which it decodes: two seconds.
var ceremony = sync.OnceValues(goethkzg.NewContext4096Secure)

// A Verifier verifies answers of dictionaries on KZG and the Ethereum ceremony. It may be used by
// many goroutines at once.
type Verifier struct {
	// second is the generator of G2, and [τ]_2 negated.
	second [2]bls12381.G2Affine
}

// NewVerifier gives a verifier. The first proof with plain openings that a program verifies takes
// two seconds longer than others, for the ceremony; folded openings need none of that.
func NewVerifier() (*Verifier, error) {
	encoded, err := hex.DecodeString(tauG2)
	if err != nil {
		return nil, fmt.Errorf("the ceremony: %w", err)
	}
	var tau bls12381.G2Affine
	if _, err := tau.SetBytes(encoded); err != nil {
		return nil, fmt.Errorf("the ceremony: %w", err)
	}
	_, _, _, generator := bls12381.Generators()
	verifier := &Verifier{}
	verifier.second[0] = generator
	verifier.second[1].Neg(&tau)
	return verifier, nil
}

// [τ]_2 of the Ethereum ceremony.
const tauG2 = "b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72" +
	"185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2"

// Verify gives the answer that a proof gives to a question, under what is trusted. Where it gives
// none, the error is a [*Refusal]: the first check that fails, in the order of docs/answers.md.
// Openings have to lie in the subgroup of order r, as every honest one does.
func (verifier *Verifier) Verify(trusted Trusted, question Question, proof *Proof) (Answer, error) {
	about, err := trusted.about(proof)
	if err != nil {
		return nil, err
	}
	if !isVectorSize(about.vectorSize) {
		return nil, ErrTrusted
	}
	if err := checkForm(question, proof.Claims); err != nil {
		return nil, err
	}
	if err := checkAbout(about, question, proof); err != nil {
		return nil, err
	}
	basis, err := trusted.basis(about, proof)
	if err != nil {
		return nil, err
	}
	commitments, err := basis.commitmentsOf(proof.Claims)
	if err != nil {
		return nil, err
	}
	if proof.Folded == nil {
		err = checkOpenings(about, proof.Claims, commitments)
	} else {
		err = verifier.checkFolded(about, proof, commitments)
	}
	if err != nil {
		return nil, err
	}
	return answerOfSlots(question, proof.Claims)
}

// VerifyKey is [Verifier.Verify] for one key: its value, and whether it is present.
func (verifier *Verifier) VerifyKey(trusted Trusted, key []byte, proof *Proof) (value []byte, present bool, err error) {
	answer, err := verifier.Verify(trusted, AskKey(key), proof)
	if err != nil {
		return nil, false, err
	}
	keys, ok := answer.(KeysAnswer)
	if !ok || len(keys) != 1 {
		return nil, false, refuse(OtherQuestion)
	}
	return keys[0].Value, keys[0].Present, nil
}

// checkForm looks at the form of a question, and of the slots that are to answer it.
func checkForm(question Question, claims []Claim) error {
	if question == nil || !question.legal() {
		return refuse(QuestionIllegal)
	}
	for i := range claims {
		if claims[i].Slot.tooLong() {
			return refuseItem(AnswerSlotTooLong, i)
		}
	}
	return nil
}

// checkAbout wants the proof to say that it is about what is trusted and asked.
func checkAbout(about subject, question Question, proof *Proof) error {
	switch {
	case proof.Dictionary != about.dictionary:
		return refuse(OtherDictionary)
	case proof.Scheme != KZG:
		return refuse(OtherScheme)
	case proof.VectorSize != about.vectorSize:
		return refuse(OtherVectorSize)
	case about.version != nil && proof.Version != *about.version:
		return refuse(OtherVersion)
	case !question.same(proof.Question):
		return refuse(OtherQuestion)
	}
	return nil
}

// checkOpenings wants each opening to open its vector's commitment to its slot's scalar.
func checkOpenings(about subject, claims []Claim, commitments []*commitment) error {
	for i := range claims {
		if _, err := goethkzg.DeserializeKZGProof(claims[i].Opening); err != nil {
			return refuseItem(AnswerOpeningMalformed, i)
		}
	}
	context, err := ceremony()
	if err != nil {
		return fmt.Errorf("the ceremony: %w", err)
	}
	domain := newDomain(about.vectorSize)
	for i := range claims {
		value, err := claims[i].Slot.scalar()
		if err != nil {
			return err
		}
		point := domain.at(claims[i].Position)
		if context.VerifyKZGProof(commitments[i].bytes, point.Bytes(), value.Bytes(), claims[i].Opening) != nil {
			return refuseItem(AnswerOpeningFalse, i)
		}
	}
	return nil
}

// A domain is the points at which the polynomials of vectors are evaluated: the powers of a
// primitive N-th root of unity.
type domain struct {
	size uint64
	root fr.Element
}

func newDomain(vectorSize uint32) domain {
	// 7 generates the multiplicative group, whose order N divides.
	exponent := new(big.Int).Sub(fr.Modulus(), big.NewInt(1))
	exponent.Div(exponent, big.NewInt(int64(vectorSize)))
	domain := domain{size: uint64(vectorSize)}
	domain.root.Exp(fr.NewElement(7), exponent)
	return domain
}

// at gives the point of a position's index within its vector.
func (domain domain) at(position uint64) fr.Element {
	var point fr.Element
	return *point.Exp(domain.root, new(big.Int).SetUint64(position%domain.size))
}
