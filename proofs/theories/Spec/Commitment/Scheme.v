(** The scheme of a dictionary, whichever it is: about setups that [kzg_setup] or [libert_yung_setup] made.

    - [open_correct]: the opening of a vector at an index is accepted, for the element there.
    - [open_all_correct]: the openings at all indices are the openings at each.
    - [verify_exponent_iff]: an opening is accepted exactly when its index lies in the vector and it is the one exponent
      that the commitment, the index and the scalar determine.
    - [verify_malformed]: a malformed opening is not accepted.
    - [commit_same_elements]: a commitment depends on the first N elements only.
    - [update_commitment_correct]: the updated commitment is that of any vector that differs by the change alone.
    - [update_opening_correct]: the updated opening is that of any vector that differs by the change alone.
    - [position_binding]: two accepted openings of one commitment at one index to different scalars give the missing
      power, by the formula [extract], which looks at the two scalars and the two openings only. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Commitment.Opening Commitment.Kzg
  Commitment.LibertYung Commitment.Scheme.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar.
From Aardvark Require Spec.Commitment.Kzg Spec.Commitment.LibertYung.
Import ListNotations.
Local Open Scope N_scope.

Section Scheme.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}.

Add Field scalars : scalar_field.

(** The setups that the theorems are about. For KZG the number of elements divides 4096, and the trapdoor is not in the
    domain. *)
Definition well_made (setup : Setup) : Prop :=
  match setup with
  | Setup_Kzg kzg =>
      exists n tau, kzg = kzg_setup n tau /\ 0 < n /\ 4096 mod n = 0 /\ scalar_pow tau n <> scalar_of_N 1
  | Setup_LibertYung libert_yung => exists n alpha, libert_yung = libert_yung_setup n alpha
  end.

(** The power of the trapdoor that nobody can compute from the public parameters: 1 / (tau - w^i), or alpha^(N+1). *)
Definition missing_power (setup : Setup) (i : N) : Scalar :=
  match setup with
  | Setup_Kzg kzg => scalar_inv (kzg_tau kzg [-] scalar_at (kzg_domain kzg) i)
  | Setup_LibertYung libert_yung => scalar_pow (libert_yung_power libert_yung 1) (libert_yung_size libert_yung + 1)
  end.

(** The missing power, from an accepted opening to [m] and an accepted opening to [m']: a multiple of their difference. *)
Definition extract (m m' opening opening' : Scalar) : Scalar :=
  (opening [-] opening') [*] scalar_inv (m' [-] m).

(** The one exponent that opens the commitment at the index to the scalar. *)
Definition accepted_exponent (setup : Setup) (commitment : Scalar) (i : N) (m : Scalar) : Scalar :=
  match setup with
  | Setup_Kzg kzg => kzg_open_commitment kzg commitment i m
  | Setup_LibertYung libert_yung => libert_yung_expected libert_yung commitment i m
  end.

Theorem verify_exponent_iff (setup : Setup) (commitment : Scalar) (i : N) (m exponent : Scalar) :
  well_made setup ->
  verify_exponent setup commitment i m exponent = true <->
  i < setup_vector_size setup /\ exponent = accepted_exponent setup commitment i m.
Proof.
  destruct setup as [kzg | libert_yung].
  - intros (n & tau & -> & legal). simpl. rewrite Kzg.verify_iff. change (kzg_size (kzg_setup n tau)) with n.
    split; intros [L E]; (split; [exact L |]); pose proof (Kzg.tau_outside legal i) as D;
      rewrite Kzg.kzg_open_commitment_value in * by exact L.
    + rewrite <- E. field. exact D.
    + rewrite E. field. exact D.
  - intros (n & alpha & ->). simpl. unfold libert_yung_verify. rewrite andb_true_iff, N.ltb_lt, scalar_eqb_iff.
    intuition congruence.
Qed.

Theorem verify_malformed (setup : Setup) (commitment : Scalar) (i : N) (m : Scalar) :
  verify setup commitment i m Opening_Malformed = false.
Proof. reflexivity. Qed.

Theorem open_correct (setup : Setup) (vector : list Scalar) (i : N) :
  well_made setup -> i < setup_vector_size setup ->
  verify setup (commit setup vector) i (scalar_at vector i) (Opening_Exponent (open setup vector i)) = true.
Proof.
  destruct setup as [kzg | libert_yung].
  - intros (n & tau & -> & legal). simpl. apply (Kzg.open_correct legal).
  - intros (n & alpha & ->). simpl. apply LibertYung.open_correct.
Qed.

Theorem open_all_correct (setup : Setup) (vector : list Scalar) (i : N) :
  well_made setup -> i < setup_vector_size setup -> scalar_at (open_all setup vector) i = open setup vector i.
Proof.
  destruct setup as [kzg | libert_yung].
  - intros (n & tau & -> & legal). simpl. apply Kzg.open_all_correct.
  - intros (n & alpha & ->). simpl. apply LibertYung.open_all_correct.
Qed.

Theorem commit_same_elements (setup : Setup) (vector vector' : list Scalar) :
  well_made setup -> (forall k, k < setup_vector_size setup -> scalar_at vector k = scalar_at vector' k) ->
  commit setup vector = commit setup vector'.
Proof.
  destruct setup as [kzg | libert_yung].
  - intros (n & tau & -> & legal) same. simpl. rewrite !Kzg.kzg_commit_sum. apply sum_ext. intros k L.
    now rewrite same.
  - intros (n & alpha & ->) same. simpl. rewrite !LibertYung.commit_sum. apply sum_ext. intros k L. now rewrite same.
Qed.

Lemma open_same_elements (setup : Setup) (vector vector' : list Scalar) (i : N) :
  well_made setup -> i < setup_vector_size setup ->
  (forall k, k < setup_vector_size setup -> scalar_at vector k = scalar_at vector' k) ->
  open setup vector i = open setup vector' i.
Proof.
  intros made L same. pose proof (open_correct setup vector i made L) as E.
  pose proof (open_correct setup vector' i made L) as E'. simpl in E, E'.
  apply (verify_exponent_iff setup _ _ _ _ made) in E as [_ ->].
  apply (verify_exponent_iff setup _ _ _ _ made) in E' as [_ ->].
  now rewrite (commit_same_elements setup vector vector' made same), same.
Qed.

(** The change of one element of a vector of N elements, as the specification writes it. *)
Lemma resized_updated (vector vector' : list Scalar) (n j : N) (delta : Scalar) :
  j < n ->
  (forall k, k < n -> scalar_at vector' k = if k =? j then scalar_at vector k [+] delta else scalar_at vector k) ->
  let resized := scalars_resized vector n in
  forall k, k < n -> scalar_at (scalars_updated resized j (scalar_at resized j [+] delta)) k = scalar_at vector' k.
Proof.
  intros Lj change resized k L. unfold resized. rewrite scalar_at_updated by (rewrite scalars_resized_length; exact Lj).
  rewrite change, !scalar_at_resized by exact L. apply N.ltb_lt in Lj as ->. apply N.ltb_lt in L as ->.
  destruct (N.eqb_spec k j) as [-> | D]; reflexivity.
Qed.

Lemma resized_same (vector : list Scalar) (n k : N) : k < n -> scalar_at vector k = scalar_at (scalars_resized vector n) k.
Proof. intros L. rewrite scalar_at_resized. now apply N.ltb_lt in L as ->. Qed.

Theorem update_commitment_correct (setup : Setup) (vector vector' : list Scalar) (j : N) (delta : Scalar) :
  well_made setup -> j < setup_vector_size setup ->
  (forall k, k < setup_vector_size setup ->
    scalar_at vector' k = if k =? j then scalar_at vector k [+] delta else scalar_at vector k) ->
  update_commitment setup (commit setup vector) j delta = commit setup vector'.
Proof.
  intros made Lj change. set (n := setup_vector_size setup) in *. set (resized := scalars_resized vector n).
  rewrite (commit_same_elements setup vector resized made) by (intros; now apply resized_same).
  rewrite <- (commit_same_elements setup (scalars_updated resized j (scalar_at resized j [+] delta)) vector' made)
    by now apply resized_updated.
  assert (seq_length resized = n) as length by apply scalars_resized_length.
  destruct setup as [kzg | libert_yung].
  - destruct made as (m & tau & -> & legal). apply Kzg.update_commitment_correct; [exact Lj | now rewrite length].
  - destruct made as (m & alpha & ->). apply LibertYung.update_commitment_correct; [exact Lj | now rewrite length].
Qed.

Theorem update_opening_correct (setup : Setup) (vector vector' : list Scalar) (i j : N) (delta : Scalar) :
  well_made setup -> i < setup_vector_size setup -> j < setup_vector_size setup ->
  (forall k, k < setup_vector_size setup ->
    scalar_at vector' k = if k =? j then scalar_at vector k [+] delta else scalar_at vector k) ->
  update_opening setup (open setup vector i) i j delta = open setup vector' i.
Proof.
  intros made Li Lj change. set (n := setup_vector_size setup) in *. set (resized := scalars_resized vector n).
  rewrite (open_same_elements setup vector resized i made Li) by (intros; now apply resized_same).
  rewrite <- (open_same_elements setup (scalars_updated resized j (scalar_at resized j [+] delta)) vector' i made Li)
    by now apply resized_updated.
  assert (seq_length resized = n) as length by apply scalars_resized_length.
  destruct setup as [kzg | libert_yung].
  - destruct made as (m & tau & -> & legal). apply (Kzg.update_opening_correct legal); auto. now rewrite length.
  - destruct made as (m & alpha & ->). apply LibertYung.update_opening_correct; auto. now rewrite length.
Qed.

(** Exponents that open one commitment at one index to two scalars differ by a multiple of the missing power. *)
Lemma accepted_exponents_differ (setup : Setup) (commitment : Scalar) (i : N) (m m' : Scalar) :
  well_made setup -> i < setup_vector_size setup ->
  accepted_exponent setup commitment i m [-] accepted_exponent setup commitment i m'
  = (m' [-] m) [*] missing_power setup i.
Proof.
  destruct setup as [kzg | libert_yung].
  - intros (n & tau & -> & legal) L. cbn [setup_vector_size accepted_exponent missing_power] in *.
    change (kzg_size (kzg_setup n tau)) with n in L. change (kzg_tau (kzg_setup n tau)) with tau.
    rewrite !Kzg.kzg_open_commitment_value, Kzg.domain_at by exact L. ring.
  - intros (n & alpha & ->) L. cbn [setup_vector_size accepted_exponent missing_power] in *.
    change (libert_yung_size (libert_yung_setup n alpha)) with n in *.
    rewrite !LibertYung.expected_value, LibertYung.power_at by lia.
    rewrite scalar_pow_one. replace (n + 1) with (i + 1 + (n - i)) by lia. rewrite (scalar_pow_add alpha (i + 1)). ring.
Qed.

Theorem position_binding (setup : Setup) (commitment : Scalar) (i : N) (m m' opening opening' : Scalar) :
  well_made setup ->
  verify setup commitment i m (Opening_Exponent opening) = true ->
  verify setup commitment i m' (Opening_Exponent opening') = true ->
  m <> m' ->
  extract m m' opening opening' = missing_power setup i.
Proof.
  intros made. simpl. rewrite !verify_exponent_iff by exact made. intros [L ->] [_ ->] D. unfold extract.
  rewrite accepted_exponents_differ by assumption. field. apply scalar_sub_nonzero. congruence.
Qed.

(** What the missing power is, said by the trapdoor itself. *)
Theorem kzg_missing_power (n : N) (tau : Scalar) (i : N) :
  i < n -> missing_power (Setup_Kzg (kzg_setup n tau)) i = scalar_inv (tau [-] scalar_pow (root_of_unity n) i).
Proof. intros L. unfold missing_power. rewrite Kzg.domain_at by exact L. reflexivity. Qed.

Theorem libert_yung_missing_power (n : N) (alpha : Scalar) (i : N) :
  0 < n -> missing_power (Setup_LibertYung (libert_yung_setup n alpha)) i = scalar_pow alpha (n + 1).
Proof. intros L. unfold missing_power. rewrite LibertYung.power_at, scalar_pow_one by lia. reflexivity. Qed.

End Scheme.
