(* Translated from spec/src/mixnet/sharing.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** Keys in shares: a polynomial f of degree t - 1, f(0) the key, f(k) the share of server k, and
    commitments A_a = `f[a]` G by which every share is checked. Source: docs/mixnet.md, "Keys". *)
From AardvarkSpec Require Export Prelude Base.Integers Base.Scalar Base.Group.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** The scalar of a server's number. *)
Definition share_point (server : usize) : Scalar :=
  scalar_of_number (u128_of_usize server).

(** One step of [`share_of`]: coefficients are taken highest first. *)
Definition share_of_step (total : Scalar) (coefficients : Seq Scalar) (server a : usize) : Scalar :=
  total [*] share_point server [+] scalar_at coefficients (seq_length coefficients - 1 - a).

(** f(k) *)
Definition share_of (coefficients : Seq Scalar) (server : usize) : Scalar :=
  fold_left
    (fun total a => share_of_step total coefficients server a)
    (range 0 (seq_length coefficients))
    scalar_zero.

(** A_a = `f[a]` G *)
Definition share_commitments (coefficients : Seq Scalar) : Seq G1 :=
  g1_multiples coefficients.

(** One step of [`share_public`]. *)
Definition share_public_step (total : G1) (committed : Seq G1) (server a : usize) : G1 :=
  g1_add (g1_scale (share_point server) total) (g1_at committed (seq_length committed - 1 - a)).

(** Σ_a k^a A_a *)
Definition share_public (committed : Seq G1) (server : usize) : G1 :=
  fold_left
    (fun total a => share_public_step total committed server a)
    (range 0 (seq_length committed))
    g1_identity.

(** Whether f(k) G = Σ_a k^a A_a. *)
Definition share_verify (committed : Seq G1) (server : usize) (share : Scalar) : bool :=
  g1_equal (g1_multiple share) (share_public committed server).

(** One step of [`share_weight`]. *)
Definition share_weight_step (weight : Scalar) (servers : Seq usize) (server i : usize) : Scalar :=
  let other := seq_at servers i in
  if other =? server then
    weight
  else
    weight [*] share_point other [*] scalar_inverse (share_point other [-] share_point server).

(** λ_k, the Lagrange coefficient of a server at 0. *)
Definition share_weight (servers : Seq usize) (server : usize) : Scalar :=
  fold_left
    (fun weight i => share_weight_step weight servers server i)
    (range 0 (seq_length servers))
    scalar_one.

(** One step of [`share_combine`]. *)
Definition share_combine_step (total : G1) (servers : Seq usize) (shares : Seq G1) (i : usize) : G1 :=
  g1_add total (g1_scale (share_weight servers (seq_at servers i)) (g1_at shares i)).

(** Σ_k λ_k S_k: what the key would make of the element that the servers' shares multiplied. *)
Definition share_combine (servers : Seq usize) (shares : Seq G1) : G1 :=
  fold_left
    (fun total i => share_combine_step total servers shares i)
    (range 0 (seq_length servers))
    g1_identity.

End Specification.
