"""What a person wants to know of a capture: gaps filled, joint angles, strides, moments, joint centres."""
from __future__ import annotations

from typing import Any, Iterable

import numpy as np

from . import _library
from ._library import NULL, Note, SinewError, call, enumerated, ffi, lib, name_of, text, view
from .body import Pose
from .solving import Judgement, judgements_of, prepare, solve
from .trial import Trial

_SIDES = ("left", "right", "")

# ---- gaps --------------------------------------------------------------------------------------------------------------


class Gap:
    """One gap: `marker`, `first` frame, `length`, `outcome` ("filled"), the `method` that counts most, `uncertainty` (m)."""

    __slots__ = ("marker", "first", "length", "outcome", "method", "uncertainty")

    def __init__(self, marker: str, first: int, length: int, outcome: str, method: str, uncertainty: float) -> None:
        self.marker, self.first, self.length = marker, first, length
        self.outcome, self.method, self.uncertainty = outcome, method, uncertainty

    def __repr__(self) -> str:
        return f"<Gap {self.marker} {self.first}+{self.length}: {self.outcome}, {1000 * self.uncertainty:.1f} mm>"


class Filled:
    """`trial`: the capture with its gaps filled, each sample with an uncertainty; `gaps`: what became of each."""

    def __init__(self, trial: Trial, gaps: list[Gap], notes: list[Note]) -> None:
        self.trial, self.gaps, self.notes = trial, gaps, notes

    def to_dataframe(self) -> Any:
        """pandas: a row for each gap."""
        import pandas

        return pandas.DataFrame([{k: getattr(g, k) for k in Gap.__slots__} for g in self.gaps], columns=list(Gap.__slots__))

    def to_xarray(self) -> Any:
        """xarray: places and uncertainties of all samples."""
        import xarray

        places = self.trial.to_xarray()
        spread = self.trial.uncertainty
        return xarray.Dataset({"place": places, "uncertainty": (("time", "marker"), np.zeros(places.shape[:2]) if spread is None else np.array(spread))})

    def __repr__(self) -> str:
        return f"<Filled: {sum(g.outcome == 'filled' for g in self.gaps)} of {len(self.gaps)} gaps>"

    def _repr_html_(self) -> str:
        return self.trial._repr_html_()


def fill(trial: Trial, *, method: str = "auto", as_labelled: bool = False, **given: Any) -> Filled:
    """Fills the gaps, as `sinew fill` does: what was measured stays.

    method: auto, linear, spline, frame, rigid, local, body, pca, lowrank, smooth. gap_max (frames), uncertainty_max (m).

    >>> import sinew, numpy as np
    >>> walk = sinew.read("walk.c3d")
    >>> walk["LKNE"][40:60] = np.nan
    >>> filled = sinew.fill(walk)
    >>> filled.gaps[0].outcome, bool(np.isnan(filled.trial["LKNE"]).any())
    ('filled', False)
    """
    keep: list[Any] = []
    notes: list[Note] = []
    ready = prepare(trial, skips_join=True, skips_recognition=True, keeps_swaps=as_labelled, keeps_open_swaps=True, keeps_slips=True)
    number = enumerated(ffi.typeof("snw_fill_method"), method)
    if "body" not in given and number == lib.SNW_FILL_BODY:
        given["body"] = _carried(ready)
    if "body" not in given and number == lib.SNW_FILL_SMOOTH:
        given["body"] = _predicted(ready)
    how = _library.options("snw_fill_options", {"method": number, **given}, keep)
    found = call("snw_trial_fill", ready._pointer, how, notes=notes)
    names = trial.markers
    gaps = [
        Gap(names[g.marker], g.first, g.length, text(lib.snw_fill_outcome_text(g.outcome)), name_of("snw_fill_method", g.method), g.uncertainty)
        for g in found.gap[0 : found.gap_count]
    ]
    return Filled(Trial(found.trial, notes, found), gaps, notes)


def _carried(trial: Trial) -> Trial:
    """Every marker of the solved body where the motion carries it; all others missing."""
    body = solve(trial, keeps_zeros=True, skips_join=True, skips_recognition=True, keeps_swaps=True, part=1).body
    out = trial.copy()
    out.points[...] = np.nan
    keep: list[Any] = []
    names = ffi.new("snw_name_list *", {"name": _library.strings(trial.markers, keep), "count": len(trial.markers)})
    actor = body.kept._pointer
    where = [lib.snw_actor_find_marker(actor, names, m) for m in range(actor.marker_count)]
    target, pose = out._pointer, Pose(body.kept.skeleton)
    for frame in range(len(trial)):
        lib.snw_motion_get(body.motion._pointer, frame, pose._pointer)
        pose.forward()
        for m, index in enumerate(where):
            if index >= 0:
                place = lib.snw_pose_point(pose._pointer, actor.marker[m].joint, actor.marker[m].offset)
                lib.snw_trial_set(target, frame, index, place, lib.SNW_SAMPLE_FILLED)
    return out


def _predicted(trial: Trial) -> Trial:
    """The capture through the predictor, forwards and backwards."""
    segments = call("snw_segments_find", trial._pointer, NULL)
    neighbours = ffi.new("int[]", max(segments.segment_count, 1))
    call("snw_segment_neighbours", trial._pointer, segments, neighbours)
    job = ffi.new("snw_predict_job *", {"segments": segments, "neighbour": neighbours, "both_ways": True})
    return Trial(call("snw_trial_predict", trial._pointer, job, NULL))


# ---- columns over time -------------------------------------------------------------------------------------------------


class Columns:
    """Named columns over time: angles in radians, moments, ...; `columns["left_knee_flexion"]` is one of them, NaN where unknown."""

    def __init__(self, names: list[str], values: np.ndarray, rate: float, start: float, judgements: list[Judgement], notes: list[Note]) -> None:
        self.names, self.values, self.rate, self.start = names, values, rate, start
        self.judgements, self.notes = judgements, notes

    @property
    def time(self) -> np.ndarray:
        """(frames) seconds on the file's clock."""
        return self.start + np.arange(len(self.values)) / self.rate

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.names:
            raise SinewError(f"there is no column {name}; there are {', '.join(self.names[:12])}, ...", "NOT_FOUND", name=name)
        return self.values[:, self.names.index(name)]

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def __len__(self) -> int:
        return len(self.values)

    def to_dataframe(self) -> Any:
        """pandas: a row for each frame."""
        import pandas

        return pandas.DataFrame(np.array(self.values), columns=self.names, index=pandas.Index(self.time, name="time"))

    def to_xarray(self) -> Any:
        """xarray: dimensions time and variable."""
        import xarray

        return xarray.DataArray(np.array(self.values), dims=["time", "variable"], coords={"time": self.time, "variable": self.names})

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.names)} columns, {len(self)} frames at {self.rate:g} Hz>"

    def _repr_html_(self) -> str:
        from .picture import columns_html

        return columns_html(self)

    def __getstate__(self) -> dict[str, Any]:
        """Without the library's memory."""
        state = {k: v for k, v in self.__dict__.items() if k != "_pointer"}
        state["values"] = np.array(self.values)
        return state


class Angles(Columns):
    """Joint angles in radians; `convention` says by which book."""

    convention = ""

    def degrees(self) -> Any:
        """pandas: a row for each frame, in degrees."""
        return self.to_dataframe() * (180 / np.pi)


def _columns(kind: Any, owner: Any, found: Any, trial: Trial, notes: list[Note], judgements: list[Judgement]) -> Any:
    names = [text(c.name) for c in found.column[0 : found.column_count]]
    values = view(owner, found.value, (found.frame_count, found.column_count), "f8")
    columns = kind(names, values, float(found.rate), float(lib.snw_trial_time(trial._cdata, 0)), judgements, notes)
    columns._pointer = owner
    return columns


def _model(trial: Trial, static: Trial | None, notes: list[Note], subject: dict[str, float], given: dict[str, Any]) -> Any:
    """The gait model of the person; subject: measures by Vicon's names in millimetres, degrees and kilograms."""
    keep: list[Any] = []
    how = _library.options("snw_gait_options", given, keep)
    measures = ffi.addressof(how, "subject")
    for name, value in subject.items():
        call("snw_subject_set", measures, name.encode(), float(value))
    model = ffi.new("snw_gait_model *")
    ready = None if static is None else _capture(static)
    still = NULL if ready is None else ready._pointer
    call("snw_gait_model_make", trial._pointer, still, how, model, notes=notes)
    return model


class _Functional:
    """Hips (SCoRE) and knee axes (SARA) from trials in which the person moves them."""

    def __init__(self, trials: Iterable[Trial], notes: list[Note]) -> None:
        self._pointer = ffi.new("snw_functional *")
        for trial in trials:
            call("snw_functional_add", self._pointer, _capture(trial)._pointer, notes=notes)


def _usual_convention(trial: Trial) -> str:
    """As `sinew angles` chooses: isb where the knees have medial markers, pig where there are wands, else functional."""
    markers = ffi.new("snw_gait_markers *")
    lib.snw_gait_markers_find(trial._pointer, markers)

    def has(which: int) -> bool:
        return any(markers.at[which][side] >= 0 for side in range(2))

    if not lib.snw_gait_markers_suffice(markers):
        return "functional"
    if has(lib.SNW_GAIT_MARKER_KNM):
        return "isb"
    return "pig" if has(lib.SNW_GAIT_MARKER_THI) else "functional"


def angles(trial: Trial, *, static: Trial | None = None, convention: str | None = None, velocity: bool = False,
           subject: dict[str, float] | None = None, functional: Iterable[Trial] = (), **given: Any) -> Angles:
    """Joint angles by a named convention: isb, pig, opensim, gait2392, functional.

    Flexion, abduction and internal rotation are positive on both sides. Radians; NaN where markers are missing. `functional`:
    trials in which the person moves hips and knees, which place them.

    >>> import sinew
    >>> angles = sinew.angles(sinew.read("walk.c3d"), convention="functional")
    >>> "left_knee_flexion" in angles
    True
    """
    notes: list[Note] = []
    ready = prepare(trial, keeps_swaps=True, keeps_slips=True)
    name = convention or _usual_convention(ready)
    number = enumerated(ffi.typeof("snw_angle_convention"), name)
    if number == lib.SNW_ANGLES_FUNCTIONAL:
        motion = solve(ready, keeps_zeros=True, skips_join=True, skips_recognition=True, part=1).motion
        found = call("snw_angles_from_motion", motion._pointer)
    else:
        is_pig = number == lib.SNW_ANGLES_PIG
        given = {"hip": "davis" if is_pig else "harrington", "is_medial_used": not is_pig, **given}
        model = _model(ready, static, notes, subject or {}, {"functional": _Functional(functional, notes), **given})
        found = call("snw_angles_measure", ready._pointer, model, number)
    if velocity:
        found = call("snw_angles_with_velocity", found)
    judged = ffi.new("snw_judgements *")
    lib.snw_angles_judge(found, judged)
    result: Angles = _columns(Angles, found, found, ready, notes, judgements_of(judged))
    result.convention = name_of("snw_angle_convention", number)
    return result


# ---- walking -----------------------------------------------------------------------------------------------------------

_STRIDE = ("start", "end", "time", "foot_off", "opposite_off", "opposite_strike", "single_support", "double_support", "length",
           "step_length", "step_time", "step_width", "speed", "cadence", "belt")


class Gait:
    """Events (side, kind, time) and strides of a walk; times in seconds from the first frame."""

    def __init__(self, events: list[tuple[str, str, float]], strides: list[dict[str, Any]], is_walk: bool, reason: str, notes: list[Note]) -> None:
        self.events, self.strides, self.is_walk, self.reason, self.notes = events, strides, is_walk, reason, notes

    def to_dataframe(self) -> Any:
        """pandas: a row for each stride."""
        import pandas

        return pandas.DataFrame(self.strides, columns=["side", *_STRIDE])

    def to_xarray(self) -> Any:
        """xarray: the same, dimension stride."""
        import xarray

        frame = self.to_dataframe()
        return xarray.Dataset({name: ("stride", frame[name].to_numpy()) for name in frame.columns})

    def cycles(self, columns: Columns) -> Any:
        """Long table (pandas) of all strides: side, stride, variable, percent, value, linear between frames.

        Columns of the other side ("right_..." in a left stride) are left out. `.to_parquet(path)` keeps it.
        """
        import pandas

        rows = []
        count = {"left": 0, "right": 0}
        for stride in self.strides:
            count[stride["side"]] += 1
            other = "right_" if stride["side"] == "left" else "left_"
            at = np.linspace(stride["start"], stride["end"], 101) * columns.rate
            for name in (n for n in columns.names if not n.startswith(other)):
                values = np.interp(at, np.arange(len(columns)), columns[name], left=np.nan, right=np.nan)
                rows.append(pandas.DataFrame({"side": stride["side"], "stride": count[stride["side"]], "variable": name,
                                              "percent": np.arange(101), "value": values}))
        return pandas.concat(rows, ignore_index=True) if rows else pandas.DataFrame(columns=["side", "stride", "variable", "percent", "value"])

    def __repr__(self) -> str:
        return f"<Gait: {len(self.strides)} strides, {len(self.events)} events>"

    def _repr_html_(self) -> str:
        return str(self.to_dataframe()._repr_html_())


def _capture(trial: Trial) -> Trial:
    """A capture as `sinew gait` reads it: samples at 0 0 0 are missing."""
    ready = trial.copy()
    call("snw_trial_drop_zeros", ready._pointer, notes=ready.notes)
    lib.sinew_gaps_to_nan(ready._cdata)
    return ready


def gait(trial: Trial, *, from_file: bool = False, **given: Any) -> Gait:
    """When feet touch and leave the floor, and the strides between: method "both", "zeni" or "ghoussayni".

    from_file: the events that the file itself has.

    >>> import sinew
    >>> sinew.gait(sinew.read("walk.c3d")).is_walk
    True
    """
    keep: list[Any] = []
    notes: list[Note] = []
    ready = _capture(trial)
    if from_file:
        events = call("snw_gait_events_read", ready._pointer)
    else:
        events = call("snw_gait_events_find", ready._pointer, _library.options("snw_event_options", given, keep), notes=notes)
    strides = call("snw_strides_measure", ready._pointer, events)
    kinds = {lib.SNW_FOOT_STRIKE: "strike", lib.SNW_FOOT_OFF: "off"}
    told = [(_SIDES[e.side], kinds[e.kind], float(e.time)) for e in events.event[0 : events.count]]
    rows: list[dict[str, Any]] = [{f: float(getattr(s, f)) for f in _STRIDE} for s in strides.stride[0 : strides.count]]
    for row, stride in zip(rows, strides.stride[0 : strides.count]):
        row["side"] = _SIDES[stride.side]
    return Gait(told, rows, bool(strides.is_walk), text(strides.reason), notes)


class Kinetics(Columns):
    """Moments (N m/kg), powers (W/kg) and forces (N/kg) of the legs' joints; `mass` in kilograms."""

    mass = 0.0
    residual = 0.0


def kinetics(trial: Trial, *, static: Trial | None = None, mass: float = 0.0, subject: dict[str, float] | None = None,
             functional: Iterable[Trial] = (), **given: Any) -> Kinetics:
    """Inverse dynamics from force plates: cutoff (Hz), axes ("distal", "proximal", "joint"), zeroes_plates, ..."""
    keep: list[Any] = []
    notes: list[Note] = []
    ready = _capture(trial)
    model = _model(ready, static, notes, subject or {}, {"functional": _Functional(functional, notes)})
    how = _library.options("snw_kinetics_options", {"mass": mass, **given}, keep)
    found = call("snw_kinetics_measure", ready._pointer, model, how)
    result: Kinetics = _columns(Kinetics, found, found.columns, ready, notes, [])
    result.mass, result.residual = float(found.mass), float(found.residual)
    return result


# ---- joint centres -----------------------------------------------------------------------------------------------------


class Center:
    """Where two segments meet: `place` in the parent's frame, (frames, 3) `places` in the lab, `sigma` (m), and a `verdict`."""

    def __init__(self, method: str, motion: str, place: np.ndarray, places: np.ndarray, sigma: float, residual: float, verdict: str) -> None:
        self.method, self.motion, self.place, self.places = method, motion, place, places
        self.sigma, self.residual, self.verdict = sigma, residual, verdict

    def __repr__(self) -> str:
        return f"<Center by {self.method}: {self.verdict}>"


def centers(trial: Trial, parent: Iterable[str], child: Iterable[str], *, method: str = "two-sided", **given: Any) -> Center:
    """The centre of rotation between two segments by their markers: two-sided, mvm, gamage-lasenby, halvorsen, geometric, kalman.

    >>> import sinew
    >>> walk = sinew.read("walk.c3d")
    >>> neck = sinew.centers(walk, ["C7", "CLAV", "STRN"], ["LFHD", "RFHD", "LBHD"])
    >>> neck.places.shape
    (120, 3)
    """
    keep: list[Any] = []
    numbers = [[trial.index(m) for m in names] for names in (parent, child)]
    lists = ffi.new("snw_marker_list[2]")
    for n, markers in enumerate(numbers):
        lists[n].marker = _library.array_in(markers, "i4", keep)
        lists[n].count = len(markers)
    seen = call("snw_joint_view_create", trial._pointer, lists)
    noise = {"parent_rotation_noise": seen.parent_rotation_noise, "child_rotation_noise": seen.child_rotation_noise}
    how = _library.options("snw_center_options", {**noise, **given}, keep)
    found = ffi.new("snw_center *")
    call("snw_center_solve", ffi.addressof(seen, "data"), enumerated(ffi.typeof("snw_center_method"), method), how, found)
    verdict = ffi.new("char[]", lib.SNW_VERDICT_SIZE)
    place = found.in_parent
    valid = view(seen, seen.data.parent_is_valid, (len(trial),), "u1") if seen.data.parent_is_valid != NULL else np.ones(len(trial))
    places = np.full((len(trial), 3), np.nan)
    for frame in np.nonzero(valid)[0]:
        p = lib.snw_xform_point(seen.data.world_from_parent[frame], place)
        places[frame] = p.x, p.y, p.z
    return Center(method, text(lib.snw_joint_type_name(found.motion)), np.array([place.x, place.y, place.z]), places,
                  float(found.sigma), float(found.residual), text(lib.snw_center_verdict(found, verdict)))


__all__ = ["Angles", "Center", "Columns", "Filled", "Gait", "Gap", "Kinetics", "angles", "centers", "fill", "gait", "kinetics"]
