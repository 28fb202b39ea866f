(** What an honest archive answers with is accepted, whatever is asked.

    - [region_positions_done]: the slots that it finds for a region are taken by the scan, to its end;
    - [honest_answer_of_slots]: so every question has an answer. *)
From Coq Require Import NArith List Bool Sorted Lia.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Hash Base.Bytes Dictionary.Slot Dictionary.SlotMap
  Dictionary.Array Dictionary.KeyMap Answer.Question Answer.Scan Answer.AnswerProver Block.Map.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Spec.Dictionary.Slot
  Lemmas.SlotMapLemmas Spec.Dictionary.SlotMap Lemmas.DictionaryLemmas Spec.Answer.Scan
  Spec.Answer.IdealAnswer.
Import ListNotations.
Local Open Scope N_scope.

Section Honest.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variable a : Array.
Hypothesis a_well_formed : well_formed a.

(** ** How much is left *)

(** The content is a slot with a key above [c]. *)
Definition key_above (c : ByteString) (content : option Slot) : bool :=
  match content with
  | Some x => bytes_less c (key x)
  | None => false
  end.

Definition left_above (c : ByteString) : nat := length (filter (key_above c) (array_slots a)).

Lemma filter_fewer : forall A (f g : A -> bool) l,
  (forall z, g z = true -> f z = true) -> (exists z, In z l /\ f z = true /\ g z = false) ->
  (length (filter g l) < length (filter f l))%nat.
Proof.
  intros A f g l H. assert (LE : forall m, (length (filter g m) <= length (filter f m))%nat).
  { induction m as [|z m IH]; [apply le_n|]. cbn. destruct (g z) eqn:G.
    - rewrite (H z G). cbn. lia.
    - destruct (f z); cbn; lia. }
  induction l as [|y l IH]; intros (z & I & Fz & Gz); [destruct I|]. cbn. destruct I as [->|I].
  - rewrite Fz, Gz. cbn. specialize (LE l). lia.
  - specialize (IH (ex_intro _ z (conj I (conj Fz Gz)))). destruct (g y) eqn:G.
    + rewrite (H y G). cbn. lia.
    + destruct (f y); cbn; lia.
Qed.

Lemma left_falls : forall region p x c m,
  region_ascends region -> asked region c -> live (array_slots a) p x -> cursor_after region c x = Some m ->
  (left_above m < left_above c)%nat.
Proof.
  intros region p x c m A Q L E. destruct (cursor_after_above _ _ _ _ A Q E) as [CM _].
  unfold cursor_after in E. destruct (bytes_less c (next x)) eqn:CN; [|discriminate].
  pose proof (asked_from_region region (next x) A) as H. rewrite E in H. destruct H as (_ & NM & _).
  apply filter_fewer.
  - intros [z|]; [|discriminate]. cbn. intros B. eapply blt_transitive; eauto.
  - destruct a_well_formed as (_ & _ & _ & X). destruct (X p x L) as [[Z _]|(_ & (q & y & Ly & Ey) & _)].
    + exfalso. rewrite Z in CN. exact (bytes_less_empty _ CN).
    + exists (Some y). split.
      * unfold live, slot_at in Ly. destruct (N.ltb_spec q (seq_length (array_slots a))) as [D|D]; [|discriminate].
        rewrite <- Ly. apply seq_at_in. exact D.
      * cbn. rewrite Ey. split; [exact CN|]. apply bytes_less_false. exact NM.
Qed.

Lemma left_at_most : forall c, N.of_nat (left_above c) <= slot_map_end (array_slots a).
Proof.
  intros c. unfold slot_map_end, seq_length, left_above. generalize (array_slots a). intros l.
  assert (length (filter (key_above c) l) <= length l)%nat; [|lia].
  induction l as [|z l IH]; [apply le_n|]. cbn. destruct (key_above c z); cbn; lia.
Qed.

(** ** The search *)

Lemma slots_of_positions_app : forall ps p x, live (array_slots a) p x ->
  slots_of_positions (ps ++ [p]) (array_slots a) = slots_of_positions ps (array_slots a) ++ [x].
Proof.
  intros ps p x L. unfold slots_of_positions.
  rewrite !(loop_over_elements _ _ _ (fun chain p => slots_of_positions_step chain (array_slots a) p)).
  rewrite fold_left_app. cbn [fold_left]. unfold slots_of_positions_step at 1. rewrite L. reflexivity.
Qed.

(** After [i] turns the scan has taken the slots found, and is done, or has less left. *)
Definition searching (region : Region) (i : N) (search : ChainSearch) : Prop :=
  shown a region (search_scan search) /\
  scan_list region (Ok (scan_start region)) (slots_of_positions (search_positions search) (array_slots a)) =
    Ok (search_scan search) /\
  (forall p, In p (search_positions search) -> exists x, live (array_slots a) p x) /\
  (scan_done region (search_scan search) = true \/
   exists c, scan_cursor (search_scan search) = Some c /\
     N.of_nat (left_above c) + i <= slot_map_end (array_slots a)).

Lemma region_positions_searching : forall region i search,
  region_ascends region -> searching region i search ->
  searching region (i + 1) (region_positions_step search region (array_slots a)).
Proof.
  intros region i search A (S & T & P & D). unfold region_positions_step.
  destruct (scan_cursor (search_scan search)) as [c|] eqn:C.
  - destruct (covering_slot_exists a c a_well_formed) as (p & x & CP & _ & L & CV). rewrite CP.
    unfold extend_search_at. rewrite L. unfold extend_search.
    destruct (scan_slot region (search_scan search) x) as [scan|fault] eqn:E.
    + split; [|split; [|split]]; cbn [search_scan search_positions].
      * eapply scan_slot_shown; eauto.
      * rewrite (slots_of_positions_app _ p x L). unfold scan_list in *. rewrite fold_left_app, T. exact E.
      * intros q I. apply in_app_iff in I. destruct I as [I|[<-|[]]]; [apply P; exact I|eauto].
      * unfold scan_slot in E. rewrite C in E. destruct (scan_done region (search_scan search)) eqn:SD; [discriminate|].
        rewrite CV in E. cbn in E. injection E as <-. cbn [scan_cursor]. destruct D as [D|(c' & C' & D)]; [discriminate|].
        injection C' as <-. destruct (cursor_after region c x) as [m|] eqn:CA.
        -- right. exists m. split; [reflexivity|]. destruct S as (_ & _ & R).
           pose proof (left_falls region p x c m A (R c C) L CA). lia.
        -- left. reflexivity.
    + split; [exact S|]. split; [exact T|]. split; [exact P|]. left. unfold scan_slot in E. rewrite C, CV in E. cbn in E.
      destruct (scan_done region (search_scan search)); [reflexivity|discriminate].
  - split; [exact S|]. split; [exact T|]. split; [exact P|]. left. unfold scan_done. rewrite C. reflexivity.
Qed.

Theorem region_positions_done : forall region,
  region_ascends region ->
  (forall p, In p (region_positions region (array_slots a)) -> exists x, live (array_slots a) p x) /\
  exists ans, answer_region region (slots_of_positions (region_positions region (array_slots a)) (array_slots a)) = Ok ans.
Proof.
  intros region A. unfold region_positions.
  set (search := fold_left _ _ _).
  assert (H : searching region (slot_map_end (array_slots a) + 1) search).
  { apply (loop_invariant _ (searching region)); [lia| |].
    - split; [apply scan_start_shown; assumption|]. split; [reflexivity|]. split; [intros p []|].
      cbn [search_scan]. destruct (scan_cursor (scan_start region)) as [c|] eqn:C.
      + right. exists c. split; [reflexivity|]. pose proof (left_at_most c). lia.
      + left. unfold scan_done. rewrite C. reflexivity.
    - intros i search' _ I. apply region_positions_searching; assumption. }
  destruct H as (S & T & P & D). split; [exact P|]. unfold answer_region. rewrite scan_slots_list, T.
  destruct D as [D|(c & _ & D)]; [rewrite D; eauto|lia].
Qed.

Lemma slots_of_positions_live : forall ps x,
  (forall p, In p ps -> exists y, live (array_slots a) p y) ->
  In x (slots_of_positions ps (array_slots a)) -> exists p, live (array_slots a) p x.
Proof.
  intros ps x L. unfold slots_of_positions.
  rewrite (loop_over_elements _ _ _ (fun chain p => slots_of_positions_step chain (array_slots a) p)).
  assert (G : forall qs chain, (forall p, In p qs -> exists y, live (array_slots a) p y) ->
    In x (fold_left (fun chain p => slots_of_positions_step chain (array_slots a) p) qs chain) ->
    In x chain \/ exists p, live (array_slots a) p x).
  { induction qs as [|q qs IH]; intros chain H I; [left; exact I|]. cbn [fold_left] in I. apply IH in I.
    - destruct I as [I|I]; [|right; exact I]. unfold slots_of_positions_step in I.
      destruct (H q (or_introl eq_refl)) as [y Ly]. rewrite Ly in I. apply in_app_iff in I.
      destruct I as [I|[<-|[]]]; [left; exact I|right; exists q; exact Ly].
    - intros p P. apply H. right. exact P. }
  intros I. destruct (G ps [] L I) as [[]|H]. exact H.
Qed.

Theorem honest_answer_of_slots : forall question,
  question_legal question = true ->
  (forall p, In p (answer_positions question (array_slots a)) -> exists x, live (array_slots a) p x) /\
  exists ans, answer_of_slots question (slots_of_positions (answer_positions question (array_slots a)) (array_slots a)) = Ok ans.
Proof.
  assert (ONE : forall p x, live (array_slots a) p x -> slots_of_positions [p] (array_slots a) = [x]).
  { intros p x L. exact (slots_of_positions_app [] p x L). }
  intros [region|k|k] Q; cbn [answer_positions answer_of_slots].
  - apply region_positions_done. destruct region as [listed|r]; [apply keys_askable_sorted; exact Q|exact I].
  - destruct (preceding_slot_exists a k a_well_formed) as (p & x & PP & L & P). rewrite PP. cbn [listed_position app]. split.
    + intros q [<-|[]]. eauto.
    + rewrite (ONE p x L). unfold answer_predecessor. cbn. rewrite P. eauto.
  - destruct (covering_slot_exists a k a_well_formed) as (p & x & CP & _ & L & C). rewrite CP. cbn [listed_position app]. split.
    + intros q [<-|[]]. eauto.
    + rewrite (ONE p x L). unfold answer_successor. cbn. rewrite C. eauto.
Qed.

End Honest.
