"""The seeded bugs, grouped by where they sit. `bugs.json` describes each one."""
