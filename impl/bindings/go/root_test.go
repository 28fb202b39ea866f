package aardvark

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// storedHashes is a log of so many records, in memory.
type storedHashes []tlog.Hash

func (hashes storedHashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		found[i] = hashes[index]
	}
	return found, nil
}

// Go's own transparency log is the judge of RFC 9162's trees.
func TestAPathLeadsToTheRootThatATransparencyLogComputes(t *testing.T) {
	var stored storedHashes
	record := func(i int64) []byte { return fmt.Appendf(nil, "commitment %d", i) }
	for size := int64(1); size <= 40; size++ {
		added, err := tlog.StoredHashes(size-1, record(size-1), stored)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, added...)
		root, err := tlog.TreeHash(size, stored)
		if err != nil {
			t.Fatal(err)
		}
		for i := range size {
			proof, err := tlog.ProveRecord(size, i, stored)
			if err != nil {
				t.Fatal(err)
			}
			path := make([][32]byte, len(proof))
			for j := range proof {
				path[j] = proof[j]
			}
			leads := func(leaves, index int64, path [][32]byte) bool {
				found, ok := rootOfPath(uint64(leaves), uint64(index), record(i), path)
				return ok && found == root
			}
			if !leads(size, i, path) {
				t.Errorf("the path of record %d of %d does not lead to the root", i, size)
			}
			if leads(size, i, append(path[:len(path):len(path)], [32]byte{})) || leads(size, size, path) {
				t.Errorf("record %d of %d: a path that is too long, or an index that is, leads to the root", i, size)
			}
			if len(path) > 0 && leads(size, i, path[:len(path)-1]) {
				t.Errorf("record %d of %d: a path that is too short leads to the root", i, size)
			}
			if other := i ^ 1; other < size && leads(size, other, path) {
				t.Errorf("record %d of %d stands at %d too", i, size, other)
			}
		}
	}
}

func TestATreeOfTheLargestSizeIsGoneThroughWithoutOverflow(t *testing.T) {
	path := make([][32]byte, 64)
	if _, ok := rootOfPath(^uint64(0), ^uint64(0)-2, nil, path); !ok {
		t.Error("64 levels have 64 siblings")
	}
	if _, ok := rootOfPath(^uint64(0), ^uint64(0), nil, path); ok {
		t.Error("an index that is not below the number of leaves")
	}
}

func TestATaggedHashIsThatOfTheTagsLengthAndTheTagBeforeTheBytes(t *testing.T) {
	if taggedHash("AB", []byte("c")) != sha256.Sum256([]byte("\x02ABc")) {
		t.Error("another hash")
	}
}
