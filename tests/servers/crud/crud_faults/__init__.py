"""Seeded bugs and benign decoys for testing testers. The clean server never imports this package.

`TOOLTEST_BUG=<id>` installs one bug of `bugs.json`, `TOOLTEST_DECOY=<id>` one decoy of `decoys.json`. Each id is the
name of a function in `crud_faults.bugs` or `crud_faults.decoys` that changes the server from outside, through the
seams of `crud_faults.mutant`.
"""

from __future__ import annotations

from collections.abc import Mapping

from crud_server.app import Crud


def install(crud: Crud, environment: Mapping[str, str]) -> None:
    """Switch on the bug and the decoy that the environment names.

    Raises:
        SystemExit: There is no bug or decoy with that id.
    """
    from crud_faults import decoys
    from crud_faults.bugs import answers, era, inputs, lifecycle, races, state, web, wire
    from crud_faults.mutant import Mutant

    bugs = (answers, era, inputs, lifecycle, races, state, web, wire)
    for switch, modules in (("TOOLTEST_BUG", bugs), ("TOOLTEST_DECOY", (decoys,))):
        wanted = environment.get(switch)
        if wanted:
            installers = {name: made for module in modules for name, made in module.SEEDED.items()}
            if wanted not in installers:
                raise SystemExit(f"{switch}={wanted}: unknown; one of {', '.join(sorted(installers))}")
            installers[wanted](Mutant(wanted, crud, environment.get("TOOLTEST_TRIGGER_FILE")))
