(** The claims of a cut, of records of which each is certified.

    - [cut_claims_meant]: where they are true, they say what its ends and its compared rows say, or the challenges of a comparison are counted;
    - [totals_powers]: a query for totals asks for no more powers than there are sums of. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.Opening Commitment.Scheme
  Commitment.CommitmentTree Commitment.FoldedOpening Answer.AnswerProof Answer.AnswerBasis Answer.Verify Table.DomainValues Table.RunRecord Table.Sheet
  Table.Comparison Table.CutGoal Table.Cut Table.TableSchema Table.TableQuery Table.TableKey Table.Totals Table.TableAnswer Table.TableAnswerOrder
  Table.TableAnswerClaims Table.TableAnswerVerifier.
From Aardvark Require Import Lemmas.LoopLemmas Safety.BoundsSafe Lemmas.Field Spec.Base.Bytes Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials
  Spec.Commitment.FoldedOpening Lemmas.SheetRelations Spec.Table.Cut Spec.Table.Totals Spec.Table.TableAnswerVerifier Lemmas.TableAnswerSound
  Lemmas.TableOrderSound.
From Aardvark Require Lemmas.OrderStatistics Spec.Table.Sheet.
Import ListNotations.
Local Open Scope N_scope.

Lemma forall2_lengths {A B : Type} (P : A -> B -> Prop) (a : list A) (b : list B) : Forall2 P a b -> length a = length b.
Proof. intros E. induction E; [reflexivity|]. cbn. now f_equal. Qed.

Section Cuts.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** What is known under the runs' records, with their rows, and under the points of the comparisons. *)
Variables (kzg : KzgSetup) (known : BoxRun -> KnownRun) (points : N -> ComparisonKnown).

(** ** The polynomials under an answer's claims *)

(** Under the claims of a cut whose compared rows are these. *)
Definition cut_under (bits : N) (runs : list BoxRun) (stated : TableCut) (compared : list ComparedRow) (received : list (option Comparison))
    (seed : ByteString) : list (list Scalar) :=
  ends_under known runs stated ++ flat_map (comparison_polynomials known bits runs seed compared received points) (range 0 (seq_length received)).

(** The challenges of one of its comparisons are counted. *)
Definition cut_broken (bits : N) (runs : list BoxRun) (compared : list ComparedRow) (received : list (option Comparison)) (seed : ByteString) : Prop :=
  exists i, i < seq_length received /\ comparison_broken known bits runs seed compared received points i.

(** The prover knows polynomials under the points of all comparisons. *)
Definition comparisons_known (answer : TableAnswer) : Prop :=
  forall i shown, seq_at (answer_comparisons answer) i = Some shown -> points_known kzg shown (points i).

(** ** Order *)

Section Order.

Variables (query : TableQuery) (schema : TableSchema) (runs : list BoxRun) (answer : TableAnswer) (seed : ByteString).
Let cap : N := cap_of_query query schema.
Let bits : N := bits_of_query query schema.
Let rows (k : N) : list N := run_rows (known (seq_at runs k)).
Hypothesis certified : Forall (run_certified kzg known cap (moments_of_query query schema)) runs.
Hypothesis inside : Forall (fun run => record_first (record_of run) + record_rows (record_of run)
  <= guard_position (sheet_size (record_log (record_of run)))) runs.
Hypothesis cap_few : cap < 2 ^ 64.
Hypothesis bits_few : bits <= 64.
Hypothesis differ : numbers_differ (2 ^ 232).
Hypothesis shown_known : comparisons_known answer.

Lemma rows_many : forall k, k < seq_length (records_of_runs runs) -> seq_length (rows k) = record_rows (seq_at (records_of_runs runs) k).
Proof.
  intros k K. rewrite records_length in K. rewrite (record_at cap bits runs cap_few bits_few k K). pose proof certified as C. rewrite Forall_forall in C.
  destruct (C _ (seq_at_in _ _ runs k K)) as (_ & _ & L & _). exact L.
Qed.

Lemma rows_ascend : forall k, k < seq_length (records_of_runs runs) -> StronglySorted N.le (rows k).
Proof.
  intros k K. rewrite records_length in K. pose proof certified as C. rewrite Forall_forall in C.
  destruct (C _ (seq_at_in _ _ runs k K)) as (_ & _ & _ & S). apply S.
Qed.

Lemma rows_capped : forall k, k < seq_length (records_of_runs runs) -> Forall (fun row => row <= cap) (rows k).
Proof.
  intros k K. rewrite records_length in K. pose proof certified as C. rewrite Forall_forall in C.
  destruct (C _ (seq_at_in _ _ runs k K)) as (_ & _ & _ & S). apply S.
Qed.

(** The claims of a cut, where they are true, say what its ends and its compared rows say; or the challenges of a comparison are counted. *)
Lemma cut_claims_meant : forall goal stated work claimed, work_of_cut (records_of_runs runs) cap goal stated = Some work ->
  seq_length (answer_comparisons answer) = comparison_count (seq_length (work_rows work)) ->
  with_comparisons (claims_alone (work_claims work)) bits seed (work_rows work) (answer_comparisons answer) = Ok claimed ->
  claims_known kzg (claims_stated claimed) (cut_under bits runs stated (work_rows work) (answer_comparisons answer) seed) /\
  (claims_true (claims_stated claimed) (cut_under bits runs stated (work_rows work) (answer_comparisons answer) seed) ->
   (ends_true rows stated /\ forall item, In item (work_rows work) -> item_true rows item) \/
   cut_broken bits runs (work_rows work) (answer_comparisons answer) seed).
Proof.
  intros goal stated work claimed W X E. unfold cut_under, cut_broken.
  apply with_comparisons_parts in E as [E each]. cbn [claims_alone claims_stated] in E. rewrite E. clear E claimed.
  pose proof (cut_rows_of_runs _ _ _ _ _ W) as of_runs.
  destruct (ends_meant kzg known cap _ bits runs certified inside cap_few bits_few differ goal stated work W) as [ends ends_true_of].
  set (claims := comparison_claims_of bits seed (work_rows work) (answer_comparisons answer)) in *.
  set (under := comparison_polynomials known bits runs seed (work_rows work) (answer_comparisons answer) points).
  assert (one : forall i, In i (range 0 (seq_length (answer_comparisons answer))) -> claims_known kzg (claims i) (under i)).
  { intros i I. apply in_range in I. destruct (each i ltac:(lia)) as [S C].
    apply (comparison_known kzg known cap _ bits runs certified inside cap_few bits_few seed (work_rows work) (answer_comparisons answer) points of_runs i); [|exact C].
    exact (shown_known i _ S). }
  split; [apply Forall2_app; [exact ends|]; now apply flat_forall2|]. intros T.
  apply forall2_append in T; [|now apply forall2_lengths in ends]. destruct T as [T T'].
  assert (all : forall i, In i (range 0 (seq_length (answer_comparisons answer))) -> claims_true (claims i) (under i)).
  { apply forall2_flat; [|exact T']. intros i I. specialize (one i I). now apply forall2_lengths in one. }
  specialize (ends_true_of T).
  (* Either the challenges of some comparison are counted, or all compared rows are on their sides. *)
  assert (sides : (exists i, i < seq_length (answer_comparisons answer) /\
      comparison_broken known bits runs seed (work_rows work) (answer_comparisons answer) points i) \/
    forall i, i < seq_length (answer_comparisons answer) -> forall item, In item (rows_of_comparison (work_rows work) i) ->
      item_true (fun k => run_rows (known (seq_at runs k))) item).
  { assert (G : forall count, count <= seq_length (answer_comparisons answer) -> (exists i, i < seq_length (answer_comparisons answer) /\
        comparison_broken known bits runs seed (work_rows work) (answer_comparisons answer) points i) \/
      forall i, i < count -> forall item, In item (rows_of_comparison (work_rows work) i) -> item_true (fun k => run_rows (known (seq_at runs k))) item).
    { induction count as [|count IH] using N.peano_ind; intros L; [right; lia|]. destruct (IH ltac:(lia)) as [B|G]; [now left|].
      destruct (each count ltac:(lia)) as [S C].
      destruct (comparison_meant kzg known cap _ bits runs certified inside cap_few bits_few differ seed (work_rows work) (answer_comparisons answer) points
        of_runs count C (all count ltac:(apply in_range; lia))) as [B|meant]; [left; exists count; split; [lia|exact B]|].
      right. intros i I. destruct (N.eq_dec i count) as [->|D]; [exact meant|apply G; lia]. }
    exact (G _ (N.le_refl _)). }
  destruct sides as [broken|sides]; [now right|left]. split; [exact ends_true_of|]. intros item I. destruct (rows_of_comparison_all _ item I) as (i & Li & J). apply (sides i); [lia|exact J].
Qed.

End Order.

(** ** Answers *)

(** A query for totals asks for no more powers than there are sums of. *)
Lemma totals_powers : forall query schema, query_fits_schema query schema = true -> query_function query =? FUNCTION_TOTALS = true ->
  usize_of_u128 (query_a query) = query_a query /\ query_a query <= moments_of_query query schema.
Proof.
  intros query schema Q Fn. unfold query_fits_schema in Q. apply andb_true_iff in Q as [_ Q]. unfold table_query_legal in Q. do 4 apply andb_true_iff in Q as [Q _].
  apply andb_true_iff in Q as [P A]. apply N.ltb_lt in A. unfold parameters_of_function_legal in P. rewrite Fn in P. apply andb_true_iff in P as [P _].
  apply N.leb_le in P. unfold u128_of_usize in P. split; [|exact P]. unfold usize_of_u128. change (2 ^ 64) with 18446744073709551616.
  rewrite N.mod_mod by discriminate. now apply N.mod_small.
Qed.

End Cuts.
