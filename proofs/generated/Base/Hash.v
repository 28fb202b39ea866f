(* Translated from spec/src/base/hash.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** SHA-256 (FIPS 180-4), the tagged hash, and RFC 9380's expand_message_xmd and hash_to_field for
    scalars.

    A translation treats this file as given: of its functions it uses the tags, [`tagged_hash`] and
    [`hash_to_scalar`], as opaque functions of byte strings. *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Scalar.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(* Left out: HashWords round_constants initial_words word_of_bytes message_schedule_step message_schedule
  compression_round compress padded_message digest_of_words sha256 *)

(** Given, not translated: the theorems hold whatever these are. *)
Class HashGiven : Type := {
  (** `H(tag, x)` = SHA-256(`bytes8(tag) || x`), the hash that is separated by domain. Source:
      docs/format.md. *)
  tagged_hash : ByteString -> ByteString -> ByteString;
  (** RFC 9380, section 5.2, into the scalar field of BLS12-381, with L = 48 and m = 1. *)
  hash_to_scalar : ByteString -> ByteString -> Scalar;
}.

Context {hash_given : HashGiven}.

(** The tag of slots' scalars. *)
Definition tag_slot : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 83; 76; 79; 84].

(** The tag of dictionary ids. *)
Definition tag_dictionary : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 50; 45; 68; 73; 67; 84; 73; 79; 78; 65; 82; 89].

(** The tag of the digest of the first keys and values. *)
Definition tag_content : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 50; 45; 67; 79; 78; 84; 69; 78; 84].

(** The tag of transaction ids. *)
Definition tag_transaction : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 84; 82; 65; 78; 83; 65; 67; 84; 73; 79; 78].

(** The tag of a batch's seed. *)
Definition tag_batch : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 66; 65; 84; 67; 72].

(** The tag of a batch's coefficients. *)
Definition tag_coefficient : ByteString :=
  [65; 65; 82; 68; 86; 65; 82; 75; 45; 86; 49; 45; 67; 79; 69; 70; 70; 73; 67; 73; 69; 78; 84].

(** The tag of an aggregation's first seed. *)
Definition tag_aggregate_claims : ByteString :=
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
    65;
    71;
    71;
    82;
    69;
    71;
    65;
    84;
    69;
    45;
    67;
    76;
    65;
    73;
    77;
    83].

(** The tag of an aggregation's second seed. *)
Definition tag_aggregate_points : ByteString :=
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
    65;
    71;
    71;
    82;
    69;
    71;
    65;
    84;
    69;
    45;
    80;
    79;
    73;
    78;
    84;
    83].

(* Left out: bytes_xor_step bytes_xor Expansion expand_message_step expand_message_xmd *)

End Specification.
