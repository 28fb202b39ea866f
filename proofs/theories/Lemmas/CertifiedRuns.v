(** Runs whose certificates are at hand: what the check of certificates that come with an answer finds is enough for its runs to be
    certified.

    - [ShownSheet]: a sheet with its certificate, and what an algebraic prover knows under their points;
    - [sheet_decided]: the segments of an accepted sheet are certified, and the first of a linked one begins at the row before or above;
      or the sheet is broken;
    - [run_shown]: what is checked of a run: its segments stand in sheets, each linked to the one before, and add up to the head; and the
      segments that the answer shows are among them;
    - [shown_run_certified]: then the run is certified, and the shown segments are its own, or one of its sheets is broken. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening Table.DomainValues
  Table.RunRecord Table.Sheet Table.TableKey Table.Totals Table.CertificateTranscript Table.Certificate Table.LinkedCertificate Table.RunSegments
  Table.LongRuns.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials Spec.Commitment.FoldedOpening Lemmas.FoldedSound
  Lemmas.SheetRelations Spec.Table.Sheet Spec.Table.Certificate Lemmas.CertificateSound Spec.Table.LinkedCertificate Lemmas.LinkedSound Lemmas.LinkedRuns
  Lemmas.TableAnswerSound Lemmas.LongRunsSound.
From Aardvark Require Theorems.Certificates Theorems.LinkedCertificates.
Import ListNotations.
Local Open Scope N_scope.

Section CertifiedRuns.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Variables (kzg : KzgSetup) (about : CertificateAbout).

(** ** Sheets *)

(** A sheet with its certificate, and the polynomials that are known under the records and the certificate's points; of one that continues
    a run also the record of the segment before, the polynomial under its values, and its last row. *)
Inductive ShownSheet : Type :=
  | PlainSheet (items : list SheetItem) (shown : Certificate) (sheet : SheetPolynomials) (masks : MaskPolynomials) (q w w' : list Scalar)
  | LinkedSheet (previous : RunRecord) (items : list SheetItem) (shown : LinkedCertificate) (sheet : SheetPolynomials) (masks : MaskPolynomials)
      (before mask q w w' : list Scalar) (row : N).

Definition sheet_items (shown : ShownSheet) : list SheetItem :=
  match shown with PlainSheet items _ _ _ _ _ _ => items | LinkedSheet _ items _ _ _ _ _ _ _ _ _ => items end.
Definition sheet_record (shown : ShownSheet) (k : N) : RunRecord := item_record (seq_at (sheet_items shown) k).

(** Its certificate holds. *)
Definition sheet_accepted (shown : ShownSheet) : Prop :=
  match shown with
  | PlainSheet items certificate _ _ _ _ _ => verify_certificate kzg about items certificate = Ok tt
  | LinkedSheet previous items certificate _ _ _ _ _ _ _ _ => verify_linked_certificate kzg about previous items certificate = Ok tt
  end.

(** The polynomials are those under the points. *)
Definition sheet_known (shown : ShownSheet) : Prop :=
  match shown with
  | PlainSheet items certificate sheet masks q w w' => sheet_committed kzg items sheet /\ certificate_committed kzg certificate masks q w w'
  | LinkedSheet previous items certificate sheet masks before mask q w w' _ =>
      sheet_committed kzg items sheet /\ linked_committed kzg previous certificate masks before mask q w w'
  end.

(** The row before is a row. *)
Definition link_known (shown : ShownSheet) : Prop :=
  match shown with
  | PlainSheet _ _ _ _ _ _ _ => True
  | LinkedSheet previous _ _ _ _ before _ _ _ _ row => row_before previous before = scalar_of_N row /\ row < 2 ^ 64
  end.

(** A polynomial is handed over that is not 0 and vanishes at tau, or the challenges are counted (Certificates.v, LinkedCertificates.v). *)
Definition sheet_broken (shown : ShownSheet) : Prop :=
  match shown with
  | PlainSheet items certificate sheet masks q w w' =>
      let drawn := drawn_challenges about items certificate in
      let gammas := drawn_gammas about items certificate in
      let z := drawn_fold_point about items certificate in
      finds_tau kzg (certificate_break about items drawn certificate sheet masks q gammas z w w') = true \/
      certificate_counted about items drawn certificate sheet masks q gammas w z = true
  | LinkedSheet previous items certificate sheet masks before mask q w w' _ =>
      let drawn := link_challenges about previous items certificate in
      let gammas := link_gammas about previous items certificate in
      let z := link_fold_point about previous items certificate in
      finds_tau kzg (link_break about previous items drawn certificate sheet masks before mask q gammas z w w') = true \/
      linked_counted about previous items drawn certificate sheet masks before mask q gammas w z = true
  end.

(** The rows of a segment, and what is known under its record. *)
Definition sheet_rows (shown : ShownSheet) (k : N) : list N :=
  match shown with
  | PlainSheet items _ _ masks _ _ _ => certified_rows about items masks k
  | LinkedSheet _ items _ _ masks _ _ _ _ _ row => linked_rows about items masks row k
  end.
Definition sheet_polynomials (shown : ShownSheet) : SheetPolynomials :=
  match shown with PlainSheet _ _ sheet _ _ _ _ => sheet | LinkedSheet _ _ _ sheet _ _ _ _ _ _ _ => sheet end.
Definition sheet_under (shown : ShownSheet) (k : N) : KnownRun :=
  {| run_values := values_under (sheet_polynomials shown) k; run_sums := fun p => sums_under (sheet_polynomials shown) p k; run_rows := sheet_rows shown k |}.

(** The first row of a linked sheet is at least the row before. *)
Definition link_kept (shown : ShownSheet) : Prop :=
  match shown with PlainSheet _ _ _ _ _ _ _ => True | LinkedSheet _ _ _ _ _ _ _ _ _ _ row => row <= hd 0 (sheet_rows shown 0) end.

Hypothesis differ : numbers_differ (2 ^ 128).
Hypothesis bits_few : about_bits about <= 64.
Hypothesis cap_few : about_cap about < 2 ^ 64.

Lemma cap_small : about_cap about < 2 ^ 128.
Proof. eapply N.lt_trans; [exact cap_few|reflexivity]. Qed.

Lemma records_certified : forall items sheet rows k, legal_parts about items -> sheet_committed kzg items sheet -> k < seq_length items ->
  seq_length rows = record_rows (item_record (seq_at items k)) -> segment_certified about items sheet k rows ->
  record_certified kzg (about_cap about) (about_moments about) (item_record (seq_at items k))
    {| run_values := values_under sheet k; run_sums := fun p => sums_under sheet p k; run_rows := rows |}.
Proof.
  intros items sheet rows k [_ _ sums laid] committed K L C. pose proof (seq_at_in _ _ items k K) as I.
  destruct (Spec.Table.Sheet.laid_out_each _ _ _ _ laid I) as (log & _). unfold record_certified. cbv zeta. rewrite log. cbn [run_values run_sums run_rows].
  destruct (committed k K) as [V S]. split; [exact V|]. split; [|split; [exact L|exact C]]. intros p P. apply S. now rewrite (sums _ I).
Qed.

Theorem sheet_decided : forall shown, sheet_accepted shown -> sheet_known shown -> link_known shown ->
  ((forall k, k < seq_length (sheet_items shown) ->
     record_certified kzg (about_cap about) (about_moments about) (sheet_record shown k) (sheet_under shown k)) /\ link_kept shown) \/
  sheet_broken shown.
Proof.
  intros [items certificate sheet masks q w w'|previous items certificate sheet masks before mask q w w' row] accepted known link;
    cbn [sheet_accepted sheet_known link_known] in accepted, known, link; destruct known as [committed points].
  - assert (parts : legal_parts about items).
    { pose proof accepted as A. unfold verify_certificate in A. cbv zeta in A. now apply accepted_parts in A. }
    destruct (Theorems.Certificates.certificate_sound kzg about items certificate sheet masks q w w' differ bits_few cap_small committed points accepted)
      as [certified|broken]; [left; split; [|exact I]|right; exact broken].
    intros k K. destruct (certified k K) as [L C]. exact (records_certified items sheet _ k parts committed K L C).
  - destruct link as [link small].
    assert (parts : legal_parts about items).
    { pose proof accepted as A. unfold verify_linked_certificate, verify_linked_drawn in A. cbv zeta in A.
      destruct (linked_sheet_legal _ _ _ _) eqn:legal in A; cbn [negb] in A; [|discriminate]. now apply linked_sheet_parts in legal. }
    destruct (Theorems.LinkedCertificates.linked_certificate_sound kzg about previous items certificate sheet masks before mask q w w' row differ bits_few
      cap_small committed points link small accepted) as [[certified first]|broken]; [left; split; [|exact first]|right; exact broken].
    intros k K. destruct (certified k K) as [L C]. exact (records_certified items sheet _ k parts committed K L C).
Qed.

(** ** Runs *)

(** The next segment of a run is the first of a sheet that is linked to the one before. *)
Definition follows (shown : ShownSheet) (k : N) (next : ShownSheet) (j : N) : Prop :=
  j = 0 /\
  match next with
  | PlainSheet _ _ _ _ _ _ _ => False
  | LinkedSheet previous _ _ _ _ before _ _ _ _ row =>
      previous = sheet_record shown k /\ before = values_under (sheet_polynomials shown) k /\ row = last (sheet_rows shown k) 0
  end.
Fixpoint chained (segments : list (ShownSheet * N)) : Prop :=
  match segments with
  | [] => True
  | (shown, k) :: rest => match rest with [] => True | (next, j) :: _ => follows shown k next j end /\ chained rest
  end.

Lemma last_row_before : forall record under, record_certified kzg (about_cap about) (about_moments about) record under ->
  run_record_legal record (about_moments about) = true ->
  row_before record (run_values under) = scalar_of_N (last (run_rows under) 0) /\ last (run_rows under) 0 < 2 ^ 64.
Proof.
  intros record under (_ & _ & many & stands) legal. apply legal_record in legal as (_ & some & _ & inside & _).
  assert (E : last (run_rows under) 0 = seq_at (run_rows under) (record_rows record - 1)).
  { rewrite <- many in *. revert some. generalize (run_rows under). induction l as [|x l IH]; intros L; [rewrite seq_length_nil in L; lia|].
    destruct l as [|y l]; [reflexivity|]. change (last (x :: y :: l) 0) with (last (y :: l) 0). rewrite IH by (rewrite seq_length_cons; lia). rewrite !seq_length_cons.
    replace (seq_length l + 1 + 1 - 1) with (seq_length l + 1 - 1 + 1) by lia. now rewrite seq_at_cons_succ. }
  destruct stands as [_ capped values _]. split.
  - unfold row_before, last_row_position. rewrite (proj2 (N.leb_le _ _) some).
    specialize (values (record_first record + record_rows record - 1) ltac:(lia)). cbv beta in values. rewrite values. f_equal. unfold row_at. rewrite many.
    rewrite (proj2 (N.leb_le _ _)) by lia. rewrite (proj2 (N.ltb_lt _ _)) by lia. cbn [andb]. rewrite E. f_equal. lia.
  - rewrite E. rewrite Forall_forall in capped. eapply N.le_lt_trans; [apply capped, seq_at_in; lia|exact cap_few].
Qed.

Lemma chain_decided : forall segments,
  Forall (fun '(shown, k) => sheet_accepted shown /\ sheet_known shown /\ k < seq_length (sheet_items shown) /\
    run_record_legal (sheet_record shown k) (about_moments about) = true) segments ->
  match segments with [] => True | (shown, _) :: _ => link_known shown end -> chained segments ->
  (Forall (fun '(shown, k) => record_certified kzg (about_cap about) (about_moments about) (sheet_record shown k) (sheet_under shown k) /\ link_kept shown)
    segments /\ continued (map (fun '(shown, k) => sheet_rows shown k) segments)) \/
  exists shown k, In (shown, k) segments /\ sheet_broken shown.
Proof.
  induction segments as [|[shown k] rest IH]; intros each first linked; [left; repeat constructor|].
  apply Forall_cons_iff in each as [here others]. cbv beta iota in here. destruct here as (accepted & known & K & legal). destruct linked as [next linked].
  destruct (sheet_decided shown accepted known first) as [[certified kept]|broken]; [|right; exists shown, k; split; [now left|exact broken]].
  specialize (certified k K). destruct rest as [|[other j] rest]; [left; split; [constructor; [split; assumption|constructor]|cbn; auto]|].
  pose proof (last_row_before _ _ certified legal) as before. cbn [sheet_under run_values run_rows] in before.
  assert (link : link_known other).
  { destruct next as [_ next]. destruct other as [|previous items certificate sheet masks values mask q w w' row]; [destruct next|].
    destruct next as (-> & -> & ->). exact before. }
  destruct (IH others link linked) as [[good cont]|(broken & m & J & B)]; [left|right; exists broken, m; split; [now right|exact B]].
  split; [constructor; [split; assumption|exact good]|]. cbn [map continued] in cont |- *. split; [|exact cont].
  apply Forall_cons_iff in good as [here _]. cbv beta iota in here. destruct here as [_ kept']. destruct next as [-> next].
  destruct other as [|previous items certificate sheet masks values mask q w w' row]; [destruct next|]. destruct next as (_ & _ & ->). exact kept'.
Qed.

(** A segment of a run, with its sheet and its place there. *)
Record ShownSegment : Type := {
  shown_piece : RunPiece;
  shown_sheet : ShownSheet;
  shown_place : N;
}.
Definition shown_places (segments : list ShownSegment) : list (ShownSheet * N) := map (fun segment => (shown_sheet segment, shown_place segment)) segments.

(** What is checked of a run: its segments are the head's first one and further ones that add up with it to the head; each stands in a sheet
    whose certificate holds, and continues the one before; and the pieces that the answer shows are among them. Where the head stands in a
    sheet that continues another run, that run's last row is one. *)
Definition run_shown (segments : list ShownSegment) (run : LongRun) : Prop :=
  exists further, map shown_piece segments = first_piece (long_head run) :: further /\
    check_extent (extent_of_first (long_head run)) (about_moments about) further (long_head run) = Ok tt /\
    Forall (fun segment => sheet_record (shown_sheet segment) (shown_place segment) = piece_record (shown_piece segment) /\
      shown_place segment < seq_length (sheet_items (shown_sheet segment)) /\ sheet_accepted (shown_sheet segment) /\ sheet_known (shown_sheet segment)) segments /\
    match segments with [] => True | segment :: _ => link_known (shown_sheet segment) end /\
    chained (shown_places segments) /\
    forall i, i < seq_length (long_pieces run) ->
      let piece := seq_at (long_pieces run) i in
      piece_number piece < seq_length segments /\ piece = seq_at (map shown_piece segments) (piece_number piece).

(** What is known of the segments. *)
Definition known_segment (segment : ShownSegment) : KnownSegment :=
  {| segment_piece := shown_piece segment; segment_under := sheet_under (shown_sheet segment) (shown_place segment) |}.

Lemma known_pieces : forall segments number, number < seq_length segments ->
  seq_at (map shown_piece segments) number = segment_piece (seq_at (map known_segment segments) number).
Proof.
  induction segments as [|segment segments IH]; intros number L; [rewrite seq_length_nil in L; lia|]. rewrite seq_length_cons in L. cbn [map].
  destruct (N.eq_dec number 0) as [->|D]; [reflexivity|]. replace number with (number - 1 + 1) by lia. rewrite !seq_at_cons_succ. apply IH. lia.
Qed.

Theorem shown_run_certified : forall (segments : RunPlace -> list ShownSegment) (run : LongRun),
  let known place := map known_segment (segments place) in
  long_head_legal (long_head run) (about_moments about) = true -> run_shown (segments (long_place run)) run ->
  (long_run_certified kzg known (about_cap about) (about_moments about) run /\ pieces_are_segments known run) \/
  exists segment, In segment (segments (long_place run)) /\ sheet_broken (shown_sheet segment).
Proof.
  intros segments run known legal (further & pieces & extent & each & first & linked & among). set (mine := segments (long_place run)) in *.
  assert (legal_all : forall segment, In segment mine -> run_record_legal (piece_record (shown_piece segment)) (about_moments about) = true).
  { intros segment I. apply (in_map shown_piece) in I. rewrite pieces in I. destruct I as [<-|I]; [now apply (legal_long_head (about_moments about) run)|].
    unfold check_extent in extent. destruct (extent_with_pieces _ _ _) as [found|] eqn:E; [|discriminate]. apply extent_pieces_legal in E.
    rewrite Forall_forall in E. now apply E. }
  rewrite Forall_forall in each. destruct (chain_decided (shown_places mine)) as [[certified cont]|(sheet & k & I & broken)].
  - unfold shown_places. apply Forall_map, Forall_forall. intros segment I. destruct (each segment I) as (record & K & accepted & known_sheet).
    split; [exact accepted|]. split; [exact known_sheet|]. split; [exact K|]. rewrite record. now apply legal_all.
  - unfold shown_places. destruct mine as [|segment rest]; [exact I|exact first].
  - exact linked.
  - left. assert (known_is : known (long_place run) = map known_segment mine) by reflexivity. split.
    + exists further. rewrite known_is, !map_map. split; [exact pieces|]. split; [exact extent|]. split.
      * apply Forall_map, Forall_forall. intros segment I. unfold shown_places in certified. apply Forall_map in certified. rewrite Forall_forall in certified.
        specialize (certified segment I). cbv beta iota in certified. destruct (each segment I) as (record & _). cbn [known_segment segment_piece segment_under].
        rewrite <- record. apply certified.
      * unfold shown_places in cont. rewrite map_map in cont. exact cont.
    + intros i L. cbv zeta. rewrite known_is. destruct (among i L) as [K E]. cbv zeta in K, E. split; [unfold seq_length in *; now rewrite map_length|].
      rewrite E at 1. now apply known_pieces.
  - right. unfold shown_places in I. apply in_map_iff in I as (segment & E & I). injection E as <- <-. exists segment. auto.
Qed.

End CertifiedRuns.
