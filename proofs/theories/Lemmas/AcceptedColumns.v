(** What accepted lists of servers that may lie decrypt to.

    - [matrix_decided]: a matrix is a permutation's, or it is not.
    - [ShownMixer], [mixer_accepted], [mixer_breaks]: what a server showed, opened and answered; whether it meets the verifier's
      relations; and what it gives away, a relation among generators or one of the counted challenges.
    - [mixer_justified]: one server's list is its predecessor's, by the permutation that it committed to, or it breaks.
    - [lists_justified]: so are all servers' lists, one after the other, forward and backward. *)

From Coq Require Import Arith NArith List Bool Lia Ring Field Permutation.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.LinearRelation Mixnet.Permutation
  Mixnet.Column Mixnet.Trace Mixnet.TraceRun.
From Aardvark Require Import Lemmas.Sequences Lemmas.Field Spec.Base.Scalar Spec.Base.Group Lemmas.Batch
  Spec.Mixnet.LinearRelation Spec.Mixnet.Column Lemmas.ColumnCount Lemmas.MatrixCount Lemmas.PermutationCount
  Lemmas.ShuffleCount Spec.Mixnet.TraceRun.
Import ListNotations.
Local Open Scope N_scope.

Section Columns.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Add Field scalars : scalar_field.

Lemma matrix_decided (rows : list (list Scalar)) :
  is_matrix_of (matrix_images rows) rows \/ ~ is_matrix_of (matrix_images rows) rows.
Proof.
  destruct (matrix_cases rows) as [M | [(j & L & U) | (i & L & Z)]]; [now left | right | right]; intros (P & M).
  - assert (In j (range 0 (seq_length rows))) as I by (apply range_in; split; [apply N.le_0_l | exact L]).
    apply (Permutation_in _ (Permutation_sym (images_permutation _ _ P))) in I. apply in_map_iff in I as (i & E & I).
    apply range_in in I. specialize (U i ltac:(lia)). apply not_true_iff_false in U. apply U. unfold row_is_unit.
    apply forallb_forall. intros k Ik. apply range_in in Ik. apply scalar_eqb_iff. rewrite M by lia. unfold unit_at.
    rewrite <- E. destruct (N.eqb_spec (seq_at (matrix_images rows) i) (seq_at (matrix_images rows) k)) as [Q | Q],
      (N.eqb_spec k i) as [R | R]; try reflexivity.
    + exfalso. apply R. symmetry. apply (proj2 (proj2 P)); [lia | lia | exact Q].
    + exfalso. apply Q. now subst.
  - pose proof (proj1 (proj2 P) i L) as B. specialize (M i _ L B). rewrite N.eqb_refl in M. rewrite (Z _ B) in M.
    now apply scalar_one_nonzero.
Qed.

(** What a server showed: its commitment, the chain of its permutation proof, its list; an opening of the commitment to a matrix;
    and for either proof the challenges and the witness that two accepted proofs give. *)
Record ShownMixer : Type := {
  shown_committed : list G1;
  shown_blindings : list Scalar;
  shown_rows : list (list Scalar);
  shown_chain : list G1;
  shown_drawn : list Scalar;
  shown_theta : Scalar;
  shown_permuted : list Scalar;
  shown_list : list (list G1);
  shown_coefficients : list Scalar;
  shown_witness : list Scalar;
}.

(** The images of the permutation that a server is committed to. *)
Definition shown_images (m : ShownMixer) : list N := matrix_images (shown_rows m).

(** Both relations of a server are met: its commitment's, and that of [after], which is [before] shuffled. *)
Definition mixer_accepted (generators : MixnetGenerators) (keys : list G1) (before after : list (list G1)) (m : ShownMixer) : Prop :=
  opens_to generators (shown_committed m) (shown_blindings m) (shown_rows m) /\
  seq_length before = seq_length (shown_rows m) /\ seq_length after = seq_length (shown_rows m) /\
  relation_met (permutation_matrix generators (shown_chain m))
    (permutation_image generators (shown_committed m) (shown_chain m) (shown_drawn m) (shown_theta m)) (shown_permuted m) = true /\
  relation_met (column_matrix generators keys after)
    (column_image (shown_committed m) keys before (shown_coefficients m)) (shown_witness m) = true.

(** The challenges of a permutation proof are counted by [not_permutation_counted]. *)
Definition permutation_counted (m : ShownMixer) : Prop :=
  ~ is_matrix_of (shown_images m) (shown_rows m) /\ products_agree (shown_rows m) (shown_drawn m) (shown_theta m) = true.

(** The coefficients of a column proof are counted by [shuffle_counted]. *)
Definition column_counted_at (secret : Scalar) (l : N) (before after : list (list G1)) (m : ShownMixer) : Prop :=
  (exists i, i < seq_length before /\
    decrypted (seq_at after (seq_at (shown_images m) i)) secret l <> decrypted (seq_at before i) secret l) /\
  combination (decryption_error (shown_images m) before after secret l) (shown_coefficients m) (seq_length before) = scalar_of_N 0.

(** A server gives a relation among the generators away, or met one of the counted challenges. *)
Definition mixer_breaks (generators : MixnetGenerators) (secret : Scalar) (l : N) (before after : list (list G1)) (m : ShownMixer) : Prop :=
  is_generator_relation generators
    (find_permutation_break generators (shown_blindings m) (shown_rows m) (shown_drawn m) (shown_theta m) (shown_permuted m)) = true \/
  is_generator_relation generators
    (opening_difference (shown_blindings m) (shown_rows m) (shown_coefficients m) (shown_witness m)) = true \/
  permutation_counted m \/ column_counted_at secret l before after m.

Lemma g1_eq_dec (a b : G1) : a = b \/ a <> b.
Proof.
  destruct (g1_equal a b) eqn:E; [left; now apply g1_equal_iff | right]. intros ->.
  rewrite (proj2 (g1_equal_iff b b) eq_refl) in E. discriminate.
Qed.

Lemma mixer_justified (generators : MixnetGenerators) (keys : list G1) (secret : Scalar) (l : N) (before after : list (list G1))
    (m : ShownMixer) :
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  mixer_accepted generators keys before after m ->
  (permutes (shown_images m) (seq_length before) /\
   forall i, i < seq_length before ->
   decrypted (seq_at after (seq_at (shown_images m) i)) secret l = decrypted (seq_at before i) secret l) \/
  mixer_breaks generators secret l before after m.
Proof.
  intros L G Y (O & LB & LA & MP & MC). unfold mixer_breaks.
  destruct (is_generator_relation generators (find_permutation_break generators (shown_blindings m) (shown_rows m) (shown_drawn m)
    (shown_theta m) (shown_permuted m))) eqn:A; [right; now left |].
  destruct (is_generator_relation generators (opening_difference (shown_blindings m) (shown_rows m) (shown_coefficients m)
    (shown_witness m))) eqn:B; [right; right; now left |].
  destruct (matrix_decided (shown_rows m)) as [M | M].
  2: { right. right. right. left. split; [exact M |].
       exact (met_permutation_products _ _ _ _ _ _ _ _ O MP A). }
  pose proof (met_column_errors generators _ keys _ _ (shown_images m) before after _ _ secret l O M LB LA L G Y MC B) as E.
  destruct (@search (fun i => negb (g1_equal (decrypted (seq_at after (seq_at (shown_images m) i)) secret l)
    (decrypted (seq_at before i) secret l))) (seq_length before)) as [(i & Li & W) | Right].
  - right. right. right. right. split; [| now rewrite LB]. exists i. split; [exact Li |]. intros Q.
    rewrite (proj2 (g1_equal_iff _ _) Q) in W. discriminate.
  - left. split; [rewrite LB; exact (proj1 M) |]. intros i Li. specialize (Right i Li). apply negb_false_iff in Right.
    now apply g1_equal_iff.
Qed.

(** * One server after the other *)

(** The two lists of a server: what its relation calls the one before and the one after. Backward they are exchanged. *)
Definition sides (direction : TraceDirection) (came left : list (list G1)) : list (list G1) * list (list G1) :=
  match direction with
  | TraceDirection_TraceIn => (left, came)
  | TraceDirection_TraceOut => (came, left)
  end.

(** All servers, in the order in which the list goes through them. *)
Fixpoint lists_accepted (direction : TraceDirection) (generators : MixnetGenerators) (keys : list G1) (first : list (list G1))
    (shown : list ShownMixer) : Prop :=
  match shown with
  | [] => True
  | m :: rest =>
      let (before, after) := sides direction first (shown_list m) in
      mixer_accepted generators keys before after m /\ lists_accepted direction generators keys (shown_list m) rest
  end.

(** One of them breaks. *)
Fixpoint lists_break (direction : TraceDirection) (generators : MixnetGenerators) (secret : Scalar) (l : N) (first : list (list G1))
    (shown : list ShownMixer) : Prop :=
  match shown with
  | [] => False
  | m :: rest =>
      let (before, after) := sides direction first (shown_list m) in
      mixer_breaks generators secret l before after m \/ lists_break direction generators secret l (shown_list m) rest
  end.

(** The last list. *)
Definition last_list (first : list (list G1)) (shown : list ShownMixer) : list (list G1) :=
  fold_left (fun _ m => shown_list m) shown first.

(** A server with its permutation, as [TraceRun.v] has it. *)
Definition as_mixer (m : ShownMixer) : TraceMixer :=
  {| mixer_images := shown_images m; mixer_randomness := []; mixer_factors := [] |}.

Lemma lists_justified (direction : TraceDirection) (generators : MixnetGenerators) (keys : list G1) (secret : Scalar) (l n : N)
    (shown : list ShownMixer) :
  0 < l < seq_length keys -> g1_at keys 0 = g1_generator -> g1_at keys l = g1_multiple secret ->
  forall first, seq_length first = n -> lists_accepted direction generators keys first shown ->
  (all_permute (map as_mixer shown) n /\ seq_length (last_list first shown) = n /\
   forall i, i < n ->
   match direction with
   | TraceDirection_TraceIn =>
       decrypted (seq_at (last_list first shown) i) secret l
       = decrypted (seq_at first (images_through (map as_mixer (rev shown)) i)) secret l
   | TraceDirection_TraceOut =>
       decrypted (seq_at (last_list first shown) (images_through (map as_mixer shown) i)) secret l
       = decrypted (seq_at first i) secret l
   end) \/
  lists_break direction generators secret l first shown.
Proof.
  intros L G Y. induction shown as [| m shown IH]; intros first LF A.
  { left. split; [intros x [] |]. split; [exact LF |]. intros i _. now destruct direction. }
  cbn [lists_accepted lists_break] in *. destruct direction; cbn [sides] in *.
  - destruct A as [A Rest]. pose proof A as (_ & LB & LA & _).
    destruct (mixer_justified generators keys secret l _ _ m L G Y A) as [[P J] | B]; [| right; now left].
    assert (seq_length (shown_list m) = n) as Lm by congruence. rewrite Lm in P, J.
    destruct (IH (shown_list m) Lm Rest) as [(Ps & Ls & Js) | B]; [| right; now right].
    left. split; [intros x [<- | I]; [exact P | now apply Ps] |]. split; [exact Ls |]. intros i Li.
    change (last_list first (m :: shown)) with (last_list (shown_list m) shown). rewrite Js by exact Li.
    cbn [rev]. rewrite map_app. unfold images_through. rewrite fold_left_app. cbn [map fold_left].
    fold (images_through (map as_mixer (rev shown)) i). cbn [as_mixer mixer_images]. symmetry. apply J.
    apply images_through_below; [| exact Li]. intros x I. apply in_map_iff in I as (y & <- & I). apply in_rev in I.
    apply Ps. now apply in_map.
  - destruct A as [A Rest]. pose proof A as (_ & LB & LA & _).
    destruct (mixer_justified generators keys secret l _ _ m L G Y A) as [[P J] | B]; [| right; now left].
    assert (seq_length (shown_list m) = n) as Lm by congruence. rewrite LF in P, J.
    destruct (IH (shown_list m) Lm Rest) as [(Ps & Ls & Js) | B]; [| right; now right].
    left. split; [intros x [<- | I]; [exact P | now apply Ps] |]. split; [exact Ls |]. intros i Li.
    change (last_list first (m :: shown)) with (last_list (shown_list m) shown).
    cbn [map]. unfold images_through. cbn [fold_left as_mixer mixer_images].
    fold (images_through (map as_mixer shown) (seq_at (shown_images m) i)). rewrite Js by now apply P. now apply J.
Qed.

End Columns.
