package aardvark

import (
	"bytes"
	"slices"
	"sort"
)

// The most bytes of keys and values in any dictionary.
const (
	MaxKeyBytes   = 255
	MaxValueBytes = 1024
)

// A Question is what is asked of a dictionary at one version: [AskKeys], [AskRange],
// [AskPredecessor] or [AskSuccessor].
type Question interface {
	// legal says whether it can be asked.
	legal() bool
	// same says whether the other question is this one.
	same(other Question) bool
}

// AskKeys asks for the values of these keys, which have 1 to 255 bytes each and strictly ascend.
type AskKeys [][]byte

// AskKey asks for the value of one key.
func AskKey(key []byte) AskKeys {
	return AskKeys{key}
}

// AskEach asks for the values of these keys, which it puts in order, each once.
func AskEach(keys ...[]byte) AskKeys {
	sorted := slices.Clone(keys)
	slices.SortFunc(sorted, bytes.Compare)
	return slices.CompactFunc(sorted, bytes.Equal)
}

// AskRange asks for the entries with From <= key < To.
type AskRange struct {
	// From is the least key of the range, present or not; empty for a range from the first key on.
	From []byte
	// To is the least key above the range; empty for a range without an end.
	To []byte
	// Limit is the most entries that are wanted, from the least on; nil for all of them.
	Limit *uint64
}

// AskPredecessor asks for the greatest live key below this one, and its value.
type AskPredecessor []byte

// AskSuccessor asks for the least live key above this one.
type AskSuccessor []byte

func (keys AskKeys) legal() bool {
	for i, key := range keys {
		if !askable(key) || i > 0 && bytes.Compare(keys[i-1], key) >= 0 {
			return false
		}
	}
	return len(keys) > 0
}

func (asked AskRange) legal() bool {
	return len(asked.From) <= MaxKeyBytes && len(asked.To) <= MaxKeyBytes &&
		asked.isBelowEnd(asked.From) && (asked.Limit == nil || *asked.Limit > 0)
}

func (key AskPredecessor) legal() bool { return askable(key) }

func (key AskSuccessor) legal() bool { return askable(key) }

func (keys AskKeys) same(other Question) bool {
	theirs, ok := other.(AskKeys)
	return ok && slices.EqualFunc(keys, theirs, bytes.Equal)
}

func (asked AskRange) same(other Question) bool {
	theirs, ok := other.(AskRange)
	if !ok || !bytes.Equal(asked.From, theirs.From) || !bytes.Equal(asked.To, theirs.To) {
		return false
	}
	if asked.Limit == nil || theirs.Limit == nil {
		return asked.Limit == nil && theirs.Limit == nil
	}
	return *asked.Limit == *theirs.Limit
}

func (key AskPredecessor) same(other Question) bool {
	theirs, ok := other.(AskPredecessor)
	return ok && bytes.Equal(key, theirs)
}

func (key AskSuccessor) same(other Question) bool {
	theirs, ok := other.(AskSuccessor)
	return ok && bytes.Equal(key, theirs)
}

// askable says whether somebody can ask for the key.
func askable(key []byte) bool {
	return len(key) >= 1 && len(key) <= MaxKeyBytes
}

// isBelowEnd says whether the key is below the range's end; the empty end is no end.
func (asked AskRange) isBelowEnd(key []byte) bool {
	return len(asked.To) == 0 || bytes.Compare(key, asked.To) < 0
}

// A region is a set of keys, given by the least of them that is at least some key.
type region interface {
	// from gives the least key of the region that is at least key; false where there is none.
	from(key []byte) ([]byte, bool)
	// full says whether so many entries are all that is asked for.
	full(entries int) bool
}

func (keys AskKeys) from(key []byte) ([]byte, bool) {
	i := sort.Search(len(keys), func(i int) bool { return bytes.Compare(keys[i], key) >= 0 })
	if i == len(keys) {
		return nil, false
	}
	return keys[i], true
}

func (keys AskKeys) full(int) bool { return false }

func (asked AskRange) from(key []byte) ([]byte, bool) {
	if bytes.Compare(key, asked.From) < 0 {
		key = asked.From
	}
	return key, asked.isBelowEnd(key)
}

func (asked AskRange) full(entries int) bool {
	return asked.Limit != nil && uint64(entries) >= *asked.Limit
}
