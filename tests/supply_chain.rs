//! What gets into the library comes from where, and is under the licences, that `deny.toml` allows. Asks Cargo alone, so
//! that it needs no other tool; `cargo deny check licenses bans sources` checks the same and more.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// How a crate gets into the library.
#[derive(Clone, Copy)]
enum Use {
    /// As code.
    Linked,
    /// As code, or by running while the library is built: a macro, a build script.
    Built,
}

/// The crates that the library uses on any platform, dev-dependencies and the crate itself left out. Cargo fetches those of
/// other platforms first where they have never been asked for.
fn crates(kind: Use) -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1", "--all-features", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .expect("Cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), node)).collect();
    let packages: BTreeMap<&str, &Value> =
        list(&metadata["packages"]).map(|package| (text(&package["id"]), package)).collect();
    let root = text(&metadata["resolve"]["root"]);
    let (mut found, mut open) = (vec![], vec![root]);
    while let Some(id) = open.pop() {
        for dependency in list(&nodes[id]["deps"]) {
            let id = text(&dependency["pkg"]);
            let used = match kind {
                Use::Linked => has_kind(dependency, |kind| kind.is_null()) && !is_macro(packages[id]),
                Use::Built => has_kind(dependency, |kind| kind != "dev"),
            };
            if used && !found.contains(&id) {
                found.push(id);
                open.push(id);
            }
        }
    }
    found.into_iter().map(|id| packages[id].clone()).collect()
}

fn has_kind(dependency: &Value, kind: impl Fn(&Value) -> bool) -> bool {
    list(&dependency["dep_kinds"]).any(|entry| kind(&entry["kind"]))
}

fn is_macro(package: &Value) -> bool {
    list(&package["targets"]).any(|target| list(&target["kind"]).any(|kind| kind == "proc-macro"))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list").iter()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// The strings of a list of `deny.toml` that stands on one line.
fn allowed(key: &str) -> Vec<&'static str> {
    let line = include_str!("../deny.toml").lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
    line.expect(key).split('"').skip(1).step_by(2).collect()
}

/// Whether an SPDX expression, in which `AND` joins alternatives, can be met with the allowed licences.
fn is_met(expression: &str, allowed: &[&str]) -> bool {
    let alternatives = |part: &str| {
        part.replace(['(', ')'], "")
            .replace('/', " OR ")
            .split(" OR ")
            .any(|name| allowed.contains(&name.trim()))
    };
    expression.split(" AND ").all(alternatives)
}

#[test]
fn every_crate_is_under_an_allowed_licence() {
    let allowed = allowed("allow");
    for package in crates(Use::Built) {
        let license = package["license"].as_str().unwrap_or("none");
        assert!(is_met(license, &allowed), "{} is under {license}", package["name"]);
    }
}

#[test]
fn a_licence_outside_the_list_is_noticed() {
    let allowed = ["MIT", "Unicode-3.0"];
    for met in ["MIT", "Apache-2.0/MIT", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert!(is_met(met, &allowed), "{met}");
    }
    for unmet in ["none", "GPL-3.0", "Apache-2.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND OpenSSL"] {
        assert!(!is_met(unmet, &allowed), "{unmet}");
    }
}

#[test]
fn no_linked_crate_is_there_in_two_versions() {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in crates(Use::Linked) {
        versions.entry(text(&package["name"]).into()).or_default().push(package["version"].to_string());
    }
    assert!(
        versions.contains_key("jni") && !versions.contains_key("proptest") && !versions.contains_key("syn"),
        "{versions:?}"
    );
    versions.retain(|_, versions| versions.len() > 1);
    assert!(versions.is_empty(), "{versions:?}");
}

#[test]
fn every_crate_comes_from_crates_io() {
    let allowed: Vec<_> = allowed("allow-registry").iter().map(|url| format!("registry+{url}")).collect();
    for package in crates(Use::Built) {
        let source = package["source"].as_str().unwrap_or("a path").to_owned();
        assert!(allowed.contains(&source), "{} comes from {source}", package["name"]);
    }
}
