(** Theorems for auditors: honest runs of a mixnet's queries answer as the ideal does.

    To understand a statement of this file you need this file, the generated definitions, above all [trace_ideal] (what a query
    means) and [trace_run] (what servers do), and definitions of Spec/Mixnet/TraceRun.v ([assignment_of], [all_permute],
    [numbers_differ], [factors_nonzero]), Spec/Mixnet/Lagrange.v ([distinct_servers]) and Spec/Mixnet/Column.v ([decrypted]).

    - [trace_in_correct], [trace_out_correct]: the answer that everybody reads after an honest run is the ideal one, in every
      mode, with equal values, public and private.
    - [zero_test_correct]: honest zero tests leave what decrypts to 0 exactly if the sum did.

    What accepted answers of dishonest servers say is another matter (Mixnet.v counts the challenges under which one proof
    of theirs passes). *)
From Coq Require Import NArith List Bool.
From AardvarkSpec Require Import Prelude Base.Integers Base.Scalar Base.Group Mixnet.TracePacked Mixnet.Trace Mixnet.TraceRun.
From Aardvark Require Import Lemmas.Field.
From Aardvark Require Spec.Mixnet.Column Spec.Mixnet.Lagrange Spec.Mixnet.TraceRun Lemmas.HonestTrace.
Import ListNotations.
Local Open Scope N_scope.

Section Traces.

Context {F : ScalarOperations} {lawful : LawfulScalars F}.

Import Spec.Mixnet.Column Spec.Mixnet.Lagrange Spec.Mixnet.TraceRun.

(** Which of the inputs I hold a value that stands among the outputs J, each or how many: the servers' permutations take input i
    to an output of the same value, enough distinct servers decrypt, and numbers up to n + 255 are different scalars. The querier's
    secret is 0 of a public query. *)
Theorem trace_in_correct (query : TraceQuery) (inputs outputs : list (list G1)) (mixers : list TraceMixer)
    (coefficients : list Scalar) (servers : list N) (querier : Scalar) :
  let n := seq_length outputs in
  let assignment := assignment_of mixers n in
  trace_direction query = TraceDirection_TraceIn -> trace_legal query outputs = true ->
  seq_length inputs = n -> all_permute mixers n ->
  (forall i, i < n -> seq_at outputs (seq_at assignment i) = seq_at inputs i) ->
  distinct_servers servers -> (length coefficients <= length servers)%nat -> numbers_differ (n + 2 ^ TRACE_PACKED) ->
  factors_nonzero mixers (seq_length (trace_targets query outputs)) ->
  trace_run query outputs mixers coefficients servers querier = Some (trace_ideal query inputs outputs assignment).
Proof. apply Lemmas.HonestTrace.trace_in_correct. Qed.

(** Which of the outputs J hold a value that one of the inputs I holds: each of unique values, for each value, or how many of the
    asked outputs came from I. *)
Theorem trace_out_correct (query : TraceQuery) (inputs outputs : list (list G1)) (mixers : list TraceMixer)
    (coefficients : list Scalar) (servers : list N) (querier : Scalar) :
  let n := seq_length outputs in
  let assignment := assignment_of mixers n in
  trace_direction query = TraceDirection_TraceOut -> trace_legal query outputs = true ->
  seq_length inputs = n -> all_permute mixers n ->
  (forall i, i < n -> seq_at outputs (seq_at assignment i) = seq_at inputs i) ->
  distinct_servers servers -> (length coefficients <= length servers)%nat -> numbers_differ (n + 2 ^ TRACE_PACKED) ->
  factors_nonzero mixers (seq_length (trace_targets query outputs)) ->
  trace_run query outputs mixers coefficients servers querier = Some (trace_ideal query inputs outputs assignment).
Proof. apply Lemmas.HonestTrace.trace_out_correct. Qed.

(** After all servers multiplied a sum, each by a factor that is not 0, it decrypts to 0 exactly if it did before. *)
Theorem zero_test_correct (mixers : list TraceMixer) (sums : list (list G1)) (secret : Scalar) (p : N) :
  factors_nonzero mixers (seq_length sums) -> p < seq_length sums ->
  decrypted (seq_at (trace_blind mixers sums) p) secret 1 = g1_identity <->
  decrypted (seq_at sums p) secret 1 = g1_identity.
Proof. intros N L. now apply Spec.Mixnet.TraceRun.blind_zero. Qed.

End Traces.
