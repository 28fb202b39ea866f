(** Keys in shares.

    - [share_public_multiple]: what everybody computes of a share is its multiple of the generator.
    - [share_verify_iff]: the dealt share passes its check, and no other number does. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.Sharing.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group.
Import ListNotations.
Local Open Scope N_scope.

Section Shares.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

Lemma share_commitments_at (coefficients : list Scalar) (a : N) :
  g1_at (share_commitments coefficients) a = g1_multiple (scalar_at coefficients a).
Proof.
  unfold share_commitments. rewrite g1_multiples_map. unfold g1_at, scalar_at. rewrite seq_length_map.
  destruct (N.ltb_spec a (seq_length coefficients)) as [L | L]; [| group_solve].
  unfold seq_at. now rewrite (nth_indep _ _ (g1_multiple default)), map_nth
    by (rewrite map_length, <- seq_length_nat; lia).
Qed.

Lemma share_public_multiple (coefficients : list Scalar) (server : N) :
  share_public (share_commitments coefficients) server = g1_multiple (share_of coefficients server).
Proof.
  unfold share_public, share_of, share_public_step, share_of_step.
  assert (seq_length (share_commitments coefficients) = seq_length coefficients) as L
    by (unfold share_commitments; rewrite g1_multiples_map; apply seq_length_map).
  rewrite L. generalize (range 0 (seq_length coefficients)) as s.
  enough (forall s p e, p = g1_multiple e ->
    fold_left (fun total a => g1_add (g1_scale (share_point server) total)
      (g1_at (share_commitments coefficients) (seq_length coefficients - 1 - a))) s p
    = g1_multiple (fold_left (fun total a => total [*] share_point server [+]
      scalar_at coefficients (seq_length coefficients - 1 - a)) s e)) as E.
  { intros s. apply E. apply g1_ext. group_exponents. ring. }
  induction s as [| a s IH]; intros p e ->; [reflexivity |]. simpl. apply IH.
  rewrite share_commitments_at. group_solve.
Qed.

Theorem share_verify_iff (coefficients : list Scalar) (server : N) (share : Scalar) :
  share_verify (share_commitments coefficients) server share = true <-> share = share_of coefficients server.
Proof.
  unfold share_verify. rewrite g1_equal_iff, share_public_multiple. split; [| now intros ->].
  intros E. apply g1_ext_iff in E. now rewrite !g1_exponent_multiple in E.
Qed.

End Shares.
