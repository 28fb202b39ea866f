(** A loop that reads so many items, each of which must come after the one before it.

    - [ordered_inverts]: it inverts the encoding of lists in strictly ascending order;
    - [ordered_safe]: it does not panic where the reader of an item and the comparison do not. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Decoding.DecodeReason Decoding.Cursor.
From Aardvark Require Import Lemmas.LoopLemmas Lemmas.Sequences Safety.SlotMapSafe Safety.BoundsSafe Lemmas.Readers.
Import ListNotations.
Local Open Scope N_scope.

(** Each item comes before the next. *)
Fixpoint ascends {A : Type} (less : A -> A -> bool) (items : list A) : Prop :=
  match items with
  | x :: (y :: _) as rest => less x y = true /\ ascends less rest
  | _ => True
  end.

Lemma last_of : forall A (D : Default A) (s : list A) x, seq_at (s ++ [x]) (seq_length (s ++ [x]) - 1) = x.
Proof.
  intros A D s x. rewrite LoopLemmas.seq_length_app. change (seq_length [x]) with 1. rewrite N.add_sub, LoopLemmas.seq_at_app, N.ltb_irrefl, N.sub_diag.
  reflexivity.
Qed.

Section Ordered.

Context {A : Type} (fits : A -> Prop) (encode : A -> ByteString) (read : ByteString -> Result (A * ByteString) DecodeReason).
Hypothesis law : inverts fits encode read.
Hypothesis something : forall x, fits x -> 0 < seq_length (encode x).

(** What says whether an item comes after those before. *)
Variables (less : A -> A -> bool) (allow : list A -> A -> Result unit DecodeReason) (unordered : DecodeReason).
Hypothesis allow_first : forall x, allow [] x = Ok tt.
Hypothesis allow_next : forall before y x, allow (before ++ [y]) x = if less y x then Ok tt else Err unordered.

Definition more_ordered (items : Result (list A * ByteString) DecodeReason) : Result (list A * ByteString) DecodeReason :=
  match items with
  | Ok (before, bytes) =>
      match read bytes with
      | Ok (found, rest) =>
          match allow before found with
          | Ok _later => Ok (before ++ [found], rest)
          | Err e' => Err e'
          end
      | Err e' => Err e'
      end
  | Err e' => Err e'
  end.

Definition read_ordered (count : N) (bytes : ByteString) : Result (list A * ByteString) DecodeReason :=
  fold_left (fun items _i => more_ordered items) (range 0 (reading_turns count bytes)) (Ok ([], bytes)).

Fixpoint allowed (before items : list A) : Prop :=
  match items with
  | [] => True
  | x :: items => allow before x = Ok tt /\ allowed (before ++ [x]) items
  end.

Lemma allowed_ascends : forall items before y, allowed (before ++ [y]) items <-> ascends less (y :: items).
Proof.
  induction items as [|x items IH]; intros before y; [cbn; tauto|]. cbn [allowed]. rewrite IH, allow_next. cbn [ascends].
  destruct (less y x); [tauto|]. split; intros [D _]; discriminate D.
Qed.

Lemma all_allowed : forall items, allowed [] items <-> ascends less items.
Proof.
  intros [|x items]; [cbn; tauto|]. cbn [allowed]. rewrite (allowed_ascends items [] x), allow_first. tauto.
Qed.

Lemma ordered_failed : forall (turns : list N) e, fold_left (fun items _i => more_ordered items) turns (Err e) = Err e.
Proof. induction turns as [|i turns IH]; intros e; [reflexivity|]. exact (IH e). Qed.

Lemma ordered_encoded : forall l (turns : list N) before rest, length turns = length l -> Forall fits l -> allowed before l ->
  fold_left (fun items _i => more_ordered items) turns (Ok (before, flat_map encode l ++ rest)) = Ok (before ++ l, rest).
Proof.
  induction l as [|x l IH]; intros [|i turns] before rest L X W; try discriminate L; cbn [fold_left flat_map].
  - rewrite app_nil_r. reflexivity.
  - inversion X; subst. destruct W as [W1 W2]. unfold more_ordered at 2. rewrite <- app_assoc, (proj1 law), W1 by assumption.
    rewrite IH; [|cbn in L; lia|assumption|exact W2]. rewrite <- app_assoc. reflexivity.
Qed.

Lemma ordered_found : forall (turns : list N) before bytes l rest, of_bytes bytes ->
  fold_left (fun items _i => more_ordered items) turns (Ok (before, bytes)) = Ok (l, rest) ->
  exists found, l = before ++ found /\ length found = length turns /\ Forall fits found /\ allowed before found /\
    bytes = flat_map encode found ++ rest.
Proof.
  induction turns as [|i turns IH]; intros before bytes l rest O E; cbn [fold_left] in E.
  - injection E as <- <-. exists []. rewrite app_nil_r. repeat split; constructor.
  - unfold more_ordered at 2 in E. destruct (read bytes) as [[x r]|e] eqn:R; [|rewrite ordered_failed in E; discriminate].
    destruct (inverts_read _ _ _ _ law _ _ _ O R) as (X & -> & O').
    destruct (allow before x) as [[]|e] eqn:W; [|rewrite ordered_failed in E; discriminate].
    destruct (IH _ _ _ _ O' E) as (found & -> & L & F & W' & ->).
    exists (x :: found). cbn [length flat_map allowed]. rewrite <- !app_assoc, L.
    split; [reflexivity|]. split; [reflexivity|]. split; [constructor; assumption|]. split; [split; assumption|reflexivity].
Qed.

Theorem ordered_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall fits l /\ ascends less l) (flat_map encode) (read_ordered count).
Proof.
  intros count. split.
  - intros l rest (L & X & W). unfold read_ordered. rewrite ordered_encoded; [reflexivity| |exact X|apply all_allowed, W].
    rewrite range_length. pose proof (flat_map_at_least fits encode something l X) as M. unfold reading_turns.
    rewrite seq_length_app.
    destruct (N.leb_spec count (seq_length (flat_map encode l) + seq_length rest)); [|lia]. unfold seq_length in L. lia.
  - intros bytes l rest O E. unfold read_ordered in E. destruct (ordered_found _ _ _ _ _ O E) as (found & F & L & X & W & ->).
    cbn [app] in F. subst l. pose proof (flat_map_at_least fits encode something found X) as M. rewrite range_length in L.
    unfold reading_turns in L. rewrite seq_length_app in L. split; [|reflexivity]. split; [|split; [exact X|apply all_allowed, W]].
    destruct (N.leb_spec count (seq_length (flat_map encode found) + seq_length rest)); unfold seq_length in *; lia.
Qed.

Lemma ordered_safe : forall (read_safe : ByteString -> bool) (allow_safe : list A -> A -> bool) count bytes,
  (forall bytes, of_bytes bytes -> held bytes -> read_safe bytes = true) ->
  (forall before x, Forall fits before -> fits x -> allow_safe before x = true) -> of_bytes bytes -> held bytes ->
  loop_safe (fun items _i => more_ordered items)
    (fun items _i =>
       match items with
       | Ok (before, bytes) =>
           read_safe bytes && (match read bytes with Ok (found, rest) => allow_safe before found | Err _ => true end)
       | Err _ => true
       end)
    (range 0 (reading_turns count bytes)) (Ok ([], bytes)) = true.
Proof.
  intros read_safe allow_safe count bytes S S' O H.
  apply (loop_is_safe _ (fun _ items =>
    match items with Ok (before, unread) => of_bytes unread /\ held unread /\ Forall fits before | Err _ => True end)).
  - repeat split; [exact O|exact H|constructor].
  - intros i [[before unread]|e] _ P; [|split; [reflexivity|exact I]]. destruct P as (P1 & P2 & P3).
    rewrite S by assumption. cbn [andb more_ordered]. destruct (read unread) as [[x rest]|e] eqn:R; [|split; [reflexivity|exact I]].
    destruct (inverts_rest _ _ _ _ law _ _ _ P1 P2 R) as [Q1 Q2]. destruct (inverts_read _ _ _ _ law _ _ _ P1 R) as (X & _ & _).
    split; [apply S'; assumption|]. destruct (allow before x); [|exact I]. split; [exact Q1|]. split; [exact Q2|].
    apply Forall_app. split; [exact P3|constructor; [exact X|constructor]].
Qed.

End Ordered.
