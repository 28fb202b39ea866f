(** Boxes of keys: what a box is, and the least digits of one of its columns. The least key of a box is in BoxNext.v.

    - [digits_above_least]: the number above, of one width;
    - [canonical_ascend]: what the canonical form of intervals says;
    - [column_above_least], [column_least_least]: the least digits of a column, and those above some. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Bytes Table.KeyBox.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Lemmas.Readers Safety.BoundsSafe Spec.Base.Bytes Spec.Table.TableKey.
Import ListNotations.
Local Open Scope N_scope.

(** ** What a box is *)

(** The digits have the column's width, and lie in one of its intervals, ends included. *)
Definition in_column (column : BoxColumn) (digits : ByteString) : Prop :=
  of_bytes digits /\ seq_length digits = box_column_width column /\
  exists interval, In interval (box_column_intervals column) /\
    ~ blt digits (interval_low interval) /\ ~ blt (interval_high interval) digits.

(** The digits of the columns one after the other, each in its column. *)
Fixpoint in_columns (columns : list BoxColumn) (digits : ByteString) : Prop :=
  match columns with
  | [] => digits = []
  | column :: rest => exists front back, digits = front ++ back /\ in_column column front /\ in_columns rest back
  end.

(** The key is the prefix, and digits of the columns behind it. *)
Definition in_box (key_box : KeyBox) (k : ByteString) : Prop :=
  exists digits, k = box_prefix key_box ++ digits /\ in_columns (box_columns key_box) digits.

(** A column as queries have them: intervals of its width, ascending, neither empty nor adjacent. *)
Definition column_legal (column : BoxColumn) : Prop :=
  intervals_canonical (box_column_width column) (box_column_intervals column) = true /\
  Forall (fun interval => of_bytes (interval_low interval) /\ of_bytes (interval_high interval)) (box_column_intervals column).

Definition box_legal (key_box : KeyBox) : Prop := Forall column_legal (box_columns key_box).

(** ** Strings of one length *)

Lemma seq_length_last : forall A (s : list A) x, seq_length (s ++ [x]) = seq_length s + 1.
Proof. intros. rewrite seq_length_app. reflexivity. Qed.

Lemma of_bytes_app : forall a b, of_bytes (a ++ b) <-> of_bytes a /\ of_bytes b.
Proof. intros. unfold of_bytes. apply Forall_app. Qed.

Lemma seq_length_zeros : forall n, seq_length (seq_new n : list N) = n.
Proof. intros. unfold seq_new, seq_length. rewrite repeat_length. lia. Qed.

Lemma zeros_bytes : forall n, of_bytes (seq_new n : list N).
Proof. intros. unfold seq_new, of_bytes. apply Forall_forall. intros x I. apply repeat_spec in I. subst. unfold default, Default_N. lia. Qed.

(** Zeros are the least string of their length. *)
Lemma zeros_least : forall q n, seq_length q = n -> ~ blt q (seq_new n : list N).
Proof.
  intros q n <-. unfold blt, seq_new, seq_length. rewrite Nnat.Nat2N.id, bytes_less_is_lex.
  induction q as [|x q IH]; [discriminate|]. cbn [length repeat lex]. unfold default at 1, Default_N at 1.
  destruct (N.eqb_spec x 0) as [->|D]; [exact IH|]. unfold default, Default_N. rewrite N.ltb_lt. lia.
Qed.

Lemma slice_front : forall A (a b : list A), seq_slice (a ++ b) 0 (seq_length a) = a.
Proof.
  intros. unfold seq_slice, seq_length. rewrite Nnat.Nat2N.id. cbn [N.to_nat skipn].
  rewrite firstn_app, PeanoNat.Nat.sub_diag, firstn_all. cbn. apply app_nil_r.
Qed.

Lemma slice_back : forall A (a b : list A), seq_slice (a ++ b) (seq_length a) (seq_length b) = b.
Proof.
  intros. unfold seq_slice, seq_length. rewrite !Nnat.Nat2N.id, skipn_app, skipn_all, PeanoNat.Nat.sub_diag. cbn. apply firstn_all.
Qed.

Lemma slice_middle : forall A (a b c : list A), seq_slice (a ++ b ++ c) (seq_length a) (seq_length b) = b.
Proof.
  intros. unfold seq_slice, seq_length. rewrite !Nnat.Nat2N.id, skipn_app, skipn_all, PeanoNat.Nat.sub_diag. cbn.
  rewrite firstn_app, PeanoNat.Nat.sub_diag, firstn_all. cbn. apply app_nil_r.
Qed.

Lemma split_at : forall A (s : list A) n, n <= seq_length s -> exists a b, s = a ++ b /\ seq_length a = n.
Proof.
  intros A s n L. exists (firstn (N.to_nat n) s), (skipn (N.to_nat n) s). split; [symmetry; apply firstn_skipn|].
  unfold seq_length in *. rewrite firstn_length. lia.
Qed.

(** ** The number above *)

Lemma bytes_below_ends_last : forall d x, bytes_below_ends (d ++ [x]) = if x =? 255 then bytes_below_ends d else seq_length d + 1.
Proof.
  intros. unfold bytes_below_ends. rewrite seq_length_last, range_snoc by lia.
  rewrite fold_left_app. cbn [fold_left]. unfold bytes_below_ends_step at 1. rewrite seq_at_app, N.ltb_irrefl, N.sub_diag, seq_at_cons_zero.
  destruct (x =? 255); [|reflexivity]. apply fold_left_same. intros found i I. apply in_range in I. unfold bytes_below_ends_step.
  rewrite seq_at_app. destruct (N.ltb_spec i (seq_length d)); [reflexivity|lia].
Qed.

Lemma bytes_below_ends_most : forall d, bytes_below_ends d <= seq_length d.
Proof.
  induction d as [|x d IH] using rev_ind; [apply N.le_refl|]. rewrite bytes_below_ends_last, seq_length_last.
  destruct (x =? 255); lia.
Qed.

Lemma digits_above_last : forall d x, digits_above (d ++ [x]) =
  if x =? 255 then option_map (fun m => m ++ [0]) (digits_above d) else Some (d ++ [u8_of_u128 (u128_of_u8 x + 1)]).
Proof.
  intros. unfold digits_above. rewrite bytes_below_ends_last, seq_length_last. destruct (x =? 255).
  - pose proof (bytes_below_ends_most d) as M. destruct (N.ltb_spec (bytes_below_ends d) 1) as [Z|P]; [reflexivity|]. cbn [option_map]. f_equal.
    rewrite <- !app_assoc. f_equal; [|f_equal].
    + unfold seq_slice. cbn [N.to_nat skipn]. rewrite firstn_app.
      replace (N.to_nat (bytes_below_ends d - 1) - length d)%nat with 0%nat by (unfold seq_length in M; lia). cbn. apply app_nil_r.
    + do 4 f_equal. rewrite seq_at_app. destruct (N.ltb_spec (bytes_below_ends d - 1) (seq_length d)); [reflexivity|lia].
    + unfold seq_new. replace (N.to_nat (seq_length d + 1 - bytes_below_ends d))
        with (N.to_nat (seq_length d - bytes_below_ends d) + 1)%nat by lia. rewrite repeat_app. reflexivity.
  - destruct (N.ltb_spec (seq_length d + 1) 1); [lia|]. f_equal. replace (seq_length d + 1 - 1) with (seq_length d) by lia.
    rewrite slice_front, seq_at_app, N.ltb_irrefl, N.sub_diag, seq_at_cons_zero.
    replace (seq_length d + 1 - (seq_length d + 1)) with 0 by lia. unfold seq_new, single_byte. cbn. reflexivity.
Qed.

Lemma last_byte : forall d x q y, seq_length d = seq_length q -> blt (d ++ [x]) (q ++ [y]) <-> blt d q \/ (d = q /\ x < y).
Proof.
  intros d x q y L. rewrite lex_append by exact L. unfold blt at 2. rewrite (bytes_less_is_lex [x] [y]). cbn [lex].
  destruct (N.eqb_spec x y) as [->|D]; [|rewrite N.ltb_lt; reflexivity]. split; intros [H|[H G]]; auto; [discriminate|lia].
Qed.

Theorem digits_above_least : forall d, of_bytes d ->
  match digits_above d with
  | Some m => of_bytes m /\ seq_length m = seq_length d /\ blt d m /\
      forall q, of_bytes q -> seq_length q = seq_length d -> blt d q -> ~ blt q m
  | None => forall q, of_bytes q -> seq_length q = seq_length d -> ~ blt d q
  end.
Proof.
  induction d as [|x d IH] using rev_ind; intros O.
  - cbn. intros q _ L. destruct q as [|y q]; [apply blt_irreflexive|]. rewrite seq_length_cons in L. cbn in L. lia.
  - apply of_bytes_app in O. destruct O as [O X]. inversion X as [|? ? X' _]; subst. cbn beta in X'. specialize (IH O). rewrite digits_above_last.
    assert (parts : forall q, of_bytes q -> seq_length q = seq_length (d ++ [x]) ->
      exists q' y, q = q' ++ [y] /\ of_bytes q' /\ y < 256 /\ seq_length d = seq_length q').
    { intros q Oq L. rewrite seq_length_last in L. destruct q as [|y q _] using rev_ind.
      - rewrite seq_length_nil in L. lia.
      - exists q, y. apply of_bytes_app in Oq. destruct Oq as [Oq Y]. inversion Y; subst.
        rewrite seq_length_last in L. repeat split; try assumption. lia. }
    destruct (N.eqb_spec x 255) as [->|D].
    + destruct (digits_above d) as [m|]; cbn [option_map].
      * destruct IH as (Om & Lm & Bm & M). split; [apply of_bytes_app; split; [exact Om|]; repeat constructor|].
        split; [rewrite !seq_length_app, Lm; reflexivity|]. split; [apply last_byte; auto|].
        intros q Oq L B. destruct (parts q Oq L) as (q' & y & -> & Oq' & Y & L'). apply last_byte in B; [|exact L'].
        destruct B as [B|[_ B]]; [|lia]. rewrite last_byte by congruence. intros [G|[_ G]]; [|lia].
        apply (M q' Oq'); [congruence|exact B|exact G].
      * intros q Oq L B. destruct (parts q Oq L) as (q' & y & -> & Oq' & Y & L'). apply last_byte in B; [|exact L'].
        destruct B as [B|[_ B]]; [|lia]. exact (IH q' Oq' (eq_sym L') B).
    + unfold u8_of_u128, u128_of_u8. change (2 ^ 8) with 256. rewrite !(N.mod_small (x + 1)) by lia.
      split; [apply of_bytes_app; split; [exact O|]; constructor; [lia|constructor]|].
      split; [rewrite !seq_length_app; reflexivity|]. split; [apply last_byte; [reflexivity|]; right; split; [reflexivity|lia]|].
      intros q Oq L B. destruct (parts q Oq L) as (q' & y & -> & Oq' & Y & L'). apply last_byte in B; [|exact L'].
      rewrite last_byte by congruence. destruct B as [B|[-> B]]; intros [G|[E G]].
      * exact (blt_asymmetric _ _ B G).
      * subst q'. exact (blt_irreflexive _ B).
      * exact (blt_irreflexive _ G).
      * lia.
Qed.

(** ** A column *)

(** Each interval of the column's width, not empty, its end before the beginnings of those behind it. *)
Definition intervals_ascend (width : N) (intervals : list KeyInterval) : Prop :=
  Forall (fun i => of_bytes (interval_low i) /\ of_bytes (interval_high i) /\ seq_length (interval_low i) = width /\
    seq_length (interval_high i) = width /\ ~ blt (interval_high i) (interval_low i)) intervals /\
  StronglySorted (fun i j => blt (interval_high i) (interval_low j)) intervals.

Lemma canonical_ascend : forall width intervals,
  Forall (fun interval => of_bytes (interval_low interval) /\ of_bytes (interval_high interval)) intervals ->
  intervals_canonical width intervals = true -> intervals_ascend width intervals.
Proof.
  intros width intervals. induction intervals as [|x front IH] using rev_ind; intros O C; [split; constructor|].
  apply Forall_app in O. destruct O as [O X]. inversion X as [|? ? (Xl & Xh) _]; subst.
  unfold intervals_canonical in C. rewrite seq_length_last, range_snoc in C by lia.
  rewrite fold_left_app in C. cbn [fold_left] in C. set (before := fold_left _ (range 0 _) true) in C.
  assert (B : before = intervals_canonical width front).
  { apply fold_left_same. intros canonical i I. apply in_range in I. unfold intervals_canonical_step.
    assert (at' : forall j, j < seq_length front -> seq_at (front ++ [x]) j = seq_at front j).
    { intros j J. rewrite seq_at_app, (proj2 (N.ltb_lt _ _) J). reflexivity. }
    rewrite (at' i) by lia. destruct (N.ltb_spec 0 i); [rewrite (at' (i - 1)) by lia|]; reflexivity. }
  clearbody before. subst before. unfold intervals_canonical_step in C.
  assert (E : seq_at (front ++ [x]) (seq_length front) = x). { rewrite seq_at_app, N.ltb_irrefl, N.sub_diag. reflexivity. }
  rewrite !E in C.
  assert (G : intervals_canonical width front = true /\ seq_length (interval_low x) = width /\ seq_length (interval_high x) = width /\
    ~ blt (interval_high x) (interval_low x) /\ (0 < seq_length front -> interval_follows (seq_at front (seq_length front - 1)) x = true)).
  { destruct (N.ltb_spec 0 (seq_length front)) as [P|P]; repeat (apply andb_true_iff in C; destruct C as [C ?]).
    - match goal with H : _ && _ = true |- _ => apply andb_true_iff in H; destruct H as [H ?]; apply andb_true_iff in H; destruct H end.
      rewrite seq_at_app in *. destruct (N.ltb_spec (seq_length front - 1) (seq_length front)); [|lia].
      rewrite <- bytes_at_most_iff, <- !N.eqb_eq. auto.
    - match goal with H : _ && _ = true |- _ => apply andb_true_iff in H; destruct H as [H ?]; apply andb_true_iff in H; destruct H end.
      rewrite <- bytes_at_most_iff, <- !N.eqb_eq. repeat split; try assumption. lia. }
  clear C. destruct G as (C & Ll & Lh & NE & F). destruct (IH O C) as (A & S). split.
  - apply Forall_app. split; [exact A|]. repeat constructor; assumption.
  - clear IH. assert (last : forall y, In y front -> blt (interval_high y) (interval_low x)).
    { destruct front as [|z front' _] using rev_ind; [intros ? []|].
      rewrite seq_length_last in F. specialize (F ltac:(lia)).
      replace (seq_length front' + 1 - 1) with (seq_length front') in F by lia.
      rewrite seq_at_app, N.ltb_irrefl, N.sub_diag, seq_at_cons_zero in F. unfold interval_follows in F.
      apply Forall_app in A. destruct A as [A Z]. inversion Z as [|? ? (Zl & Zh & _ & _ & ZN) _]; subst.
      pose proof (digits_above_least (interval_high z) Zh) as N. destruct (digits_above (interval_high z)) as [m|]; [|discriminate].
      destruct N as (_ & _ & N & _). assert (zx : blt (interval_high z) (interval_low x)) by (eapply blt_transitive; [exact N|exact F]).
      intros y Y. apply in_app_iff in Y. destruct Y as [Y|[<-|[]]]; [|exact zx].
      assert (yz : blt (interval_high y) (interval_low z)).
      { clear - S Y. induction front' as [|w front' IH]; [destruct Y|]. cbn in S. inversion S as [|? ? S' W]; subst.
        destruct Y as [<-|Y]; [|auto]. rewrite Forall_forall in W. apply W, in_app_iff. right. left. reflexivity. }
      eapply blt_transitive; [exact yz|]. eapply not_blt_blt_transitive; [exact ZN|exact zx]. }
    clear - S last. induction S as [|w front S IH W]; [repeat constructor|]. cbn. constructor.
    + apply IH. intros y Y. apply last. right. exact Y.
    + apply Forall_app. split; [exact W|]. repeat constructor. apply last. left. reflexivity.
Qed.

Lemma column_holds_iff : forall column digits, of_bytes digits -> seq_length digits = box_column_width column ->
  column_holds column digits = true <-> in_column column digits.
Proof.
  intros column digits O L. unfold column_holds, in_column.
  rewrite (loop_over_elements _ _ _ (fun found interval => column_holds_step found interval digits)).
  enough (G : forall found, fold_left (fun found interval => column_holds_step found interval digits) (box_column_intervals column) found = true <->
    found = true \/ exists interval, In interval (box_column_intervals column) /\
    ~ blt digits (interval_low interval) /\ ~ blt (interval_high interval) digits).
  { rewrite G. split; [intros [H|H]; [discriminate|auto]|intros (_ & _ & H); auto]. }
  induction (box_column_intervals column) as [|i is IH]; intros found; cbn [fold_left].
  - split; [auto|]. intros [H|(? & [] & _)]. exact H.
  - rewrite IH. unfold column_holds_step. rewrite orb_true_iff, andb_true_iff, !bytes_at_most_iff. split.
    + intros [[H|H]|(j & J & H)]; [auto|right; exists i|right; exists j]; cbn; tauto.
    + intros [H|(j & [<-|J] & H)]; [auto|tauto|]. right. exists j. auto.
Qed.

Lemma interval_above_least : forall i d, of_bytes (interval_low i) -> of_bytes (interval_high i) ->
  seq_length (interval_low i) = seq_length d -> seq_length (interval_high i) = seq_length d ->
  ~ blt (interval_high i) (interval_low i) -> of_bytes d ->
  match interval_above i d with
  | Some m => of_bytes m /\ seq_length m = seq_length d /\ ~ blt m (interval_low i) /\ ~ blt (interval_high i) m /\ blt d m /\
      forall q, of_bytes q -> seq_length q = seq_length d -> ~ blt q (interval_low i) -> blt d q -> ~ blt q m
  | None => ~ blt d (interval_high i)
  end.
Proof.
  intros i d Ol Oh Ll Lh NE O. unfold interval_above. destruct (bytes_less d (interval_low i)) eqn:E.
  - repeat split; try assumption; [apply blt_irreflexive|]. auto.
  - apply bytes_less_false in E. destruct (bytes_less d (interval_high i)) eqn:H; [|now apply bytes_less_false].
    pose proof (digits_above_least d O) as M. destruct (digits_above d) as [m|].
    + destruct M as (Om & Lm & B & M). split; [exact Om|]. split; [exact Lm|]. split; [|split; [apply M; assumption|split; [exact B|auto]]].
      apply blt_asymmetric. eapply not_blt_blt_transitive; eauto.
    + exfalso. exact (M _ Oh Lh H).
Qed.

Theorem column_above_least : forall column d, column_legal column -> of_bytes d -> seq_length d = box_column_width column ->
  match column_above column d with
  | Some m => in_column column m /\ blt d m /\ forall q, in_column column q -> blt d q -> ~ blt q m
  | None => forall q, in_column column q -> ~ blt d q
  end.
Proof.
  intros column d (C & OI) O L. apply (canonical_ascend _ _ OI) in C. clear OI. destruct C as (W & S).
  unfold column_above, in_column. rewrite (loop_over_elements _ _ _ (fun found interval => column_above_step found interval d)).
  induction (box_column_intervals column) as [|i is IH]; [intros q (_ & _ & ? & [] & _)|]. cbn [fold_left].
  inversion W as [|? ? (Ol & Oh & Ll & Lh & NE) W']; subst. inversion S as [|? ? S' F]; subst. rewrite Forall_forall in F.
  specialize (IH W' S'). pose proof (interval_above_least i d Ol Oh ltac:(congruence) ltac:(congruence) NE O) as H.
  unfold column_above_step at 2. destruct (interval_above i d) as [m|].
  - replace (fold_left (fun found interval => column_above_step found interval d) is (Some m)) with (Some m)
      by (clear; induction is; [reflexivity|assumption]).
    destruct H as (Om & Lm & H1 & H2 & H3 & H4). split.
    + split; [exact Om|]. split; [congruence|]. exists i. cbn. auto.
    + split; [exact H3|]. intros q (Oq & Lq & j & [<-|J] & Q1 & Q2) B; [apply H4; congruence|]. specialize (F j J).
      apply blt_asymmetric. eapply blt_not_blt_transitive; [|exact Q1]. eapply not_blt_blt_transitive; eauto.
  - destruct (fold_left _ is None) as [m|].
    + destruct IH as ((Om & Lm & j & J & M1 & M2) & B & M). split; [split; [exact Om|split; [exact Lm|exists j; cbn; auto]]|].
      split; [exact B|]. intros q (Oq & Lq & j' & [<-|J'] & Q1 & Q2) Bq; [|apply M; [repeat split; eauto|exact Bq]].
      exfalso. apply H. eapply blt_not_blt_transitive; eauto.
    + intros q (Oq & Lq & j' & [<-|J'] & Q1 & Q2) Bq; [apply H; eapply blt_not_blt_transitive; eauto|].
      exact (IH q (conj Oq (conj Lq (ex_intro _ j' (conj J' (conj Q1 Q2))))) Bq).
Qed.

Lemma column_least_least : forall column, column_legal column -> box_column_intervals column <> [] ->
  in_column column (column_least column) /\ forall q, in_column column q -> ~ blt q (column_least column).
Proof.
  intros column (C & OI) NE. apply (canonical_ascend _ _ OI) in C. clear OI. destruct C as (W & S). unfold column_least, in_column.
  destruct (box_column_intervals column) as [|i is]; [congruence|]. rewrite seq_length_cons, seq_at_cons_zero.
  replace (0 <? seq_length is + 1) with true by (symmetry; apply N.ltb_lt; lia).
  inversion W as [|? ? (Ol & Oh & Ll & Lh & I) W']; subst. inversion S as [|? ? S' F]; subst. rewrite Forall_forall in F. split.
  - split; [exact Ol|]. split; [exact Ll|]. exists i. cbn. split; [auto|]. split; [apply blt_irreflexive|exact I].
  - intros q (_ & _ & j & [<-|J] & Q1 & _); [exact Q1|]. apply blt_asymmetric. eapply blt_not_blt_transitive; [|exact Q1].
    eapply not_blt_blt_transitive; [exact I|apply F; exact J].
Qed.
