(** Theorems for auditors: what a certificate shows of private rows, which is nothing but what is public.

    For any two lists of rows that may stand in the segments of one sheet there is a bijection between the masks of the one and those of
    the other, under which the records and the certificate are the same. So where masks are drawn at random, each view is as likely with
    the one as with the other, whatever the rows are; but for challenges that are counted.

    To understand a statement of this file you need this file, the generated definitions, and of Lemmas/Hiding.v [Rows], [rows_of],
    [segment_shows] (the values at τ under the points of a segment's record), of Lemmas/SheetHiding.v [moved_sheet] (the bijection),
    [sheet_shaped] (there are as many masks as a certificate has) and [hiding_counted]. The rows are those of the certificate's
    specification, which is given τ: what an honest keeper publishes is, point by point, what it says (a test compares). They need not be in
    order, nor below the cap: of honest keepers they are.

    - [certificate_hides]: the bijection keeps the view, and is one.
    - [hiding_counted_few]: few challenges are counted.
    - [comparison_hides]: so do comparisons hide the rows of segments under the same commitments, for the challenges that
      [comparison_hiding_counted] (Lemmas/ComparisonHiding.v) does not name.
    - [answer_hides]: and answers, those of runs in different sheets included: the records of all runs and all comparisons, moved
      together. What else an answer has follows from these, from what it states, and from its challenges. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.FoldedOpening Table.DomainValues Table.KnownSegment
  Table.RunRecord Table.Sheet Table.CertificateTranscript Table.Certificate Table.CertificateProver Table.Comparison Table.ComparisonProver.
From Aardvark Require Import Lemmas.Field Lemmas.Hiding.
From Aardvark Require Lemmas.Sequences Lemmas.SheetHiding Lemmas.ComparisonHiding.
Import ListNotations.
Local Open Scope N_scope.

Section Hiding.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** The trapdoor, what the certificate is about, where its segments stand, and its challenges. *)
Variables (tau : Scalar) (about : CertificateAbout) (items : list SheetItem) (drawn : CertificateChallenges).
Let n : N := sheet_size (sheet_log items).
Let moved (targets : list Rows) := SheetHiding.moved_sheet tau about items drawn targets.

(** What a certificate of the segments shows under masks: the records' points, and the certificate with its opening under the challenges
    of the fold. *)
Definition shows (gammas : list Scalar) (z : Scalar) (sheet : list KnownSegment * CertificateMasks) :
    list (Scalar * list Scalar) * Certificate * FoldedOpening :=
  let certificate := unopened_certificate tau about items (fst sheet) (snd sheet) drawn in
  (map (segment_shows n tau (about_moments about)) (fst sheet), certificate, certificate_opening_of tau about items drawn gammas z certificate).

(** The sheet has a legal size; τ is none of its points, and not 0. *)
Hypothesis size_legal : 8 <= n /\ 4096 mod n = 0.
Hypothesis tau_off : on_domain n tau = false.
Hypothesis tau_nonzero : tau <> scalar_of_N 0.

(** For any rows of as many segments: the masks that [moved_sheet] makes belong to these rows, show the same, are as many as before, and
    moving back gives what was moved. Whatever [gammas] and [z]. *)
Theorem certificate_hides (sheet : list KnownSegment * CertificateMasks) (targets : list Rows) (gammas : list Scalar) (z : Scalar) :
  SheetHiding.hiding_counted tau about items drawn = false -> seq_length targets = seq_length (fst sheet) -> SheetHiding.sheet_shaped about sheet ->
  map rows_of (fst (moved targets sheet)) = targets /\ shows gammas z (moved targets sheet) = shows gammas z sheet /\
  SheetHiding.sheet_shaped about (moved targets sheet) /\ moved (map rows_of (fst sheet)) (moved targets sheet) = sheet.
Proof.
  intros fine as_many shaped. destruct sheet as [segments masks]. cbn [fst] in as_many.
  split; [|split; [|split]].
  - exact (SheetHiding.moved_rows tau about items segments targets as_many).
  - pose proof (SheetHiding.sheet_shows_same tau about items drawn size_legal tau_off tau_nonzero fine segments masks targets as_many) as [R C].
    unfold shows, moved, SheetHiding.moved_sheet. cbn [fst snd]. rewrite C. f_equal. f_equal. exact R.
  - exact (SheetHiding.moved_shaped tau about items drawn segments masks targets).
  - exact (SheetHiding.moved_back tau about items drawn segments masks targets as_many shaped).
Qed.

(** Of any challenges ζ at most n + 2 are counted, where β_1 is not 0. *)
Theorem hiding_counted_few (s : list Scalar) : NoDup s -> beta_moment about drawn 0 <> scalar_of_N 0 ->
  let with_zeta zeta := {| drawn_rhos := drawn_rhos drawn; drawn_betas := drawn_betas drawn; drawn_zeta := zeta |} in
  (length (filter (fun zeta => SheetHiding.hiding_counted tau about items (with_zeta zeta)) s) <= N.to_nat n + 2)%nat.
Proof. exact (SheetHiding.hiding_counted_few tau about items drawn size_legal tau_off s). Qed.

(** ** Comparisons *)

Section Comparisons.

Variables (bits : N) (compared : list ComparedRow) (asked : ComparisonChallenges).
Let size : N := comparison_size (seq_length compared).
Let moved_masks := ComparisonHiding.moved_comparison tau bits compared asked.

(** The domains of the comparison and of its rows' segments have legal sizes; τ is no point of the first. *)
Hypothesis compared_size : 4 <= size /\ 4096 mod size = 0.
Hypothesis compared_sizes : forall k, k < seq_length compared ->
  4 <= ComparisonHiding.item_domain compared k /\ 4096 mod ComparisonHiding.item_domain compared k = 0.
Hypothesis compared_off : on_domain size tau = false.

(** The segments of the compared rows, one each, and others with the same values at τ. *)
Theorem comparison_hides (segments targets : list KnownSegment) (masks : ComparisonMasks) :
  ComparisonHiding.comparison_hiding_counted tau compared asked = false ->
  seq_length segments = seq_length compared -> seq_length targets = seq_length compared ->
  (forall k, k < seq_length compared -> values_at (ComparisonHiding.item_domain compared k) (seq_at targets k) tau
    = values_at (ComparisonHiding.item_domain compared k) (seq_at segments k) tau) ->
  ComparisonHiding.comparison_shaped bits compared masks ->
  unopened_comparison tau bits compared targets (moved_masks segments targets masks) asked = unopened_comparison tau bits compared segments masks asked /\
  ComparisonHiding.comparison_shaped bits compared (moved_masks segments targets masks) /\
  moved_masks targets segments (moved_masks segments targets masks) = masks.
Proof.
  intros fine S T committed shaped. split.
  - exact (ComparisonHiding.comparison_same tau bits compared asked compared_size compared_sizes compared_off fine segments targets masks S T committed).
  - exact (ComparisonHiding.comparison_moved_back tau bits compared asked segments targets masks shaped).
Qed.

End Comparisons.

(** ** Answers *)

Section Answers.

(** The runs' domains, and the comparisons: their rows, their challenges. *)
Variables (moments bits : N) (sizes : list N) (comparisons : list (list ComparedRow * ComparisonChallenges)).
Let rows_of_comparison (i : N) : list ComparedRow := fst (seq_at comparisons i).
Let challenges_of (i : N) : ComparisonChallenges := snd (seq_at comparisons i).

(** The segments of a comparison's rows. *)
Definition compared_segments (segments : list KnownSegment) (i : N) : list KnownSegment :=
  map (fun item => seq_at segments (compared_run item)) (rows_of_comparison i).

(** What an answer shows: the points of the runs' records, and the comparisons. *)
Definition answer_shows (runs : list KnownSegment * list ComparisonMasks) : list (Scalar * list Scalar) * list Comparison :=
  (map (fun k => segment_shows (seq_at sizes k) tau moments (seq_at (fst runs) k)) (range 0 (seq_length sizes)),
   map (fun i => unopened_comparison tau bits (rows_of_comparison i) (compared_segments (fst runs) i) (seq_at (snd runs) i) (challenges_of i))
     (range 0 (seq_length comparisons))).

(** Other rows in the runs, and the masks moved with them. *)
Definition moved_answer (targets : list Rows) (runs : list KnownSegment * list ComparisonMasks) : list KnownSegment * list ComparisonMasks :=
  let others := map (fun k => moved_segment (seq_at sizes k) tau moments (seq_at targets k) (seq_at (fst runs) k)) (range 0 (seq_length sizes)) in
  (others, map (fun i => ComparisonHiding.moved_comparison tau bits (rows_of_comparison i) (challenges_of i) (compared_segments (fst runs) i)
    (compared_segments others i) (seq_at (snd runs) i)) (range 0 (seq_length comparisons))).

Definition answer_shaped (runs : list KnownSegment * list ComparisonMasks) : Prop :=
  seq_length (fst runs) = seq_length sizes /\ seq_length (snd runs) = seq_length comparisons /\
  (forall k, k < seq_length sizes -> segment_shaped moments (seq_at (fst runs) k)) /\
  (forall i, i < seq_length comparisons -> ComparisonHiding.comparison_shaped bits (rows_of_comparison i) (seq_at (snd runs) i)).

(** Domains have legal sizes, τ is a point of none; rows are of the runs; no comparison's challenges are counted. *)
Hypothesis runs_sizes : forall k, k < seq_length sizes -> 4 <= seq_at sizes k /\ 4096 mod seq_at sizes k = 0 /\ on_domain (seq_at sizes k) tau = false.
Hypothesis rows_of_runs : forall i k, i < seq_length comparisons -> k < seq_length (rows_of_comparison i) ->
  compared_run (seq_at (rows_of_comparison i) k) < seq_length sizes /\
  ComparisonHiding.item_domain (rows_of_comparison i) k = seq_at sizes (compared_run (seq_at (rows_of_comparison i) k)).
Hypothesis comparison_sizes : forall i, i < seq_length comparisons -> let size := comparison_size (seq_length (rows_of_comparison i)) in
  4 <= size /\ 4096 mod size = 0 /\ on_domain size tau = false.
Hypothesis uncounted : forall i, i < seq_length comparisons ->
  ComparisonHiding.comparison_hiding_counted tau (rows_of_comparison i) (challenges_of i) = false.

Lemma compared_segment_at (segments : list KnownSegment) (i k : N) : k < seq_length (rows_of_comparison i) ->
  seq_at (compared_segments segments i) k = seq_at segments (compared_run (seq_at (rows_of_comparison i) k)).
Proof. intros K. unfold compared_segments. exact (mapped_at (fun item => seq_at segments (compared_run item)) (rows_of_comparison i) k K). Qed.

Lemma compared_segments_length (segments : list KnownSegment) (i : N) : seq_length (compared_segments segments i) = seq_length (rows_of_comparison i).
Proof. apply Sequences.seq_length_map. Qed.

(** For any rows of as many runs. *)
Theorem answer_hides (runs : list KnownSegment * list ComparisonMasks) (targets : list Rows) : seq_length targets = seq_length sizes -> answer_shaped runs ->
  map rows_of (fst (moved_answer targets runs)) = targets /\ answer_shows (moved_answer targets runs) = answer_shows runs /\
  answer_shaped (moved_answer targets runs) /\ moved_answer (map rows_of (fst runs)) (moved_answer targets runs) = runs.
Proof.
  intros as_many (L & M & shaped & shaped'). destruct runs as [segments masks]. cbn [fst snd] in *.
  set (others := fst (moved_answer targets (segments, masks))).
  assert (Lo : seq_length others = seq_length sizes).
  { unfold others, moved_answer. cbv zeta. cbn [fst]. now rewrite Sequences.seq_length_map, Sequences.seq_length_range. }
  assert (at_k : forall k, k < seq_length sizes -> seq_at others k = moved_segment (seq_at sizes k) tau moments (seq_at targets k) (seq_at segments k)).
  { intros k K. unfold others, moved_answer. cbv zeta. cbn [fst]. exact (Sequences.nth_map_range _ _ k K). }
  set (moved_to := snd (moved_answer targets (segments, masks))).
  assert (Lm : seq_length moved_to = seq_length comparisons).
  { unfold moved_to, moved_answer. cbv zeta. cbn [snd]. now rewrite Sequences.seq_length_map, Sequences.seq_length_range. }
  assert (at_i : forall i, i < seq_length comparisons -> seq_at moved_to i = ComparisonHiding.moved_comparison tau bits (rows_of_comparison i) (challenges_of i)
    (compared_segments segments i) (compared_segments others i) (seq_at masks i)).
  { intros i I. unfold moved_to, others, moved_answer. cbv zeta. cbn [fst snd]. exact (Sequences.nth_map_range _ _ i I). }
  assert (same : forall k, k < seq_length sizes -> segment_shows (seq_at sizes k) tau moments (seq_at others k) = segment_shows (seq_at sizes k) tau moments (seq_at segments k)).
  { intros k K. rewrite at_k by exact K. destruct (runs_sizes k K) as (B & D & off). now apply moved_segment_shows. }
  assert (hidden : forall i, i < seq_length comparisons ->
    unopened_comparison tau bits (rows_of_comparison i) (compared_segments others i) (seq_at moved_to i) (challenges_of i)
      = unopened_comparison tau bits (rows_of_comparison i) (compared_segments segments i) (seq_at masks i) (challenges_of i) /\
    ComparisonHiding.comparison_shaped bits (rows_of_comparison i) (seq_at moved_to i) /\
    ComparisonHiding.moved_comparison tau bits (rows_of_comparison i) (challenges_of i) (compared_segments others i) (compared_segments segments i)
      (seq_at moved_to i) = seq_at masks i).
  { intros i I. rewrite at_i by exact I. destruct (comparison_sizes i I) as (B & D & off).
    refine (comparison_hides bits (rows_of_comparison i) (challenges_of i) (conj B D) _ off (compared_segments segments i) (compared_segments others i)
      (seq_at masks i) (uncounted i I) (compared_segments_length _ _) (compared_segments_length _ _) _ (shaped' i I)).
    - intros k K. destruct (rows_of_runs i k I K) as (R & E). rewrite E. destruct (runs_sizes _ R) as (B' & D' & _). auto.
    - intros k K. destruct (rows_of_runs i k I K) as (R & E). rewrite E, !compared_segment_at by exact K. exact (f_equal fst (same _ R)). }
  change (moved_answer targets (segments, masks)) with (others, moved_to). cbn [fst].
  assert (back : forall k, k < seq_length sizes -> moved_segment (seq_at sizes k) tau moments (rows_of (seq_at segments k)) (seq_at others k) = seq_at segments k).
  { intros k K. rewrite at_k by exact K. apply moved_segment_back. now apply shaped. }
  split; [|split; [|split]].
  - apply Sequences.seq_ext; [now rewrite Sequences.seq_length_map, Lo|]. rewrite Sequences.seq_length_map, Lo. intros k K.
    rewrite mapped_at by (rewrite Lo; exact K). rewrite at_k by exact K. apply moved_segment_rows.
  - unfold answer_shows. cbn [fst snd]. f_equal; apply map_ext_in; intros i I; apply Sequences.range_in in I; [apply same; lia|].
    apply (hidden i). lia.
  - split; [exact Lo|]. split; [exact Lm|]. split; [intros k K; cbn [fst]; rewrite at_k by exact K; apply moved_segment_shaped|]. intros i I. apply (hidden i I).
  - assert (segments_back : map (fun k => moved_segment (seq_at sizes k) tau moments (seq_at (map rows_of segments) k) (seq_at others k)) (range 0 (seq_length sizes)) = segments).
    { apply Sequences.seq_ext; rewrite Sequences.seq_length_map, Sequences.seq_length_range; [now symmetry|]. intros k K.
      rewrite (Sequences.nth_map_range _ _ k K). rewrite mapped_at by lia. now apply back. }
    unfold moved_answer. cbv zeta. cbn [fst snd]. rewrite segments_back. f_equal.
    apply Sequences.seq_ext; rewrite Sequences.seq_length_map, Sequences.seq_length_range; [now symmetry|]. intros i I.
    rewrite (Sequences.nth_map_range _ _ i I). apply (hidden i I).
Qed.

End Answers.

End Hiding.
