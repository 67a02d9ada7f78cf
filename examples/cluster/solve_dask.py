#!/usr/bin/env python3
"""A study with Dask and the Python package: a file is a task, results come back as rows of a table.

    python3 solve_dask.py STUDY OUT [SCHEDULER]      without a scheduler: two workers of this machine

A task may run twice or die with its worker: a result takes its place by a rename, and one that is there already is left.
"""
from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster, as_completed

import sinew

KINDS = {".c3d", ".trc", ".csv"}


def solve_file(path: str, out: str) -> dict[str, Any]:
    """One file: its motion beside the others, its row for the table. What cannot be solved says why."""
    target = Path(out)
    row: dict[str, Any] = {"file": path, "verdict": "", "message": "", "residual_mm": None}
    try:
        solution = sinew.solve(sinew.read(path))
        row.update(verdict=solution.verdict, residual_mm=1000 * solution.body.residual)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            solution.motion.rig().write(target)
    except sinew.SinewError as error:
        if error.code != "EXISTS":  # the same task elsewhere was quicker
            row["message"] = str(error)
    return row


def main() -> int:
    study, out = Path(sys.argv[1]), Path(sys.argv[2])
    address = sys.argv[3] if len(sys.argv) > 3 else None
    client = Client(address or LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))
    files = sorted(p for p in study.rglob("*") if p.suffix.lower() in KINDS)
    targets = [str((out / p.relative_to(study)).with_suffix(".bvh")) for p in files]
    tasks = client.map(solve_file, [str(p) for p in files], targets, retries=3, pure=False)
    rows = [task.result() for task in as_completed(tasks)]
    rows.sort(key=lambda row: row["file"])
    import pandas

    out.mkdir(parents=True, exist_ok=True)
    part = out / f".table-{os.getpid()}.csv"
    pandas.DataFrame(rows).to_csv(part, index=False)
    os.replace(part, out / "table.csv")
    failed = sum(bool(row["message"]) for row in rows)
    print(f"{len(rows)} files, {failed} failed; {out / 'table.csv'}")
    client.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
