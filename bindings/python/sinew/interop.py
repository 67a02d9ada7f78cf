"""Captures in the array layouts of ezc3d and of Kinetics Toolkit, both ways, without either being installed."""
from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from ._library import SinewError
from .trial import Trial


def from_ezc3d(c3d: Mapping[str, Any], *, up: str = "") -> Trial:
    """From ezc3d.c3d(path) or its dictionaries: data.points (4, points, frames) in POINT.UNITS, NaN for gaps."""
    points = np.asarray(c3d["data"]["points"], dtype=float)
    point = c3d["parameters"]["POINT"]
    if points.ndim != 3 or points.shape[0] not in (3, 4):
        raise SinewError(f"data.points of shape {points.shape} are not (4, points, frames)")
    units = point.get("UNITS", {}).get("value") or ["mm"]
    metres = {"m": 1.0, "cm": 0.01, "mm": 0.001}.get(str(units[0]).strip().lower())
    if metres is None:
        raise SinewError(f"POINT.UNITS {units[0]!r} is no unit that is known here: m, cm, mm")
    rate = float(np.ravel(point["RATE"]["value"])[0])
    return Trial.from_positions(points[:3].transpose(2, 1, 0) * metres, point["LABELS"]["value"], rate, up=up)


def to_ezc3d(trial: Trial) -> dict[str, Any]:
    """Dictionaries as ezc3d has them: data.points (4, points, frames) in the trial's unit, and what goes with it."""
    points = np.ones((4, len(trial.markers), len(trial)))
    points[:3] = trial.points.transpose(2, 1, 0)
    value = {"LABELS": trial.markers, "RATE": [trial.rate], "UNITS": [trial.unit], "FRAMES": [len(trial)], "USED": [len(trial.markers)]}
    return {"data": {"points": points, "analogs": trial.analog.T[None]},
            "parameters": {"POINT": {k: {"value": v} for k, v in value.items()},
                           "ANALOG": {"LABELS": {"value": trial.analog_names}, "RATE": {"value": [trial.analog_rate]}}}}


def from_kineticstoolkit(series: Any, *, up: str = "") -> Trial:
    """From a kineticstoolkit TimeSeries (or anything with `time` and `data`): points (frames, 4) in metres, NaN for gaps."""
    time = np.asarray(series.time, dtype=float)
    points = {name: np.asarray(v, dtype=float) for name, v in series.data.items() if np.ndim(v) == 2 and np.shape(v)[1] in (3, 4)}
    if not points or len(time) < 2:
        raise SinewError("the series has no points of shape (frames, 4) over time")
    places = np.stack([v[:, :3] for v in points.values()], axis=1)
    return Trial.from_positions(places, list(points), (len(time) - 1) / (time[-1] - time[0]), up=up)


def to_kineticstoolkit(trial: Trial) -> Any:
    """A kineticstoolkit TimeSeries where that is installed, else a dictionary of the same `time` and `data`."""
    places = trial.positions
    ones = np.ones((len(trial), 1))
    data = {name: np.hstack([places[:, n], ones]) for n, name in enumerate(trial.markers)}
    try:
        import kineticstoolkit
    except ImportError:
        return {"time": trial.time, "data": data}
    return kineticstoolkit.TimeSeries(time=trial.time, data=data)


__all__ = ["from_ezc3d", "from_kineticstoolkit", "to_ezc3d", "to_kineticstoolkit"]
