"""Surfaces and solids: what is wrong with them, what they weigh; a person's surface, and surfaces that move with a skeleton."""
from __future__ import annotations

import os
from typing import Any, Iterator

import numpy as np

from . import _library
from ._library import NULL, Note, SinewError, call, encoded, enumerated, ffi, vec3, view
from .body import Motion, Pose, Skeleton


def _fields(struct: Any, kind: str) -> dict[str, Any]:
    """The plain fields of a C struct; arrays of numbers become lists."""
    told: dict[str, Any] = {}
    for name, field in ffi.typeof(kind).fields:
        value = getattr(struct, name)
        if field.type.kind == "primitive":
            told[name] = value
        elif field.type.kind == "array" and field.type.item.kind == "primitive":
            told[name] = list(value)
    return told


class Mass:
    """Of a rigid body: `volume` (m3), `mass` (kg), `center`, `inertia` about it (3, 3), principal `moments` and `axes`."""

    def __init__(self, found: Any) -> None:
        self.volume, self.mass = float(found.volume), float(found.mass)
        self.center = np.array([found.center.x, found.center.y, found.center.z])
        self.inertia = np.array(np.frombuffer(ffi.buffer(ffi.addressof(found, "inertia")), "f8")).reshape(3, 3)
        self.axes = np.array(np.frombuffer(ffi.buffer(ffi.addressof(found, "axes")), "f8")).reshape(3, 3)
        self.moments = np.array(list(found.moment))

    def __repr__(self) -> str:
        return f"<Mass: {self.mass:.6g} kg, {self.volume:.6g} m3>"


class Mesh:
    """Triangles, and tetrahedra where there are any. `vertices` is its memory, metres.

    >>> import sinew
    >>> cube = sinew.Mesh.from_arrays([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
    >>> round(cube.mass(density=6.0).mass, 12), cube.check()["is_closed"]
    (1.0, True)
    """

    def __init__(self, pointer: Any, notes: list[Note] | None = None) -> None:
        self._pointer = pointer
        self.notes: list[Note] = notes or []

    @classmethod
    def from_arrays(cls, vertices: Any, triangles: Any, tetrahedra: Any = ()) -> Mesh:
        """vertices (n, 3) in metres; triangles (m, 3) and tetrahedra (k, 4) by numbers of vertices."""
        places = np.asarray(vertices, dtype=float).reshape(-1, 3)
        corners = np.asarray(triangles, dtype="i4").reshape(-1, 3)
        solids = np.asarray(tetrahedra, dtype="i4").reshape(-1, 4)
        counts = ffi.new("snw_mesh_counts *", {"vertex_count": len(places), "triangle_count": len(corners), "tetrahedron_count": len(solids)})
        mesh = cls(call("snw_mesh_create", counts))
        for own, given in ((mesh.vertices, places), (mesh.triangles, corners), (mesh.tetrahedra, solids)):
            if len(given):
                own[...] = given
        return mesh

    @property
    def vertices(self) -> np.ndarray:
        """(vertices, 3) metres; not copied."""
        return view(self, self._pointer.vertex, (self._pointer.count.vertex_count, 3), "f8", None, True)

    @property
    def triangles(self) -> np.ndarray:
        """(triangles, 3) numbers of vertices; not copied."""
        return view(self, self._pointer.triangle, (self._pointer.count.triangle_count, 3), "i4", None, True)

    @property
    def tetrahedra(self) -> np.ndarray:
        """(tetrahedra, 4) numbers of vertices; not copied."""
        return view(self, self._pointer.tetrahedron, (self._pointer.count.tetrahedron_count, 4), "i4", None, True)

    def check(self) -> dict[str, Any]:
        """What is wrong with it: is_closed, hole_count, crossing_count, sliver_count, ..., and area and volume."""
        report = ffi.new("snw_mesh_report *")
        call("snw_mesh_check", self._pointer, report)
        return _fields(report, "snw_mesh_report")

    def repair(self, **given: Any) -> Mesh:
        """A new mesh with what can be put right safely. merge_distance=, has_hole_filling=, hole_edge_max="""
        keep: list[Any] = []
        how = _library.options("snw_mesh_repair_options", given, keep)
        return Mesh(call("snw_mesh_repair", self._pointer, how, NULL))

    def mass(self, **given: Any) -> Mass:
        """Exact integrals over the solid. density= (kg/m3), gradient=, origin=, way="surface" or "tetrahedra"."""
        keep: list[Any] = []
        for name in ("gradient", "origin"):
            if name in given:
                given[name] = vec3(given[name])
        found = ffi.new("snw_mass_properties *")
        call("snw_mesh_mass", self._pointer, _library.options("snw_mass_options", given, keep), found)
        return Mass(found[0])

    def section(self, normal: Any, offset: float) -> dict[str, Any]:
        """Where the plane normal . p = offset cuts it: `lines` (arrays of points), `area`, `girth`."""
        found = call("snw_mesh_section", self._pointer, vec3(normal), float(offset))
        points = np.array(view(found, found.point, (found.point_count, 3), "f8"))
        first = list(found.line_first[0 : found.line_count + 1])
        return {"lines": [points[a:b] for a, b in zip(first, first[1:])], "area": float(found.area), "girth": float(found.girth)}

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """.mesh, .meshb, .ply, .stl, .obj by its ending."""
        call("snw_write_mesh_file", encoded(path), overwrite, self._pointer, NULL)

    def __repr__(self) -> str:
        count = self._pointer.count
        return f"<Mesh: {count.vertex_count} vertices, {count.triangle_count} triangles, {count.tetrahedron_count} tetrahedra>"

    def __reduce__(self) -> Any:
        return (Mesh.from_arrays, (np.array(self.vertices), np.array(self.triangles), np.array(self.tetrahedra)))


def read_mesh(path: str | os.PathLike[str], **given: Any) -> Mesh:
    """A surface or solid: MEDIT, PLY, STL, OBJ, ATM."""
    keep: list[Any] = []
    notes: list[Note] = []
    how = _library.options("snw_read_options", given, keep)
    return Mesh(call("snw_read_mesh_file", encoded(path), how, notes=notes), notes)


def figure(skeleton: Skeleton, **given: Any) -> Mesh:
    """A person's closed surface round a skeleton that rests in a T: people="women", stature=, mass=, cell= (metres).

    >>> import sinew
    >>> rig = sinew.solve(sinew.read("walk.c3d")).motion.rig()
    >>> sinew.figure(rig.skeleton, cell=0.03).check()["is_closed"]
    True
    """
    keep: list[Any] = []
    how = _library.options("snw_figure_options", given, keep)
    return Mesh(call("snw_figure_create", skeleton._pointer, how, NULL))


class Skin:
    """A surface tied to a skeleton by bone heat: `weights` (vertices, joints), `deform(pose)`, `frames(motion)`."""

    def __init__(self, mesh: Mesh, skeleton: Skeleton, **given: Any) -> None:
        keep: list[Any] = []
        self.mesh, self.skeleton = mesh, skeleton
        self._pointer = call("snw_skin_create", mesh._pointer, skeleton._pointer, _library.options("snw_skin_options", given, keep))

    @property
    def weights(self) -> np.ndarray:
        """(vertices, joints) how much each joint moves a vertex; rows sum to 1."""
        full = np.zeros((len(self.mesh.vertices), len(self.skeleton)))
        vertices = self._pointer.vertex
        for n in range(len(full)):
            for joint, weight in zip(vertices[n].joint, vertices[n].weight):
                full[n, joint] += weight
        return full

    def deform(self, pose: Pose, *, blend: str = "dual-quaternion") -> np.ndarray:
        """(vertices, 3) floats, metres, in a pose whose `forward()` was called; blend "linear" or "dual-quaternion"."""
        if len(pose.skeleton) != len(self.skeleton):
            raise SinewError(f"a pose of {len(pose.skeleton)} joints is not one of {len(self.skeleton)}")
        out = np.empty((len(self.mesh.vertices), 3), "f4")
        way = enumerated(ffi.typeof("snw_blend"), blend)
        call("snw_skin_deform", self._pointer, pose._pointer, way, ffi.cast("float *", out.ctypes.data))
        return out

    def frames(self, motion: Motion, *, blend: str = "dual-quaternion") -> Iterator[np.ndarray]:
        """The surface in every frame of a motion of the same skeleton."""
        for n in range(len(motion)):
            yield self.deform(motion.pose(n), blend=blend)


__all__ = ["Mass", "Mesh", "Skin", "figure", "read_mesh"]
