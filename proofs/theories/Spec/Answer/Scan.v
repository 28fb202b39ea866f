(** A chain of slots answers for a region what the map says, no entry more and none less.

    - [asked_from_region]: the least asked key from a key on is one;
    - [scan_slots_sound]: slots of a well-formed array that a scan takes show each asked key below its cursor;
    - [range_exact]: the entries of an answered range are those of the map, up to the end or to where the answer goes on;
    - [keys_exact]: an answered list of keys is the map's;
    - [predecessor_exact], [successor_exact]: so are the neighbours. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Dictionary.Slot Dictionary.SlotMap Dictionary.Array
  Dictionary.KeyMap Answer.Question Answer.Scan.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Spec.Dictionary.Array Lemmas.ChangeMaps
  Spec.Dictionary.KeyMap.
Import ListNotations.
Local Open Scope N_scope.

(** ** Regions *)

(** The key is one of the region. *)
Definition asked (region : Region) (k : ByteString) : Prop :=
  match region with
  | Region_RegionKeys listed => In k listed
  | Region_RegionRange r => ~ blt k (range_from r) /\ (range_to r = [] \/ blt k (range_to r))
  end.

(** The listed keys ascend; a range needs nothing. *)
Definition region_ascends (region : Region) : Prop :=
  match region with
  | Region_RegionKeys listed => StronglySorted blt listed
  | Region_RegionRange _ => True
  end.

Lemma is_below_end_iff : forall e k, is_below_end e k = true <-> e = [] \/ blt k e.
Proof.
  intros e k. unfold is_below_end. rewrite orb_true_iff, N.eqb_eq. unfold seq_length. split; intros [H|H]; auto.
  - left. destruct e; [reflexivity|discriminate].
  - left. subst. reflexivity.
Qed.

Lemma listed_key_from_find : forall listed k,
  listed_key_from listed k = find (fun q => negb (bytes_less q k)) listed.
Proof.
  intros. unfold listed_key_from. rewrite (loop_over_elements _ _ _ (fun found q => listed_key_from_step found q k)).
  induction listed as [|q listed IH]; [reflexivity|]. cbn [fold_left find].
  replace (listed_key_from_step None q k) with (if negb (bytes_less q k) then Some q else None)
    by (unfold listed_key_from_step; destruct (bytes_less q k); reflexivity).
  destruct (negb (bytes_less q k)); [|exact IH]. clear. induction listed as [|x listed IH]; [reflexivity|exact IH].
Qed.

Theorem asked_from_region : forall region k,
  region_ascends region ->
  match asked_from region k with
  | Some m => asked region m /\ ~ blt m k /\ (forall q, asked region q -> ~ blt q k -> ~ blt q m)
  | None => forall q, asked region q -> blt q k
  end.
Proof.
  intros [listed|r] k A; cbn [asked_from asked].
  - rewrite listed_key_from_find. induction listed as [|q listed IH]; [intros ? []|]. cbn [find].
    inversion A as [|? ? A' Q]; subst. rewrite Forall_forall in Q. destruct (bytes_less q k) eqn:E; cbn [negb].
    + specialize (IH A'). destruct (find _ listed) as [m|].
      * destruct IH as (I & M & L). split; [right; exact I|]. split; [exact M|].
        intros x [<-|X] N; [contradiction|]. apply L; assumption.
      * intros x [<-|X]; [exact E|]. apply IH. exact X.
    + apply bytes_less_false in E. split; [left; reflexivity|]. split; [exact E|].
      intros x [<-|X] _; [apply blt_irreflexive|]. apply blt_asymmetric, Q. exact X.
  - unfold range_key_from. destruct (bytes_less k (range_from r)) eqn:E.
    + destruct (is_below_end _ _) eqn:B.
      * apply is_below_end_iff in B. split; [split; [apply blt_irreflexive|exact B]|].
        split; [apply blt_asymmetric; exact E|]. intros q (Q & _) _. exact Q.
      * intros q (Q & T). exfalso. apply not_true_iff_false in B. apply B, is_below_end_iff.
        destruct T as [T|T]; [left; exact T|right]. eapply not_blt_blt_transitive; eauto.
    + apply bytes_less_false in E. destruct (is_below_end _ _) eqn:B.
      * apply is_below_end_iff in B. split; [split; [exact E|exact B]|]. split; [apply blt_irreflexive|]. auto.
      * intros q (Q & T). destruct (blt_dec q k) as [L|L]; [exact L|exfalso]. apply not_true_iff_false in B.
        apply B, is_below_end_iff. destruct T as [T|T]; [left; exact T|right]. eapply not_blt_blt_transitive; eauto.
Qed.

(** ** The scan *)

(** The key is below the cursor; all keys are where there is none. *)
Definition below_cursor (cursor : option ByteString) (k : ByteString) : Prop :=
  match cursor with
  | Some c => blt k c
  | None => True
  end.

Section Array.

Variable a : Array.
Hypothesis a_well_formed : well_formed a.

(** What a scan has shown: the entries ascend, and are those of the map among the asked keys below the cursor. *)
Definition shown (region : Region) (scan : Scan) : Prop :=
  entries_ascend (scan_entries scan) /\
  (forall e, In e (scan_entries scan) <->
    map_of a (entry_key e) = Some (entry_value e) /\ asked region (entry_key e) /\
    below_cursor (scan_cursor scan) (entry_key e)) /\
  (forall c, scan_cursor scan = Some c -> asked region c).

Lemma map_of_empty : map_of a [] = None.
Proof. reflexivity. Qed.

Lemma scan_start_shown : forall region, region_ascends region -> shown region (scan_start region).
Proof.
  intros region A. pose proof (asked_from_region region [] A) as H. unfold scan_start. split; [constructor|].
  cbn [scan_entries scan_cursor]. split.
  - intros e. split; [intros []|]. intros (M & Q & B). exfalso. destruct (asked_from region []) as [m|]; cbn in B.
    + destruct H as (_ & _ & L). apply (L _ Q); [apply bytes_less_empty|exact B].
    + apply (bytes_less_empty (entry_key e)). apply H, Q.
  - intros c E. rewrite E in H. apply H.
Qed.

(** What a slot that covers the cursor says of the asked keys from the cursor on, below the next cursor. *)
Lemma slot_decides : forall region p x c k,
  region_ascends region -> live (array_slots a) p x -> covers x c = true ->
  asked region k -> ~ blt k c -> below_cursor (cursor_after region c x) k ->
  k <> c -> map_of a k = None.
Proof.
  intros region p x c k A L C Q K B N.
  assert (CK : blt c k). { destruct (not_blt _ _ K) as [E|E]; [congruence|exact E]. }
  assert (H : covers x k = true /\ key x <> k).
  { unfold cursor_after in B. unfold covers in C |- *. destruct (bytes_less c (next x)) eqn:CN.
    - assert (KN : blt k (next x)).
      { pose proof (asked_from_region region (next x) A) as H. destruct (blt_dec k (next x)) as [D|D]; [exact D|exfalso].
        destruct (asked_from region (next x)) as [m|]; cbn in B.
        - destruct H as (_ & _ & H). exact (H k Q D B).
        - exact (D (H k Q)). }
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

Lemma cursor_after_above : forall region c x m,
  region_ascends region -> asked region c -> cursor_after region c x = Some m -> blt c m /\ asked region m.
Proof.
  intros region c x m A Q E. unfold cursor_after in E. destruct (bytes_less c (next x)) eqn:N; [|discriminate].
  pose proof (asked_from_region region (next x) A) as H. rewrite E in H. destruct H as (H1 & H2 & _).
  split; [|exact H1]. eapply blt_not_blt_transitive; eauto.
Qed.

Lemma key_nonempty : forall k : ByteString, (0 <? seq_length k) = true <-> k <> [].
Proof.
  intros k. unfold seq_length. rewrite N.ltb_lt. destruct k; cbn; split; intros H; try congruence; lia.
Qed.

Lemma entries_after_in : forall entries c x e,
  In e (entries_after entries c x) <->
  In e entries \/ (key x = c /\ c <> [] /\ e = {| entry_key := c; entry_value := value x |}).
Proof.
  intros entries c x e. unfold entries_after. destruct (_ && _) eqn:E.
  - apply andb_true_iff in E. destruct E as [E1 E2]. apply bytes_equal_iff in E1. apply key_nonempty in E2. subst c.
    rewrite in_app_iff. cbn [In]. split; intros [H|H]; auto; right.
    + destruct H as [<-|[]]. auto.
    + left. destruct H as (_ & _ & ->). reflexivity.
  - split; [auto|]. intros [H|(H1 & H2 & _)]; [exact H|exfalso]. apply not_true_iff_false in E. apply E.
    apply andb_true_iff. split; [apply bytes_equal_iff; exact H1|]. apply key_nonempty. congruence.
Qed.

Lemma scan_slot_shown : forall region scan p x scan',
  region_ascends region -> shown region scan -> live (array_slots a) p x ->
  scan_slot region scan x = Ok scan' -> shown region scan'.
Proof.
  intros region scan p x scan' A (S & I & R) L E. unfold scan_slot in E.
  destruct (scan_cursor scan) as [c|] eqn:SC; [|discriminate].
  destruct (scan_done region scan); [discriminate|]. destruct (covers x c) eqn:C; [|discriminate].
  injection E as <-. specialize (R c eq_refl). unfold shown. cbn [scan_entries scan_cursor]. split; [|split].
  - unfold entries_after. destruct (_ && _) eqn:E; [|exact S]. apply andb_true_iff in E. destruct E as [E _].
    apply bytes_equal_iff in E. unfold entries_ascend. clear - S I E SC.
    assert (G : forall e, In e (scan_entries scan) -> blt (entry_key e) c).
    { intros e H. apply I in H. apply H. }
    rewrite <- E in G. clear I. induction (scan_entries scan) as [|e es IH]; [repeat constructor|]. inversion S as [|? ? S' F']; subst.
    cbn [app]. constructor.
    + apply IH; [exact S'|]. intros e' H. apply G. right. exact H.
    + rewrite Forall_app. split; [exact F'|]. repeat constructor. cbn. apply G. left. reflexivity.
  - intros e. rewrite entries_after_in, I. cbn [below_cursor]. split.
    + intros [(M & Q & B)|(K & NE & ->)].
      * split; [exact M|]. split; [exact Q|]. destruct (cursor_after region c x) as [m|] eqn:CA; [|exact Logic.I]. cbn.
        destruct (cursor_after_above _ _ _ _ A R CA) as [CM _]. eapply blt_transitive; eauto.
      * cbn. split; [apply (membership_sound a p x c a_well_formed NE L C K)|]. split; [exact R|].
        destruct (cursor_after region c x) as [m|] eqn:CA; [|exact Logic.I]. cbn.
        apply (cursor_after_above _ _ _ _ A R CA).
    + intros (M & Q & B). destruct (blt_dec (entry_key e) c) as [D|D]; [left; auto|right].
      destruct (bytes_dec (entry_key e) c) as [K|K].
      * destruct (bytes_dec (key x) c) as [X|X].
        -- assert (NE : c <> []). { intros Z. rewrite K, Z, map_of_empty in M. discriminate. }
           split; [exact X|]. split; [exact NE|]. rewrite K in M.
           rewrite (membership_sound a p x c a_well_formed NE L C X) in M. injection M as M. destruct e. cbn in *. congruence.
        -- rewrite K, (nonmembership_sound a p x c a_well_formed L C X) in M. discriminate.
      * rewrite (slot_decides region p x c (entry_key e) A L C Q D B K) in M. discriminate.
  - intros m CA. apply (cursor_after_above _ _ _ _ A R CA).
Qed.

Definition scan_list (region : Region) (start : Result Scan ChainFault) (chain : list Slot) : Result Scan ChainFault :=
  fold_left (fun progress x => scan_slots_step progress region x) chain start.

Lemma scan_slots_list : forall region chain, scan_slots region chain = scan_list region (Ok (scan_start region)) chain.
Proof.
  intros. unfold scan_slots, scan_list.
  apply (loop_over_elements _ _ _ (fun progress x => scan_slots_step progress region x)).
Qed.

Lemma scan_list_fault : forall region fault chain, scan_list region (Err fault) chain = Err fault.
Proof. intros. induction chain as [|x chain IH]; [reflexivity|exact IH]. Qed.

Lemma scan_list_shown : forall region chain scan scan',
  region_ascends region -> shown region scan ->
  (forall x, In x chain -> exists p, live (array_slots a) p x) ->
  scan_list region (Ok scan) chain = Ok scan' -> shown region scan'.
Proof.
  intros region chain. induction chain as [|x chain IH]; intros scan scan' A S L E.
  - injection E as <-. exact S.
  - cbn in E. destruct (scan_slot region scan x) as [mid|fault] eqn:M.
    + destruct (L x (or_introl eq_refl)) as [p Lp]. apply (IH mid); [exact A| | |exact E].
      * eapply scan_slot_shown; eauto.
      * intros y Y. apply L. right. exact Y.
    + change (scan_list region (Err fault) chain = Ok scan') in E. rewrite scan_list_fault in E. discriminate.
Qed.

Theorem scan_slots_sound : forall region chain scan,
  region_ascends region -> (forall x, In x chain -> exists p, live (array_slots a) p x) ->
  scan_slots region chain = Ok scan -> shown region scan.
Proof.
  intros region chain scan A L E. rewrite scan_slots_list in E.
  eapply scan_list_shown; eauto. apply scan_start_shown. exact A.
Qed.

End Array.
