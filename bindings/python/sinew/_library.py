"""How the C library is called: by the types of its parameters, with its sentences as exceptions and its memory as arrays.

Everything else in the package is written with five things from here: `call`, `options`, `view`, `own` and `SinewError`.
"""
from __future__ import annotations

import os
import threading
from functools import lru_cache
from typing import Any, Callable, Iterable, Sequence

import numpy as np

from sinew._native import ffi as ffi, lib as lib

NULL = ffi.NULL
Progress = Callable[[str, float], Any]


class SinewError(Exception):
    """What the library says when it cannot do something.

    `str(error)` is its sentence; `code` the name of the status ("NOT_FOUND"); `byte`, `line`, `frame`, `index` and `name`
    say where, and are None (or "") where they do not apply.

    >>> import sinew
    >>> try:
    ...     sinew.read("no-such-file.c3d")
    ... except sinew.SinewError as error:
    ...     print(error.code)
    NOT_FOUND
    """

    def __init__(self, message: str, code: str = "INVALID_ARGUMENT", **place: Any) -> None:
        super().__init__(message)
        self.code = code
        self.byte: int | None = place.get("byte")
        self.line: int | None = place.get("line")
        self.frame: int | None = place.get("frame")
        self.index: int | None = place.get("index")
        self.name: str = place.get("name") or ""

    def __reduce__(self) -> Any:
        return (_error_again, (str(self), self.code, {k: getattr(self, k) for k in ("byte", "line", "frame", "index", "name")}))


def _error_again(message: str, code: str, place: dict[str, Any]) -> SinewError:
    return SinewError(message, code, **place)


def text(pointer: Any) -> str:
    """A C string; bytes that are no UTF-8 are kept as surrogates."""
    return "" if pointer == NULL else str(ffi.string(pointer).decode("utf-8", "surrogateescape"))


def encoded(value: Any) -> bytes:
    """The bytes of a text or path, as C takes them."""
    return os.fsencode(value)


# ---- calls -------------------------------------------------------------------------------------------------------------


def _word(kind: Any) -> str:
    """The name of a C type without "struct" and "enum"."""
    return str(kind.cname).replace("struct ", "").replace("enum ", "")


@lru_cache(maxsize=None)
def _plan(name: str) -> tuple[Any, list[str], bool]:
    """A function, what each of its parameters is to us, and whether it returns a status."""
    function = getattr(lib, name)
    kind = ffi.typeof(function)
    plan = []
    for n, argument in enumerate(kind.args):
        word = _word(argument)
        if word == "snw_allocator *":
            plan.append("allocator")
        elif word == "snw_error *":
            plan.append("error")
        elif word == "snw_notes *":
            plan.append("notes")
        elif word.endswith("* *") and word.startswith("snw_") and n > 0:
            plan.append("out")
        else:
            plan.append("given")
    return function, plan, _word(kind.result) == "snw_status"


def call(name: str, *given: Any, notes: list[Note] | None = None) -> Any:
    """Calls a function of the library; what fails raises SinewError.

    Only what is told in `given` is told: allocator, error, notes and the object that comes out are brought here. An
    object that comes out is destroyed with the last reference to it.
    """
    function, plan, has_status = _plan(name)
    arguments: list[Any] = []
    rest = iter(given)
    out = error = noted = None
    for what in plan:
        if what == "given":
            arguments.append(next(rest))
        elif what == "allocator":
            arguments.append(NULL)
        elif what == "error":
            error = ffi.new("snw_error *")
            arguments.append(error)
        elif what == "notes":
            noted = NULL if notes is None else ffi.new("snw_notes *")
            arguments.append(noted)
        else:
            out = ffi.new(ffi.typeof(function).args[len(arguments)])
            arguments.append(out)
    result = function(*arguments)
    if has_status and result != lib.SNW_OK:
        raise_for(result, error)
    if notes is not None and noted is not None:
        notes += notes_of(noted)
    if out is None:
        return result
    return own(out[0])


def raise_for(status: int, error: Any) -> None:
    """The library's own sentence as an exception."""
    code = text(lib.snw_status_name(status))
    if error is None:
        raise SinewError(text(lib.snw_status_text(status)), code)
    place = {k: getattr(error, k) if getattr(error, k) >= 0 else None for k in ("byte", "line", "frame", "index")}
    raise SinewError(text(error.message), code, name=text(error.name), **place)


def own(pointer: Any) -> Any:
    """A pointer whose object goes with it."""
    word = _word(ffi.typeof(pointer).item)
    return ffi.gc(pointer, getattr(lib, f"{word}_destroy"))


# ---- notes -------------------------------------------------------------------------------------------------------------


class Note:
    """One thing that had to be repaired, guessed or left out: `code` ("LABEL_REPEATED") and a sentence."""

    __slots__ = ("code", "text", "frame", "name")

    def __init__(self, code: str, text: str, frame: int | None = None, name: str = "") -> None:
        self.code, self.text, self.frame, self.name = code, text, frame, name

    def __repr__(self) -> str:
        return f"<{self.code}: {self.text}>"

    def __str__(self) -> str:
        return self.text


def notes_of(notes: Any) -> list[Note]:
    """A list of the library's notes."""
    if notes == NULL:
        return []
    return [
        Note(text(lib.snw_note_code_name(n.code)), text(n.text), n.frame if n.frame >= 0 else None, text(n.name))
        for n in notes.note[0 : notes.count]
    ]


# ---- options -----------------------------------------------------------------------------------------------------------


def enumerated(kind: Any, value: Any) -> int:
    """A number of a C enum by its name, as the command spells it: "low-rank", "spline", "LEFT"."""
    if not isinstance(value, str):
        return int(value)
    word = _word(kind)
    find = getattr(lib, f"{word}_find", None)
    if find is not None and (found := find(value.encode())) >= 0:
        return int(found)
    tail = "_" + value.upper().replace("-", "_")
    found_by_tail = [number for name, number in kind.relements.items() if name.endswith(tail)]
    if not found_by_tail:
        raise SinewError(f"there is no {word[4:].replace('_', ' ')} {value!r}")
    return int(found_by_tail[0])


def name_of(kind: str, value: int) -> str:
    """The name that the library gives to a number of an enum: name_of("snw_verdict", 0) is "green"."""
    return text(getattr(lib, f"{kind}_name")(value))


def options(kind: str, given: dict[str, Any], keep: list[Any]) -> Any:
    """The library's default options with what is given put in. `keep` must live as long as they do."""
    result = ffi.new(f"{kind} *", getattr(lib, f"{kind}_default")())
    fields = dict(ffi.typeof(kind).fields)
    for name, value in given.items():
        if name not in fields or name == "reserved":
            known = ", ".join(f for f in fields if f != "reserved")
            raise TypeError(f"there is no option {name!r}; there are {known}")
        if value is not None:
            setattr(result, name, _as_field(fields[name].type, value, keep))
    keep.append(result)
    return result


def _as_field(kind: Any, value: Any, keep: list[Any]) -> Any:
    if kind.kind == "enum":
        return enumerated(kind, value)
    if kind.kind == "pointer" and kind.item.kind == "enum":
        value = ffi.new(kind, enumerated(kind.item, value))
    elif kind.kind == "pointer" and isinstance(value, (str, bytes)):
        value = ffi.new("char[]", value.encode() if isinstance(value, str) else value)
    elif kind.kind == "pointer" and hasattr(value, "_pointer"):
        value = value._pointer
    elif kind.kind == "pointer" and kind.item.kind == "primitive":
        value = array_in(value, {"double": "f8", "float": "f4", "int": "i4"}[kind.item.cname], keep)
    keep.append(value)
    return value


# ---- arrays ------------------------------------------------------------------------------------------------------------


class _Memory:
    """What an array of the library's memory stands on: it keeps the owner alive."""

    def __init__(self, owner: Any, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def view(owner: Any, pointer: Any, shape: Sequence[int], kind: str, strides: Any = None, writable: bool = False) -> np.ndarray:
    """An array over memory of the library, not copied; it keeps `owner` alive."""
    if 0 in shape or pointer == NULL:
        return np.zeros(shape, kind)
    address = int(ffi.cast("uintptr_t", pointer))
    interface = {"version": 3, "shape": tuple(shape), "typestr": np.dtype(kind).str, "data": (address, not writable), "strides": strides}
    return np.asarray(_Memory(owner, interface))


def array_in(values: Any, kind: str, keep: list[Any], shape: Sequence[int] | None = None) -> Any:
    """Numbers as C takes them; a contiguous array of the right kind is not copied."""
    array = np.ascontiguousarray(values, dtype=kind)
    if shape is not None and array.shape != tuple(shape):
        raise SinewError(f"an array of shape {array.shape} was given where {tuple(shape)} is needed")
    keep.append(array)
    word = {"f8": "double", "f4": "float", "i4": "int", "u1": "uint8_t"}[kind]
    return ffi.cast(f"{word} *", array.ctypes.data)


def vec3(values: Any) -> Any:
    """A C vector."""
    x, y, z = (float(v) for v in values)
    return {"x": x, "y": y, "z": z}


def quat(values: Any) -> Any:
    """A C quaternion from w, x, y, z."""
    w, x, y, z = (float(v) for v in values)
    return {"w": w, "x": x, "y": y, "z": z}


def strings(values: Iterable[Any], keep: list[Any]) -> Any:
    """const char *const *"""
    items = [ffi.new("char[]", encoded(v)) for v in values]
    array = ffi.new("char *[]", items + [NULL])
    keep += items + [array]
    return array


# ---- progress ----------------------------------------------------------------------------------------------------------


class Watch:
    """Hands progress to Python. What it returns or raises stops the work: truth cancels, an exception is raised again.

    It is there also where nobody asked, so that Ctrl-C ends a long solve.
    """

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.raised: BaseException | None = None
        self.handle = ffi.new_handle(self)

    def told(self, step: str, share: float) -> int:
        try:
            return 1 if self.progress is not None and self.progress(step, share) else 0
        except BaseException as raised:  # noqa: B902: Ctrl-C too comes out where the solve was called
            self.raised = raised
            return 1

    def raise_what_was_raised(self) -> None:
        if self.raised is not None:
            raise self.raised


def _progress_failed(*_: Any) -> int:
    return 1


@ffi.def_extern(onerror=_progress_failed, error=1)  # type: ignore[misc]
def sinew_progress(context: Any, step: Any, share: float) -> int:
    return ffi.from_handle(context).told(text(step), share)


# One lock for each object that "belongs to one thread at a time": two Python threads wait instead of breaking it.
Lock = threading.Lock
