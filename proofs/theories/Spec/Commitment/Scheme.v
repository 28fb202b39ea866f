(** The scheme of a dictionary, whichever it is: about setups that [kzg_setup] or [libert_yung_setup] made.

    - [open_correct]: the opening of a vector at an index is accepted, for the element there.
    - [open_all_correct]: the openings at all indices are the openings at each.
    - [verify_point_iff]: an opening is accepted exactly when its index lies in the vector and it is the one element
      that the commitment, the index and the scalar determine.
    - [verify_malformed]: a malformed opening is not accepted.
    - [commit_linear], [open_linear]: commitments and openings are linear in the vector.
    - [commit_same_elements]: a commitment depends on the first N elements only.
    - [update_commitment_correct]: the updated commitment is that of any vector that differs by the change alone.
    - [update_opening_correct]: the updated opening is that of any vector that differs by the change alone.
    - [position_binding]: two accepted openings of one commitment at one index to different scalars give the missing
      power, by the formula [extract], which looks at the two scalars and the two openings only. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Commitment.Opening Commitment.Kzg
  Commitment.LibertYung Commitment.Scheme.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group.
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
Definition missing_power (setup : Setup) (i : N) : G1 :=
  match setup with
  | Setup_Kzg kzg => g1_multiple (scalar_inv (g2_exponent (kzg_key kzg) [-] scalar_at (kzg_domain kzg) i))
  | Setup_LibertYung libert_yung =>
      g1_multiple (scalar_pow (g1_exponent (libert_yung_power libert_yung 1)) (libert_yung_size libert_yung + 1))
  end.

(** The missing power, from an accepted opening to [m] and an accepted opening to [m']: a multiple of their difference. *)
Definition extract (m m' : Scalar) (opening opening' : G1) : G1 :=
  g1_scale (scalar_inv (m' [-] m)) (g1_subtract opening opening').

(** The exponent of the one element that opens the commitment at the index to the scalar. *)
Definition accepted_exponent (setup : Setup) (commitment : G1) (i : N) (m : Scalar) : Scalar :=
  match setup with
  | Setup_Kzg kzg => Kzg.kzg_open_commitment kzg commitment i m
  | Setup_LibertYung libert_yung => libert_yung_expected libert_yung commitment i m
  end.

Theorem verify_point_iff (setup : Setup) (commitment : G1) (i : N) (m : Scalar) (point : G1) :
  well_made setup ->
  verify_point setup commitment i m point = true <->
  i < setup_vector_size setup /\ g1_exponent point = accepted_exponent setup commitment i m.
Proof.
  destruct setup as [kzg | libert_yung].
  - intros (n & tau & -> & legal). simpl. rewrite Kzg.verify_iff. change (kzg_size (kzg_setup n tau)) with n.
    split; intros [L E]; (split; [exact L |]); pose proof (Kzg.tau_outside legal i) as D;
      rewrite Kzg.kzg_open_commitment_value in * by exact L.
    + rewrite <- E. field. exact D.
    + rewrite E. field. exact D.
  - intros _. apply LibertYung.verify_expected.
Qed.

Theorem verify_malformed (setup : Setup) (commitment : G1) (i : N) (m : Scalar) :
  verify setup commitment i m Opening_Malformed = false.
Proof. reflexivity. Qed.

Theorem open_correct (setup : Setup) (vector : list Scalar) (i : N) :
  well_made setup -> i < setup_vector_size setup ->
  verify setup (commit setup vector) i (scalar_at vector i) (Opening_Point (open setup vector i)) = true.
Proof.
  destruct setup as [kzg | libert_yung].
  - intros (n & tau & -> & legal). simpl. apply (Kzg.open_correct legal).
  - intros (n & alpha & ->). simpl. apply LibertYung.open_correct.
Qed.

Theorem open_all_correct (setup : Setup) (vector : list Scalar) (i : N) :
  well_made setup -> i < setup_vector_size setup -> g1_at (open_all setup vector) i = open setup vector i.
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
  - intros (n & tau & -> & legal) same. simpl. apply g1_ext. rewrite !Kzg.kzg_commit_sum. apply sum_ext. intros k L.
    now rewrite same.
  - intros (n & alpha & ->) same. simpl. apply g1_ext. rewrite !LibertYung.commit_sum. apply sum_ext. intros k L. now rewrite same.
Qed.

Lemma open_same_elements (setup : Setup) (vector vector' : list Scalar) (i : N) :
  well_made setup -> i < setup_vector_size setup ->
  (forall k, k < setup_vector_size setup -> scalar_at vector k = scalar_at vector' k) ->
  open setup vector i = open setup vector' i.
Proof.
  intros made L same. pose proof (open_correct setup vector i made L) as E.
  pose proof (open_correct setup vector' i made L) as E'. simpl in E, E'.
  apply (verify_point_iff setup _ _ _ _ made) in E as [_ E].
  apply (verify_point_iff setup _ _ _ _ made) in E' as [_ E']. apply g1_ext. rewrite E, E'.
  now rewrite (commit_same_elements setup vector vector' made same), same.
Qed.

(** Commitments and openings are linear: of [x a + b] they are [x] times those of [a], plus those of [b]. *)
Theorem commit_linear (setup : Setup) (x : Scalar) (a b c : list Scalar) :
  well_made setup ->
  (forall k, k < setup_vector_size setup -> scalar_at c k = x [*] scalar_at a k [+] scalar_at b k) ->
  commit setup c = g1_add (g1_scale x (commit setup a)) (commit setup b).
Proof.
  intros made combined. apply g1_ext. cbn [g1_add g1_scale g1_exponent]. destruct setup as [kzg | libert_yung].
  - destruct made as (n & tau & -> & legal). simpl commit. rewrite !Kzg.kzg_commit_sum, <- sum_scale, <- sum_add.
    apply sum_ext. intros k L. rewrite combined by exact L. ring.
  - destruct made as (n & alpha & ->). simpl commit. rewrite !LibertYung.commit_sum, <- sum_scale, <- sum_add.
    apply sum_ext. intros k L. rewrite combined by exact L. ring.
Qed.

Theorem open_linear (setup : Setup) (x : Scalar) (a b c : list Scalar) (i : N) :
  well_made setup -> i < setup_vector_size setup ->
  (forall k, k < setup_vector_size setup -> scalar_at c k = x [*] scalar_at a k [+] scalar_at b k) ->
  open setup c i = g1_add (g1_scale x (open setup a i)) (open setup b i).
Proof.
  intros made Li combined. pose proof (commit_linear setup x a b c made combined) as E.
  apply g1_ext. cbn [g1_add g1_scale g1_exponent]. destruct setup as [kzg | libert_yung].
  - destruct made as (n & tau & -> & legal). simpl commit in E. simpl open.
    change (setup_vector_size (Setup_Kzg (kzg_setup n tau))) with n in *.
    rewrite !(Kzg.open_value legal), !Kzg.kzg_open_commitment_value, E, combined by exact Li. group_exponents. ring.
  - destruct made as (n & alpha & ->). simpl open.
    change (setup_vector_size (Setup_LibertYung (libert_yung_setup n alpha))) with n in *.
    rewrite !LibertYung.open_sum, <- sum_scale, <- sum_add by exact Li. apply sum_ext. intros k L.
    destruct (i =? k); [ring |]. rewrite combined by exact L. ring.
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
Lemma accepted_exponents_differ (setup : Setup) (commitment : G1) (i : N) (m m' : Scalar) :
  well_made setup -> i < setup_vector_size setup ->
  accepted_exponent setup commitment i m [-] accepted_exponent setup commitment i m'
  = (m' [-] m) [*] g1_exponent (missing_power setup i).
Proof.
  destruct setup as [kzg | libert_yung].
  - intros (n & tau & -> & legal) L. cbn [setup_vector_size accepted_exponent missing_power] in *.
    change (kzg_size (kzg_setup n tau)) with n in L.
    rewrite g1_exponent_multiple, Kzg.kzg_key_exponent, !Kzg.kzg_open_commitment_value, Kzg.domain_at by exact L. ring.
  - intros (n & alpha & ->) L. cbn [setup_vector_size accepted_exponent missing_power] in *.
    change (libert_yung_size (libert_yung_setup n alpha)) with n in *.
    rewrite g1_exponent_multiple, !LibertYung.expected_value, LibertYung.power_at by lia.
    rewrite scalar_pow_one. replace (n + 1) with (i + 1 + (n - i)) by lia. rewrite (scalar_pow_add alpha (i + 1)). ring.
Qed.

Theorem position_binding (setup : Setup) (commitment : G1) (i : N) (m m' : Scalar) (opening opening' : G1) :
  well_made setup ->
  verify setup commitment i m (Opening_Point opening) = true ->
  verify setup commitment i m' (Opening_Point opening') = true ->
  m <> m' ->
  extract m m' opening opening' = missing_power setup i.
Proof.
  intros made. simpl. rewrite !verify_point_iff by exact made. intros [L E] [_ E'] D. apply g1_ext. unfold extract.
  group_exponents. rewrite E, E', accepted_exponents_differ by assumption. field. apply scalar_sub_nonzero. congruence.
Qed.

(** What the missing power is, said by the trapdoor itself. *)
Theorem kzg_missing_power (n : N) (tau : Scalar) (i : N) :
  i < n ->
  missing_power (Setup_Kzg (kzg_setup n tau)) i = g1_multiple (scalar_inv (tau [-] scalar_pow (root_of_unity n) i)).
Proof. intros L. unfold missing_power. now rewrite Kzg.kzg_key_exponent, Kzg.domain_at by exact L. Qed.

Theorem libert_yung_missing_power (n : N) (alpha : Scalar) (i : N) :
  0 < n -> missing_power (Setup_LibertYung (libert_yung_setup n alpha)) i = g1_multiple (scalar_pow alpha (n + 1)).
Proof. intros L. unfold missing_power. rewrite LibertYung.power_at, scalar_pow_one by lia. reflexivity. Qed.

End Scheme.
