(** Lemmas about layouts of sheets.

    - [laid_out]: what a legal layout is, segment by segment;
    - [layout_legal_iff]: the check finds exactly that;
    - [laid_out_apart]: of two segments, the later one begins beyond the earlier one's last row, with a free position between. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Table.DomainValues Table.RunRecord Table.Sheet.
From Aardvark Require Import Lemmas.LoopLemmas.
Import ListNotations.
Local Open Scope N_scope.

Section Sheet.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** The first row of a segment, and the position behind its last row. *)
Definition begins (placed : SheetItem) : N := record_first (item_record placed).
Definition ends (placed : SheetItem) : N := record_first (item_record placed) + record_rows (item_record placed).

(** Each segment is on the domain of 2^log positions, has a row, begins at the least free position or later, and ends at the
    guard or before it; one position behind it stays free. *)
Fixpoint laid_out (log free : N) (items : list SheetItem) : Prop :=
  match items with
  | [] => True
  | placed :: rest =>
      record_log (item_record placed) = log /\ 1 <= record_rows (item_record placed) /\ free <= begins placed /\
      ends placed <= guard_position (sheet_size log) /\ laid_out log (ends placed + 1) rest
  end.

Lemma guard_below_size : forall n, guard_position n <= n.
Proof. intros n. unfold guard_position. destruct (N.leb_spec 3 n); lia. Qed.

Lemma layout_after_iff : forall free log r after,
  layout_after free log r = Some after <->
  record_log r = log /\ 1 <= record_rows r /\ free <= record_first r /\
  record_first r + record_rows r <= guard_position (sheet_size log) /\ after = record_first r + record_rows r + 1.
Proof.
  intros free log r after. unfold layout_after. pose proof (guard_below_size (sheet_size log)) as G.
  destruct (_ && _) eqn:E.
  - rewrite !andb_true_iff, N.eqb_eq, !N.leb_le in E. split; [intros A; injection A; intros; repeat split; try tauto; lia|].
    intros (_ & _ & _ & _ & ->). reflexivity.
  - split; [discriminate|]. intros (L & R & A & B & _). exfalso. apply not_true_iff_false in E. apply E.
    rewrite !andb_true_iff, N.eqb_eq, !N.leb_le. repeat split; try assumption; lia.
Qed.

Lemma no_layout_after_none : forall log items,
  fold_left (fun free placed => layout_end_step free log placed) items None = None.
Proof. intros log items. induction items as [|placed items IH]; [reflexivity|exact IH]. Qed.

Lemma layout_from_iff : forall log items free,
  fold_left (fun free placed => layout_end_step free log placed) items (Some free) <> None <-> laid_out log free items.
Proof.
  intros log items. induction items as [|placed items IH]; intros free; cbn [fold_left laid_out].
  - split; [trivial|discriminate].
  - cbn [layout_end_step]. destruct (layout_after free log (item_record placed)) as [after|] eqn:E.
    + rewrite IH. apply layout_after_iff in E. destruct E as (L & R & A & B & ->). unfold begins, ends. tauto.
    + rewrite no_layout_after_none. split; [congruence|]. intros (L & R & A & B & _). exfalso.
      enough (layout_after free log (item_record placed) = Some (ends placed + 1)) by congruence.
      apply layout_after_iff. unfold begins, ends in *. repeat split; assumption.
Qed.

Lemma layout_legal_iff : forall log items, sheet_layout_legal log items = true <-> laid_out log 1 items.
Proof.
  intros log items. unfold sheet_layout_legal, layout_end.
  rewrite (loop_over_elements _ _ _ (fun free placed => layout_end_step free log placed)).
  rewrite <- layout_from_iff. destruct (fold_left _ _ _); split; congruence.
Qed.

Lemma laid_out_each : forall log items free placed,
  laid_out log free items -> In placed items ->
  record_log (item_record placed) = log /\ 1 <= record_rows (item_record placed) /\ free <= begins placed /\
  ends placed <= guard_position (sheet_size log).
Proof.
  intros log items. induction items as [|first items IH]; intros free placed L I; [destruct I|].
  destruct L as (A & B & C & D & L). destruct I as [<-|I]; [tauto|].
  destruct (IH _ _ L I) as (A' & B' & C' & D'). unfold begins, ends in *. repeat split; try assumption; lia.
Qed.

Lemma laid_out_apart : forall log items free before earlier between later after,
  laid_out log free items -> items = before ++ earlier :: between ++ later :: after -> ends earlier + 1 <= begins later.
Proof.
  intros log items free before earlier between later after. revert items free.
  induction before as [|first before IH]; intros items free L ->; cbn [app laid_out] in L.
  - destruct L as (_ & _ & _ & _ & L). apply (laid_out_each log _ _ later L). apply in_or_app. right. now left.
  - destruct L as (_ & _ & _ & _ & L). exact (IH _ _ L eq_refl).
Qed.

End Sheet.
