(* Translated from spec/src/mixnet/mixnet_transcript.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What each challenge of a mixnet covers.

    All hashes are [`tagged_hash`]es. The encodings of points are a matter of the curve, so a list
    of rows of points comes as its bytes, 96 a point, and enters other hashes by its digest. After
    the keys are dealt every hash begins with `keys`, 32 bytes that bind the ceremony and all dealt
    keys. Source: docs/mixnet.md, "Challenges". *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Hash Commitment.Challenge.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** Whose proof it is. *)
Record MixnetContext : Type := {
  (** `keys`, 32 bytes. *)
  mixnet_keys : ByteString;
  (** The server's number, from 1. *)
  mixnet_server : usize;
}.

#[global] Instance Default_MixnetContext : Default MixnetContext := {| mixnet_keys := default; mixnet_server := default |}.

(** The tag of lists. *)
Definition tag_mixnet_list : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 76; 73; 83; 84].

(** The tag of a permutation proof's seed. *)
Definition tag_mixnet_permutation : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    77;
    73;
    88;
    78;
    69;
    84;
    45;
    80;
    69;
    82;
    77;
    85;
    84;
    65;
    84;
    73;
    79;
    78].

(** The tag of a permutation proof's last digest. *)
Definition tag_mixnet_permutation_first : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    77;
    73;
    88;
    78;
    69;
    84;
    45;
    80;
    69;
    82;
    77;
    85;
    84;
    65;
    84;
    73;
    79;
    78;
    45;
    84].

(** The tag of a permutation proof's shift. *)
Definition tag_mixnet_shift : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 83; 72; 73; 70; 84].

(** The tag of a column proof's seed. *)
Definition tag_mixnet_column : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 67; 79; 76; 85; 77; 78].

(** The tag of a column proof's last digest. *)
Definition tag_mixnet_column_first : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    77;
    73;
    88;
    78;
    69;
    84;
    45;
    67;
    79;
    76;
    85;
    77;
    78;
    45;
    84].

(** The tag of a decryption proof's seed. *)
Definition tag_mixnet_decryption : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    77;
    73;
    88;
    78;
    69;
    84;
    45;
    68;
    69;
    67;
    82;
    89;
    80;
    84;
    73;
    79;
    78].

(** The tag of a decryption proof's last digest. *)
Definition tag_mixnet_decryption_first : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    77;
    73;
    88;
    78;
    69;
    84;
    45;
    68;
    69;
    67;
    82;
    89;
    80;
    84;
    73;
    79;
    78;
    45;
    84].

(** The tag of a zero test's seed. *)
Definition tag_mixnet_zero_test : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    77;
    73;
    88;
    78;
    69;
    84;
    45;
    90;
    69;
    82;
    79;
    45;
    84;
    69;
    83;
    84].

(** The tag of a zero test's last digest. *)
Definition tag_mixnet_zero_test_first : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    77;
    73;
    88;
    78;
    69;
    84;
    45;
    90;
    69;
    82;
    79;
    45;
    84;
    69;
    83;
    84;
    45;
    84].

(** The tag of challenges. *)
Definition tag_mixnet_challenge : ByteString :=
  [65;
    65;
    82;
    68;
    86;
    65;
    82;
    75;
    45;
    86;
    49;
    45;
    77;
    73;
    88;
    78;
    69;
    84;
    45;
    67;
    72;
    65;
    76;
    76;
    69;
    78;
    71;
    69].

(** The tag of secret scalars. *)
Definition tag_mixnet_secret : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 77; 73; 88; 78; 69; 84; 45; 83; 69; 67; 82; 69; 84].

(** The digest of a list of rows of points, given as bytes: `H(tag, u32 rows || u16 width || 96
    bytes a point)`. *)
Definition mixnet_list_digest (rows width : usize) (points : ByteString) : ByteString :=
  tagged_hash tag_mixnet_list (u32_bytes rows ++ u16_bytes width ++ points).

(** P0: what a permutation proof's coefficients and shift are drawn from. *)
Definition permutation_seed
    (context : MixnetContext)
    (count : usize)
    (commitment_digest : ByteString) : ByteString :=
  let author := context.(mixnet_keys) ++ u16_bytes context.(mixnet_server) in
  tagged_hash tag_mixnet_permutation (author ++ u32_bytes count ++ commitment_digest).

(** θ *)
Definition permutation_shift (seed : ByteString) : Scalar :=
  hash_to_scalar seed tag_mixnet_shift.

(** The challenge of a permutation proof, of its seed and the digests of B and T. *)
Definition permutation_challenge (seed chain_digest first_digest : ByteString) : Scalar :=
  let last := tagged_hash tag_mixnet_permutation_first (seed ++ chain_digest ++ first_digest) in
  hash_to_scalar last tag_mixnet_challenge.

(** C0: what a column proof's coefficients are drawn from; the digests are those of a, κ, X and Y. *)
Definition column_seed
    (context : MixnetContext)
    (purpose commitment_digest keys_digest before_digest after_digest : ByteString) : ByteString :=
  let author := context.(mixnet_keys) ++ purpose ++ u16_bytes context.(mixnet_server) in
  let lists := commitment_digest ++ keys_digest ++ before_digest ++ after_digest in
  tagged_hash tag_mixnet_column (author ++ lists).

(** The challenge of a column proof, of its seed and the digest of T. *)
Definition column_challenge (seed first_digest : ByteString) : Scalar :=
  let last := tagged_hash tag_mixnet_column_first (seed ++ first_digest) in
  hash_to_scalar last tag_mixnet_challenge.

(** D0: what a decryption proof's coefficients are drawn from; the digests are those of the key
    shares, of all C_0 and of D. *)
Definition decryption_seed
    (context : MixnetContext)
    (purpose keys_digest rows_digest shares_digest : ByteString) : ByteString :=
  let author := context.(mixnet_keys) ++ purpose ++ u16_bytes context.(mixnet_server) in
  tagged_hash tag_mixnet_decryption (author ++ keys_digest ++ rows_digest ++ shares_digest).

(** The challenge of a decryption proof, of its seed and the digest of T. *)
Definition decryption_challenge (seed first_digest : ByteString) : Scalar :=
  let last := tagged_hash tag_mixnet_decryption_first (seed ++ first_digest) in
  hash_to_scalar last tag_mixnet_challenge.

(** Z0: what a zero test's challenge is drawn from; the digests are those of C and C'. *)
Definition zero_test_seed
    (context : MixnetContext)
    (purpose before_digest after_digest : ByteString) : ByteString :=
  let author := context.(mixnet_keys) ++ purpose ++ u16_bytes context.(mixnet_server) in
  tagged_hash tag_mixnet_zero_test (author ++ before_digest ++ after_digest).

(** The challenge of a zero test, of its seed and the digest of T. *)
Definition zero_test_challenge (seed first_digest : ByteString) : Scalar :=
  let last := tagged_hash tag_mixnet_zero_test_first (seed ++ first_digest) in
  hash_to_scalar last tag_mixnet_challenge.

(** One step of [`mixnet_coefficients`]. *)
Definition mixnet_coefficients_step (drawn : Seq Scalar) (seed : ByteString) (i : usize) : Seq Scalar :=
  drawn ++ [batch_coefficient seed i].

(** The first coefficients of a seed, of 128 bits. *)
Definition mixnet_coefficients (seed : ByteString) (count : usize) : Seq Scalar :=
  fold_left (fun drawn i => mixnet_coefficients_step drawn seed i) (range 0 count) [].

(** A secret scalar: it follows from a seed, a label and the digest of the whole statement that it
    is for. *)
Definition mixnet_secret (seed label statement : ByteString) (i : usize) : Scalar :=
  let message := seed ++ bytes8 label ++ statement ++ u64_bytes i in
  hash_to_scalar message tag_mixnet_secret.

End Specification.
