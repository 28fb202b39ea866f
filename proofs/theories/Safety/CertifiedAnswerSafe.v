(** Checking the certificates that come with an answer never leaves the range of integers or sequences.

    - [record_received], [stated_received], [run_received]: what was received: strings that fit memory, numbers of rows of two bytes;
    - [check_certified_never_panics]: whatever the runs, the statements and the certificates. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Table.RunRecord Table.TableKey Table.Sheet
  Table.CertificateTranscript Table.RunSegments Table.LongRuns Policy.TableSheets Policy.TableMade Policy.Tables Policy.CertifiedAnswer Base.BytesSafe
  Table.RunSegmentsSafe Policy.TablesSafe Policy.CertifiedAnswerSafe.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Field Safety.SlotMapSafe Safety.BoundsSafe Safety.PhasesSafe Safety.TablesSafe Safety.TableJudgeSafe
  Lemmas.KeptRuns Lemmas.CheckedCertificates.
From Aardvark Require Safety.LinkedSafe.
Import ListNotations.
Local Open Scope N_scope.

Section CertifiedAnswers.

Context {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Definition record_received (record : RunRecord) : Prop :=
  short (held_bytes (record_values record)) /\ short (record_root record) /\ Forall (fun point => short (held_bytes point)) (record_sums record) /\
  record_rows record < 2 ^ 16.

Definition stated_received (sheet : StatedSheet) : Prop :=
  (forall link, stated_link sheet = Some link -> record_received link) /\
  Forall (fun placed => short (item_columns placed) /\ record_received (item_record placed)) (stated_items sheet).

Definition run_received (run : LongRun) : Prop :=
  long_segments (long_head run) <= 2 ^ 32 /\ record_received (long_record (long_head run)) /\
  Forall (fun piece => record_received (piece_record piece)) (long_pieces run).

Lemma point_same_never_panics : forall one other, short (held_bytes one) -> point_same_safe one other = true.
Proof. intros one other S. unfold point_same_safe. rewrite bytes_equal_never_panics by exact S. now destruct (g1_equal _ _). Qed.

Lemma record_same_never_panics : forall one other, record_received one -> record_same_safe one other = true.
Proof.
  intros one other (V & R & S & _). unfold record_same_safe. rewrite point_same_never_panics, bytes_equal_never_panics by assumption.
  assert (P : points_same_safe (record_sums one) (record_sums other) = true).
  { unfold points_same_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i same Hi _. split; [|exact I]. unfold points_same_step_safe.
    destruct (_ && _); [|reflexivity]. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. apply point_same_never_panics.
    rewrite Forall_forall in S. apply S. apply seq_at_in. lia. }
  assert (either : forall b : bool, (if b then true else true) = true) by now intros [].
  rewrite P, !either. reflexivity.
Qed.

Lemma item_is_of_never_panics : forall run number placed, short (item_columns placed) -> item_is_of_safe run number placed = true.
Proof. intros run number placed S. unfold item_is_of_safe. now apply bytes_equal_never_panics. Qed.

Section Sheets.

Variable sheets : list StatedSheet.
Hypothesis received : Forall stated_received sheets.

Lemma item_received : forall sheet placed, In sheet sheets -> In placed (stated_items sheet) -> short (item_columns placed) /\ record_received (item_record placed).
Proof. intros sheet placed I J. rewrite Forall_forall in received. destruct (received sheet I) as [_ R]. rewrite Forall_forall in R. now apply R. Qed.

Lemma first_certified_never_panics : forall run, first_certified_safe run sheets = true.
Proof.
  intros run. unfold first_certified_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i found Hi _. split; [|exact I].
  rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold first_certified_step_safe. destruct found; [reflexivity|]. unfold first_in_sheet_safe.
  destruct (stated_link _); [reflexivity|]. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros k found Hk _. split; [|exact I].
  rewrite (proj2 (N.ltb_lt k _)) by lia. cbn [andb]. unfold first_in_sheet_step_safe. destruct found; [reflexivity|].
  destruct (item_received (seq_at sheets i) (seq_at (stated_items (seq_at sheets i)) k)) as [C R]; [apply seq_at_in; lia|apply seq_at_in; lia|].
  rewrite item_is_of_never_panics by exact C. rewrite record_same_never_panics by exact R. now destruct (item_is_of _ _ _).
Qed.

Lemma next_certified_never_panics : forall run number before, next_certified_safe run number before sheets = true.
Proof.
  intros run number before. unfold next_certified_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i found Hi _. split; [|exact I].
  rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold next_certified_step_safe. destruct found; [reflexivity|]. unfold next_in_sheet_safe.
  assert (J : In (seq_at sheets i) sheets) by (apply seq_at_in; lia). destruct (stated_link _) as [link|] eqn:L; [|reflexivity].
  destruct (N.ltb_spec 0 (seq_length (stated_items (seq_at sheets i)))) as [some|]; [|reflexivity]. cbv zeta.
  destruct (item_received _ (seq_at (stated_items (seq_at sheets i)) 0) J) as [C _]; [apply seq_at_in; lia|]. rewrite item_is_of_never_panics by exact C.
  rewrite Forall_forall in received. destruct (received _ J) as [R _]. rewrite record_same_never_panics by exact (R _ L). now destruct (item_is_of _ _ _).
Qed.

Lemma next_certified_received : forall run number before record, next_certified run number before sheets = Some record -> record_received record.
Proof.
  intros run number before record E. apply next_certified_in in E as (sheet & rest & I & _ & items).
  destruct (item_received sheet (segment_item (long_place run) (long_revision (long_head run)) number record) I) as [_ R]; [rewrite items; now left|exact R].
Qed.

(** The pieces so far have numbers below this one, and at most so many rows. *)
Definition walk_good (number : N) (found : option CertifiedPieces) : Prop := forall pieces, found = Some pieces ->
  Forall (fun piece => piece_number piece < number) (certified_further pieces) /\ certified_rows pieces <= 2 ^ 16 * number.

Lemma further_certified_never_panics : forall run, run_received run -> further_certified_safe run sheets = true /\
  forall pieces, further_certified run sheets = Some pieces -> Forall (fun piece => piece_number piece < 2 ^ 32) (certified_further pieces).
Proof.
  intros run (few & (_ & _ & _ & rows) & _).
  assert (begins : walk_good 1 (Some {| certified_further := []; certified_last := long_record (long_head run); certified_rows := record_rows (long_record (long_head run)) |})).
  { intros pieces E. injection E as <-. split; [constructor|]. cbn [certified_rows]. lia. }
  assert (step : forall n found, 1 <= n < long_segments (long_head run) -> walk_good n found -> further_certified_step_safe found run n sheets = true /\
    walk_good (n + 1) (further_certified_step found run n sheets)).
  { intros n [before|] Ln G; [|split; [reflexivity|intros pieces E; discriminate]]. destruct (G _ eq_refl) as [N R].
    unfold further_certified_step_safe, further_certified_step. rewrite next_certified_never_panics. cbn [andb].
    destruct (next_certified run n (certified_last before) sheets) as [next|] eqn:E; [|split; [reflexivity|intros pieces H; discriminate]]. cbv zeta.
    apply next_certified_received in E as (_ & _ & _ & B). change (2 ^ 16) with 65536 in *. change (2 ^ 32) with 4294967296 in *. split.
    - apply N.ltb_lt. change (2 ^ 64) with 18446744073709551616. lia.
    - intros pieces H. injection H as <-. cbn [certified_further certified_rows]. change (2 ^ 16) with 65536. split; [|lia]. apply Forall_app. split.
      + revert N. apply Forall_impl. intros piece. lia.
      + repeat constructor. cbn [piece_number]. lia. }
  split.
  - unfold further_certified_safe. apply (loop_is_safe _ walk_good); [exact begins|exact step].
  - intros pieces E. destruct (N.le_gt_cases 1 (long_segments (long_head run))) as [L|L].
    + pose proof (loop_invariant _ walk_good (fun found number => further_certified_step found run number sheets) 1 (long_segments (long_head run)) _ L begins
        (fun i acc Li P => proj2 (step i acc Li P)) pieces E) as [N _]. revert N. apply Forall_impl. intros piece. lia.
    + unfold further_certified in E. rewrite range_empty in E by lia. injection E as <-. constructor.
Qed.

Lemma run_certified_never_panics : forall run moments, run_received run -> run_certified_safe run moments sheets = true.
Proof.
  intros run moments R. unfold run_certified_safe. destruct (further_certified_never_panics run R) as [-> N]. cbn [andb].
  destruct (further_certified run sheets) as [pieces|]; [|reflexivity]. specialize (N _ eq_refl). rewrite first_certified_never_panics. cbn [andb].
  destruct (first_certified run sheets); [|reflexivity]. unfold pieces_add_up_safe. cbv zeta. destruct R as (_ & (_ & _ & _ & rows) & shown).
  unfold extent_of_first_safe. rewrite points_added_never_panic. cbn [andb]. rewrite (check_extent_never_panics _ _ _ _ (seq_length (certified_further pieces))).
  - cbn [andb]. destruct (check_extent _ _ _ _); [|reflexivity]. unfold pieces_among_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|].
    intros i among Hi _. split; [|exact I]. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. unfold pieces_among_step_safe. destruct (_ && _); [|reflexivity].
    unfold piece_same_safe. destruct (_ && _); [|reflexivity]. apply record_same_never_panics. rewrite Forall_forall in shown. apply shown, seq_at_in. lia.
  - unfold extent_good, extent_of_first. cbn [extent_segments extent_rows]. change (2 ^ 16) with 65536 in *. change (2 ^ 32) with 4294967296.
    change (2 ^ 40) with 1099511627776. change (2 ^ 12) with 4096. lia.
  - split; [|lia]. intros piece J. rewrite Forall_forall in N. now apply N.
Qed.

Lemma sheets_about_good : forall about, about_bits about < 2 ^ 32 -> about_moments about < 2 ^ 32 -> Forall sheet_good (sheets_about about sheets).
Proof.
  intros about B M. unfold sheets_about. apply (loop_invariant _ (fun _ made => Forall sheet_good made)); [lia|constructor|].
  intros i made _ G. unfold sheets_about_step. apply Forall_app. split; [exact G|]. repeat constructor; assumption.
Qed.

Theorem check_certified_never_panics : forall setup about runs meanings, about_bits about < 2 ^ 32 -> about_moments about < 2 ^ 32 ->
  Forall run_received runs -> check_certified_safe setup about runs sheets meanings = true.
Proof.
  intros setup about runs meanings B M R. unfold check_certified_safe.
  assert (S : runs_certified_safe runs (about_moments about) sheets = true).
  { unfold runs_certified_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i found Hi _. split; [|exact I]. unfold runs_certified_step_safe.
    destruct found; [|reflexivity]. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb]. apply run_certified_never_panics. rewrite Forall_forall in R.
    apply R, seq_at_in. lia. }
  rewrite S. cbn [andb]. destruct (runs_certified _ _ _); [|reflexivity].
  assert (A : sheets_about_safe about sheets = true) by (unfold sheets_about_safe; each_check Hi; apply N.ltb_lt; lia). rewrite A. cbn [andb].
  pose proof (sheets_about_good about B M) as G. rewrite Forall_forall in G.
  unfold sheets_hold_safe. apply (loop_is_safe _ (fun _ _ => True)); [exact I|]. intros i holds Hi _. split; [|exact I].
  unfold sheets_hold_step_safe. destruct (_ && _); [|reflexivity]. rewrite (proj2 (N.ltb_lt i _)) by lia. cbn [andb].
  destruct (G _ (seq_at_in _ _ _ i (proj2 Hi))) as [G1 G2]. unfold sheet_holds_safe. destruct (table_sheet_link _).
  - destruct (seq_at meanings i); try reflexivity. now apply LinkedSafe.verify_linked_certificate_never_panics.
  - destruct (seq_at meanings i); try reflexivity. now apply verify_certificate_never_panics.
Qed.

End Sheets.

End CertifiedAnswers.
