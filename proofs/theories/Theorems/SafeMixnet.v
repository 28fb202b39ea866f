(** Theorems for auditors: nothing that is sent makes a verifier of a mixnet's proofs panic.

    To understand a statement of this file you need this file, the generated definitions with their twins, and of
    Safety/MixnetSafe.v [digests_drawn]: digests are 16 bytes or more.

    - [verify_permutation_never_panics], [verify_column_never_panics], [verify_decryption_never_panics],
      [verify_zero_test_never_panics]: whatever lists and proof, under any challenges; the sizes that are asked for are those of the
      verifier's own generators and keys, and of targets that it summed up.
    - [drawn_mixnet_never_panics]: the same under the challenges that are drawn. *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Scalar Base.Group Base.Hash Mixnet.LinearRelation Mixnet.Permutation Mixnet.Column
  Mixnet.Threshold Mixnet.ZeroTest Mixnet.PermutationSafe Mixnet.ColumnSafe Mixnet.ThresholdSafe Mixnet.ZeroTestSafe.
From Aardvark Require Safety.MixnetSafe.
Local Open Scope N_scope.

Section SafeMixnet.

Context {F : ScalarOperations} {scalar_given : ScalarGiven} {hash_given : HashGiven}.

(** The proof that a commitment is to a permutation. *)
Theorem verify_permutation_never_panics : forall generators committed chain proof coefficients theta c,
  seq_length (generator_bases generators) < 2 ^ 62 ->
  verify_permutation_safe generators committed chain proof coefficients theta c = true.
Proof. exact Safety.MixnetSafe.verify_permutation_never_panics. Qed.

(** The proof that a list was shuffled by the committed permutation. *)
Theorem verify_column_never_panics : forall generators committed keys before after proof coefficients c,
  seq_length (generator_bases generators) < 2 ^ 62 ->
  verify_column_safe generators committed keys before after proof coefficients c = true.
Proof. exact Safety.MixnetSafe.verify_column_never_panics. Qed.

(** The proof of decryption shares. *)
Theorem verify_decryption_never_panics : forall key_shares firsts shares proof coefficients c,
  seq_length key_shares < 2 ^ 62 -> verify_decryption_safe key_shares firsts shares proof coefficients c = true.
Proof. exact Safety.MixnetSafe.verify_decryption_never_panics. Qed.

(** Zero tests. *)
Theorem verify_zero_test_never_panics : forall targets blinded proof c,
  seq_length targets < 2 ^ 62 -> verify_zero_test_safe targets blinded proof c = true.
Proof. exact Safety.MixnetSafe.verify_zero_test_never_panics. Qed.

(** All of them, under the challenges that are drawn. *)
Theorem drawn_mixnet_never_panics : Safety.MixnetSafe.digests_drawn ->
  (forall context generators committed a chain b proof t, seq_length (generator_bases generators) < 2 ^ 62 ->
    verify_permutation_drawn_safe context generators committed a chain b proof t = true) /\
  (forall seed generators committed keys before after proof t, seq_length (generator_bases generators) < 2 ^ 62 ->
    verify_column_drawn_safe seed generators committed keys before after proof t = true) /\
  (forall seed key_shares firsts shares proof t, seq_length key_shares < 2 ^ 62 ->
    verify_decryption_drawn_safe seed key_shares firsts shares proof t = true) /\
  (forall seed targets blinded proof t, seq_length targets < 2 ^ 62 ->
    verify_zero_test_drawn_safe seed targets blinded proof t = true).
Proof. exact Safety.MixnetSafe.drawn_mixnet_never_panics. Qed.

End SafeMixnet.
