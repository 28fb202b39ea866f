(** Theorems for auditors: what a certificate says of private rows.

    To understand a statement of this file you need this file, the generated definitions, and definitions of
    Lemmas/SheetRelations.v (what stands in a segment), Spec/Table/Certificate.v (the polynomials under the points),
    Spec/Table/CertificateTranscript.v (what is bound), Lemmas/CertificateRelations.v and Lemmas/CertificateSound.v (the counted challenges and the break), Lemmas/CertificateCounts.v (a prover
    who sees one challenge after the other), with the polynomials of Lemmas/Polynomials.v. What is assumed of a prover is
    the algebraic group model: it knows polynomials of at most [d] coefficients under its commitments and points.

    - [relations_imply_rows], [rows_unique]: where the relations hold at the positions of a sheet, each segment has integers from 0 to
      the cap in ascending order, and their suffix sums, and no others.
    - [certificate_sound]: an accepted certificate says so of the polynomials under its commitments, or hands over a polynomial that
      vanishes at tau, or its challenges are counted.
    - [certificate_seeds_bind]: the challenges bind all that was sent before them, or two strings have one digest.
    - [certificate_break_length]: that polynomial has at most one coefficient more than the ceremony allows for.
    - [counted_rhos_few], [counted_betas_few], [counted_zetas_few], [certificate_bad_values]: few challenges are counted.
    - [forged_certificates_few]: so few let a certificate pass of a segment that has no such rows.
    - [modular_numbers_differ]: numbers below r are told apart by their scalars, modulo r. *)
From Coq Require Import NArith List Bool Sorted.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate.
From Aardvark Require Import Lemmas.Field Lemmas.Polynomials Lemmas.Batch Spec.Commitment.FoldedOpening Lemmas.FoldedSound
  Spec.Table.Sheet Lemmas.SheetRelations Spec.Table.Certificate Lemmas.CertificateRelations Lemmas.CertificateSound
  Lemmas.CertificateCounts.
From Aardvark Require Examples.ModularScalars.
From Aardvark Require Import Spec.Table.CertificateTranscript.
Import ListNotations.
Local Open Scope N_scope.

Section Certificates.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

(** Segments have rows from [first] to before [behind], before the guard, apart from each other; the relations hold of their values,
    their sums and the bits at all positions up to the guard; and the numbers that the bits can write do not wrap around. Then
    each segment has the rows that the bits write. *)
Theorem relations_imply_rows (segments : N) (first behind : N -> N) (guard bits cap moments : N)
    (values : N -> N -> Scalar) (sums : N -> N -> N -> Scalar) (bit : N -> N -> Scalar) (limit k : N) :
  (forall k, k < segments -> 1 <= first k /\ first k < behind k /\ behind k <= guard) ->
  (forall k k', k < segments -> k' < segments -> k <> k' -> behind k + 1 <= first k' \/ behind k' + 1 <= first k) ->
  sheet_relations segments first behind guard bits cap moments values sums bit ->
  numbers_differ limit -> cap < limit -> (guard + 1) * 2 ^ bits <= limit -> k < segments ->
  segment_stands guard cap moments (first k) (values k) (fun p => sums p k) (segment_rows first behind bits bit k).
Proof. intros; eapply Aardvark.Lemmas.SheetRelations.relations_imply_rows; eassumption. Qed.

(** A segment stands with one list of rows of its length. *)
Theorem rows_unique (guard cap moments first limit : N) (values : N -> Scalar) (sums : N -> N -> Scalar) (rows rows' : list N) :
  numbers_differ limit -> cap < limit -> first + seq_length rows <= guard + 1 -> seq_length rows = seq_length rows' ->
  segment_stands guard cap moments first values sums rows -> segment_stands guard cap moments first values sums rows' -> rows = rows'.
Proof. intros; eapply Aardvark.Lemmas.SheetRelations.rows_unique; eassumption. Qed.

Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** The certificate that [verify_certificate] accepts, under the challenges that it draws: each segment of the sheet has as many rows as its record says,
    and they and their sums are as [segment_stands] says; or the polynomial that is handed over is not 0 and vanishes at tau; or
    one of the challenges is counted. *)
Theorem certificate_sound (setup : KzgSetup) (about : CertificateAbout) (items : list SheetItem) (shown : Certificate)
    (sheet : SheetPolynomials) (masks : MaskPolynomials) (q w w' : list Scalar) :
  let drawn := drawn_challenges about items shown in
  let gammas := drawn_gammas about items shown in
  let z := drawn_fold_point about items shown in
  numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 ->
  sheet_committed setup items sheet -> certificate_committed setup shown masks q w w' ->
  verify_certificate setup about items shown = Ok tt ->
  (forall k, k < seq_length items ->
    seq_length (certified_rows about items masks k) = record_rows (item_record (seq_at items k)) /\
    segment_certified about items sheet k (certified_rows about items masks k)) \/
  finds_tau setup (certificate_break about items drawn shown sheet masks q gammas z w w') = true \/
  certificate_counted about items drawn shown sheet masks q gammas w z = true.
Proof. exact (accepted_certificate_decided about items _ shown sheet masks q setup _ _ w w'). Qed.

(** The last of the seeds has the challenges' seeds in it one after the other: where two certificates have one, their statements, the
    bytes of their points and those of their scalars are the same. *)
Theorem certificate_seeds_bind (about about' : CertificateAbout) (items items' : list SheetItem) (shown shown' : Certificate) :
  (forall tag x tag' y, seq_length (tagged_hash tag x) = seq_length (tagged_hash tag' y)) ->
  drawn_values_seed about items shown = drawn_values_seed about' items' shown' ->
  sent_before about items shown = sent_before about' items' shown' \/ transcript_collision about about' items items' shown shown'.
Proof. apply Aardvark.Spec.Table.CertificateTranscript.certificate_seeds_bind. Qed.

(** What is handed over has at most one coefficient more than what the ceremony allows for. *)
Theorem certificate_break_length (about : CertificateAbout) (items : list SheetItem) (drawn : CertificateChallenges) (shown : Certificate)
    (sheet : SheetPolynomials) (masks : MaskPolynomials) (q : list Scalar) (d : nat) (gammas : list Scalar) (z : Scalar) (w w' : list Scalar) :
  sheet_short sheet d -> masks_short d masks -> (length q <= d)%nat -> (1 <= d)%nat -> (length w <= d)%nat -> (length w' <= d)%nat ->
  (length (certificate_break about items drawn shown sheet masks q gammas z w w') <= S d)%nat.
Proof. intros; apply Aardvark.Lemmas.CertificateCounts.certificate_break_length; assumption. Qed.

(** ** How many challenges are counted *)

Section Counted.

Variables (about : CertificateAbout) (items : list SheetItem) (sheet : SheetPolynomials).
Let n : N := sheet_size (sheet_log items).

(** At most a 1 / |s| part of the ρ. *)
Theorem counted_rhos_few (s : list Scalar) : NoDup s ->
  (length (filter (rhos_counted about items sheet) (choices s (length items))) * length s <= 1 * length (choices s (length items)))%nat.
Proof. apply Aardvark.Lemmas.CertificateCounts.counted_rhos_few. Qed.

(** At most a 1 / |s| part of the β, whatever the ρ and the points of the first message. *)
Theorem counted_betas_few (masks : MaskPolynomials) (rhos s : list Scalar) : NoDup s ->
  let all := choices s (N.to_nat (relations about)) in
  (length (filter (betas_counted about items sheet masks rhos) all) * length s <= 1 * length all)%nat.
Proof. apply Aardvark.Lemmas.CertificateCounts.counted_betas_few. Qed.

(** The sizes that a legal sheet has. *)
Hypothesis size_legal : 8 <= n /\ 4096 mod n = 0.
Hypothesis moments_few : about_moments about <= 3.

(** At most 3 d + 2 N of the ζ, whatever comes before. *)
Theorem counted_zetas_few (d : nat) (masks : MaskPolynomials) (q rhos betas s : list Scalar) :
  (1 <= d)%nat -> sheet_short sheet d -> masks_short d masks -> (length q <= d)%nat -> NoDup s ->
  (length (filter (zeta_counted about items sheet masks q rhos betas) s) <= 3 * d + 2 * N.to_nat n)%nat.
Proof. intros; apply Aardvark.Lemmas.CertificateCounts.counted_zetas_few; assumption. Qed.

(** Of all challenges of a certificate at most a (4 d + 2 N + bits + 6) / |s| part is counted, whatever an algebraic prover
    sends after each draw. *)
Theorem certificate_bad_values (setup : KzgSetup) (prover : Strategy) (d : nat) (s : list Scalar) :
  NoDup s -> (1 <= d)%nat -> sheet_short sheet d -> strategy_short d prover ->
  (length (filter (sent_counted about items sheet setup prover) (all_challenges about items s)) * length s
  <= (4 * d + 2 * N.to_nat n + N.to_nat (about_bits about) + 6) * length (all_challenges about items s))%nat.
Proof. intros; apply Aardvark.Lemmas.CertificateCounts.certificate_bad_values; assumption. Qed.

(** So where a segment has no rows as [segment_certified] says, at most as many let an algebraic prover's certificate pass
    without handing over a polynomial that vanishes at tau. *)
Theorem forged_certificates_few (setup : KzgSetup) (prover : Strategy) (d : nat) (s : list Scalar) (k : N) :
  numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 -> sheet_committed setup items sheet ->
  k < seq_length items -> (forall rows, ~ segment_certified about items sheet k rows) ->
  NoDup s -> (1 <= d)%nat -> sheet_short sheet d -> strategy_short d prover ->
  (length (filter (forges about items sheet setup prover) (all_challenges about items s)) * length s
  <= (4 * d + 2 * N.to_nat n + N.to_nat (about_bits about) + 6) * length (all_challenges about items s))%nat.
Proof. intros; eapply Aardvark.Lemmas.CertificateCounts.forged_certificates_few; eassumption. Qed.

End Counted.

End Certificates.

(** Modulo r, numbers below r have different scalars, and so have those below any smaller limit. *)
Theorem modular_numbers_differ (limit : N) : limit <= Scalar_modulus -> @numbers_differ Aardvark.Examples.ModularScalars.modular limit.
Proof.
  intros L a b A B E. apply (f_equal Aardvark.Examples.ModularScalars.residue) in E.
  change (a mod Scalar_modulus = b mod Scalar_modulus) in E.
  rewrite !N.mod_small in E; [exact E | | ]; apply N.lt_le_trans with limit; assumption.
Qed.
