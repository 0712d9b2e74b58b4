//! The npm package: its own tests and the example projects, with the real Node.

use std::process::Command;
use tooltest_tests::languages::{node, root, run};

#[test]
fn the_npm_package_and_the_example_projects_work() {
    if !node::is_there() {
        return;
    }
    node::prepare();
    let package = node::package();
    for part in ["test:types", "test:node", "test:jest", "test:vitest"] {
        run(Command::new("npm").args(["run", "--silent", part]).current_dir(&package));
    }
    // They pack the addon that was built above, so they are no tests of their own.
    for project in ["node-jest", "node-vitest"] {
        run(Command::new(root().join("tests/examples/check-node.sh")).arg(project));
    }
}
