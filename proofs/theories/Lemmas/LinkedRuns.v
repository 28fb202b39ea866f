(** Runs of several segments: segments that continue each other are one ascending list of rows, and what a head is checked against are
    its counts and sums.

    - [linked_segments_are_a_run]: certified segments, of which each begins at the last row of the one before or above, one after the other;
    - [row_by_rank]: a row of a segment is the row of the run at the segment's rank;
    - [extent_adds_up]: numbers, ranks, rows and commitments to sums of pieces that the judge of a step accepts. *)
From Coq Require Import NArith List Bool Lia Sorted Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Table.RunRecord Table.Sheet Table.Totals Table.RunSegments.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.SheetRelations.
Import ListNotations.
Local Open Scope N_scope.

(** ** Rows *)

(** Each segment begins at the last row of the one before it, or above. *)
Fixpoint continued (segments : list (list N)) : Prop :=
  match segments with
  | [] => True
  | rows :: rest => match rest with [] => True | following :: _ => last rows 0 <= hd 0 following end /\ continued rest
  end.

(** What certificates say of each: it has rows, in ascending order, at most the cap. *)
Definition rows_certified (cap : N) (rows : list N) : Prop := rows <> [] /\ StronglySorted N.le rows /\ Forall (fun row => row <= cap) rows.

Lemma below_last (rows : list N) : StronglySorted N.le rows -> Forall (fun row => row <= last rows 0) rows.
Proof.
  induction 1 as [| row rows S IH below]; [constructor |]. destruct rows as [| next rows]; [constructor; [cbn; lia | constructor] |].
  assert (E : last (row :: next :: rows) 0 = last (next :: rows) 0) by reflexivity. rewrite E. constructor; [| exact IH].
  inversion below; subst. inversion IH; subst. lia.
Qed.

Lemma sorted_app (a b : list N) : StronglySorted N.le a -> StronglySorted N.le b -> (forall x y, In x a -> In y b -> x <= y) -> StronglySorted N.le (a ++ b).
Proof.
  intros A B C. induction A as [| x a A IH below]; [exact B |]. cbn [app]. constructor.
  - apply IH. intros y z Y Z. apply C; [now right | exact Z].
  - apply Forall_app. split; [exact below |]. apply Forall_forall. intros y Y. apply C; [now left | exact Y].
Qed.

Lemma power_sum_app (exponent : N) (a b : list N) : power_sum exponent (a ++ b) = power_sum exponent a + power_sum exponent b.
Proof. unfold power_sum. induction a as [| x a IH]; [reflexivity |]. cbn [app fold_right]. rewrite IH. lia. Qed.

Theorem linked_segments_are_a_run (cap : N) (segments : list (list N)) : Forall (rows_certified cap) segments -> continued segments ->
  StronglySorted N.le (concat segments) /\ Forall (fun row => row <= cap) (concat segments) /\
  seq_length (concat segments) = fold_right (fun rows total => seq_length rows + total) 0 segments /\
  forall exponent, power_sum exponent (concat segments) = fold_right (fun rows total => power_sum exponent rows + total) 0 segments.
Proof.
  induction segments as [| rows segments IH]; intros certified linked; [repeat split; constructor |].
  inversion certified as [| ? ? (some & ascend & capped) rest]; subst. destruct linked as [link linked]. destruct (IH rest linked) as (S & C & L & P).
  cbn [concat fold_right]. split; [| split; [| split]].
  - apply sorted_app; [exact ascend | exact S |]. intros x y X Y.
    apply N.le_trans with (last rows 0); [pose proof (below_last rows ascend) as B; rewrite Forall_forall in B; now apply B |].
    destruct segments as [| following segments]; [destruct Y |]. apply N.le_trans with (hd 0 following); [exact link |].
    inversion rest as [| ? ? (some' & _ & _) _]; subst. destruct following as [| z following]; [contradiction |]. cbn [concat app] in S, Y. cbn [hd].
    inversion S as [| ? ? _ above]; subst. destruct Y as [<- | Y]; [lia |]. rewrite Forall_forall in above. now apply above.
  - apply Forall_app. auto.
  - rewrite seq_length_app, L. reflexivity.
  - intros exponent. now rewrite power_sum_app, P.
Qed.

(** The rank of a segment is the number of rows before it. *)
Theorem row_by_rank (before : list (list N)) (rows : list N) (after : list (list N)) (i : N) : i < seq_length rows ->
  seq_at (concat (before ++ rows :: after)) (seq_length (concat before) + i) = seq_at rows i.
Proof.
  intros I. rewrite concat_app. cbn [concat]. rewrite seq_at_app_r by lia. replace (seq_length (concat before) + i - seq_length (concat before)) with i by lia.
  now rewrite seq_at_app_l.
Qed.

(** ** Heads *)

Section Extent.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Definition rows_of_pieces (pieces : list RunPiece) : N := fold_right (fun piece total => record_rows (piece_record piece) + total) 0 pieces.
(** The sum of the commitments to the sums of the powers p + 1, as an exponent. *)
Definition sums_of_pieces (p : N) (pieces : list RunPiece) : Scalar :=
  fold_right (fun piece total => g1_exponent (held_element (seq_at (record_sums (piece_record piece)) p)) [+] total) (scalar_of_N 0) pieces.

Lemma points_added_at (before : list G1) (added : list TablePoint) (p : N) : p < seq_length added ->
  g1_at (points_added before added) p = g1_add (g1_at before p) (held_element (seq_at added p)).
Proof.
  intros L. unfold points_added, points_added_step.
  rewrite (fold_range_append (fun i => g1_add (g1_at before i) (held_element (seq_at added i))) 0 _ []). cbn [app]. now rewrite g1_at_map.
Qed.

Lemma extent_stays_faulty (moments : N) (pieces : list RunPiece) (fault : StepFault) :
  fold_left (fun found piece => extent_with_pieces_step found moments piece) pieces (Err fault) = Err fault.
Proof. induction pieces as [| piece pieces IH]; [reflexivity | exact IH]. Qed.

(** Pieces that extend a run are legal records. *)
Lemma extent_pieces_legal (before extent : RunExtent) (moments : N) (put : list RunPiece) : extent_with_pieces before moments put = Ok extent ->
  Forall (fun piece => run_record_legal (piece_record piece) moments = true) put.
Proof.
  unfold extent_with_pieces. rewrite (fold_range_elements (fun found piece => extent_with_pieces_step found moments piece)).
  revert before. induction put as [| first put IH]; intros before E; [constructor |]. cbn [fold_left] in E. unfold extent_with_pieces_step at 2 in E.
  destruct (run_record_legal (piece_record first) moments) eqn:legal; cbn [negb] in E; [| now rewrite extent_stays_faulty in E].
  destruct (negb _) in E; [now rewrite extent_stays_faulty in E |]. destruct (negb _) in E; [now rewrite extent_stays_faulty in E |].
  constructor; [exact legal | exact (IH _ E)].
Qed.

Lemma elements_equal_at (elements : list G1) (points : list TablePoint) : elements_equal elements points = true ->
  forall p, p < seq_length points -> g1_at elements p = held_element (seq_at points p).
Proof.
  intros E. unfold elements_equal in E.
  assert (general : forall count start, fold_left (fun equal i => elements_equal_step equal elements points i) (range 0 count) start = true ->
    start = true /\ forall p, p < count -> g1_at elements p = held_element (seq_at points p)).
  { induction count as [| count IH] using N.peano_ind; intros start H; [split; [exact H | lia] |].
    rewrite <- N.add_1_r, range_last, fold_left_app in H by lia. cbn [fold_left] in H. unfold elements_equal_step at 1 in H.
    rewrite !andb_true_iff in H. destruct H as ((H & _) & same). apply g1_equal_iff in same. destruct (IH start H) as [S each]. split; [exact S |].
    intros p L. destruct (N.eq_dec p count) as [-> | D]; [exact same | apply each; lia]. }
  exact (proj2 (general _ _ E)).
Qed.

Theorem extent_adds_up (before extent : RunExtent) (moments : N) (put : list RunPiece) : extent_with_pieces before moments put = Ok extent ->
  extent_segments extent = extent_segments before + seq_length put /\ extent_rows extent = extent_rows before + rows_of_pieces put /\
  (forall p, p < moments -> g1_exponent (g1_at (extent_sums extent) p) = g1_exponent (g1_at (extent_sums before) p) [+] sums_of_pieces p put) /\
  forall earlier piece later, put = earlier ++ piece :: later ->
    piece_number piece = extent_segments before + seq_length earlier /\ piece_rank piece = extent_rows before + rows_of_pieces earlier.
Proof.
  unfold extent_with_pieces. rewrite (fold_range_elements (fun found piece => extent_with_pieces_step found moments piece)).
  revert before. induction put as [| first put IH]; intros before E.
  - injection E as <-. cbn [rows_of_pieces sums_of_pieces fold_right]. rewrite seq_length_nil, !N.add_0_r. split; [reflexivity |]. split; [reflexivity |].
    split; [intros p _; ring |]. intros [| ? ?] ? ? H; discriminate.
  - cbn [fold_left] in E. unfold extent_with_pieces_step at 2 in E. destruct (run_record_legal (piece_record first) moments) eqn:legal; cbn [negb] in E; [| now rewrite extent_stays_faulty in E].
    destruct (N.eqb_spec (piece_number first) (extent_segments before)) as [number |]; cbn [negb] in E; [| now rewrite extent_stays_faulty in E].
    destruct (N.eqb_spec (piece_rank first) (extent_rows before)) as [rank |]; cbn [negb] in E; [| now rewrite extent_stays_faulty in E].
    apply IH in E as (S & R & P & each). cbn [extent_segments extent_rows extent_sums] in S, R, P, each.
    rewrite seq_length_cons. cbn [rows_of_pieces sums_of_pieces fold_right]. fold (rows_of_pieces put).
    split; [lia |]. split; [lia |]. split.
    + intros p L. fold (sums_of_pieces p put). rewrite (P p L), points_added_at.
      * group_exponents. ring.
      * unfold run_record_legal in legal. cbv zeta in legal. repeat (apply andb_true_iff in legal; destruct legal as [legal ?]).
        repeat match goal with H : (_ =? _) = true |- _ => apply N.eqb_eq in H end. congruence.
    + intros earlier piece later H. destruct earlier as [| e earlier]; cbn [app] in H; injection H as -> H.
      * cbn [rows_of_pieces fold_right]. rewrite seq_length_nil. lia.
      * destruct (each earlier piece later H) as [A B]. rewrite seq_length_cons. cbn [rows_of_pieces fold_right]. fold (rows_of_pieces earlier). lia.
Qed.

End Extent.
