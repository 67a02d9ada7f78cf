"""A walk that a person could do, with the markers of the conventional gait model, as a TRC file: feet stand and swing, knees follow
from the hips and the ankles, markers are rigid on their segments. Metres inside, millimetres in the file."""
import math

STRIDE, STANCE, LENGTH, THIGH, SHANK = 1.0, 0.6, 1.1, 0.42, 0.42
NAMES = ["LASI", "RASI", "SACR"] + [side + name for side in "LR" for name in ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")]


def foot(phase):
    """How far the heel has come and how high it is."""
    turns, part = math.floor(phase), phase - math.floor(phase)
    if part < STANCE:
        return turns * LENGTH, 0.0
    s = (part - STANCE) / (1 - STANCE)
    return (turns + s ** 3 * (10 + s * (-15 + 6 * s))) * LENGTH, 0.05 * (1 - math.cos(2 * math.pi * s)) / 2


def frame(t, speed=1.0):
    t *= speed
    body = LENGTH * t / STRIDE
    place = {"LASI": (body + 0.08, 0.12, 0.93), "RASI": (body + 0.08, -0.12, 0.93), "SACR": (body - 0.10, 0, 0.93)}
    for side, sign in (("L", 1), ("R", -1)):
        x, up = foot(t / STRIDE - (0.3 if side == "L" else 0.8))
        heel = (x + 0.38 + (0.5 * LENGTH if side == "R" else 0), sign * 0.09, 0.04 + up)
        ankle = (heel[0] + 0.05, sign * 0.09, heel[2] + 0.05)
        hip = (body + 0.03, sign * 0.09, 0.84)
        way = (ankle[0] - hip[0], ankle[2] - hip[2])
        far = min(math.hypot(*way), 0.999 * (THIGH + SHANK))
        bend = math.acos((THIGH ** 2 + far ** 2 - SHANK ** 2) / (2 * THIGH * far))
        angle = math.atan2(way[1], way[0]) + bend  # the knee bends forwards
        knee = (hip[0] + THIGH * math.cos(angle), sign * 0.09, hip[2] + THIGH * math.sin(angle))

        def beside(a, b, share, out):
            return tuple(a[k] + share * (b[k] - a[k]) + (sign * out if k == 1 else 0) for k in range(3))

        place[side + "THI"] = beside(hip, knee, 0.6, 0.11)
        place[side + "KNE"] = beside(hip, knee, 1.0, 0.057)
        place[side + "TIB"] = beside(knee, ankle, 0.5, 0.09)
        place[side + "ANK"] = beside(knee, ankle, 1.0, 0.042)
        place[side + "HEE"] = heel
        place[side + "TOE"] = (heel[0] + 0.22, heel[1], heel[2] - 0.01)
    return place


def write(path, seconds=4.0, speed=1.0, is_still=False, rate=100.0):
    count = int(seconds * rate)
    with open(path, "w") as out:
        out.write(f"PathFileType\t4\t(X/Y/Z)\tmade.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
                  f"{rate:g}\t{rate:g}\t{count}\t{len(NAMES)}\tmm\t{rate:g}\t1\t{count}\n")
        out.write("Frame#\tTime\t" + "\t\t\t".join(NAMES) + "\t\t\n\t\t" + "\t".join(f"{a}{n + 1}" for n in range(len(NAMES)) for a in "XYZ") + "\n\n")
        for n in range(count):
            place = frame(0.05 if is_still else n / rate, speed)
            # y of the file is up: x forward, z to the right
            cells = [f"{1000 * v:.4f}" for name in NAMES for v in (place[name][0], place[name][2], -place[name][1])]
            out.write("\t".join([str(n + 1), f"{n / rate:.5f}"] + cells) + "\n")
