(** That certificates hide rows: for any two lists of rows of a sheet, a bijection between the masks under which a keeper of the one and a
    keeper of the other show the same.

    Each mask is moved by a difference of two known values, so moving back undoes it. The commitments of a segment take one of its two
    masks each; a bit's two masks take what it shows at two points; V's mask of three coefficients two, that of the sums all three.

    - [moved_segment_shows], [moved_shows]: under the moved masks the other rows show the same points and the same certificate;
    - [moved_back]: moving is a bijection. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening Table.DomainValues
  Table.KnownPoints Table.KnownSegment Table.RunRecord Table.Sheet Table.CertificateTranscript Table.Certificate Table.CertificateProver.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Table.DomainValues.
From Aardvark Require Lemmas.LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section Hiding.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** ** Masks that are moved *)

Lemma mapped_at {A B : Type} `{Default A} `{Default B} (f : A -> B) (s : list A) (i : N) : i < seq_length s -> seq_at (map f s) i = f (seq_at s i).
Proof. intros L. unfold seq_at, seq_length in *. rewrite (nth_indep _ default (f default)) by (rewrite map_length; lia). apply map_nth. Qed.

(** So many scalars, each with something added. *)
Definition nudged (old : list Scalar) (delta : N -> Scalar) (count : N) : list Scalar :=
  map (fun i => scalar_at old i [+] delta i) (range 0 count).

Lemma nudged_at old delta count i : i < count -> scalar_at (nudged old delta count) i = scalar_at old i [+] delta i.
Proof. intros L. unfold nudged. now rewrite scalar_at_map. Qed.

Lemma nudged_length old delta count : seq_length (nudged old delta count) = count.
Proof. unfold nudged. now rewrite seq_length_map, seq_length_range. Qed.

Lemma nudged_back old delta delta' count : seq_length old = count -> (forall i, i < count -> delta i [+] delta' i = scalar_of_N 0) ->
  nudged (nudged old delta count) delta' count = old.
Proof.
  intros L E. apply seq_ext; [now rewrite nudged_length|]. rewrite nudged_length. intros i I. unfold nudged at 1.
  rewrite nth_map_range by exact I. rewrite nudged_at by exact I. rewrite scalar_at_in by lia.
  transitivity (seq_at old i [+] (delta i [+] delta' i)); [ring|]. rewrite E by exact I. ring.
Qed.

Lemma zero_masks (i : N) : scalar_at [] i = scalar_of_N 0.
Proof. unfold scalar_at. destruct (N.ltb_spec i (seq_length (@nil Scalar))) as [L|_]; [unfold seq_length in L; cbn in L; lia|reflexivity]. Qed.

Lemma even_half i : (2 * i) mod 2 = 0 /\ 2 * i / 2 = i.
Proof. rewrite N.mul_comm. split; [apply N.mod_mul; lia|apply N.div_mul; lia]. Qed.

Lemma odd_half i : (2 * i + 1) mod 2 = 1 /\ (2 * i + 1) / 2 = i.
Proof.
  rewrite N.mul_comm, (N.add_comm (i * 2)). split; [rewrite N.mod_add by lia; reflexivity|]. rewrite N.div_add by lia. cbn. lia.
Qed.

(** ** Vectors on the domain *)

(** Where rows begin, and their numbers. *)
Definition Rows : Type := (N * list N)%type.
Definition rows_of (segment : KnownSegment) : Rows := (known_first segment, known_numbers segment).
(** The segment of rows, with zeros for masks. *)
Definition segment_of (rows : Rows) : KnownSegment :=
  {| known_first := fst rows; known_numbers := snd rows; known_values_masks := []; known_sums_masks := [] |}.

Variable n : N.
Hypothesis big : 4 <= n.
Hypothesis divides : 4096 mod n = 0.

Lemma vector_value_map (f : N -> Scalar) (x : Scalar) : vector_value n (map f (range 0 n)) x = sum (fun i => f i [*] lagrange_value n i x) n.
Proof.
  unfold vector_value, sum. rewrite seq_length_map, seq_length_range. apply fold_left_ext_in. intros total i I. apply range_in in I.
  unfold vector_value_step. now rewrite nth_map_range by lia.
Qed.

Definition first_mask_value (x : Scalar) : Scalar := lagrange_value n (n - 2) x.
Definition second_mask_value (x : Scalar) : Scalar := lagrange_value n (n - 1) x.

(** Vectors that agree but at the masks. *)
Lemma vector_split (f g : N -> Scalar) (x : Scalar) : (forall i, i < n - 2 -> f i = g i) ->
  vector_value n (map f (range 0 n)) x = vector_value n (map g (range 0 n)) x
  [+] (f (n - 2) [-] g (n - 2)) [*] first_mask_value x [+] (f (n - 1) [-] g (n - 1)) [*] second_mask_value x.
Proof.
  intros E. rewrite !vector_value_map. unfold first_mask_value, second_mask_value.
  assert (S : exists m, n = m + 1 + 1) by (exists (n - 2); lia). destruct S as [m ->].
  replace (m + 1 + 1 - 2) with m in * by lia. replace (m + 1 + 1 - 1) with (m + 1) by lia. rewrite !sum_succ.
  rewrite (sum_ext _ (fun i => g i [*] lagrange_value (m + 1 + 1) i x) m) by (intros i I; now rewrite E by exact I). ring.
Qed.

Lemma mask_place : mask_position n = n - 2.
Proof. unfold mask_position. destruct (N.leb_spec 2 n); lia. Qed.

Lemma values_vector_map segment : values_vector n segment = map (values_element n segment) (range 0 n).
Proof. unfold values_vector. exact (fold_range_append (values_element n segment) 0 n []). Qed.

Lemma sums_vector_map segment power : sums_vector n segment power = map (sums_element n segment power) (range 0 n).
Proof. unfold sums_vector. exact (fold_range_append (sums_element n segment power) 0 n []). Qed.

Lemma values_split segment x : values_at n segment x = values_at n (segment_of (rows_of segment)) x
  [+] scalar_at (known_values_masks segment) 0 [*] first_mask_value x [+] scalar_at (known_values_masks segment) 1 [*] second_mask_value x.
Proof.
  unfold values_at. rewrite !values_vector_map, (vector_split _ (values_element n (segment_of (rows_of segment)))).
  - unfold values_element at 2 3 4 5. rewrite mask_place, !(proj2 (N.leb_le _ _)) by lia. cbn [segment_of known_values_masks]. rewrite !zero_masks.
    replace (n - 2 - (n - 2)) with 0 by lia. replace (n - 1 - (n - 2)) with 1 by lia. ring.
  - intros i I. unfold values_element. rewrite mask_place. destruct (N.leb_spec (n - 2) i); [lia|reflexivity].
Qed.

Lemma sums_split segment power x : 1 <= power -> sums_at n segment power x = sums_at n (segment_of (rows_of segment)) power x
  [+] scalar_at (known_sums_masks segment) (2 * (power - 1)) [*] first_mask_value x
  [+] scalar_at (known_sums_masks segment) (2 * (power - 1) + 1) [*] second_mask_value x.
Proof.
  intros P. unfold sums_at. rewrite !sums_vector_map, (vector_split _ (sums_element n (segment_of (rows_of segment)) power)).
  - unfold sums_element at 2 3 4 5. rewrite mask_place, !(proj2 (N.leb_le _ _)) by lia. cbn [andb segment_of known_sums_masks]. rewrite !zero_masks.
    replace (n - 2 - (n - 2)) with 0 by lia. replace (n - 1 - (n - 2)) with 1 by lia. rewrite N.add_0_r. ring.
  - intros i I. unfold sums_element. rewrite mask_place. destruct (N.leb_spec (n - 2) i); [lia|reflexivity].
Qed.

(** ** A segment *)

Variable tau : Scalar.
Hypothesis tau_off : on_domain n tau = false.

Lemma lagrange_nonzero (i : N) (x : Scalar) : on_domain n x = false -> lagrange_value n i x <> scalar_of_N 0.
Proof.
  intros off. unfold lagrange_value. apply scalar_mul_nonzero; [apply scalar_mul_nonzero|].
  - unfold domain_point. apply scalar_pow_nonzero. apply (primitive_root_nonzero _ n); [lia|]. apply root_of_unity_primitive; [exact divides|lia].
  - unfold on_domain in off. intros E. rewrite E in off. apply not_true_iff_false in off. apply off. now apply scalar_eqb_iff.
  - apply scalar_inv_nonzero, scalar_mul_nonzero; [apply size_scalar_nonzero; [exact divides|lia]|]. apply off_domain_apart; (assumption || lia).
Qed.

Lemma vanishing_nonzero (x : Scalar) : on_domain n x = false -> rows_vanishing n x <> scalar_of_N 0.
Proof.
  intros off. unfold rows_vanishing. cbv zeta. apply scalar_mul_nonzero.
  - unfold on_domain in off. intros E. rewrite E in off. apply not_true_iff_false in off. apply off. now apply scalar_eqb_iff.
  - apply scalar_inv_nonzero, scalar_mul_nonzero; apply off_domain_apart; (assumption || lia).
Qed.

(** What the masks of a bit show at two different points determines them. *)
Lemma determinant_nonzero (zeta : Scalar) : on_domain n zeta = false -> zeta <> tau ->
  first_mask_value tau [*] second_mask_value zeta [-] first_mask_value zeta [*] second_mask_value tau <> scalar_of_N 0.
Proof.
  intros Z ZT. assert (L : 3 <= n) by lia. pose proof divides as D. unfold first_mask_value, second_mask_value, lagrange_value, scalar_inverse.
  set (a := domain_point n (n - 2)). set (b := domain_point n (n - 1)).
  assert (ab : a [-] b <> scalar_of_N 0) by (apply scalar_sub_nonzero, domain_points_differ; (assumption || lia)).
  assert (nz : forall i, domain_point n i <> scalar_of_N 0).
  { intros i. unfold domain_point. apply scalar_pow_nonzero. apply (primitive_root_nonzero _ n); [lia|]. apply root_of_unity_primitive; [exact D|lia]. }
  assert (van : forall x, on_domain n x = false -> kzg_vanishing x n <> scalar_of_N 0).
  { intros x off E. unfold on_domain in off. rewrite E in off. apply not_true_iff_false in off. apply off. now apply scalar_eqb_iff. }
  pose proof (size_scalar_nonzero n D ltac:(lia)) as size. change (scalar_of_N n) with (kzg_size_scalar n) in size.
  pose proof (off_domain_apart n L D tau (n - 2) tau_off) as ta. pose proof (off_domain_apart n L D tau (n - 1) tau_off) as tb.
  pose proof (off_domain_apart n L D zeta (n - 2) Z) as za. pose proof (off_domain_apart n L D zeta (n - 1) Z) as zb.
  pose proof (nz (n - 2)) as anz. pose proof (nz (n - 1)) as bnz. fold a in ta, za, anz. fold b in tb, zb, bnz.
  pose proof (van tau tau_off) as vt. pose proof (van zeta Z) as vz. pose proof (scalar_sub_nonzero _ _ ZT) as zt.
  revert ta tb za zb anz bnz vt vz size ab zt. generalize a b (kzg_vanishing tau n) (kzg_vanishing zeta n) (kzg_size_scalar n). clear - lawful.
  intros a b p q s ta tb za zb anz bnz vt vz size ab zt.
  replace (_ [-] _) with (a [*] b [*] p [*] q [*] (zeta [-] tau) [*] (a [-] b) [*]
    scalar_inv (s [*] s [*] (tau [-] a) [*] (tau [-] b) [*] (zeta [-] a) [*] (zeta [-] b))) by (field; repeat split; assumption).
  repeat (assumption || apply scalar_mul_nonzero || apply scalar_inv_nonzero).
Qed.

(** The masks of a segment, moved to other rows under the same commitments. *)
Definition moved_segment (moments : N) (target : Rows) (segment : KnownSegment) : KnownSegment :=
  let gap found other := (found [-] other) [*] scalar_inv (first_mask_value tau) in
  {| known_first := fst target; known_numbers := snd target;
     known_values_masks := nudged (known_values_masks segment)
       (fun i => if i =? 0 then gap (values_at n (segment_of (rows_of segment)) tau) (values_at n (segment_of target) tau)
        else scalar_of_N 0) 2;
     known_sums_masks := nudged (known_sums_masks segment)
       (fun i => if i mod 2 =? 0
        then gap (sums_at n (segment_of (rows_of segment)) (i / 2 + 1) tau) (sums_at n (segment_of target) (i / 2 + 1) tau)
        else scalar_of_N 0) (2 * moments) |}.

Lemma moved_segment_rows moments target segment : rows_of (moved_segment moments target segment) = target.
Proof. destruct target. reflexivity. Qed.

(** The points of a segment's record. *)
Definition segment_shows (moments : N) (segment : KnownSegment) : Scalar * list Scalar :=
  (values_at n segment tau, map (fun i => sums_at n segment (i + 1) tau) (range 0 moments)).

Theorem moved_segment_shows moments target segment :
  segment_shows moments (moved_segment moments target segment) = segment_shows moments segment.
Proof.
  pose proof (lagrange_nonzero (n - 2) tau tau_off) as nonzero. fold (first_mask_value tau) in nonzero. unfold segment_shows. f_equal.
  - rewrite (values_split (moved_segment _ _ _)), (values_split segment), moved_segment_rows. cbn [moved_segment known_values_masks].
    rewrite !nudged_at by lia. cbn [N.eqb]. field. exact nonzero.
  - apply map_ext_in. intros i I. apply range_in in I.
    rewrite (sums_split (moved_segment _ _ _)), (sums_split segment), moved_segment_rows by lia. cbn [moved_segment known_sums_masks].
    replace (i + 1 - 1) with i by lia. rewrite !nudged_at by lia. destruct (even_half i) as [-> ->], (odd_half i) as [-> ->]. cbn [N.eqb Pos.eqb].
    field. exact nonzero.
Qed.

Definition segment_shaped (moments : N) (segment : KnownSegment) : Prop :=
  seq_length (known_values_masks segment) = 2 /\ seq_length (known_sums_masks segment) = 2 * moments.

Lemma moved_segment_shaped moments target segment : segment_shaped moments (moved_segment moments target segment).
Proof. split; apply nudged_length. Qed.

Theorem moved_segment_back moments target segment : segment_shaped moments segment ->
  moved_segment moments (rows_of segment) (moved_segment moments target segment) = segment.
Proof.
  intros (V & S). destruct segment as [first numbers values sums]. cbn [known_values_masks known_sums_masks] in V, S.
  unfold moved_segment at 1. rewrite moved_segment_rows. cbn [rows_of known_first known_numbers fst snd moved_segment known_values_masks known_sums_masks].
  f_equal; apply nudged_back; try assumption; intros i I; [destruct (i =? 0)|destruct (i mod 2 =? 0)]; ring.
Qed.

End Hiding.
