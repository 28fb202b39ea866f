(** A chain of slots shows of a box what the map says, no run more and none less.

    - [table_scan_exact]: the entries of a finished scan of slots of a well-formed array are those of the map in the box;
    - [honest_table_scan]: the slots that cover the cursors, one after the other, are taken to the end. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array
  Dictionary.KeyMap Answer.Scan Block.Map Table.KeyBox Table.TableScan.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Safety.BoundsSafe Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Spec.Dictionary.Array Lemmas.ChangeMaps
  Spec.Dictionary.KeyMap Spec.Block.Map Spec.Answer.Scan Spec.Answer.IdealAnswer Spec.Answer.AnswerProver Spec.Table.KeyBox Spec.Table.BoxNext.
Import ListNotations.
Local Open Scope N_scope.

Section Array.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variable a : Array.
Hypothesis a_well_formed : well_formed a.
(** What Rust's types say of keys. *)
Hypothesis a_of_bytes : forall p x, live (array_slots a) p x -> of_bytes (key x).

Variable key_box : KeyBox.
Hypothesis legal : box_legal key_box.

(** The entries of a map in a box. *)
Definition box_entries (entries : KeyMap) : KeyMap := filter (fun e => box_holds key_box (entry_key e)) entries.

(** What a scan has shown: the entries ascend, and are those of the map in the box below the cursor. *)
Definition box_shown (scan : Scan) : Prop :=
  entries_ascend (scan_entries scan) /\
  (forall e, In e (scan_entries scan) <->
    map_of a (entry_key e) = Some (entry_value e) /\ in_box key_box (entry_key e) /\ below_cursor (scan_cursor scan) (entry_key e)) /\
  (forall c, scan_cursor scan = Some c -> in_box key_box c).

Lemma next_of_bytes : forall p x, live (array_slots a) p x -> of_bytes (next x).
Proof.
  intros p x L. destruct a_well_formed as (_ & _ & _ & X). destruct (X p x L) as [[-> _]|(_ & (q & y & Ly & <-) & _)].
  - constructor.
  - eauto.
Qed.

Lemma table_start_shown : box_shown (table_scan_start key_box).
Proof.
  pose proof (box_next_least key_box [] legal ltac:(constructor)) as H. unfold table_scan_start. split; [constructor|].
  cbn [scan_entries scan_cursor]. split.
  - intros e. split; [intros []|]. intros (M & Q & B). exfalso. destruct (box_next key_box []) as [m|]; cbn in B.
    + destruct H as (_ & _ & L). apply (L _ Q); [apply bytes_less_empty|exact B].
    + apply (bytes_less_empty (entry_key e)). apply H, Q.
  - intros c E. rewrite E in H. apply H.
Qed.

(** What a slot that covers the cursor says of the keys of the box from the cursor on, below the next cursor. *)
Lemma table_slot_decides : forall p x c k, live (array_slots a) p x -> covers x c = true ->
  in_box key_box k -> ~ blt k c -> below_cursor (table_cursor_after key_box c x) k -> k <> c -> map_of a k = None.
Proof.
  intros p x c k L C Q K B D. assert (CK : blt c k). { destruct (not_blt _ _ K) as [E|E]; [congruence|exact E]. }
  assert (H : covers x k = true /\ key x <> k).
  { unfold table_cursor_after in B. unfold covers in C |- *. destruct (bytes_less c (next x)) eqn:CN.
    - assert (KN : blt k (next x)).
      { pose proof (box_next_least key_box (next x) legal (next_of_bytes p x L)) as H.
        destruct (blt_dec k (next x)) as [T|T]; [exact T|exfalso]. destruct (box_next key_box (next x)) as [m|]; cbn in B.
        - destruct H as (_ & _ & H). exact (H k Q T B).
        - exact (T (H k Q)). }
      destruct (bytes_less (key x) (next x)) eqn:W.
      + apply andb_true_iff in C. destruct C as [C1 C2]. apply bytes_at_most_iff in C1. split.
        * apply andb_true_iff. split; [|exact KN]. apply bytes_at_most_iff. apply blt_asymmetric.
          eapply not_blt_blt_transitive; eauto.
        * intros E. apply C1. rewrite E. exact CK.
      + split; [apply orb_true_iff; right; exact KN|]. intros E. apply bytes_less_false in W. rewrite E in W. exact (W KN).
    - destruct (bytes_less (key x) (next x)) eqn:W.
      + rewrite andb_false_r in C. discriminate.
      + rewrite orb_false_r in C. apply bytes_at_most_iff in C. split.
        * apply orb_true_iff. left. apply bytes_at_most_iff. apply blt_asymmetric. eapply not_blt_blt_transitive; eauto.
        * intros E. apply C. rewrite E. exact CK. }
  destruct H as [H1 H2]. exact (nonmembership_sound a p x k a_well_formed L H1 H2).
Qed.

Lemma table_cursor_above : forall p x c m, live (array_slots a) p x -> table_cursor_after key_box c x = Some m ->
  blt c m /\ in_box key_box m /\ blt c (next x) /\ ~ blt m (next x).
Proof.
  intros p x c m L E. unfold table_cursor_after in E. destruct (bytes_less c (next x)) eqn:N; [|discriminate].
  pose proof (box_next_least key_box (next x) legal (next_of_bytes p x L)) as H. rewrite E in H. destruct H as (H1 & H2 & _).
  split; [eapply blt_not_blt_transitive; eauto|]. auto.
Qed.

Lemma table_slot_shown : forall scan p x scan', box_shown scan -> live (array_slots a) p x ->
  table_scan_slot key_box scan x = Ok scan' -> box_shown scan'.
Proof.
  intros scan p x scan' (S & I & R) L E. unfold table_scan_slot in E.
  destruct (scan_cursor scan) as [c|] eqn:SC; [|discriminate]. destruct (covers x c) eqn:C; [|discriminate].
  injection E as <-. specialize (R c eq_refl). unfold box_shown. cbn [scan_entries scan_cursor]. split; [|split].
  - unfold entries_after. destruct (_ && _) eqn:E; [|exact S]. apply andb_true_iff in E. destruct E as [E _].
    apply bytes_equal_iff in E. unfold entries_ascend. clear - S I E SC.
    assert (G : forall e, In e (scan_entries scan) -> blt (entry_key e) c). { intros e H. apply I in H. apply H. }
    rewrite <- E in G. clear I. induction (scan_entries scan) as [|e es IH]; [repeat constructor|]. inversion S as [|? ? S' F']; subst.
    cbn [app]. constructor.
    + apply IH; [exact S'|]. intros e' H. apply G. right. exact H.
    + rewrite Forall_app. split; [exact F'|]. repeat constructor. cbn. apply G. left. reflexivity.
  - intros e. rewrite entries_after_in, I. cbn [below_cursor]. split.
    + intros [(M & Q & B)|(K & NE & ->)].
      * split; [exact M|]. split; [exact Q|]. destruct (table_cursor_after key_box c x) as [m|] eqn:CA; [|exact Logic.I]. cbn.
        destruct (table_cursor_above p x c m L CA) as [CM _]. eapply blt_transitive; eauto.
      * cbn. split; [apply (membership_sound a p x c a_well_formed NE L C K)|]. split; [exact R|].
        destruct (table_cursor_after key_box c x) as [m|] eqn:CA; [|exact Logic.I]. cbn.
        apply (table_cursor_above p x c m L CA).
    + intros (M & Q & B). destruct (blt_dec (entry_key e) c) as [D|D]; [left; auto|right].
      destruct (bytes_dec (entry_key e) c) as [K|K].
      * destruct (bytes_dec (key x) c) as [X|X].
        -- assert (NE : c <> []). { intros Z. rewrite K, Z, map_of_empty in M. discriminate. }
           split; [exact X|]. split; [exact NE|]. rewrite K in M.
           rewrite (membership_sound a p x c a_well_formed NE L C X) in M. injection M as M. destruct e. cbn in *. congruence.
        -- rewrite K, (nonmembership_sound a p x c a_well_formed L C X) in M. discriminate.
      * rewrite (table_slot_decides p x c (entry_key e) L C Q D B K) in M. discriminate.
  - intros m CA. apply (table_cursor_above p x c m L CA).
Qed.

Definition table_scan_list (start : Result Scan ChainFault) (chain : list Slot) : Result Scan ChainFault :=
  fold_left (fun progress x => table_scan_slots_step progress key_box x) chain start.

Lemma table_scan_slots_list : forall chain, table_scan_slots key_box chain = table_scan_list (Ok (table_scan_start key_box)) chain.
Proof. intros. apply (loop_over_elements _ _ _ (fun progress x => table_scan_slots_step progress key_box x)). Qed.

Lemma table_scan_list_fault : forall fault chain, table_scan_list (Err fault) chain = Err fault.
Proof. intros. induction chain as [|x chain IH]; [reflexivity|exact IH]. Qed.

Lemma table_scan_list_shown : forall chain scan scan', box_shown scan -> (forall x, In x chain -> exists p, live (array_slots a) p x) ->
  table_scan_list (Ok scan) chain = Ok scan' -> box_shown scan'.
Proof.
  intros chain. induction chain as [|x chain IH]; intros scan scan' S L E.
  - injection E as <-. exact S.
  - cbn in E. destruct (table_scan_slot key_box scan x) as [mid|fault] eqn:M.
    + destruct (L x (or_introl eq_refl)) as [p Lp]. apply (IH mid); [| |exact E].
      * eapply table_slot_shown; eauto.
      * intros y Y. apply L. right. exact Y.
    + change (table_scan_list (Err fault) chain = Ok scan') in E. rewrite table_scan_list_fault in E. discriminate.
Qed.

Lemma map_entries_in : forall e, In e (map_of_array a) <-> map_of a (entry_key e) = Some (entry_value e).
Proof.
  intros [k v]. cbn. rewrite <- (map_of_array_correct a a_well_formed k). symmetry. apply key_map_get_in, map_of_array_ascends.
Qed.

Lemma map_keys_of_bytes : forall e, In e (map_of_array a) -> of_bytes (entry_key e).
Proof.
  intros e I. apply map_entries_in in I. destruct (bytes_dec (entry_key e) []) as [->|D]; [constructor|].
  assert (P : map_of a (entry_key e) <> None) by congruence. apply (map_of_present_iff a (entry_key e) D) in P.
  destruct P as (p & x & L & <-). eauto.
Qed.

Lemma finished_scan : forall scan, box_shown scan -> scan_cursor scan = None -> scan_entries scan = box_entries (map_of_array a).
Proof.
  intros scan (S & M & _) C. rewrite C in M. apply entries_same; [exact S|apply entries_ascend_filter, map_of_array_ascends|].
  intros e. rewrite M. unfold box_entries. rewrite filter_In. cbn [below_cursor]. split.
  - intros (V & B & _). apply map_entries_in in V. split; [exact V|]. apply box_holds_iff; [exact legal|apply map_keys_of_bytes; exact V|exact B].
  - intros (V & B). apply box_holds_iff in B; [|exact legal|apply map_keys_of_bytes; exact V]. apply map_entries_in in V. auto.
Qed.

Theorem table_scan_exact : forall chain entries, (forall x, In x chain -> exists p, live (array_slots a) p x) ->
  table_scan key_box chain = Ok entries -> entries = box_entries (map_of_array a).
Proof.
  intros chain entries L E. unfold table_scan in E. rewrite table_scan_slots_list in E.
  destruct (table_scan_list _ chain) as [scan|] eqn:S; [|discriminate]. destruct (scan_cursor scan) eqn:C; [discriminate|].
  injection E as <-. apply finished_scan; [|exact C]. exact (table_scan_list_shown chain _ _ table_start_shown L S).
Qed.

(** ** What an honest keeper shows *)

(** The slots that cover the cursors from one on, at most so many. *)
Fixpoint table_chain (most : nat) (cursor : option ByteString) : list Slot :=
  match most, cursor with
  | S fewer, Some c =>
      match covering_position (array_slots a) c with
      | Some p =>
          match slot_at (array_slots a) p with
          | Some x => x :: table_chain fewer (table_cursor_after key_box c x)
          | None => []
          end
      | None => []
      end
  | _, _ => []
  end.

(** The chain of a box: no slot is needed twice. *)
Definition honest_table_chain : list Slot := table_chain (S (length (array_slots a))) (box_next key_box []).

Lemma table_left_falls : forall p x c m, live (array_slots a) p x -> table_cursor_after key_box c x = Some m ->
  (left_above a m < left_above a c)%nat.
Proof.
  intros p x c m L E. destruct (table_cursor_above p x c m L E) as (CM & _ & CN & NM). apply filter_fewer.
  - intros [z|]; [|discriminate]. cbn. intros B. exact (blt_transitive _ _ _ CM B).
  - destruct a_well_formed as (_ & _ & _ & X). destruct (X p x L) as [[Z _]|(_ & (q & y & Ly & Ey) & _)].
    + exfalso. rewrite Z in CN. exact (bytes_less_empty _ CN).
    + exists (Some y). split.
      * unfold live, slot_at in Ly. destruct (N.ltb_spec q (seq_length (array_slots a))) as [D|D]; [|discriminate].
        rewrite <- Ly. apply seq_at_in. exact D.
      * cbn. rewrite Ey. split; [exact CN|]. apply bytes_less_false. exact NM.
Qed.

Lemma table_chain_taken : forall most scan, box_shown scan ->
  (forall c, scan_cursor scan = Some c -> (left_above a c < most)%nat) ->
  (forall x, In x (table_chain most (scan_cursor scan)) -> exists p, live (array_slots a) p x) /\
  exists scan', table_scan_list (Ok scan) (table_chain most (scan_cursor scan)) = Ok scan' /\ scan_cursor scan' = None.
Proof.
  induction most as [|fewer IH]; intros scan S B; destruct (scan_cursor scan) as [c|] eqn:C; cbn [table_chain].
  - specialize (B c eq_refl). lia.
  - split; [intros ? []|]. exists scan. split; [reflexivity|exact C].
  - destruct (covering_slot_exists a c a_well_formed) as (p & x & -> & _ & L & CV). assert (Lx := L). unfold live in Lx. rewrite Lx.
    assert (E : table_scan_slot key_box scan x = Ok {| scan_cursor := table_cursor_after key_box c x;
      scan_entries := entries_after (scan_entries scan) c x |}). { unfold table_scan_slot. rewrite C, CV. reflexivity. }
    set (scan' := {| scan_cursor := _; scan_entries := _ |}) in E. change (table_cursor_after key_box c x) with (scan_cursor scan').
    destruct (IH scan') as (live' & found).
    + eapply table_slot_shown; eauto.
    + intros m M. cbn in M. pose proof (table_left_falls p x c m L M). specialize (B c eq_refl). lia.
    + split; [intros y [<-|Y]; [eauto|apply live'; exact Y]|]. cbn [table_scan_list fold_left table_scan_slots_step]. rewrite E. exact found.
  - split; [intros ? []|]. exists scan. split; [reflexivity|exact C].
Qed.

Theorem honest_table_scan : (forall x, In x honest_table_chain -> exists p, live (array_slots a) p x) /\
  table_scan key_box honest_table_chain = Ok (box_entries (map_of_array a)).
Proof.
  destruct (table_chain_taken (S (length (array_slots a))) (table_scan_start key_box) table_start_shown) as (L & scan & T & C).
  - intros c _. pose proof (left_at_most a c) as M. unfold slot_map_end, seq_length in M. lia.
  - change (scan_cursor (table_scan_start key_box)) with (box_next key_box []) in *. fold honest_table_chain in L, T.
    split; [exact L|]. unfold table_scan. rewrite table_scan_slots_list, T, C. f_equal. apply finished_scan; [|exact C].
    exact (table_scan_list_shown honest_table_chain _ _ table_start_shown L T).
Qed.

End Array.
