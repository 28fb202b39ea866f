package aardvark

import (
	"crypto/sha256"
	"encoding/binary"
)

// taggedHash is SHA-256(bytes8(tag) || x).
func taggedHash(tag string, x []byte) [32]byte {
	message := make([]byte, 0, 1+len(tag)+len(x))
	message = append(message, byte(len(tag)))
	message = append(message, tag...)
	return sha256.Sum256(append(message, x...))
}

// stateRoot gives the root over the parts that a proof brings, of a dictionary that is known.
func stateRoot(dictionary [32]byte, version uint64, tie *RootTie) [32]byte {
	parts := append([]byte{}, dictionary[:]...)
	for _, number := range []uint64{version, tie.Size, tie.TailStart} {
		parts = binary.BigEndian.AppendUint64(parts, number)
	}
	for _, digest := range [][32]byte{tie.CommitmentRoot, tie.TailDigest, tie.ReplayDigest, tie.WindowDigest} {
		parts = append(parts, digest[:]...)
	}
	return taggedHash("AARDVARK-V1-STATE", parts)
}

// rootOfPath gives the root to which a path ties a leaf (RFC 9162, section 2.1.3.2), of a tree of
// so many leaves, which a proof does not say; false where the index is not below their number, or
// the path has a digest too few or too many.
func rootOfPath(leaves, index uint64, leaf []byte, path [][32]byte) ([32]byte, bool) {
	if index >= leaves {
		return [32]byte{}, false
	}
	digest := sha256.Sum256(append([]byte{0}, leaf...))
	for ; leaves > 1; index, leaves = index/2, leaves/2+leaves%2 {
		// The last of an odd number goes up as it is.
		if index%2 == 0 && index+1 == leaves {
			continue
		}
		if len(path) == 0 {
			return [32]byte{}, false
		}
		left, right := digest, path[0]
		if index%2 == 1 {
			left, right = right, left
		}
		digest = sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
		path = path[1:]
	}
	return digest, len(path) == 0
}
