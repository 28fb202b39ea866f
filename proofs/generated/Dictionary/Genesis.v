(* Translated from spec/src/dictionary/genesis.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Parameters, genesis, and the dictionary id that binds both. Source: docs/format.md.

    Two dictionaries with equal parameters, setup and content are two dictionaries all the same:
    name and salt tell them apart, so that no proof, transaction or signature of one is of use on
    the other. *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar Base.Hash Dictionary.Array Dictionary.KeyMap.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What a dictionary fixes at its genesis. *)
Record Parameters : Type := {
  (** 1 for KZG, 2 for Libert–Yung. *)
  scheme : u8;
  (** N, the number of slots in a vector. *)
  vector_size : usize;
  (** W, the number of versions for which a claim stays good. *)
  window_length : usize;
  (** The most bytes in a key. *)
  max_key_length : usize;
  (** The most bytes in a value. *)
  max_value_length : usize;
  (** The most operations in a transaction. *)
  transaction_operations : usize;
  (** The most claims in a transaction. *)
  transaction_claims : usize;
  (** The most bytes in an encoded transaction. *)
  transaction_bytes : usize;
  (** The most transactions in a block. *)
  block_transactions : usize;
  (** The most operations in a block. *)
  block_operations : usize;
  (** The most claims in a block. *)
  block_claims : usize;
  (** The most bytes in an encoded block. *)
  block_bytes : usize;
}.

#[global] Instance Default_Parameters : Default Parameters := {| scheme := default; vector_size := default; window_length := default; max_key_length := default; max_value_length := default; transaction_operations := default; transaction_claims := default; transaction_bytes := default; block_transactions := default; block_operations := default; block_claims := default; block_bytes := default |}.

(** What a dictionary begins with, all of which its id binds. *)
Record Genesis : Type := {
  (** The dictionary's name, 1 to 255 bytes. *)
  genesis_name : ByteString;
  (** 32 bytes that no other dictionary should have. *)
  genesis_salt : ByteString;
  (** The parameters. *)
  genesis_parameters : Parameters;
  (** The digest of the scheme's setup, 32 bytes. *)
  genesis_setup_digest : ByteString;
  (** The first keys and values, in strictly ascending order of keys. *)
  genesis_entries : KeyMap;
  (** What the id binds besides, of no meaning here: empty, or a chain's name and policy. *)
  genesis_binding : ByteString;
}.

#[global] Instance Default_Genesis : Default Genesis := {| genesis_name := default; genesis_salt := default; genesis_parameters := default; genesis_setup_digest := default; genesis_entries := default; genesis_binding := default |}.

(** Whether a number fits 16 bits. *)
Definition fits_u16 (x : usize) : bool :=
  x <=? 65535.

(** Whether a number fits 32 bits. *)
Definition fits_u32 (x : usize) : bool :=
  x <=? 4294967295.

(** Whether scheme, vector size, window and maxima are legal. *)
Definition layout_legal (p : Parameters) : bool :=
  ((p.(scheme) =? 1) || (p.(scheme) =? 2)) && (1 <=? p.(vector_size)) &&
  ((MAX_VECTOR_SIZE mod p.(vector_size)) =? 0) &&
  (p.(window_length) <=? 65535) &&
  (1 <=? p.(max_key_length)) &&
  (p.(max_key_length) <=? 255) &&
  (p.(max_value_length) <=? 1024).

(** Whether the limits on numbers of things are legal: no transaction has more operations or claims
    than its encoding can count, and a block has room for any transaction. *)
Definition counts_legal (p : Parameters) : bool :=
  (1 <=? p.(transaction_operations)) && (2 <=? p.(transaction_claims)) && (1 <=? p.(block_transactions)) &&
  (p.(transaction_operations) <=? p.(block_operations)) &&
  (p.(transaction_claims) <=? p.(block_claims)) &&
  fits_u16 p.(transaction_operations) &&
  fits_u16 p.(transaction_claims) &&
  fits_u32 p.(block_transactions) &&
  fits_u32 p.(block_operations) &&
  fits_u32 p.(block_claims).

(** The most slots of tail vectors that one transaction can make necessary: its deletes, rounded up
    to whole vectors. *)
Definition widest_tail (p : Parameters) : usize :=
  ((p.(transaction_operations) + p.(vector_size) - 1) / p.(vector_size)) * p.(vector_size).

(** Whether the limits on bytes are legal: one largest transaction, and the tail vectors that it can
    need, at maximal sizes fit together. N >= 1 is given. *)
Definition lengths_legal (p : Parameters) : bool :=
  let widest_slot := 2 * p.(max_key_length) + p.(max_value_length) in
  (2048 + 2 * (66 + widest_slot) <=? p.(transaction_bytes)) && fits_u32 p.(transaction_bytes) &&
  (17 + p.(transaction_bytes) + 4 + widest_tail p * (6 + widest_slot) <=? p.(block_bytes)) &&
  fits_u32 p.(block_bytes).

(** Whether the parameters are legal. *)
Definition parameters_legal (p : Parameters) : bool :=
  layout_legal p && counts_legal p && lengths_legal p.

(** One step of [`entries_legal`]. *)
Definition entries_legal_step (legal : bool) (p : Parameters) (entry : KeyEntry) : bool :=
  legal && (1 <=? seq_length entry.(entry_key)) && (seq_length entry.(entry_key) <=? p.(max_key_length)) &&
  (seq_length entry.(entry_value) <=? p.(max_value_length)).

(** Whether all keys and values have legal lengths. *)
Definition entries_legal (p : Parameters) (entries : KeyMap) : bool :=
  fold_left
    (fun legal i => entries_legal_step legal p (seq_at entries i))
    (range 0 (seq_length entries))
    true.

(** Whether name and salt have legal lengths. *)
Definition identity_legal (genesis : Genesis) : bool :=
  (1 <=? seq_length genesis.(genesis_name)) && (seq_length genesis.(genesis_name) <=? 255) &&
  (seq_length genesis.(genesis_salt) =? 32).

(** Whether a genesis is legal. *)
Definition genesis_legal (genesis : Genesis) : bool :=
  parameters_legal genesis.(genesis_parameters) && identity_legal genesis &&
  (seq_length genesis.(genesis_setup_digest) =? 32) &&
  key_map_ascends genesis.(genesis_entries) &&
  entries_legal genesis.(genesis_parameters) genesis.(genesis_entries).

(** The parameters as the dictionary id binds them. *)
Definition encode_parameters (p : Parameters) : ByteString :=
  single_byte p.(scheme) ++
  u32_bytes p.(vector_size) ++
  u32_bytes p.(window_length) ++
  u16_bytes p.(max_key_length) ++
  u16_bytes p.(max_value_length) ++
  u32_bytes p.(transaction_operations) ++
  u32_bytes p.(transaction_claims) ++
  u32_bytes p.(transaction_bytes) ++
  u32_bytes p.(block_transactions) ++
  u32_bytes p.(block_operations) ++
  u32_bytes p.(block_claims) ++
  u32_bytes p.(block_bytes).

(** One step of [`encode_entries`]. *)
Definition encode_entries_step (encoded : ByteString) (entry : KeyEntry) : ByteString :=
  encoded ++ bytes16 entry.(entry_key) ++ bytes16 entry.(entry_value).

(** The entries one after the other: `bytes16(key) || bytes16(value)`. *)
Definition encode_entries (entries : KeyMap) : ByteString :=
  fold_left
    (fun encoded i => encode_entries_step encoded (seq_at entries i))
    (range 0 (seq_length entries))
    [].

(** The digest of the first keys and values, 32 bytes: `u64 number || (bytes16(key) ||
    bytes16(value))*`. *)
Definition content_digest (entries : KeyMap) : ByteString :=
  tagged_hash tag_content (u64_bytes (seq_length entries) ++ encode_entries entries).

(** What the dictionary id is over: `bytes8(name) || salt (32) || parameters_bytes || setup_digest
    (32) || content_digest (32) || binding`. *)
Definition identity_bytes (genesis : Genesis) : ByteString :=
  bytes8 genesis.(genesis_name) ++
  genesis.(genesis_salt) ++
  encode_parameters genesis.(genesis_parameters) ++
  genesis.(genesis_setup_digest) ++
  content_digest genesis.(genesis_entries) ++
  genesis.(genesis_binding).

(** The dictionary id, 32 bytes. *)
Definition id_of_dictionary (genesis : Genesis) : ByteString :=
  tagged_hash tag_dictionary (identity_bytes genesis).

(** One step of [`genesis_array`]. *)
Definition genesis_array_step (array : Array) (entry : KeyEntry) : Array :=
  match array_insert array entry.(entry_key) entry.(entry_value) with
  | Some larger => larger
  | None => array
  end.

(** The array at version 0: the sentinel at position 0, and entry i at position i + 1. Inserting in
    ascending order puts each entry there; an insertion into the whole array never fails. *)
Definition genesis_array (entries : KeyMap) : Array :=
  fold_left
    (fun array i => genesis_array_step array (seq_at entries i))
    (range 0 (seq_length entries))
    empty_array.

End Specification.
