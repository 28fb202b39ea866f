(** The segments of a linked certificate but the first: what is certified of them does not depend on the segment before the first.

    - [others_related]: relations that hold but for the order before the first segment are those of a sheet without it;
    - [accepted_link_others]: so an accepted linked certificate certifies the other segments, or is broken or counted. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening
  Table.DomainValues Table.RunRecord Table.Sheet Table.Certificate Table.LinkedCertificate.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Polynomials Lemmas.Batch Lemmas.PolynomialProducts
  Lemmas.PolynomialRoots Spec.Commitment.FoldedOpening Lemmas.FoldedSound Lemmas.SheetRelations Spec.Table.Sheet Spec.Table.Certificate
    Lemmas.CertificateRelations
  Lemmas.CertificateSound Spec.Table.LinkedCertificate Lemmas.LinkedSound.
Import ListNotations.
Local Open Scope N_scope.

Section Others.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

Variables (segments : N) (first behind : N -> N) (guard bits cap moments : N).
Variables (values : N -> N -> Scalar) (sums : N -> N -> N -> Scalar) (bit : N -> N -> Scalar).
Hypothesis some : 1 <= segments.
Hypothesis inside : forall k, k < segments -> 1 <= first k /\ first k < behind k /\ behind k <= guard.
Hypothesis apart : forall k k', k < segments -> k' < segments -> k <> k' -> behind k + 1 <= first k' \/ behind k' + 1 <= first k.

(** The bits where the first segment stands, and before it, are none of the others'. *)
Definition other_bit (j i : N) : Scalar := if (first 0 - 1 <=? i) && (i <? behind 0) then scalar_of_N 0 else bit j i.

Hypothesis bits_hold : forall j i, j < bits -> i <= guard -> bit j i [*] bit j i [-] bit j i = scalar_of_N 0.
Hypothesis order_holds : forall i, i <= guard -> i <> first 0 - 1 ->
  unguarded_at guard i [*] all_values segments values (i + 1) [-] all_values segments values i [+] scalar_of_N cap [*] last_at segments behind i
    [-] step_at bits bit i = scalar_of_N 0.
Hypothesis support_holds : forall k i, k < segments -> i <= guard ->
  values k i [-] (if is_row first behind k i then all_values segments values i else scalar_of_N 0) = scalar_of_N 0.
Hypothesis sums_hold : forall p k i, p < moments -> k < segments -> i <= guard ->
  sums p k i [-] unguarded_at guard i [*] sums p k (i + 1) [-] values k i [*] scalar_pow (all_values segments values i) p = scalar_of_N 0.

Let others : N := segments - 1.

Lemma split_first (f : N -> Scalar) : sum f segments = f 0 [+] sum (fun k => f (k + 1)) others.
Proof. unfold others. replace segments with (segments - 1 + 1) at 1 by lia. apply sum_first. Qed.

Lemma off_first (i : N) : i <= guard -> is_row first behind 0 i = false -> values 0 i = scalar_of_N 0.
Proof. intros I R. pose proof (support_holds 0 i ltac:(lia) I) as E. rewrite R in E. rewrite <- E. ring. Qed.

Lemma values_others (i : N) : i <= guard -> is_row first behind 0 i = false ->
  all_values others (fun k => values (k + 1)) i = all_values segments values i.
Proof. intros I R. unfold all_values. rewrite split_first, off_first by assumption. ring. Qed.

Lemma row_iff (k i : N) : is_row first behind k i = true <-> first k <= i < behind k.
Proof. unfold is_row. rewrite andb_true_iff, N.leb_le, N.ltb_lt. reflexivity. Qed.

(** Where the first segment stands, and beside it, the others have nothing. *)
Lemma others_free (i : N) : first 0 - 1 <= i <= behind 0 -> all_values others (fun k => values (k + 1)) i = scalar_of_N 0.
Proof.
  intros I. pose proof (inside 0 ltac:(lia)) as I0. apply sum_all_zero. intros k K. unfold others in K.
  pose proof (support_holds (k + 1) i ltac:(lia) ltac:(lia)) as E. destruct (is_row first behind (k + 1) i) eqn:R.
  - exfalso. apply row_iff in R. pose proof (inside (k + 1) ltac:(lia)). destruct (apart 0 (k + 1) ltac:(lia) ltac:(lia) ltac:(lia)); lia.
  - rewrite <- E. ring.
Qed.

Theorem others_related : sheet_relations others (fun k => first (k + 1)) (fun k => behind (k + 1)) guard bits cap moments
  (fun k => values (k + 1)) (fun p k => sums p (k + 1)) other_bit.
Proof.
  pose proof (inside 0 ltac:(lia)) as I0. split.
  - intros j i J I. unfold other_bit. destruct (_ && _); [ring | now apply bits_hold].
  - intros i I. unfold step_at, other_bit. destruct ((first 0 - 1 <=? i) && (i <? behind 0)) eqn:Z.
    + apply andb_true_iff in Z as [Z1 Z2]. apply N.leb_le in Z1. apply N.ltb_lt in Z2. rewrite !others_free by lia.
      rewrite (sum_all_zero _ bits) by (intros; ring). unfold last_at. rewrite sum_all_zero; [ring |].
      intros k K. unfold others in K. destruct (N.eqb_spec i (behind (k + 1) - 1)) as [E |]; [exfalso | reflexivity].
      pose proof (inside (k + 1) ltac:(lia)). destruct (apart 0 (k + 1) ltac:(lia) ltac:(lia) ltac:(lia)); lia.
    + assert (out : i < first 0 - 1 \/ behind 0 <= i).
      { apply andb_false_iff in Z as [Z | Z]; [apply N.leb_gt in Z | apply N.ltb_ge in Z]; auto. }
      assert (here : is_row first behind 0 i = false) by (apply not_true_iff_false; rewrite row_iff; lia).
      pose proof (order_holds i I ltac:(lia)) as E. rewrite (values_others i I here).
      assert (next : unguarded_at guard i [*] all_values others (fun k => values (k + 1)) (i + 1) = unguarded_at guard i [*] all_values segments values
        (i + 1)).
      { unfold unguarded_at. destruct (N.eqb_spec i guard) as [| D]; [ring |]. rewrite values_others; [reflexivity | lia |].
        apply not_true_iff_false. rewrite row_iff. lia. }
      rewrite next. replace (last_at others (fun k => behind (k + 1)) i) with (last_at segments behind i); [exact E |].
      unfold last_at. rewrite split_first. destruct (N.eqb_spec i (behind 0 - 1)); [lia | ring].
  - intros k i K I. unfold others in K. pose proof (support_holds (k + 1) i ltac:(lia) I) as E.
    assert (same : is_row (fun k => first (k + 1)) (fun k => behind (k + 1)) k i = is_row first behind (k + 1) i) by reflexivity. rewrite same. clear same.
    destruct (is_row first behind (k + 1) i) eqn:R; [| exact E]. rewrite values_others; [exact E | exact I |].
    apply row_iff in R. apply not_true_iff_false. rewrite row_iff. destruct (apart 0 (k + 1) ltac:(lia) ltac:(lia) ltac:(lia)); lia.
  - intros p k i P K I. unfold others in K. pose proof (sums_hold p (k + 1) i P ltac:(lia) I) as E.
    pose proof (support_holds (k + 1) i ltac:(lia) I) as S. destruct (is_row first behind (k + 1) i) eqn:R.
    + rewrite values_others; [exact E | exact I |]. apply row_iff in R. apply not_true_iff_false. rewrite row_iff.
      destruct (apart 0 (k + 1) ltac:(lia) ltac:(lia) ltac:(lia)); lia.
    + assert (Z : values (k + 1) i = scalar_of_N 0) by (rewrite <- S; ring). rewrite Z in E |- *. etransitivity; [| exact E]. ring.
Qed.

End Others.

(** ** Accepted certificates *)

Section Accepted.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars' : scalar_field.

Variables (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (drawn : CertificateChallenges) (shown : LinkedCertificate).
Variables (sheet : SheetPolynomials) (masks : MaskPolynomials) (before mask q : list Scalar).
Let n : N := sheet_size (sheet_log items).
Let guard : N := guard_position n.

Hypothesis parts : legal_parts about items.
Hypothesis link : link_parts previous.
Hypothesis some : 1 <= seq_length items.
Hypothesis fine_rhos : rhos_counted about items sheet (drawn_rhos drawn) = false.
Hypothesis zero : forall t i, t < relations about -> i <= guard ->
  linked_relation about previous items sheet masks before mask (drawn_rhos drawn) t (domain_point n i) = scalar_of_N 0.

Lemma three : 3 <= n.
Proof. exact (at_least_three about items parts). Qed.

Lemma size_divides : 4096 mod n = 0.
Proof. exact (divides about items parts). Qed.

(** The link takes part in the order before the first segment alone. *)
Lemma unlinked_relation (t i : N) : t < relations about -> i <= guard -> t <> about_bits about \/ i <> first_of items 0 - 1 ->
  relation about items sheet masks (drawn_rhos drawn) t (domain_point n i) = scalar_of_N 0.
Proof.
  intros T I other. pose proof (zero t i T I) as E. unfold linked_relation in E. destruct (N.eqb_spec t (about_bits about)) as [-> |].
  - destruct other as [D | D]; [contradiction |]. pose proof (link_on about previous items before mask parts link some i I) as Z. fold n in Z.
    rewrite Z in E. pose proof (place_is about previous items parts some) as P. destruct (N.eqb_spec i (link_position items)); [lia |].
    etransitivity; [| exact E]. ring.
  - etransitivity; [| exact E]. ring.
Qed.

(** The segments' own relations, but for order. *)
Lemma own_errors (t i k : N) : t <= about_moments about -> i <= guard -> k < seq_length items -> segment_error items sheet t i k = scalar_of_N 0.
Proof.
  intros T I K. pose proof fine_rhos as fine. unfold rhos_counted in fine.
  assert (laid : forall k, k < seq_length items -> first_of items k < behind_of items k /\ behind_of items k <= guard).
  { intros k' K'. now apply (laid_each about items parts). }
  destruct (first_error about items sheet) as [[i' t'] |] eqn:E.
  - exfalso. apply find_some in E as [J _]. apply in_prod_iff in J as [J T']. apply range_in in J, T'. assert (I' : i' <= guard) by (unfold guard, n;
      lia). clear J.
    apply not_true_iff_false in fine. apply fine, scalar_eqb_iff. destruct (N.eq_dec t' 0) as [-> | D].
    + rewrite <- (support_on about items sheet masks (drawn_rhos drawn) three size_divides laid i' I').
      rewrite <- (unlinked_relation (about_bits about + 1) i') by (unfold relations; lia). unfold relation.
      destruct (N.ltb_spec (about_bits about + 1) (about_bits about)); [lia |]. destruct (N.eqb_spec (about_bits about + 1) (about_bits about)); [lia |].
      now rewrite N.eqb_refl.
    + replace t' with (t' - 1 + 1) by lia. rewrite <- (sums_on about items sheet masks (drawn_rhos drawn) three size_divides (t' - 1) i' I').
      rewrite <- (unlinked_relation (about_bits about + 2 + (t' - 1)) i') by (unfold relations; lia). unfold relation.
      destruct (N.ltb_spec (about_bits about + 2 + (t' - 1)) (about_bits about)); [lia |].
      destruct (N.eqb_spec (about_bits about + 2 + (t' - 1)) (about_bits about)); [lia |].
      destruct (N.eqb_spec (about_bits about + 2 + (t' - 1)) (about_bits about + 1)); [lia |].
      now replace (about_bits about + 2 + (t' - 1) - (about_bits about + 2)) with (t' - 1) by lia.
  - assert (In' : In (i, t) (list_prod (range 0 (guard + 1)) (range 0 (about_moments about + 1)))) by (apply in_prod; apply range_in; lia).
    exact (no_error _ _ k (find_none _ _ E (i, t) In') K).
Qed.

(** The rows of segment [k], from the second on. *)
Definition other_rows (k : N) : list N :=
  segment_rows (fun k => first_of items (k + 1)) (fun k => behind_of items (k + 1)) (about_bits about)
    (other_bit (first_of items) (behind_of items) (sheet_bit items masks)) (k - 1).

Lemma others_stand (k : N) : numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 -> 1 <= k -> k < seq_length items ->
  seq_length (other_rows k) = record_rows (item_record (seq_at items k)) /\ segment_certified about items sheet k (other_rows k).
Proof.
  intros differ bits_few cap_few K1 K. assert (J : exists j, k = j + 1) by (exists (k - 1); lia). destruct J as [j ->].
  unfold other_rows. replace (j + 1 - 1) with j by lia. split.
  - rewrite segment_rows_length. unfold first_of, behind_of, begins, ends. lia.
  - assert (related : sheet_relations (seq_length items - 1) (fun k => first_of items (k + 1)) (fun k => behind_of items (k + 1)) guard (about_bits
      about) (about_cap about)
      (about_moments about) (fun k => sheet_value items sheet (k + 1)) (fun p k => sheet_sum items sheet p (k + 1))
      (other_bit (first_of items) (behind_of items) (sheet_bit items masks))).
    { apply others_related; try exact some.
      - exact (laid_each about items parts).
      - exact (laid_apart about items parts).
      - intros b i J I. rewrite <- (unlinked_relation b i) by (unfold relations; lia). unfold relation. now rewrite (proj2 (N.ltb_lt _ _) J).
      - intros i I D. etransitivity; [symmetry; exact (order_on about items sheet masks three size_divides i I) |].
        rewrite <- (unlinked_relation (about_bits about) i) by (unfold relations; lia). unfold relation. now rewrite N.ltb_irrefl, N.eqb_refl.
      - intros k' i K' I. exact (own_errors 0 i k' ltac:(lia) I K').
      - intros p k' i P K' I. rewrite <- (own_errors (p + 1) i k' ltac:(lia) I K'). unfold segment_error.
        destruct (N.eqb_spec (p + 1) 0); [lia |]. now replace (p + 1 - 1) with p by lia. }
    pose proof (relations_imply_rows (seq_length items - 1) (fun k => first_of items (k + 1)) (fun k => behind_of items (k + 1)) guard (about_bits
      about) (about_cap about)
      (about_moments about) (fun k => sheet_value items sheet (k + 1)) (fun p k => sheet_sum items sheet p (k + 1))
      (other_bit (first_of items) (behind_of items) (sheet_bit items masks))) as R.
    cbv beta in R. specialize (R ltac:(intros k' K'; apply (laid_each about items parts); lia) ltac:(intros k1 k2 A B D; apply (laid_apart about items
      parts); lia)
      related (2 ^ 128) differ cap_few).
    apply R; [| lia].
    pose proof (guard_place about items parts) as G. fold n guard in G. destruct (legal_log _ _ parts) as [A B].
    destruct (size_of_log _ A B) as (_ & S & _). fold n in S. apply N.le_trans with (2048 * 2 ^ 64); [| vm_compute; discriminate].
    apply N.mul_le_mono; [lia |]. apply N.pow_le_mono_r; lia.
Qed.

End Accepted.

Theorem accepted_link_others {F : ScalarOperations} {lawful : LawfulScalars F} {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given}
    {hash_given : HashGiven} (about : CertificateAbout) (previous : RunRecord) (items : list SheetItem) (drawn : CertificateChallenges) (shown :
      LinkedCertificate)
    (sheet : SheetPolynomials) (masks : MaskPolynomials) (before mask q : list Scalar) (setup : KzgSetup) (gammas : list Scalar) (z : Scalar) (w w' :
      list Scalar) :
  numbers_differ (2 ^ 128) -> about_bits about <= 64 -> about_cap about < 2 ^ 128 ->
  sheet_committed setup items sheet -> linked_committed setup previous shown masks before mask q w w' ->
  verify_linked_drawn setup about previous items drawn gammas z shown = Ok tt ->
  (forall k, 1 <= k -> k < seq_length items -> seq_length (other_rows about items masks k) = record_rows (item_record (seq_at items k)) /\
    segment_certified about items sheet k (other_rows about items masks k)) \/
  finds_tau setup (link_break about previous items drawn shown sheet masks before mask q gammas z w w') = true \/
  linked_counted about previous items drawn shown sheet masks before mask q gammas w z = true.
Proof.
  intros differ bits_few cap_few sheet_known known accepted.
  destruct (accepted_link_related about previous items drawn shown sheet masks before mask q setup gammas z w w' sheet_known known accepted)
    as [(parts & link & some & fine_rhos & zero) | other]; [left | now right].
  intros k K1 K. now apply (others_stand about previous items drawn sheet masks before mask parts link some fine_rhos zero).
Qed.
