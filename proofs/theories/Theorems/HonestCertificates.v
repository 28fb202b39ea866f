(** Theorems for auditors: honest certificates and comparisons are accepted.

    Whoever has the trapdoor opens false claims too, so that the specification's provers, which are given tau, are accepted says little.
    These theorems say more: with honest rows there are polynomials, the same for every tau, of at most as many coefficients as the ceremony
    has powers, of which all points of a certificate are the values at tau, and all claims are true; so a keeper makes them without tau.

    To understand a statement of this file you need this file, the generated definitions, and of Lemmas/HonestSheet.v [honest_sheet] (rows in
    order, at most the cap, whose bits suffice), [honest_polynomials], [honest_masks], of Lemmas/HonestRelations.v [ceremony_powers], of
    Lemmas/CertificateComplete.v [records_held] (the records hold the points of the segments), [certificate_made] (the certificate is the
    prover's, but for its encodings and its opening), [completeness_counted] (the challenges that are named), their like in
    Lemmas/ComparisonComplete.v, and of Spec/Table/Certificate.v and Spec/Table/Comparison.v what Certificates.v and Comparisons.v name.

    - [honest_quotient]: what is to be divided by Z is divided without a remainder.
    - [certificate_complete]: for all masks and all challenges but the named ones an honest certificate is accepted.
    - [completeness_counted_few]: which are few.
    - [comparison_complete]: the claims that a verifier takes from an honest comparison are true; folded, they are accepted
      (Folded.v, [folded_opening_complete]). *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.KnownSegment Table.Sheet Table.Certificate Table.CertificateProver Table.Comparison Table.ComparisonProver.
From Aardvark Require Import Lemmas.Field Lemmas.Polynomials Lemmas.FoldedSound Spec.Table.Certificate Spec.Table.Comparison
  Lemmas.HonestSheet Lemmas.HonestRelations.
From Aardvark Require Lemmas.CertificateComplete Lemmas.ComparisonComplete.
Import ListNotations.
Local Open Scope N_scope.

Section HonestCertificates.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

(** Of rows in order, for all masks and challenges. [outside] is any point off the domain. *)
Theorem honest_quotient (about : CertificateAbout) (items : list SheetItem) (segments : list KnownSegment) (masks : CertificateMasks)
    (drawn : CertificateChallenges) (outside : Scalar) :
  let n := sheet_size (sheet_log items) in
  sheet_legal (sheet_log items) (about_moments about) items = true -> honest_sheet about items segments -> on_domain n outside = false ->
  exists q, (length q <= ceremony_powers)%nat /\
    forall x, on_domain n x = false -> quotient_value about items segments masks drawn x = polynomial_at q x.
Proof.
  cbv zeta. intros legal honest off.
  destruct (combined_divides about items segments masks legal honest drawn outside off) as (q & short & divided). exists q. split; [exact short |].
  exact (quotient_value_is about items segments masks legal honest drawn q divided).
Qed.

(** The certificate of rows in order, with the challenges that [verify_certificate] draws for it. *)
Theorem certificate_complete (setup : KzgSetup) (about : CertificateAbout) (items : list SheetItem) (segments : list KnownSegment)
    (masks : CertificateMasks) (shown : Certificate) :
  let tau := g2_exponent (kzg_key setup) in
  let drawn := drawn_challenges about items shown in
  let gammas := drawn_gammas about items shown in
  let z := drawn_fold_point about items shown in
  let sheet := honest_polynomials items segments in
  let known := honest_masks about items segments masks in
  sheet_legal (sheet_log items) (about_moments about) items = true -> honest_sheet about items segments ->
  on_domain (sheet_size (sheet_log items)) tau = false -> CertificateComplete.records_held about items segments setup ->
  CertificateComplete.certificate_made about items segments masks drawn setup shown ->
  certificate_opening shown = certificate_opening_of tau about items drawn gammas z shown ->
  CertificateComplete.completeness_counted setup items (drawn_zeta drawn) z = false ->
  verify_certificate setup about items shown = Ok tt /\ sheet_committed setup items sheet /\
  exists q w w', certificate_committed setup shown known q w w' /\
    (length q <= ceremony_powers)%nat /\ (length w <= ceremony_powers)%nat /\ (length w' <= ceremony_powers)%nat /\
    forall i, i < about_bits about + 3 ->
      claim_error (certificate_claims about items drawn shown) (claim_polynomial about items drawn sheet known q (certificate_value shown)) i = scalar_of_N 0.
Proof.
  cbv zeta. intros legal honest off records made opening fine.
  destruct (CertificateComplete.certificate_complete setup about items segments masks _ _ _ shown legal honest off records made opening fine)
    as (accepted & held & q & w & w' & Q & W & W' & committed & _ & all_true).
  split; [exact accepted |]. split; [exact held |]. exists q, w, w'. repeat split; assumption || apply committed.
Qed.

(** At most N + 4 of any ζ, whatever the fold's z. *)
Theorem completeness_counted_few (setup : KzgSetup) (items : list SheetItem) (z : Scalar) (s : list Scalar) :
  let n := sheet_size (sheet_log items) in
  8 <= n /\ 4096 mod n = 0 -> on_domain n (g2_exponent (kzg_key setup)) = false -> NoDup s ->
  (length (filter (fun zeta => CertificateComplete.completeness_counted setup items zeta z) s) <= N.to_nat n + 4)%nat.
Proof. cbv zeta. apply CertificateComplete.completeness_counted_few. Qed.

(** The comparison of rows that are on their sides of their thresholds, for all masks and all challenges under which ζ, and what it is
    relocated to, lie on no domain; tau is no root of unity of order 4,096. *)
Theorem comparison_complete (setup : KzgSetup) (bits : N) (items : list ComparedRow) (segments : list KnownSegment) (masks : ComparisonMasks)
    (drawn : ComparisonChallenges) (shown : Comparison) :
  let known := ComparisonComplete.honest_comparison items segments masks in
  compared_rows_legal items = true -> ComparisonComplete.honest_rows bits items segments ->
  scalar_pow (g2_exponent (kzg_key setup)) 4096 <> scalar_of_N 1 ->
  ComparisonComplete.rows_held items segments setup -> ComparisonComplete.comparison_made bits items segments masks drawn shown setup ->
  compared_on_domain items (compared_zeta drawn) = false ->
  exists claims q, claims_of_comparison bits items drawn shown = Ok claims /\ comparison_committed setup items shown known q /\
    (length q <= ceremony_powers)%nat /\
    forall i, i < seq_length claims -> claim_error claims (comparison_polynomial bits items drawn known q) i = scalar_of_N 0.
Proof.
  cbv zeta. intros rows honest outside records made fine.
  destruct (ComparisonComplete.comparison_complete setup bits items segments masks drawn shown rows honest outside records made fine)
    as (claims & q & claimed & short & committed & all_true).
  exists claims, q. split; [exact claimed |]. split; [exact committed |]. split; [exact short | exact all_true].
Qed.

End HonestCertificates.
