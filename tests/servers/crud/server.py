"""Start the server from any working directory: `python tests/servers/crud/server.py`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from crud_server.__main__ import main  # noqa: E402  # the path must be set first

if __name__ == "__main__":
    main()
