"""The main job: a capture and nothing else in, moving bodies and what to believe of them out."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _library
from ._library import NULL, Note, Progress, SinewError, Watch, call, ffi, lib, name_of, notes_of, view
from .body import Actor, Motion
from .trial import Trial


class Judgement:
    """One thing to know before using a result: `verdict` ("amber"), `code` ("far-marker") and a sentence."""

    __slots__ = ("code", "verdict", "sentence", "frame", "number")

    def __init__(self, code: str, verdict: str, sentence: str, frame: int | None, number: float) -> None:
        self.code, self.verdict, self.sentence, self.frame, self.number = code, verdict, sentence, frame, number

    def __repr__(self) -> str:
        return f"<{self.verdict} {self.code}: {self.sentence}>"


def judgements_of(found: Any) -> list[Judgement]:
    """The library's judgements, gravest first."""
    if found == NULL:
        return []
    return [
        Judgement(name_of("snw_judgement", i.code), name_of("snw_verdict", i.verdict), _library.text(i.sentence),
                  i.frame if i.frame >= 0 else None, i.number)
        for i in found.item[0 : found.count]
    ]


class Body:
    """One body of a capture: its actor, its motion, how far the markers lie from it, and what to believe of it."""

    def __init__(self, actor: Actor, kept: Actor, motion: Motion, judgements: list[Judgement], notes: list[Note],
                 report: dict[str, float], distances: np.ndarray) -> None:
        self.actor = actor
        self.kept = kept
        self.motion = motion
        self.judgements = judgements
        self.notes = notes
        self.report = report
        self.distances = distances

    @property
    def residual(self) -> float:
        """Root mean square distance of the markers from the body, metres."""
        return self.report["residual"]

    @property
    def joints(self) -> list[str]:
        """Names of the joints."""
        return self.motion.joints

    def trial(self, trial: Trial) -> Trial:
        """The capture with what the body knows of it: gaps filled where the body carries the markers, and every joint's centre."""
        solved = ffi.new("snw_actor_motion *", {"actor": self.kept._pointer, "motion": self.motion._pointer, "made": lib.SNW_SAMPLE_FILLED})
        return Trial(call("snw_actor_trial", solved, trial._pointer))

    def __repr__(self) -> str:
        return f"<Body: {len(self.joints)} joints, {1000 * self.residual:.2f} mm>"

    def _repr_html_(self) -> str:
        return self.motion._repr_html_()


class Solution:
    """What `solve` found: `bodies` (mostly one: `body`), the `verdict` in one word, and the capture as it was solved."""

    def __init__(self, trial: Trial, bodies: list[Body], verdict: str, notes: list[Note], recognised: dict[str, Any]) -> None:
        self.trial = trial
        self.bodies = bodies
        self.verdict = verdict
        self.notes = notes
        self.recognised = recognised

    @property
    def body(self) -> Body:
        """The only body; the first where there are several."""
        if not self.bodies:
            raise SinewError("nothing was solved: the solve stopped before the bodies", "NOT_FOUND")
        return self.bodies[0]

    @property
    def motion(self) -> Motion:
        """The motion of the first body."""
        return self.body.motion

    @property
    def judgements(self) -> list[Judgement]:
        """Of all bodies."""
        return [j for body in self.bodies for j in body.judgements]

    def filled(self) -> Trial:
        """The capture with gaps filled and joint centres, of all bodies."""
        trial = self.trial
        for body in self.bodies:
            trial = body.trial(trial)
        return trial

    def to_dataframe(self) -> Any:
        """pandas: places of all joints over time, with the body in the columns."""
        import pandas

        frames = {f"body{n + 1}": body.motion.to_dataframe() for n, body in enumerate(self.bodies)}
        return pandas.concat(frames, axis=1, names=["body"])

    def to_xarray(self) -> Any:
        """xarray: of the first body, as `motion.to_xarray()`."""
        return self.motion.to_xarray()

    def __repr__(self) -> str:
        return f"<Solution: {self.verdict}, {len(self.bodies)} bod{'y' if len(self.bodies) == 1 else 'ies'}, " \
               f"{', '.join(repr(b) for b in self.bodies)}>"

    def _repr_html_(self) -> str:
        from .picture import solution_html

        return solution_html(self)


def _body_of(owner: Any, found: Any, up: str) -> Body | None:
    if found.kept == NULL:
        return None
    kept = Actor(found.kept, owner)
    if found.motion == NULL:
        return None
    actor = Actor(found.actor, owner) if found.actor != NULL else kept
    report = {f: float(getattr(found.report, f)) for f, _ in ffi.typeof("snw_solve_report").fields}
    residuals = found.residuals
    distances = np.zeros((0, 0), "f4")
    if residuals != NULL:
        distances = view(owner, residuals.distance, (residuals.frame_count, residuals.marker_count), "f4")
    motion = Motion(found.motion, kept.skeleton, owner, up=up)
    return Body(actor, kept, motion, judgements_of(found.judgements), notes_of(found.notes), report, distances)


def solve(trial: Trial, *, actor: Actor | None = None, progress: Progress | None = None, **given: Any) -> Solution:
    """Finds the skeleton in a capture and its motion, as `sinew solve` does, to the bit.

    actor: the person from an earlier trial. progress(step, share) is called before each step; when it returns true, the
    solve is cancelled (SinewError, code "CANCELLED"). All fields of snw_solve_options may be given: is_smooth=True,
    method="mvm", keeps_slips=True, ... Other threads run meanwhile.

    >>> import sinew
    >>> solution = sinew.solve(sinew.read("walk.c3d"))
    >>> solution.verdict, len(solution.body.joints), len(solution.motion)
    ('green', 19, 120)
    """
    keep: list[Any] = []
    watch = Watch(progress)
    how = _library.options("snw_solve_options", {"actor": actor, **given}, keep)
    how.progress, how.progress_context = lib.sinew_progress, watch.handle
    try:
        found = call("snw_solve", trial._pointer, how)
    except SinewError:
        watch.raise_what_was_raised()
        raise
    watch.raise_what_was_raised()
    recognised = {f: getattr(found.recognition, f) for f in ("is_person", "point_count", "named_count", "stature", "confidence")}
    solved = Trial(found.trial, owner=found) if found.trial != NULL else trial.copy()
    bodies = [_body_of(found, found.body[n], solved.up) for n in range(found.body_count)]
    verdict = name_of("snw_verdict", found.verdict)
    return Solution(solved, [b for b in bodies if b is not None], verdict, notes_of(found.notes), recognised)


def prepare(trial: Trial, **given: Any) -> Trial:
    """The capture made ready, as a solve makes it: pieces joined, people recognised and named, labels put right."""
    return solve(trial, stops_after="prepared", **given).trial
