(** The least key of a box from a byte string on, found column by column, from the last.

    - [seek_columns]: what the search finds for digits of all columns;
    - [box_next_least]: the least key of a box that is not below a byte string, whatever that is;
    - [box_holds_iff]: whether a key lies in a box. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Table.KeyBox.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.Readers Safety.BoundsSafe Spec.Base.Bytes Spec.Table.TableKey
  Spec.Table.KeyBox.
Import ListNotations.
Local Open Scope N_scope.

(** ** Widths, and boxes without keys *)

Fixpoint columns_width (columns : list BoxColumn) : N :=
  match columns with
  | [] => 0
  | column :: rest => box_column_width column + columns_width rest
  end.

Lemma box_width_columns : forall columns, box_width columns = columns_width columns.
Proof.
  intros. unfold box_width. rewrite (loop_over_elements _ _ _ box_width_step).
  enough (G : forall start, fold_left box_width_step columns start = start + columns_width columns) by apply G.
  induction columns as [|c cs IH]; intros start; cbn [fold_left columns_width]; [lia|]. rewrite IH. unfold box_width_step. lia.
Qed.

Lemma box_inhabited_iff : forall columns, box_inhabited columns = true <-> Forall (fun c => box_column_intervals c <> []) columns.
Proof.
  intros. unfold box_inhabited. rewrite (loop_over_elements _ _ _ box_inhabited_step).
  enough (G : forall start, fold_left box_inhabited_step columns start = true <-> start = true /\ Forall (fun c => box_column_intervals c <> []) columns).
  { rewrite G. tauto. }
  induction columns as [|c cs IH]; intros start; cbn [fold_left]; [split; [auto|tauto]|]. rewrite IH, Forall_cons_iff.
  unfold box_inhabited_step. rewrite andb_true_iff, N.ltb_lt.
  assert (P : 0 < seq_length (box_column_intervals c) <-> box_column_intervals c <> []); [|tauto].
  unfold seq_length. destruct (box_column_intervals c); cbn [length]; split; intros H; (lia || congruence).
Qed.

Lemma in_columns_length : forall columns digits, in_columns columns digits -> seq_length digits = columns_width columns /\ of_bytes digits.
Proof.
  induction columns as [|c cs IH]; intros digits; cbn [in_columns columns_width].
  - intros ->. split; [reflexivity|constructor].
  - intros (a & b & -> & (O & L & _) & B). destruct (IH b B) as [Lb Ob]. split; [rewrite seq_length_app; lia|]. apply of_bytes_app. auto.
Qed.

Lemma in_columns_inhabited : forall columns digits, in_columns columns digits -> Forall (fun c => box_column_intervals c <> []) columns.
Proof.
  induction columns as [|c cs IH]; intros digits; [constructor|]. cbn [in_columns]. intros (a & b & _ & (_ & _ & i & I & _) & B).
  constructor; [|eauto]. intros E. rewrite E in I. destruct I.
Qed.

(** ** The search *)

(** At least the asked digits; above them where [above]. *)
Definition beyond (above : bool) (asked q : ByteString) : Prop := if above then blt asked q else ~ blt q asked.

Lemma beyond_append : forall above a b a' b', seq_length a = seq_length a' ->
  beyond above (a ++ b) (a' ++ b') <-> blt a a' \/ (a = a' /\ beyond above b b').
Proof.
  intros [] a b a' b' L; unfold beyond; [apply lex_append; exact L|]. rewrite lex_append by congruence. split.
  - intros H. destruct (bytes_dec a a') as [->|D]; [right; split; [reflexivity|intros B; apply H; auto]|].
    destruct (blt_total _ _ D) as [B|B]; [auto|]. exfalso. apply H. auto.
  - intros [H|[-> H]] [G|[E G]]; [exact (blt_asymmetric _ _ H G)|subst; exact (blt_irreflexive _ H)|exact (blt_irreflexive _ G)|contradiction].
Qed.

(** The search from the last column on, as a fold over the columns. *)
Definition seek_columns (asked : ByteString) (start : BoxSeek) (columns : list BoxColumn) : BoxSeek :=
  fold_right (fun column seek => seek_box_step seek column asked) start columns.

Lemma loop_from_end : forall A B (D : Default A) (f : B -> A -> B) (s : list A) start,
  fold_left (fun acc i => f acc (seq_at s (place_from_end (seq_length s) i))) (range 0 (seq_length s)) start
  = fold_right (fun x acc => f acc x) start s.
Proof.
  intros A B D f s. induction s as [|x s IH]; intros start; [reflexivity|]. cbn [fold_right]. rewrite <- IH.
  rewrite seq_length_cons, range_snoc, fold_left_app by lia. cbn [fold_left]. f_equal.
  - apply fold_left_same. intros acc i I. apply in_range in I. f_equal. unfold place_from_end.
    rewrite (proj2 (N.ltb_lt i (seq_length s + 1))), (proj2 (N.ltb_lt i (seq_length s))) by lia.
    replace (seq_length s + 1 - i - 1) with (seq_length s - i - 1 + 1) by lia. apply seq_at_cons_succ.
  - unfold place_from_end. rewrite (proj2 (N.ltb_lt _ _)) by lia. replace (seq_length s + 1 - seq_length s - 1) with 0 by lia. reflexivity.
Qed.

Definition seek_start (asked : ByteString) (above : bool) : BoxSeek :=
  {| seek_rest := seq_length asked; seek_next := if above then None else Some []; seek_least := [] |}.

Lemma seek_box_columns : forall columns asked above, seek_box columns asked above = seek_columns asked (seek_start asked above) columns.
Proof. intros. unfold seek_box, seek_columns. apply (loop_from_end _ _ _ (fun seek column => seek_box_step seek column asked)). Qed.

(** What is found for the columns behind some digits, of the digits behind these. *)
Theorem seek_columns_least : forall above columns front back,
  Forall column_legal columns -> Forall (fun c => box_column_intervals c <> []) columns -> of_bytes back ->
  seq_length back = columns_width columns ->
  let seek := seek_columns (front ++ back) (seek_start (front ++ back) above) columns in
  seek_rest seek = seq_length front /\ in_columns columns (seek_least seek) /\
  (forall q, in_columns columns q -> ~ blt q (seek_least seek)) /\
  match seek_next seek with
  | Some m => in_columns columns m /\ beyond above back m /\ forall q, in_columns columns q -> beyond above back q -> ~ blt q m
  | None => forall q, in_columns columns q -> ~ beyond above back q
  end.
Proof.
  intros above columns. induction columns as [|c cs IH]; intros front back W I O L; cbv zeta; cbn [seek_columns fold_right].
  - cbn [columns_width] in L. destruct back as [|x back]; [|rewrite seq_length_cons in L; lia]. rewrite app_nil_r. unfold seek_start.
    cbn [seek_rest seek_least seek_next in_columns]. split; [reflexivity|]. split; [reflexivity|]. split; [intros q ->; apply blt_irreflexive|].
    destruct above; cbn [beyond]; [intros q ->; apply blt_irreflexive|]. split; [reflexivity|]. split; [apply blt_irreflexive|].
    intros q -> _. apply blt_irreflexive.
  - cbn [columns_width] in L. inversion W as [|? ? Wc W']; subst. inversion I as [|? ? Ic I']; subst.
    destruct (split_at _ back (box_column_width c) ltac:(lia)) as (a & b & -> & La). rewrite seq_length_app in L.
    apply of_bytes_app in O. destruct O as [Oa Ob]. specialize (IH (front ++ a) b W' I' Ob ltac:(lia)). cbv zeta in IH.
    rewrite <- app_assoc in IH. change (fold_right _ ?s cs) with (seek_columns (front ++ a ++ b) s cs).
    set (seek := seek_columns (front ++ a ++ b) (seek_start (front ++ a ++ b) above) cs) in *. clearbody seek.
    destruct IH as (R & Li & Lm & N). rewrite seq_length_app in R. unfold seek_box_step. cbv zeta. cbn [seek_rest seek_least seek_next].
    rewrite R, <- La, (proj2 (N.leb_le _ _)) by lia. replace (seq_length front + seq_length a - seq_length a) with (seq_length front) by lia.
    replace (seq_length front + seq_length a - seq_length front) with (seq_length a) by lia. rewrite slice_middle.
    destruct (column_least_least c Wc Ic) as [Cl Cm]. split; [reflexivity|]. split; [|split].
    + exists (column_least c), (seek_least seek). auto.
    + intros q (qa & qb & -> & Qa & Qb). rewrite lex_append by (destruct Qa as (_ & -> & _), Cl as (_ & -> & _); reflexivity).
      intros [B|[_ B]]; [exact (Cm _ Qa B)|exact (Lm _ Qb B)].
    + pose proof (column_above_least c a Wc Oa La) as A. unfold next_in_column.
      set (above_a := match column_above c a with None => None | Some greater => Some (greater ++ seek_least seek) end).
      assert (G : (forall qb, in_columns cs qb -> beyond above b qb -> ~ in_column c a) ->
        match above_a with
        | Some m => in_columns (c :: cs) m /\ beyond above (a ++ b) m /\ forall q, in_columns (c :: cs) q -> beyond above (a ++ b) q -> ~ blt q m
        | None => forall q, in_columns (c :: cs) q -> ~ beyond above (a ++ b) q
        end).
      { intros X. unfold above_a. destruct (column_above c a) as [g|].
        - destruct A as (Cg & Bg & Mg). split; [exists g, (seek_least seek); auto|].
          assert (Lg : seq_length a = seq_length g) by (destruct Cg as (_ & -> & _); exact La).
          split; [apply beyond_append; [exact Lg|auto]|]. intros q (qa & qb & -> & Qa & Qb) B.
          assert (Lq : seq_length a = seq_length qa) by (destruct Qa as (_ & -> & _); exact La).
          apply beyond_append in B; [|exact Lq]. destruct B as [B|[<- B]]; [|exfalso; exact (X qb Qb B Qa)].
          rewrite lex_append by congruence. intros [H|[_ H]]; [exact (Mg _ Qa B H)|exact (Lm _ Qb H)].
        - intros q (qa & qb & -> & Qa & Qb) B. apply beyond_append in B; [|destruct Qa as (_ & -> & _); exact La].
          destruct B as [B|[<- B]]; [exact (A _ Qa B)|exact (X qb Qb B Qa)]. }
      destruct (seek_next seek) as [behind|]; [|apply G; intros qb Qb B _; exact (N qb Qb B)].
      destruct N as (Nb & Bb & Mb). destruct (column_holds c a) eqn:H.
      * apply column_holds_iff in H; try assumption. split; [exists a, behind; auto|].
        split; [apply beyond_append; [reflexivity|auto]|]. intros q (qa & qb & -> & Qa & Qb) B.
        assert (Lq : seq_length a = seq_length qa) by (destruct Qa as (_ & -> & _); exact La).
        apply beyond_append in B; [|exact Lq]. rewrite lex_append by congruence. destruct B as [B|[<- B]].
        -- intros [K|[-> K]]; [exact (blt_asymmetric _ _ B K)|exact (blt_irreflexive _ B)].
        -- intros [K|[_ K]]; [exact (blt_irreflexive _ K)|exact (Mb _ Qb B K)].
      * apply G. intros _ _ _ K. apply column_holds_iff in K; try assumption. congruence.
Qed.

(** ** Byte strings of any length *)

(** Digits are not below a string where they are beyond its first digits, or its digits filled up with zeros. *)
Lemma not_below_iff : forall k width q, seq_length q = width ->
  ~ blt q k <-> beyond (width <? seq_length k) (seq_slice (k ++ (seq_new width : list N)) 0 width) q.
Proof.
  intros k width q L. destruct (N.ltb_spec width (seq_length k)) as [G|G]; cbn [beyond].
  - destruct (split_at _ k width ltac:(lia)) as (a & b & -> & La). rewrite <- app_assoc.
    replace (seq_slice (a ++ b ++ seq_new width) 0 width) with a by (rewrite <- La; symmetry; apply slice_front).
    rewrite <- (app_nil_r q) at 1. rewrite lex_append by congruence. rewrite seq_length_app in G.
    assert (P : blt [] b). { apply blt_empty. intros ->. rewrite seq_length_nil in G. lia. }
    split.
    + intros H. destruct (bytes_dec a q) as [->|D]; [exfalso; apply H; auto|]. destruct (blt_total _ _ D) as [B|B]; [exact B|]. tauto.
    + intros B [H|[-> _]]; [exact (blt_asymmetric _ _ B H)|exact (blt_irreflexive _ B)].
  - assert (E : seq_slice (k ++ (seq_new width : list N)) 0 width = k ++ (seq_new (width - seq_length k) : list N)).
    { assert (Z : (seq_new width : list N) = (seq_new (width - seq_length k) : list N) ++ seq_new (seq_length k)).
      { unfold seq_new. rewrite <- repeat_app. f_equal. lia. }
      rewrite Z, app_assoc. set (filled := k ++ (seq_new (width - seq_length k) : list N)).
      assert (Lf : width = seq_length filled) by (unfold filled; rewrite seq_length_app, seq_length_zeros; lia).
      rewrite Lf. apply slice_front. }
    rewrite E. destruct (split_at _ q (seq_length k) ltac:(lia)) as (a & b & -> & La). rewrite seq_length_app in L.
    rewrite <- (app_nil_r k) at 1. rewrite !lex_append by exact La. pose proof (zeros_least b (width - seq_length k) ltac:(lia)) as Z.
    pose proof (bytes_less_empty b). tauto.
Qed.

Lemma next_digits_least : forall columns k, Forall column_legal columns -> box_inhabited columns = true -> of_bytes k ->
  match next_digits columns k with
  | Some m => in_columns columns m /\ ~ blt m k /\ forall q, in_columns columns q -> ~ blt q k -> ~ blt q m
  | None => forall q, in_columns columns q -> blt q k
  end.
Proof.
  intros columns k W I O. apply box_inhabited_iff in I. unfold next_digits. rewrite box_width_columns, seek_box_columns.
  set (asked := seq_slice (k ++ (seq_new (columns_width columns) : list N)) 0 (columns_width columns)).
  assert (Oa : of_bytes asked).
  { assert (all : of_bytes (k ++ (seq_new (columns_width columns) : list N))) by (apply of_bytes_app; split; [exact O|apply zeros_bytes]).
    unfold asked, seq_slice. cbn [N.to_nat skipn].
    rewrite <- (firstn_skipn (N.to_nat (columns_width columns)) (k ++ seq_new (columns_width columns))) in all.
    apply of_bytes_app in all. apply all. }
  assert (La : seq_length asked = columns_width columns).
  { unfold asked. apply seq_length_slice. rewrite seq_length_app, seq_length_zeros. lia. }
  pose proof (seek_columns_least (columns_width columns <? seq_length k) columns [] asked W I Oa La) as H. cbv zeta in H. cbn [app] in H.
  destruct H as (_ & _ & _ & H). pose proof (not_below_iff k (columns_width columns)) as B. fold asked in B.
  destruct (seek_next _) as [m|].
  - destruct H as (Hm & Hb & Hl). split; [exact Hm|]. split; [apply B; [apply in_columns_length; exact Hm|exact Hb]|].
    intros q Q K. apply Hl; [exact Q|]. apply B; [apply in_columns_length; exact Q|exact K].
  - intros q Q. specialize (H q Q). destruct (blt_dec q k) as [D|D]; [exact D|]. exfalso. apply H, B; [apply in_columns_length; exact Q|exact D].
Qed.

(** ** Keys *)

Lemma prefix_below : forall p a b, blt (p ++ a) (p ++ b) <-> blt a b.
Proof. intros. rewrite lex_append by reflexivity. split; [intros [H|[_ H]]; [destruct (blt_irreflexive _ H)|exact H]|auto]. Qed.

(** A string whose first difference from a prefix is behind it begins with it. *)
Lemma begins_with : forall k p, seq_length p <= first_difference k p -> exists rest, k = p ++ rest.
Proof.
  intros k p. rewrite first_difference_is_common_prefix. revert k. induction p as [|y p IH]; intros [|x k] L; cbn [common_prefix] in L;
    rewrite ?seq_length_cons, ?seq_length_nil in L; try lia; [exists []; reflexivity|exists (x :: k); reflexivity|].
  destruct (N.eqb_spec x y) as [->|]; [|lia]. destruct (IH k ltac:(lia)) as [rest ->]. exists rest. reflexivity.
Qed.

(** One that does not, and is not below the prefix, is above all that begin with it. *)
Lemma above_prefix : forall k p d, first_difference k p < seq_length p -> ~ blt k p -> blt (p ++ d) k.
Proof.
  intros k p d. rewrite first_difference_is_common_prefix. unfold blt. rewrite !bytes_less_is_lex. revert k.
  induction p as [|y p IH]; intros [|x k]; cbn [common_prefix lex app]; rewrite ?seq_length_cons, ?seq_length_nil; intros L B; try lia.
  destruct (N.eqb_spec x y) as [->|D]; [rewrite N.eqb_refl; apply IH; [lia|exact B]|].
  destruct (N.eqb_spec y x) as [E|_]; [congruence|]. rewrite N.ltb_lt in *. lia.
Qed.

Lemma not_below_prefix : forall p d, ~ blt (p ++ d) p.
Proof. intros p d. rewrite <- (app_nil_r p) at 2. rewrite prefix_below. apply bytes_less_empty. Qed.

Theorem box_next_least : forall key_box k, box_legal key_box -> of_bytes k ->
  match box_next key_box k with
  | Some m => in_box key_box m /\ ~ blt m k /\ forall q, in_box key_box q -> ~ blt q k -> ~ blt q m
  | None => forall q, in_box key_box q -> blt q k
  end.
Proof.
  intros b k W O. unfold box_next, in_box. destruct (box_inhabited (box_columns b)) eqn:I; cbn [negb].
  2:{ intros q (d & _ & D). exfalso. apply not_true_iff_false in I. apply I, box_inhabited_iff. eapply in_columns_inhabited; eauto. }
  destruct (N.leb_spec (seq_length (box_prefix b)) (first_difference k (box_prefix b))) as [L|L].
  - destruct (begins_with _ _ L) as [rest ->]. rewrite seq_length_app. replace (seq_length (box_prefix b) + seq_length rest - seq_length (box_prefix b))
      with (seq_length rest) by lia. rewrite slice_back. apply of_bytes_app in O. destruct O as [_ O].
    pose proof (next_digits_least (box_columns b) rest W I O) as H. destruct (next_digits _ rest) as [m|]; cbn [prefixed].
    + destruct H as (Hm & Hk & Hl). split; [eauto|]. split; [rewrite prefix_below; exact Hk|]. intros q (d & -> & D).
      rewrite !prefix_below. auto.
    + intros q (d & -> & D). rewrite prefix_below. auto.
  - destruct (bytes_less k (box_prefix b)) eqn:B.
    + pose proof (next_digits_least (box_columns b) [] W I ltac:(constructor)) as H. destruct (next_digits _ []) as [m|]; cbn [prefixed].
      * destruct H as (Hm & _ & Hl). split; [eauto|]. split.
        -- intros G. apply (not_below_prefix (box_prefix b) m). eapply blt_transitive; eauto.
        -- intros q (d & -> & D) _. rewrite prefix_below. apply Hl; [exact D|]. apply bytes_less_empty.
      * intros q (d & -> & D). exfalso. exact (bytes_less_empty _ (H d D)).
    + apply bytes_less_false in B. intros q (d & -> & D). apply above_prefix; assumption.
Qed.

Theorem box_holds_iff : forall key_box k, box_legal key_box -> of_bytes k -> box_holds key_box k = true <-> in_box key_box k.
Proof.
  intros b k W O. pose proof (box_next_least b k W O) as H. unfold box_holds. destruct (box_next b k) as [m|].
  - rewrite bytes_equal_iff. destruct H as (Hm & Hk & Hl). split; [intros <-; exact Hm|]. intros K.
    specialize (Hl k K (blt_irreflexive k)). apply not_blt in Hk. destruct Hk as [E|E]; [congruence|contradiction].
  - split; [discriminate|]. intros K. destruct (blt_irreflexive _ (H k K)).
Qed.
