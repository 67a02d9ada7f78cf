"""Frame by frame: markers in, poses out, as an iterator; and the two small systems, hand and avatar."""
from __future__ import annotations

from typing import Any, Iterable, Iterator

import numpy as np

from . import _library
from ._library import NULL, Note, SinewError, call, enumerated, ffi, lib
from .body import Actor, Motion, Pose, Skeleton
from .trial import Trial, _UP


class Tracked:
    """One frame: the `pose` (overwritten by the next frame; copy what must last) and how it went."""

    __slots__ = ("pose", "residual", "markers", "outliers", "is_lost")

    def __init__(self, pose: Pose, track: Any) -> None:
        self.pose = pose
        self.residual: float = track.residual
        self.markers: int = track.marker_count
        self.outliers: int = track.outlier_count
        self.is_lost: bool = bool(track.is_lost)

    def __repr__(self) -> str:
        return f"<Tracked: {self.markers} markers, {1000 * self.residual:.2f} mm{', lost' if self.is_lost else ''}>"


class _Frames:
    """What steps: a frame of places in metres becomes a pose. Takes all memory at the start."""

    def __init__(self, actor: Actor, markers: list[str]) -> None:
        self.actor = actor
        self.pose = Pose(actor.skeleton)
        self.markers = markers
        count = max(len(markers), 1)
        self._samples = np.zeros((count, 4), "f4")
        self._states = np.zeros(count, "u1")
        self._keep: list[Any] = []
        self._names = ffi.new("snw_name_list *", {"name": _library.strings(markers, self._keep), "count": len(markers)})
        self._frame = ffi.new("snw_frame *", {
            "marker_count": len(markers), "metres_per_unit": 1.0, "residual_scale": 1.0,
            "sample": ffi.cast("snw_sample *", self._samples.ctypes.data), "state": ffi.cast("uint8_t *", self._states.ctypes.data)})

    def _step(self) -> Any:
        raise NotImplementedError

    def step(self, places: Any, time: float = 0.0) -> Tracked:
        """One frame: (markers, 3) in metres, NaN for what is not seen."""
        places = np.asarray(places, dtype=float)
        if places.shape != (len(self.markers), 3):
            raise SinewError(f"a frame of shape {places.shape} is not ({len(self.markers)}, 3)")
        seen = np.isfinite(places).all(axis=1)
        self._samples[: len(places), :3] = np.where(seen[:, None], places, 0)
        self._samples[: len(places), 3] = np.where(seen, 0, -1)
        self._states[: len(places)] = seen
        self._frame.time = time
        return Tracked(self.pose, self._step())

    def run(self, frames: Iterable[Any]) -> Iterator[Tracked]:
        """Every frame of an array, a list, a generator, a stream."""
        for places in frames:
            yield self.step(places)


class Tracker(_Frames):
    """The tracker alone: one frame of named markers in, one pose of the actor out.

    >>> import sinew
    >>> walk = sinew.read("walk.c3d")
    >>> actor = sinew.solve(walk).body.kept
    >>> tracker = sinew.Tracker(actor, walk.markers)
    >>> sum(frame.is_lost for frame in tracker.run(walk.positions))
    0
    """

    def __init__(self, actor: Actor, markers: Iterable[str], **given: Any) -> None:
        super().__init__(actor, list(markers))
        how = _library.options("snw_tracker_options", given, self._keep)
        self._pointer = call("snw_tracker_create", actor._pointer, self._names, how)

    def _step(self) -> Any:
        return lib.snw_tracker_step(self._pointer, self._frame, self.pose._pointer)

    def reset(self) -> None:
        """Forgets the last pose."""
        lib.snw_tracker_reset(self._pointer)


class Live(_Frames):
    """A live body: as the tracker, with hidden markers predicted first where `rate` and segments of a trial are given."""

    def __init__(self, actor: Actor, markers: Iterable[str], *, predict_from: Trial | None = None, **given: Any) -> None:
        super().__init__(actor, list(markers))
        if predict_from is not None:
            given.setdefault("rate", predict_from.rate)
        tracker = _library.options("snw_tracker_options", given, self._keep)
        how = _library.options("snw_live_body_options", {}, self._keep)
        how.tracker = tracker
        if predict_from is not None:
            segments = call("snw_segments_find", predict_from._pointer, NULL)
            self._keep.append(segments)
            how.segments = segments
        self._pointer = call("snw_live_body_create", actor._pointer, self._names, how)

    def _step(self) -> Any:
        return lib.snw_live_body_step(self._pointer, self._frame, self.pose._pointer)


def track(actor: Actor, trial: Trial, **given: Any) -> Iterator[Tracked]:
    """Every frame of a trial as if it were live."""
    return Tracker(actor, trial.markers, rate=trial.rate, **given).run(trial.positions)


# ---- hand and avatar ---------------------------------------------------------------------------------------------------


def hand(trial: Trial, side: str = "right", *, unlabelled: bool = False, **given: Any) -> Motion:
    """25 joints of a hand from eight markers: wrist, two on the back, five fingertips.

    >>> import sinew
    >>> sinew.hand(sinew.read("hand.c3d"), "right")
    <Motion: 25 joints, 120 frames at 120 Hz>
    """
    keep: list[Any] = []
    notes: list[Note] = []
    if unlabelled:
        capture = call("snw_hand_capture_unlabelled", trial._pointer, notes=notes)
    else:
        capture = call("snw_hand_capture_from_trial", trial._pointer, enumerated(ffi.typeof("snw_side"), side), notes=notes)
    profile = ffi.new("snw_hand_profile *")
    call("snw_hand_calibrate", capture, profile, notes=notes)
    solver = call("snw_hand_create", profile, _library.options("snw_hand_options", given, keep))
    return _acted(call("snw_hand_solve", solver, capture), lib.snw_hand_skeleton(solver), solver, notes, trial.up)


def avatar(trial: Trial, *, profile_from: Trial | None = None, **given: Any) -> Motion:
    """A body from 6-DoF trackers (head, hands, perhaps more) that starts in a T-pose.

    >>> import sinew
    >>> len(sinew.avatar(sinew.read("trackers.c3d")))
    360
    """
    keep: list[Any] = []
    notes: list[Note] = []
    capture = call("snw_avatar_capture_from_trial", trial._pointer, notes=notes)
    rest = capture if profile_from is None else call("snw_avatar_capture_from_trial", profile_from._pointer, notes=notes)
    profile = ffi.new("snw_avatar_profile *")
    call("snw_avatar_calibrate", rest, ffi.new("snw_avatar_calibration *", lib.snw_avatar_calibration_default()), profile, notes=notes)
    up = capture.up
    how = _library.options("snw_avatar_options", {"up": {"x": up.x, "y": up.y, "z": up.z}, **given}, keep)
    solver = call("snw_avatar_create", profile, how)
    axis = _UP[lib.snw_up_nearest(up)]
    return _acted(call("snw_avatar_solve", solver, capture), lib.snw_avatar_skeleton(solver), solver, notes, axis)


def _acted(pointer: Any, skeleton: Any, owner: Any, notes: list[Note], up: str) -> Motion:
    """A motion whose body belongs to what solved it."""
    return Motion(pointer, Skeleton(skeleton, owner), (pointer, owner), notes, up)


__all__ = ["Live", "Tracked", "Tracker", "avatar", "hand", "track"]
