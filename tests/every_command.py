"""Every command with every option of --help on small files that prepare() makes: what check_allocations and check_hostile run."""
import csv, math, shlex, struct, subprocess, sys

COMMANDS = [shlex.split(line) for line in r"""
info in.c3d --json
info walk.amc --asf body.asf --lenient --up z --input-unit cm
info in.c3d gaps.c3d --report out -j 1
info --files list.txt --shard 1/2 -j 1
convert in.c3d -o out.trc --units m --to-up z --decimals 3 --all-points
convert in.c3d -o out.csv --frames 2-9 --markers L* --rename LASI=A --force
convert walk.bvh -o out.glb --names mixamo --rest t-pose --floor --foot-lock --symmetric
convert walk.bvh -o out.asf --input-unit cm
convert walk.amc -o out.mot --asf body.asf --lenient
convert in.c3d -o out.c3d --rate 40 --up y --json
convert loose.c3d -o out.c3d --join --recognise
convert in.c3d gaps.c3d -o out --to trc -j 1
convert --files list.txt -o out --to trc --shard 1/1 -j 1 --json
segments in.c3d --svg out.svg --list out.txt --force
segments in.c3d --segments spectral --count 5 --no-join --no-recognise --keep-zeros --json
segments in.c3d --method rigidity --tolerance 20
centers in.c3d --debias
centers in.c3d --parent Chest --child Head -m two-sided --trust --lenient --keep-zeros --json
solve in.c3d -o out.bvh --svg out.svg --save-actor out.actor --truth truth-joints.c3d --names humanik --rest captured --floor --foot-lock
solve in.c3d --report out.html -m two-sided --root Hips --segments names --keep-zeros --force
solve gaps.c3d -o out.c3d --actor joe.actor --realtime --json
solve gaps.c3d -o out.bvh --actor joe.actor --style walk.style
solve gaps.c3d -o out.glb --with-markers --smooth --calibrate 0.2 --part 1 --rate 30
solve in.c3d -o out.bvh --symmetric
solve in.c3d --markerset segments.txt --up y --no-join --no-recognise --keep-slips
solve in.c3d gaps.c3d -o out --to bvh -j 1 --share-actor
solve views --cameras cameras.toml --camera-rate 50 --part 1
solve moving --cameras cameras.toml --synchronise 0.1
triangulate moving --cameras cameras.toml --synchronise 0.1
solve in.c3d --static in.c3d
solve --files list.txt --shard 2/2 --report out -j 1
fill gaps.c3d -o out.c3d --report out.html --uncertainty out.csv --as-labelled --max-gap 100 --unsure 100 --force
fill gaps.c3d -o out.trc --realtime --calibrate 0.1 --blend 0.1 --rays rays.csv --json
fill gaps.c3d -o out.csv --method lowrank --keep-zeros
fill gaps.c3d -o out.csv --method body --actor joe.actor
fill gaps.c3d in.c3d -o out --to c3d -j 1
fill --files list.txt --shard 1/2 -o out -j 1
merge many --force
angles in.c3d -o out.csv --static in.c3d --velocity --filter 8 --convention functional --lenient --up y --keep-zeros --force
angles in.c3d --no-join --no-recognise --json
angles anatomy.c3d -o out.mot --convention opensim --parameter LKneeWidth=105 --hip bell --no-flat-foot
angles --files list.txt --to csv --shard 1/2 -o out -j 1
gait --files steps.txt --to csv --shard 1/1 -o out -j 1
kinetics step.c3d --static anatomy.c3d --mass 70 --cutoff 8 --lenient --up z --keep-zeros --json
kinetics step.c3d -o out.csv --cycles more.csv --mass 70 --force --functional turns.c3d
kinetics step.c3d -o out.c3d --mass 70 --axes joint --inertia pig --measures joe.mp
angles anatomy.c3d --measures joe.mp --convention isb
kinetics step.c3d -o out.sto --mass 70 --axes proximal --zero-plates
gait step.c3d --emg out.csv --channels Fz1 --forces more.mot --force-filter 20
angles anatomy.c3d --functional turns.c3d --hip functional --convention isb
gait anatomy.c3d --cycles out.csv --functional turns.c3d --measures joe.mp
opensim step.c3d -o out --measures joe.mp --static anatomy.c3d --functional turns.c3d --mass 70 --cutoff 8 --lenient --up z --keep-zeros --force
study step.c3d anatomy.c3d --person anna -o out.csv --normal bands.csv --against strides.csv --colours safe --patient A --lab B --mass 70 --force
study step.c3d --person anna -o out.csv --convention isb --lenient --up z --keep-zeros --normal strides.csv
study --files steps.txt --by name --shard 1/1 -o out -j 1
kinetics --files steps.txt --to csv --shard 1/1 -o out -j 1 --mass 70
gait anatomy.c3d -o out.csv --events zeni --no-plates --filter 8 --lenient --up y --keep-zeros --force
gait anatomy.c3d --cycles out.csv --convention pig --static anatomy.c3d --json
gait plates.c3d --forces out.mot --svg out.svg --plates out.forceplates --analog out.csv --zero-plates --up z
synth --seconds 0.3 out.c3d --truth out --rays out-rays.csv --cameras 3 --gaps head/1@any+3 --seed 2 --rate 60 --path 3 --force
synth --seconds 0.3 out.c3d --sensors out.csv --magnetic 5 --force
sensors sensors.csv -o out.bvh --pose 0.5 --arms-down --keep-headings --force
sensors sensors.csv --capture sensed.c3d -o out.bvh --json
sensors sensors.csv --actor joe.actor
synth --seconds 0.3 out.c3d --truth out --cameras 3 --views out-points.csv --pixel-noise 0.2 --picture 1024 --lost 1 --false-points 2 --knock 2:1 --delay 0.5 --drift 10
synth --seconds 0.3 out.trc -m dance --body humanoid --markers 3 --noise 1 --wobble 1 --unlabelled --up z --json
synth --seconds 1 out.csv --trackers 3 --elbows --rate 20
synth --seconds 1 out.c3d -m gestures --hand left --gesture pinch --rate 20
synth out.c3d --from walk.amc --asf body.asf
ik -b humanoid --move left_wrist:50,0,0 --svg out.svg -o out.bvh --force
ik walk.bvh --frame 2 --unit 10 --goal LeftHand:100,900,200 --turn Head:0,20,0 --aim Head:0,1000,2000 --value LeftForeArm:20 --json
ik -b humanoid --pose left_wrist:300,1000,200:0,0,0 --pole left_elbow:0,0,-1000 --prefer rest --posture all --root free --seed 3
ik -b humanoid --line left_wrist:300,1000,200:0,1,0 --plane right_wrist:-300,1000,200:0,0,1 --floor left_ankle:0,0,0:0,1,0 --rest all
ik walk.bvh --move LeftHand:50,0,0 --style walk.style --style-weight 2 --from Spine --lock LeftForeArm --stiff Head:3
ik -b humanoid --move left_wrist:50,0,0 -s all --no-limits --tolerance 1 --turn-tolerance 1 --iterations 20 --turn-max 90
ik -b ur5 --pose tool:400,100,400:0,90,0 --all-solutions
ik -b panda --pose tool:400,100,400:180,0,0 --all-solutions --hold joint7:0
ik -b panda --pose tool:400,100,400:180,0,0 --all-solutions
ik -b panda --map tool --cell 400 --directions 2 --rolls 1 --threads 2 --device cpu --svg out.svg -o out.csv
ik -b humanoid --move left_wrist:50,0,0 --nearest 2
ik -b humanoid --goal left_wrist:300,400,400 --swivel left_elbow:40 --blend 0.5 --shapes mass
ik walk.bvh --stairs 50,300 --gaze 0,1500,3000 -o out.bvh
ik -b panda --goal tool:400,300,400 --obstacle 250,150,500:100 --margin 10 --thick 40
ik -b panda --move tool:100,0,200 --step 100 --seconds 0.2 --gain 5 --speed 60 --acceleration 300
ik -b ur5 --goal tool:400,100,300 --trajectory 50 --jerk 3600 -o out.csv
ik walk.amc --asf body.asf --targets hands.trc -o out.amc
body humanoid --json
body humanoid --svg out.svg --force
body
cameras cameras.toml -o out.toml --input-unit m --svg out.svg --force --json
cameras points.toml --calibrate points.csv -o out.toml --lens --force
cameras cameras.toml --calibrate wand.csv --anew --wand 0.5 --force
cameras cameras.toml --calibrate views --bone LHip:LKnee:0.4
cameras cameras.toml --calibrate views --anew --height 1.75
triangulate points.csv --cameras points.toml -o out.c3d --rays out-rays.csv --rate 60 --up y --json
triangulate points.csv --cameras points.toml -o out.c3d --keep-cameras --force
solve points.csv --cameras points.toml --up y
triangulate views --cameras cameras.toml -o out.trc --rate 50 --points coco_17 --people 1 --smooth --keep-cameras --up z --force --json
learn walk.bvh -o out.style --components 2 --dimensions 2 --rate 10 --shrinkage 20 --no-mirror --input-unit cm --force
learn walk.amc --asf body.asf -o out.style --components 1 --dimensions 1 --json
learn in.c3d --actor joe.actor -o out.style --components 1 --dimensions 1
hand hand.c3d -o out.bvh --svg out.svg --report out.html --save-profile out.actor --side left --lenient --up y --force
hand hand.c3d -o out.c3d --method chain --without limits --realtime --rest hand.c3d --json
hand hand.c3d --calibrate hand.c3d
hand hand.c3d -o out.glb --skin
hand hand.c3d --profile hand.actor
avatar track.c3d -o out.bvh --svg out.svg --report out.html --save-profile out.actor --save-states out.states --calibrate elbows.c3d --rest-seconds 0.5 --force
avatar track.c3d -o out.trc --method hand-elevation --shake one-euro --no-legs --lenient --up y --rest track.c3d --json
avatar track.c3d --profile avatar.actor --method state-space --states table.states
avatar track.c3d --profile avatar.actor -o out.glb --names unreal --floor --foot-lock --symmetric
mesh info solid.mesh --input-unit cm --json
mesh repair open.obj -o out.stl --merge 0.01 --holes 9 --force
mesh convert solid.mesh -o out.meshb
mesh surface solid.mesh -o out.ply --json
mesh cut solid.mesh --normal 1,1,0.3 --at 0.2 -o out.ply --below below.ply
mesh section solid.mesh --normal 0,0,1 --at 0.2 --svg out.svg --force
mass solid.mesh --density 900 --region 2=1100 --gradient 0,1,0 --by tetrahedra --json
mass walk.bvh -o out.mot --people women --stature 1.7 --mass 65 --girth waist=800 --cell 60 --input-unit cm --force
mass walk.bvh --asf body.asf --cell 60
skin walk.bvh -o out.glb --people women --stature 1.6 --mass 60 --cell 40 --girth waist=700 --input-unit cm --force
skin walk.bvh -o out.glb --cell 60 --joints 8 --bends
skin open.obj humanoid -o out.glb --no-fit --json
skin open.obj walk.amc --asf body.asf -o out.glb
skin humanoid -o out.ply --cell 50
skin walk.bvh -o out.stl --cell 60 --frame 2 --blend linear
solve in.c3d -o out.glb --skin --cell 50 --people women --stature 1.7 --mass 65 --girth hips=950 --joints 8 --bends
retarget walk.bvh --to humanoid -o out.glb --skin --people men --stature 1.7 --mass 70 --girth chest=1000 --cell 60 --no-hands --lenient --input-unit cm --force --joints 8 --bends
retarget in.c3d --to walk.bvh -o out.bvh --no-feet --json
retarget walk.bvh --asf body.asf --to humanoid -o out.mot
mesh tetrahedra solid.mesh -o out.mesh --cell 200 --way lattice --json --force
convert walk.bvh out.vrm
convert body.glb out.bvh --force
retarget walk.bvh --to body.glb -o out.glb
retarget walk.bvh in.c3d --to humanoid -o out --as bvh -j 1
retarget --files list.txt --to walk.bvh -o out --as glb --shard 1/2 -j 1
segments in.c3d --correlation out.txt --force
taylor fit walk.bvh -o out.taylor --order 4 --error 2 --error-mm 20 --window 0.5 --input-unit cm --force
taylor fit walk.bvh walk.bvh -o out.taylor --json
taylor info motion.taylor --json
taylor motion motion.taylor walk.bvh -o out.bvh --rate 30 --between 0.5
taylor table motion.taylor -o out.mot --derivative 1 --rate 20
taylor join motion.taylor motion.taylor -o out.taylor --over 0.2
taylor fit walk.amc --asf body.asf -o out.taylor
mass solid.mesh --by surface --input-unit mm
mass walk.bvh --cell 60 -o out.atm --json
mass humanoid --cell 60
mass arm.xml --json
mass arm.sto arm.xml -o out.mot
film in.c3d -o out.gif --size 32x24 --rate 10 --speed 2 --from 0.1 --to 0.2 --markers --keep-zeros --no-join --no-recognise --up y --lenient --force
film in.c3d -o out.png --picture 0.1 --size 32x24 --skin --cell 60 --people men --stature 1.7 --mass 70 --girth thigh=560 --view left --dark --json
film walk.amc --asf body.asf -o out.png --to 0.1 --rate 10 --size 32x24 --input-unit cm
live --replay in.c3d --speed 0 --actor joe.actor --vmc 127.0.0.1:9 --record out.c3d --up y --force --json
live --replay in.c3d --speed 0 --calibrate 0.2 --save-actor out.actor --states --smooth 6 --predict --force
live --replay in.c3d --loose --speed 0 --actor joe.actor --vrchat 127.0.0.1:9 --livelink 127.0.0.1:9 --page --json
live --replay track.c3d --trackers --speed 0 --actor avatar.actor --record out.trc --force
live --replay hand.c3d --hand left --speed 0 --actor hand.actor --states
manual
completion bash
bench reach-table
demo -o out --json --force
bench ik -c chain -s fabrik -n 2 --budget 0.001 --rounds 1 --goals --json
bench ik --limits -n 1 -s ccd
bench ik --robots -n 1
bench ik --batch -n 1
bench ik --steady -n 1
bench ik --servo -n 1
bench ik --apart -n 1
bench ik --figures out
bench ik --soak 1 -s ccd
bench hand --json
bench avatar walk.bvh walk.bvh
bench see --case calm --goals
bench occlusion --runs 1 --capture anatomy.c3d --gaps out.svg --figure out-path.svg --force
view --export out.html in.c3d --force --json
view --no-open --port 0 --quit in.c3d
""".strip().splitlines()]
PREPARE = """
synth in.c3d --seconds 0.3 --rate 60 --truth truth
synth anatomy.c3d --seconds 2.5 --rate 50 --markers anatomical
synth gaps.c3d --seconds 0.3 --rate 60 --gaps left_knee/1@any+5 --cameras 3 --rays rays.csv
synth sensed.c3d --seconds 4 --rate 50 --sensors sensors.csv
synth seen.c3d --seconds 0.5 --rate 60 --cameras 5 --views points.csv
synth loose.c3d --seconds 0.3 --rate 60 --unlabelled --markers anatomical
synth hand.c3d -m gestures --hand left --seconds 1 --rate 30
synth track.c3d --trackers 4 --seconds 1.5 --rate 20
synth elbows.c3d --trackers 4 --elbows --seconds 1.5 --rate 20
solve in.c3d -o walk.bvh --save-actor joe.actor
convert walk.bvh -o body.asf
convert walk.bvh -o body.glb
convert walk.bvh -o walk.amc
convert walk.bvh -o hands.trc
segments in.c3d --list segments.txt
learn walk.bvh -o walk.style --components 1 --dimensions 1
hand hand.c3d --save-profile hand.actor
avatar track.c3d --calibrate elbows.c3d --save-profile avatar.actor --save-states table.states
convert anatomy.c3d -o anatomy.csv --to-up z
convert in.c3d gaps.c3d -o many --to trc
synth turns.c3d --motion range --seconds 6 --rate 25 --markers anatomical
study anatomy.c3d --person anna -o strides.csv
""".strip().splitlines()


def standing(labels, frames, foot):
    """Where the heel and toe of a foot rest longest: the frames and the middle between them."""
    at = [3 * next(n for n, label in enumerate(labels) if label.endswith(name)) for name in foot]
    place = lambda frame: [(frame[at[0] + k] + frame[at[1] + k]) / 2 for k in range(3)]
    slow = [n for n in range(1, len(frames) - 1) if math.dist(place(frames[n - 1]), place(frames[n + 1])) < 20]
    runs = [[n for n in slow if n - slow.index(n) == key] for key in {n - k for k, n in enumerate(slow)}]
    best = max(runs, key=len)
    return best, place(frames[best[len(best) // 2]])


def write_plates(table, path, foot=None):
    """The markers of a CSV table as a C3D file with a force plate of type 2 that carries 700 N, all the time or while a foot stands on
    it; 2 analog samples a frame."""
    rows = list(csv.reader(open(table)))
    labels = [name.removesuffix("_X (mm)") for name in rows[0][2::3]]
    frames = [[float(number or "nan") for number in row[2:]] for row in rows[1:]]
    loaded, (x, y, _), half = (range(5, len(frames)), (0, 0, 0), 5e3) if not foot else (*standing(labels, frames, foot), 200.0)
    rate, samples, channels = 50.0, 2, ("Fx1", "Fy1", "Fz1", "Mx1", "My1", "Mz1")
    text = lambda words, width: b"".join(word.encode().ljust(width) for word in words)
    short, real = lambda *n: struct.pack(f"<{len(n)}h", *n), lambda *n: struct.pack(f"<{len(n)}f", *n)
    groups = {"POINT": [("USED", 2, (), short(len(labels))), ("FRAMES", 2, (), short(len(frames))), ("SCALE", 4, (), real(-1.0)), ("RATE", 4, (), real(rate)),
                        ("DATA_START", 2, (), short(0)), ("UNITS", -1, (2,), b"mm"), ("LABELS", -1, (24, len(labels)), text(labels, 24))],
              "ANALOG": [("USED", 2, (), short(6)), ("RATE", 4, (), real(rate * samples)), ("GEN_SCALE", 4, (), real(1.0)), ("SCALE", 4, (6,), real(*[1.0] * 6)),
                         ("OFFSET", 2, (6,), short(*[0] * 6)), ("LABELS", -1, (4, 6), text(channels, 4)), ("UNITS", -1, (4, 6), text(["N"] * 3 + ["Nmm"] * 3, 4))],
              "FORCE_PLATFORM": [("USED", 2, (), short(1)), ("TYPE", 2, (1,), short(2)), ("ZERO", 2, (2,), short(1, 5)), ("CHANNEL", 2, (6, 1), short(*range(1, 7))),
                                 ("CORNERS", 4, (3, 4, 1), real(x + half, y + half, 0, x - half, y + half, 0, x - half, y - half, 0,
                                                                  x + half, y - half, 0)), ("ORIGIN", 4, (3, 1), real(0, 0, -40.0))]}
    records = []
    for number, (group, parameters) in enumerate(groups.items(), 1):
        records.append((struct.pack("<bb", len(group), -number) + group.encode(), b"\0"))
        for name, kind, dimensions, data in parameters:
            tail = struct.pack("<bb", kind, len(dimensions)) + bytes(dimensions) + data + b"\0"
            records.append((struct.pack("<bb", len(name), number) + name.encode(), tail))
    blocks = lambda: -(-(4 + sum(len(head) + 2 + len(tail) for head, tail in records)) // 512)
    section = b"\1\x50" + bytes((blocks(), 84))
    for at, (head, tail) in enumerate(records):
        section += head + struct.pack("<h", 0 if at + 1 == len(records) else len(tail) + 2) + tail
    section = section.ljust(512 * blocks(), b"\0")
    start = 2 + blocks()
    header = struct.pack("<bb5hfhhf", 2, 80, len(labels), 6 * samples, 1, len(frames), 0, -1.0, start, samples, rate)
    place = section.index(b"DATA_START") + len("DATA_START") + 2 + 2
    section = section[:place] + short(start) + section[place + 2:]
    with open(path, "wb") as out:
        out.write(header.ljust(512, b"\0") + section)
        for number, frame in enumerate(frames):
            for x, y, z in zip(frame[0::3], frame[1::3], frame[2::3]):
                out.write(real(x, y, z, 0.0) if x == x else real(0.0, 0.0, 0.0, -1.0))
            push = 700.0 if number in loaded else 0.0
            out.write(real(10.0, 5.0, push, 100.0, 200.0, 300.0) * samples)


def see(n, x, y, z):
    """Where camera n of the two sees a place."""
    right, down, depth = (x, 1 - z, 4 + y) if n else (-y, 1 - z, 4 + x)
    return 960 + 1000 * right / depth, 540 + 1000 * down / depth


def make_views(folder):
    """Two cameras look at somebody with seventeen points who stands for three frames."""
    import json
    text = ""
    for n, (turn, place) in enumerate((((1.2092, -1.2092, 1.2092), (0, 1, 4)), ((1.5708, 0, 0), (0, 1, 4)))):
        text += f"[cam{n}]\nname = \"cam{n}\"\nsize = [1920, 1080]\nmatrix = [[1000, 0, 960], [0, 1000, 540], [0, 0, 1]]\ndistortions = [0, 0, 0, 0]\n"
        text += f"rotation = [{turn[0]}, {turn[1]}, {turn[2]}]\ntranslation = [{place[0]}, {place[1]}, {place[2]}]\n"
        (folder / "views" / f"cam{n}").mkdir(parents=True, exist_ok=True)
        for frame in range(3):
            points = []
            for p in range(17):
                points += [*see(n, 0.1 * (p % 3), 0.1 * (p % 2), 0.1 * p), 0.9]
            (folder / "views" / f"cam{n}" / f"p_{frame:03d}.json").write_text(json.dumps({"people": [{"pose_keypoints_2d": points}]}))
        (folder / "moving" / f"cam{n}").mkdir(parents=True, exist_ok=True)  # the same, who sways as one; the second camera is a frame late
        for frame in range(60):
            at = (frame + n) / 60
            sway = (0.3 * math.sin(7 * at), 0.2 * math.sin(5 * at), 0.1 * math.sin(9 * at))
            points = [x for p in range(17) for x in (*see(n, 0.1 * (p % 3) + sway[0], 0.1 * (p % 2) + sway[1], 0.1 * p + sway[2]), 0.9)]
            (folder / "moving" / f"cam{n}" / f"p_{frame:03d}.json").write_text(json.dumps({"people": [{"pose_keypoints_2d": points}]}))
    (folder / "cameras.toml").write_text(text)
    wand = "frame,camera,x,y\n"  # three markers, half a metre from end to end, turned and moved about
    for frame in range(40):
        turn, height = 0.4 * frame, 0.5 + 0.3 * math.sin(0.9 * frame)
        middle = (0.5 * math.cos(0.3 * frame), 0.5 * math.sin(0.7 * frame), 1 + 0.4 * math.sin(0.5 * frame))
        along = (math.cos(turn) * math.cos(height), math.sin(turn) * math.cos(height), math.sin(height))
        for n in range(2):
            for at in (-0.25, -0.1, 0.25):
                x, y = see(n, *(m + at * a for m, a in zip(middle, along)))
                wand += f"{frame + 1},{n + 1},{x:.4f},{y:.4f}\n"
    (folder / "wand.csv").write_text(wand)


def prepare(sinew, folder):
    """Makes the files in the folder; the failure of a command ends the test."""
    for made in PREPARE:
        done = subprocess.run([sinew, *shlex.split(made)], cwd=folder, capture_output=True)
        if done.returncode:
            sys.exit(f"{made}: {done.stderr.decode()}")
    write_plates(folder / "anatomy.csv", folder / "plates.c3d")
    write_plates(folder / "anatomy.csv", folder / "step.c3d", ("LHEE", "LTOE"))
    make_views(folder)
    (folder / "joe.mp").write_text("$Bodymass = 70\n$LKneeWidth = 105\n$RKneeWidth = 104\n")
    (folder / "bands.csv").write_text("variable,percent,mean,sd\nknee_flexion,0,6,4\nknee_flexion,100,6,4\n")
    (folder / "list.txt").write_text("in.c3d\ngaps.c3d\n")
    (folder / "steps.txt").write_text("step.c3d\n")
    (folder / "solid.mesh").write_text("MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
                                       "Triangles 4\n1 3 2 0\n1 2 4 0\n2 3 4 0\n1 4 3 0\nTetrahedra 1\n1 2 3 4 2\nEnd\n")
    (folder / "motion.taylor").write_text("MOTION a\nVARIABLES 1\nORDER 3\nFREEDOMS 2\nHips_tx Hips_ry\nWINDOWS 1\nWINDOW 0 1 CENTER 0.5\n"
                                          "0 1 2 3 4\n0.1 4 5 6 7\nENDMOTION\n")
    (folder / "arm.xml").write_text("<mujoco><worldbody><body name='a'><joint name='turn'/><inertial pos='0 0 1' mass='2' diaginertia='1 1 1'/>"
                                    "</body></worldbody></mujoco>")
    (folder / "arm.sto").write_text("arm\nversion=1\nnRows=2\nnColumns=2\ninDegrees=no\nendheader\ntime\tturn\n0\t0\n0.1\t0.2\n")
    (folder / "open.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n")
