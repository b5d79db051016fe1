"""`python -m benchmarks.search` prints the measurement as JSON; with a name, the run of that one engine."""

import json
import sys

from benchmarks.search.contest import measure, run_engine

print(json.dumps(run_engine(sys.argv[1]) if len(sys.argv) > 1 else measure(), indent=2))
