(** A comparison's claims, for a prover who knows the polynomials under all points.

    - [comparison_size_legal]: its domain;
    - [legal_items]: what a comparison that claims something passed;
    - [comparison_committed]: with each point its polynomial, of which it is the value at tau;
    - [comparison_claims_committed]: then so is the commitment of each claim, with [comparison_polynomial];
    - [compared_claim_at]: the claims one by one. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate Table.Comparison.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Lemmas.PolynomialRoots Lemmas.PolynomialProducts Spec.Commitment.FoldedOpening Spec.Table.Sheet.
From Aardvark Require Lemmas.FoldedSound.
Import ListNotations.
Local Open Scope N_scope.

Section Comparison.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** ** What was checked besides the fold *)

(** The domain is a power of two with a place for each item and two masks. *)
Lemma comparison_size_legal : forall items, items <= MAX_COMPARED ->
  let n := comparison_size items in
  4 <= n /\ n <= 1024 /\ items + 2 <= n /\ 4096 mod n = 0.
Proof.
  intros items L. unfold MAX_COMPARED in L. cbv zeta. unfold comparison_size, MAX_DOUBLINGS.
  assert (general : exists e, e <= 8 /\ fold_left (fun least _i => comparison_size_step least items) (range 0 8) 4 = 4 * 2 ^ e /\
    (items + 2 <= 4 * 2 ^ e \/ e = 8)).
  { apply (fold_range_invariant _ (fun i least => exists e, e <= i /\ least = 4 * 2 ^ e /\ (items + 2 <= 4 * 2 ^ e \/ e = i)));
      [lia | exists 0; split; [lia | split; [reflexivity | now right]] |].
    intros i least _ (e & E & -> & B). unfold comparison_size_step. destruct (N.leb_spec (items + 2) (4 * 2 ^ e)) as [S | S].
    - exists e. split; [lia | split; [reflexivity | now left]].
    - destruct B as [B | ->]; [lia |]. exists (i + 1). rewrite N.pow_add_r. split; [lia |]. split; [change (2 ^ 1) with 2; lia | now right]. }
  destruct general as (e & E & -> & B).
  assert (C : e = 0 \/ e = 1 \/ e = 2 \/ e = 3 \/ e = 4 \/ e = 5 \/ e = 6 \/ e = 7 \/ e = 8) by lia.
  repeat (destruct C as [-> | C]; [cbn in B |- *; repeat split; lia |]). subst e. cbn in B |- *. repeat split; lia.
Qed.

Definition item_log (item : ComparedRow) : N := record_log (compared_record item).
Definition item_size (item : ComparedRow) : N := sheet_size (item_log item).

Lemma compared_row_legal_parts : forall item, compared_row_legal item = true ->
  (3 <= item_log item /\ item_log item <= 11) /\ compared_position item < guard_position (item_size item) /\
  compared_threshold item < 2 ^ 64.
Proof.
  intros item H. unfold compared_row_legal in H. cbv zeta in H. rewrite !andb_true_iff, !N.leb_le, !N.ltb_lt in H.
  destruct H as (((((P & A) & B) & C) & D) & T). unfold MIN_SHEET_LOG, MAX_SHEET_LOG, THRESHOLD_BOUND in *.
  fold (item_log item) in *. split; [split; assumption |]. split; [| exact T].
  destruct (layout_after 1 _ _) as [after |] eqn:E; [| discriminate]. apply layout_after_iff in E. fold (item_log item) in E.
  fold (item_size item) in E. lia.
Qed.

Record legal_items (bits : N) (items : list ComparedRow) (drawn : ComparisonChallenges) (shown : Comparison) : Prop := {
  items_few : seq_length items <= MAX_COMPARED;
  items_each : forall k, k < seq_length items -> compared_row_legal (seq_at items k) = true;
  bits_shaped : seq_length (comparison_bits shown) = bits /\ seq_length (comparison_bit_values shown) = bits;
  rows_shaped : seq_length (comparison_masks shown) = seq_length items /\ seq_length (comparison_values shown) = seq_length items;
  zeta_off : on_domain (comparison_size (seq_length items)) (compared_zeta drawn) = false;
  rows_off : forall k, k < seq_length items ->
    on_domain (item_size (seq_at items k))
      (relocated_point (comparison_size (seq_length items)) (seq_at items k) k (compared_zeta drawn)) = false;
}.

Lemma claims_of_comparison_parts : forall bits items drawn shown claims,
  claims_of_comparison bits items drawn shown = Ok claims ->
  legal_items bits items drawn shown /\ claims = comparison_claims items drawn shown.
Proof.
  intros bits items drawn shown claims H. unfold claims_of_comparison in H. cbv zeta in H.
  destruct (compared_rows_legal items) eqn:L; cbn [negb] in H; [| discriminate].
  destruct (_ && _ && _ && _) eqn:S; cbn [negb] in H; [| discriminate]. destruct (compared_on_domain _ _) eqn:D; [discriminate |].
  injection H as <-. split; [| reflexivity]. rewrite !andb_true_iff, !N.eqb_eq in S. destruct S as (((A & B) & C) & E).
  unfold compared_rows_legal in L. rewrite (fold_range_elements (fun legal item => compared_rows_legal_step legal item)) in L.
  assert (each : forall l legal, fold_left (fun legal item => compared_rows_legal_step legal item) l legal = true ->
    legal = true /\ forall item, In item l -> compared_row_legal item = true).
  { clear. induction l as [| first l IH]; intros legal H; [split; [exact H | intros ? []] |]. cbn [fold_left] in H. apply IH in H as [H rest].
    unfold compared_rows_legal_step in H. apply andb_true_iff in H as [-> H]. split; [reflexivity |]. intros item [<- | I]; auto. }
  apply each in L as [L legal]. apply andb_true_iff in L as [_ L]. apply N.leb_le in L.
  assert (off : forall count found, fold_left (fun found k => compared_on_domain_step found (comparison_size (seq_length items)) (seq_at items k)
      (compared_zeta drawn) k) (range 0 count) found = false -> found = false /\ forall k, k < count ->
    on_domain (item_size (seq_at items k)) (relocated_point (comparison_size (seq_length items)) (seq_at items k) k (compared_zeta drawn)) = false).
  { clear. induction count as [| count IH] using N.peano_ind; intros found H; [split; [exact H | lia] |].
    rewrite <- N.add_1_r, range_last, fold_left_app in H by lia. cbn [fold_left] in H. unfold compared_on_domain_step at 1 in H.
    apply orb_false_iff in H as [H last]. apply IH in H as [-> H]. split; [reflexivity |]. intros k K.
    destruct (N.eq_dec k count) as [-> | N']; [exact last | apply H; lia]. }
  apply off in D as [D off']. split; auto. intros k K. apply legal, seq_at_in, K.
Qed.

(** ** The polynomials *)

(** Under the commitments of the items, B_j and R_k. *)
Record ComparisonPolynomials : Type := {
  rows_under : N -> list Scalar;
  comparison_bits_under : N -> list Scalar;
  comparison_masks_under : N -> list Scalar;
}.

Definition comparison_committed (setup : KzgSetup) (items : list ComparedRow) (shown : Comparison) (known : ComparisonPolynomials)
    (q : list Scalar) : Prop :=
  (forall k, k < seq_length items ->
    held_element (record_values (compared_record (seq_at items k))) = polynomial_element setup (rows_under known k)) /\
  (forall j, j < seq_length (comparison_bits shown) ->
    held_element (seq_at (comparison_bits shown) j) = polynomial_element setup (comparison_bits_under known j)) /\
  (forall k, k < seq_length (comparison_masks shown) ->
    held_element (seq_at (comparison_masks shown) k) = polynomial_element setup (comparison_masks_under known k)) /\
  held_element (comparison_quotient shown) = polynomial_element setup q.

Variables (bits : N) (items : list ComparedRow) (drawn : ComparisonChallenges) (shown : Comparison).
Variables (known : ComparisonPolynomials) (q : list Scalar).

Let n : N := comparison_size (seq_length items).
Let zeta : Scalar := compared_zeta drawn.
Let m : N := seq_length items.

(** κ_k ζ, and Z_k there. *)
Definition row_point (k : N) : Scalar := relocated_point n (seq_at items k) k zeta.
Definition row_vanishing (k : N) : Scalar := rows_vanishing (item_size (seq_at items k)) (row_point k).

(** Under the claims: B_j, then V_k + Z_k(κ_k ζ) R_k, then Q. *)
Definition comparison_polynomial (i : N) : list Scalar :=
  if i <? bits then comparison_bits_under known i
  else if i <? bits + m then added (rows_under known (i - bits)) (scaled (row_vanishing (i - bits)) (comparison_masks_under known (i - bits)))
  else q.

Definition compared_claim (i : N) : FoldedClaim :=
  if i <? bits then
    {| folded_commitment := held_element (seq_at (comparison_bits shown) i); folded_point := zeta;
       folded_value := scalar_at (comparison_bit_values shown) i |}
  else if i <? bits + m then
    {| folded_commitment := g1_add (held_element (record_values (compared_record (seq_at items (i - bits)))))
         (g1_scale (row_vanishing (i - bits)) (comparison_mask_at shown (i - bits)));
       folded_point := row_point (i - bits); folded_value := scalar_at (comparison_values shown) (i - bits) |}
  else
    {| folded_commitment := held_element (comparison_quotient shown); folded_point := zeta;
       folded_value := comparison_quotient_value items (compared_betas drawn) (comparison_bit_values shown) (comparison_values shown) zeta |}.

Hypothesis legal : legal_items bits items drawn shown.

Lemma comparison_claims_map : comparison_claims items drawn shown = map compared_claim (range 0 (bits + m + 1)).
Proof.
  destruct (bits_shaped _ _ _ _ legal) as [B _].
  pose (of_bit := fun j => {| folded_commitment := held_element (seq_at (comparison_bits shown) j); folded_point := zeta;
    folded_value := scalar_at (comparison_bit_values shown) j |}).
  pose (of_row := fun k => {| folded_commitment := g1_add (held_element (record_values (compared_record (seq_at items k))))
      (g1_scale (row_vanishing k) (comparison_mask_at shown k));
    folded_point := row_point k; folded_value := scalar_at (comparison_values shown) k |}).
  change (comparison_claims items drawn shown) with
    (fold_left (fun claimed k => claimed ++ [of_row k]) (range 0 m)
      (fold_left (fun claimed j => claimed ++ [of_bit j]) (range 0 (seq_length (comparison_bits shown))) []) ++
     [{| folded_commitment := held_element (comparison_quotient shown); folded_point := zeta;
         folded_value := comparison_quotient_value items (compared_betas drawn) (comparison_bit_values shown) (comparison_values shown) zeta |}]).
  rewrite !fold_range_append, B. cbn [app].
  rewrite (range_split 0 bits (bits + m + 1)), (range_split bits (bits + m) (bits + m + 1)) by lia. rewrite !map_app, <- app_assoc. f_equal; [| f_equal].
  - apply map_ext_in. intros j J. apply range_in in J. unfold compared_claim. now rewrite (proj2 (N.ltb_lt j bits)) by lia.
  - assert (shift : range bits (bits + m) = map (fun k => bits + k) (range 0 m)).
    { clear. induction m as [| c IH] using N.peano_ind; [now rewrite range_empty by lia |].
      replace (bits + N.succ c) with (bits + c + 1) by lia. rewrite <- N.add_1_r, !range_last, map_app, IH by lia. reflexivity. }
    rewrite shift, map_map. apply map_ext_in. intros k K. apply range_in in K. unfold compared_claim.
    rewrite (proj2 (N.ltb_ge (bits + k) bits)), (proj2 (N.ltb_lt (bits + k) (bits + m))) by lia. now replace (bits + k - bits) with k by lia.
  - rewrite range_last, range_empty by lia. cbn [app map]. unfold compared_claim.
    rewrite (proj2 (N.ltb_ge (bits + m) bits)), (proj2 (N.ltb_ge (bits + m) (bits + m))) by lia. reflexivity.
Qed.

Lemma comparison_claims_length : seq_length (comparison_claims items drawn shown) = bits + m + 1.
Proof. now rewrite comparison_claims_map, seq_length_map, seq_length_range. Qed.

Lemma compared_claim_at (i : N) : i < bits + m + 1 -> seq_at (comparison_claims items drawn shown) i = compared_claim i.
Proof. intros L. rewrite comparison_claims_map. now apply nth_map_range. Qed.

Lemma comparison_claims_committed (setup : KzgSetup) : comparison_committed setup items shown known q ->
  Lemmas.FoldedSound.commits_to_polynomials (comparison_claims items drawn shown) comparison_polynomial setup.
Proof.
  intros (V & B & R & Q) i L. rewrite comparison_claims_length in L. rewrite compared_claim_at by exact L.
  destruct (bits_shaped _ _ _ _ legal) as [S _]. destruct (rows_shaped _ _ _ _ legal) as [S' _].
  unfold compared_claim, comparison_polynomial. destruct (N.ltb_spec i bits) as [Li | Li]; [apply B; now rewrite S |].
  destruct (N.ltb_spec i (bits + m)) as [Lm | Lm]; [| exact Q]. cbn [folded_commitment].
  assert (K : i - bits < seq_length items) by (unfold m in Lm; lia). unfold comparison_mask_at.
  rewrite S', (proj2 (N.ltb_lt _ _) K), (V _ K), R by (now rewrite S'). apply g1_ext. unfold polynomial_element. group_exponents.
  now rewrite added_at, scaled_at.
Qed.

End Comparison.
