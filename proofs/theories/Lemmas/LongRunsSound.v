(** Runs of several segments whose segments are certified: their rows are one ascending list, of which a head shows the number and the
    totals, and the segments that an answer shows are parts.

    - [long_run_certified], [long_run_stands]: what is asked of a run: its segments are certified and continue each other, and are what its
      head was checked against; and they are those that stand in the map;
    - [long_rows_are_a_run]: then their rows are in ascending order, at most the cap, and as many as the head says;
    - [whole_run_totalled]: and the head's totals are theirs;
    - [shown_pieces_are_segments], [piece_rows]: a piece that an answer shows is the segment with its number, and its rows are those of the run
      from its rank on. *)
From Coq Require Import NArith List Bool Sorted Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Dictionary.Slot Dictionary.SlotMap Dictionary.Array
  Commitment.Kzg Commitment.FoldedOpening Table.DomainValues Table.RunRecord Table.Sheet Table.TableKey Table.Totals Table.RunSegments
  Table.LongRuns.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.WellFormed Lemmas.Field Spec.Base.Bytes Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Lemmas.PolynomialRoots Spec.Commitment.FoldedOpening Lemmas.FoldedSound Lemmas.SheetRelations Lemmas.Totals Lemmas.LinkedRuns Spec.Table.Totals
  Spec.Table.TableAnswerVerifier Spec.Table.LongRuns Lemmas.TableHeads Lemmas.TableAnswerSound.
From Aardvark Require Lemmas.Sequences Spec.Table.Sheet Safety.TablesSafe.
Import ListNotations.
Local Open Scope N_scope.

Section Runs.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** ** Bytes of segments *)

(** The points of a record stand beside their own encodings. *)
Definition record_decoded (decode : ByteString -> G1) (record : RunRecord) : Prop :=
  point_fits decode (record_values record) /\ Forall (point_fits decode) (record_sums record).

Lemma legal_record : forall record moments, run_record_legal record moments = true ->
  record_log record <= 11 /\ 1 <= record_rows record /\ record_rows record <= 2048 /\
  record_first record + record_rows record <= guard_position (sheet_size (record_log record)) /\
  record_first record <= 2048 /\ seq_length (record_sums record) = moments /\ seq_length (record_root record) = 32.
Proof.
  intros r moments L. unfold run_record_legal in L. rewrite !andb_true_iff, !N.leb_le, !N.eqb_eq in L. destruct L as ((((A & B) & M) & R) & P).
  unfold is_some_place in P. destruct (layout_after 1 (record_log r) r) as [after|] eqn:E; [|discriminate].
  apply Spec.Table.Sheet.layout_after_iff in E as (_ & some & _ & G & _).
  unfold max_sheet_log, MAX_SHEET_LOG in B. assert (L : record_log r <= 11) by (destruct (moments <=? 2); lia).
  pose proof (proj2 (proj2 (Safety.TablesSafe.sheet_sizes _ L))) as size. pose proof (Spec.Table.Sheet.guard_below_size (sheet_size (record_log r))).
  repeat split; (assumption || lia).
Qed.

Lemma legal_record_fits : forall decode moments record, run_record_legal record moments = true -> record_decoded decode record ->
  record_fits decode moments record.
Proof.
  intros decode moments record L [V S]. apply legal_record in L as (A1 & _ & A2 & _ & A3 & A4 & A5). unfold record_fits.
  change (2 ^ 8) with 256. change (2 ^ 16) with 65536. repeat split; (exact A4 || exact A5 || exact S || apply V || lia).
Qed.

(** ** Certified runs *)

(** A segment of a run as the map has it, with what is known under its record, and its rows. *)
Record KnownSegment : Type := {
  segment_piece : RunPiece;
  segment_under : KnownRun;
}.

#[global] Instance Default_KnownSegment : Default KnownSegment :=
  {| segment_piece := default; segment_under := {| run_values := []; run_sums := fun _ => []; run_rows := [] |} |}.

Variable kzg : KzgSetup.
Variable decode : ByteString -> G1.
Variable a : Array.

(** The segments of the run at a place. *)
Variable known : RunPlace -> list KnownSegment.

Definition segment_rows (segment : KnownSegment) : list N := run_rows (segment_under segment).

(** The rows of a run. *)
Definition rows_of_long_run (run : LongRun) : list N := concat (map segment_rows (known (long_place run))).

(** The first segment is in the head; each is certified, and its first row is at least the last one of the segment before
    (LinkedCertificates.v); and the head is what they add up to, which everybody checks who decides on a step of a run. *)
Definition long_run_certified (cap moments : N) (run : LongRun) : Prop :=
  let segments := known (long_place run) in
  exists further, map segment_piece segments = first_piece (long_head run) :: further /\
    check_extent (extent_of_first (long_head run)) moments further (long_head run) = Ok tt /\
    Forall (fun segment => record_certified kzg cap moments (piece_record (segment_piece segment)) (segment_under segment)) segments /\
    continued (map segment_rows segments).

(** The segments behind the first stand in the map under their keys. *)
Definition long_run_stands (run : LongRun) : Prop :=
  Forall (fun piece => record_decoded decode (piece_record piece) /\ map_of a (segment_key run (piece_number piece)) = Some (encode_run_piece piece))
    (tl (map segment_piece (known (long_place run)))).

(** The pieces that are shown are segments of the run. *)
Definition pieces_are_segments (run : LongRun) : Prop :=
  forall i, i < seq_length (long_pieces run) ->
    let piece := seq_at (long_pieces run) i in
    piece_number piece < seq_length (known (long_place run)) /\ piece = segment_piece (seq_at (known (long_place run)) (piece_number piece)).

Section Certified.

Variables (cap moments : N) (run : LongRun).
Hypothesis legal : long_head_legal (long_head run) moments = true.
Hypothesis certified : long_run_certified cap moments run.
Let head : LongHead := long_head run.
Let segments : list KnownSegment := known (long_place run).
Let rows : list N := rows_of_long_run run.

Lemma legal_long_head : run_record_legal (long_record head) moments = true /\ seq_length (long_sums head) = moments /\ long_rows head < 2 ^ 40.
Proof.
  pose proof legal as L. fold head in L. unfold long_head_legal in L. cbv zeta in L. rewrite !andb_true_iff in L. destruct L as ((_ & R) & E). split; [exact R|].
  unfold long_sums. pose proof (legal_record _ _ R) as (_ & _ & few & _ & _ & sums & _).
  destruct (long_segments head =? 1); rewrite !andb_true_iff in E.
  - destruct E as [E _]. apply N.eqb_eq in E. split; [exact sums|]. rewrite E. eapply N.le_lt_trans; [exact few|reflexivity].
  - destruct E as (((_ & _) & M) & T). apply N.ltb_lt in M. apply N.eqb_eq in T. split; [exact T|exact M].
Qed.

(** What the segments add up to. *)
Lemma segments_add_up : seq_length segments = long_segments head /\
  fold_right (fun rows total => seq_length rows + total) 0 (map segment_rows segments) = long_rows head /\
  (forall p, p < moments -> g1_exponent (held_element (seq_at (long_sums head) p)) =
    fold_right (fun segment total => g1_exponent (held_element (seq_at (record_sums (piece_record (segment_piece segment))) p)) [+] total) (scalar_of_N 0) segments) /\
  Forall (fun segment => run_record_legal (piece_record (segment_piece segment)) moments = true) segments /\
  forall before segment after, segments = before ++ segment :: after ->
    piece_number (segment_piece segment) = seq_length before /\ piece_rank (segment_piece segment) = seq_length (concat (map segment_rows before)).
Proof.
  destruct certified as (further & pieces & checked & each & _). fold segments head in pieces, checked, each.
  unfold check_extent in checked. destruct (extent_with_pieces _ _ _) as [extent|] eqn:E; [|discriminate]. cbv zeta in checked.
  destruct (expect_step _ _) as [[]|] eqn:counted; [|discriminate]. unfold expect_step in counted, checked.
  destruct (_ && _) eqn:counts in counted; [|discriminate]. clear counted. apply andb_true_iff in counts as [C1 C2]. apply N.eqb_eq in C1, C2.
  destruct (elements_equal _ _) eqn:equal; [|discriminate]. clear checked.
  pose proof (extent_pieces_legal _ _ _ _ E) as legal_further. apply extent_adds_up in E as (S & R & P & numbers).
  cbn [extent_of_first extent_segments extent_rows extent_sums] in S, R, P, numbers.
  assert (L : seq_length segments = 1 + seq_length further).
  { rewrite <- (Sequences.seq_length_map segment_piece), pieces, seq_length_cons. lia. }
  assert (many : Forall (fun segment => seq_length (segment_rows segment) = record_rows (piece_record (segment_piece segment))) segments).
  { revert each. apply Forall_impl. intros segment (_ & _ & M & _). exact M. }
  assert (rows_sum : forall l, Forall (fun segment => seq_length (segment_rows segment) = record_rows (piece_record (segment_piece segment))) l ->
    fold_right (fun rows total => seq_length rows + total) 0 (map segment_rows l) = rows_of_pieces (map segment_piece l) /\
    seq_length (concat (map segment_rows l)) = rows_of_pieces (map segment_piece l)).
  { induction 1 as [|segment l M _ [IH IH']]; [split; reflexivity|]. unfold rows_of_pieces in *. cbn [map fold_right concat]. rewrite seq_length_app, IH, IH', M. auto. }
  assert (legal_all : Forall (fun segment => run_record_legal (piece_record (segment_piece segment)) moments = true) segments).
  { apply Forall_forall. intros segment I. apply (in_map segment_piece) in I. rewrite pieces in I. destruct I as [<-|I]; [apply legal_long_head|].
    rewrite Forall_forall in legal_further. now apply legal_further. }
  split; [lia|]. split; [rewrite (proj1 (rows_sum _ many)), pieces; change (rows_of_pieces (first_piece head :: further)) with (record_rows (long_record head) + rows_of_pieces further); lia|].
  split; [|split; [exact legal_all|]].
  - intros p Lp. destruct legal_long_head as (first_legal & sums & _). apply legal_record in first_legal as (_ & _ & _ & _ & _ & first_sums & _).
    rewrite <- (elements_equal_at _ _ equal p) by lia. rewrite (P p Lp), points_added_at by lia. rewrite g1_at_beyond by (rewrite seq_length_nil; lia).
    assert (sum : forall l, fold_right (fun segment total => g1_exponent (held_element (seq_at (record_sums (piece_record (segment_piece segment))) p)) [+] total) (scalar_of_N 0) l
      = sums_of_pieces p (map segment_piece l)).
    { induction l as [|segment l IH]; [reflexivity|]. unfold sums_of_pieces in *. cbn [map fold_right]. now rewrite IH. }
    rewrite sum, pieces. unfold sums_of_pieces. cbn [fold_right first_piece piece_record]. group_exponents. ring.
  - intros before segment after split. assert (pieces' := pieces). rewrite split, map_app in pieces'. cbn [map] in pieces'.
    assert (before_many : Forall (fun segment => seq_length (segment_rows segment) = record_rows (piece_record (segment_piece segment))) before).
    { rewrite split in many. now apply Forall_app in many. }
    rewrite (proj2 (rows_sum _ before_many)). destruct before as [|first before]; cbn [map app] in pieces'.
    + injection pieces' as -> _. split; reflexivity.
    + injection pieces' as First Further. destruct (numbers _ _ _ (eq_sym Further)) as [N1 N2]. rewrite Sequences.seq_length_map in N1.
      split; [rewrite seq_length_cons; lia|]. rewrite N2. cbn [map]. unfold rows_of_pieces. cbn [fold_right]. rewrite First. reflexivity.
Qed.

Lemma segments_certified : Forall (rows_certified cap) (map segment_rows segments).
Proof.
  destruct segments_add_up as (_ & _ & _ & legal_all & _). destruct certified as (further & _ & _ & each & _). fold segments in each.
  apply Forall_map, Forall_forall. intros segment I. rewrite Forall_forall in legal_all, each. specialize (each _ I). destruct each as (_ & _ & many & stands).
  specialize (legal_all _ I). apply legal_record in legal_all as (_ & some & _). split; [|split; apply stands].
  intros none. unfold segment_rows in none. rewrite none in many. rewrite seq_length_nil in many. lia.
Qed.

Theorem long_rows_are_a_run : StronglySorted N.le rows /\ Forall (fun row => row <= cap) rows /\ seq_length rows = long_rows head.
Proof.
  destruct segments_add_up as (_ & total & _). destruct certified as (_ & _ & _ & _ & linked). fold segments in linked.
  destruct (linked_segments_are_a_run cap _ segments_certified linked) as (S & C & L & _). fold segments rows. unfold rows, rows_of_long_run. fold segments.
  split; [exact S|]. split; [exact C|]. now rewrite L.
Qed.

(** *** Totals *)

(** What is known under the head's totals. *)
Definition whole_known (whole : BoxRun) : KnownRun :=
  let segments := known (run_place whole) in
  {| run_values := [];
     run_sums := fun p => fold_right (fun segment total => added (run_sums (segment_under segment) p) total) [] segments;
     run_rows := concat (map segment_rows segments) |}.

Theorem whole_run_totalled : run_totalled kzg whole_known cap moments (whole_run run).
Proof.
  destruct segments_add_up as (_ & _ & sums & _ & _). destruct long_rows_are_a_run as (_ & capped & many).
  destruct certified as (_ & _ & _ & each & _). fold segments in each. unfold run_totalled. split; [|split; [exact many|exact capped]].
  intros p P. unfold whole_known, record_of, whole_run. cbn [run_place run_head head_record record_sums run_sums run_rows]. fold head segments. split.
  - apply g1_ext. rewrite (sums p P). unfold polynomial_element. group_exponents. clear - lawful each P.
    induction each as [|segment l (_ & S & _) _ IH]; [reflexivity|]. cbn [fold_right]. rewrite added_at, IH, (S p P). reflexivity.
  - rewrite <- totals_are_power_sum. clear - each P lawful.
    induction each as [|segment l (_ & _ & _ & S) _ IH]; [reflexivity|]. cbn [fold_right map]. rewrite added_at, IH. unfold scalars_total. cbn [fold_right]. f_equal.
    pose proof (certified_total _ _ _ _ _ _ _ p S P) as E. cbv beta in E. unfold segment_rows. rewrite <- E. reflexivity.
Qed.

(** *** Pieces *)

Section Shown.

Variable shown : list RunPiece.
Hypothesis shown_decoded : Forall (fun piece => record_decoded decode (piece_record piece)) shown.
Hypothesis exact : pieces_exact a moments shown run.

Lemma piece_numbers (i : N) : i < seq_length (long_pieces run) -> piece_number (seq_at (long_pieces run) i) < long_segments head.
Proof.
  intros I. destruct exact as (some & first & each). destruct (N.eq_dec i 0) as [->|D].
  - rewrite first. cbn [first_piece piece_number]. pose proof legal as L. fold head in L. unfold long_head_legal in L. cbv zeta in L.
    apply andb_true_iff in L as [_ L]. destruct (N.eqb_spec (long_segments head) 1) as [->|]; [lia|]. rewrite !andb_true_iff, N.leb_le in L. lia.
  - destruct (each (i - 1) ltac:(lia)) as (follows & _). replace (i - 1 + 1) with i in follows by lia. unfold piece_follows in follows.
    destruct (_ && _) eqn:E in follows; [|discriminate]. rewrite !andb_true_iff, !N.ltb_lt in E. apply E.
Qed.

(** A piece that is shown is the segment of its number, where all segments stand in the map. *)
Theorem shown_pieces_are_segments : long_run_stands run -> pieces_are_segments run.
Proof.
  intros stand i I. cbv zeta. unfold long_run_stands in stand. fold segments in stand |- *. pose proof (piece_numbers i I) as number. set (piece := seq_at (long_pieces run) i) in *.
  destruct segments_add_up as (count & _ & _ & legal_all & places). split; [lia|].
  destruct certified as (further & pieces & _). fold segments head in pieces. rewrite pieces in stand. cbn [tl] in stand.
  set (k := piece_number piece) in *. assert (K : k < seq_length segments) by lia.
  assert (at_k : exists before after, segments = before ++ seq_at segments k :: after /\ seq_length before = k).
  { exists (firstn (N.to_nat k) segments), (skipn (S (N.to_nat k)) segments). split.
    - rewrite <- (firstn_skipn (N.to_nat k) segments) at 1. f_equal. unfold seq_at. unfold seq_length in K.
      assert (X : forall (l : list KnownSegment) m, (m < length l)%nat -> skipn m l = nth m l default :: skipn (S m) l).
      { induction l as [|x l IH]; intros m M; [inversion M|]. destruct m; [reflexivity|]. cbn [skipn nth]. apply IH. cbn in M. lia. }
      apply X. lia.
    - unfold seq_length in *. rewrite firstn_length. lia. }
  destruct at_k as (before & after & split & length). destruct (places _ _ _ split) as [number_k rank_k]. rewrite length in number_k.
  destruct exact as (some & first & each). destruct (N.eq_dec i 0) as [zero|D].
  - assert (E : piece = first_piece head) by (unfold piece; now rewrite zero). assert (k = 0) by (unfold k; now rewrite E).
    destruct before as [|x before]; [|rewrite seq_length_cons in length; lia]. rewrite split in pieces. cbn [map app] in pieces.
    injection pieces as pieces _. congruence.
  - destruct (each (i - 1) ltac:(lia)) as (follows & J & M). replace (i - 1 + 1) with i in * by lia. fold piece in follows, J, M.
    assert (facts : run_record_legal (piece_record piece) moments = true /\ 0 < k /\ piece_rank piece < MAX_BOX_ROWS).
    { unfold piece_follows in follows. destruct (_ && _) eqn:E in follows; [|discriminate]. rewrite !andb_true_iff, !N.ltb_lt in E. fold k in E.
      split; [apply E|]. split; [lia|apply E]. }
    destruct facts as (legal_piece & positive & rank_few).
    assert (there : In (segment_piece (seq_at segments k)) further).
    { destruct before as [|x before]; [rewrite seq_length_nil in length; lia|]. rewrite split in pieces. cbn [map app] in pieces. injection pieces as _ <-.
      rewrite map_app. apply in_app_iff. right. left. reflexivity. }
    rewrite Forall_forall in stand, legal_all, shown_decoded. destruct (stand _ there) as [decoded M']. rewrite number_k in M'. fold k in M. rewrite M' in M.
    apply (f_equal (fun found => match found with Some value => value | None => [] end)) in M. cbv beta iota in M.
    assert (rank_few' : piece_rank (segment_piece (seq_at segments k)) < 2 ^ 64).
    { destruct long_rows_are_a_run as (_ & _ & total). destruct legal_long_head as (_ & _ & few). rewrite rank_k.
      assert (T : seq_length rows = seq_length (concat (map segment_rows before)) + seq_length (concat (map segment_rows (seq_at segments k :: after)))).
      { unfold rows, rows_of_long_run. fold segments. rewrite split at 1. now rewrite map_app, concat_app, seq_length_app. }
      apply N.lt_trans with (2 ^ 40); [|reflexivity]. apply N.le_lt_trans with (long_rows head); [lia|exact few]. }
    destruct (piece_injective decode moments piece (segment_piece (seq_at segments k))) as [R1 R2];
      [split; [eapply N.lt_trans; [exact rank_few|reflexivity]|apply legal_record_fits; [exact legal_piece|now apply shown_decoded]]
      |split; [exact rank_few'|apply legal_record_fits; [apply legal_all, seq_at_in; exact K|exact decoded]]|now symmetry|].
    destruct piece as [number' rank' record'], (segment_piece (seq_at segments k)) as [number'' rank'' record'']. cbn [piece_number piece_rank piece_record] in *.
    unfold k in *. congruence.
Qed.

End Shown.

Hypothesis shown : pieces_are_segments run.

(** What is known under a piece. *)
Definition piece_known (i : N) : KnownRun := segment_under (seq_at segments (piece_number (seq_at (long_pieces run) i))).

Theorem piece_certified (i : N) : i < seq_length (long_pieces run) ->
  record_certified kzg cap moments (piece_record (seq_at (long_pieces run) i)) (piece_known i) /\
  run_record_legal (piece_record (seq_at (long_pieces run) i)) moments = true.
Proof.
  intros I. destruct (shown i I) as [K E]. fold segments in K, E. destruct segments_add_up as (_ & _ & _ & legal_all & _).
  destruct certified as (_ & _ & _ & each & _). fold segments in each. rewrite Forall_forall in each, legal_all. rewrite E.
  unfold piece_known. split; [apply each|apply legal_all]; apply seq_at_in; exact K.
Qed.

(** The rows of a piece are those of the run from its rank on. *)
Theorem piece_rows (i : N) : i < seq_length (long_pieces run) ->
  let piece := seq_at (long_pieces run) i in
  piece_rank piece + record_rows (piece_record piece) <= seq_length rows /\
  run_rows (piece_known i) = seq_slice rows (piece_rank piece) (record_rows (piece_record piece)).
Proof.
  intros I. cbv zeta. destruct (shown i I) as [K E]. fold segments in K, E. pose proof (piece_certified i I) as [(_ & _ & many & _) _].
  unfold piece_known in *. set (piece := seq_at (long_pieces run) i) in *. set (segment := seq_at segments (piece_number piece)) in *.
  destruct segments_add_up as (_ & _ & _ & _ & places). pose proof (seq_at_in _ _ segments _ K) as J. apply in_split in J as (before & after & split).
  fold segment in split. destruct (places _ _ _ split) as [_ rank]. rewrite <- E in rank. rewrite rank, <- many. unfold rows, rows_of_long_run. fold segments. rewrite split.
  rewrite map_app, concat_app. cbn [map concat]. unfold segment_rows at 3 6. set (front := concat (map segment_rows before)). set (behind := concat (map segment_rows after)).
  set (mine := run_rows (segment_under segment)). split; [rewrite !seq_length_app; lia|].
  unfold seq_slice, seq_length. rewrite !Nnat.Nat2N.id, skipn_app, skipn_all, PeanoNat.Nat.sub_diag. cbn [app skipn]. rewrite firstn_app, firstn_all, PeanoNat.Nat.sub_diag. cbn [firstn]. now rewrite app_nil_r.
Qed.

End Certified.

End Runs.
