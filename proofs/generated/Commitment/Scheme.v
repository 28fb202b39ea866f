(* Translated from spec/src/commitment/scheme.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** The scheme of a dictionary: the one place that chooses between KZG and Libert–Yung. *)
From AardvarkSpec Require Export Prelude Base.Scalar Base.Group Commitment.Opening Commitment.Kzg
  Commitment.LibertYung.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** The public parameters of a dictionary's scheme. *)
Inductive Setup : Type :=
(** KZG on roots of unity. *)
| Setup_Kzg (_ : KzgSetup)
(** Libert–Yung. *)
| Setup_LibertYung (_ : LibertYungSetup).

(** The scheme's number in a dictionary's parameters. *)
Definition scheme_number (setup : Setup) : u8 :=
  match setup with
  | Setup_Kzg _ => 1
  | Setup_LibertYung _ => 2
  end.

(** N, the number of elements of a vector. *)
Definition setup_vector_size (setup : Setup) : usize :=
  match setup with
  | Setup_Kzg kzg => kzg.(kzg_size)
  | Setup_LibertYung libert_yung => libert_yung.(libert_yung_size)
  end.

(** The commitment to a vector; elements that it lacks are 0. *)
Definition commit (setup : Setup) (vector : Seq Scalar) : G1 :=
  match setup with
  | Setup_Kzg kzg => kzg_commit kzg vector
  | Setup_LibertYung libert_yung => libert_yung_commit libert_yung vector
  end.

(** The opening of a vector at index `i`. *)
Definition open (setup : Setup) (vector : Seq Scalar) (i : usize) : G1 :=
  match setup with
  | Setup_Kzg kzg => kzg_open kzg vector i
  | Setup_LibertYung libert_yung => libert_yung_open libert_yung vector i
  end.

(** The openings of a vector at all indices. *)
Definition open_all (setup : Setup) (vector : Seq Scalar) : Seq G1 :=
  match setup with
  | Setup_Kzg kzg => kzg_open_all kzg vector
  | Setup_LibertYung libert_yung => libert_yung_open_all libert_yung vector
  end.

(** Whether a point opens the commitment at index `i` to the scalar `m`. *)
Definition verify_point (setup : Setup) (commitment : G1) (i : usize) (m : Scalar) (point : G1) : bool :=
  match setup with
  | Setup_Kzg kzg => kzg_verify kzg commitment i m point
  | Setup_LibertYung libert_yung => libert_yung_verify libert_yung commitment i m point
  end.

(** Whether an opening opens the commitment at index `i` to the scalar `m`; a malformed one does
    not. *)
Definition verify (setup : Setup) (commitment : G1) (i : usize) (m : Scalar) (opening : Opening) : bool :=
  match opening with
  | Opening_Malformed => false
  | Opening_Point point => verify_point setup commitment i m point
  end.

(** The batch equation under the coefficients ρ_j. *)
Definition verify_batch (setup : Setup) (batch : Seq BatchClaim) (coefficients : Seq Scalar) : bool :=
  match setup with
  | Setup_Kzg kzg => kzg_verify_batch kzg batch coefficients
  | Setup_LibertYung libert_yung => libert_yung_verify_batch libert_yung batch coefficients
  end.

(** The aggregation equation under the coefficients ρ_j of the first challenge and γ of the second. *)
Definition verify_aggregated
    (setup : Setup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (points : Seq AggregatedOpening)
    (combiners : Seq Scalar) : bool :=
  match setup with
  | Setup_Kzg kzg => kzg_verify_aggregated kzg batch coefficients points combiners
  | Setup_LibertYung libert_yung =>
      libert_yung_verify_aggregated libert_yung batch coefficients points combiners
  end.

(** The commitment after element `j` of the vector grew by `delta`. *)
Definition update_commitment (setup : Setup) (commitment : G1) (j : usize) (delta : Scalar) : G1 :=
  match setup with
  | Setup_Kzg kzg => kzg_update_commitment kzg commitment j delta
  | Setup_LibertYung libert_yung => libert_yung_update_commitment libert_yung commitment j delta
  end.

(** The opening at index `i` after element `j` of the vector grew by `delta`. *)
Definition update_opening (setup : Setup) (opening : G1) (i j : usize) (delta : Scalar) : G1 :=
  match setup with
  | Setup_Kzg kzg => kzg_update_opening kzg opening i j delta
  | Setup_LibertYung libert_yung => libert_yung_update_opening libert_yung opening i j delta
  end.

End Specification.
