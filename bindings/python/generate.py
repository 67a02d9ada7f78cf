"""Writes the C source of sinew._native from the public headers, so that the binding never lags behind the library.

usage: python3 generate.py INCLUDE_DIR OUTPUT.c [COMPILER]

The compiler's preprocessor reads sinew/sinew.h; what comes from our own headers is kept, attributes and the bodies of inline
functions are taken out, and cffi (API mode) makes the module of it. The C compiler then checks every declaration against the
headers themselves. Left out: functions with a va_list. Constants are the #defines that are plain integers.
"""
import re
import subprocess
import sys
from pathlib import Path

import cffi

# What the module adds to the library: calls back into Python, and gaps as NaN, which is how NumPy says them.
EXTRA_DECLARATIONS = """
extern "Python" int sinew_progress(void *context, const char *step, double share);
void sinew_gaps_to_nan(snw_trial *trial);
void sinew_gaps_to_zero(snw_trial *trial);
int64_t sinew_gaps_from_nan(snw_trial *trial);
void sinew_motion_world(const snw_motion *motion, snw_pose *pose, snw_xform *world);
"""
EXTRA_SOURCE = """
#include <math.h>
#include <string.h>

#include <sinew/sinew.h>

static size_t sample_count(const snw_trial *trial)
{
    return (size_t)trial->frame_count * (size_t)trial->marker_count;
}

static void write_gaps(snw_trial *trial, float value)
{
    for (size_t n = 0; n < sample_count(trial); n++)
        if (trial->state[n] == SNW_SAMPLE_MISSING)
            trial->sample[n].x = trial->sample[n].y = trial->sample[n].z = value;
}

static void sinew_gaps_to_nan(snw_trial *trial) { write_gaps(trial, NAN); }
static void sinew_gaps_to_zero(snw_trial *trial) { write_gaps(trial, 0); }

/* States follow what was written into the array: a place that is no number is a gap, a number in a gap is measured. */
static int64_t sinew_gaps_from_nan(snw_trial *trial)
{
    int64_t changed = 0;
    for (size_t n = 0; n < sample_count(trial); n++) {
        snw_sample *s = trial->sample + n;
        bool is_place = isfinite(s->x) && isfinite(s->y) && isfinite(s->z);
        if (is_place == (trial->state[n] != SNW_SAMPLE_MISSING)) continue;
        trial->state[n] = is_place ? SNW_SAMPLE_MEASURED : SNW_SAMPLE_MISSING;
        s->quality = is_place ? 0.0f : -1.0f;
        changed++;
    }
    return changed;
}

/* Forward kinematics of every frame: world (frame_count x joint_count). */
static void sinew_motion_world(const snw_motion *motion, snw_pose *pose, snw_xform *world)
{
    size_t joints = (size_t)motion->skeleton->joint_count;
    for (int f = 0; f < motion->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        memcpy(world + (size_t)f * joints, pose->world, joints * sizeof *world);
    }
}
"""


def preprocessed(include: Path, compiler: str) -> str:
    """sinew.h with all its macros expanded and the #defines kept."""
    command = [compiler, "-E", "-dD", "-std=c17", "-I", str(include), "-x", "c", "-"]
    return subprocess.run(command, input="#include <sinew/sinew.h>\n", capture_output=True, text=True, check=True).stdout


def our_lines(text: str) -> "list[str]":
    """The lines that stand in our own headers, by the preprocessor's line markers."""
    kept, is_ours = [], False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            is_ours = "/sinew/" in marker[1] and marker[1].endswith(".h")
        elif is_ours:
            kept.append(line)
    return kept


def without_attributes(text: str) -> str:
    """__attribute__((...)) with whatever parentheses it holds is taken out."""
    while (at := text.find("__attribute__")) >= 0:
        depth, end = 0, text.index("(", at)
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        text = text[:at] + text[end:]
    return text


def without_bodies(text: str) -> str:
    """`static inline T f(...) {...}` becomes `T f(...);`."""
    while (at := text.find("static inline")) >= 0:
        start = end = text.index("{", at)
        depth = 0
        while True:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        text = text[:at] + text[at + len("static inline"):start] + ";" + text[end:]
    return text


def declarations(include: Path, compiler: str) -> str:
    """Everything that cffi is told."""
    lines = our_lines(preprocessed(include, compiler))
    constants = [m[1] for line in lines if (m := re.match(r"#define (SNW_\w+) \(?-?\d+\)?$", line))]
    code = "\n".join(line for line in lines if not line.startswith("#"))
    code = without_bodies(without_attributes(code))
    code = re.sub(r"[^;}]*\bva_list\b[^;]*;", "", code)
    return code + "".join(f"\n#define {name} ..." for name in constants) + EXTRA_DECLARATIONS


def main() -> None:
    include, output = Path(sys.argv[1]), sys.argv[2]
    compiler = sys.argv[3] if len(sys.argv) > 3 else "cc"
    builder = cffi.FFI()
    builder.cdef(declarations(include, compiler))
    builder.set_source("sinew._native", EXTRA_SOURCE)
    builder.emit_c_code(output)


if __name__ == "__main__":
    main()
