module aardvark.example/aardvark

go 1.24.0

require (
	github.com/consensys/gnark-crypto v0.18.1
	github.com/crate-crypto/go-eth-kzg v1.5.0
	golang.org/x/mod v0.29.0
)

require (
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	golang.org/x/sync v0.11.0 // indirect
	golang.org/x/sys v0.30.0 // indirect
)
