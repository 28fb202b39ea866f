package aardvark_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"os"
	"sync"

	"aardvark.example/aardvark"
)

// verifier is prepared once, as in a program.
var verifier = sync.OnceValue(func() *aardvark.Verifier {
	prepared, err := aardvark.NewVerifier()
	if err != nil {
		log.Fatal(err)
	}
	return prepared
})

// The commitments of a version are from somebody who is trusted, the proof from anybody.
func Example() {
	verifier := verifier() // aardvark.NewVerifier()
	text, err := os.ReadFile("../../proof/examples/commitments.json")
	if err != nil {
		log.Fatal(err)
	}
	known, err := aardvark.ReadCommitments(text)
	if err != nil {
		log.Fatal(err)
	}
	text, err = os.ReadFile("../../proof/examples/proof.json")
	if err != nil {
		log.Fatal(err)
	}
	proof, err := aardvark.ReadProof(text)
	if err != nil {
		log.Fatal(err)
	}
	value, present, err := verifier.VerifyKey(known, []byte("curl"), proof)
	fmt.Printf("%q %t %v\n", value, present, err)

	// A forged value is false, and a proof of something else is not taken for an answer.
	proof.Claims[0].Slot.Value = []byte("curl 2.0")
	_, _, err = verifier.VerifyKey(known, []byte("curl"), proof)
	var refusal *aardvark.Refusal
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Reason, refusal.Class())
	}
	_, _, err = verifier.VerifyKey(known, []byte("wget"), proof)
	fmt.Println(err)
	// Output:
	// "curl 1.0" true <nil>
	// AnswerOpeningFalse false
	// the proof is about another question
}

func ExampleVerifier_Verify() {
	text, err := os.ReadFile("../../proof/examples/commitments.json")
	if err != nil {
		log.Fatal(err)
	}
	known, err := aardvark.ReadCommitments(text)
	if err != nil {
		log.Fatal(err)
	}
	text, err = os.ReadFile("../../proof/examples/range.json")
	if err != nil {
		log.Fatal(err)
	}
	proof, err := aardvark.ReadProof(text)
	if err != nil {
		log.Fatal(err)
	}
	asked := aardvark.AskRange{From: []byte("c"), To: []byte("n")}
	answer, err := verifier().Verify(known, asked, proof)
	if err != nil {
		log.Fatal(err)
	}
	for _, entry := range answer.(aardvark.RangeAnswer).Entries {
		fmt.Printf("%s: %s\n", entry.Key, entry.Value)
	}
	// Output:
	// curl: curl 1.0
	// dash: dash 1.0
	// git: git 1.0
	// make: make 1.0
}

// A state root of 32 bytes is all that is trusted: the proof brings its dictionary's identity, and
// one opening for all claims.
func ExampleRootAlone() {
	text, err := os.ReadFile("../../proof/examples/root.txt")
	if err != nil {
		log.Fatal(err)
	}
	var root aardvark.RootAlone
	if _, err := hex.Decode(root[:], bytes.TrimSpace(text)[2:]); err != nil {
		log.Fatal(err)
	}
	text, err = os.ReadFile("../../proof/examples/together.json")
	if err != nil {
		log.Fatal(err)
	}
	proof, err := aardvark.ReadProof(text)
	if err != nil {
		log.Fatal(err)
	}
	asked := aardvark.AskRange{From: []byte("c"), To: []byte("n")}
	answer, err := verifier().Verify(root, asked, proof)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %d entries\n", proof.Root.Identity.Name, len(answer.(aardvark.RangeAnswer).Entries))
	// Output:
	// a scene: 4 entries
}
