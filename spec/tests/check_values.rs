//! Published check values, and those of the design.

use aardvark_spec::base::bytes::*;
use aardvark_spec::base::hash::*;
use aardvark_spec::base::scalar::*;
use aardvark_spec::dictionary::slot::*;

fn text(s: &str) -> ByteString {
    ByteString::from_native_slice(s.as_bytes())
}

fn hex(bytes: &ByteString) -> String {
    bytes.native_slice().iter().map(|b| format!("{b:02x}")).collect()
}

#[test]
fn sha256_agrees_with_the_examples_of_fips_180_4() {
    let expected = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
    ];
    for (message, digest) in expected {
        assert_eq!(hex(&sha256(&text(message))), digest);
    }
    let million = text(&"a".repeat(1_000_000));
    let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    assert_eq!(hex(&sha256(&million)), digest);
}

#[test]
fn expand_message_xmd_agrees_with_rfc_9380_appendix_k_1() {
    let dst = text("QUUX-V01-CS02-with-expander-SHA256-128");
    let q128 = format!("q128_{}", "q".repeat(128));
    let expected = [
        ("", "68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235"),
        ("abc", "d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615"),
        (&q128, "b23a1d2b4d97b2ef7785562a7e8bac7eed54ed6e97e29aa51bfe3f12ddad1ff9"),
    ];
    for (message, uniform) in expected {
        assert_eq!(hex(&expand_message_xmd(&text(message), &dst, 32)), uniform);
    }
    let long = "abba86a6129e366fc877aab32fc4ffc70120d8996c88aee2fe4b32d6c7b6437a647e6c3163d40b76a73cf6a5674ef1d8\
                90f95b664ee0afa5359a5c4e07985635bbecbac65d747d3d2da7ec2b8221b17b0ca9dc8a1ac1c07ea6a1e60583e2cb00\
                058e77b7b72a298425cd1b941ad4ec65e8afc50303a22c0f99b0509b4c895f40";
    assert_eq!(hex(&expand_message_xmd(&text("abc"), &dst, 128)), long);
}

#[test]
fn the_two_slots_of_the_design_have_their_scalars() {
    let lone = hex(&scalar_of_slot(&lone_sentinel()).to_public_byte_seq_be());
    assert_eq!(lone, "46cb75731f8b415716e6ae07b13c41ce9dd3809fe36b115a00ed5ab9bfb0174b");
    let slot = Slot { key: text("a"), value: text("1"), next: text("b") };
    let scalar = hex(&scalar_of_slot(&slot).to_public_byte_seq_be());
    assert_eq!(scalar, "21b8bdee2ff453374ff58f1efaaa6d2fd0a1b69d642c8a2356c885b9404b1d98");
}

#[test]
fn the_root_of_unity_is_a_power_of_seven_and_primitive() {
    // (r-1)/4096, so that 7 to it is the root of order 4096.
    let exponent = Scalar::from_hex("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000");
    assert_eq!(root_of_unity_4096(), scalar_of_number(7).pow_felem(exponent));
    let mut n = 1;
    while n <= MAX_VECTOR_SIZE {
        let root = root_of_unity(n);
        assert_eq!(scalar_power(root, n), scalar_one());
        assert!(n == 1 || scalar_power(root, n / 2) == scalar_zero() - scalar_one());
        n *= 2;
    }
}

#[test]
fn numbers_are_written_highest_byte_first_and_read_back() {
    assert_eq!(hex(&u16_bytes(0x0102)), "0102");
    assert_eq!(hex(&u64_bytes(usize::MAX)), "ffffffffffffffff");
    for number in [0, 1, 255, 256, 0x0123_4567_89ab_cdef, u128::from(u64::MAX)] {
        assert_eq!(number_of_bytes(&big_endian(number, 8)), number);
    }
}

#[test]
fn byte_order_is_that_of_rust_slices() {
    let samples = ["", "a", "aa", "ab", "b", "ba", "\0", "\0\0", "a\0"];
    for a in samples {
        for b in samples {
            assert_eq!(bytes_less(&text(a), &text(b)), a < b, "{a:?} {b:?}");
            assert_eq!(bytes_equal(&text(a), &text(b)), a == b, "{a:?} {b:?}");
        }
    }
}

/// Whether `k` comes up when one walks up the cycle of keys from `start` (left out if `open`) to
/// `stop`.
fn in_cycle(start: &str, k: &str, stop: &str, open_start: bool) -> bool {
    let keys = ["", "a", "b", "c", "d"];
    let place = |key: &str| keys.iter().position(|other| *other == key).unwrap_or_default();
    let distance = |to: &str| (place(to) + keys.len() - place(start)) % keys.len();
    let whole = if distance(stop) == 0 { keys.len() } else { distance(stop) };
    let walked = if open_start && distance(k) == 0 { keys.len() } else { distance(k) };
    if open_start { walked <= whole } else { walked < whole }
}

#[test]
fn covers_and_precedes_are_the_two_half_open_intervals_of_the_cycle() {
    let keys = ["", "a", "b", "c", "d"];
    for key in keys {
        for next in keys {
            let slot = Slot { key: text(key), value: text(""), next: text(next) };
            for k in keys {
                assert_eq!(covers(&slot, &text(k)), in_cycle(key, k, next, false), "[{key:?}, {next:?}) and {k:?}");
                assert_eq!(precedes(&slot, &text(k)), in_cycle(key, k, next, true), "({key:?}, {next:?}] and {k:?}");
            }
        }
    }
}
