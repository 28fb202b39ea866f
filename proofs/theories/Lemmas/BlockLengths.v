(** What a block of shapely operations changes has legal lengths.

    - [run_action_lengths]: the content after a shapely action on a content of legal length has a legal length;
    - [run_block_lengths]: so the changes of a block whose operations are shapely, and whose keys resolved to contents of
      legal lengths, have legal lengths;
    - [map_lengths]: the contents of an array whose slots have legal lengths are such. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Hash Base.Bytes Dictionary.Slot
  Dictionary.SlotMap Dictionary.Array Dictionary.Changes Block.Rejection Block.Operation Commitment.Scheme
  Dictionary.Genesis Block.Transaction Block.BlockData Block.Tail Block.Checks Block.Execution.
From Aardvark Require Import Lemmas.WellFormed Lemmas.LoopLemmas Spec.Base.Bytes Lemmas.SlotMapLemmas
  Lemmas.DictionaryLemmas Lemmas.ChangeMaps Lemmas.History Lemmas.Resolution Spec.Block.Checks
  Lemmas.BlockChecks Lemmas.Lengths.
Import ListNotations.
Local Open Scope N_scope.

Section Lengths.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Variable p : Parameters.

(** A value of legal length, or absent. *)
Definition content_fits (content : option ByteString) : Prop :=
  forall v, content = Some v -> seq_length v <= max_value_length p.

Theorem map_lengths : forall a k, all_fit p (array_slots a) -> content_fits (map_of a k).
Proof.
  intros a k A v E. apply map_of_some in E. destruct E as [_ (q & x & L & _ & <-)]. apply A in L.
  apply slot_fits_iff in L. apply L.
Qed.

Lemma value_of_number_length : forall amount, seq_length (value_of_number amount) = 8.
Proof. intros. unfold value_of_number. apply big_endian_length. Qed.

Theorem run_action_lengths : forall content act after,
  content_fits content -> action_too_long p act = false -> run_action content act = Ok after -> content_fits after.
Proof.
  intros content act after C S E. destruct act as [|required|put_value| |amount|amount]; cbn [run_action action_too_long] in *.
  - unfold run_require in E. destruct (contents_equal content None); [|discriminate]. injection E as <-. assumption.
  - unfold run_require in E. destruct (contents_equal content (Some required)); [|discriminate]. injection E as <-. assumption.
  - injection E as <-. intros v Ev. injection Ev as <-. apply N.ltb_ge in S. assumption.
  - injection E as <-. discriminate.
  - apply N.ltb_ge in S. unfold run_add in E.
    repeat match type of E with context [match ?x with _ => _ end] => destruct x; try discriminate end;
      injection E as <-; intros v Ev; injection Ev as <-; rewrite value_of_number_length; assumption.
  - apply N.ltb_ge in S. unfold run_sub in E.
    repeat match type of E with context [match ?x with _ => _ end] => destruct x; try discriminate end;
      injection E as <-; intros v Ev; injection Ev as <-; rewrite value_of_number_length; assumption.
Qed.

(** ** One operation, one transaction, one block *)

Definition fit_if_ok (changed : Result ChangeMap Rejection) : Prop :=
  match changed with
  | Ok changes => changes_fit p changes
  | Err _ => True
  end.

Lemma run_operation_lengths : forall changes op content x j,
  changes_fit p changes -> operation_good p op -> content_fits content ->
  fit_if_ok (run_operation changes op content x j).
Proof.
  intros changes op content x j C (_ & K & S & _) Fc. unfold run_operation. cbv zeta.
  set (change := change_so_far changes (operation_key op) content).
  assert (Fch : seq_length (change_key change) <= max_key_length p /\ content_fits (change_after change)).
  { unfold change, change_so_far. destruct (change_of changes (operation_key op)) as [c|] eqn:E.
    - apply change_of_some in E. destruct E as [I _]. unfold changes_fit in C. rewrite Forall_forall in C. exact (C c I).
    - split; assumption. }
  destruct Fch as [Fk Fa]. destruct (run_action (change_after change) (action op)) as [after|why] eqn:E; [|exact I].
  cbn [fit_if_ok]. apply put_change_forall; [assumption|]. cbn [change_key change_after]. split; [assumption|].
  eapply run_action_lengths; eassumption.
Qed.

Lemma run_operations_lengths : forall items contents changes x,
  changes_fit p changes -> (forall op, In op items -> operation_good p op) ->
  (forall content, In content contents -> content_fits content) ->
  fit_if_ok (run_operations changes items contents x).
Proof.
  intros items contents changes x C G Fc. unfold run_operations.
  apply (loop_invariant _ (fun _ => fit_if_ok)); [lia|exact C|].
  intros j [known|e] Hj K; cbn [run_operations_step]; [|exact I].
  apply run_operation_lengths; [exact K|apply G, seq_at_in; lia|].
  unfold content_at. destruct (N.ltb_spec j (seq_length contents)); [apply Fc, seq_at_in; assumption|discriminate].
Qed.

Theorem run_block_lengths : forall block resolved changes,
  (forall tx op, In tx (transactions block) -> In op (operations tx) -> operation_good p op) ->
  (forall contents content, In contents resolved -> In content contents -> content_fits content) ->
  run_block block resolved = Ok changes -> changes_fit p changes.
Proof.
  intros block resolved changes G Fc E.
  assert (H : fit_if_ok (run_block block resolved)).
  { unfold run_block. apply (loop_invariant _ (fun _ => fit_if_ok)); [lia|constructor|].
    intros x [known|e] Hx K; cbn [run_block_step]; [|exact I].
    apply run_operations_lengths; [exact K| |].
    - intros op Io. apply (G (seq_at (transactions block) x)); [apply seq_at_in; lia|assumption].
    - unfold contents_at. destruct (_ <? _) eqn:B; [|intros content []].
      intros content Ic. eapply Fc; [|exact Ic]. apply seq_at_in. apply N.ltb_lt. exact B. }
  rewrite E in H. exact H.
Qed.

(** Dropping the changes that change nothing keeps the lengths. *)
Theorem net_changes_lengths : forall changes, changes_fit p changes -> changes_fit p (net_changes changes).
Proof. intros changes C. apply net_changes_forall. exact C. Qed.

(** The contents that a block of the array's map resolved to. *)
Theorem resolved_lengths : forall a (items : list Transaction) contents content,
  all_fit p (array_slots a) ->
  In contents (map (fun tx => map_contents a (operations tx)) items) -> In content contents -> content_fits content.
Proof.
  intros a items contents content A I J. apply in_map_iff in I. destruct I as (tx & <- & _).
  unfold map_contents in J. apply in_map_iff in J. destruct J as (op & <- & _). apply map_lengths. assumption.
Qed.

End Lengths.
