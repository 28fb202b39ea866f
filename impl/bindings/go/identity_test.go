package aardvark

import (
	"encoding/binary"
	"errors"
	"testing"
)

// ordinary are parameters as `aardvark init` chooses them.
func ordinary() parameters {
	return parameters{
		Scheme: 1, VectorSize: 1024, Window: 10, MaxKeyLength: 255, MaxValueLength: 1024,
		TransactionOperations: 256, TransactionClaims: 512, TransactionBytes: 1 << 20,
		BlockTransactions: 1 << 16, BlockOperations: 1 << 18, BlockClaims: 1 << 18, BlockBytes: 1 << 26,
	}
}

// checked checks an identity with these parameters, after a change.
func checked(t *testing.T, p parameters, change func(*Identity)) (uint32, error) {
	t.Helper()
	identity := &Identity{Name: []byte("packages"), SetupDigest: setupDigest}
	if _, err := binary.Encode(identity.Parameters[:], binary.BigEndian, p); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(identity)
	}
	return identity.check()
}

func TestAnIdentityGivesTheVectorSizeOfADictionaryThatThereCanBe(t *testing.T) {
	if size, err := checked(t, ordinary(), nil); size != 1024 || err != nil {
		t.Errorf("%d %v", size, err)
	}
	for name, change := range map[string]func(*parameters){
		"an unknown scheme":                   func(p *parameters) { p.Scheme = 3 },
		"no vector size":                      func(p *parameters) { p.VectorSize = 0 },
		"no power of two":                     func(p *parameters) { p.VectorSize = 1000 },
		"too large vectors":                   func(p *parameters) { p.VectorSize = 8192 },
		"a window beyond 16 bits":             func(p *parameters) { p.Window = 1 << 16 },
		"keys of no bytes":                    func(p *parameters) { p.MaxKeyLength = 0 },
		"keys of 256 bytes":                   func(p *parameters) { p.MaxKeyLength = 256 },
		"values of 1025 bytes":                func(p *parameters) { p.MaxValueLength = 1025 },
		"no operations":                       func(p *parameters) { p.TransactionOperations = 0 },
		"operations beyond 16 bits":           func(p *parameters) { p.TransactionOperations = 1 << 16 },
		"a single claim":                      func(p *parameters) { p.TransactionClaims = 1 },
		"no transactions":                     func(p *parameters) { p.BlockTransactions = 0 },
		"more operations than a block has":    func(p *parameters) { p.BlockOperations = 255 },
		"more claims than a block has":        func(p *parameters) { p.BlockClaims = 511 },
		"a transaction too short for a claim": func(p *parameters) { p.TransactionBytes = 5247 },
		"a block too short for its tail":      func(p *parameters) { p.BlockBytes = 1 << 20 },
	} {
		p := ordinary()
		change(&p)
		_, err := checked(t, p, nil)
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Reason != PartsMalformed {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The least that is legal: 2048 + 2 (66 + 1534), and 17 + 2^20 + 4 + 1024 (6 + 1534).
	p := ordinary()
	p.TransactionBytes = 5248
	if _, err := checked(t, p, nil); err != nil {
		t.Errorf("the shortest transactions: %v", err)
	}
	p = ordinary()
	p.BlockBytes = 17 + 1<<20 + 4 + 1024*1540
	if _, err := checked(t, p, nil); err != nil {
		t.Errorf("the shortest blocks: %v", err)
	}
	p.BlockBytes--
	if _, err := checked(t, p, nil); err == nil {
		t.Error("blocks a byte too short")
	}
}

func TestAnIdentityOfAnotherSetupOrWithoutANameIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Identity)
		reason Reason
	}{
		"another setup":       {func(identity *Identity) { identity.SetupDigest[0]++ }, OtherScheme},
		"Libert-Yung":         {func(identity *Identity) { identity.Parameters[0] = 2 }, OtherScheme},
		"no name":             {func(identity *Identity) { identity.Name = nil }, PartsMalformed},
		"a name of 256 bytes": {func(identity *Identity) { identity.Name = make([]byte, 256) }, PartsMalformed},
	} {
		_, err := checked(t, ordinary(), test.change)
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Reason != test.reason {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a program passes is checked like what a proof says.
func TestWhatNoFormatCanSayIsRefusedAllTheSame(t *testing.T) {
	known, err := ReadCommitments([]byte(example(t, "commitments.json")))
	if err != nil {
		t.Fatal(err)
	}
	proof, err := ReadProof([]byte(example(t, "proof.json")))
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := NewVerifier()
	if err != nil {
		t.Fatal(err)
	}
	curl := AskKey([]byte("curl"))
	if _, err := verifier.Verify(&Commitments{}, curl, proof); !errors.Is(err, ErrTrusted) {
		t.Errorf("vectors of no slots: %v", err)
	}
	var refusal *Refusal
	if _, err := verifier.Verify(known, nil, proof); !errors.As(err, &refusal) || refusal.Reason != QuestionIllegal {
		t.Errorf("no question: %v", err)
	}
	if _, err := verifier.Verify(&SignedRoot{}, curl, proof); !errors.As(err, &refusal) || refusal.Reason != TieMismatched {
		t.Errorf("a root that the proof has no tie to: %v", err)
	}
	proof.Claims[0].Slot.Value = make([]byte, 1025)
	if _, err := verifier.Verify(known, curl, proof); !errors.As(err, &refusal) || refusal.Reason != AnswerSlotTooLong {
		t.Errorf("a value of 1025 bytes: %v", err)
	}
}
