package aardvark

import (
	"bytes"
	"encoding/binary"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// A Slot is a key, its value, and the next larger live key. The slots of a version form one ring in
// the order of their keys, closed by the sentinel, whose key is empty.
type Slot struct {
	Key, Value, Next []byte
}

// covers says whether the key lies in the cyclic interval [slot.Key, slot.Next).
func (slot *Slot) covers(key []byte) bool {
	first, last := bytes.Compare(slot.Key, key) <= 0, bytes.Compare(key, slot.Next) < 0
	if bytes.Compare(slot.Key, slot.Next) < 0 {
		return first && last
	}
	return first || last
}

// precedes says whether the key lies in the cyclic interval (slot.Key, slot.Next].
func (slot *Slot) precedes(key []byte) bool {
	first, last := bytes.Compare(slot.Key, key) < 0, bytes.Compare(key, slot.Next) <= 0
	if bytes.Compare(slot.Key, slot.Next) < 0 {
		return first && last
	}
	return first || last
}

// tooLong says whether no dictionary has such a slot.
func (slot *Slot) tooLong() bool {
	return len(slot.Key) > MaxKeyBytes || len(slot.Next) > MaxKeyBytes || len(slot.Value) > MaxValueBytes
}

// scalar gives what the commitment to the slot's vector has at the slot's index.
func (slot *Slot) scalar() (fr.Element, error) {
	encoded := make([]byte, 0, 4+len(slot.Key)+len(slot.Next)+len(slot.Value))
	encoded = binary.BigEndian.AppendUint16(encoded, uint16(len(slot.Key)))
	encoded = append(encoded, slot.Key...)
	encoded = binary.BigEndian.AppendUint16(encoded, uint16(len(slot.Next)))
	encoded = append(encoded, slot.Next...)
	return hashToScalar(append(encoded, slot.Value...), "AARDVARK-V1-SLOT")
}

// hashToScalar is hash_to_field of RFC 9380 with expand_message_xmd and SHA-256.
func hashToScalar(message []byte, tag string) (fr.Element, error) {
	scalars, err := fr.Hash(message, []byte(tag), 1)
	if err != nil {
		return fr.Element{}, err
	}
	return scalars[0], nil
}
