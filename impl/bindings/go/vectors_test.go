package aardvark

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// hexBytes is a byte string of the vectors; null is nil.
type hexBytes []byte

func (into *hexBytes) UnmarshalJSON(text []byte) error {
	var digits *string
	if err := json.Unmarshal(text, &digits); err != nil || digits == nil {
		return err
	}
	decoded, err := hex.DecodeString(strings.TrimPrefix(*digits, "0x"))
	*into = append(hexBytes{}, decoded...)
	return err
}

// readVectors reads a file that every implementation is tested with.
func readVectors(t testing.TB, name string, into any) {
	t.Helper()
	text, err := os.ReadFile("../../../differential-tests/vectors/" + name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestSlotsHashToTheScalarsOfTheVectors(t *testing.T) {
	var file struct {
		Tests []struct {
			Comment                  string
			Key, Value, Next, Scalar hexBytes
		}
	}
	readVectors(t, "slots.json", &file)
	for _, test := range file.Tests {
		slot := Slot{Key: test.Key, Value: test.Value, Next: test.Next}
		scalar, err := slot.scalar()
		if found := scalar.Bytes(); err != nil || !bytes.Equal(found[:], test.Scalar) {
			t.Errorf("%s: %x %v", test.Comment, found, err)
		}
	}
	if len(file.Tests) == 0 {
		t.Error("no vectors")
	}
}

type proofVectors struct {
	About   string
	Trusted map[string]json.RawMessage
	Tests   []proofVector
}

type proofVector struct {
	ID       int
	Comment  string
	Trusted  string
	Question json.RawMessage
	Proof    *string
	Bytes    hexBytes
	Expected expected
	Strict   *expected
}

type expected struct {
	Answer *struct {
		Keys  []struct{ Key, Value hexBytes }
		Range *struct {
			Entries []struct{ Key, Value hexBytes }
			Resume  hexBytes
		}
		Predecessor *struct{ Key, Value hexBytes }
		Successor   hexBytes
	}
	Refused *struct {
		Reason string
		Class  string
		Item   *int
	}
}

func TestProofsAnswerOrAreRefusedAsTheVectorsSay(t *testing.T) {
	var file proofVectors
	readVectors(t, "proofs.json", &file)
	reached := judgeProofs(t, &file)
	for reason := range reasons {
		// No text and no bytes have such a slot; identities have tests of their own.
		if !reached[string(reason)] && reason != AnswerSlotTooLong {
			t.Errorf("no vector is refused for %s", reason)
		}
	}
}

// Proofs of random dictionaries that were made just now.
func TestFreshProofsAnswerOrAreRefusedAsTheirFileSays(t *testing.T) {
	path := os.Getenv("AARDVARK_FRESH_PROOFS")
	if path == "" {
		t.Skip("cargo xtask bindings makes fresh proofs")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file proofVectors
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if judgeProofs(t, &file); len(file.Tests) < 100 {
		t.Errorf("%s %d proofs", file.About, len(file.Tests))
	}
}

// judgeProofs gives all proofs of a file to a verifier, and returns the reasons that were met.
func judgeProofs(t *testing.T, file *proofVectors) map[string]bool {
	t.Helper()
	verifier, err := NewVerifier()
	if err != nil {
		t.Fatal(err)
	}
	trusted := make(map[string]Trusted)
	for name, text := range file.Trusted {
		trusted[name] = readTrusted(t, text)
	}
	answered, reached := 0, make(map[string]bool)
	for _, test := range file.Tests {
		known, question := trusted[test.Trusted], readQuestion(t, test.Question)
		forms := make(map[string]func() (*Proof, error))
		if test.Proof != nil {
			forms["text"] = func() (*Proof, error) { return ReadProof([]byte(*test.Proof)) }
		}
		if test.Bytes != nil {
			forms["bytes"] = func() (*Proof, error) { return ReadProofBytes(test.Bytes) }
		}
		wanted := test.Expected
		if test.Strict != nil {
			wanted = *test.Strict
		}
		for form, read := range forms {
			proof, err := read()
			var answer Answer
			if err == nil {
				answer, err = verifier.Verify(known, question, proof)
			}
			if why := differs(wanted, question, answer, err); why != "" {
				t.Errorf("%s %d, %s, %s: %s", file.About, test.ID, test.Comment, form, why)
			}
		}
		if wanted.Refused == nil {
			answered++
		} else {
			reached[wanted.Refused.Reason] = true
		}
	}
	t.Logf("%d proofs, %d of them answers", len(file.Tests), answered)
	return reached
}

func readTrusted(t *testing.T, text json.RawMessage) Trusted {
	t.Helper()
	var trusted struct {
		Commitments json.RawMessage
		Root        *struct {
			Root, Dictionary hexBytes
			VectorSize       uint32 `json:"vector_size"`
		}
		RootAlone hexBytes `json:"root_alone"`
	}
	if err := json.Unmarshal(text, &trusted); err != nil {
		t.Fatal(err)
	}
	switch {
	case trusted.Commitments != nil:
		known, err := ReadCommitments(trusted.Commitments)
		if err != nil {
			t.Fatal(err)
		}
		return known
	case trusted.Root != nil:
		return &Root{
			Dictionary: [32]byte(trusted.Root.Dictionary),
			VectorSize: trusted.Root.VectorSize,
			Digest:     [32]byte(trusted.Root.Root),
		}
	default:
		return RootAlone(trusted.RootAlone)
	}
}

func readQuestion(t *testing.T, text json.RawMessage) Question {
	t.Helper()
	var asked struct {
		Keys  []hexBytes
		Range *struct {
			From, To hexBytes
			Limit    *uint64
		}
		Predecessor, Successor hexBytes
	}
	if err := json.Unmarshal(text, &asked); err != nil {
		t.Fatal(err)
	}
	switch {
	case asked.Range != nil:
		return AskRange{From: asked.Range.From, To: asked.Range.To, Limit: asked.Range.Limit}
	case asked.Predecessor != nil:
		return AskPredecessor(asked.Predecessor)
	case asked.Successor != nil:
		return AskSuccessor(asked.Successor)
	}
	keys := make(AskKeys, len(asked.Keys))
	for i, key := range asked.Keys {
		keys[i] = key
	}
	return keys
}

// differs says in what an outcome differs from the wanted one; nothing where it does not.
func differs(wanted expected, question Question, answer Answer, err error) string {
	if wanted.Refused == nil {
		if err != nil {
			return err.Error()
		}
		if found, wanted := shown(answer), wantedAnswer(wanted, question); found != wanted {
			return fmt.Sprintf("%s, where %s is wanted", found, wanted)
		}
		return ""
	}
	if err == nil {
		return fmt.Sprintf("answered %s, where %s is wanted", shown(answer), wanted.Refused.Reason)
	}
	reason, class, item := "Unreadable", Malformed, -1
	var refusal *Refusal
	var format *FormatError
	switch {
	case errors.As(err, &refusal):
		reason, class, item = string(refusal.Reason), refusal.Class(), refusal.Item
	case !errors.As(err, &format):
		return fmt.Sprintf("an untyped error: %v", err)
	}
	wantedItem := -1
	if wanted.Refused.Item != nil {
		wantedItem = *wanted.Refused.Item
	}
	if reason != wanted.Refused.Reason || string(class) != wanted.Refused.Class || item != wantedItem {
		return fmt.Sprintf("%s, %s, item %d (%v), where %s, %s, item %d is wanted", reason, class, item, err,
			wanted.Refused.Reason, wanted.Refused.Class, wantedItem)
	}
	return ""
}

func shown(answer Answer) string {
	switch answer := answer.(type) {
	case KeysAnswer:
		text := "keys"
		for _, key := range answer {
			text += fmt.Sprintf(" %x", key.Key)
			if key.Present {
				text += fmt.Sprintf("=%x", key.Value)
			}
		}
		return text
	case RangeAnswer:
		text := "range"
		for _, entry := range answer.Entries {
			text += fmt.Sprintf(" %x=%x", entry.Key, entry.Value)
		}
		if answer.Resume != nil {
			text += fmt.Sprintf(" resume %x", answer.Resume)
		}
		return text
	case PredecessorAnswer:
		if answer.Entry == nil {
			return "predecessor"
		}
		return fmt.Sprintf("predecessor %x=%x", answer.Entry.Key, answer.Entry.Value)
	case SuccessorAnswer:
		if answer.Key == nil {
			return "successor"
		}
		return fmt.Sprintf("successor %x", answer.Key)
	default:
		return fmt.Sprint(answer)
	}
}

// wantedAnswer is the answer of a vector, as shown writes it.
func wantedAnswer(wanted expected, question Question) string {
	switch question.(type) {
	case AskKeys:
		answer := make(KeysAnswer, len(wanted.Answer.Keys))
		for i, key := range wanted.Answer.Keys {
			answer[i] = KeyAnswer{Key: key.Key, Present: key.Value != nil, Value: key.Value}
		}
		return shown(answer)
	case AskRange:
		answer := RangeAnswer{Resume: wanted.Answer.Range.Resume}
		for _, entry := range wanted.Answer.Range.Entries {
			answer.Entries = append(answer.Entries, Entry{Key: entry.Key, Value: entry.Value})
		}
		return shown(answer)
	case AskPredecessor:
		if found := wanted.Answer.Predecessor; found != nil {
			return shown(PredecessorAnswer{Entry: &Entry{Key: found.Key, Value: found.Value}})
		}
		return shown(PredecessorAnswer{})
	default:
		return shown(SuccessorAnswer{Key: wanted.Answer.Successor})
	}
}
