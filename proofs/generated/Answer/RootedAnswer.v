(* Translated from spec/src/answer/rooted_answer.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Answers for those who hold a state root and nothing else.

    The root binds the dictionary's id, and the id its name and parameters, the vector size among
    them. So an answer that brings along what the id is over needs no second thing to be known: id
    and vector size follow, and are the root's or else two strings of one digest are at hand. The
    setup is the one that scheme, vector size and setup digest name. Source: docs/answers.md. *)
From AardvarkSpec Require Export Prelude Base.Bytes Base.Hash Commitment.Scheme Dictionary.Genesis
  Answer.Question Answer.Scan Answer.AnswerReason Answer.AnswerProof Answer.Verify.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** What a dictionary's id is over; of the first keys and values, their digest. *)
Record DictionaryIdentity : Type := {
  (** The dictionary's name, 1 to 255 bytes. *)
  identity_name : ByteString;
  (** The salt, 32 bytes. *)
  identity_salt : ByteString;
  (** The parameters. *)
  identity_parameters : Parameters;
  (** The digest of the scheme's setup, 32 bytes. *)
  identity_setup_digest : ByteString;
  (** The digest of the first keys and values, 32 bytes. *)
  identity_content_digest : ByteString;
  (** What the id binds besides. *)
  identity_binding : ByteString;
}.

#[global] Instance Default_DictionaryIdentity : Default DictionaryIdentity := {| identity_name := default; identity_salt := default; identity_parameters := default; identity_setup_digest := default; identity_content_digest := default; identity_binding := default |}.

(** A proof, and what its dictionary's id is over. *)
Record RootedProof : Type := {
  (** What the id is over. *)
  rooted_identity : DictionaryIdentity;
  (** The proof. *)
  rooted_proof : AnswerProof;
}.

(** The identity that a genesis gives its dictionary. *)
Definition identity_of_genesis (genesis : Genesis) : DictionaryIdentity :=
  {| identity_name := genesis.(genesis_name);
    identity_salt := genesis.(genesis_salt);
    identity_parameters := genesis.(genesis_parameters);
    identity_setup_digest := genesis.(genesis_setup_digest);
    identity_content_digest := content_digest genesis.(genesis_entries);
    identity_binding := genesis.(genesis_binding) |}.

(** The bytes of an identity: those of [`identity_bytes`]. *)
Definition bytes_of_identity (identity : DictionaryIdentity) : ByteString :=
  bytes8 identity.(identity_name) ++
  identity.(identity_salt) ++
  encode_parameters identity.(identity_parameters) ++
  identity.(identity_setup_digest) ++
  identity.(identity_content_digest) ++
  identity.(identity_binding).

(** The id of the dictionary that has an identity. *)
Definition id_of_identity (identity : DictionaryIdentity) : ByteString :=
  tagged_hash tag_dictionary (bytes_of_identity identity).

(** Whether an identity is one that a legal genesis can have. *)
Definition identity_well_formed (identity : DictionaryIdentity) : bool :=
  parameters_legal identity.(identity_parameters) && (1 <=? seq_length identity.(identity_name)) &&
  (seq_length identity.(identity_name) <=? 255) &&
  (seq_length identity.(identity_salt) =? 32) &&
  (seq_length identity.(identity_setup_digest) =? 32) &&
  (seq_length identity.(identity_content_digest) =? 32).

(** What is known of a root, once an identity is taken to be its dictionary's. *)
Definition known_root_of (trusted_root : ByteString) (identity : DictionaryIdentity) : KnownRoot :=
  {| root_dictionary := id_of_identity identity;
    root_vector_size := identity.(identity_parameters).(vector_size);
    root_digest := trusted_root |}.

(** The answer that a proof gives to a question, under a root alone; or why it gives none. *)
Definition verify_rooted_answer
    (setup : Setup)
    (trusted_root : ByteString)
    (question : Question)
    (proof : RootedProof) : Result Answer AnswerRefusal :=
  if identity_well_formed proof.(rooted_identity) then
    let known := known_root_of trusted_root proof.(rooted_identity) in
    verify_answer setup (Trusted_TrustedRoot known) question proof.(rooted_proof)
  else
    Err (refuse_answer AnswerReason_PartsMalformed).

End Specification.
