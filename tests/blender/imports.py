"""Files of Sinew in Blender: BVH and GLB move joints where the CSV says, at the right speed, bones have their length; names for Rigify are
those of Rigify's own human. Run by Blender: blender --background --python imports.py -- FOLDER, which holds walk.bvh, walk.csv (joints of
walk.bvh), walk.glb and rigify.bvh. Prints one line for each thing."""
import builtins, csv, math, pathlib, sys

import bpy, numpy

# Debian 12's Blender 3.4 came before its NumPy 1.24 and Python 3.11: the importers use names that these have no more.
numpy.bool = bool
plain = builtins.open
builtins.open = lambda file, mode="r", *more, **named: plain(file, mode.replace("U", ""), *more, **named)

folder = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
rows = list(csv.reader(plain(folder / "walk.csv")))
truth = [{head[:-7]: [float(cell) / 1000 for cell in row[k:k + 3]] for k, head in enumerate(rows[0]) if head.endswith("_X (mm)")} for row in rows[1:]]
rate = 1 / (float(rows[2][1]) - float(rows[1][1]))


def fresh():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def armature():
    return next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")


def compare(name, first):
    """Every joint of every seventh frame; frame 0 of the file is `first` of the scene."""
    scene, body, worst, joints = bpy.context.scene, armature(), 0, set()
    fps = scene.render.fps / scene.render.fps_base
    for f in range(0, len(truth), 7):
        at = first + f * fps / rate
        scene.frame_set(int(at), subframe=at - int(at))
        for joint, (x, y, z) in truth[f].items():
            bone = body.pose.bones.get(joint)
            if bone is None:
                continue
            joints.add(joint)
            worst = max(worst, math.dist(body.matrix_world @ bone.head, (x, -z, y)))  # +Y up becomes +Z up
    shortest = min((bone.tail_local - bone.head_local).length * body.matrix_world.to_scale()[0] for bone in body.data.bones if bone.name in truth[0])
    print(f"{name} JOINTS {len(joints)} PLACE {1000 * worst:.4f} FPS {fps:g} SHORTEST {1000 * shortest:.0f}")


fresh()
bpy.ops.import_anim.bvh(filepath=str(folder / "walk.bvh"), global_scale=0.01, update_scene_fps=True, update_scene_duration=True)
compare("BVH", 1)
fresh()
bpy.context.scene.render.fps = round(rate)
bpy.ops.import_scene.gltf(filepath=str(folder / "walk.glb"))
compare("GLB", 0)

fresh()
bpy.ops.preferences.addon_enable(module="rigify")
bpy.ops.object.armature_basic_human_metarig_add()
human = {bone.name: bone.parent.name if bone.parent else "" for bone in armature().data.bones}
fresh()
bpy.ops.import_anim.bvh(filepath=str(folder / "rigify.bvh"), global_scale=0.01)
ours = {bone.name: bone.parent.name if bone.parent else "" for bone in armature().data.bones}
print(f"RIGIFY OURS {len(ours)} UNKNOWN {','.join(sorted(set(ours) - set(human))) or 'none'}")
# A bone that hangs from another one than there hangs from one further up: bones in between are ours to leave out.
strange = []
for name, parent in ours.items():
    above, ups = human.get(name, ""), []
    while above:
        ups.append(above)
        above = human[above]
    if parent and parent not in ups:
        strange.append(f"{name} from {parent}")
print(f"RIGIFY ELSEWHERE {'; '.join(strange) or 'none'}")
