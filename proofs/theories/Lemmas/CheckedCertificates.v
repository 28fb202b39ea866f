(** What the check of certificates that come with an answer finds: [check_certified_shows]: the segments of each run stand in sheets of accepted
    certificates, each linked to the one before, and add up to the head; and the segments that the answer shows are among them. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Table.RunRecord Table.TableKey Table.Sheet
  Table.CertificateTranscript Table.RunSegments Table.LongRuns Policy.TableSheets Policy.TableMade Policy.Tables Policy.CertifiedAnswer.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Field Spec.Base.Bytes Spec.Base.Group Lemmas.LinkedRuns Lemmas.JudgedSteps Lemmas.KeptRuns
  Lemmas.CertifiedRuns.
From Aardvark Require Lemmas.Sequences.
Import ListNotations.
Local Open Scope N_scope.

Section CheckedCertificates.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** ** What is the same *)

Lemma point_same_eq : forall one other, point_same one other = true -> one = other.
Proof.
  intros [x a] [y b] H. unfold point_same in H. cbn [held_element held_bytes] in H. apply andb_true_iff in H as [X A].
  apply g1_equal_iff in X. apply bytes_equal_iff in A. now subst.
Qed.

Lemma points_same_eq : forall one other, points_same one other = true -> one = other.
Proof.
  intros one other H. unfold points_same in H.
  pose proof (loop_invariant _ (fun n same => same = true -> seq_length one = seq_length other /\ forall i, i < n -> seq_at one i = seq_at other i)
    (fun same i => points_same_step same one other i) 0 (seq_length one) (seq_length one =? seq_length other)) as G.
  refine ((fun K => seq_ext _ _ one other (proj1 K) (proj2 K)) (G _ _ _ H)); [lia|intros E; split; [now apply N.eqb_eq|intros i L; lia]|].
  intros n same Ln IH E. unfold points_same_step in E. rewrite !andb_true_iff in E. destruct E as ((E & _) & P). destruct (IH E) as [L each].
  split; [exact L|]. intros i Li. destruct (N.eq_dec i n) as [->|D]; [now apply point_same_eq|apply each; lia].
Qed.

Lemma record_same_eq : forall one other, record_same one other = true -> one = other.
Proof.
  intros [l f r v t s] [l' f' r' v' t' s'] H. unfold record_same in H. cbn [record_log record_first record_rows record_values record_root record_sums] in H.
  rewrite !andb_true_iff, !N.eqb_eq in H. destruct H as (((((-> & ->) & ->) & V) & T) & S).
  apply point_same_eq in V. apply bytes_equal_iff in T. apply points_same_eq in S. now subst.
Qed.

Lemma piece_same_eq : forall one other, piece_same one other = true -> one = other.
Proof.
  intros [n r p] [n' r' p'] H. unfold piece_same in H. cbn [piece_number piece_rank piece_record] in H. rewrite !andb_true_iff, !N.eqb_eq in H.
  destruct H as ((-> & ->) & P). apply record_same_eq in P. now subst.
Qed.

Lemma item_is_of_eq : forall run number placed, item_is_of run number placed = true ->
  placed = segment_item (long_place run) (long_revision (long_head run)) number (item_record placed).
Proof.
  intros run number [c r v s p] H. unfold item_is_of in H. cbn [item_columns item_run item_revision item_segment] in H. rewrite !andb_true_iff, !N.eqb_eq in H.
  destruct H as (((C & ->) & ->) & ->). apply bytes_equal_iff in C. now subst.
Qed.

(** ** Where segments stand *)

Lemma first_certified_in : forall run sheets, first_certified run sheets = true ->
  exists sheet, In sheet sheets /\ stated_link sheet = None /\
    In (segment_item (long_place run) (long_revision (long_head run)) 0 (long_record (long_head run))) (stated_items sheet).
Proof.
  intros run sheets H. unfold first_certified in H.
  pose proof (loop_invariant _ (fun n found => found = true -> exists sheet, In sheet sheets /\ first_in_sheet run sheet = true)
    (fun found i => first_certified_step found run (seq_at sheets i)) 0 (seq_length sheets) false) as G.
  destruct (G ltac:(lia) ltac:(discriminate)) as (sheet & I & S); [|exact H|].
  { intros n found Ln IH E. unfold first_certified_step in E. apply orb_true_iff in E as [E|E]; [now apply IH|].
    exists (seq_at sheets n). split; [apply seq_at_in; lia|exact E]. }
  exists sheet. split; [exact I|]. clear G H I. unfold first_in_sheet in S. destruct (stated_link sheet); [discriminate|]. split; [reflexivity|].
  pose proof (loop_invariant _ (fun n found => found = true -> In (segment_item (long_place run) (long_revision (long_head run)) 0 (long_record (long_head run)))
    (stated_items sheet)) (fun found k => first_in_sheet_step found run (seq_at (stated_items sheet) k)) 0 (seq_length (stated_items sheet)) false) as G.
  refine (G _ _ _ S); [lia|discriminate|]. intros n found Ln IH E. unfold first_in_sheet_step in E. apply orb_true_iff in E as [E|E]; [now apply IH|].
  apply andb_true_iff in E as [E P]. apply item_is_of_eq in E. apply record_same_eq in P. rewrite P in E. rewrite <- E. apply seq_at_in. lia.
Qed.

Lemma next_certified_in : forall run number before sheets record, next_certified run number before sheets = Some record ->
  exists sheet rest, In sheet sheets /\ stated_link sheet = Some before /\
    stated_items sheet = segment_item (long_place run) (long_revision (long_head run)) number record :: rest.
Proof.
  intros run number before sheets record H. unfold next_certified in H.
  pose proof (loop_invariant _ (fun n found => found = Some record -> exists sheet, In sheet sheets /\ next_in_sheet run number before sheet = Some record)
    (fun found i => next_certified_step found run number before (seq_at sheets i)) 0 (seq_length sheets) None) as G.
  destruct (G ltac:(lia) ltac:(discriminate)) as (sheet & I & S); [|exact H|].
  { intros n found Ln IH E. unfold next_certified_step in E. destruct found as [other|]; [now apply IH|].
    exists (seq_at sheets n). split; [apply seq_at_in; lia|exact E]. }
  unfold next_in_sheet in S. destruct (stated_link sheet) as [link|] eqn:L; [|discriminate].
  destruct (stated_items sheet) as [|placed rest] eqn:items; [discriminate|]. cbn [seq_length] in S.
  destruct (0 <? seq_length (placed :: rest)); [|discriminate]. cbv zeta in S. rewrite seq_at_cons_zero in S.
  destruct (_ && _) eqn:E in S; [|discriminate]. injection S as <-. apply andb_true_iff in E as [E P]. apply record_same_eq in P. apply item_is_of_eq in E.
  exists sheet, rest. split; [exact I|]. split; [now rewrite L, P|]. now rewrite items, <- E.
Qed.

Lemma further_certified_in : forall run sheets pieces, 1 <= long_segments (long_head run) -> further_certified run sheets = Some pieces ->
  forall i, i < seq_length (certified_further pieces) -> exists sheet rest, In sheet sheets /\
    stated_link sheet = Some (link_of_piece (long_record (long_head run)) (certified_further pieces) i) /\
    stated_items sheet = segment_item (long_place run) (long_revision (long_head run)) (i + 1) (piece_record (seq_at (certified_further pieces) i)) :: rest.
Proof.
  intros run sheets pieces some H. unfold further_certified in H. set (record := long_record (long_head run)) in *.
  pose (good := fun (n : N) (found : option CertifiedPieces) => forall pieces, found = Some pieces ->
    seq_length (certified_further pieces) + 1 = n /\ certified_last pieces = link_of_piece record (certified_further pieces) (seq_length (certified_further pieces)) /\
    forall i, i < seq_length (certified_further pieces) -> exists sheet rest, In sheet sheets /\
      stated_link sheet = Some (link_of_piece record (certified_further pieces) i) /\
      stated_items sheet = segment_item (long_place run) (long_revision (long_head run)) (i + 1) (piece_record (seq_at (certified_further pieces) i)) :: rest).
  refine (proj2 (proj2 (loop_invariant _ good (fun found number => further_certified_step found run number sheets) 1 (long_segments (long_head run)) _ some _ _
    pieces H))); clear H pieces.
  - intros pieces E. injection E as <-. cbn [certified_further certified_last]. split; [reflexivity|]. split; [reflexivity|]. intros i L.
    rewrite seq_length_nil in L. lia.
  - intros n found Ln IH pieces E. unfold further_certified_step in E. destruct found as [before|]; [|discriminate]. destruct (IH _ eq_refl) as (L & last & each). clear IH.
    destruct (next_certified run n (certified_last before) sheets) as [next|] eqn:N; [|discriminate]. cbv zeta in E. injection E as <-.
    cbn [certified_further certified_last]. rewrite Sequences.seq_length_app. change (seq_length [_]) with 1.
    assert (links : forall piece i, i <= seq_length (certified_further before) ->
      link_of_piece record (certified_further before ++ [piece]) i = link_of_piece record (certified_further before) i).
    { intros piece i B. unfold link_of_piece. destruct (N.eqb_spec i 0) as [|D]; [reflexivity|]. rewrite seq_at_app.
      destruct (N.ltb_spec (i - 1) (seq_length (certified_further before))); [reflexivity|lia]. }
    split; [lia|]. split.
    + unfold link_of_piece. destruct (N.eqb_spec (seq_length (certified_further before) + 1) 0); [lia|].
      replace (seq_length (certified_further before) + 1 - 1) with (seq_length (certified_further before)) by lia. rewrite seq_at_app, N.ltb_irrefl, N.sub_diag.
      reflexivity.
    + intros i Li. destruct (N.eq_dec i (seq_length (certified_further before))) as [->|D].
      * apply next_certified_in in N as (sheet & rest & I & K & items). exists sheet, rest. split; [exact I|]. rewrite links by lia.
        split; [now rewrite K, last|]. rewrite items, L, seq_at_app, N.ltb_irrefl, N.sub_diag. reflexivity.
      * destruct (each i ltac:(lia)) as (sheet & rest & I & K & items). exists sheet, rest. split; [exact I|]. rewrite links by lia. split; [exact K|].
        rewrite items, seq_at_app. destruct (N.ltb_spec i (seq_length (certified_further before))); [reflexivity|lia].
Qed.

Lemma pieces_among_each : forall run pieces, pieces_among run pieces = true -> forall i, i < seq_length (long_pieces run) ->
  let piece := seq_at (long_pieces run) i in piece_number piece < seq_length pieces /\ piece = seq_at pieces (piece_number piece).
Proof.
  intros run pieces H. unfold pieces_among in H.
  pose proof (loop_invariant _ (fun n among => among = true -> forall i, i < n ->
      let piece := seq_at (long_pieces run) i in piece_number piece < seq_length pieces /\ piece = seq_at pieces (piece_number piece))
    (fun among i => pieces_among_step among pieces (seq_at (long_pieces run) i)) 0 (seq_length (long_pieces run)) true) as G.
  refine (G _ _ _ H); [lia|intros _ i L; lia|]. clear G H. intros n among Ln IH E i L. unfold pieces_among_step in E. rewrite !andb_true_iff in E.
  destruct E as ((E & B) & P). destruct (N.eq_dec i n) as [->|D]; [|apply IH; [exact E|lia]]. cbv zeta. split; [now apply N.ltb_lt|now apply piece_same_eq].
Qed.

(** ** Certificates *)

Variables (kzg : KzgSetup) (about : CertificateAbout) (sheets : list StatedSheet) (meanings : list CertificateMeaning).

(** The certificates that come with an answer. *)
Definition stated_certificates : list AcceptedCertificate := combine (sheets_about about sheets) meanings.

Definition sheet_of_stated (sheet : StatedSheet) : TableSheet :=
  {| table_sheet_about := about; table_sheet_link := stated_link sheet; table_sheet_items := stated_items sheet |}.

Lemma sheets_about_in : forall sheet, In sheet sheets -> In (sheet_of_stated sheet) (sheets_about about sheets).
Proof.
  intros sheet I. unfold sheets_about.
  pose proof (loop_invariant _ (fun n made => forall i, i < n -> In (sheet_of_stated (seq_at sheets i)) made)
    (fun made i => sheets_about_step made about (seq_at sheets i)) 0 (seq_length sheets) []) as G.
  apply in_seq_at with (D := Default_StatedSheet) in I as (i & L & <-). refine (G _ _ _ i L); [lia|intros k K; lia|].
  intros n made Ln IH k K. unfold sheets_about_step. apply in_or_app. destruct (N.eq_dec k n) as [->|D]; [right; now left|left; apply IH; lia].
Qed.

Lemma runs_certified_each : forall runs, runs_certified runs (about_moments about) sheets = Ok tt ->
  Forall (fun run => run_certified run (about_moments about) sheets = true) runs.
Proof.
  intros runs H. unfold runs_certified in H.
  pose proof (loop_invariant _ (fun n found => found = Ok tt -> forall k, k < n -> run_certified (seq_at runs k) (about_moments about) sheets = true)
    (fun found k => runs_certified_step found runs (about_moments about) sheets k) 0 (seq_length runs) (Ok tt)) as G.
  apply Forall_forall. intros run I. apply in_seq_at with (D := Default_LongRun) in I as (k & L & <-). refine (G _ _ _ H k L); [lia|intros _ i K; lia|]. clear G H.
  intros n found Ln IH E i Li. unfold runs_certified_step in E. destruct found as [[]|]; [|discriminate].
  destruct (run_certified (seq_at runs n) (about_moments about) sheets) eqn:C; [|discriminate]. destruct (N.eq_dec i n) as [->|D]; [exact C|apply IH; [reflexivity|lia]].
Qed.

Theorem check_certified_shows : forall runs, check_certified kzg about runs sheets meanings = Ok tt ->
  Forall (run_shown kzg stated_certificates about) runs.
Proof.
  intros runs H. unfold check_certified in H. destruct (runs_certified runs _ sheets) as [[]|] eqn:R; [|discriminate].
  destruct (sheets_hold kzg _ meanings) eqn:holds; [|discriminate]. clear H. apply runs_certified_each in R. revert R. apply Forall_impl. intros run C.
  assert (accepted : forall sheet, In sheet sheets -> exists meaning, In (sheet_of_stated sheet, meaning) stated_certificates /\
    sheet_holds kzg (sheet_of_stated sheet) meaning = true).
  { intros sheet I. apply (sheets_hold_each kzg _ _ holds). now apply sheets_about_in. }
  unfold run_certified in C. destruct (further_certified run sheets) as [pieces|] eqn:further; [|discriminate]. apply andb_true_iff in C as [first adds].
  unfold pieces_add_up in adds. cbv zeta in adds. destruct (check_extent _ _ _ _) as [[]|] eqn:extent; [|discriminate].
  unfold run_shown. cbv zeta. exists (certified_further pieces). split; [exact extent|]. split; [|split].
  - apply first_certified_in in first as (sheet & I & L & J). destruct (accepted sheet I) as (meaning & K & holding).
    exists (sheet_of_stated sheet), meaning. split; [exact K|]. split; [exact holding|]. split; [reflexivity|exact J].
  - intros i Li. assert (some : 1 <= long_segments (long_head run)).
    { unfold check_extent in extent. destruct (extent_with_pieces _ _ _) as [found|] eqn:E; [|discriminate]. cbv zeta in extent.
      apply extent_adds_up in E as (S & _). cbn [extent_of_first extent_segments] in S. unfold expect_step in extent.
      destruct (_ && _) eqn:counts in extent; [|discriminate]. apply andb_true_iff in counts as [counts _]. apply N.eqb_eq in counts. lia. }
    destruct (further_certified_in run sheets pieces some further i Li) as (sheet & rest & I & L & items). destruct (accepted sheet I) as (meaning & K & holding).
    exists (sheet_of_stated sheet), meaning. split; [exact K|]. split; [exact holding|]. split; [reflexivity|]. split; [exact L|]. exists rest. exact items.
  - exact (pieces_among_each run _ adds).
Qed.

End CheckedCertificates.
