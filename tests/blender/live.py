"""The add-on examples/live/blender_vmc.py in Blender: VMC packets move an armature as the motion that Blender itself imports does.
Run by Blender: blender --background --python in_blender.py -- ADDON GLB PACKETS; the GLB has VRM's names and as many frames a second as
the stream; PACKETS are lines of hexadecimal. Prints how far bones are from one another, in degrees and millimetres."""
import importlib.util, math, sys

import bpy, numpy
from mathutils import Matrix

numpy.bool = bool  # Debian 12's importer of glTF needs the name that its NumPy 1.24 has no more



def angle(a, b):
    turn = a.to_quaternion().rotation_difference(b.to_quaternion()).angle
    return math.degrees(min(turn, 2 * math.pi - turn))


addon, glb, packets = sys.argv[sys.argv.index("--") + 1:]
spec = importlib.util.spec_from_file_location("blender_vmc", addon)
vmc = importlib.util.module_from_spec(spec)
spec.loader.exec_module(vmc)
vmc.register()
assert hasattr(bpy.types, "OBJECT_OT_sinew_live"), "the operator is not there"
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=glb)
armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
action, scene = armature.animation_data.action, bpy.context.scene
rate = scene.render.fps / scene.render.fps_base
frames, time = {}, None
for line in open(packets):
    data = bytes.fromhex(line)
    for address, values in vmc.messages(data):
        time = values[0] if address == "/VMC/Ext/T" else time
    frames.setdefault(time, []).append(data)
worst_turn, worst_place, at_rest, compared = 0, 0, 0, 0
for time in sorted(frames)[5:-1:7]:
    armature.animation_data.action = action
    exact = time * rate
    scene.frame_set(int(exact), subframe=exact - int(exact))
    wanted = {bone.name: bone.matrix.copy() for bone in armature.pose.bones}
    armature.animation_data.action = None
    for bone in armature.pose.bones:
        bone.matrix_basis = Matrix()
    bpy.context.view_layer.update()
    at_rest = max(at_rest, *(angle(wanted[bone.name], bone.matrix) for bone in armature.pose.bones))
    for data in frames[time]:
        compared += vmc.move(armature, data)
    bpy.context.view_layer.update()
    sent = {name[0].lower() + name[1:] for data in frames[time] for name in vmc.bones(data)}
    for bone in armature.pose.bones:
        if bone.name not in sent:
            continue
        worst_turn = max(worst_turn, angle(wanted[bone.name], bone.matrix))
        worst_place = max(worst_place, (wanted[bone.name].translation - bone.matrix.translation).length)
vmc.unregister()
print(f"BONES {compared} TURN {worst_turn:.4f} PLACE {1000 * worst_place:.3f} REST {at_rest:.1f}")
