/* Bodies, motions and our own texts of one structure and any length, for test_growth; and files of
 * all formats that ask for much memory with few bytes. */
#ifndef SNW_TESTS_GROWTH_BODIES_H
#define SNW_TESTS_GROWTH_BODIES_H

#include "growth_files.h"

/* ---- BVH -----------------------------------------------------------------------------------
 */

static inline void put_bvh(growing *file, int joints, bool is_chain, const char *name, int frames)
{
    put(file, "HIERARCHY\nROOT r {\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n");
    for (int j = 1; j < joints; j++) {
        put(file, "JOINT ");
        put(file, name, j);
        put(file, " {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n%s", is_chain ? "" : "}\n");
    }
    put_times(file, is_chain ? joints - 1 : 0, "}\n");
    put(file, "}\nMOTION\nFrames: %d\nFrame Time: 0.01\n", frames);
    for (int frame = 0; frame < frames; frame++) {
        put_times(file, joints + 2, "1.5 ");
        put(file, "\n");
    }
}

static inline void bvh_frames(growing *file, int n)
{
    put_bvh(file, 10, true, "J%d", n);
}

static inline void bvh_chain(growing *file, int n)
{
    put_bvh(file, n, true, "J%d", 1);
}

static inline void bvh_star(growing *file, int n)
{
    put_bvh(file, n, false, "J%d", 1);
}

static inline void bvh_same_names(growing *file, int n)
{
    put_bvh(file, n, true, "J", 1);
}

/* Numbers that a second joint of one name would be given are taken. */
static inline void bvh_taken_names(growing *file, int n)
{
    put_bvh(file, n / 2, true, "J#%d", 0);
    file->size -= strlen("}\nMOTION\nFrames: 0\nFrame Time: 0.01\n");
    for (int j = 0; j < n / 2; j++)
        put(file, "JOINT J {\nOFFSET 0 1 0\n}\n");
    put(file, "}\nMOTION\nFrames: 0\nFrame Time: 0.01\n");
}

/* The shortest joints: what is kept of each is many times its text. */
static inline void bvh_short_joints(growing *file, int n)
{
    put(file, "HIERARCHY\nROOT\n{\n");
    put_times(file, n, "JOINT\n{\n}\n");
    put(file, "}\n");
}

static inline void bvh_channels(growing *file, int n)
{
    put(file, "HIERARCHY\nROOT r {\nOFFSET 0 0 0\nJOINT a {\nOFFSET 0 0 1\nCHANNELS %d ", n);
    put_times(file, n, "Xposition ");
    put(file, "\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.01\n");
    for (int frame = 0; frame < 2; frame++) {
        put_times(file, n, "1.5 ");
        put(file, "\n");
    }
}

static inline void bvh_end_sites(growing *file, int n)
{
    put(file, "HIERARCHY\nROOT r {\nOFFSET 0 0 0\n");
    put_times(file, n, "End Site {\nOFFSET 0 0 1\n}\n");
    put(file, "}\n");
}

/* ---- ASF and AMC ---------------------------------------------------------------------------
 */

static inline void put_asf(growing *file, int bones, bool is_chain, const char *bone)
{
    put(file, ":units\nlength 0.45\nangle deg\n:root\norder TX TY TZ RX RY RZ\naxis XYZ\n"
              "position 0 0 0\norientation 0 0 0\n:bonedata\n");
    for (int b = 0; b < bones; b++) {
        put(file, "begin\nname b%d\n", b);
        put(file, "%s", bone);
        put(file, "end\n");
    }
    put(file, ":hierarchy\nbegin\nroot b%d\n", is_chain ? bones - 1 : 0);
    for (int b = is_chain ? bones - 1 : 1; b >= 1 && b < bones; b += is_chain ? -1 : 1)
        is_chain ? put(file, "b%d b%d\n", b, b - 1) : put(file, "root b%d\n", b);
    put(file, "end\n");
}

static inline void asf_chain(growing *file, int n)
{
    put_asf(file, n, true, "direction 0 1 0\nlength 2\naxis 0 0 20 XYZ\ndof rx\nlimits (-10 10)\n");
}

static inline void asf_star(growing *file, int n)
{
    put_asf(file, n, false, "direction 0 1 0\nlength 2\n");
}

static inline void asf_short_bones(growing *file, int n)
{
    put_asf(file, n, true, "");
}

/* The body that AMC files below are for. */
#define AMC_BONES 1000

static inline void put_amc(growing *file, int frames, int step)
{
    put(file, ":FULLY-SPECIFIED\n:DEGREES\n");
    for (int frame = 0; frame < frames; frame++) {
        put(file, "%d\nroot 0 0 0 0 0 0\n", frame + 1);
        for (int b = 0; b < AMC_BONES; b++)
            put(file, "b%d 5\n", (int)((int64_t)b * (1 + frame * step) % AMC_BONES));
    }
}

static inline void amc_frames(growing *file, int n)
{
    put_amc(file, n, 0);
}

/* Another order of the bones in every frame (steps of 2 * 3 * 7 keep away from 2 and 5). */
static inline void amc_shuffled(growing *file, int n)
{
    put_amc(file, n, 42);
}

/* ---- robots --------------------------------------------------------------------------------
 */

static inline void put_urdf(growing *file, int links, bool is_chain, bool is_reversed)
{
    put(file, "<robot name=\"r\">\n");
    for (int k = 0; k < links; k++)
        put(file, "<link name=\"l%d\"/>\n", is_reversed ? links - 1 - k : k);
    for (int k = 1; k < links; k++) {
        int child = is_reversed ? links - k : k;
        put(file,
            "<joint name=\"j%d\" type=\"revolute\"><parent link=\"l%d\"/><child link=\"l%d\"/>"
            "<limit lower=\"-1\" upper=\"1\"/></joint>\n",
            child, is_chain ? child - 1 : 0, child);
    }
    put(file, "</robot>\n");
}

static inline void urdf_chain(growing *file, int n)
{
    put_urdf(file, n, true, false);
}

static inline void urdf_reversed(growing *file, int n)
{
    put_urdf(file, n, true, true);
}

static inline void urdf_star(growing *file, int n)
{
    put_urdf(file, n, false, false);
}

static inline void urdf_short_links(growing *file, int n)
{
    put(file, "<robot name=\"r\">");
    for (int k = 0; k < n; k++)
        put(file, "<link name=\"%x\"/>", k);
    put(file, "</robot>");
}

static inline void urdf_elements(growing *file, int n)
{
    put(file, "<robot name=\"r\"><link name=\"a\">");
    put_times(file, n, "<visual><geometry><box size=\"1 1 1\"/></geometry></visual><!-- - -->");
    put(file, "</link></robot>");
}

static inline void urdf_attributes(growing *file, int n)
{
    put(file, "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"");
    for (int k = 0; k < n; k++)
        put(file, " a%d=\"1\"", k);
    put(file, "/></robot>");
}

static inline void mjcf_deep(growing *file, int n)
{
    put(file, "<mujoco><worldbody>");
    for (int k = 0; k < n; k++) {
        put(file, "<body name=\"b%d\" pos=\"0 0 1\"><joint range=\"0 1\" axis=\"0 1 0\"/>", k);
        if (k % 100 == 99) put_times(file, 100, "</body>");
    }
    put_times(file, n % 100, "</body>");
    put(file, "</worldbody></mujoco>");
}

static inline void mjcf_short_bodies(growing *file, int n)
{
    put(file, "<mujoco><worldbody>");
    put_times(file, n, "<body/>");
    put(file, "</worldbody></mujoco>");
}

static inline void mjcf_short_joints(growing *file, int n)
{
    put(file, "<mujoco><worldbody><body>");
    put_times(file, n, "<joint/>");
    put(file, "</body></worldbody></mujoco>");
}

static inline void mjcf_classes(growing *file, int n)
{
    put(file, "<mujoco><default>");
    for (int k = 0; k < n; k++)
        put(file, "<default class=\"c%d\"><joint axis=\"0 1 0\"/></default>", k);
    put(file, "</default><worldbody>");
    for (int k = 0; k < n; k++)
        put(file, "<body name=\"b%d\" childclass=\"c%d\"><joint/></body>", k, k);
    put(file, "</worldbody></mujoco>");
}

/* ---- our own texts -------------------------------------------------------------------------
 */

static inline void actor_joints(growing *file, int n)
{
    put(file, "sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"root\"\n");
    for (int j = 1; j < n; j++)
        put(file, "joint %d 0 1 0 ball 0.5 0.001 0.001 \"j%d\"\n", j - 1, j);
    put(file, "marker 0 0 0 0 0.001 \"m\"\n");
}

static inline void actor_markers(growing *file, int n)
{
    put(file, "sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"root\"\n");
    for (int m = 0; m < n; m++)
        put(file, "marker 0 0 0 0 0.001 \"m%d\"\n", m);
}

static inline void actor_short_joints(growing *file, int n)
{
    put(file, "sinew-actor 1\njoint -1 0 0 0 fixed 0 0 0 r\n");
    for (int j = 1; j < n; j++)
        put(file, "joint 0 0 1 0 ball 0 0 0 %x\n", j);
}

static inline void actor_values(growing *file, int n)
{
    put(file, "sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"root\"\nmarker 0 0 0 0 0.001 \"m\"\n");
    for (int k = 0; k < n; k++)
        put(file, "value 1 0.5 \"v%d\"\n", k);
}

static inline void actor_same_values(growing *file, int n)
{
    put(file, "sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"root\"\nmarker 0 0 0 0 0.001 \"m\"\n");
    put_times(file, n, "value 1 0.5 \"v\"\n");
}

static inline void style_joints(growing *file, int n)
{
    put(file, "sinew-style 1\n");
    for (int j = 0; j < n; j++)
        put(file, "joint hinge 0 0 1 1 0 0 j%d\n", j);
    put(file, "component 1 0.1\nmean");
    put_times(file, n, " 0.5");
    put(file, "\n");
}

/* Directions of one component along the features in turn; 32 at most. */
static inline void style_directions(growing *file, int n)
{
    style_joints(file, n);
    for (int i = 0; i < 32; i++) {
        put(file, "direction 0.5");
        for (int k = 0; k < n; k++)
            put(file, " %d", k == i);
        put(file, "\n");
    }
}

static inline void style_long_names(growing *file, int n)
{
    put(file, "sinew-style 1\n");
    for (int j = 0; j < n; j++) {
        put(file, "joint hinge 0 0 1 1 0 0 ");
        put_times(file, 200, "n");
        put(file, "%d\n", j);
    }
    put(file, "component 1 0.1\nmean");
    put_times(file, n, " 0.5");
    put(file, "\n");
}

static inline void space_states(growing *file, int n)
{
    put(file, "sinew-state-space 1\n");
    for (int k = 0; k < n; k++)
        put(file, "%d %d %d %d %d %d %d 1 0 0 0\n", k % 2, k / 7 % 256, k / 3 % 256, k % 256,
            k / 5 % 64, k / 11 % 64, k % 64);
}

/* ---- much from little: refused, or within the bound ----------------------------------------
 */

static inline void trc_short_rows(growing *file, int n)
{
    put_trc(file, n, 0, "\tM\t\t");
    put_times(file, 5 * n, "1\n");
}

static inline void csv_short_columns(growing *file, int n)
{
    put(file, "Frame,Time");
    put_times(file, n, ",a_x,a_y,a_z");
    put_times(file, 4 * n, "\n1");
}

static inline void csv_empty_columns(growing *file, int n)
{
    put(file, "Frame,Time,a_x,a_y,a_z");
    put_times(file, n, ",");
    put(file, "\n1,0,1,1,1\n2,0.1,1,1,1\n");
}

static inline void mot_short_columns(growing *file, int n)
{
    put(file, "a\nendheader\ntime");
    put_times(file, n, "\ta");
    put_times(file, n, "\n0");
}

static inline void bvh_short_rows(growing *file, int n)
{
    put_bvh(file, 500, false, "J%d", 0);
    file->size = (size_t)(strstr(file->bytes, "Frames:") - file->bytes);
    put(file, "Frame Time: 0.01\n");
    for (int frame = 0; frame < n; frame++) {
        put_times(file, 502, "1 ");
        put(file, "\n");
    }
}

static inline void amc_short_frames(growing *file, int n)
{
    put(file, ":FULLY-SPECIFIED\n:DEGREES\n");
    for (int frame = 0; frame < n; frame++)
        put(file, "%d\n", frame % 10);
}

static inline void asf_shortest_bones(growing *file, int n)
{
    put(file, ":bonedata\n");
    for (int b = 0; b < n; b++)
        put(file, "begin\nname %x\nend\n", b);
    put(file, ":hierarchy\nbegin\nroot");
    for (int b = 0; b < n; b++)
        put(file, " %x", b);
    put(file, "\nend\n");
}

static inline void urdf_shortest_links(growing *file, int n)
{
    put(file, "<robot name=\"r\"><link name=\"0\"/>");
    for (int k = 1; k < n; k++)
        put(file,
            "<link name=\"%x\"/><joint name=\"\" type=\"planar\"><parent link=\"0\"/><child "
            "link=\"%x\"/></joint>",
            k, k);
    put(file, "</robot>");
}

static inline void actor_shortest_joints(growing *file, int n)
{
    put(file, "sinew-actor 1\njoint -1 0 0 0 fixed 0 0 0 r\nmarker 0 0 0 0 0 m\n");
    for (int j = 1; j < n; j++)
        put(file, "joint 0 0 0 0 ball 0 0 0 %x\n", j);
}

static inline void actor_blank_lines(growing *file, int n)
{
    put(file, "sinew-actor 1\njoint -1 0 0 0 fixed 0 0 0 r\nmarker 0 0 0 0 0 m\n");
    put_times(file, n, "\n");
}

/* A list of segments for markers that are not there: each name is looked up. */
static inline void list_of_segments(growing *file, int n)
{
    for (int k = 0; k < n; k++)
        put(file, "segment%d: a%d b%d c%d\n", k, k, k, k);
}

#endif
