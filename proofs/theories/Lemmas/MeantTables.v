(** What accepted certificates mean for kept runs: their segments are certified, each continues the one before.

    A keeper of the algebraic group model knows one polynomial under each commitment ([under]).

    - [certificate_meant]: what an accepted certificate says of the polynomials under its records;
    - [plain_certificate_meant], [linked_certificate_meant]: that it does, or it is broken, or its challenges are counted;
    - [linked_run_certified], [kept_run_certified]: a run whose segments stand in sheets, each linked to the one before, and so a kept one,
      has certified segments that continue each other. *)
From Coq Require Import NArith List Bool Lia Sorted.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening Dictionary.KeyMap
  Table.DomainValues Table.TableSchema Table.TableKey Table.TablePolicy Table.RunRecord Table.RunSegments Table.Sheet Table.CertificateTranscript
    Table.Certificate
  Table.LinkedCertificate Table.LongRuns Policy.TableSheets Policy.TableMade Policy.Tables.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Lemmas.Polynomials Lemmas.Batch Spec.Commitment.FoldedOpening Lemmas.FoldedSound
  Lemmas.SheetRelations
  Spec.Table.Certificate Lemmas.CertificateRelations Lemmas.CertificateSound Spec.Table.LinkedCertificate Lemmas.LinkedSound Lemmas.LinkedOthers
    Lemmas.LinkedRuns
  Lemmas.TableAnswerSound Lemmas.LongRunsSound Lemmas.TableHeads Lemmas.JudgedRuns Lemmas.KeptRuns.
From Aardvark Require Spec.Table.Sheet Lemmas.LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section MeantTables.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Variables (dictionary : ByteString) (setup : KzgSetup) (curve : ByteString -> G1).

(** The polynomial that is known under a commitment. *)
Variable under : G1 -> list Scalar.

Definition known_under (record : RunRecord) (rows : list N) : KnownRun :=
  {| run_values := under (held_element (record_values record)); run_sums := fun p => under (held_element (seq_at (record_sums record) p)); run_rows :=
    rows |}.

Definition polynomials_of (items : list SheetItem) : SheetPolynomials :=
  {| values_under := fun k => under (held_element (record_values (item_record (seq_at items k))));
     sums_under := fun p k => under (held_element (seq_at (record_sums (item_record (seq_at items k))) p)) |}.

(** Segment [k] of a sheet has these rows. *)
Definition item_meant (about : CertificateAbout) (items : list SheetItem) (k : N) (rows : list N) : Prop :=
  seq_length rows = record_rows (item_record (seq_at items k)) /\ segment_certified about items (polynomials_of items) k rows.

Definition certificate_meant (accepted : AcceptedCertificate) : Prop :=
  let about := table_sheet_about (fst accepted) in
  let items := table_sheet_items (fst accepted) in
  sheet_committed setup items (polynomials_of items) /\
  (forall k, k < seq_length items -> k <> 0 \/ table_sheet_link (fst accepted) = None -> exists rows, item_meant about items k rows) /\
  forall previous row, table_sheet_link (fst accepted) = Some previous -> row < 2 ^ 64 ->
    row_before previous (under (held_element (record_values previous))) = scalar_of_N row ->
    exists rows, item_meant about items 0 rows /\ row <= hd 0 rows.

(** ** That they mean so *)

Theorem plain_certificate_meant : forall sheet shown masks q w w',
  let about := table_sheet_about sheet in
  let items := table_sheet_items sheet in
  let drawn := drawn_challenges about items shown in
  let gammas := drawn_gammas about items shown in
  let z := drawn_fold_point about items shown in
  numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 ->
  sheet_committed setup items (polynomials_of items) -> certificate_committed setup shown masks q w w' ->
  table_sheet_link sheet = None -> verify_certificate setup about items shown = Ok tt ->
  certificate_meant (sheet, CertificateMeaning_CertificatePlain shown) \/
  finds_tau setup (certificate_break about items drawn shown (polynomials_of items) masks q gammas z w w') = true \/
  certificate_counted about items drawn shown (polynomials_of items) masks q gammas w z = true.
Proof.
  cbv zeta. intros sheet shown masks q w w' differ bits cap known committed plain accepted.
  destruct (accepted_certificate_decided _ _ _ shown (polynomials_of (table_sheet_items sheet)) masks q setup _ _ w w' differ bits cap known committed
    accepted)
    as [certified | other]; [left | now right].
  split; [exact known |]. cbn [fst]. split.
  - intros k K _. eexists. exact (certified k K).
  - intros previous row L. rewrite plain in L. discriminate.
Qed.

(** The polynomials that are known of a linked certificate do not depend on the row before. *)
Theorem linked_certificate_meant : forall sheet previous shown masks mask q w w',
  let about := table_sheet_about sheet in
  let items := table_sheet_items sheet in
  let before := under (held_element (record_values previous)) in
  let drawn := link_challenges about previous items shown in
  let gammas := link_gammas about previous items shown in
  let z := link_fold_point about previous items shown in
  numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 ->
  sheet_committed setup items (polynomials_of items) -> linked_committed setup previous shown masks before mask q w w' ->
  table_sheet_link sheet = Some previous -> verify_linked_certificate setup about previous items shown = Ok tt ->
  certificate_meant (sheet, CertificateMeaning_CertificateLinked shown) \/
  finds_tau setup (link_break about previous items drawn shown (polynomials_of items) masks before mask q gammas z w w') = true \/
  linked_counted about previous items drawn shown (polynomials_of items) masks before mask q gammas w z = true.
Proof.
  cbv zeta. intros sheet previous shown masks mask q w w' differ bits cap known committed linked accepted.
  destruct (linked_counted _ _ _ _ _ _ _ _ _ _ _ _ _) eqn:C; [now right; right |].
  destruct (finds_tau _ _) eqn:T; [now right; left | left].
  rewrite verify_linked_is_drawn in accepted. split; [exact known |]. cbn [fst]. split.
  - intros k K first. destruct first as [first | plain]; [| rewrite linked in plain; discriminate].
    destruct (accepted_link_others _ _ _ _ _ _ _ _ _ _ setup _ _ w w' differ bits cap known committed accepted) as [others | [broken | counted]].
    + eexists. apply others; [lia | exact K].
    + rewrite T in broken. discriminate.
    + rewrite C in counted. discriminate.
  - intros previous' row L small row_is. rewrite linked in L. injection L as <-.
    destruct (accepted_link_decided _ _ _ _ _ _ _ _ _ _ setup _ _ w w' row differ bits cap known committed row_is small accepted) as [[certified first]
      | [broken | counted]].
    + destruct (linked_accepted_parts _ _ _ _ _ _ _ _ accepted) as ((_ & _ & some) & _). eexists. split; [exact (certified 0 ltac:(lia)) |].
      revert first. generalize (linked_rows (table_sheet_about sheet) (table_sheet_items sheet) masks row 0). intros [| x l]; exact (fun H => H).
    + rewrite T in broken. discriminate.
    + rewrite C in counted. discriminate.
Qed.

(** ** Kept runs *)

Lemma holds_legal : forall sheet meaning, sheet_holds setup sheet meaning = true -> legal_parts (table_sheet_about sheet) (table_sheet_items sheet) /\
  (table_sheet_link sheet <> None -> forall rest item, table_sheet_items sheet = item :: rest -> 1 <= item_segment item).
Proof.
  intros sheet meaning E. unfold sheet_holds in E. destruct (table_sheet_link sheet) as [previous |] eqn:L.
  - destruct meaning as [| | shown]; try discriminate. destruct (verify_linked_certificate _ _ _ _ _) as [[] |] eqn:V; [| discriminate].
    rewrite verify_linked_is_drawn in V. pose proof V as V'. destruct (linked_accepted_parts _ _ _ _ _ _ _ _ V) as ((parts & _) & _). split; [exact parts |].
    intros _ rest item Q. unfold verify_linked_drawn in V'. cbv zeta in V'. destruct (linked_sheet_legal _ _ _ _) eqn:G; [| discriminate]. clear V V'.
    unfold linked_sheet_legal in G. rewrite !andb_true_iff in G. destruct G as [[[_ G] _] _]. rewrite Q in G. unfold linked_items_legal in G.
    rewrite LoopLemmas.seq_length_cons, LoopLemmas.range_cons in G by lia. cbn [fold_left] in G. change (seq_at (item :: rest) 0) with item in G.
    destruct (linked_items_legal_step true _ item 0) eqn:S.
    + unfold linked_items_legal_step in S. cbv zeta in S. rewrite !andb_true_iff in S. destruct S as [[_ S] _]. cbn in S. now apply N.leb_le.
    + exfalso. revert G. generalize (range (0 + 1) (seq_length rest + 1)). intros l G.
      assert (stays : forall l, fold_left (fun legal k => linked_items_legal_step legal (about_moments (table_sheet_about sheet)) (seq_at (item ::
        rest) k) k) l false = false).
      { induction l0 as [| x l0 IH]; [reflexivity | exact IH]. }
      rewrite stays in G. discriminate.
  - destruct meaning as [| shown |]; try discriminate. destruct (verify_certificate _ _ _ _) as [[] |] eqn:V; [| discriminate].
    rewrite verify_certificate_is_drawn in V. destruct (accepted_parts _ _ _ _ _ _ _ V) as (parts & _). split; [exact parts |]. intros N. contradiction.
Qed.

(** A segment of a sheet, as its record alone says. *)
Lemma records_certified : forall about items sheet k rows, legal_parts about items -> sheet_committed setup items sheet -> k < seq_length items ->
  seq_length rows = record_rows (item_record (seq_at items k)) -> segment_certified about items sheet k rows ->
  record_certified setup (about_cap about) (about_moments about) (item_record (seq_at items k))
    {| run_values := values_under sheet k; run_sums := fun p => sums_under sheet p k; run_rows := rows |}.
Proof.
  intros about items sheet k rows parts committed K L S. pose proof (LoopLemmas.seq_at_in _ _ items k K) as I.
  destruct (Spec.Table.Sheet.laid_out_each _ _ _ _ (legal_layout _ _ parts) I) as (log & _).
  unfold record_certified. cbv zeta. cbn [run_values run_sums run_rows]. destruct (committed k K) as [V P]. split; [exact V |].
  split; [intros p Lp; apply P; rewrite (legal_sums _ _ parts _ I); exact Lp |]. split; [exact L |]. rewrite log. exact S.
Qed.

Lemma item_certified : forall about items k rows, legal_parts about items -> sheet_committed setup items (polynomials_of items) -> k < seq_length items ->
  item_meant about items k rows ->
  record_certified setup (about_cap about) (about_moments about) (item_record (seq_at items k)) (known_under (item_record (seq_at items k)) rows).
Proof. intros about items k rows parts committed K [L S]. exact (records_certified about items _ k rows parts committed K L S). Qed.

(** The last row of a certified record is the row before a segment that is linked to it. *)
Lemma certified_last : forall cap moments record rows, run_record_legal record moments = true -> record_certified setup cap moments record (known_under
  record rows) ->
  rows <> [] /\ row_before record (under (held_element (record_values record))) = scalar_of_N (last rows 0) /\ last rows 0 <= cap.
Proof.
  intros cap moments record rows legal (_ & _ & L & S). cbn [known_under run_values run_rows] in *.
  apply legal_record in legal as (_ & some & _ & inside & _).
  assert (general : forall l : list N, 1 <= seq_length l -> last l 0 = seq_at l (seq_length l - 1)).
  { clear. induction l as [| x l IH]; intros L; [unfold seq_length in L; cbn in L; lia |]. destruct l as [| y l]; [reflexivity |].
    change (last (x :: y :: l) 0) with (last (y :: l) 0). rewrite IH by (rewrite LoopLemmas.seq_length_cons; lia). rewrite !LoopLemmas.seq_length_cons.
    replace (seq_length l + 1 + 1 - 1) with (seq_length l + 1 - 1 + 1) by lia. now rewrite seq_at_succ. }
  assert (E : last rows 0 = seq_at rows (record_rows record - 1)) by (rewrite <- L; apply general; lia).
  split; [intros ->; unfold seq_length in L; cbn in L; lia |]. split.
  - unfold row_before, last_row_position. destruct (N.leb_spec 1 (record_rows record)); [| lia].
    pose proof (values_are_rows _ _ _ _ _ _ _ S (record_first record + record_rows record - 1) ltac:(lia)) as V. cbv beta in V.
    etransitivity; [exact V |]. f_equal. unfold row_at. rewrite L. rewrite (proj2 (N.leb_le _ _)) by lia. rewrite (proj2 (N.ltb_lt _ _)) by lia. cbn [andb].
    rewrite E. f_equal. lia.
  - rewrite E. pose proof (rows_capped _ _ _ _ _ _ _ S) as C. rewrite Forall_forall in C. apply C, seq_at_in. lia.
Qed.

Lemma continued_more : forall segments rows, continued segments -> (segments <> [] -> last (last segments []) 0 <= hd 0 rows) -> continued (segments ++
  [rows]).
Proof.
  induction segments as [| first segments IH]; intros rows C L; [cbn; auto |]. cbn [app]. destruct segments as [| second segments].
  - cbn. split; [apply (L ltac:(discriminate)) | auto].
  - destruct C as [C1 C2]. split; [exact C1 |]. apply IH; [exact C2 |]. intros _. apply (L ltac:(discriminate)).
Qed.

(** A segment of a run and its rows. *)
Definition known_segment (piece : RunPiece) (rows : list N) : KnownSegment :=
  {| segment_piece := piece; segment_under := known_under (piece_record piece) rows |}.

(** The first segment is in a sheet of an accepted certificate, each other one is the first of a sheet that is linked to the one before, and
    they add up to the head: then they have rows, and continue each other. *)
Theorem linked_run_certified : forall certificates about place head pieces,
  long_head_legal head (about_moments about) = true -> check_extent (extent_of_first head) (about_moments about) pieces head = Ok tt ->
  certified_by setup certificates about (segment_item place (long_revision head) 0 (long_record head)) None ->
  (forall i, i < seq_length pieces -> certified_by setup certificates about
    (segment_item place (long_revision head) (i + 1) (piece_record (seq_at pieces i))) (Some (link_of_piece (long_record head) pieces i))) ->
  Forall certificate_meant certificates -> about_cap about < 2 ^ 64 ->
  exists segments, map segment_piece segments = first_piece head :: pieces /\
    Forall (fun segment => record_certified setup (about_cap about) (about_moments about) (piece_record (segment_piece segment))
      (segment_under segment)) segments /\
    continued (map segment_rows segments).
Proof.
  intros certificates about place head pieces legal_head extent_is begins_so goes_on meant small. set (cap := about_cap about) in *.
  set (moments := about_moments about) in *. rewrite Forall_forall in meant.
  assert (first_legal : run_record_legal (long_record head) moments = true).
  { unfold long_head_legal in legal_head. cbv zeta in legal_head. rewrite !andb_true_iff in legal_head. apply legal_head. }
  pose proof (extent_said _ _ _ _ extent_is) as said.
  assert (legal : forall i, i < seq_length pieces -> run_record_legal (piece_record (seq_at pieces i)) moments = true).
  { revert said. generalize (extent_of_first head) (extent_of_head head). clear.
    induction pieces as [| piece pieces IH]; intros start extent E i Li; [unfold seq_length in Li; cbn in Li; lia |].
    change (piece :: pieces) with ([piece] ++ pieces) in E. rewrite extent_app in E. destruct (extent_with_pieces start moments [piece]) as [between |]
      eqn:E1; [| discriminate].
    destruct (N.eq_dec i 0) as [-> | D].
    - rewrite seq_at_zero. destruct (run_record_legal (piece_record piece) moments) eqn:R; [reflexivity |].
      change (extent_with_pieces_step (Ok start) moments piece = Ok between) in E1. unfold extent_with_pieces_step in E1. rewrite R in E1. discriminate.
    - rewrite LoopLemmas.seq_length_cons in Li. replace i with (i - 1 + 1) by lia. rewrite seq_at_succ. exact (IH _ _ E (i - 1) ltac:(lia)). }
  (* The first segment. *)
  assert (begins : exists rows, record_certified setup cap moments (long_record head) (known_under (long_record head) rows)).
  { destruct begins_so as (sheet & meaning & I & holds & about_is & inside).
    destruct (holds_legal _ _ holds) as [parts linked]. destruct (meant _ I) as (committed & each & _). cbn [fst] in *.
    apply in_seq_at in inside as (k & Lk & Q). destruct (each k Lk) as (rows & M).
    - destruct (table_sheet_link sheet) as [previous |] eqn:Ln; [left | now right]. intros ->.
      destruct (table_sheet_items sheet) as [| item rest] eqn:Li; [unfold seq_length in Lk; cbn in Lk; lia |].
      pose proof (linked ltac:(discriminate) rest item eq_refl) as number. rewrite seq_at_zero in Q. rewrite Q in number. cbn in number. lia.
    - exists rows. pose proof (item_certified _ _ k rows parts committed Lk M) as C. rewrite about_is, Q in C. exact C. }
  (* One segment more. *)
  assert (grows : forall n, n <= seq_length pieces -> exists segments, map segment_piece segments = first_piece head :: firstn (N.to_nat n) pieces /\
    Forall (fun segment => record_certified setup cap moments (piece_record (segment_piece segment)) (segment_under segment) /\
      exists rows, segment_under segment = known_under (piece_record (segment_piece segment)) rows) segments /\ continued (map segment_rows segments)).
  { induction n as [| n IH] using N.peano_ind; intros Ln.
    - destruct begins as (rows & C). exists [known_segment (first_piece head) rows]. split; [reflexivity |]. split; [| cbn; auto].
      constructor; [| constructor]. split; [exact C | now exists rows].
    - destruct (IH ltac:(lia)) as (segments & M & C & linked). destruct segments as [| last segments _] using rev_ind; [discriminate |].
      pose proof (proj2 (proj1 (Forall_app _ _ _) C)) as Cl. apply Forall_inv in Cl as [Cl (rows & Ul)]. rewrite map_app in M. cbn [map] in M.
      assert (record : piece_record (segment_piece last) = link_of_piece (long_record head) pieces n /\ run_record_legal (link_of_piece (long_record
        head) pieces n) moments = true).
      { unfold link_of_piece. destruct (N.eqb_spec n 0) as [-> | D].
        - change (firstn (N.to_nat 0) pieces) with (@nil RunPiece) in M. change [first_piece head] with ([] ++ [first_piece head]) in M.
          apply app_inj_tail in M as [_ ->]. split; [reflexivity | exact first_legal].
        - assert (Q : firstn (N.to_nat n) pieces = firstn (N.to_nat (n - 1)) pieces ++ [seq_at pieces (n - 1)]).
          { unfold seq_at, seq_length in *. replace (N.to_nat n) with (S (N.to_nat (n - 1))) by lia.
            assert (Lm : (N.to_nat (n - 1) < length pieces)%nat) by lia. revert Lm. generalize (N.to_nat (n - 1)). clear. intros m.
            revert pieces. induction m as [| m IH]; intros [| x pieces] Lm; cbn [length] in Lm; try lia; [reflexivity |].
            cbn [firstn nth app]. f_equal. apply IH. lia. }
          rewrite Q, app_comm_cons in M. apply app_inj_tail in M as [_ ->]. split; [reflexivity | apply legal; lia]. }
      destruct record as [record legal_last]. rewrite Ul in Cl. rewrite record in Cl.
      destruct (certified_last _ _ _ _ legal_last Cl) as (_ & before & capped).
      destruct (goes_on n ltac:(lia)) as (sheet & meaning & I & holds & about_is & link & rest & Q).
      destruct (holds_legal _ _ holds) as [parts _]. destruct (meant _ I) as (committed & _ & each). cbn [fst] in *.
      destruct (each _ (List.last rows 0) link ltac:(lia) before) as (rows' & Mr & above).
      assert (some : 0 < seq_length (table_sheet_items sheet)) by (rewrite Q, LoopLemmas.seq_length_cons; lia).
      pose proof (item_certified _ _ 0 rows' parts committed some Mr) as C'. rewrite about_is, Q in C'. rewrite seq_at_zero in C'. cbn [segment_item
        item_record] in C'.
      exists ((segments ++ [last]) ++ [known_segment (seq_at pieces n) rows']). split; [| split].
      + rewrite !map_app. cbn [map known_segment segment_piece].
        assert (Qn : firstn (N.to_nat (N.succ n)) pieces = firstn (N.to_nat n) pieces ++ [seq_at pieces n]).
        { unfold seq_at, seq_length in *. rewrite Nnat.N2Nat.inj_succ. assert (Lm : (N.to_nat n < length pieces)%nat) by lia. revert Lm. generalize
          (N.to_nat n). clear. intros m.
          revert pieces. induction m as [| m IH]; intros [| x pieces] Lm; cbn [length] in Lm; try lia; [reflexivity |].
          cbn [firstn nth app]. f_equal. apply IH. lia. }
        rewrite Qn, app_comm_cons, <- M. reflexivity.
      + apply Forall_app. split; [exact C |]. constructor; [| constructor]. split; [exact C' | now exists rows'].
      + rewrite map_app. cbn [map]. apply continued_more; [exact linked |]. intros _. rewrite map_app. cbn [map]. rewrite last_last.
        unfold segment_rows at 1. rewrite Ul. exact above. }
  destruct (grows (seq_length pieces) ltac:(lia)) as (segments & M & C & linked). exists segments. split; [| split; [| exact linked]].
  - rewrite M. f_equal. apply firstn_all2. unfold seq_length. lia.
  - eapply Forall_impl; [| exact C]. intros segment [H _]. exact H.
Qed.

Theorem kept_run_certified : forall certificates entries table s place content head pieces,
  run_kept dictionary setup curve certificates entries table s place content head pieces -> Forall certificate_meant certificates ->
  column_cap s (place_column place) < 2 ^ 64 ->
  exists segments, map segment_piece segments = first_piece head :: pieces /\
    Forall (fun segment => record_certified setup (column_cap s (place_column place)) (column_moments s (place_column place))
      (piece_record (segment_piece segment)) (segment_under segment)) segments /\
    continued (map segment_rows segments).
Proof.
  intros certificates entries table s place content head pieces [] meant small.
  exact (linked_run_certified certificates (about_table_column dictionary table s (place_column place)) place head pieces kept_legal kept_extent kept_first
    kept_linked meant small).
Qed.

End MeantTables.
