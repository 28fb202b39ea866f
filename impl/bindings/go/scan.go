package aardvark

import "bytes"

// An Answer is what a proof that holds says: [KeysAnswer], [RangeAnswer], [PredecessorAnswer] or
// [SuccessorAnswer], after the question.
type Answer interface{ answer() }

// KeysAnswer answers [AskKeys]: the keys in their order.
type KeysAnswer []KeyAnswer

// A KeyAnswer is a key that was asked for, and its value, or that it is absent.
type KeyAnswer struct {
	Key     []byte
	Present bool
	// Value is nil where the key is absent.
	Value []byte
}

// An Entry is a live key and its value.
type Entry struct {
	Key, Value []byte
}

// RangeAnswer answers [AskRange].
type RangeAnswer struct {
	// Entries are all that the range has, or as many as were asked for, ascending.
	Entries []Entry
	// Resume is nil, or, where the limit was reached, the least key of the range of which nothing
	// is said. To go on, ask from it.
	Resume []byte
}

// PredecessorAnswer answers [AskPredecessor]; Entry is nil where no live key is below the asked
// one.
type PredecessorAnswer struct{ Entry *Entry }

// SuccessorAnswer answers [AskSuccessor]; Key is nil where no live key is above the asked one.
type SuccessorAnswer struct{ Key []byte }

func (KeysAnswer) answer()        {}
func (RangeAnswer) answer()       {}
func (PredecessorAnswer) answer() {}
func (SuccessorAnswer) answer()   {}

// answerOfSlots gives the answer of slots, all of one version of the dictionary, to a question.
//
// Between a slot's key and its next key there is no live key. So slots that cover, one after the
// other, all that is asked for show every entry of it and leave no gap.
func answerOfSlots(question Question, claims []Claim) (Answer, error) {
	switch question := question.(type) {
	case AskKeys:
		entries, _, err := scan(question, claims)
		if err != nil {
			return nil, err
		}
		return keysAnswer(question, entries), nil
	case AskRange:
		entries, resume, err := scan(question, claims)
		if err != nil {
			return nil, err
		}
		return RangeAnswer{Entries: entries, Resume: resume}, nil
	case AskPredecessor:
		slot, err := only(claims)
		if err != nil {
			return nil, err
		}
		if !slot.precedes(question) {
			return nil, refuse(ChainNotCovering)
		}
		if len(slot.Key) == 0 {
			return PredecessorAnswer{}, nil
		}
		return PredecessorAnswer{Entry: &Entry{Key: slot.Key, Value: slot.Value}}, nil
	case AskSuccessor:
		slot, err := only(claims)
		if err != nil {
			return nil, err
		}
		if !slot.covers(question) {
			return nil, refuse(ChainNotCovering)
		}
		if len(slot.Next) == 0 {
			return SuccessorAnswer{}, nil
		}
		return SuccessorAnswer{Key: slot.Next}, nil
	default:
		return nil, refuse(QuestionIllegal)
	}
}

// scan goes through a region by the slots that cover it: the cursor is the least asked key of which
// nothing is known yet.
func scan(asked region, claims []Claim) (entries []Entry, resume []byte, err error) {
	cursor, more := asked.from(nil)
	for i := range claims {
		slot := &claims[i].Slot
		if !more || asked.full(len(entries)) {
			return nil, nil, refuse(ChainSuperfluous)
		}
		if !slot.covers(cursor) {
			return nil, nil, refuse(ChainNotCovering)
		}
		// The sentinel is no entry.
		if len(cursor) > 0 && bytes.Equal(slot.Key, cursor) {
			entries = append(entries, Entry{Key: slot.Key, Value: slot.Value})
		}
		// Where the slot's next key does not come after the cursor, the ring closes.
		more = bytes.Compare(cursor, slot.Next) < 0
		if more {
			cursor, more = asked.from(slot.Next)
		}
	}
	if !more {
		return entries, nil, nil
	}
	if asked.full(len(entries)) {
		return entries, cursor, nil
	}
	return nil, nil, refuse(ChainMissing)
}

// keysAnswer puts entries, which are some of the asked keys in their order, beside these.
func keysAnswer(asked AskKeys, entries []Entry) KeysAnswer {
	answer := make(KeysAnswer, len(asked))
	for i, key := range asked {
		answer[i].Key = key
		if len(entries) > 0 && bytes.Equal(entries[0].Key, key) {
			answer[i].Present, answer[i].Value = true, entries[0].Value
			entries = entries[1:]
		}
	}
	return answer
}

// only gives the only slot.
func only(claims []Claim) (*Slot, error) {
	switch len(claims) {
	case 0:
		return nil, refuse(ChainMissing)
	case 1:
		return &claims[0].Slot, nil
	default:
		return nil, refuse(ChainSuperfluous)
	}
}
