(** The oracle's names for the generated definitions about the mixnet's proofs, each under the challenges that are drawn for it,
    about the keys that servers deal, about values in chunks, and about what posts say of a ceremony.
    Extract.v extracts them with the others. *)

From Coq Require Import NArith List.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Group Base.Hash Mixnet.MixnetTranscript Mixnet.LinearRelation
  Mixnet.Permutation Mixnet.Column Mixnet.Threshold Mixnet.ZeroTest Mixnet.Dealing Mixnet.KeyPosts Mixnet.KeyGeneration
  Mixnet.Chunks Mixnet.PostKey Mixnet.CountedPost Mixnet.ServersRead Mixnet.AskedView Mixnet.CeremonyView Mixnet.Duty.
From AardvarkSpec Require Import Mixnet.PermutationSafe Mixnet.ColumnSafe Mixnet.ThresholdSafe Mixnet.ZeroTestSafe
  Mixnet.DealingSafe Mixnet.KeyPostsSafe Mixnet.KeyGenerationSafe Mixnet.ChunksSafe Mixnet.ServersReadSafe Mixnet.CeremonyViewSafe Mixnet.DutySafe.
From Aardvark Require Import Examples.ModularScalars.
Local Open Scope bool_scope.
Local Open Scope N_scope.

Section Oracle.

Context {given : @HashGiven modular}.

(** Whether a list of commitments is shown to be to a permutation. *)
Definition oracle_permutation (context : MixnetContext) (generators : MixnetGenerators) (committed : list G1)
    (commitment_digest : ByteString) (chain : list G1) (chain_digest : ByteString) (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  verify_permutation_drawn context generators committed commitment_digest chain chain_digest proof first_digest.

Definition oracle_permutation_safe (context : MixnetContext) (generators : MixnetGenerators) (committed : list G1)
    (commitment_digest : ByteString) (chain : list G1) (chain_digest : ByteString) (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  verify_permutation_drawn_safe context generators committed commitment_digest chain chain_digest proof first_digest.

(** Whether a list is shown to be another one, moved and encrypted anew. *)
Definition oracle_column (seed : ByteString) (generators : MixnetGenerators) (committed keys : list G1)
    (before after : list (list G1)) (proof : LinearProof) (first_digest : ByteString) : bool :=
  verify_column_drawn seed generators committed keys before after proof first_digest.

Definition oracle_column_safe (seed : ByteString) (generators : MixnetGenerators) (committed keys : list G1)
    (before after : list (list G1)) (proof : LinearProof) (first_digest : ByteString) : bool :=
  verify_column_drawn_safe seed generators committed keys before after proof first_digest.

(** Whether a server's shares of a decryption are shown to be right. *)
Definition oracle_decryption (seed : ByteString) (key_shares firsts : list G1) (shares : list (list G1))
    (proof : LinearProof) (first_digest : ByteString) : bool :=
  verify_decryption_drawn seed key_shares firsts shares proof first_digest.

Definition oracle_decryption_safe (seed : ByteString) (key_shares firsts : list G1) (shares : list (list G1))
    (proof : LinearProof) (first_digest : ByteString) : bool :=
  verify_decryption_drawn_safe seed key_shares firsts shares proof first_digest.

(** Whether targets are shown to be multiplied by factors other than 0. *)
Definition oracle_zero_test (seed : ByteString) (targets blinded : list (list G1)) (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  verify_zero_test_drawn seed targets blinded proof first_digest.

Definition oracle_zero_test_safe (seed : ByteString) (targets blinded : list (list G1)) (proof : LinearProof)
    (first_digest : ByteString) : bool :=
  verify_zero_test_drawn_safe seed targets blinded proof first_digest.

(** Whether a dealer is shown to know what it dealt. *)
Definition oracle_dealing (seed : ByteString) (committed : list (list G1)) (randomised : list G1) (proof : LinearProof)
    (first : ByteString) : bool :=
  verify_dealing seed committed randomised proof first.

Definition oracle_dealing_safe (seed : ByteString) (committed : list (list G1)) (randomised : list G1) (proof : LinearProof)
    (first : ByteString) : bool :=
  verify_dealing_safe seed committed randomised proof first.

(** Whose dealings are valid, which verdicts are, and the keys. *)
Definition oracle_keys (terms : KeyTerms) (dealings : list KeyDealing) (verdicts : list KeyVerdict) :
    (list N * list bool) * option GeneratedKeys :=
  let valid := valid_dealings terms dealings in
  ((dealing_authors valid, map (verdict_holds terms valid) verdicts), generate_keys terms dealings verdicts).

Definition oracle_keys_safe (terms : KeyTerms) (dealings : list KeyDealing) (verdicts : list KeyVerdict) : bool :=
  let valid := valid_dealings terms dealings in
  valid_dealings_safe terms dealings && dealing_authors_safe valid && forallb (verdict_holds_safe terms valid) verdicts
  && generate_keys_safe terms dealings verdicts.

(** The chunks that a value is written as, with the elements that they are. *)
Definition oracle_chunks (content : ByteString) (width : N) : option (list N * list G1) :=
  match value_chunks content width with
  | Some chunks => Some (chunks, chunk_elements chunks)
  | None => None
  end.

Definition oracle_chunks_safe (content : ByteString) (width : N) : bool :=
  value_chunks_safe content width
  && match value_chunks content width with Some chunks => chunk_elements_safe chunks | None => true end.

(** The value of these chunks. *)
Definition oracle_value (chunks : list N) : option ByteString := chunks_value chunks.

Definition oracle_value_safe (chunks : list N) : bool := chunks_value_safe chunks.

(** The value of decrypted elements. *)
Definition oracle_elements (elements : list G1) : option ByteString := elements_value elements.

Definition oracle_elements_safe (elements : list G1) : bool := elements_value_safe elements.

End Oracle.

(** What posts say of a ceremony, and what each server must post next. *)
Definition oracle_view (terms : ViewTerms) (posts : list ViewPost) : CeremonyView * list (list ServerDuty) :=
  let seen := view_of_posts terms posts in
  (seen, map (duties_of terms posts seen) (server_numbers terms)).

Definition oracle_view_safe (terms : ViewTerms) (posts : list ViewPost) : bool :=
  view_of_posts_safe terms posts && server_numbers_safe terms
  && forallb (duties_of_safe terms posts (view_of_posts terms posts)) (server_numbers terms).
