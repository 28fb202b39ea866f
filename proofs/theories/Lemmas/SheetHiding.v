(** That the certificate of a sheet hides its rows; the bijection of the masks that Hiding.v gives for one segment, for all of a sheet and
    for the masks of its certificate.

    - [sheet_shows_same]: under the moved masks the other rows have the same records and the same certificate;
    - [moved_back]: moving to the other rows and back moves nothing;
    - [hiding_counted_few]: the challenges that it is not for are few. *)
From Coq Require Import NArith List Bool Lia Ring Field.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Hash Base.Group Commitment.Kzg Commitment.FoldedOpening Table.DomainValues
  Table.KnownPoints Table.KnownSegment Table.RunRecord Table.Sheet Table.CertificateTranscript Table.Certificate Table.CertificateProver.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Lemmas.Polynomials Lemmas.PolynomialRoots
  Spec.Table.DomainValues Lemmas.Hiding.
From Aardvark Require Lemmas.LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section SheetHiding.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

(** The trapdoor, what a certificate is about, where the segments stand, and the challenges. *)
Variables (tau : Scalar) (about : CertificateAbout) (items : list SheetItem) (drawn : CertificateChallenges).
Let n : N := sheet_size (sheet_log items).
Let zeta : Scalar := drawn_zeta drawn.
Let moments : N := about_moments about.

(** ** The sheet *)

Definition moved_segments (targets : list Rows) (segments : list KnownSegment) : list KnownSegment :=
  map (fun k => moved_segment n tau moments (seq_at targets k) (seq_at segments k)) (range 0 (seq_length segments)).

(** What bit j of the steps of rows is at a point, without masks. *)
Definition bare_masks : CertificateMasks := {| masks_bits := []; masks_values := []; masks_sums := [] |}.
Definition rows_bit (rows : list Rows) (j : N) (x : Scalar) : Scalar :=
  vector_value n (bit_vector n (map segment_of rows) (about_cap about) bare_masks j) x.

(** What is added to the two masks of bit j: it makes up for a difference at two points. *)
Definition bit_nudge (rows targets : list Rows) (i : N) : Scalar :=
  let j := i / 2 in
  let at_tau := rows_bit rows j tau [-] rows_bit targets j tau in
  let at_zeta := rows_bit rows j zeta [-] rows_bit targets j zeta in
  let determinant := first_mask_value n tau [*] second_mask_value n zeta [-] first_mask_value n zeta [*] second_mask_value n tau in
  scalar_inv determinant [*]
  (if i mod 2 =? 0 then at_tau [*] second_mask_value n zeta [-] at_zeta [*] second_mask_value n tau
   else first_mask_value n tau [*] at_zeta [-] first_mask_value n zeta [*] at_tau).

(** What is added to V's mask: a multiple of X - τ that makes up for a difference at ζ. *)
Definition values_factor (segments moved : list KnownSegment) : Scalar :=
  (all_values_at n segments zeta [-] all_values_at n moved zeta) [*] scalar_inv (rows_vanishing n zeta [*] (zeta [-] tau)).
Definition values_nudge (segments moved : list KnownSegment) (i : N) : Scalar :=
  let c := values_factor segments moved in
  if i =? 0 then scalar_of_N 0 [-] c [*] tau else if i =? 1 then c else scalar_of_N 0.

(** What β_D V^ - Σ β_p A_p is at ωx. *)
Definition next_rows (segments : list KnownSegment) (masks : CertificateMasks) (x : Scalar) : Scalar :=
  let y := domain_point n 1 [*] x in
  beta_order about drawn [*] masked_values_at n segments masks y [-] all_sums_at about segments drawn n y.

(** What is added to the mask of the sums: a multiple of X - τ that makes up for a difference at ωζ, and for one at ωτ. *)
Definition sums_nudge (segments moved : list KnownSegment) (masks masks' : CertificateMasks) (i : N) : Scalar :=
  let y := domain_point n 1 [*] zeta in
  let y' := domain_point n 1 [*] tau in
  let gap x point := (next_rows moved masks' x [-] next_rows segments masks x) [*]
    scalar_inv (beta_moment about drawn 0 [*] rows_vanishing n point [*] (point [-] tau)) in
  let a := gap zeta y in
  let b := (gap tau y' [-] a) [*] scalar_inv (y' [-] y) in
  if i =? 0 then tau [*] (b [*] y [-] a) else if i =? 1 then a [-] b [*] y [-] b [*] tau else b.

Definition with_values (masks : CertificateMasks) (values : list Scalar) : CertificateMasks :=
  {| masks_bits := masks_bits masks; masks_values := values; masks_sums := masks_sums masks |}.

(** The masks under which other rows show the same. *)
Definition moved_masks (rows targets : list Rows) (segments moved : list KnownSegment) (masks : CertificateMasks) : CertificateMasks :=
  let values := nudged (masks_values masks) (values_nudge segments moved) 3 in
  {| masks_bits := nudged (masks_bits masks) (bit_nudge rows targets) (2 * about_bits about);
     masks_values := values;
     masks_sums := nudged (masks_sums masks) (sums_nudge segments moved masks (with_values masks values)) 3 |}.

Definition moved_sheet (targets : list Rows) (sheet : list KnownSegment * CertificateMasks) : list KnownSegment * CertificateMasks :=
  let moved := moved_segments targets (fst sheet) in
  (moved, moved_masks (map rows_of (fst sheet)) targets (fst sheet) moved (snd sheet)).

(** As many masks as a certificate of so many bits and moments has. *)
Definition sheet_shaped (sheet : list KnownSegment * CertificateMasks) : Prop :=
  Forall (segment_shaped moments) (fst sheet) /\ seq_length (masks_bits (snd sheet)) = 2 * about_bits about /\
  seq_length (masks_values (snd sheet)) = 3 /\ seq_length (masks_sums (snd sheet)) = 3.

(** ** Which challenges it is not for *)

(** ζ is a point of the domain, or τ, or a position before it, or β_1 is 0. *)
Definition hiding_counted : bool :=
  on_domain n zeta || (zeta [=?] tau) || (domain_point n 1 [*] zeta [=?] tau) || (beta_moment about drawn 0 [=?] scalar_of_N 0).

Hypothesis size_legal : 8 <= n /\ 4096 mod n = 0.
Hypothesis tau_off : on_domain n tau = false.
Hypothesis tau_nonzero : tau <> scalar_of_N 0.
Hypothesis fine : hiding_counted = false.

Lemma size_facts : 3 <= n /\ 4 <= n /\ 4096 mod n = 0.
Proof. destruct size_legal. repeat split; (assumption || lia). Qed.

Lemma fine_parts : on_domain n zeta = false /\ zeta <> tau /\ domain_point n 1 [*] zeta <> tau /\ beta_moment about drawn 0 <> scalar_of_N 0.
Proof.
  pose proof fine as off. unfold hiding_counted in off. repeat (apply orb_false_iff in off; destruct off as [off ?]).
  split; [exact off|]. repeat split; intros E; apply scalar_eqb_iff in E; congruence.
Qed.

Lemma next_moves (x : Scalar) : x <> scalar_of_N 0 -> domain_point n 1 [*] x <> x.
Proof.
  intros X E. destruct size_facts as (L & B & D). apply (domain_points_differ n L D 1 0 ltac:(lia) ltac:(lia) ltac:(lia)).
  apply (scalar_mul_cancel _ _ x X). rewrite E. unfold domain_point, scalar_power, u128_of_usize. rewrite scalar_pow_zero. ring.
Qed.

Lemma next_injective (x y : Scalar) : x <> y -> domain_point n 1 [*] x <> domain_point n 1 [*] y.
Proof.
  intros X E. destruct size_facts as (L & B & D). apply X. apply (scalar_mul_cancel _ _ (domain_point n 1)).
  - unfold domain_point. apply scalar_pow_nonzero. apply (primitive_root_nonzero _ n); [lia|]. apply root_of_unity_primitive; [exact D|lia].
  - transitivity (domain_point n 1 [*] x); [ring|]. rewrite E. ring.
Qed.

Lemma sheet_vanishing (x : Scalar) : on_domain n x = false -> rows_vanishing n x <> scalar_of_N 0.
Proof. destruct size_facts as (_ & B & D). now apply vanishing_nonzero. Qed.

Lemma bit_determinant : first_mask_value n tau [*] second_mask_value n zeta [-] first_mask_value n zeta [*] second_mask_value n tau <> scalar_of_N 0.
Proof. destruct size_facts as (_ & B & D). destruct fine_parts as (Z & ZT & _ & _). now apply determinant_nonzero. Qed.

(** ** The rows of what is moved *)

Variables (segments : list KnownSegment) (masks : CertificateMasks) (targets : list Rows).
Hypothesis as_many : seq_length targets = seq_length segments.
Let rows : list Rows := map rows_of segments.
Let moved : list KnownSegment := moved_segments targets segments.
Let masks' : CertificateMasks := moved_masks rows targets segments moved masks.

Lemma moved_length : seq_length moved = seq_length segments.
Proof. unfold moved, moved_segments. now rewrite seq_length_map, seq_length_range. Qed.

Lemma moved_at (k : N) : k < seq_length segments -> seq_at moved k = moved_segment n tau moments (seq_at targets k) (seq_at segments k).
Proof. intros L. unfold moved, moved_segments. exact (nth_map_range (fun k => moved_segment n tau moments (seq_at targets k) (seq_at segments k)) _ k L). Qed.

Lemma moved_rows : map rows_of moved = targets.
Proof.
  apply seq_ext; [rewrite seq_length_map, moved_length; now symmetry|]. rewrite seq_length_map, moved_length. intros k L.
  rewrite mapped_at by (rewrite moved_length; exact L). rewrite moved_at by exact L. apply moved_segment_rows.
Qed.

Lemma segment_same (k : N) : k < seq_length segments -> segment_shows n tau moments (seq_at moved k) = segment_shows n tau moments (seq_at segments k).
Proof. intros L. destruct size_facts as (_ & B & D). rewrite moved_at by exact L. apply moved_segment_shows; assumption. Qed.

Lemma values_same (k : N) : k < seq_length segments -> values_at n (seq_at moved k) tau = values_at n (seq_at segments k) tau.
Proof. intros L. exact (f_equal fst (segment_same k L)). Qed.

Lemma sums_same (k i : N) : k < seq_length segments -> i < moments -> sums_at n (seq_at moved k) (i + 1) tau = sums_at n (seq_at segments k) (i + 1) tau.
Proof.
  intros L I. pose proof (f_equal snd (segment_same k L)) as E. cbn [segment_shows snd] in E. apply (f_equal (fun s => seq_at s i)) in E.
  rewrite !nth_map_range in E by exact I. exact E.
Qed.

(** ** What shows at τ *)

Lemma all_values_same : all_values_at n moved tau = all_values_at n segments tau.
Proof.
  unfold all_values_at. rewrite moved_length. apply fold_left_ext_in. intros total k I. apply range_in in I. unfold all_values_at_step.
  now rewrite values_same by lia.
Qed.

Lemma combined_values_same : combined_values_at n moved (drawn_rhos drawn) tau = combined_values_at n segments (drawn_rhos drawn) tau.
Proof.
  unfold combined_values_at. rewrite moved_length. apply fold_left_ext_in. intros total k I. apply range_in in I. unfold combined_values_at_step.
  now rewrite values_same by lia.
Qed.

Lemma all_sums_same : all_sums_at about moved drawn n tau = all_sums_at about segments drawn n tau.
Proof.
  unfold all_sums_at. apply fold_left_ext_in. intros total i I. apply range_in in I. unfold all_sums_at_step. f_equal. f_equal.
  unfold combined_sums_at. rewrite moved_length. apply fold_left_ext_in. intros total' k K. apply range_in in K. unfold combined_sums_at_step.
  rewrite sums_same by (unfold moments; lia). reflexivity.
Qed.

(** ** Bits *)

Lemma order_step_rows (cap i : N) (l : list KnownSegment) : order_step (map segment_of (map rows_of l)) cap i = order_step l cap i.
Proof.
  unfold order_step. rewrite !(LoopLemmas.loop_over_elements _ _ _ (fun total segment => order_step_step total segment cap i)).
  rewrite map_map, fold_left_map. apply fold_left_ext_in. reflexivity.
Qed.

Lemma bit_split (l : list KnownSegment) (m : CertificateMasks) (j : N) (x : Scalar) :
  vector_value n (bit_vector n l (about_cap about) m j) x = rows_bit (map rows_of l) j x
  [+] scalar_at (masks_bits m) (2 * j) [*] first_mask_value n x [+] scalar_at (masks_bits m) (2 * j + 1) [*] second_mask_value n x.
Proof.
  destruct size_facts as (_ & B & D). unfold rows_bit, bit_vector, bit_vector_step.
  rewrite (fold_range_append (bit_element n l (about_cap about) m j) 0 n []).
  rewrite (fold_range_append (bit_element n (map segment_of (map rows_of l)) (about_cap about) bare_masks j) 0 n []). cbn [app].
  rewrite (vector_split n B D _ (bit_element n (map segment_of (map rows_of l)) (about_cap about) bare_masks j)).
  - unfold bit_element at 2 3 4 5. rewrite (mask_place n B D), !(proj2 (N.leb_le _ _)) by lia. cbn [bare_masks masks_bits]. rewrite !zero_masks.
    replace (n - 2 - (n - 2)) with 0 by lia. replace (n - 1 - (n - 2)) with 1 by lia. rewrite N.add_0_r. ring.
  - intros i I. unfold bit_element. rewrite (mask_place n B D). destruct (N.leb_spec (n - 2) i); [lia|]. now rewrite order_step_rows.
Qed.

Lemma bits_same (x : Scalar) : x = tau \/ x = zeta -> bits_at about n moved masks' x = bits_at about n segments masks x.
Proof.
  intros X. unfold bits_at, bits_at_step. rewrite !(fold_range_append _ 0 (about_bits about) []). cbn [app]. apply map_ext_in.
  intros j J. apply range_in in J. rewrite !bit_split, moved_rows. unfold masks'. cbn [moved_masks masks_bits]. rewrite !nudged_at by lia.
  pose proof bit_determinant as nonzero. unfold bit_nudge. cbv zeta. destruct (even_half j) as [-> ->], (odd_half j) as [-> ->].
  cbn [N.eqb Pos.eqb]. fold rows. destruct X as [-> | ->]; field; exact nonzero.
Qed.

(** ** The masks of three coefficients *)

Lemma mask_nudged (old : list Scalar) (delta : N -> Scalar) (x : Scalar) :
  mask_value (nudged old delta 3) x = mask_value old x [+] (delta 0 [+] x [*] (delta 1 [+] x [*] delta 2)).
Proof. unfold mask_value. rewrite !nudged_at by lia. ring. Qed.

Lemma values_mask_at (x : Scalar) : mask_value (masks_values masks') x
  = mask_value (masks_values masks) x [+] values_factor segments moved [*] (x [-] tau).
Proof. unfold masks'. cbn [moved_masks masks_values]. rewrite mask_nudged. unfold values_nudge. cbv zeta. cbn [N.eqb Pos.eqb]. ring. Qed.

Lemma masked_values_tau : masked_values_at n moved masks' tau = masked_values_at n segments masks tau.
Proof. unfold masked_values_at. rewrite all_values_same, values_mask_at. ring. Qed.

Lemma masked_values_zeta : masked_values_at n moved masks' zeta = masked_values_at n segments masks zeta.
Proof.
  destruct fine_parts as (Z & ZT & _). unfold masked_values_at. rewrite values_mask_at. unfold values_factor.
  pose proof (sheet_vanishing zeta Z) as V. pose proof (scalar_sub_nonzero _ _ ZT) as zt. field. split; assumption.
Qed.

(** The differences at ωζ and ωτ that the mask of the sums makes up for. *)
Let next_gap (x point : Scalar) : Scalar := (next_rows moved masks' x [-] next_rows segments masks x) [*]
  scalar_inv (beta_moment about drawn 0 [*] rows_vanishing n point [*] (point [-] tau)).
Let y : Scalar := domain_point n 1 [*] zeta.
Let y' : Scalar := domain_point n 1 [*] tau.

Lemma sums_mask_at (x : Scalar) : mask_value (masks_sums masks') x = mask_value (masks_sums masks) x
  [+] (x [-] tau) [*] (next_gap zeta y [+] (next_gap tau y' [-] next_gap zeta y) [*] scalar_inv (y' [-] y) [*] (x [-] y)).
Proof.
  unfold masks' at 1. cbn [moved_masks masks_sums]. rewrite mask_nudged. unfold sums_nudge. cbv zeta. cbn [N.eqb Pos.eqb].
  change (next_rows moved (with_values masks (nudged (masks_values masks) (values_nudge segments moved) 3))) with (next_rows moved masks').
  fold y y'. fold (next_gap zeta y). fold (next_gap tau y'). ring.
Qed.

Lemma next_same (x point : Scalar) : point = domain_point n 1 [*] x ->
  beta_moment about drawn 0 [*] rows_vanishing n point [*] (mask_value (masks_sums masks') point [-] mask_value (masks_sums masks) point)
  = next_rows moved masks' x [-] next_rows segments masks x ->
  next_value about n moved masks' drawn x = next_value about n segments masks drawn x.
Proof.
  intros -> E. unfold next_value. cbv zeta. f_equal. unfold next_rows in E. cbv zeta in E.
  set (p := domain_point n 1 [*] x) in *. revert E.
  generalize (beta_order about drawn) (masked_values_at n moved masks' p) (masked_values_at n segments masks p) (all_sums_at about moved drawn n p)
    (all_sums_at about segments drawn n p) (beta_moment about drawn 0) (rows_vanishing n p) (mask_value (masks_sums masks') p)
    (mask_value (masks_sums masks) p). clear - lawful. intros o v' v s' s b z m' m E.
  apply (proj1 (scalar_sub_zero _ _)). transitivity (o [*] v' [-] s' [-] (o [*] v [-] s) [-] b [*] z [*] (m' [-] m)); [ring|]. rewrite E. ring.
Qed.

Lemma next_zeta : next_value about n moved masks' drawn zeta = next_value about n segments masks drawn zeta.
Proof.
  destruct size_facts as (L & B & D). destruct fine_parts as (Z & ZT & YT & B1). apply (next_same zeta y eq_refl). rewrite sums_mask_at.
  pose proof (scalar_sub_nonzero _ _ (next_injective tau zeta (not_eq_sym ZT))) as yy. fold y y' in yy.
  transitivity (beta_moment about drawn 0 [*] rows_vanishing n y [*] ((y [-] tau) [*] next_gap zeta y)); [field; exact yy|].
  unfold next_gap. pose proof (sheet_vanishing y (off_domain_next n L D zeta Z)) as V.
  pose proof (scalar_sub_nonzero _ _ YT) as yt. fold y in yt. field. repeat split; assumption.
Qed.

Lemma next_tau : next_value about n moved masks' drawn tau = next_value about n segments masks drawn tau.
Proof.
  destruct size_facts as (L & B & D). destruct fine_parts as (Z & ZT & YT & B1). apply (next_same tau y' eq_refl). rewrite sums_mask_at.
  pose proof (scalar_sub_nonzero _ _ (next_injective tau zeta (not_eq_sym ZT))) as yy. fold y y' in yy.
  transitivity (beta_moment about drawn 0 [*] rows_vanishing n y' [*] ((y' [-] tau) [*] next_gap tau y')); [field; exact yy|].
  unfold next_gap. pose proof (sheet_vanishing y' (off_domain_next n L D tau tau_off)) as V.
  pose proof (scalar_sub_nonzero _ _ (next_moves tau tau_nonzero)) as yt. fold y' in yt. field. repeat split; assumption.
Qed.

(** ** The certificate *)

Lemma relation_same : relation_value about items moved masks' drawn tau = relation_value about items segments masks drawn tau.
Proof.
  unfold relation_value. cbv zeta. fold n. rewrite next_tau, masked_values_tau, combined_values_same, all_sums_same.
  rewrite (bits_same tau) by now left. rewrite sums_mask_at. ring.
Qed.

Theorem sheet_shows_same : map (segment_shows n tau moments) moved = map (segment_shows n tau moments) segments /\
  unopened_certificate tau about items moved masks' drawn = unopened_certificate tau about items segments masks drawn.
Proof.
  split.
  - apply seq_ext; [now rewrite !seq_length_map, moved_length|]. rewrite seq_length_map, moved_length. intros k L.
    rewrite !mapped_at by (rewrite ?moved_length; exact L). now apply segment_same.
  - unfold unopened_certificate. cbv zeta. fold n zeta. rewrite (bits_same tau), (bits_same zeta) by tauto.
    rewrite masked_values_zeta, next_zeta. unfold quotient_value. cbv zeta. rewrite relation_same.
    assert (V : mask_value (masks_values masks') tau = mask_value (masks_values masks) tau) by (rewrite values_mask_at; ring).
    assert (S : mask_value (masks_sums masks') tau = mask_value (masks_sums masks) tau) by (rewrite sums_mask_at; ring).
    now rewrite V, S.
Qed.

Lemma moved_shaped : sheet_shaped (moved, masks').
Proof.
  split; [|repeat split; apply nudged_length]. apply Forall_forall. intros segment I. unfold moved, moved_segments in I.
  apply in_map_iff in I as (k & <- & _). apply moved_segment_shaped.
Qed.

Theorem moved_back : sheet_shaped (segments, masks) -> moved_sheet rows (moved, masks') = (segments, masks).
Proof.
  intros (S & Lb & Lv & Ls). cbn [fst snd] in S, Lb, Lv, Ls. unfold moved_sheet. cbn [fst snd].
  assert (back : moved_segments rows moved = segments).
  { apply seq_ext; unfold moved_segments; rewrite seq_length_map, seq_length_range, moved_length; [reflexivity|]. intros k L.
    rewrite (nth_map_range _ _ k L), moved_at by exact L. unfold rows. rewrite mapped_at by exact L. apply moved_segment_back.
    rewrite Forall_forall in S. now apply S, seq_at_in. }
  rewrite back, moved_rows. f_equal. unfold moved_masks. fold rows.
  assert (V : nudged (masks_values masks') (values_nudge moved segments) 3 = masks_values masks).
  { unfold masks'. cbn [moved_masks masks_values]. apply nudged_back; [exact Lv|]. intros i I. unfold values_nudge, values_factor. cbv zeta.
    destruct (i =? 0); [|destruct (i =? 1)]; ring. }
  rewrite V. assert (eta : forall m, {| masks_bits := masks_bits m; masks_values := masks_values m; masks_sums := masks_sums m |} = m)
    by (intros []; reflexivity).
  transitivity {| masks_bits := masks_bits masks; masks_values := masks_values masks; masks_sums := masks_sums masks |}; [f_equal | apply eta].
  - unfold masks'. cbn [moved_masks masks_bits]. apply nudged_back; [exact Lb|]. intros i I. unfold bit_nudge. cbv zeta.
    destruct (i mod 2 =? 0); ring.
  - unfold masks' at 2. cbn [moved_masks masks_sums]. apply nudged_back; [exact Ls|]. intros i I. unfold sums_nudge. cbv zeta.
    change (next_rows moved (with_values masks (nudged (masks_values masks) (values_nudge segments moved) 3))) with (next_rows moved masks').
    change (next_rows segments (with_values masks' (masks_values masks))) with (next_rows segments masks).
    fold masks'. destruct (i =? 0); [|destruct (i =? 1)]; ring.
Qed.

End SheetHiding.

(** ** Few challenges are counted *)

Section Counted.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.
Context {scalar_given : ScalarGiven} {root : PrimitiveRoot scalar_given} {hash_given : HashGiven}.

Add Field scalars : scalar_field.

Variables (tau : Scalar) (about : CertificateAbout) (items : list SheetItem) (drawn : CertificateChallenges).
Let n : N := sheet_size (sheet_log items).
Hypothesis size_legal : 8 <= n /\ 4096 mod n = 0.
Hypothesis tau_off : on_domain n tau = false.

Definition with_zeta (zeta : Scalar) : CertificateChallenges :=
  {| drawn_rhos := drawn_rhos drawn; drawn_betas := drawn_betas drawn; drawn_zeta := zeta |}.

Theorem hiding_counted_few (s : list Scalar) : NoDup s -> beta_moment about drawn 0 <> scalar_of_N 0 ->
  (length (filter (fun zeta => hiding_counted tau about items (with_zeta zeta)) s) <= N.to_nat n + 2)%nat.
Proof.
  intros distinct B1. destruct size_legal as [B D]. assert (L : 3 <= n) by lia. set (w := domain_point n 1).
  assert (W : w <> scalar_of_N 0).
  { unfold w, domain_point. apply scalar_pow_nonzero. apply (primitive_root_nonzero _ n); [lia|]. apply root_of_unity_primitive; [exact D|lia]. }
  transitivity (S (length (filter (fun zeta => on_domain n zeta || (w [*] zeta [=?] tau)) s))).
  - apply (filter_at_most_one tau); [exact distinct|]. intros zeta D1 C. unfold hiding_counted in C. cbn [with_zeta drawn_zeta] in C.
    change (beta_moment about (with_zeta zeta) 0) with (beta_moment about drawn 0) in C. fold n w in C.
    destruct (beta_moment about drawn 0 [=?] scalar_of_N 0) eqn:E; [apply scalar_eqb_iff in E; contradiction|].
    destruct (zeta [=?] tau) eqn:E'; [apply scalar_eqb_iff in E'; contradiction|]. now rewrite !orb_false_r in C.
  - transitivity (S (S (length (filter (is_root (domain_polynomial n)) s)))).
    + apply le_n_S, (filter_at_most_one (scalar_inv w [*] tau)); [exact distinct|]. intros zeta D2 C.
      destruct (w [*] zeta [=?] tau) eqn:E.
      * apply scalar_eqb_iff in E. elim D2. rewrite <- E. field. exact W.
      * rewrite orb_false_r in C. apply scalar_eqb_iff. rewrite domain_polynomial_at by assumption. apply (on_domain_iff n) in C. rewrite C. ring.
    + pose proof (few_roots (domain_polynomial n) s tau distinct) as R. unfold domain_polynomial in R at 3. rewrite map_length, range_length in R.
      specialize (R ltac:(intros E; rewrite domain_polynomial_at in E by assumption; apply not_true_iff_false in tau_off; apply tau_off, on_domain_iff;
        apply (proj1 (scalar_sub_zero _ _)); exact E)). lia.
Qed.

End Counted.
