(* Translated from spec/src/commitment/scheme.rs. Do not edit: change the specification, then run `cargo xtask translate`. *)

(** When the functions of this module do not panic: see Prelude. *)
From AardvarkSpec Require Export Commitment.Scheme Base.ScalarSafe Base.GroupSafe Commitment.OpeningSafe
  Commitment.KzgSafe Commitment.LibertYungSafe.
Local Open Scope bool_scope.
Local Open Scope list_scope.
Local Open Scope N_scope.

Section Specification.

Context {F : ScalarOperations} {scalar_given : ScalarGiven}.

(** When [commit] does not panic. *)
Definition commit_safe (setup : Setup) (vector : Seq Scalar) : bool :=
  match setup with
  | Setup_Kzg kzg => kzg_commit_safe kzg vector
  | Setup_LibertYung libert_yung => libert_yung_commit_safe libert_yung vector
  end.

(** When [open] does not panic. *)
Definition open_safe (setup : Setup) (vector : Seq Scalar) (i : usize) : bool :=
  match setup with
  | Setup_Kzg kzg => kzg_open_safe kzg vector i
  | Setup_LibertYung libert_yung => libert_yung_open_safe libert_yung vector i
  end.

(** When [open_all] does not panic. *)
Definition open_all_safe (setup : Setup) (vector : Seq Scalar) : bool :=
  match setup with
  | Setup_Kzg kzg => kzg_open_all_safe kzg vector
  | Setup_LibertYung libert_yung => libert_yung_open_all_safe libert_yung vector
  end.

(** When [verify_point] does not panic. *)
Definition verify_point_safe (setup : Setup) (commitment : G1) (i : usize) (m : Scalar) (point : G1) : bool :=
  match setup with
  | Setup_Kzg kzg => true
  | Setup_LibertYung libert_yung => libert_yung_verify_safe libert_yung commitment i m point
  end.

(** When [verify] does not panic. *)
Definition verify_safe
    (setup : Setup)
    (commitment : G1)
    (i : usize)
    (m : Scalar)
    (opening : Opening) : bool :=
  match opening with
  | Opening_Malformed => true
  | Opening_Point point => verify_point_safe setup commitment i m point
  end.

(** When [verify_batch] does not panic. *)
Definition verify_batch_safe (setup : Setup) (batch : Seq BatchClaim) (coefficients : Seq Scalar) : bool :=
  match setup with
  | Setup_Kzg kzg => kzg_verify_batch_safe kzg batch coefficients
  | Setup_LibertYung libert_yung => libert_yung_verify_batch_safe libert_yung batch coefficients
  end.

(** When [verify_aggregated] does not panic. *)
Definition verify_aggregated_safe
    (setup : Setup)
    (batch : Seq BatchClaim)
    (coefficients : Seq Scalar)
    (points : Seq AggregatedOpening)
    (combiners : Seq Scalar) : bool :=
  match setup with
  | Setup_Kzg kzg => kzg_verify_aggregated_safe kzg batch coefficients points combiners
  | Setup_LibertYung libert_yung =>
      libert_yung_verify_aggregated_safe libert_yung batch coefficients points combiners
  end.

(** When [update_commitment] does not panic. *)
Definition update_commitment_safe (setup : Setup) (commitment : G1) (j : usize) (delta : Scalar) : bool :=
  match setup with
  | Setup_Kzg kzg => true
  | Setup_LibertYung libert_yung => libert_yung_update_commitment_safe libert_yung commitment j delta
  end.

(** When [update_opening] does not panic. *)
Definition update_opening_safe (setup : Setup) (opening : G1) (i j : usize) (delta : Scalar) : bool :=
  match setup with
  | Setup_Kzg kzg => kzg_update_opening_safe kzg opening i j delta
  | Setup_LibertYung libert_yung => libert_yung_update_opening_safe libert_yung opening i j delta
  end.

End Specification.
