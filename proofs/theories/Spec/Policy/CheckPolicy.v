(** The policy of a chain, by its parts.

    - [check_policy_iff]: a transaction passes exactly where the signers may do it and its certificates are those that the
      policy asks for;
    - [uncertified_iff]: under all policies but `tables` these are none;
    - [tables_pass_iff]: under `tables`, exactly where it is a write, those sign who may, and its certificates cover what it
      puts;
    - [signed_listed]: what it says of the signers that their keys are listed. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Base.Scalar Base.Hash Block.Transaction Decoding.SignedDecoder
  Table.TableSchema Policy.PolicyReason Policy.Signers Policy.Publisher Policy.TableWrite Policy.TableCovered Policy.Tables
  Policy.CheckPolicy.
From Aardvark Require Import Lemmas.LoopLemmas.
From Aardvark Require Spec.Policy.Publisher.
Import ListNotations.
Local Open Scope N_scope.

Section CheckPolicy.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

Lemma check_policy_iff : forall policy tx signed_by items,
  check_policy policy tx signed_by items = Ok tt <->
  check_signed policy tx signed_by = Ok tt /\ check_brought policy tx items = Ok tt.
Proof.
  intros policy tx signed_by items. unfold check_policy. destruct (check_signed policy tx signed_by) as [[]|e].
  - tauto.
  - split; [discriminate|]. intros [H _]. discriminate H.
Qed.

Lemma uncertified_iff : forall policy tx items, (forall creators, policy <> Policy_PolicyTables creators) ->
  check_brought policy tx items = Ok tt <-> items = [].
Proof.
  intros [rule|publishers|creators|organisers] tx items O; [| |now destruct (O creators)|]; cbn [check_brought];
    (destruct items as [|brought items]; [split; reflexivity|]; rewrite seq_length_cons;
      replace (seq_length items + 1 =? 0) with false by (symmetry; apply N.eqb_neq; lia); split; discriminate).
Qed.

Lemma signed_listed : forall listed signed_by,
  check_publisher listed (public_keys_of signed_by) = Ok tt <->
  signed_by <> [] /\ forall signer, In signer signed_by -> In (signer_public_key signer) listed.
Proof.
  intros listed signed_by. rewrite Aardvark.Spec.Policy.Publisher.publishers_only. unfold public_keys_of.
  rewrite (loop_over_elements _ _ _ public_keys_of_step).
  assert (G : forall found, fold_left public_keys_of_step signed_by found = found ++ map signer_public_key signed_by).
  { induction signed_by as [|s signed_by IH]; intros found; cbn [fold_left map]; [rewrite app_nil_r; reflexivity|].
    rewrite IH. unfold public_keys_of_step. rewrite <- app_assoc. reflexivity. }
  rewrite G. cbn [app]. rewrite Forall_map, Forall_forall.
  destruct signed_by as [|s signed_by]; [|cbn [map]; split; intros [_ H]; split; try discriminate; exact H]. cbn [map]. tauto.
Qed.

(** Whose keys may sign a write. *)
Definition writers_of (creators : list ByteString) (write : TableWrite) : list ByteString :=
  match write with
  | TableWrite_WriteCreate => creators
  | TableWrite_WriteSeal sealed => schema_writers sealed
  | TableWrite_WriteRuns runs => schema_writers (written_schema runs)
  end.

Lemma tables_pass_iff : forall creators tx signed_by items,
  check_policy (Policy_PolicyTables creators) tx signed_by items = Ok tt <->
  exists write, read_table_write (operations tx) = Ok write /\ check_covered write items = Ok tt /\
    signed_by <> [] /\ forall signer, In signer signed_by -> In (signer_public_key signer) (writers_of creators write).
Proof.
  intros creators tx signed_by items. rewrite check_policy_iff. cbn [check_signed check_brought].
  unfold check_tables, check_tables_covered.
  destruct (read_table_write (operations tx)) as [[|sealed|runs]|why];
    [..|split; [intros [H _]; discriminate H|intros (write & E & _); discriminate E]]; rewrite signed_listed; split.
  all: try (intros [S C]; eexists; split; [reflexivity|]; split; [exact C|exact S]).
  all: intros (write & E & C & S); injection E as <-; split; [exact S|exact C].
Qed.

End CheckPolicy.
