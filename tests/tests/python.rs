//! The Python package: its own tests and the example project, with the real interpreter.

use std::process::Command;
use tooltest_tests::languages::{python, root, run};

#[test]
fn the_python_package_newer_sdks_and_the_example_project_work() {
    if !python::is_there() {
        return;
    }
    let package = python::package();
    let interpreter = python::developed();
    run(Command::new(&interpreter).args(["-m", "pytest", "-q"]).current_dir(&package));
    run(Command::new(&interpreter).args(["-m", "mypy", "-p", "tooltest"]).current_dir(&package));
    run(Command::new(&interpreter)
        .args(["-m", "mypy.stubtest", "tooltest._native"])
        .current_dir(&package));
    // These use the extension module that was built above, so they are no tests of their own.
    let second = python::environment("requirements-sdk2.txt");
    run(Command::new(second)
        .args(["-m", "pytest", "-q", "tests/test_in_process.py"])
        .current_dir(&package)
        .env("PYTHONPATH", package.join("python")));
    run(&mut Command::new(root().join("tests/examples/python-pytest/check.sh")));
}
