package aardvark

import (
	"encoding/binary"
	"slices"
)

// setupDigest is the SHA-256 of the Ethereum ceremony as dictionaries on KZG pin it.
var setupDigest = [32]byte{
	0xbf, 0xe6, 0xbd, 0xe3, 0x28, 0x61, 0x34, 0x7b, 0xe6, 0x6b, 0xd8, 0xaf, 0x2f, 0x1b, 0xe0, 0x7c,
	0x54, 0x19, 0x71, 0xb4, 0x6e, 0xb4, 0x85, 0xcf, 0xa4, 0x03, 0xeb, 0x1a, 0x2e, 0x84, 0x66, 0x95,
}

// id gives the id of the dictionary that has the identity, whose name has at most 255 bytes.
func (identity *Identity) id() [32]byte {
	name := append([]byte{byte(len(identity.Name))}, identity.Name...)
	return taggedHash("AARDVARK-V2-DICTIONARY", slices.Concat(name, identity.Salt[:], identity.Parameters[:],
		identity.SetupDigest[:], identity.ContentDigest[:], identity.Binding))
}

// check gives N, where a dictionary can have the identity and is on KZG and the Ethereum ceremony.
func (identity *Identity) check() (vectorSize uint32, err error) {
	var p parameters
	if _, err := binary.Decode(identity.Parameters[:], binary.BigEndian, &p); err != nil || !p.legal() {
		return 0, refuse(PartsMalformed)
	}
	if len(identity.Name) < 1 || len(identity.Name) > 255 {
		return 0, refuse(PartsMalformed)
	}
	if p.Scheme != 1 || identity.SetupDigest != setupDigest {
		return 0, refuse(OtherScheme)
	}
	return p.VectorSize, nil
}

// parameters are what a dictionary fixes at its genesis.
type parameters struct {
	Scheme                uint8
	VectorSize            uint32
	Window                uint32
	MaxKeyLength          uint16
	MaxValueLength        uint16
	TransactionOperations uint32
	TransactionClaims     uint32
	TransactionBytes      uint32
	BlockTransactions     uint32
	BlockOperations       uint32
	BlockClaims           uint32
	BlockBytes            uint32
}

// legal says whether a dictionary can have these parameters (docs/format.md, "Parameters").
func (p *parameters) legal() bool {
	return p.layoutLegal() && p.countsLegal() && p.lengthsLegal()
}

func (p *parameters) layoutLegal() bool {
	return (p.Scheme == 1 || p.Scheme == 2) && isVectorSize(p.VectorSize) && p.Window <= 65_535 &&
		p.MaxKeyLength >= 1 && p.MaxKeyLength <= MaxKeyBytes && p.MaxValueLength <= MaxValueBytes
}

func (p *parameters) countsLegal() bool {
	return p.TransactionOperations >= 1 && p.TransactionClaims >= 2 && p.BlockTransactions >= 1 &&
		p.BlockOperations >= p.TransactionOperations && p.BlockClaims >= p.TransactionClaims &&
		p.TransactionOperations <= 65_535 && p.TransactionClaims <= 65_535
}

func (p *parameters) lengthsLegal() bool {
	widestSlot := 2*uint64(p.MaxKeyLength) + uint64(p.MaxValueLength)
	n := uint64(p.VectorSize)
	widestTail := (uint64(p.TransactionOperations) + n - 1) / n * n
	return uint64(p.TransactionBytes) >= 2048+2*(66+widestSlot) &&
		uint64(p.BlockBytes) >= 17+uint64(p.TransactionBytes)+4+widestTail*(6+widestSlot)
}

// isVectorSize says whether a number is a power of two from 1 to 4096.
func isVectorSize(n uint32) bool {
	return n >= 1 && n <= 4096 && n&(n-1) == 0
}
