"""The package by itself: arrays, errors, progress, pickles, tables, pictures, layouts of others, and what a call costs."""
import os
import pickle
import threading
import time
import xml.dom.minidom

import numpy as np
import pytest

import sinew


@pytest.fixture
def walk():
    return sinew.read("walk.c3d")


def test_points_are_the_captures_own_memory(walk):
    a, b = walk.points, walk.points
    assert np.shares_memory(a, b) and a.shape == (120, len(walk.markers), 3)
    b[3, 5] = 1, 2, 3
    assert a[3, 5].tolist() == [1, 2, 3] and walk[walk.markers[5]][3].tolist() == [1, 2, 3]


def test_an_array_keeps_its_capture(walk):
    points = walk.points
    before = points.copy()
    del walk
    junk = [sinew.read("walk.c3d") for _ in range(3)]
    assert np.array_equal(points, before, equal_nan=True) and len(junk) == 3


def test_nan_is_a_gap_and_a_number_is_none(walk):
    walk["LKNE"][10:20] = np.nan
    assert walk.state[10:20, walk.index("LKNE")].tolist() == [0] * 10
    again = sinew.fill(walk).trial
    assert not np.isnan(again["LKNE"]).any() and (again.state[10:20, again.index("LKNE")] == 2).all()
    walk["LKNE"][10:20] = 0.5
    assert walk.state[10, walk.index("LKNE")] == 1


def test_gaps_are_not_written_as_nan(walk, tmp_path):
    walk["LKNE"][10:20] = np.nan
    walk.write(tmp_path / "x.c3d")
    assert np.isnan(walk["LKNE"][10:20]).all()
    assert np.isnan(sinew.read(tmp_path / "x.c3d")["LKNE"][10:20]).all()
    assert b"nan" not in (walk.write(tmp_path / "x.trc"), (tmp_path / "x.trc").read_bytes())[1].lower()


def test_nothing_is_overwritten_unasked(walk, tmp_path):
    walk.write(tmp_path / "x.c3d")
    with pytest.raises(sinew.SinewError) as caught:
        walk.write(tmp_path / "x.c3d")
    assert caught.value.code == "EXISTS" and "x.c3d" in str(caught.value)
    walk.write(tmp_path / "x.c3d", overwrite=True)


def test_one_exception_with_the_librarys_sentence(walk, tmp_path):
    (tmp_path / "bad.c3d").write_bytes(b"hello")
    with pytest.raises(sinew.SinewError, match="bad.c3d"):
        sinew.read(tmp_path / "bad.c3d")
    with pytest.raises(sinew.SinewError) as caught:
        walk["NOSUCH"]
    assert caught.value.code == "NOT_FOUND"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(TypeError, match="no_such_option"):
        sinew.solve(walk, no_such_option=1)


def test_progress_and_cancel(walk):
    steps = []
    sinew.solve(walk, progress=lambda step, share: steps.append(share))
    assert steps == sorted(steps) and len(steps) > 3
    with pytest.raises(sinew.SinewError) as caught:
        sinew.solve(walk, progress=lambda step, share: share > 0.3)
    assert caught.value.code == "CANCELLED"

    def interrupt(step, share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sinew.solve(walk, progress=interrupt)


def test_other_threads_run_during_a_solve(walk):
    counted = 0
    done = threading.Event()

    def work():
        sinew.solve(walk)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    # A solve takes some hundred milliseconds, also of a busy machine: with the lock held one count would be made at its end.
    assert counted > 2


def test_two_threads_give_the_same(walk):
    answers = [None, None]

    def work(n):
        answers[n] = sinew.solve(sinew.read("walk.c3d")).motion.places

    threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert np.array_equal(answers[0], answers[1])


def test_everything_pickles(walk):
    walk["LKNE"][10:20] = np.nan
    filled = sinew.fill(walk)
    again = pickle.loads(pickle.dumps(filled))
    assert np.array_equal(again.trial.points, filled.trial.points, equal_nan=True)
    assert np.array_equal(again.trial.state, filled.trial.state)
    assert np.array_equal(again.trial.uncertainty, filled.trial.uncertainty)
    assert again.trial.markers == walk.markers and again.trial.up == walk.up
    solution = sinew.solve(walk)
    again = pickle.loads(pickle.dumps(solution))
    assert np.array_equal(again.motion.places, solution.motion.places) and again.verdict == solution.verdict
    assert str(again.body.kept) == str(solution.body.kept)
    for what in (sinew.angles(walk), sinew.gait(walk), sinew.preset("panda").pose()):
        pickle.dumps(pickle.loads(pickle.dumps(what)))


def test_tables(walk):
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    frame = walk.to_dataframe()
    assert frame.shape == (120, 3 * len(walk.markers)) and np.isclose(frame[("LKNE", "x")].iloc[0], walk["LKNE"][0, 0] / 1000)
    assert walk.to_xarray().sel(marker="LKNE").shape == (120, 3)
    solution = sinew.solve(walk)
    assert solution.to_xarray()["rotation"].shape == (120, len(solution.body.joints), 4)
    assert sinew.angles(walk).to_xarray().dims == ("time", "variable")
    long = sinew.read("long.c3d")
    gait, angles = sinew.gait(long), sinew.angles(long)
    assert len(gait.to_dataframe()) == len(gait.strides) > 2
    cycles = gait.cycles(angles)
    assert list(cycles.columns) == ["side", "stride", "variable", "percent", "value"] and cycles.percent.max() == 100
    knee = cycles[(cycles.variable == "left_knee_flexion") & (cycles.stride == 1)]
    assert len(knee) == 101 and np.degrees(knee.value.max()) > 30  # a walking knee bends


def test_the_commands_long_table_reads_back(run, tmp_path):
    pandas = pytest.importorskip("pandas")
    run("study", "long.c3d", "-o", str(tmp_path / "study"))
    found = list((tmp_path / "study").rglob("*.csv"))
    tables = [t for t in (pandas.read_csv(f) for f in found) if {"side", "stride", "variable", "percent", "value"} <= set(t.columns)]
    assert tables and tables[0].value.notna().any()


def test_pictures_are_svg(walk):
    solution = sinew.solve(walk)
    for what in (walk, solution, solution.motion, solution.body, sinew.preset("humanoid"), sinew.angles(walk)):
        page = what._repr_html_()
        svg = page[page.index("<svg") : page.index("</svg>") + 6]
        drawn = xml.dom.minidom.parseString(svg).documentElement
        assert len(drawn.childNodes) > 5 and "nan" not in svg


def test_reaching_one_step_and_many():
    body = sinew.preset("humanoid")
    wrists = [body.index(n) for n in ("left_wrist", "right_wrist")]
    near = body.pose().places[wrists] * (0.6, 1, 1) + (0, 0.1, 0.2)
    goals = [sinew.Goal.position(wrists[0], near[0]), sinew.Goal.position("right_wrist", near[1], weight=2)]
    result = sinew.reach(body, goals)
    assert result.reached
    assert np.linalg.norm(result.pose.places[wrists] - near) < 3e-4 * body.size  # two goals within 1e-4 body sizes
    stepper = sinew.Stepper(body, goals, root="fixed")
    energies = [stepper.step()["energy"] for _ in range(30)]
    assert energies[-1] < 1e-3 * energies[0]
    batch = sinew.Batch(body, goals, workers=2)
    targets = near + np.random.default_rng(2).normal(0, 0.03, (64, 2, 3))
    answer = batch.solve(targets)
    assert answer.reached.mean() > 0.95
    with pytest.raises(sinew.SinewError, match="elbow9"):
        sinew.reach(body, [sinew.Goal.position("elbow9", (0, 0, 0))])


def test_batch_is_what_one_by_one_gives():
    body = sinew.preset("chain10")
    goal = [sinew.Goal.position(9, (0.5, 0, 0))]
    targets = np.random.default_rng(3).uniform(-0.45, 0.45, (200, 1, 3))
    answer = sinew.Batch(body, goal).solve(targets)
    pose = body.pose()
    for n in range(200):
        pose.rotations[...] = answer.rotations[n]
        pose.forward()
        assert np.linalg.norm(pose.places[9] - targets[n, 0]) < 2e-4  # the tolerance, 1e-4 body sizes, and floats


def test_a_servo_keeps_its_limits():
    arm = sinew.preset("panda")
    servo = sinew.Servo(arm, [sinew.Goal.position("tool", (0.5, 0, 0.4))], velocity=1.5, acceleration=10.0)
    before, last = servo.pose.values, np.zeros(arm.dof)
    for tick in range(3000):
        told = servo.step(0.001, [(0.45, 0.1 * np.sin(tick / 500), 0.4)])
        values = servo.pose.values
        speed = (values - before) / 0.001
        assert np.abs(speed).max() <= 1.5 + 1e-6 and np.abs(speed - last).max() <= 10.0 * 0.001 + 1e-6
        before, last = values, speed
    assert told["worst_residual"] < 0.02 + 0.1 / 500 / 0.001 / 10  # the speed of the target over the gain, 10 per second


def test_trajectories_and_styles(walk):
    arm = sinew.preset("panda")
    there = sinew.reach(arm, [sinew.Goal.position("tool", (0.4, 0.2, 0.5))]).pose
    way = sinew.trajectory(arm.pose(), there, velocity=1.0, acceleration=2.0)
    values = np.array([way.pose(n).values for n in range(len(way))])
    assert np.abs(np.diff(values, axis=0) * way.rate).max() <= 1.0 + 1e-9
    assert np.abs(np.diff(values, 2, axis=0) * way.rate**2).max() <= 2.0 + 1e-6
    along = sinew.trajectory(way, velocity=2.0, acceleration=8.0)
    assert len(along) < len(way) and np.abs(along.pose(-1).values - there.values).max() < 1e-9
    style = sinew.learn([sinew.solve(walk).motion.rig()])
    assert pickle.loads(pickle.dumps(style)).joints == style.joints
    solution = sinew.solve(walk, style=style)
    assert solution.verdict == "green"


def test_solids_and_skin(walk, tmp_path):
    grid = np.array([(x, y, z) for x in (0, 1) for y in (0, 2) for z in (0, 3)], dtype=float)
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
    box = sinew.Mesh.from_arrays(grid, faces)
    found = box.mass(density=2.0)
    assert found.mass == pytest.approx(12, rel=1e-12) and found.center == pytest.approx((0.5, 1, 1.5), rel=1e-12)
    assert np.diag(found.inertia) == pytest.approx([12 / 12 * (4 + 9), 12 / 12 * (1 + 9), 12 / 12 * (1 + 4)], rel=1e-12)
    assert box.section((0, 0, 1), 1.0)["girth"] == pytest.approx(6, rel=1e-12)
    box.write(tmp_path / "box.ply")
    assert np.array_equal(sinew.read_mesh(tmp_path / "box.ply").vertices, box.vertices)
    assert not sinew.Mesh.from_arrays(grid, faces[:-1]).check()["is_closed"]
    assert sinew.Mesh.from_arrays(grid, faces[:-1]).repair().check()["is_closed"]
    rig = sinew.solve(walk).motion.rig()
    surface = sinew.figure(rig.skeleton, cell=0.03)
    skin = sinew.Skin(surface, rig.skeleton)
    assert skin.weights.sum(axis=1) == pytest.approx(1, abs=1e-5)
    rest = rig.skeleton.pose().forward()
    assert skin.deform(rest) == pytest.approx(surface.vertices, abs=1e-5)
    moved = next(skin.frames(rig))
    assert np.isfinite(moved).all() and np.abs(moved - surface.vertices).max() > 0.05


def test_retargeting(walk):
    rig = sinew.solve(walk).motion.rig()
    carried = rig.retarget(sinew.preset("humanoid"))
    assert len(carried) == len(rig) and carried.report["mapped_count"] > 10 and carried.report["foot_slide"] < 0.005


@pytest.mark.skipif(not os.path.isdir("/sys/devices/system/cpu"), reason="pocl ends the program without /sys")
def test_a_device_or_the_reason_why_not():
    batch = sinew.Batch(sinew.preset("panda"), [sinew.Goal.position("tool", (0.4, 0, 0.4))], device="opencl")
    answer = batch.solve(np.random.default_rng(5).uniform(0.2, 0.5, (256, 1, 3)))
    assert answer.reached.mean() > 0.95 and (batch.device != "") != (batch.trouble != "")


def test_live(walk):
    actor = sinew.solve(walk).body.kept
    offline = actor.solve(walk).places
    live = np.array([frame.pose.places.copy() for frame in sinew.Live(actor, walk.markers, predict_from=walk).run(walk.positions)])
    assert live.shape == offline.shape and np.abs(live - offline).max() < 0.02  # the same body, without the future
    hidden = walk.positions
    hidden[50:60] = np.nan
    lost = [frame.is_lost for frame in sinew.Tracker(actor, walk.markers).run(hidden)]
    assert lost[55] and not lost[70]


def test_layouts_of_others(walk):
    walk["LKNE"][10:20] = np.nan
    theirs = sinew.to_ezc3d(walk)
    assert theirs["data"]["points"].shape == (4, len(walk.markers), 120)
    again = sinew.from_ezc3d(theirs, up=walk.up)
    assert np.allclose(again.points, walk.points, atol=1e-3, equal_nan=True) and again.markers == walk.markers and again.rate == walk.rate
    kit = sinew.to_kineticstoolkit(walk)
    series = kit if hasattr(kit, "time") else type("TimeSeries", (), kit)
    assert series.data["LKNE"].shape == (120, 4) and np.isnan(series.data["LKNE"][12, 0])
    back = sinew.from_kineticstoolkit(series)
    assert np.allclose(back.positions, walk.positions, atol=1e-6, equal_nan=True) and abs(back.rate - 120) < 1e-6


def test_a_call_costs_little():
    reach = sinew.Reach(sinew.preset("chain10"), [sinew.Goal.position(9, (0.5, 0.3, 0))])
    reach.solve()
    best = min(_seconds(lambda: reach.solve(), 200) for _ in range(5))
    assert best < 100e-6, f"{best * 1e6:.1f} us"  # goal 50 us with the solve in it, doubled for a busy machine


def _seconds(work, count):
    start = time.perf_counter()
    for _ in range(count):
        work()
    return (time.perf_counter() - start) / count
