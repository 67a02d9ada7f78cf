"""Bodies: skeletons, poses, motions, and actors (a skeleton with markers on it)."""
from __future__ import annotations

import os
from typing import Any, Iterable

import numpy as np

from . import _library
from ._library import NULL, Note, SinewError, call, encoded, ffi, lib, text, vec3, quat, view
from .trial import Trial, _UP

_XFORM = 56  # bytes of a snw_xform: rotation w x y z, translation x y z


def preset(name: str) -> Skeleton:
    """A ready-made body: "humanoid", "hand25", "panda", "ur5", ...; `presets()` lists them.

    >>> import sinew
    >>> sinew.preset("panda")
    <Skeleton: 8 joints, 7 degrees of freedom>
    """
    return Skeleton(call("snw_preset_create", encoded(name)))


def presets() -> dict[str, str]:
    """The ready-made bodies and one line about each."""
    return {text(lib.snw_preset_name(n)): text(lib.snw_preset_text(n)) for n in range(lib.snw_preset_count())}


def read_motion(path: str | os.PathLike[str], **given: Any) -> Motion:
    """A body and its motion: BVH; robots from URDF and MJCF have no frames."""
    keep: list[Any] = []
    notes: list[Note] = []
    how = _library.options("snw_read_options", given, keep)
    return Motion(call("snw_read_motion_file", encoded(path), how, notes=notes), notes=notes)


class Skeleton:
    """Joints in a tree with their limits; never changes.

    >>> import sinew
    >>> body = sinew.preset("humanoid")
    >>> body.joints[:2], body.parents[:2].tolist()
    (['pelvis', 'spine'], [-1, 0])
    """

    def __init__(self, pointer: Any, owner: Any = None) -> None:
        self._pointer = pointer
        self._owner = owner or pointer

    def __len__(self) -> int:
        return int(self._pointer.joint_count)

    @property
    def joints(self) -> list[str]:
        """Names, parents before children."""
        return [text(n) for n in self._pointer.name[0 : len(self)]]

    @property
    def types(self) -> list[str]:
        """"hinge", "ball", ... of each joint."""
        return [text(lib.snw_joint_type_name(j.type)) for j in self._pointer.joint[0 : len(self)]]

    @property
    def parents(self) -> np.ndarray:
        """(joints) number of each joint's parent, -1 for the root."""
        return view(self._owner, self._pointer.parent, (len(self),), "i4")

    @property
    def lengths(self) -> np.ndarray:
        """(joints) distance from the parent at rest, metres."""
        return view(self._owner, self._pointer.bone_length, (len(self),), "f8")

    @property
    def dof(self) -> int:
        """Degrees of freedom."""
        return int(self._pointer.dof_count)

    @property
    def size(self) -> float:
        """The longest way from the root to any joint or tip, metres."""
        return float(self._pointer.size)

    def index(self, joint: str | int) -> int:
        """The number of a joint by its name."""
        if not isinstance(joint, str):
            return int(joint)
        found = lib.snw_skeleton_find_joint(self._pointer, encoded(joint))
        if found < 0:
            raise SinewError(f"there is no joint {joint}", "NOT_FOUND", name=joint)
        return int(found)

    def pose(self) -> Pose:
        """A pose of this body, at rest."""
        return Pose(self)

    def __repr__(self) -> str:
        return f"<Skeleton: {len(self)} joints, {self.dof} degrees of freedom>"

    def _repr_html_(self) -> str:
        from .picture import pose_html

        return pose_html(self.pose())

    def __getstate__(self) -> dict[str, Any]:
        defs = [lib.snw_skeleton_joint_def(self._pointer, n) for n in range(len(self))]
        raw = [bytes(ffi.buffer(ffi.new("snw_joint_def *", d))) for d in defs]
        pins = self._pointer.pin_count
        held = bytes(ffi.buffer(self._pointer.pin, pins * ffi.sizeof("snw_pin"))) if pins else b""
        return {"defs": raw, "names": [ffi.string(d.name) for d in defs],
                "joint_names": [None if d.joint_name == NULL else ffi.string(d.joint_name) for d in defs], "pins": held}

    def __setstate__(self, state: dict[str, Any]) -> None:
        defs = ffi.new("snw_joint_def[]", max(len(state["defs"]), 1))
        keep: list[Any] = []
        for n, raw in enumerate(state["defs"]):
            ffi.memmove(defs + n, raw, len(raw))
            for field, value in (("name", state["names"][n]), ("joint_name", state["joint_names"][n])):
                keep.append(NULL if value is None else ffi.new("char[]", value))
                setattr(defs[n], field, keep[-1])
        pins = ffi.new("snw_pin[]", max(len(state["pins"]) // ffi.sizeof("snw_pin"), 1))
        ffi.memmove(pins, state["pins"], len(state["pins"]))
        body = ffi.new("snw_skeleton_def *", {"joint": defs, "joint_count": len(state["defs"]), "pin": pins,
                                              "pin_count": len(state["pins"]) // ffi.sizeof("snw_pin")})
        self.__init__(call("snw_skeleton_create_pinned", body))  # type: ignore[misc]


class Pose:
    """What a body does at one instant. `rotations` and `slides` are its memory: write into them, then `forward()`.

    >>> import sinew
    >>> pose = sinew.preset("chain10").pose()
    >>> pose.places[-1].round(3).tolist()
    [0.9, 0.0, 0.0]
    """

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self._pointer = call("snw_pose_create", skeleton._pointer)

    @property
    def rotations(self) -> np.ndarray:
        """(joints, 4) w x y z of each joint, identity at rest; not copied."""
        return view(self, self._pointer.rotation, (len(self.skeleton), 4), "f8", None, True)

    @property
    def slides(self) -> np.ndarray:
        """(joints, 3) metres, of joints that slide; not copied."""
        return view(self, self._pointer.slide, (len(self.skeleton), 3), "f8", None, True)

    @property
    def root(self) -> np.ndarray:
        """(7) where the body stands: rotation w x y z, place x y z; not copied."""
        return view(self, ffi.addressof(self._pointer, "root"), (7,), "f8", None, True)

    @property
    def places(self) -> np.ndarray:
        """(joints, 3) of the joints in the world, metres; valid after `forward()`; not copied."""
        return view(self, ffi.cast("char *", self._pointer.world) + 32, (len(self.skeleton), 3), "f8", (_XFORM, 8))

    @property
    def orientations(self) -> np.ndarray:
        """(joints, 4) of the joints' frames in the world; valid after `forward()`; not copied."""
        return view(self, self._pointer.world, (len(self.skeleton), 4), "f8", (_XFORM, 8))

    @property
    def values(self) -> np.ndarray:
        """(degrees of freedom) joint coordinates, radians and metres; a copy. Setting them moves the body."""
        out = np.empty(self.skeleton.dof)
        lib.snw_pose_values(self._pointer, ffi.cast("double *", out.ctypes.data))
        return out

    @values.setter
    def values(self, values: Any) -> None:
        keep: list[Any] = []
        lib.snw_pose_set_values(self._pointer, _library.array_in(values, "f8", keep, (self.skeleton.dof,)))
        self.forward()

    def forward(self) -> Pose:
        """Forward kinematics: fills places and orientations."""
        lib.snw_pose_forward(self._pointer)
        return self

    def copy(self) -> Pose:
        """A pose of its own."""
        other = Pose(self.skeleton)
        lib.snw_pose_copy(other._pointer, self._pointer)
        return other

    def _repr_html_(self) -> str:
        from .picture import pose_html

        return pose_html(self)

    def __reduce__(self) -> Any:
        return (_pose_again, (self.skeleton, np.array(self.rotations), np.array(self.slides), np.array(self.root)))


def _pose_again(skeleton: Skeleton, rotations: np.ndarray, slides: np.ndarray, root: np.ndarray) -> Pose:
    pose = Pose(skeleton)
    pose.rotations[...], pose.slides[...], pose.root[...] = rotations, slides, root
    return pose.forward()


class Motion:
    """A pose over time.

    `rotations` (frames, joints, 4) and `slides` are its memory, not copied; `places` is where every joint is.
    """

    def __init__(self, pointer: Any, skeleton: Skeleton | None = None, owner: Any = None, notes: list[Note] | None = None, up: str = "") -> None:
        self._pointer = pointer
        self._owner = owner or pointer
        self.skeleton = skeleton or Skeleton(pointer.skeleton, self._owner)
        self.notes: list[Note] = notes or []
        self.up = up
        self.report: dict[str, Any] = {}

    def __len__(self) -> int:
        return int(self._pointer.frame_count)

    @property
    def rate(self) -> float:
        """Frames per second."""
        return float(self._pointer.rate)

    @property
    def joints(self) -> list[str]:
        """Names of the joints."""
        return self.skeleton.joints

    @property
    def rotations(self) -> np.ndarray:
        """(frames, joints, 4) w x y z of each joint; not copied."""
        return view(self._owner, self._pointer.rotation, (len(self), len(self.skeleton), 4), "f8", None, True)

    @property
    def slides(self) -> np.ndarray:
        """(frames, joints, 3) metres; not copied."""
        return view(self._owner, self._pointer.slide, (len(self), len(self.skeleton), 3), "f8", None, True)

    @property
    def roots(self) -> np.ndarray:
        """(frames, 7) where the body stands: rotation w x y z, place x y z; not copied."""
        return view(self._owner, self._pointer.root, (len(self), 7), "f8", None, True)

    def world(self) -> np.ndarray:
        """(frames, joints, 7) of every joint in the world: rotation w x y z, place x y z."""
        out = np.empty((len(self), len(self.skeleton), 7))
        lib.sinew_motion_world(self._pointer, Pose(self.skeleton)._pointer, ffi.cast("snw_xform *", out.ctypes.data))
        return out

    @property
    def places(self) -> np.ndarray:
        """(frames, joints, 3) of the joints in the world, metres."""
        return self.world()[..., 4:]

    def pose(self, frame: int) -> Pose:
        """The pose of a frame, world filled."""
        if not -len(self) <= frame < len(self):
            raise IndexError(f"frame {frame} of {len(self)}")
        pose = Pose(self.skeleton)
        lib.snw_motion_get(self._pointer, frame % len(self), pose._pointer)
        return pose.forward()

    def __getitem__(self, joint: str) -> np.ndarray:
        """(frames, 3) of one joint in the world, metres."""
        return self.places[:, self.skeleton.index(joint)]

    def rig(self, **given: Any) -> Motion:
        """As other programs expect it: a T-pose that faces +Z, +Y up, usual names (names="mixamo")."""
        keep: list[Any] = []
        if self.up and "up" not in given:
            d = lib.snw_up_direction(_UP.index(self.up))
            given["up"] = {"x": d.x, "y": d.y, "z": d.z}
        how = _library.options("snw_rig_options", given, keep)
        return Motion(call("snw_motion_to_rig", self._pointer, how), up="y")

    def retarget(self, character: Skeleton, **given: Any) -> Motion:
        """Carried to another character: bones by name, feet planted, hands in place. has_feet=, has_hands=, up=, character_up=.
        What was measured stands in the new motion's `report` (foot_slide, hand_error, jump, ...).
        """
        keep: list[Any] = []
        for name in ("up", "character_up"):
            if name in given:
                given[name] = vec3(given[name])
        report = ffi.new("snw_retarget_report *")
        how = _library.options("snw_retarget_options", given, keep)
        how.report = report
        carried = Motion(call("snw_motion_retarget", self._pointer, character._pointer, how), character)
        carried.report = {f: getattr(report, f) for f, _ in ffi.typeof("snw_retarget_report").fields}
        return carried

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False, **given: Any) -> None:
        """Writes BVH, GLB, AMC or MOT, by the ending, turned so that +Y is up. An existing file is an error unless `overwrite`."""
        keep: list[Any] = []
        given.setdefault("up", _UP.index(self.up))
        how = _library.options("snw_write_options", given, keep)
        call("snw_write_motion_file", encoded(path), overwrite, self._pointer, how)

    def to_dataframe(self) -> Any:
        """pandas: a row for each frame, columns (joint, axis) of the joints' places in metres."""
        import pandas

        columns = pandas.MultiIndex.from_product([self.joints, list("xyz")], names=["joint", "axis"])
        time = pandas.Index(np.arange(len(self)) / self.rate, name="time")
        return pandas.DataFrame(self.places.reshape(len(self), -1), columns=columns, index=time)

    def to_xarray(self) -> Any:
        """xarray: places (time, joint, axis) and rotations (time, joint, quaternion)."""
        import xarray

        where = {"time": np.arange(len(self)) / self.rate, "joint": self.joints, "axis": list("xyz"), "quaternion": list("wxyz")}
        return xarray.Dataset({"place": (("time", "joint", "axis"), self.places),
                               "rotation": (("time", "joint", "quaternion"), np.array(self.rotations))}, coords=where)

    def __repr__(self) -> str:
        return f"<Motion: {len(self.skeleton)} joints, {len(self)} frames at {self.rate:g} Hz>"

    def _repr_html_(self) -> str:
        from .picture import motion_html

        return motion_html(self)

    def __reduce__(self) -> Any:
        return (_motion_again, (self.skeleton, self.rate, np.array(self.rotations), np.array(self.slides), np.array(self.roots), self.up))


def _motion_again(skeleton: Skeleton, rate: float, rotations: np.ndarray, slides: np.ndarray, roots: np.ndarray, up: str) -> Motion:
    motion = Motion(call("snw_motion_create", skeleton._pointer, len(roots), rate), skeleton, up=up)
    motion.rotations[...], motion.slides[...], motion.roots[...] = rotations, slides, roots
    return motion


class Actor:
    """A skeleton with markers on it, and what is known of each joint: a calibrated person. Its text keeps it."""

    def __init__(self, pointer: Any, owner: Any = None) -> None:
        self._pointer = pointer
        self._owner = owner or pointer
        self.skeleton = Skeleton(pointer.skeleton, self._owner)

    @classmethod
    def from_text(cls, content: str | bytes) -> Actor:
        """What `str(actor)` and `sinew solve --save-actor` write."""
        raw = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
        return cls(call("snw_actor_parse", raw, len(raw)))

    def __str__(self) -> str:
        size = lib.snw_actor_print(self._pointer, NULL, 0) + 1
        buffer = ffi.new("char[]", size)
        lib.snw_actor_print(self._pointer, buffer, size)
        return ffi.string(buffer).decode("utf-8", "surrogateescape")

    @property
    def markers(self) -> list[str]:
        """The markers it carries."""
        return [text(m.name) for m in self._pointer.marker[0 : self._pointer.marker_count]]

    @property
    def verdicts(self) -> dict[str, str]:
        """What the data said about each joint, in words."""
        return {n: text(self._pointer.estimate[k].verdict) for k, n in enumerate(self.skeleton.joints)}

    @property
    def uncertainty(self) -> dict[str, float]:
        """One standard deviation of each joint's centre, metres."""
        return {n: float(self._pointer.estimate[k].uncertainty) for k, n in enumerate(self.skeleton.joints)}

    def solve(self, trial: Trial) -> Motion:
        """Every frame of another trial of the same person."""
        return Motion(call("snw_actor_solve", self._pointer, trial._pointer, NULL), self.skeleton, up=trial.up)

    def __repr__(self) -> str:
        return f"<Actor: {len(self.skeleton)} joints, {len(self.markers)} markers>"

    def __reduce__(self) -> Any:
        return (Actor.from_text, (str(self),))


def skeleton(joints: Iterable[dict[str, Any]]) -> Skeleton:
    """A body from a list of joints: name, parent (a name; the first has none), type, place (metres from the parent), axis,
    range (radians), tip.

    >>> import sinew
    >>> arm = sinew.skeleton([
    ...     {"name": "shoulder", "type": "ball"},
    ...     {"name": "elbow", "parent": "shoulder", "type": "hinge", "axis": (0, 1, 0), "place": (0.3, 0, 0), "range": (0, 2.6)},
    ...     {"name": "hand", "parent": "elbow", "place": (0.25, 0, 0)}])
    >>> arm.types
    ['ball', 'hinge', 'fixed']
    """
    given = list(joints)
    names: list[str] = [str(j["name"]) for j in given]
    defs = ffi.new("snw_joint_def[]", max(len(given), 1))
    keep: list[Any] = []
    for n, joint in enumerate(given):
        defs[n] = lib.snw_joint_def_default()
        d = defs[n]
        keep.append(ffi.new("char[]", encoded(joint["name"])))
        d.name = keep[-1]
        parent = joint.get("parent")
        d.parent = -1 if parent is None else names.index(parent) if parent in names else len(given)
        d.joint.type = _library.enumerated(ffi.typeof("snw_joint_type"), joint.get("type", "fixed"))
        if "axis" in joint:
            d.joint.axis = vec3(joint["axis"])
        if "range" in joint:
            d.joint.limit.has_range[0] = True
            d.joint.limit.range[0][0], d.joint.limit.range[0][1] = (float(v) for v in joint["range"])
        d.rest.translation = vec3(joint.get("place", (0, 0, 0)))
        d.rest.rotation = quat(joint.get("rotation", (1, 0, 0, 0)))
        if "tip" in joint:
            d.has_tip, d.tip = True, vec3(joint["tip"])
    return Skeleton(call("snw_skeleton_create", defs, len(given)))


__all__ = ["Actor", "Motion", "Pose", "Skeleton", "preset", "presets", "read_motion", "skeleton"]
