(** The premises of the theorems about commitments can be met: setups, openings, a false batch and a cheating prover,
    modulo the order of BLS12-381; what is computed below is Libert-Yung, which needs no inverses and so takes little time.

    The trapdoors are known here, so that openings of anything can be computed: which is what the theorems turn into the
    missing power. *)

From Coq Require Import Arith NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Commitment.Opening Commitment.Kzg
  Commitment.LibertYung Commitment.Scheme.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Commitment.Scheme
  Lemmas.Batch Lemmas.BatchVerification Spec.Commitment.Aggregation Examples.ModularScalars.
Import ListNotations.
Local Open Scope N_scope.

Notation "# n" := (@scalar_of_N modular n) (at level 5, n constr at level 0).

(** ** Setups *)

Definition kzg_example : Setup := Setup_Kzg (kzg_setup 4 #5).
Definition libert_yung_example : Setup := Setup_LibertYung (libert_yung_setup 4 #3).

Lemma differ (a b : @Scalar modular) : (a [=?] b) = false -> a <> b.
Proof. intros E D. apply scalar_eqb_iff in D. congruence. Qed.

Example kzg_well_made : well_made kzg_example.
Proof.
  exists 4, #5. repeat split.
  change (scalar_pow #5 4 <> #1). apply differ. vm_compute. reflexivity.
Qed.

Example libert_yung_well_made : well_made libert_yung_example.
Proof. exists 4, #3. reflexivity. Qed.

(** ** Openings *)

Definition vector : list (@Scalar modular) := [#7; #0; #11; scalar_zero [-] #1].
Definition changed : list (@Scalar modular) := [#7; #0; #13; scalar_zero [-] #1].

Lemma change_at_2 (k : N) : k < 4 ->
  scalar_at changed k = if k =? 2 then scalar_at vector k [+] #2 else scalar_at vector k.
Proof.
  intros L. apply scalar_eqb_iff.
  assert (k = 0 \/ k = 1 \/ k = 2 \/ k = 3) as [-> | [-> | [-> | ->]]] by lia; vm_compute; reflexivity.
Qed.

Example kzg_updates :
  update_commitment kzg_example (commit kzg_example vector) 2 #2 = commit kzg_example changed /\
  update_opening kzg_example (open kzg_example vector 2) 2 2 #2 = open kzg_example changed 2 /\
  update_opening kzg_example (open kzg_example vector 3) 3 2 #2 = open kzg_example changed 3.
Proof.
  split; [| split].
  - apply update_commitment_correct; [exact kzg_well_made | reflexivity | exact change_at_2].
  - apply update_opening_correct; [exact kzg_well_made | reflexivity | reflexivity | exact change_at_2].
  - apply update_opening_correct; [exact kzg_well_made | reflexivity | reflexivity | exact change_at_2].
Qed.

Lemma eleven_not_twelve : #11 <> #12.
Proof. apply differ. vm_compute. reflexivity. Qed.

(** Two accepted openings of one commitment at one index, to 11 and to 12. *)
Definition forged (setup : Setup) (m : @Scalar modular) : G1 :=
  g1_multiple (accepted_exponent setup (commit setup vector) 2 m).

Lemma kzg_forged_accepted :
  verify kzg_example (commit kzg_example vector) 2 #11 (Opening_Point (open kzg_example vector 2)) = true /\
  verify kzg_example (commit kzg_example vector) 2 #12 (Opening_Point (forged kzg_example #12)) = true.
Proof.
  split; [exact (open_correct kzg_example vector 2 kzg_well_made eq_refl) |].
  apply verify_point_iff; [exact kzg_well_made | split; reflexivity].
Qed.

Example kzg_binding : extract #11 #12 (open kzg_example vector 2) (forged kzg_example #12) = missing_power kzg_example 2.
Proof.
  exact (position_binding kzg_example (commit kzg_example vector) 2 #11 #12 (open kzg_example vector 2)
    (forged kzg_example #12) kzg_well_made (proj1 kzg_forged_accepted) (proj2 kzg_forged_accepted) eleven_not_twelve).
Qed.

Lemma libert_yung_forged_accepted :
  verify libert_yung_example (commit libert_yung_example vector) 2 #11
    (Opening_Point (open libert_yung_example vector 2)) = true /\
  verify libert_yung_example (commit libert_yung_example vector) 2 #12
    (Opening_Point (forged libert_yung_example #12)) = true.
Proof. split; vm_compute; reflexivity. Qed.

Example libert_yung_binding :
  extract #11 #12 (open libert_yung_example vector 2) (forged libert_yung_example #12) = missing_power libert_yung_example 2.
Proof.
  exact (position_binding libert_yung_example (commit libert_yung_example vector) 2 #11 #12
    (open libert_yung_example vector 2) (forged libert_yung_example #12) libert_yung_well_made
    (proj1 libert_yung_forged_accepted) (proj2 libert_yung_forged_accepted) eleven_not_twelve).
Qed.

(** ** A false batch *)

Definition claim (setup : Setup) (i : N) (m : @Scalar modular) (opening : G1) : BatchClaim :=
  {| batch_commitment := commit setup vector; batch_index := i; batch_scalar := m; batch_opening := opening |}.

(** The second claim is false: an honest opening, another scalar. *)
Definition false_batch (setup : Setup) : list BatchClaim :=
  [claim setup 0 #7 (open setup vector 0); claim setup 2 #12 (open setup vector 2)].

Definition coefficients_to_choose : list (@Scalar modular) := [#0; #1; #2].

Lemma coefficients_distinct : NoDup coefficients_to_choose.
Proof.
  repeat constructor; simpl; intros M;
    repeat (destruct M as [M | M]; [revert M; apply differ; vm_compute; reflexivity |]); exact M.
Qed.

(** Of nine choices, the three pass that give the false claim the coefficient 0: exactly the bound. *)
Example libert_yung_false_batch :
  (length (filter (verify_batch libert_yung_example (false_batch libert_yung_example)) (choices coefficients_to_choose 2)) <= 3)%nat.
Proof.
  apply (batch_verify_sound libert_yung_example (false_batch libert_yung_example) coefficients_to_choose 1);
    [exact coefficients_distinct | reflexivity | reflexivity | vm_compute; reflexivity].
Qed.

Example libert_yung_false_batch_counted :
  length (filter (verify_batch libert_yung_example (false_batch libert_yung_example)) (choices coefficients_to_choose 2)) = 3%nat.
Proof. vm_compute. reflexivity. Qed.

(** ** A cheating prover *)

Definition honest_claims (setup : Setup) : list BatchClaim :=
  [claim setup 0 #7 (open setup vector 0); claim setup 2 #11 (open setup vector 2)].

(** The prover knows the trapdoor: each point satisfies the equation of its index, whatever the first challenge. *)
Definition cheating_prover (setup : Setup) (coefficients : list (@Scalar modular)) : list AggregatedOpening :=
  let forged_claims := [claim setup 0 #7 (open setup vector 0); claim setup 2 #12 (forged setup #12)] in
  map (fun i => {| aggregated_index := i; aggregated_point := aggregated_opening forged_claims coefficients i |}) [0; 2].

Lemma libert_yung_honest : honest_for libert_yung_example (false_batch libert_yung_example) (honest_claims libert_yung_example).
Proof.
  split; [reflexivity |]. intros j L. change (j < 2) in L.
  assert (j = 0 \/ j = 1) as [-> | ->] by lia; (split; [reflexivity | split; [reflexivity |]]); vm_compute; reflexivity.
Qed.

(** All 81 pairs of challenges pass. *)
Example cheating_passes :
  forallb (fun '(coefficients, combiners) => verify_aggregated libert_yung_example (false_batch libert_yung_example) coefficients
      (cheating_prover libert_yung_example coefficients) combiners)
    (list_prod (choices coefficients_to_choose 2) (choices coefficients_to_choose 2)) = true.
Proof. vm_compute. reflexivity. Qed.

(** But of these, few do not give the missing power away. *)
Example cheating_is_caught :
  (length (filter (fun '(coefficients, combiners) =>
      let points := cheating_prover libert_yung_example coefficients in
      verify_aggregated libert_yung_example (false_batch libert_yung_example) coefficients points combiners
      && negb (is_missing_power libert_yung_example 2
        (aggregated_break (false_batch libert_yung_example) (honest_claims libert_yung_example) coefficients points 2)))
    (list_prod (choices coefficients_to_choose 2) (choices coefficients_to_choose 2))) <= 3 * 9 + 9 * 3)%nat.
Proof.
  apply (aggregate_verify_sound libert_yung_example (false_batch libert_yung_example) (honest_claims libert_yung_example) 1
    coefficients_to_choose coefficients_to_choose 2 (cheating_prover libert_yung_example)).
  - exact libert_yung_well_made.
  - exact libert_yung_honest.
  - exact coefficients_distinct.
  - exact coefficients_distinct.
  - reflexivity.
  - reflexivity.
  - apply differ. vm_compute. reflexivity.
  - intros coefficients. apply le_n.
Qed.
