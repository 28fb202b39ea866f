(** Theorems for auditors: runs of several segments, each certified and linked to the one before.

    A certificate that begins its runs says what Certificates.v says. A linked one says the same of all segments of its sheet, and that the first
    row of the first one is at least the last row of the segment before, whose record is in its statement. So segments of which each is
    certified, the first without a link and the others with one, are one ascending list of rows, and what a head is checked against are its
    counts and its sums.

    To understand a statement of this file you need this file, the generated definitions, what Certificates.v names, and of
    Spec/Table/LinkedCertificate.v [linked_committed] and the drawn challenges, of Lemmas/LinkedSound.v [row_before], [linked_rows], [link_break]
    and the counted challenges, of Lemmas/LinkedRuns.v [continued], [rows_certified], [rows_of_pieces], [sums_of_pieces]. What is assumed of a
    prover is the algebraic group model, as there.

    - [linked_certificate_sound]: an accepted linked certificate says so of the polynomials under its commitments; or it hands over a polynomial
      that vanishes at tau, or its challenges are counted.
    - [certified_row_before]: the row before is the last one that the certificate of the segment before certifies.
    - [counted_link_betas_few], [counted_link_zetas_few], [counted_link_openings_few]: few challenges are counted; of the ρ those of Certificates.v.
    - [linked_segments_are_a_run], [row_by_rank]: linked segments are one run.
    - [extent_adds_up]: what a run's head and further segments are judged by: numbers and ranks are those of the segments in their order,
      rows and commitments to sums are totals. *)
From Coq Require Import NArith List Bool Lia Sorted.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate Table.LinkedCertificate Table.RunSegments.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Lemmas.Polynomials Lemmas.Batch Spec.Commitment.FoldedOpening Lemmas.FoldedSound
  Lemmas.SheetRelations Spec.Table.Certificate Lemmas.CertificateRelations Lemmas.CertificateSound Lemmas.CertificateCounts
  Spec.Table.LinkedCertificate Lemmas.LinkedSound Lemmas.LinkedRuns.
From Aardvark Require Lemmas.LinkedCounts.
Import ListNotations.
Local Open Scope N_scope.

Section LinkedCertificates.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** The certificate that [verify_linked_certificate] accepts, under the challenges that it draws; [before] is the polynomial under the values of
    the segment before, whose last row is the integer [row]. *)
Theorem linked_certificate_sound (setup : KzgSetup) (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (shown : LinkedCertificate)
    (sheet : SheetPolynomials) (masks : MaskPolynomials) (before mask q w w' : list Scalar) (row : N) :
  let drawn := link_challenges about previous items shown in
  let gammas := link_gammas about previous items shown in
  let z := link_fold_point about previous items shown in
  let rows := linked_rows about items masks row in
  numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 ->
  sheet_committed setup items sheet -> linked_committed setup previous shown masks before mask q w w' ->
  row_before previous before = scalar_of_N row -> row < 2 ^ 64 ->
  verify_linked_certificate setup about previous items shown = Ok tt ->
  ((forall k, k < seq_length items -> seq_length (rows k) = record_rows (item_record (seq_at items k)) /\ segment_certified about items sheet k (rows k)) /\
    row <= hd 0 (rows 0)) \/
  finds_tau setup (link_break about previous items drawn shown sheet masks before mask q gammas z w w') = true \/
  linked_counted about previous items drawn shown sheet masks before mask q gammas w z = true.
Proof.
  cbv zeta. intros differ bits cap sheet_known known row_is small accepted.
  destruct (accepted_link_decided about previous items _ shown sheet masks before mask q setup _ _ w w' row differ bits cap sheet_known known row_is small accepted)
    as [[certified first] | other]; [left | now right]. split; [exact certified |]. revert first. generalize (linked_rows about items masks row 0).
  intros [| x l]; exact (fun H => H).
Qed.

(** What is certified of the segment before, with a link or without, says which row that is. *)
Theorem certified_row_before (about : CertificateAbout) (items : list SheetItem) (sheet : SheetPolynomials) (k : N) (rows : list N) :
  let previous := item_record (seq_at items k) in
  record_log previous = sheet_log items -> 1 <= record_rows previous ->
  record_first previous + record_rows previous <= guard_position (sheet_size (sheet_log items)) ->
  seq_length rows = record_rows previous -> segment_certified about items sheet k rows ->
  row_before previous (values_under sheet k) = scalar_of_N (last rows 0) /\ last rows 0 <= about_cap about.
Proof.
  cbv zeta. intros log some inside many [ascend capped values _].
  assert (E : last rows 0 = seq_at rows (record_rows (item_record (seq_at items k)) - 1)).
  { assert (general : forall l : list N, 1 <= seq_length l -> last l 0 = seq_at l (seq_length l - 1)).
    { clear. induction l as [| x l IH]; intros L; [unfold seq_length in L; cbn in L; lia |]. destruct l as [| y l]; [reflexivity |].
      change (last (x :: y :: l) 0) with (last (y :: l) 0). rewrite IH by (rewrite seq_length_cons; lia). rewrite !seq_length_cons.
      replace (seq_length l + 1 + 1 - 1) with (seq_length l + 1 - 1 + 1) by lia. now rewrite seq_at_succ. }
    rewrite <- many. apply general. lia. }
  split.
  - unfold row_before, last_row_position. rewrite log. destruct (N.leb_spec 1 (record_rows (item_record (seq_at items k)))); [| lia].
    specialize (values (record_first (item_record (seq_at items k)) + record_rows (item_record (seq_at items k)) - 1) ltac:(lia)).
    unfold sheet_value in values. etransitivity; [exact values |]. f_equal. unfold row_at, first_of, Sheet.begins. rewrite many.
    rewrite (proj2 (N.leb_le _ _)) by lia. rewrite (proj2 (N.ltb_lt _ _)) by lia. cbn [andb]. rewrite E. f_equal. lia.
  - rewrite E. rewrite Forall_forall in capped. apply capped, seq_at_in. lia.
Qed.

(** ** How many challenges are counted *)

Section Counted.

Variables (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (sheet : SheetPolynomials) (masks : MaskPolynomials).
Variables (before mask : list Scalar).
Let n : N := sheet_size (sheet_log items).
Let n' : N := sheet_size (record_log previous).

(** At most a 1 / |s| part of the β, whatever the ρ and the points of the first message. *)
Theorem counted_link_betas_few (rhos s : list Scalar) : NoDup s ->
  let all := choices s (N.to_nat (relations about)) in
  (length (filter (link_betas_counted about previous items sheet masks before mask rhos) all) * length s <= 1 * length all)%nat.
Proof. apply LinkedCounts.counted_link_betas_few. Qed.

(** The sizes that legal sheets have; polynomials have at most [d] coefficients. *)
Hypothesis size_legal : 8 <= n /\ 4096 mod n = 0.
Hypothesis previous_legal : 8 <= n' /\ 4096 mod n' = 0.
Hypothesis moments_few : about_moments about <= 3.
Variables (d : nat) (q : list Scalar).
Hypothesis some_coefficient : (1 <= d)%nat.
Hypothesis known_sheet : sheet_short sheet d.
Hypothesis known_masks : masks_short d masks.
Hypothesis others_short : (length q <= d)%nat /\ (length before <= d)%nat /\ (length mask <= d)%nat.

(** At most 3 d + 2 N + N' of the ζ, whatever comes before. *)
Theorem counted_link_zetas_few (rhos betas s : list Scalar) : NoDup s ->
  (length (filter (link_zeta_counted about previous items sheet masks before mask q rhos betas) s) <= 3 * d + 2 * N.to_nat n + N.to_nat n')%nat.
Proof. apply LinkedCounts.counted_link_zetas_few; assumption. Qed.

(** And of the fold's challenges, where a claim is false, at most a (d + bits + 5) / |s| part. *)
Theorem counted_link_openings_few (drawn : CertificateChallenges) (shown : LinkedCertificate) (s : list Scalar) (prover : list Scalar -> list Scalar) :
  NoDup s -> (forall gammas, (length (prover gammas) <= d)%nat) -> seq_length (certificate_bits (linked_body shown)) = about_bits about ->
  let all := list_prod (choices s (N.to_nat (about_bits about) + 4)) s in
  (length (filter (fun '(gammas, z) => link_opening_counted about previous items drawn shown sheet masks before mask q gammas (prover gammas) z) all) * length s
  <= (1 + (d + (N.to_nat (about_bits about) + 4))) * length all)%nat.
Proof. apply LinkedCounts.counted_link_openings_few; assumption. Qed.

End Counted.

(** ** Runs *)

(** Segments that have rows in ascending order, at most the cap, and of which each begins at the last row of the one before or above: their rows
    in a row are so too, their counts and their sums are totals. *)
Theorem linked_segments_are_a_run (cap : N) (segments : list (list N)) : Forall (rows_certified cap) segments -> continued segments ->
  StronglySorted N.le (concat segments) /\ Forall (fun row => row <= cap) (concat segments) /\
  seq_length (concat segments) = fold_right (fun rows total => seq_length rows + total) 0 segments /\
  forall exponent, power_sum exponent (concat segments) = fold_right (fun rows total => power_sum exponent rows + total) 0 segments.
Proof. apply Aardvark.Lemmas.LinkedRuns.linked_segments_are_a_run. Qed.

(** A segment's rank is the number of rows before it: its row [i] is row rank + [i] of the run. *)
Theorem row_by_rank (before : list (list N)) (rows : list N) (after : list (list N)) (i : N) : i < seq_length rows ->
  seq_at (concat (before ++ rows :: after)) (seq_length (concat before) + i) = seq_at rows i.
Proof. apply Aardvark.Lemmas.LinkedRuns.row_by_rank. Qed.

(** Where pieces extend a run to an extent, which is what its head is compared with, their numbers go on, each rank is the rows before it, the rows
    add up, and so do the commitments to the sums of each power. *)
Theorem extent_adds_up (before extent : RunExtent) (moments : N) (put : list RunPiece) : extent_with_pieces before moments put = Ok extent ->
  extent_segments extent = extent_segments before + seq_length put /\ extent_rows extent = extent_rows before + rows_of_pieces put /\
  (forall p, p < moments -> g1_exponent (g1_at (extent_sums extent) p) = g1_exponent (g1_at (extent_sums before) p) [+] sums_of_pieces p put) /\
  forall earlier piece later, put = earlier ++ piece :: later ->
    piece_number piece = extent_segments before + seq_length earlier /\ piece_rank piece = extent_rows before + rows_of_pieces earlier.
Proof. apply Aardvark.Lemmas.LinkedRuns.extent_adds_up. Qed.

End LinkedCertificates.
