(** Operations are read back from their bytes, and from no others.

    - [operation_inverts], [operations_inverts]: one operation; so many;
    - [operation_never_panics], [operations_never_panic]. *)
From Coq Require Import NArith List Bool Lia.
From AardvarkSpec Require Import Prelude Base.Bytes Block.Operation Decoding.DecodeReason Decoding.Cursor
  Decoding.OperationDecoder Decoding.CursorSafe Decoding.OperationDecoderSafe.
From Aardvark Require Import Lemmas.LoopLemmas Spec.Base.Bytes Spec.Block.Transaction Safety.BoundsSafe Lemmas.Readers.
Import ListNotations.
Local Open Scope N_scope.

Theorem operation_inverts : inverts fits_operation encode_operation read_operation.
Proof.
  split.
  - intros [k act] rest [K X]. cbn [operation_key action] in *. unfold read_operation, encode_operation. cbn [operation_key action].
    destruct act; cbn [fits_action] in X; rewrite <- !app_assoc; (reads u8_inverts; [|reflexivity]);
      reads bytes8_inverts; cbn [expect_operation read_action N.leb N.eqb];
      try reflexivity; unfold read_required, read_put, read_add, read_sub.
    + reads bytes16_inverts. reflexivity.
    + reads bytes16_inverts. reflexivity.
    + unfold value_of_number, u128_of_u64. reads amount_inverts. reflexivity.
    + unfold value_of_number, u128_of_u64. reads amount_inverts. reflexivity.
  - intros bytes x rest O E. unfold read_operation in E. took u8_inverts.
    unfold expect_operation in E. destruct (N.leb_spec n 5) as [T|]; [|discriminate]. took bytes8_inverts.
    unfold read_action, read_required, read_put, read_add, read_sub in E.
    destruct (N.eqb_spec n 0) as [->|];
      [|destruct (N.eqb_spec n 1) as [->|];
      [|destruct (N.eqb_spec n 2) as [->|];
      [|destruct (N.eqb_spec n 3) as [->|];
      [|destruct (N.eqb_spec n 4) as [->|]; [|assert (n = 5) as -> by lia]]]]];
      cbv beta iota in E; try (took bytes16_inverts); try (took amount_inverts); injection E as <- <-;
      (split; [split; [assumption|first [assumption|exact I]]|]); unfold encode_operation; cbn [operation_key action];
      rewrite <- !app_assoc; reflexivity.
Qed.

Lemma operation_some : forall x, 0 < seq_length (encode_operation x).
Proof.
  intros [k act]. unfold encode_operation. cbn [operation_key action].
  destruct act; unfold u8_bytes; rewrite !seq_length_app, big_endian_length; lia.
Qed.

Theorem operations_inverts : forall count,
  inverts (fun l => seq_length l = count /\ Forall fits_operation l) (flat_map encode_operation)
    (fun bytes => read_operations bytes count).
Proof. exact (many_inverts fits_operation encode_operation read_operation operation_inverts (fun x _ => operation_some x)). Qed.

Theorem operation_never_panics : forall bytes, of_bytes bytes -> held bytes -> read_operation_safe bytes = true.
Proof.
  intros bytes O H. unfold read_operation_safe. rewrite number_never_panics by (lia || exact O). safe_behind u8_inverts.
  destruct (expect_operation n); [|reflexivity]. rewrite bytes8_never_panics by assumption. safe_behind bytes8_inverts.
  unfold read_action_safe, read_required_safe, read_put_safe, read_add_safe, read_sub_safe.
  rewrite bytes16_never_panics, amount_never_panics by assumption.
  repeat match goal with |- context [if ?b then _ else _] => destruct b end; reflexivity.
Qed.

Theorem operations_never_panic : forall bytes count, of_bytes bytes -> held bytes -> read_operations_safe bytes count = true.
Proof.
  intros bytes count O H. unfold read_operations_safe. rewrite turns_never_panic by exact H. cbn [andb].
  exact (many_safe fits_operation encode_operation read_operation operation_inverts read_operation_safe count bytes
    operation_never_panics O H).
Qed.
