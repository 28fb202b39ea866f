package aardvark

import "fmt"

// A Class says whether a proof that does not hold is malformed, about something else, or false.
type Class string

// The classes. A program ends with exit code 1 for a false proof, and with 2 for the others.
const (
	// Malformed: it is none of the format's proofs.
	Malformed Class = "malformed"
	// Other: it is about something else.
	Other Class = "other"
	// False: it says what is not so, or does not prove what it says.
	False Class = "false"
)

// A Reason why a proof does not hold. The names are those of the specification.
type Reason string

// The reasons, in the order of the checks but for those of ties.
const (
	QuestionIllegal          Reason = "QuestionIllegal"
	AnswerSlotTooLong        Reason = "AnswerSlotTooLong"
	OtherDictionary          Reason = "OtherDictionary"
	OtherScheme              Reason = "OtherScheme"
	OtherVectorSize          Reason = "OtherVectorSize"
	OtherVersion             Reason = "OtherVersion"
	OtherQuestion            Reason = "OtherQuestion"
	TieMismatched            Reason = "TieMismatched"
	PartsMalformed           Reason = "PartsMalformed"
	TiedVectorsMismatched    Reason = "TiedVectorsMismatched"
	CommitmentMalformed      Reason = "CommitmentMalformed"
	RootFalse                Reason = "RootFalse"
	PathFalse                Reason = "PathFalse"
	AnswerPositionOutOfRange Reason = "AnswerPositionOutOfRange"
	AnswerOpeningMalformed   Reason = "AnswerOpeningMalformed"
	AnswerOpeningFalse       Reason = "AnswerOpeningFalse"
	ChainNotCovering         Reason = "ChainNotCovering"
	ChainSuperfluous         Reason = "ChainSuperfluous"
	ChainMissing             Reason = "ChainMissing"
)

var reasons = map[Reason]struct {
	class Class
	text  string
}{
	QuestionIllegal:          {Malformed, "nobody can ask this question"},
	AnswerSlotTooLong:        {Malformed, "a slot's key, next key or value is longer than any may be"},
	OtherDictionary:          {Other, "the proof is about another dictionary"},
	OtherScheme:              {Other, "the proof is for another commitment scheme"},
	OtherVectorSize:          {Other, "the proof is for another vector size"},
	OtherVersion:             {Other, "the proof is about another version"},
	OtherQuestion:            {Other, "the proof is about another question"},
	TieMismatched:            {Malformed, "nothing ties the claims to the root, or something does where commitments are trusted"},
	PartsMalformed:           {Malformed, "what the dictionary's id is over breaks the format's rules"},
	TiedVectorsMismatched:    {Malformed, "the tied vectors are not those of the claims, in ascending order"},
	CommitmentMalformed:      {Malformed, "the bytes of a commitment are not a point of the group"},
	RootFalse:                {False, "the parts do not hash to the root"},
	PathFalse:                {False, "a path does not tie its commitment to the root"},
	AnswerPositionOutOfRange: {False, "the claimed position is not in use"},
	AnswerOpeningMalformed:   {Malformed, "the bytes of an opening are not a point of the group"},
	AnswerOpeningFalse:       {False, "an opening does not prove its claim"},
	ChainNotCovering:         {False, "a slot does not cover what it has to, or does not precede it"},
	ChainSuperfluous:         {False, "there are slots after the answer's end"},
	ChainMissing:             {False, "the slots end before the answer does"},
}

// Class gives the reason's class.
func (reason Reason) Class() Class { return reasons[reason].class }

// A Refusal says why a proof does not hold: the first check that fails. errors.As finds it.
type Refusal struct {
	Reason Reason
	// Item is the claim, from 0; for reasons about what ties commitments to a root, the tied
	// vector; -1 where the reason is about the proof as a whole.
	Item int
}

// Class gives the class of the reason.
func (refusal *Refusal) Class() Class { return refusal.Reason.Class() }

func (refusal *Refusal) Error() string {
	if refusal.Item < 0 {
		return reasons[refusal.Reason].text
	}
	return fmt.Sprintf("item %d: %s", refusal.Item+1, reasons[refusal.Reason].text)
}

func refuse(reason Reason) *Refusal { return &Refusal{Reason: reason, Item: -1} }

func refuseItem(reason Reason, item int) *Refusal { return &Refusal{Reason: reason, Item: item} }
