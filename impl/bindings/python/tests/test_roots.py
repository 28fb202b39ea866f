"""Roots alone, and notes that say one."""

from __future__ import annotations

import json
import unittest
from base64 import b64encode
from dataclasses import dataclass, replace
from hashlib import sha256

from common import example, file, vectors, verdict
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from aardvark_proof import (
    Class,
    Commitments,
    Identity,
    Note,
    Proof,
    Question,
    Root,
    Signature,
    Tie,
    TiedVector,
    Unreadable,
    Unsigned,
    from_hex,
    to_hex,
    verify,
)
from aardvark_proof._root import id_of_identity, state_root

QUESTION = Question.key("curl")
PARAMETERS = "0x01000000040000000a00ff040000000100000002000010000000010000000400000004000004000000"
CEREMONY = "0xbfe6bde32861347be66bd8af2f1be07c541971b46eb485cfa403eb1a2e846695"


def scene(name: bytes = b"packages") -> tuple[Proof, bytes]:
    """The example as if it were of a dictionary with this name: the openings say nothing of it."""
    known = Commitments.from_json(example("commitments"))
    identity = Identity(name, bytes(32), from_hex(PARAMETERS), from_hex(CEREMONY), bytes(32), b"")
    commitments = [from_hex(text) for text in known.commitments]
    first, second, third = (sha256(b"\0" + commitment).digest() for commitment in commitments)
    tree = sha256(b"\1" + sha256(b"\1" + first + second).digest() + third).digest()
    tied = (TiedVector(1, commitments[1], (first, third)),)
    tie = Tie(known.slots, 4, tree, first, second, third, tied, identity)
    dictionary = id_of_identity(identity)
    proof = replace(Proof.from_json(example("proof")), dictionary=dictionary, tie=tie)
    return proof, state_root(dictionary, proof.version, tie)


@dataclass(frozen=True)
class Signer:
    name: str
    number: int

    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(bytes([self.number]) * 32)

    def _typed(self) -> bytes:
        return b"\1" + self._private().public_key().public_bytes_raw()

    def _hash(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + self._typed()).digest()[:4]

    def key(self) -> str:
        return f"{self.name}+{self._hash().hex()}+{b64encode(self._typed()).decode()}"

    def line(self, text: str) -> str:
        signature = self._hash() + self._private().sign(text.encode())
        return f"\u2014 {self.name} {b64encode(signature).decode()}\n"


OWNER, WITNESS, STRANGER = Signer("packages", 1), Signer("witness.example", 2), Signer("stranger", 3)


def text_of(root: bytes, origin: str = "packages", version: str = "7") -> str:
    return f"{origin}\n{version}\n{b64encode(root).decode()}\n"


def note_of(text: str, *signers: Signer) -> str:
    return text + "\n" + "".join(signer.line(text) for signer in signers)


class Roots(unittest.TestCase):
    def test_the_id_of_an_identity_is_that_of_its_dictionary(self) -> None:
        tests = vectors("dictionaries")["tests"]
        self.assertGreaterEqual(len(tests), 20)
        for test in tests:
            name, salt, binding = (from_hex(test["identity"][part]) for part in ("name", "salt", "binding"))
            fields = ("parameters_bytes", "setup_digest", "content_digest")
            parameters, setup, content = (from_hex(test[field]) for field in fields)
            identity = Identity(name, salt, parameters, setup, content, binding)
            self.assertEqual(to_hex(id_of_identity(identity)), test["dictionary_id"], test["comment"])

    def test_a_root_alone_is_enough_with_an_identity(self) -> None:
        proof, root = scene()
        self.assertEqual(verify(Root(root), QUESTION, proof).keys[0].value, b"curl 1.0")
        known = Root(to_hex(root), proof.dictionary, 4)
        self.assertEqual(verify(Root(to_hex(root)), QUESTION, proof), verify(known, QUESTION, proof))

    def test_what_a_proof_says_of_its_identity_must_be_the_roots(self) -> None:
        proof, root = scene()
        tie = proof.tie
        assert tie is not None and tie.identity is not None
        identity = tie.identity

        def outcome(changed: Proof) -> str:
            refused = verdict(Root(root), QUESTION, changed)["refused"]
            return f"{refused['class']} {refused['reason']}"

        def changed(identity: Identity) -> Proof:
            return replace(proof, tie=replace(tie, identity=identity))

        parameters = identity.parameters
        odd = replace(identity, parameters=parameters[:4] + b"\3" + parameters[5:])
        halved = replace(identity, parameters=parameters[:4] + b"\2" + parameters[5:])
        self.assertEqual(outcome(replace(proof, tie=None)), "malformed TieMismatched")
        self.assertEqual(outcome(replace(proof, tie=replace(tie, identity=None))), "malformed TieMismatched")
        self.assertEqual(outcome(changed(replace(identity, name=b""))), "malformed PartsMalformed")
        self.assertEqual(outcome(changed(replace(identity, name=bytes(256)))), "malformed PartsMalformed")
        self.assertEqual(outcome(changed(odd)), "malformed PartsMalformed")
        scheme = replace(identity, parameters=b"\2" + parameters[1:])
        self.assertEqual(outcome(changed(scheme)), "other OtherScheme")
        setup = replace(identity, setup_digest=bytes(32))
        self.assertEqual(outcome(changed(setup)), "other OtherScheme")
        self.assertEqual(outcome(changed(replace(identity, name=b"others"))), "other OtherDictionary")
        self.assertEqual(outcome(scene(b"others")[0]), "false RootFalse")
        other = replace(changed(halved), dictionary=id_of_identity(halved))
        self.assertEqual(outcome(other), "other OtherVectorSize")
        self.assertEqual(outcome(replace(other, vector_size=2)), "malformed TiedVectorsMismatched")

    def test_roots_that_are_none_are_refused(self) -> None:
        with self.assertRaises(Unreadable):
            Root("0x00")
        for arguments in ((bytes(31),), (bytes(32), bytes(32)), (bytes(32), bytes(32), 3)):
            with self.assertRaises(ValueError):
                Root(*arguments)


class Notes(unittest.TestCase):
    def setUp(self) -> None:
        self.proof, self.root = scene()
        self.text = text_of(self.root)

    def test_a_note_stands_for_the_root_that_its_publisher_signed(self) -> None:
        note = Note.open(note_of(self.text, WITNESS, OWNER), [OWNER.key()])
        self.assertEqual((note.origin, note.version, note.root), ("packages", 7, self.root))
        signatures = (Signature("witness.example", False), Signature("packages", True))
        self.assertEqual(note.signatures, signatures)
        self.assertEqual(verify(note, QUESTION, self.proof).keys[0].value, b"curl 1.0")
        both = [OWNER.key(), WITNESS.key() + "\n"]
        self.assertEqual(Note.open(note_of(self.text, WITNESS, OWNER).encode(), both).version, 7)
        for text, reason in (
            (text_of(self.root, origin="others"), "OtherDictionary"),
            (text_of(self.root, version="8"), "OtherVersion"),
            (text_of(bytes(32)), "RootFalse"),
        ):
            other = Note.open(note_of(text, OWNER), [OWNER.key()])
            self.assertEqual(verdict(other, QUESTION, self.proof)["refused"]["reason"], reason)

    def test_a_note_that_is_not_signed_by_all_keys_is_refused(self) -> None:
        replaced = note_of(self.text, OWNER).replace("packages\n7", "packages\n8")
        for note, keys, class_ in (
            (note_of(self.text, STRANGER), [OWNER.key()], Class.OTHER),
            (note_of(self.text, OWNER), [OWNER.key(), WITNESS.key()], Class.OTHER),
            (replaced, [OWNER.key()], Class.FALSE),
        ):
            with self.assertRaises(Unsigned) as raised:
                Note.open(note, keys)
            self.assertIs(raised.exception.class_, class_)

    def test_a_note_that_the_go_package_has_signed_is_opened(self) -> None:
        made = json.loads(file("impl/bindings/signed_note.json"))
        note = Note.open(made["note"], made["keys"])
        known = [signature.known for signature in note.signatures]
        self.assertEqual((note.origin, note.version, known), ("packages", 7, [True, True]))
        for key in made["keys"]:
            with self.assertRaises(Unsigned) as raised:
                Note.open(made["note"].replace("\n7\n", "\n6\n"), [key])
            self.assertIs(raised.exception.class_, Class.FALSE)

    def test_notes_and_keys_that_are_none_are_refused(self) -> None:
        note = note_of(self.text, OWNER)
        for bad in (
            "",
            "\n\n",
            note[:-1],
            note.replace("\n\n", "\n"),
            note.replace("\u2014", "-"),
            note.replace("packages\n", "\n", 1),
            note.replace("\n7\n", "\n07\n"),
            note.replace("\n7\n", "\n+7\n"),
            note.replace("\n7\n", "\n\u0667\n"),
            note.replace("\n7\n", "\n18446744073709551616\n"),
            note.replace("\n7\n", "\n7\r\n"),
            "more\n" + note,
            note.replace("\n\n", "\nmore\n\n"),
            note.replace("packages\n7", "packages\u0085\n7"),
            note_of(text_of(self.root[1:]), OWNER),
            note + OWNER.line("x") * 100,
            note + "x" * 2**16,
            "\ud800" + note,
        ):
            with self.assertRaises(Unreadable, msg=repr(bad)):
                Note.open(bad, [OWNER.key()])
        with self.assertRaises(Unreadable):
            Note.open(b"\xff", [OWNER.key()])
        name, hash_, key = OWNER.key().split("+", 2)
        for bad in ("", "x", f"{name}+{hash_}", f"other+{hash_}+{key}", f"{name}+00000000+{key}", f" +{hash_}+{key}"):
            with self.assertRaises(Unreadable, msg=bad):
                Note.open(note, [bad])
        with self.assertRaises(ValueError):
            Note.open(note, [])


if __name__ == "__main__":
    unittest.main()
