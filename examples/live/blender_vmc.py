"""Blender add-on: bones that `sinew live --vmc HOST` sends move the active armature (Unity's or VRM's names of bones).
Object > Sinew live starts and stops it. Python's standard library alone reads the packets."""
bl_info = {"name": "Sinew live (VMC)", "blender": (3, 0, 0), "category": "Animation", "version": (1, 0, 0)}
import socket, struct

PORT = 39539


def text(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), end // 4 * 4 + 4


def messages(data):
    """(address, values) of an OSC packet: a message, or a bundle of them."""
    if data[:8] == b"#bundle\0":
        at = 16
        while at + 4 <= len(data):
            size, = struct.unpack_from(">i", data, at)
            yield from messages(data[at + 4:at + 4 + size])
            at += 4 + size
        return
    address, at = text(data, 0)
    types, at = text(data, at)
    values = []
    for kind in types[1:]:
        if kind == "s":
            value, at = text(data, at)
        else:
            value, = struct.unpack_from(">" + kind, data, at)
            at += 4
        values.append(value)
    yield address, values


def bones(data):
    """name: (place, rotation w x y z), from the parent bone, right-handed with +Y up: Unity's x is mirrored."""
    found = {}
    for address, v in messages(data):
        if address == "/VMC/Ext/Bone/Pos" and len(v) >= 8:
            found[v[0]] = ((-v[1], v[2], v[3]), (v[7], v[4], -v[5], -v[6]))
    return found


try:
    import bpy
    from mathutils import Quaternion, Vector
except ImportError:  # outside of Blender: the readers above alone
    bpy = None

if bpy:
    def move(armature, data):
        """The bones of a packet on an armature that rests in a T; how many it has. Armatures of Blender's importers have +Z up, some +Y."""
        pose, moved = armature.pose.bones, 0
        find = lambda name: next((pose[n] for n in (name, name[0].lower() + name[1:]) if n in pose), None)
        hips, head = find("Hips"), find("Head")
        way = head.bone.head_local - hips.bone.head_local if hips and head else Vector((0, 0, 1))
        axes = Quaternion((1, 0, 0), 1.5707963267948966) if abs(way.z) > abs(way.y) else Quaternion()
        for name, (place, turn) in bones(data).items():
            bone = find(name)
            if bone is None:
                continue
            rest = bone.bone.matrix_local.to_quaternion()  # the armature's axes from the bone's
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = rest.inverted() @ (axes @ Quaternion(turn) @ axes.inverted()) @ rest
            if bone == hips:
                bone.location = rest.inverted() @ (axes @ Vector(place) - bone.bone.head_local)
            moved += 1
        return moved

    class SinewLive(bpy.types.Operator):
        bl_idname, bl_label = "object.sinew_live", "Sinew live"
        running = None

        def modal(self, context, event):
            cls = type(self)
            if event.type == "TIMER":
                try:
                    while context.object and context.object.type == "ARMATURE":
                        move(context.object, cls.running.recv(65536))
                except BlockingIOError:
                    pass
                except OSError:
                    return {"CANCELLED"}
            return {"PASS_THROUGH"} if cls.running else {"FINISHED"}

        def execute(self, context):
            cls = type(self)
            if cls.running:
                cls.running.close()
                cls.running = None
                return {"FINISHED"}
            cls.running = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            cls.running.bind(("127.0.0.1", PORT))
            cls.running.setblocking(False)
            context.window_manager.event_timer_add(1 / 60, window=context.window)
            context.window_manager.modal_handler_add(self)
            return {"RUNNING_MODAL"}

    def menu(self, _):
        self.layout.operator(SinewLive.bl_idname)

    def register():
        bpy.utils.register_class(SinewLive)
        bpy.types.VIEW3D_MT_object.append(menu)

    def unregister():
        bpy.types.VIEW3D_MT_object.remove(menu)
        bpy.utils.unregister_class(SinewLive)
