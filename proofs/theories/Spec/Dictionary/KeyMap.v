(** The map from keys to values is a map.

    - [key_map_get_put]: after a put the key has the content that was put, and no other key's content is touched;
    - [key_map_put_ascends]: the entries stay in strictly ascending order of keys;
    - [key_map_ext]: two maps in order that hold the same content for each key are the same sequence. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.KeyMap.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.ChangeMaps.
Import ListNotations.
Local Open Scope N_scope.

(** The keys stand in strictly ascending order. *)
Definition entries_ascend (entries : KeyMap) : Prop :=
  StronglySorted (fun c d => blt (entry_key c) (entry_key d)) entries.

Lemma key_map_get_last : forall entries k,
  key_map_get entries k = option_map entry_value (last_by entry_key k entries).
Proof.
  intros. unfold key_map_get. rewrite (loop_over_elements _ _ _ (fun found e => key_map_get_step found e k)).
  unfold last_by. change (@None ByteString) with (option_map entry_value None). generalize (@None KeyEntry).
  induction entries as [|e entries IH]; intros start; [reflexivity|]. cbn [fold_left]. rewrite <- IH. f_equal.
  unfold key_map_get_step, last_by_step. destruct (bytes_equal _ _); reflexivity.
Qed.

Lemma key_map_put_filters : forall entries k content,
  key_map_put entries k content =
  filter (below_by entry_key k) entries ++ entries_of k content ++ filter (above_by entry_key k) entries.
Proof.
  intros. unfold key_map_put, entries_below, entries_above.
  rewrite (loop_over_elements _ _ _ (fun below e => entries_below_step below e k)).
  rewrite (loop_over_elements _ _ _ (fun above e => entries_above_step above e k)).
  f_equal; [apply (fold_left_filter (below_by entry_key k) entries [])|]. f_equal.
  apply (fold_left_filter (above_by entry_key k) entries []).
Qed.

Lemma entries_of_key : forall k content e, In e (entries_of k content) -> entry_key e = k.
Proof. intros k [v|] e H; [destruct H as [<-|[]]; reflexivity|destruct H]. Qed.

Theorem key_map_get_put : forall entries k content q,
  key_map_get (key_map_put entries k content) q = if bytes_equal k q then content else key_map_get entries q.
Proof.
  intros. rewrite !key_map_get_last, key_map_put_filters, last_by_put by apply entries_of_key.
  destruct (bytes_equal k q) eqn:E; [|reflexivity]. destruct content as [v|]; [|reflexivity].
  cbn [entries_of empty_key_map app]. rewrite last_by_cons. cbn. rewrite E. reflexivity.
Qed.

Theorem key_map_put_ascends : forall entries k content, entries_ascend entries -> entries_ascend (key_map_put entries k content).
Proof.
  intros. rewrite key_map_put_filters. apply (ascends_put entry_key); [assumption| |apply entries_of_key].
  destruct content; repeat constructor.
Qed.

Theorem key_map_ext : forall s t,
  entries_ascend s -> entries_ascend t -> (forall k, key_map_get s k = key_map_get t k) -> s = t.
Proof.
  intros s t Hs Ht E. apply (ascends_ext entry_key s t Hs Ht). intros k. specialize (E k).
  rewrite !key_map_get_last in E.
  destruct (last_by entry_key k s) as [x|] eqn:X, (last_by entry_key k t) as [y|] eqn:Y; cbn in E; try congruence.
  apply last_by_some in X, Y. destruct x, y. cbn in *. f_equal. f_equal; intuition congruence.
Qed.
