(* Translated from spec/src/answer/answer_proof.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** What a verifier believes, and what it is given. Source: docs/answers.md.

    The encodings of points are a matter of the curve: under a root a commitment comes as its 48
    bytes, which are hashed, and as the group element that they decode to. *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Group Commitment.Opening Block.Transaction Block.Root
  Answer.Question.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The commitments of a version, and what else a verifier knows of it. *)
Record KnownCommitments : Type := {
  (** The dictionary's id. *)
  known_dictionary : ByteString;
  (** N. *)
  known_vector_size : usize;
  (** The version. *)
  known_version : usize;
  (** The number of slots. *)
  known_size : usize;
  (** The commitments of the vectors. *)
  known_commitments : Seq G1;
}.

#[global] Instance Default_KnownCommitments : Default KnownCommitments := {| known_dictionary := default; known_vector_size := default; known_version := default; known_size := default; known_commitments := default |}.

(** A state root, and what it does not say by itself. *)
Record KnownRoot : Type := {
  (** The dictionary's id. *)
  root_dictionary : ByteString;
  (** N. *)
  root_vector_size : usize;
  (** The root. *)
  root_digest : ByteString;
}.

#[global] Instance Default_KnownRoot : Default KnownRoot := {| root_dictionary := default; root_vector_size := default; root_digest := default |}.

(** What a verifier believes. *)
Inductive Trusted : Type :=
(** Commitments. *)
| Trusted_TrustedCommitments (_ : KnownCommitments)
(** A root. *)
| Trusted_TrustedRoot (_ : KnownRoot).

(** The commitment of a vector, and its path to the root. *)
Record TiedVector : Type := {
  (** The vector's number. *)
  tied_number : usize;
  (** The encoded commitment, 48 bytes. *)
  tied_bytes : ByteString;
  (** What the bytes decode to. *)
  tied_commitment : Opening;
  (** The siblings on the way to the root over the commitments. *)
  tied_path : Seq ByteString;
}.

#[global] Instance Default_TiedVector : Default TiedVector := {| tied_number := default; tied_bytes := default; tied_commitment := default; tied_path := default |}.

(** What ties the commitments of the claims' vectors to a root. *)
Record RootTie : Type := {
  (** What the root is over. *)
  tie_parts : RootParts;
  (** One entry for each vector of the claims, in strictly ascending order. *)
  tie_vectors : Seq TiedVector;
}.

#[global] Instance Default_RootTie : Default RootTie := {| tie_parts := default; tie_vectors := default |}.

(** A proof. *)
Record AnswerProof : Type := {
  (** The dictionary that it is about. *)
  proof_dictionary : ByteString;
  (** Its N. *)
  proof_vector_size : usize;
  (** The version. *)
  proof_version : usize;
  (** The question. *)
  proof_question : Question;
  (** The claims, in the order in which their slots answer. *)
  proof_claims : Seq Claim;
  (** What ties them to a root; none where commitments are trusted. *)
  proof_tie : Option RootTie;
}.

(** What the openings are checked against. *)
Record AnswerBasis : Type := {
  (** N. *)
  basis_vector_size : usize;
  (** The number of slots. *)
  basis_size : usize;
  (** The vectors whose commitments are known, and these. *)
  basis_vectors : Seq TiedVector;
}.

#[global] Instance Default_AnswerBasis : Default AnswerBasis := {| basis_vector_size := default; basis_size := default; basis_vectors := default |}.

End Specification.
