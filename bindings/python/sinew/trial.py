"""Captures: named points over time, as NumPy arrays with NaN for gaps."""
from __future__ import annotations

import os
from typing import Any, Iterable, Iterator, Mapping

import numpy as np

from . import _library
from ._library import NULL, Note, SinewError, call, encoded, enumerated, ffi, lib, text, view

_STATES = ("missing", "measured", "filled", "predicted")
_UP = ("", "x", "y", "z", "-x", "-y", "-z")


def read(path: str | os.PathLike[str], *, lenient: bool = False, **given: Any) -> Trial:
    """Reads a capture: C3D, TRC, CSV. What had to be repaired stands in `trial.notes`.

    >>> import sinew
    >>> walk = sinew.read("walk.c3d")
    >>> walk
    <Trial: 41 markers, 120 frames at 120 Hz, 0.0 % missing>
    """
    keep: list[Any] = []
    notes: list[Note] = []
    how = _library.options("snw_read_options", {"is_lenient": lenient, **given}, keep)
    return Trial(call("snw_read_trial_file", encoded(path), how, notes=notes), notes)


class Event:
    """Something that happens at an instant: `time` in seconds on the file's clock, `label`, `context`, `subject`."""

    __slots__ = ("time", "label", "context", "subject")

    def __init__(self, time: float, label: str, context: str = "", subject: str = "") -> None:
        self.time, self.label, self.context, self.subject = time, label, context, subject

    def __repr__(self) -> str:
        return f"Event({self.time:.3f}, {self.label!r}, {self.context!r})"


class Trial:
    """A capture.

    `points` is the memory of the capture itself, (frames, markers, 3) in `unit`, NaN where nothing was seen: what is
    written into it, is in the capture. `positions` is a copy in metres. One marker is `trial["LKNE"]`. A capture belongs to
    one thread while it is changed; any number may read it.

    >>> import sinew, numpy as np
    >>> walk = sinew.read("walk.c3d")
    >>> walk.points.shape, walk.points.dtype
    ((120, 41, 3), dtype('float32'))
    >>> walk["LKNE"].shape
    (120, 3)
    >>> walk["LKNE"][10:20] = np.nan             # a gap
    >>> int(walk.missing.sum())
    10
    """

    def __init__(self, pointer: Any, notes: list[Note] | None = None, owner: Any = None) -> None:
        self._cdata = pointer
        self._owner = owner or pointer
        self.notes: list[Note] = notes or []
        lib.sinew_gaps_to_nan(pointer)

    @classmethod
    def from_positions(cls, positions: Any, markers: Iterable[str], rate: float, *, up: str = "") -> Trial:
        """A capture from places in metres, (frames, markers, 3), NaN for gaps.

        >>> import sinew, numpy as np
        >>> trial = sinew.Trial.from_positions(np.zeros((5, 2, 3)), ["A", "B"], rate=100, up="z")
        >>> trial.markers, trial.rate
        (['A', 'B'], 100.0)
        """
        places = np.asarray(positions, dtype=float)
        names = list(markers)
        if places.ndim != 3 or places.shape[1:] != (len(names), 3):
            raise SinewError(f"places of shape {places.shape} are not (frames, {len(names)}, 3)")
        keep: list[Any] = []
        sizes = {"frame_count": places.shape[0], "marker_count": len(names), "rate": float(rate)}
        trial = cls(call("snw_trial_create", _library.options("snw_trial_options", sizes, keep)))
        trial.rename(dict(zip(trial.markers, names)))
        trial.points[...] = places / trial.metres_per_unit
        trial._pointer.up = _UP.index(up)
        return trial

    @property
    def _pointer(self) -> Any:
        """The C trial, its states as the array says them."""
        lib.sinew_gaps_from_nan(self._cdata)
        return self._cdata

    # ---- sizes and names ----

    @property
    def markers(self) -> list[str]:
        """The names of all points, in their order."""
        return [text(m.name) for m in self._cdata.marker[0 : self._cdata.marker_count]]

    @property
    def kinds(self) -> list[str]:
        """What each point is: "marker", "joint centre", "angle", "force", ..."""
        return [text(lib.snw_point_kind_name(m.kind)) for m in self._cdata.marker[0 : self._cdata.marker_count]]

    @property
    def rate(self) -> float:
        """Frames per second."""
        return float(self._cdata.rate)

    @property
    def first_frame(self) -> int:
        """The file's number of the first frame, usually 1."""
        return int(self._cdata.first_frame)

    @property
    def unit(self) -> str:
        """Of `points`: "mm"."""
        return text(self._cdata.unit)

    @property
    def metres_per_unit(self) -> float:
        """0.001 for millimetres."""
        return float(self._cdata.metres_per_unit)

    @property
    def up(self) -> str:
        """Which way is up in the lab: "x", "y", "z", "-x", "-y", "-z"; "" where nobody knows."""
        return _UP[self._cdata.up]

    @up.setter
    def up(self, axis: str) -> None:
        if axis not in _UP:
            raise SinewError(f"there is no axis {axis!r}; there are x, y, z, -x, -y, -z")
        self._cdata.up = _UP.index(axis)

    def __len__(self) -> int:
        return int(self._cdata.frame_count)

    def rename(self, names: Mapping[str, str]) -> None:
        """Gives markers other names."""
        for n, old in enumerate(self.markers):
            if old in names:
                call("snw_trial_set_marker_name", self._cdata, n, encoded(names[old]))

    # ---- samples ----

    @property
    def points(self) -> np.ndarray:
        """(frames, markers, 3) float32 in `unit`, NaN for gaps: the capture's own memory, writable, not copied."""
        frames, markers = len(self), int(self._cdata.marker_count)
        return view(self._owner, self._cdata.sample, (frames, markers, 3), "f4", (markers * 16, 16, 4), True)

    @property
    def positions(self) -> np.ndarray:
        """(frames, markers, 3) in metres, NaN for gaps; a copy. Points of other `kinds` (angles, forces) are no places."""
        return self.points * np.float64(self.metres_per_unit)

    @property
    def missing(self) -> np.ndarray:
        """(frames, markers) where nothing is known."""
        return np.asarray(np.isnan(self.points[..., 0]))

    @property
    def state(self) -> np.ndarray:
        """(frames, markers) 0 missing, 1 measured, 2 filled, 3 predicted; not copied, not writable."""
        pointer = self._pointer
        return view(self._owner, pointer.state, (len(self), int(pointer.marker_count)), "u1")

    @property
    def uncertainty(self) -> np.ndarray | None:
        """(frames, markers) in metres, one standard deviation; None while nothing is estimated. Not copied."""
        if self._cdata.uncertainty == NULL:
            return None
        return view(self._owner, self._cdata.uncertainty, (len(self), int(self._cdata.marker_count)), "f4")

    @property
    def time(self) -> np.ndarray:
        """(frames) seconds on the file's clock."""
        return np.array([lib.snw_trial_time(self._cdata, f) for f in range(len(self))])

    def index(self, marker: str) -> int:
        """The number of the marker of that name."""
        found = lib.snw_trial_find_marker(self._cdata, encoded(marker))
        if found < 0:
            raise SinewError(f"there is no marker {marker}", "NOT_FOUND", name=marker)
        return int(found)

    def __getitem__(self, marker: str) -> np.ndarray:
        """(frames, 3) of one marker, as in `points`."""
        return self.points[:, self.index(marker)]

    def __setitem__(self, marker: str, values: Any) -> None:
        self.points[:, self.index(marker)] = values

    def __contains__(self, marker: str) -> bool:
        return bool(lib.snw_trial_find_marker(self._cdata, encoded(marker)) >= 0)

    def __iter__(self) -> Iterator[str]:
        return iter(self.markers)

    # ---- what else a file holds ----

    @property
    def events(self) -> list[Event]:
        """What the file marks in time."""
        return [Event(e.time, text(e.label), text(e.context), text(e.subject)) for e in self._cdata.event[0 : self._cdata.event_count]]

    @property
    def analog_names(self) -> list[str]:
        """The names of the analog channels."""
        return [text(c.name) for c in self._cdata.analog_channel[0 : self._cdata.analog_count]]

    @property
    def analog_rate(self) -> float:
        """Samples per second of the analog channels."""
        return float(self.rate * self._cdata.analog_per_frame)

    @property
    def analog(self) -> np.ndarray:
        """(samples, channels) in each channel's unit; a copy."""
        t = self._cdata
        raw = view(self._owner, t.analog, (len(self) * t.analog_per_frame, t.analog_count), "f4").astype(float)
        channels = t.analog_channel[0 : t.analog_count]
        offset = np.array([c.offset for c in channels])
        scale = np.array([c.scale for c in channels])
        return np.asarray((raw - offset) * scale * t.analog_general_scale)

    def parameter(self, group: str, name: str) -> Any:
        """A parameter of the file (C3D): a list of texts, or an array; None where there is none."""
        found = lib.snw_trial_find_parameter(self._cdata, encoded(group), encoded(name))
        if found == NULL:
            return None
        raw = bytes(ffi.buffer(found.data, found.byte_count)) if found.byte_count else b""
        shape = [int(d) for d in found.dimension[0 : found.dimension_count]]
        if found.type == lib.SNW_PARAMETER_CHAR:
            width = shape[0] if shape else 1
            return [raw[n : n + width].decode("utf-8", "surrogateescape").rstrip() for n in range(0, len(raw), max(width, 1))]
        kind = {1: "i1", 2: "i2", 4: "f4"}[int(found.type)]
        return np.frombuffer(raw, kind).reshape(shape[::-1] or ())

    # ---- other trials ----

    def copy(self) -> Trial:
        """A capture of its own."""
        return Trial(call("snw_trial_copy", self._pointer), list(self.notes))

    def pick(self, markers: Iterable[str]) -> Trial:
        """Only these markers, in this order."""
        keep: list[Any] = []
        numbers = [self.index(m) for m in markers]
        return Trial(call("snw_trial_pick", self._pointer, _library.array_in(numbers, "i4", keep), len(numbers)))

    def window(self, start: int, stop: int) -> Trial:
        """Frames start to stop - 1, as a capture of its own."""
        part = ffi.new("snw_trial *", lib.snw_trial_window(self._pointer, start, stop - start))
        return Trial(call("snw_trial_copy", part))

    def resample(self, rate: float) -> Trial:
        """The same capture at another frame rate."""
        return Trial(call("snw_trial_resample", self._pointer, float(rate)))

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False, **given: Any) -> None:
        """Writes C3D, TRC or CSV, by the ending; an existing file is an error unless `overwrite`."""
        keep: list[Any] = []
        how = _library.options("snw_write_options", given, keep)
        call("snw_write_trial_file", encoded(path), overwrite, self._zeros(), how)

    def _zeros(self) -> Any:
        """A copy as files have it: 0 0 0 where nothing was seen, not NaN. Other threads may read the capture meanwhile."""
        copied = call("snw_trial_copy", self._pointer)
        lib.sinew_gaps_to_zero(copied)
        return copied

    # ---- tables and pictures ----

    def to_dataframe(self) -> Any:
        """pandas: a row for each frame, columns (marker, axis) in metres, the time as index."""
        import pandas

        columns = pandas.MultiIndex.from_product([self.markers, list("xyz")], names=["marker", "axis"])
        table = self.positions.reshape(len(self), -1)
        return pandas.DataFrame(table, columns=columns, index=pandas.Index(self.time, name="time"))

    def to_xarray(self) -> Any:
        """xarray: dimensions time, marker and axis, in metres."""
        import xarray

        where = {"time": self.time, "marker": self.markers, "axis": list("xyz")}
        attributes = {"units": "m", "rate": self.rate, "up": self.up}
        return xarray.DataArray(self.positions, dims=["time", "marker", "axis"], coords=where, attrs=attributes, name="positions")

    def __repr__(self) -> str:
        share = 100 * float(self.missing.mean()) if self.points.size else 0.0
        return f"<Trial: {self._cdata.marker_count} markers, {len(self)} frames at {self.rate:g} Hz, {share:.1f} % missing>"

    def _repr_html_(self) -> str:
        from .picture import trial_html

        return trial_html(self)

    # ---- other processes ----

    def __getstate__(self) -> dict[str, Any]:
        """The file it would be, and what a file does not keep: samples to the bit, states, uncertainties."""
        pointer = self._pointer
        fields = {f: getattr(pointer, f) for f in _KEPT_FIELDS}
        count = len(self) * int(pointer.marker_count)
        samples = bytes(ffi.buffer(pointer.sample, count * 16)) if count else b""
        uncertainty = None if self.uncertainty is None else self.uncertainty.tobytes()
        unit = bytes(ffi.buffer(pointer.unit))
        file = _to_memory("snw_write_trial", self._zeros(), lib.SNW_FORMAT_C3D, NULL)
        return {"file": file, "fields": fields, "unit": unit, "samples": samples, "state": self.state.tobytes(),
                "uncertainty": uncertainty, "notes": [(n.code, n.text, n.frame, n.name) for n in self.notes]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        pointer = _from_memory("snw_read_trial", state["file"])
        for field, value in state["fields"].items():
            setattr(pointer, field, value)
        ffi.memmove(pointer.unit, state["unit"], len(state["unit"]))
        if state["samples"]:
            ffi.memmove(pointer.sample, state["samples"], len(state["samples"]))
            ffi.memmove(pointer.state, state["state"], len(state["state"]))
        if state["uncertainty"] is not None:
            call("snw_trial_need_uncertainty", pointer)
            ffi.memmove(pointer.uncertainty, state["uncertainty"], len(state["uncertainty"]))
        self.__init__(pointer, [Note(*n) for n in state["notes"]])  # type: ignore[misc]


_KEPT_FIELDS = ("first_frame", "cut_frame_count", "rate", "clock_start", "metres_per_unit", "residual_scale", "up", "is_up_assumed")


def _to_memory(function: str, *arguments: Any) -> bytes:
    """What a writer writes."""
    state = ffi.new("snw_memory_sink *")
    sink = ffi.new("snw_sink *", lib.snw_sink_to_memory(state, NULL))
    try:
        call(function, *arguments, sink)
        return bytes(ffi.buffer(state.bytes, state.size))
    finally:
        lib.snw_memory_sink_release(state)


def _from_memory(function: str, content: bytes) -> Any:
    """What a reader makes of bytes."""
    state = ffi.new("snw_memory_source *")
    held = ffi.from_buffer(content)
    source = ffi.new("snw_source *", lib.snw_source_from_memory(state, held, len(content)))
    return call(function, source, NULL)


def state_number(name: str) -> int:
    """The number of a state in `trial.state`."""
    return enumerated(ffi.typeof("snw_sample_state"), name)
