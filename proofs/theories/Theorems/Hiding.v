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
    - [hiding_counted_few]: few challenges are counted. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.FoldedOpening Table.DomainValues Table.KnownSegment
  Table.RunRecord Table.Sheet Table.CertificateTranscript Table.Certificate Table.CertificateProver.
From Aardvark Require Import Lemmas.Field Lemmas.Hiding.
From Aardvark Require Lemmas.SheetHiding.
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
  - refine (SheetHiding.moved_rows tau about items _ segments targets as_many); assumption.
  - pose proof (SheetHiding.sheet_shows_same tau about items drawn size_legal tau_off tau_nonzero fine segments masks targets as_many) as [R C].
    unfold shows, moved, SheetHiding.moved_sheet. cbn [fst snd]. rewrite C. f_equal. f_equal. exact R.
  - exact (SheetHiding.moved_shaped tau about items drawn segments masks targets).
  - exact (SheetHiding.moved_back tau about items drawn size_legal segments masks targets as_many shaped).
Qed.

(** Of any challenges ζ at most n + 2 are counted, where β_1 is not 0. *)
Theorem hiding_counted_few (s : list Scalar) : NoDup s -> beta_moment about drawn 0 <> scalar_of_N 0 ->
  let with_zeta zeta := {| drawn_rhos := drawn_rhos drawn; drawn_betas := drawn_betas drawn; drawn_zeta := zeta |} in
  (length (filter (fun zeta => SheetHiding.hiding_counted tau about items (with_zeta zeta)) s) <= N.to_nat n + 2)%nat.
Proof. exact (SheetHiding.hiding_counted_few tau about items drawn size_legal tau_off s). Qed.

End Hiding.
