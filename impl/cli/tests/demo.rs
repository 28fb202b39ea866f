//! `aardvark demo`, on the sample that ships with it.

mod common;

use common::Sandbox;

#[test]
fn the_demo_on_the_sample_shows_every_scene_and_leaves_an_archive_that_audits() {
    let sandbox = Sandbox::new();
    let facts = sandbox.ok_json("demo --sample --dir archive");
    assert_eq!(facts["source"], "the sample that ships with the command");
    assert_eq!(facts["states"][1]["added"], 373);
    assert_eq!(facts["states"][1]["updated"], 2977);
    assert_eq!(facts["states"][1]["removed"], 256);
    assert_eq!(facts["commitment_bytes"], 4 * 48);
    assert_eq!(facts["stale"]["old_value"], "RequireFailed");
    assert_eq!(facts["stale"]["new_value"], "accepted");
    assert_eq!(facts["forgeries"].as_array().unwrap().len(), 6);
    assert_eq!(facts["block"]["version"], 3);
    assert!(facts["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{facts}");

    assert!(sandbox.ok("get archive nmap").contains("7.95+dfsg-3"));
    assert!(sandbox.ok("get archive nmap --version 1").contains("7.93+dfsg1-1"));
    assert!(sandbox.ok("audit archive").starts_with("audit                   all agrees"));
}

#[test]
fn the_demo_does_not_write_into_a_folder_that_is_in_use() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("mine")).unwrap();
    sandbox.write("mine/letter.txt", "dear reader");
    sandbox.refused("demo --sample --dir mine", 2, "not empty");
    assert_eq!(sandbox.read("mine/letter.txt"), "dear reader");
}
