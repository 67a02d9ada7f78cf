"""Sinew: captured motion becomes moving skeletons, and skeletons reach.

    import sinew
    trial = sinew.read("walk.c3d")
    trial["LKNE"]                      # (frames, 3), NaN for gaps
    solution = sinew.solve(trial)
    solution.verdict                   # "green"
    solution.motion.rig().write("walk.bvh")
    sinew.gait(trial).to_dataframe()

Metres, seconds, radians; quaternions are w, x, y, z. Long calls let other threads run; what fails raises SinewError.
"""
from ._library import Note, SinewError, lib as _lib, text as _text
from .body import Actor, Motion, Pose, Skeleton, preset, presets, read_motion, skeleton
from .interop import from_ezc3d, from_kineticstoolkit, to_ezc3d, to_kineticstoolkit
from .living import Live, Tracked, Tracker, avatar, hand, track
from .measure import Angles, Center, Columns, Filled, Gait, Gap, Kinetics, angles, centers, fill, gait, kinetics
from .reaching import Batch, BatchResult, Goal, Reach, Result, Servo, Stepper, Style, learn, reach, trajectory
from .solids import Mass, Mesh, Skin, figure, read_mesh
from .solving import Body, Judgement, Solution, prepare, solve
from .trial import Event, Trial, read

__version__: str = _text(_lib.snw_version())

__all__ = [
    "Actor", "Angles", "Batch", "BatchResult", "Body", "Center", "Columns", "Event", "Filled", "Gait", "Gap", "Goal", "Judgement",
    "Kinetics", "Live", "Mass", "Mesh", "Motion", "Note", "Pose", "Reach", "Result", "Servo", "SinewError", "Skeleton", "Skin",
    "Solution", "Stepper", "Style", "Tracked", "Tracker", "Trial", "angles", "avatar", "centers", "figure", "fill", "from_ezc3d",
    "from_kineticstoolkit", "gait", "hand", "kinetics", "learn", "prepare", "preset", "presets", "reach", "read", "read_mesh",
    "read_motion", "skeleton", "solve", "to_ezc3d", "to_kineticstoolkit", "track", "trajectory",
]
