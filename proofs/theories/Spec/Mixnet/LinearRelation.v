(** Proofs of linear relations.

    - [linear_map_at], [linear_respond_at]: the elements of M s and of a response.
    - [linear_verify_iff]: a proof is accepted exactly if its lengths are right and every row holds.
    - [linear_complete]: honest proofs are accepted.
    - [linear_special_soundness]: two accepted proofs with one commitment and two challenges give a witness.
    - [linear_nonces_responses], [linear_simulated]: responses are nonces moved, one for one, and the simulator's commitment
      is the honest one.
    - [linear_distributed], [linear_map_sum]: proofs under one challenge add up. *)

From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.LinearRelation.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group.
Import ListNotations.
Local Open Scope N_scope.

(** Every row of a matrix has at most so many elements. *)
Definition rows_within {F : ScalarOperations} (matrix : list (list G1)) (columns : N) : Prop :=
  forall i, i < seq_length matrix -> seq_length (seq_at matrix i) <= columns.

Section Linear.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

Lemma linear_map_map (matrix : list (list G1)) (s : list Scalar) :
  linear_map matrix s = map (fun i => g1_combination (seq_at matrix i) s) (range 0 (seq_length matrix)).
Proof. unfold linear_map, linear_map_step. now rewrite fold_range_append. Qed.

Lemma linear_map_length (matrix : list (list G1)) (s : list Scalar) : seq_length (linear_map matrix s) = seq_length matrix.
Proof. now rewrite linear_map_map, seq_length_map, seq_length_range. Qed.

Lemma linear_map_at (matrix : list (list G1)) (s : list Scalar) (i : N) :
  i < seq_length matrix -> g1_at (linear_map matrix s) i = g1_combination (seq_at matrix i) s.
Proof. intros L. rewrite linear_map_map. now rewrite g1_at_map. Qed.

Lemma linear_respond_map (nonces witness : list Scalar) (c : Scalar) :
  linear_respond nonces c witness
  = map (fun i => scalar_at nonces i [+] c [*] scalar_at witness i) (range 0 (seq_length nonces)).
Proof.
  unfold linear_respond, linear_respond_step.
  rewrite (fold_range_append (fun i => seq_at nonces i [+] c [*] scalar_at witness i)). simpl app.
  apply map_ext_in. intros i I. apply range_in in I. now rewrite <- (scalar_at_in nonces) by lia.
Qed.

Lemma linear_respond_length (nonces witness : list Scalar) (c : Scalar) :
  seq_length (linear_respond nonces c witness) = seq_length nonces.
Proof. now rewrite linear_respond_map, seq_length_map, seq_length_range. Qed.

Lemma linear_respond_at (nonces witness : list Scalar) (c : Scalar) (i : N) :
  i < seq_length nonces ->
  scalar_at (linear_respond nonces c witness) i = scalar_at nonces i [+] c [*] scalar_at witness i.
Proof. intros L. rewrite linear_respond_map. now rewrite scalar_at_map. Qed.

(** A combination with responses is that of the nonces and a multiple of that of the witness. *)
Lemma combination_respond (row : list G1) (nonces witness : list Scalar) (c : Scalar) :
  seq_length row <= seq_length nonces ->
  g1_combination row (linear_respond nonces c witness)
  = g1_add (g1_combination row nonces) (g1_scale c (g1_combination row witness)).
Proof.
  intros L. rewrite !g1_combination_sum, <- g1_total_scale, <- g1_total_add. apply g1_total_ext. intros i Li.
  rewrite linear_respond_at by lia. group_solve.
Qed.

Lemma linear_row_holds_iff (matrix : list (list G1)) (image : list G1) (proof : LinearProof) (c : Scalar) (i : N) :
  linear_row_holds matrix image proof c i = true <->
  g1_combination (seq_at matrix i) (linear_responses proof)
  = g1_add (g1_at (linear_first proof) i) (g1_scale c (g1_at image i)).
Proof. apply g1_equal_iff. Qed.

Lemma fold_and (f : N -> bool) (s : list N) (b : bool) :
  fold_left (fun held i => held && f i) s b = b && forallb f s.
Proof.
  revert b. induction s as [| x s IH]; intros b; simpl; [now rewrite andb_true_r |].
  now rewrite IH, andb_assoc.
Qed.

Lemma linear_verify_iff (matrix : list (list G1)) (columns : N) (image : list G1) (proof : LinearProof) (c : Scalar) :
  linear_verify matrix columns image proof c = true <->
  linear_fits matrix columns image proof = true /\
  forall i, i < seq_length matrix -> linear_row_holds matrix image proof c i = true.
Proof.
  unfold linear_verify, linear_verify_step. rewrite (fold_and (linear_row_holds matrix image proof c)).
  rewrite andb_true_iff, forallb_forall. split; intros [A B]; (split; [exact A |]); intros i I; apply B.
  - apply range_in. lia.
  - apply range_in in I. lia.
Qed.

Lemma linear_fits_iff (matrix : list (list G1)) (columns : N) (image : list G1) (proof : LinearProof) :
  linear_fits matrix columns image proof = true <->
  seq_length image = seq_length matrix /\ seq_length (linear_first proof) = seq_length matrix /\
  seq_length (linear_responses proof) = columns.
Proof. unfold linear_fits. rewrite !andb_true_iff, !N.eqb_eq. tauto. Qed.

Theorem linear_complete (matrix : list (list G1)) (witness nonces : list Scalar) (c : Scalar) :
  rows_within matrix (seq_length nonces) ->
  linear_verify matrix (seq_length nonces) (linear_map matrix witness) (linear_prove matrix witness nonces c) c = true.
Proof.
  intros R. apply linear_verify_iff. split.
  - apply linear_fits_iff. cbn. now rewrite !linear_map_length, linear_respond_length.
  - intros i L. apply linear_row_holds_iff. cbn. rewrite !linear_map_at by exact L. apply combination_respond. now apply R.
Qed.

Lemma linear_extract_map (c d : Scalar) (responses others : list Scalar) :
  linear_extract c responses d others
  = map (fun i => scalar_inv (c [-] d) [*] (scalar_at responses i [-] scalar_at others i)) (range 0 (seq_length responses)).
Proof.
  unfold linear_extract, linear_extract_step, scalar_inverse.
  rewrite (fold_range_append (fun i => scalar_inv (c [-] d) [*] (seq_at responses i [-] scalar_at others i))). simpl app.
  apply map_ext_in. intros i I. apply range_in in I. now rewrite <- (scalar_at_in responses) by lia.
Qed.

Lemma combination_extract (row : list G1) (c d : Scalar) (responses others : list Scalar) :
  seq_length responses = seq_length others ->
  g1_combination row (linear_extract c responses d others)
  = g1_scale (scalar_inv (c [-] d)) (g1_subtract (g1_combination row responses) (g1_combination row others)).
Proof.
  intros L. apply g1_ext. rewrite !g1_combination_exponent. group_exponents. rewrite !g1_combination_exponent.
  rewrite <- (sum_ext (fun i => scalar_inv (c [-] d) [*]
    (scalar_at responses i [*] g1_exponent (g1_at row i) [+]
     (scalar_of_N 0 [-] scalar_of_N 1) [*] (scalar_at others i [*] g1_exponent (g1_at row i))))).
  - rewrite sum_scale, sum_add, sum_scale. ring.
  - intros i _. rewrite linear_extract_map. destruct (N.lt_ge_cases i (seq_length responses)) as [I | I].
    + rewrite scalar_at_map by exact I. ring.
    + rewrite !scalar_at_beyond by (rewrite ?seq_length_map, ?seq_length_range; lia). ring.
Qed.

Lemma g1_list_ext (s t : list G1) :
  seq_length s = seq_length t -> (forall i, i < seq_length s -> g1_at s i = g1_at t i) -> s = t.
Proof.
  intros L E. apply seq_ext; [exact L |]. intros i I. rewrite <- !g1_at_in by lia. now apply E.
Qed.

Theorem linear_special_soundness (matrix : list (list G1)) (columns : N) (image : list G1)
    (first : list G1) (c d : Scalar) (responses others : list Scalar) :
  c <> d ->
  linear_verify matrix columns image {| linear_first := first; linear_responses := responses |} c = true ->
  linear_verify matrix columns image {| linear_first := first; linear_responses := others |} d = true ->
  linear_map matrix (linear_extract c responses d others) = image.
Proof.
  intros D A B. apply linear_verify_iff in A as [FA A]. apply linear_verify_iff in B as [FB B].
  apply linear_fits_iff in FA as (LI & _ & LA). apply linear_fits_iff in FB as (_ & _ & LB). cbn in *.
  apply g1_list_ext; rewrite linear_map_length; [now symmetry |]. intros i I.
  rewrite linear_map_at, combination_extract by congruence.
  specialize (A i I). specialize (B i I). apply linear_row_holds_iff in A, B. cbn in A, B. rewrite A, B.
  apply g1_ext. group_exponents. field. now apply scalar_sub_nonzero.
Qed.

(** * Simulation *)

Lemma linear_nonces_responses (nonces witness : list Scalar) (c : Scalar) :
  linear_respond (linear_respond nonces c witness) (scalar_of_N 0 [-] c) witness = nonces.
Proof.
  apply seq_ext; [now rewrite !linear_respond_length |]. intros i I. rewrite !linear_respond_length in I.
  rewrite <- !scalar_at_in by (rewrite ?linear_respond_length; exact I).
  rewrite !linear_respond_at by (rewrite ?linear_respond_length; exact I). ring.
Qed.

Lemma linear_responses_nonces (responses witness : list Scalar) (c : Scalar) :
  linear_respond (linear_respond responses (scalar_of_N 0 [-] c) witness) c witness = responses.
Proof.
  apply seq_ext; [now rewrite !linear_respond_length |]. intros i I. rewrite !linear_respond_length in I.
  rewrite <- !scalar_at_in by (rewrite ?linear_respond_length; exact I).
  rewrite !linear_respond_at by (rewrite ?linear_respond_length; exact I). ring.
Qed.

Lemma linear_simulate_map (matrix : list (list G1)) (image : list G1) (c : Scalar) (responses : list Scalar) :
  linear_simulate matrix image c responses
  = map (fun i => g1_subtract (g1_combination (seq_at matrix i) responses) (g1_scale c (g1_at image i)))
      (range 0 (seq_length matrix)).
Proof. unfold linear_simulate, linear_simulate_step. now rewrite fold_range_append. Qed.

Lemma linear_simulated (matrix : list (list G1)) (witness nonces : list Scalar) (c : Scalar) :
  rows_within matrix (seq_length nonces) ->
  linear_simulate matrix (linear_map matrix witness) c (linear_respond nonces c witness) = linear_map matrix nonces.
Proof.
  intros R. rewrite linear_simulate_map, (linear_map_map matrix nonces). apply map_ext_in. intros i I. apply range_in in I.
  rewrite combination_respond, linear_map_at by (try apply R; lia). group_solve.
Qed.

Lemma linear_simulated_accepted (matrix : list (list G1)) (image : list G1) (c : Scalar) (responses : list Scalar) :
  seq_length image = seq_length matrix ->
  linear_verify matrix (seq_length responses) image
    {| linear_first := linear_simulate matrix image c responses; linear_responses := responses |} c = true.
Proof.
  intros L. apply linear_verify_iff. split.
  - apply linear_fits_iff. cbn. rewrite linear_simulate_map, seq_length_map, seq_length_range. auto.
  - intros i I. apply linear_row_holds_iff. cbn. rewrite linear_simulate_map, g1_at_map by exact I. group_solve.
Qed.

(** * Sums *)

Lemma linear_sum_elements_map (a b : list G1) :
  linear_sum_elements a b = map (fun i => g1_add (g1_at a i) (g1_at b i)) (range 0 (seq_length a)).
Proof.
  unfold linear_sum_elements, linear_sum_elements_step.
  rewrite (fold_range_append (fun i => g1_add (seq_at a i) (g1_at b i))). simpl app.
  apply map_ext_in. intros i I. apply range_in in I. now rewrite <- (g1_at_in a) by lia.
Qed.

Lemma linear_sum_elements_length (a b : list G1) : seq_length (linear_sum_elements a b) = seq_length a.
Proof. now rewrite linear_sum_elements_map, seq_length_map, seq_length_range. Qed.

Lemma linear_sum_elements_at (a b : list G1) (i : N) :
  i < seq_length a -> g1_at (linear_sum_elements a b) i = g1_add (g1_at a i) (g1_at b i).
Proof. intros L. rewrite linear_sum_elements_map. now rewrite g1_at_map. Qed.

Lemma linear_sum_scalars_map (a b : list Scalar) :
  linear_sum_scalars a b = map (fun i => scalar_at a i [+] scalar_at b i) (range 0 (seq_length a)).
Proof.
  unfold linear_sum_scalars, linear_sum_scalars_step.
  rewrite (fold_range_append (fun i => seq_at a i [+] scalar_at b i)). simpl app.
  apply map_ext_in. intros i I. apply range_in in I. now rewrite <- (scalar_at_in a) by lia.
Qed.

Lemma linear_sum_scalars_length (a b : list Scalar) : seq_length (linear_sum_scalars a b) = seq_length a.
Proof. now rewrite linear_sum_scalars_map, seq_length_map, seq_length_range. Qed.

Lemma combination_sum_scalars (row : list G1) (a b : list Scalar) :
  seq_length a = seq_length b ->
  g1_combination row (linear_sum_scalars a b) = g1_add (g1_combination row a) (g1_combination row b).
Proof.
  intros L. apply g1_combination_add. intros i _. rewrite linear_sum_scalars_map.
  destruct (N.lt_ge_cases i (seq_length a)) as [I | I]; [now rewrite scalar_at_map |].
  rewrite !scalar_at_beyond by (rewrite ?seq_length_map, ?seq_length_range; lia). ring.
Qed.

Lemma linear_map_sum (matrix : list (list G1)) (a b : list Scalar) :
  seq_length a = seq_length b ->
  linear_map matrix (linear_sum_scalars a b) = linear_sum_elements (linear_map matrix a) (linear_map matrix b).
Proof.
  intros L. apply g1_list_ext; [now rewrite linear_sum_elements_length, !linear_map_length |].
  intros i I. rewrite linear_map_length in I.
  rewrite linear_sum_elements_at, !linear_map_at by (rewrite ?linear_map_length; exact I).
  now apply combination_sum_scalars.
Qed.

Theorem linear_distributed (matrix : list (list G1)) (columns : N) (image image' : list G1)
    (proof proof' : LinearProof) (c : Scalar) :
  linear_verify matrix columns image proof c = true -> linear_verify matrix columns image' proof' c = true ->
  linear_verify matrix columns (linear_sum_elements image image') (linear_sum_proofs proof proof') c = true.
Proof.
  intros A B. apply linear_verify_iff in A as [FA A]. apply linear_verify_iff in B as [FB B].
  apply linear_fits_iff in FA as (IA & TA & LA). apply linear_fits_iff in FB as (IB & TB & LB).
  apply linear_verify_iff. split.
  - apply linear_fits_iff. cbn. rewrite !linear_sum_elements_length, linear_sum_scalars_length. auto.
  - intros i I. apply linear_row_holds_iff. cbn.
    rewrite combination_sum_scalars, !linear_sum_elements_at by congruence.
    specialize (A i I). specialize (B i I). apply linear_row_holds_iff in A, B. rewrite A, B. group_solve.
Qed.

End Linear.
