"""Benchmarks: speed and memory, each beside peers measured in the same run.

A benchmark is a module or package of this package with `measure() -> Measurement` (`measurement.py`).
`python -m benchmarks [NAME …]` runs them and writes a JSON file and a page with plots to `results/`.
"""
