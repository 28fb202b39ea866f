(** What the cut of an accepted answer says of certified rows.

    - [compared_rows_shape]: each compared row is one of a run, before its split or behind it;
    - [with_comparisons_parts]: the claims of a cut are those of its ends, then those of each comparison;
    - [order_meant]: where all are true, and the challenges of no comparison are counted, the cut is what is asked for. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.Opening Commitment.Scheme
  Commitment.FoldedOpening Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate Table.Comparison Table.CutGoal Table.Cut Table.TableQuery
  Table.TableKey Table.Totals Table.TableAnswer Table.TableAnswerOrder.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials Lemmas.PolynomialRoots
  Spec.Commitment.FoldedOpening Lemmas.FoldedSound Lemmas.SheetRelations Spec.Table.Comparison Lemmas.ComparisonSound Spec.Table.Cut Spec.Table.Totals
  Spec.Table.TableAnswerVerifier Lemmas.TableAnswerSound.
From Aardvark Require Lemmas.Sequences Lemmas.OrderStatistics Spec.Table.Sheet.
Import ListNotations.
Local Open Scope N_scope.

Section Order.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** The records of runs. *)
Definition records_of_runs (runs : list BoxRun) : list RunRecord := map record_of runs.

(** ** Compared rows *)

Lemma compared_rows_shape : forall records splits sides item, In item (compared_rows records splits sides) ->
  exists k, k < seq_length records /\ k < seq_length splits /\
    ((1 <= seq_at splits k /\ item = low_compared records splits sides k) \/
     (seq_at splits k < record_rows (seq_at records k) /\ item = high_compared records splits sides k)).
Proof.
  intros records splits sides item. unfold compared_rows.
  apply (loop_invariant _ (fun i rows => In item rows -> exists k, k < i /\ k < seq_length splits /\
    ((1 <= seq_at splits k /\ item = low_compared records splits sides k) \/
     (seq_at splits k < record_rows (seq_at records k) /\ item = high_compared records splits sides k)))); [lia|intros []|].
  intros i rows Hi IH I. unfold compared_rows_step in I.
  assert (old : In item rows -> exists k, k < i + 1 /\ k < seq_length splits /\
    ((1 <= seq_at splits k /\ item = low_compared records splits sides k) \/
     (seq_at splits k < record_rows (seq_at records k) /\ item = high_compared records splits sides k))).
  { intros J. destruct (IH J) as (k & K & rest). exists k. split; [lia|exact rest]. }
  destruct (N.ltb_spec i (seq_length splits)) as [Li|]; [|auto]. cbv zeta in I.
  set (with_low := if (1 <=? seq_at splits i) && _ then _ else rows) in I.
  assert (low : In item with_low -> exists k, k < i + 1 /\ k < seq_length splits /\
    ((1 <= seq_at splits k /\ item = low_compared records splits sides k) \/
     (seq_at splits k < record_rows (seq_at records k) /\ item = high_compared records splits sides k))).
  { unfold with_low. destruct (N.leb_spec 1 (seq_at splits i)); cbn [andb]; [|exact old].
    destruct (negb (i =? side_opened sides)); [|exact old].
    unfold with_compared_row. intros J. apply in_app_iff in J. destruct J as [J|[<-|[]]]; [auto|].
    exists i. split; [lia|]. split; [exact Li|]. left. auto. }
  destruct (N.ltb_spec (seq_at splits i) (record_rows (seq_at records i))); cbn [andb] in I; [|auto].
  destruct (negb (i =? side_implied sides)); [|auto].
  unfold with_compared_row in I. apply in_app_iff in I. destruct I as [I|[<-|[]]]; [auto|].
  exists i. split; [lia|]. split; [exact Li|]. right. auto.
Qed.

(** A compared row is a row of its run. *)
Definition row_of_run (records : list RunRecord) (item : ComparedRow) : Prop :=
  compared_run item < seq_length records /\ compared_record item = seq_at records (compared_run item) /\
  exists i, i < record_rows (compared_record item) /\ compared_position item = record_first (compared_record item) + i.

Lemma cut_rows_of_runs : forall records cap goal stated work, work_of_cut records cap goal stated = Some work ->
  Forall (row_of_run records) (work_rows work).
Proof.
  intros records cap goal stated work H. unfold work_of_cut in H. destruct (splits_fit records (cut_splits stated)) eqn:fits; cbn [negb] in H; [|discriminate].
  apply splits_fit_each in fits as [L fit].
  assert (G : forall sides, Forall (row_of_run records) (compared_rows records (cut_splits stated) sides)).
  { intros sides. apply Forall_forall. intros item I. apply compared_rows_shape in I as (k & K & Ks & [[S ->] | [S ->]]); specialize (fit k K).
    - split; [exact K|]. split; [reflexivity|]. exists (seq_at (cut_splits stated) k - 1). cbn. split; [lia|reflexivity].
    - split; [exact K|]. split; [reflexivity|]. exists (seq_at (cut_splits stated) k). cbn. split; [exact S|reflexivity]. }
  destruct (cut_low stated) as [low|].
  - destruct goal as [|rank|rank|]; try discriminate.
    + unfold work_at_rank in H. destruct (cut_high stated); [discriminate|]. destruct (_ && _); [|discriminate]. injection H as <-. apply G.
    + unfold work_around_rank in H. destruct (cut_high stated); [|discriminate]. destruct (_ && _ && _); [|discriminate]. injection H as <-. apply G.
  - destruct (cut_high stated); [discriminate|]. destruct goal as [| | |number]; try discriminate. unfold work_below_number in H. cbv zeta in H.
    destruct (number <? 1); [destruct (_ =? _); [injection H as <-; constructor|discriminate]|].
    destruct (cap <? number); [destruct (_ =? _); [injection H as <-; constructor|discriminate]|]. injection H as <-. apply G.
Qed.

Lemma rows_of_comparison_in : forall rows i item, In item (rows_of_comparison rows i) -> In item rows.
Proof.
  intros rows i item. unfold rows_of_comparison. cbv zeta. destruct (_ <? _); [|intros []]. unfold seq_slice. intros I.
  rewrite <- (firstn_skipn (N.to_nat (i * MAX_COMPARED)) rows). apply in_app_iff. right.
  set (behind := skipn _ rows) in *. set (count := N.to_nat _) in I. rewrite <- (firstn_skipn count behind). apply in_app_iff. now left.
Qed.

(** Each compared row is in one of the comparisons that are asked for. *)
Lemma rows_of_comparison_all : forall rows item, In item rows ->
  exists i, i < comparison_count (seq_length rows) /\ In item (rows_of_comparison rows i).
Proof.
  intros rows item I. destruct (in_seq_at _ _ _ _ I) as (j & J & <-). exists (j / MAX_COMPARED). unfold comparison_count, rows_of_comparison, MAX_COMPARED. cbv zeta.
  pose proof (N.div_mod j 1022 ltac:(lia)) as D. pose proof (N.mod_lt j 1022 ltac:(lia)) as M. set (i := j / 1022) in *. set (m := j mod 1022) in *.
  split.
  - enough (i + 1 <= (seq_length rows + (1022 - 1)) / 1022) by lia. apply N.div_le_lower_bound; lia.
  - rewrite (proj2 (N.ltb_lt (i * 1022) (seq_length rows))) by lia. set (count := if _ <? 1022 then _ else 1022).
    assert (C : m < count) by (unfold count; destruct (N.ltb_spec (seq_length rows - i * 1022) 1022); lia).
    assert (C' : i * 1022 + count <= seq_length rows) by (unfold count; destruct (N.ltb_spec (seq_length rows - i * 1022) 1022); lia).
    replace (seq_at rows j) with (seq_at (seq_slice rows (i * 1022) count) m) by (rewrite seq_at_slice by exact C; f_equal; lia).
    apply seq_at_in. rewrite seq_length_slice by exact C'. exact C.
Qed.

(** ** Claims *)

(** The challenges of comparison i, as the answer's seed draws them. *)
Definition comparison_drawn (bits : N) (seed : ByteString) (rows : list ComparedRow) (i : N) (shown : Comparison) : ComparisonChallenges :=
  let s1 := comparison_bits_seed (comparison_seed seed i rows) shown in
  comparison_challenges bits s1 (comparison_quotient_seed s1 shown).

Definition comparison_shown (received : list (option Comparison)) (i : N) : Comparison :=
  match seq_at received i with Some shown => shown | None => default end.

Definition comparison_claims_of (bits : N) (seed : ByteString) (rows : list ComparedRow) (received : list (option Comparison)) (i : N) : list FoldedClaim :=
  let items := rows_of_comparison rows i in
  comparison_claims items (comparison_drawn bits seed items i (comparison_shown received i)) (comparison_shown received i).

Lemma with_comparisons_parts : forall before bits seed rows received found, with_comparisons before bits seed rows received = Ok found ->
  claims_stated found = claims_stated before ++ flat_map (comparison_claims_of bits seed rows received) (range 0 (seq_length received)) /\
  forall i, i < seq_length received -> seq_at received i = Some (comparison_shown received i) /\
    claims_of_comparison bits (rows_of_comparison rows i) (comparison_drawn bits seed (rows_of_comparison rows i) i (comparison_shown received i))
      (comparison_shown received i) = Ok (comparison_claims_of bits seed rows received i).
Proof.
  intros before bits seed rows received found E. unfold with_comparisons in E.
  set (upto := fun count => fold_left (fun found i => with_comparisons_step found bits seed rows (seq_at received i) i) (range 0 count) (Ok before)).
  assert (G : forall count, match upto count with
    | Ok found => claims_stated found = claims_stated before ++ flat_map (comparison_claims_of bits seed rows received) (range 0 count) /\
        forall i, i < count -> seq_at received i = Some (comparison_shown received i) /\
          claims_of_comparison bits (rows_of_comparison rows i) (comparison_drawn bits seed (rows_of_comparison rows i) i (comparison_shown received i))
            (comparison_shown received i) = Ok (comparison_claims_of bits seed rows received i)
    | Err _ => True end).
  { induction count as [|count IH] using N.peano_ind; [cbn; rewrite app_nil_r; split; [reflexivity|]; lia|]. unfold upto in *.
    rewrite <- N.add_1_r, range_snoc, fold_left_app by lia. cbn [fold_left]. destruct (fold_left _ (range 0 count) _) as [shown_so_far|]; [|exact I].
    destruct IH as [IH each]. cbn [with_comparisons_step]. destruct (seq_at received count) as [shown|] eqn:R; [|exact I].
    unfold with_comparison. cbv zeta. set (items := rows_of_comparison rows count).
    assert (S : comparison_shown received count = shown) by (unfold comparison_shown; now rewrite R).
    destruct (claims_of_comparison bits items _ shown) as [claimed|[| |]] eqn:C; try exact I. cbn [claims_stated].
    assert (same : claimed = comparison_claims_of bits seed rows received count).
    { pose proof C as C'. apply claims_of_comparison_parts in C' as [_ ->]. unfold comparison_claims_of. now rewrite S. }
    split.
    - rewrite IH, flat_map_app, <- app_assoc. cbn [flat_map]. now rewrite app_nil_r, <- same.
    - intros i Li. destruct (N.eq_dec i count) as [->|D]; [|apply each; lia]. rewrite S. split; [exact R|]. rewrite <- same. exact C. }
  specialize (G (seq_length received)). unfold upto in G. rewrite E in G. exact G.
Qed.

(** ** What is known under the points, and what the claims say *)

Lemma forall2_append {A B : Type} (P : A -> B -> Prop) (a b : list A) (c d : list B) : length a = length c ->
  Forall2 P (a ++ b) (c ++ d) -> Forall2 P a c /\ Forall2 P b d.
Proof.
  revert c. induction a as [|x a IH]; intros [|y c] L E; try discriminate; [split; [constructor|exact E]|]. cbn [app] in E.
  inversion E as [|? ? ? ? X Y]; subst. destruct (IH c ltac:(cbn in L; lia) Y) as [G H]. split; [now constructor|exact H].
Qed.

Lemma forall2_flat {A B : Type} (P : A -> B -> Prop) (f : N -> list A) (g : N -> list B) (l : list N) : (forall i, In i l -> length (f i) = length (g i)) ->
  Forall2 P (flat_map f l) (flat_map g l) -> forall i, In i l -> Forall2 P (f i) (g i).
Proof.
  induction l as [|x l IH]; intros L E i I; [destruct I|]. cbn [flat_map] in E. apply forall2_append in E; [|apply L; now left]. destruct E as [X Y].
  destruct I as [<-|I]; [exact X|]. apply IH; [intros j J; apply L; now right|exact Y|exact I].
Qed.

Lemma flat_forall2 {A B : Type} (P : A -> B -> Prop) (f : N -> list A) (g : N -> list B) (l : list N) : (forall i, In i l -> Forall2 P (f i) (g i)) ->
  Forall2 P (flat_map f l) (flat_map g l).
Proof.
  induction l as [|x l IH]; intros E; [constructor|]. cbn [flat_map]. apply Forall2_app; [apply E; now left|]. apply IH. intros i I. apply E. now right.
Qed.

Variables (kzg : KzgSetup) (known : BoxRun -> KnownRun) (cap moments bits : N) (runs : list BoxRun).
Hypothesis certified : Forall (run_certified kzg known cap moments) runs.
Hypothesis inside : Forall (fun run => record_first (record_of run) + record_rows (record_of run)
  <= guard_position (sheet_size (record_log (record_of run)))) runs.
Hypothesis cap_few : cap < 2 ^ 64.
Hypothesis bits_few : bits <= 64.
Hypothesis differ : numbers_differ (2 ^ 232).
Let records : list RunRecord := records_of_runs runs.
Let rows (k : N) : list N := run_rows (known (seq_at runs k)).

Lemma records_length : seq_length records = seq_length runs.
Proof. apply Sequences.seq_length_map. Qed.

Lemma record_at (k : N) : k < seq_length runs -> seq_at records k = record_of (seq_at runs k).
Proof.
  intros K. unfold records, records_of_runs, seq_at, seq_length in *. rewrite (nth_indep _ default (record_of default)) by (rewrite map_length; lia). apply map_nth.
Qed.

Lemma run_at (k : N) : k < seq_length runs -> run_certified kzg known cap moments (seq_at runs k) /\
  record_first (record_of (seq_at runs k)) + record_rows (record_of (seq_at runs k)) <= guard_position (sheet_size (record_log (record_of (seq_at runs k)))).
Proof. intros K. pose proof (seq_at_in _ _ runs k K) as I. pose proof certified as C. pose proof inside as J. rewrite Forall_forall in C, J. auto. Qed.

(** Rows of certified runs, at their positions. *)
Lemma row_value_at (k i : N) : k < seq_length runs -> i < record_rows (record_of (seq_at runs k)) ->
  polynomial_at (run_values (known (seq_at runs k))) (domain_point (sheet_size (record_log (record_of (seq_at runs k)))) (record_first (record_of (seq_at runs k)) + i))
  = scalar_of_N (seq_at (rows k) i) /\ seq_at (rows k) i <= cap.
Proof.
  intros K I. destruct (run_at k K) as ((_ & _ & L & S) & G). split.
  - pose proof (values_are_rows _ _ _ _ _ _ _ S (record_first (record_of (seq_at runs k)) + i) ltac:(lia)) as E. cbv beta in E. rewrite E.
    unfold row_at. rewrite L, (proj2 (N.leb_le _ _)), (proj2 (N.ltb_lt _ _)) by lia. cbn [andb]. do 2 f_equal. lia.
  - pose proof (rows_capped _ _ _ _ _ _ _ S) as C. rewrite Forall_forall in C. apply C, seq_at_in. unfold rows. rewrite L. exact I.
Qed.

Lemma row_claim_known (k i value : N) : k < seq_length runs -> i < record_rows (record_of (seq_at runs k)) -> value <= cap ->
  folded_commitment (row_claim (seq_at records k) i value) = polynomial_element kzg (run_values (known (seq_at runs k))) /\
  (polynomial_at (run_values (known (seq_at runs k))) (folded_point (row_claim (seq_at records k) i value)) = folded_value (row_claim (seq_at records k) i value) ->
   seq_at (rows k) i = value).
Proof.
  intros K I V. rewrite record_at by exact K. destruct (run_at k K) as ((E & _) & _). split; [exact E|]. cbn [row_claim folded_point folded_value].
  destruct (row_value_at k i K I) as [R C]. rewrite R. intros T. apply differ; [| |exact T]; eapply N.le_lt_trans; [exact C| |exact V|]; (eapply N.lt_trans; [exact cap_few|reflexivity]).
Qed.

(** *** The ends *)

Definition ends_under (stated : TableCut) : list (list Scalar) :=
  match cut_low stated with Some low => [run_values (known (seq_at runs (end_run low)))] | None => [] end ++
  match cut_high stated with Some high => [run_values (known (seq_at runs (end_run high)))] | None => [] end.

Lemma ends_meant (goal : CutGoal) (stated : TableCut) (work : CutWork) : work_of_cut records cap goal stated = Some work ->
  claims_known kzg (work_claims work) (ends_under stated) /\ (claims_true (work_claims work) (ends_under stated) -> ends_true rows stated).
Proof.
  intros H. pose proof H as W. unfold work_of_cut in H. destruct (splits_fit records (cut_splits stated)) eqn:fits; cbn [negb] in H; [|discriminate].
  apply splits_fit_each in fits as [L fit]. unfold ends_under, ends_true. destruct (cut_low stated) as [low|] eqn:low_is.
  - assert (legal : low_end_legal (cut_splits stated) cap low = true /\
      (forall high, cut_high stated = Some high -> high_end_legal records (cut_splits stated) cap high = true) /\
      exists rank, goal = CutGoal_AtRank rank \/ goal = CutGoal_AroundRank rank).
    { destruct goal as [|rank|rank|]; try discriminate.
      - unfold work_at_rank in H. destruct (cut_high stated); [discriminate|]. destruct (_ && _) eqn:E; [|discriminate]. apply andb_true_iff in E as [_ E].
        split; [exact E|]. split; [discriminate|]. exists rank. now left.
      - unfold work_around_rank in H. destruct (cut_high stated) as [high|]; [|discriminate]. cbv zeta in H. destruct (_ && _ && _) eqn:E; [|discriminate].
        apply andb_true_iff in E as [E _]. apply andb_true_iff in E as [_ E]. apply andb_true_iff in E as [E1 E2]. split; [exact E1|].
        split; [intros other X; now injection X as <-|]. exists rank. now right. }
    destruct legal as (low_legal & high_legal & rank & goal_is).
    assert (claims : work_claims work = row_claim (seq_at records (end_run low)) (seq_at (cut_splits stated) (end_run low) - 1) (end_value low) ::
      match cut_high stated with
      | Some high => [row_claim (seq_at records (end_run high)) (seq_at (cut_splits stated) (end_run high)) (end_value high)]
      | None => []
      end).
    { apply (opened_ends records cap stated work rank low low_is). destruct goal_is as [-> | ->]; [now left|now right]. }
    rewrite claims. unfold low_end_legal in low_legal. destruct (N.ltb_spec (end_run low) (seq_length (cut_splits stated))) as [Kl|]; [|discriminate].
    apply andb_true_iff in low_legal as [Sl Vl]. apply N.leb_le in Sl, Vl. rewrite L in Kl. pose proof (fit _ Kl) as Fl. rewrite records_length in Kl.
    rewrite record_at in Fl by exact Kl.
    destruct (row_claim_known (end_run low) (seq_at (cut_splits stated) (end_run low) - 1) (end_value low) Kl ltac:(lia) Vl) as [C1 T1].
    destruct (cut_high stated) as [high|].
    + specialize (high_legal high eq_refl). unfold high_end_legal in high_legal. destruct (_ && _) eqn:Eh in high_legal; [|discriminate].
      apply andb_true_iff in Eh as [_ Kh]. apply N.ltb_lt in Kh. apply andb_true_iff in high_legal as [Sh Vh]. apply N.ltb_lt in Sh. apply N.leb_le in Vh.
      rewrite records_length in Kh. rewrite record_at in Sh by exact Kh.
      destruct (row_claim_known (end_run high) (seq_at (cut_splits stated) (end_run high)) (end_value high) Kh Sh Vh) as [C2 T2]. split.
      * constructor; [exact C1|]. constructor; [exact C2|constructor].
      * intros T. inversion T as [|? ? ? ? X Y]; subst. inversion Y as [|? ? ? ? Z _]; subst. split; intros end' E; injection E as <-; auto.
    + split; [constructor; [exact C1|constructor]|]. intros T. inversion T as [|? ? ? ? X _]; subst. split; intros end' E; [injection E as <-; auto|discriminate].
  - destruct (cut_high stated); [discriminate|]. destruct goal as [| | |number]; try discriminate. unfold work_below_number in H. cbv zeta in H.
    assert (none : work_claims work = []).
    { destruct (number <? 1); [destruct (_ =? _); [now injection H as <-|discriminate]|].
      destruct (cap <? number); [destruct (_ =? _); [now injection H as <-|discriminate]|]. now injection H as <-. }
    rewrite none. split; [constructor|]. intros _. split; discriminate.
Qed.

(** *** The comparisons *)

(** What is known under the points of a comparison. *)
Record ComparisonKnown : Type := {
  bits_known : N -> list Scalar;
  masks_known : N -> list Scalar;
  quotient_known : list Scalar;
}.

Definition comparison_under (items : list ComparedRow) (points : ComparisonKnown) : ComparisonPolynomials :=
  {| rows_under := fun k => run_values (known (seq_at runs (compared_run (seq_at items k))));
     comparison_bits_under := bits_known points; comparison_masks_under := masks_known points |}.

Definition points_known (shown : Comparison) (points : ComparisonKnown) : Prop :=
  (forall j, j < seq_length (comparison_bits shown) -> held_element (seq_at (comparison_bits shown) j) = polynomial_element kzg (bits_known points j)) /\
  (forall k, k < seq_length (comparison_masks shown) -> held_element (seq_at (comparison_masks shown) k) = polynomial_element kzg (masks_known points k)) /\
  held_element (comparison_quotient shown) = polynomial_element kzg (quotient_known points).

Variables (seed : ByteString) (compared : list ComparedRow) (received : list (option Comparison)) (points : N -> ComparisonKnown).
Hypothesis of_runs : Forall (row_of_run records) compared.
Let items (i : N) : list ComparedRow := rows_of_comparison compared i.
Let drawn (i : N) : ComparisonChallenges := comparison_drawn bits seed (items i) i (comparison_shown received i).

Definition comparison_polynomials (i : N) : list (list Scalar) :=
  map (comparison_polynomial bits (items i) (drawn i) (comparison_under (items i) (points i)) (quotient_known (points i)))
    (range 0 (seq_length (comparison_claims_of bits seed compared received i))).

(** The challenges of comparison i are among the few that are counted (Comparisons.v). *)
Definition comparison_broken (i : N) : Prop :=
  comparison_counted bits (items i) (comparison_under (items i) (points i)) (drawn i) (quotient_known (points i)) = true.

Lemma item_of_run (i k : N) : k < seq_length (items i) -> row_of_run records (seq_at (items i) k).
Proof.
  intros K. pose proof of_runs as O. rewrite Forall_forall in O. apply O. apply (rows_of_comparison_in compared i), seq_at_in. exact K.
Qed.

Section One.

Variable i : N.
Hypothesis known_points : points_known (comparison_shown received i) (points i).
Hypothesis claimed : claims_of_comparison bits (items i) (drawn i) (comparison_shown received i) = Ok (comparison_claims_of bits seed compared received i).

Lemma comparison_known : claims_known kzg (comparison_claims_of bits seed compared received i) (comparison_polynomials i).
Proof.
  apply forall2_places. unfold comparison_polynomials. rewrite Sequences.seq_length_map, Sequences.seq_length_range. split; [reflexivity|]. intros j J.
  rewrite (Sequences.nth_map_range _ _ j J). pose proof claimed as C. apply claims_of_comparison_parts in C as [legal _].
  destruct known_points as (B & M & Q). unfold comparison_claims_of in *. fold (items i) in *. fold (drawn i) in *.
  apply (Aardvark.Spec.Table.Comparison.comparison_claims_committed bits (items i) (drawn i) (comparison_shown received i)
    (comparison_under (items i) (points i)) (quotient_known (points i)) legal kzg); [|exact J].
  split; [|split; [exact B|split; [exact M|exact Q]]]. intros k K. destruct (item_of_run i k K) as (R & E & _). rewrite E.
  rewrite records_length in R. rewrite record_at by exact R. destruct (run_at _ R) as ((V & _) & _). exact V.
Qed.

Lemma comparison_meant : claims_true (comparison_claims_of bits seed compared received i) (comparison_polynomials i) ->
  comparison_broken i \/ forall item, In item (items i) -> item_true rows item.
Proof.
  intros T. unfold comparison_broken.
  destruct (comparison_counted bits (items i) (comparison_under (items i) (points i)) (drawn i) (quotient_known (points i))) eqn:fine; [now left|right].
  pose proof claimed as C. apply claims_of_comparison_parts in C as [legal _]. intros item I. destruct (in_seq_at _ _ _ _ I) as (k & K & <-).
  apply forall2_places in T as [_ T]. unfold comparison_polynomials in T.
  set (idx := fun k => compared_position (seq_at (items i) k) - record_first (compared_record (seq_at (items i) k))).
  set (row := fun k => seq_at (rows (compared_run (seq_at (items i) k))) (idx k)).
  assert (R : forall k, k < seq_length (items i) ->
    compared_row_value (items i) (comparison_under (items i) (points i)) k = scalar_of_N (row k) /\ row k <= cap).
  { intros k' K'. destruct (item_of_run i k' K') as (R & E & j & J & P). unfold compared_row_value, compared_place, row, idx.
    cbn [comparison_under rows_under]. rewrite P. rewrite E in *. rewrite records_length in R. rewrite record_at in * by exact R.
    replace (record_first (record_of (seq_at runs (compared_run (seq_at (items i) k')))) + j - record_first (record_of (seq_at runs (compared_run (seq_at (items i) k')))))
      with j by lia. destruct (row_value_at _ j R J) as [V W]. split; [|exact W]. rewrite <- V. do 2 f_equal.
    unfold item_size, item_log. now rewrite E. }
  assert (smaller : numbers_differ (2 ^ 128)).
  { intros x y X Y. apply differ; eapply N.lt_trans; [exact X|reflexivity|exact Y|reflexivity]. }
  pose proof (compared_rows_ordered bits (items i) (comparison_under (items i) (points i)) (drawn i) (comparison_shown received i)
    (quotient_known (points i)) legal) as ordered.
  unfold item_true. fold (idx k). fold (row k). apply (ordered) with (rows := row); try assumption.
  - intros j J. unfold comparison_claims_of in T. fold (items i) in T. fold (drawn i) in T.
    rewrite (comparison_claims_length bits (items i) (drawn i) (comparison_shown received i) legal) in T. specialize (T j ltac:(lia)).
    rewrite (Sequences.nth_map_range _ _ j) in T by lia. unfold claim_error. rewrite T. apply scalar_sub_zero. reflexivity.
  - destruct (R k K) as [_ W]. eapply N.le_lt_trans; [exact W|exact cap_few].
  - apply (R k K).
Qed.

End One.

End Order.
