(** Proofs that logarithms are known or equal, masks, and the check of dealt shares.

    - [knowledge_complete], [knowledge_extracts]: honest proofs of logarithms are accepted; two accepted ones with one commitment
      and different challenges give the logarithms.
    - [copied_knowledge]: a proof that is accepted under two challenges is of logarithms 0.
    - [equality_complete], [equality_one_challenge]: honest proofs of equal logarithms are accepted; where they are not equal there
      is at most one challenge for each commitment.
    - [share_unseal_seal]: what was masked comes back.
    - [dealt_shares_hold_iff]: what the check of dealt shares says. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Base.Hash Mixnet.LinearRelation Mixnet.Threshold
  Mixnet.Sharing Mixnet.Dealing.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Spec.Mixnet.LinearRelation
  Spec.Mixnet.Permutation Spec.Mixnet.Threshold.
Import ListNotations.
Local Open Scope N_scope.

Section Dealing.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** * Knowledge of logarithms *)

Lemma knowledge_matrix_map (count : N) :
  knowledge_matrix count = map (fun i => decryption_row count i g1_generator) (range 0 count).
Proof. exact (fold_range_append (fun i => decryption_row count i g1_generator) 0 count []). Qed.

Lemma knowledge_matrix_length (count : N) : seq_length (knowledge_matrix count) = count.
Proof. now rewrite knowledge_matrix_map, seq_length_map, seq_length_range. Qed.

Lemma knowledge_row (count i : N) (w : list Scalar) :
  i < count -> g1_combination (seq_at (knowledge_matrix count) i) w = g1_multiple (scalar_at w i).
Proof.
  intros L. rewrite knowledge_matrix_map, nth_map_range by exact L. rewrite decryption_row_combination by exact L. group_solve.
Qed.

Lemma knowledge_within (count : N) : rows_within (knowledge_matrix count) count.
Proof.
  intros i L. rewrite knowledge_matrix_length in L. rewrite knowledge_matrix_map, nth_map_range by exact L.
  unfold decryption_row. rewrite g1_updated_length. unfold linear_empty_row. rewrite g1_resized_length. lia.
Qed.

Lemma g1_multiples_at (s : list Scalar) (i : N) : g1_at (g1_multiples s) i = g1_multiple (scalar_at s i).
Proof.
  rewrite g1_multiples_map. unfold g1_at, scalar_at. rewrite seq_length_map.
  destruct (N.ltb_spec i (seq_length s)) as [L | L]; [| group_solve].
  unfold seq_at. now rewrite (nth_indep _ _ (g1_multiple default)), map_nth by (rewrite map_length, <- seq_length_nat; lia).
Qed.

Lemma knowledge_image (s : list Scalar) : linear_map (knowledge_matrix (seq_length s)) s = g1_multiples s.
Proof.
  apply g1_list_ext.
  - now rewrite linear_map_length, knowledge_matrix_length, g1_multiples_map, seq_length_map.
  - intros i L. rewrite linear_map_length, knowledge_matrix_length in L.
    rewrite linear_map_at, knowledge_row, g1_multiples_at by (rewrite ?knowledge_matrix_length; exact L). reflexivity.
Qed.

Theorem knowledge_complete (secrets nonces : list Scalar) (c : Scalar) :
  seq_length nonces = seq_length secrets ->
  verify_knowledge (g1_multiples secrets) (linear_prove (knowledge_matrix (seq_length secrets)) secrets nonces c) c = true.
Proof.
  intros L. unfold verify_knowledge. rewrite <- knowledge_image, linear_map_length, knowledge_matrix_length. rewrite <- L at 2.
  apply linear_complete. rewrite L. apply knowledge_within.
Qed.

Theorem knowledge_extracts (image first : list G1) (responses others : list Scalar) (c d : Scalar) (i : N) :
  c <> d ->
  verify_knowledge image {| linear_first := first; linear_responses := responses |} c = true ->
  verify_knowledge image {| linear_first := first; linear_responses := others |} d = true ->
  i < seq_length image -> g1_at image i = g1_multiple (scalar_at (linear_extract c responses d others) i).
Proof.
  intros D A B L. unfold verify_knowledge in A, B. pose proof (linear_special_soundness _ _ _ _ _ _ _ _ D A B) as E. rewrite <- E at 1.
  rewrite linear_map_at, knowledge_row by (rewrite ?knowledge_matrix_length; exact L). reflexivity.
Qed.

(** Responses that answer two challenges are those of logarithms 0. *)
Theorem copied_knowledge (image : list G1) (proof : LinearProof) (c d : Scalar) :
  c <> d -> verify_knowledge image proof c = true -> verify_knowledge image proof d = true ->
  forall i, i < seq_length image -> g1_at image i = g1_identity.
Proof.
  intros D A B i L. unfold verify_knowledge in A, B. apply linear_verify_iff in A as [_ A]. apply linear_verify_iff in B as [_ B].
  specialize (A i). specialize (B i). rewrite knowledge_matrix_length in A, B. specialize (A L). specialize (B L).
  apply linear_row_holds_iff in A, B. rewrite A in B. apply g1_ext_iff in B. group_exponents. apply g1_ext. group_exponents.
  assert ((c [-] d) [*] g1_exponent (g1_at image i) = scalar_of_N 0) as Z.
  { transitivity ((g1_exponent (g1_at (linear_first proof) i) [+] c [*] g1_exponent (g1_at image i))
      [-] (g1_exponent (g1_at (linear_first proof) i) [+] d [*] g1_exponent (g1_at image i))); [ring | rewrite B; ring]. }
  apply scalar_mul_zero in Z as [Z | Z]; [| exact Z]. now apply (proj1 (scalar_sub_zero _ _)) in Z.
Qed.

(** * Equality of logarithms *)

Lemma equality_row_0 (base : G1) (w : Scalar) : g1_combination (seq_at (equality_matrix base) 0) [w] = g1_multiple w.
Proof.
  change (g1_combination (seq_at (equality_matrix base) 0) [w]) with (g1_add g1_identity (g1_scale w g1_generator)). group_solve.
Qed.

Lemma equality_row_1 (base : G1) (w : Scalar) : g1_combination (seq_at (equality_matrix base) 1) [w] = g1_scale w base.
Proof.
  change (g1_combination (seq_at (equality_matrix base) 1) [w]) with (g1_add g1_identity (g1_scale w base)). group_solve.
Qed.

Lemma equality_image (base : G1) (w : Scalar) : linear_map (equality_matrix base) [w] = [g1_multiple w; g1_scale w base].
Proof.
  rewrite linear_map_map. change (range 0 (seq_length (equality_matrix base))) with [0; 1]. cbn [map].
  now rewrite equality_row_0, equality_row_1.
Qed.

Theorem equality_complete (base : G1) (secret nonce c : Scalar) :
  verify_equality base (g1_multiple secret) (g1_scale secret base)
    (linear_prove (equality_matrix base) [secret] [nonce] c) c = true.
Proof.
  unfold verify_equality. cbn [app]. rewrite <- equality_image. change 1 with (seq_length [nonce]).
  apply linear_complete. intros i L. change (seq_length (equality_matrix base)) with 2 in L.
  assert (i = 0 \/ i = 1) as [-> | ->] by lia; change (1 <= 1); lia.
Qed.

Theorem equality_one_challenge (base transport shared : G1) (first : list G1) (responses others : list Scalar) (c d : Scalar) :
  (forall secret, transport = g1_multiple secret -> shared <> g1_scale secret base) ->
  verify_equality base transport shared {| linear_first := first; linear_responses := responses |} c = true ->
  verify_equality base transport shared {| linear_first := first; linear_responses := others |} d = true ->
  c = d.
Proof.
  intros False A B. unfold verify_equality in A, B. destruct (scalar_eq_dec c d) as [E | D]; [exact E | exfalso].
  pose proof (linear_special_soundness _ _ _ _ _ _ _ _ D A B) as E.
  apply linear_verify_iff in A as [Fits _]. apply linear_fits_iff in Fits as (_ & _ & L). cbn [linear_responses] in L.
  assert (exists w, linear_extract c responses d others = [w]) as [w W].
  { rewrite linear_extract_map, L. change (range 0 1) with [0]. cbn [map]. eauto. }
  rewrite W, equality_image in E. cbn [app] in E. injection E as T S. now apply (False w).
Qed.

(** * What a dealer knows *)

Lemma dealing_image_app (committed : list (list G1)) (randomised : list G1) :
  dealing_image committed randomised = map (fun row => g1_at row 0) committed ++ randomised.
Proof.
  unfold dealing_image, dealing_image_step, dealing_randomised_step. cbv zeta.
  rewrite (fold_range_elements (fun image x => image ++ [x]) randomised), (fold_append (fun x => x)), map_id.
  now rewrite (fold_range_elements (fun image row => image ++ [g1_at row 0])), fold_append.
Qed.

(** * Masks *)

Lemma share_seal_map (seed : ByteString) (shares : list Scalar) :
  share_seal seed shares = map (fun l => scalar_at shares l [+] share_mask seed l) (range 0 (seq_length shares)).
Proof.
  unfold share_seal, share_seal_step. rewrite (fold_range_append (fun l => seq_at shares l [+] share_mask seed l)). simpl app.
  apply map_ext_in. intros l I. apply range_in in I. now rewrite scalar_at_in by lia.
Qed.

Lemma share_unseal_map (seed : ByteString) (sealed : list Scalar) :
  share_unseal seed sealed = map (fun l => scalar_at sealed l [-] share_mask seed l) (range 0 (seq_length sealed)).
Proof.
  unfold share_unseal, share_unseal_step. rewrite (fold_range_append (fun l => seq_at sealed l [-] share_mask seed l)). simpl app.
  apply map_ext_in. intros l I. apply range_in in I. now rewrite scalar_at_in by lia.
Qed.

Lemma share_seal_length (seed : ByteString) (shares : list Scalar) : seq_length (share_seal seed shares) = seq_length shares.
Proof. now rewrite share_seal_map, seq_length_map, seq_length_range. Qed.

Lemma share_unseal_length (seed : ByteString) (sealed : list Scalar) : seq_length (share_unseal seed sealed) = seq_length sealed.
Proof. now rewrite share_unseal_map, seq_length_map, seq_length_range. Qed.

Theorem share_unseal_seal (seed : ByteString) (shares : list Scalar) : share_unseal seed (share_seal seed shares) = shares.
Proof.
  apply seq_ext; [now rewrite share_unseal_length, share_seal_length |]. intros l L.
  rewrite share_unseal_length, share_seal_length in L.
  rewrite <- !scalar_at_in by (rewrite ?share_unseal_length, ?share_seal_length; exact L).
  rewrite share_unseal_map, scalar_at_map by (rewrite share_seal_length; exact L).
  rewrite share_seal_map, scalar_at_map by exact L. ring.
Qed.

(** * The check of shares *)

Theorem dealt_shares_hold_iff (committed : list (list G1)) (server : N) (shares : list Scalar) :
  dealt_shares_hold committed server shares = true <->
  seq_length shares = seq_length committed /\
  forall l, l < seq_length committed -> share_verify (seq_at committed l) server (scalar_at shares l) = true.
Proof.
  unfold dealt_shares_hold, dealt_shares_step.
  rewrite (fold_and (fun l => share_verify (seq_at committed l) server (scalar_at shares l))).
  rewrite andb_true_iff, N.eqb_eq, forallb_forall. split; intros [A B]; (split; [exact A |]); intros l I; apply B.
  - apply range_in. lia.
  - apply range_in in I. lia.
Qed.

End Dealing.
