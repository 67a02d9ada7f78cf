/* A person's surface against the tables, by section areas that are integrated here; weights and
 * blends by what rigid motions must do, and by the volume that is left. */
#include "solid_shapes.h"

#include <sinew/hand.h>

typedef struct person {
    snw_skeleton *body;
    snw_mesh *mesh;
    snw_figure_report report;
    snw_skin *skin;
    float *out;
} person;

static person one;

static int set_up(void **state)
{
    (void)state;
    snw_figure_options options = snw_figure_options_default();
    options.people = SNW_PEOPLE_MEN;
    options.cell = 0.012;
    snw_error error;
    if (snw_preset_create("humanoid", NULL, &one.body, &error) != SNW_OK ||
        snw_figure_create(one.body, &options, NULL, &one.mesh, &one.report, &error) != SNW_OK ||
        snw_skin_create(one.mesh, one.body, NULL, NULL, &one.skin, &error) != SNW_OK) {
        print_error("%s\n", error.message);
        return 1;
    }
    one.out = malloc((size_t)one.mesh->count.vertex_count * 3 * sizeof *one.out);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(one.out);
    snw_skin_destroy(one.skin);
    snw_mesh_destroy(one.mesh);
    snw_skeleton_destroy(one.body);
    return 0;
}

/* Volume between two planes across an axis: areas of sections by the midpoint rule. */
static double volume_between(snw_vec3 axis, double from, double to, double x_above)
{
    enum {
        STEPS = 60
    };
    double sum = 0;
    for (int n = 0; n < STEPS; n++) {
        snw_section *cut = NULL;
        double at = from + (to - from) * (n + 0.5) / STEPS;
        assert_int_equal(snw_mesh_section(one.mesh, axis, at, NULL, &cut, NULL), SNW_OK);
        /* Only lines of one side of the body. */
        for (int line = 0; line < cut->line_count; line++) {
            snw_vec3 o = cut->point[cut->line_first[line]];
            double area = 0;
            for (int p = cut->line_first[line]; p < cut->line_first[line + 1]; p++) {
                int next = p + 1 < cut->line_first[line + 1] ? p + 1 : cut->line_first[line];
                area += snw_vec3_dot(axis, snw_vec3_cross(snw_vec3_sub(cut->point[p], o),
                                                          snw_vec3_sub(cut->point[next], o))) /
                        2;
            }
            if (o.x > x_above) sum += area * fabs(to - from) / STEPS;
        }
        snw_section_destroy(cut);
    }
    return sum;
}

static snw_vec3 rest_of(const char *name)
{
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(one.body, NULL, &pose, NULL), SNW_OK);
    snw_pose_reset(pose);
    int joint = snw_skeleton_find_joint(one.body, name);
    snw_vec3 place = pose->world[joint].translation;
    snw_pose_destroy(pose);
    return place;
}

/* Captured bodies have narrower shoulders and lower necks than the ready-made one: what is beside
 * them is the chest's, not the arms' nor the head's (arms were 30 to 100 % too heavy by that). */
static void narrow_shoulders_and_a_low_neck_keep_their_masses(void **state)
{
    (void)state;
    snw_joint_def def[64];
    snw_skeleton *body = NULL;
    snw_mesh *mesh = NULL;
    snw_figure_report report;
    snw_error error;
    snw_figure_options options = snw_figure_options_default();
    assert_true(one.body->joint_count <= 64);
    for (int j = 0; j < one.body->joint_count; j++) {
        def[j] = snw_skeleton_joint_def(one.body, j);
        snw_part part = snw_rig_part_of(one.body, j, NULL);
        if (part == SNW_PART_ARM) def[j].rest.translation.x *= 0.9;
        if (part == SNW_PART_NECK) def[j].rest.translation.y -= 0.04;
    }
    assert_int_equal(snw_skeleton_create(def, one.body->joint_count, NULL, &body, NULL), SNW_OK);
    if (snw_figure_create(body, &options, NULL, &mesh, &report, &error) != SNW_OK)
        fail_msg("%s", error.message);
    for (int n = 0; n < report.segment_count; n++)
        check_near(report.segment[n].mass / report.segment[n].table_mass, 1, 0.1);
    snw_mesh_destroy(mesh);
    snw_skeleton_destroy(body);
}

/* The line in which a level plane cuts the surface, of the left side where there are two. */
static double girth_at(const snw_mesh *mesh, double height)
{
    snw_section *cut = NULL;
    assert_int_equal(snw_mesh_section(mesh, snw_vec3_make(0, 1, 0), height, NULL, &cut, NULL),
                     SNW_OK);
    double girth = 0, most = -1;
    for (int line = 0; line < cut->line_count; line++) {
        int from = cut->line_first[line], to = cut->line_first[line + 1];
        double length = 0, middle = 0;
        for (int p = from; p < to; p++) {
            length += snw_vec3_distance(cut->point[p], cut->point[p + 1 < to ? p + 1 : from]);
            middle += cut->point[p].x / (to - from);
        }
        if (middle > most) {
            most = middle;
            girth = length;
        }
    }
    snw_section_destroy(cut);
    return girth;
}

static void girths_that_were_measured_are_the_figures(void **state)
{
    (void)state;
    snw_figure_options options = snw_figure_options_default();
    snw_figure_report report;
    snw_mesh *mesh = NULL;
    snw_error error;
    double thigh = 0;
    for (int n = 0; n < one.report.segment_count; n++)
        if (one.report.segment[n].part == SNW_PART_UPLEG) thigh = one.report.segment[n].mass;
    options.people = SNW_PEOPLE_MEN;
    options.cell = 0.012;
    options.girth[SNW_GIRTH_WAIST] = 1.05;
    options.girth[SNW_GIRTH_CHEST] = 1.02;
    options.girth[SNW_GIRTH_CALF] = 0.40;
    if (snw_figure_create(one.body, &options, NULL, &mesh, &report, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_vec3 hips = rest_of("left_hip"), neck = rest_of("neck");
    snw_vec3 knee = rest_of("left_knee"), ankle = rest_of("left_ankle");
    /* Triangles of 12 mm: a hundredth of the waist, more of a calf. */
    check_near(girth_at(mesh, hips.y + 0.42 * (neck.y - hips.y)), 1.05, 0.012);
    check_near(girth_at(mesh, hips.y + 0.75 * (neck.y - hips.y)), 1.02, 0.02);
    check_near(girth_at(mesh, knee.y + 0.3 * (ankle.y - knee.y)), 0.40, 0.01);
    check_near(report.girth[SNW_GIRTH_WAIST], 1.05, 0.005);
    check_near(report.girth[SNW_GIRTH_CALF], 0.40, 0.002);
    for (int n = 0; n < report.segment_count; n++) {
        const snw_figure_segment *segment = report.segment + n;
        if (segment->part == SNW_PART_CHEST) assert_true(segment->mass > 1.2 * segment->table_mass);
        if (segment->part == SNW_PART_UPLEG) check_near(segment->mass / thigh, 1, 0.04);
    }
    snw_mesh_destroy(mesh);
    options.girth[SNW_GIRTH_NECK] = 2;
    assert_int_equal(snw_figure_create(one.body, &options, NULL, &mesh, &report, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "girth of the neck of 2 m"));
    options.girth[SNW_GIRTH_NECK] = -1;
    assert_int_equal(snw_figure_create(one.body, &options, NULL, &mesh, &report, &error),
                     SNW_INVALID_ARGUMENT);
    for (int n = 0; n < SNW_GIRTH_COUNT; n++)
        assert_int_equal(snw_girth_find(snw_girth_name((snw_girth)n)), n);
    assert_int_equal(snw_girth_find("belly"), -1);
    assert_int_equal(snw_girth_find(NULL), -1);
}

static void the_surface_is_one_closed_body_of_the_right_mass(void **state)
{
    (void)state;
    snw_mesh_report report;
    assert_int_equal(snw_mesh_check(one.mesh, NULL, &report, NULL), SNW_OK);
    assert_true(report.is_closed && report.is_turned_right);
    assert_int_equal(report.shell_count, 1);
    /* The table's mass over Dempster's densities; 5 % is what is asked for. */
    double volume = 0, mass = 0;
    for (int n = 0; n < one.report.segment_count; n++) {
        const snw_figure_segment *segment = one.report.segment + n;
        snw_segment_size size;
        assert_true(snw_segment_size_of(SNW_PEOPLE_MEN, segment->part, &size));
        check_near(segment->table_mass, size.mass * one.report.mass, 1e-12);
        check_near(segment->mass / segment->table_mass, 1, 0.05);
        volume += size.mass * one.report.mass / snw_part_density(segment->part);
        mass += segment->mass;
    }
    check_near(report.volume / volume, 1, 0.05);
    check_near(mass / one.report.mass, 1, 0.05);
    check_near(one.report.volume, report.volume, 1e-9);
    snw_vec3 low, high;
    snw_mesh_box(one.mesh, &low, &high);
    /* As tall as the stature, to a cell and a half. */
    check_near(high.y - low.y, one.report.stature, 0.018);
}

/* Not by the grid that made them: by sections of the mesh. */
static void segments_weigh_what_the_table_says_by_sections(void **state)
{
    (void)state;
    snw_vec3 x = {1, 0, 0}, y = {0, 1, 0}, low, high;
    snw_mesh_box(one.mesh, &low, &high);
    const struct {
        snw_part part;
        snw_vec3 axis;
        double from, to;
    } rows[] = {
        {SNW_PART_ARM, x, rest_of("left_shoulder").x, rest_of("left_elbow").x},
        {SNW_PART_FOREARM, x, rest_of("left_elbow").x, rest_of("left_wrist").x},
        {SNW_PART_HAND, x, rest_of("left_wrist").x, high.x},
        {SNW_PART_LEG, y, rest_of("left_ankle").y, rest_of("left_knee").y},
        {SNW_PART_FOOT, y, low.y, rest_of("left_ankle").y},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_segment_size size;
        (void)snw_segment_size_of(SNW_PEOPLE_MEN, rows[n].part, &size);
        double volume = volume_between(rows[n].axis, rows[n].from, rows[n].to, 0);
        double mass = volume * snw_part_density(rows[n].part);
        check_near(mass / (size.mass * one.report.mass), 1, 0.05);
    }
}

static void stature_and_mass_are_what_is_asked_for(void **state)
{
    (void)state;
    for (int n = 0; n < 2; n++) {
        snw_figure_options options = snw_figure_options_default();
        options.people = SNW_PEOPLE_WOMEN;
        options.mass = n ? 95 : 48;
        options.cell = 0.02;
        snw_mesh *mesh = NULL;
        snw_figure_report report;
        assert_int_equal(snw_figure_create(one.body, &options, NULL, &mesh, &report, NULL), SNW_OK);
        double mass = 0;
        for (int s = 0; s < report.segment_count; s++)
            mass += report.segment[s].mass;
        check_near(mass / options.mass, 1, 0.05);
        snw_mesh_destroy(mesh);
    }
}

static void bodies_that_are_no_person_at_rest_are_refused(void **state)
{
    (void)state;
    snw_skeleton *arm = NULL;
    snw_mesh *mesh = NULL;
    snw_error error;
    assert_int_equal(snw_preset_create("panda", NULL, &arm, NULL), SNW_OK);
    assert_int_equal(snw_figure_create(arm, NULL, NULL, &mesh, NULL, &error), SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "names"));
    snw_skeleton_destroy(arm);
    snw_figure_options options = snw_figure_options_default();
    options.cell = 0.001;
    assert_int_equal(snw_figure_create(one.body, &options, NULL, &mesh, NULL, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "cell"));
    snw_skin *skin = NULL;
    snw_mesh *nothing = make_mesh(3, 0, 0);
    assert_int_equal(snw_skin_create(nothing, one.body, NULL, NULL, &skin, &error), SNW_DEGENERATE);
    snw_mesh_destroy(nothing);
}

/* ---- weights ------------------------------------------------------------------------------------
 */

static void weights_are_positive_smooth_and_sum_to_one(void **state)
{
    (void)state;
    const snw_skin_vertex *vertex = one.skin->vertex;
    for (int v = 0; v < one.mesh->count.vertex_count; v++) {
        double sum = 0;
        for (int k = 0; k < SNW_SKIN_JOINTS; k++) {
            assert_true(vertex[v].weight[k] >= 0 && vertex[v].joint[k] < one.body->joint_count);
            sum += (double)vertex[v].weight[k];
        }
        check_near(sum, 1, 1e-6);
    }
    /* Heat flows over the distance of the bone, at least 8 mm in a finger: no step in one cell. */
    double worst = 0;
    for (int t = 0; t < one.mesh->count.triangle_count; t++)
        for (int j = 0; j < one.body->joint_count; j++) {
            double w[2] = {0, 0};
            for (int n = 0; n < 2; n++)
                for (int k = 0; k < SNW_SKIN_JOINTS; k++)
                    if (vertex[one.mesh->triangle[t][n]].joint[k] == j)
                        w[n] += (double)vertex[one.mesh->triangle[t][n]].weight[k];
            worst = fmax(worst, fabs(w[0] - w[1]));
        }
    assert_true(worst < 0.5);
}

/* The middle of the shank moves with the knee, and nothing of the head with it. */
static void vertices_follow_the_bone_they_are_round(void **state)
{
    (void)state;
    int knee = snw_skeleton_find_joint(one.body, "left_knee");
    snw_vec3 a = rest_of("left_knee"), b = rest_of("left_ankle");
    double rest_height = rest_of("neck").y;
    int found = 0;
    for (int v = 0; v < one.mesh->count.vertex_count; v++) {
        snw_vec3 p = one.mesh->vertex[v];
        const snw_skin_vertex *w = one.skin->vertex + v;
        double share = (p.y - a.y) / (b.y - a.y);
        if (p.x > 0 && share > 0.4 && share < 0.6 && p.y < a.y) {
            assert_int_equal(w->joint[0], knee);
            assert_true(w->weight[0] > 0.7f);
            found++;
        }
        for (int k = 0; k < SNW_SKIN_JOINTS; k++)
            assert_false(p.y > rest_height && w->joint[k] == knee && w->weight[k] > 0);
    }
    assert_true(found > 50);
}

/* ---- moving
 * -------------------------------------------------------------------------------------- */

static void rigid_motion_of_the_body_is_that_of_its_skin(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(27, 5);
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(one.body, NULL, &pose, NULL), SNW_OK);
    for (int n = 0; n < 10; n++) {
        snw_pose_reset(pose);
        pose->root = random_place(&random, 2);
        snw_pose_forward(pose);
        for (int blend = 0; blend < 2; blend++) {
            assert_int_equal(snw_skin_deform(one.skin, pose, (snw_blend)blend, one.out, NULL),
                             SNW_OK);
            for (int v = 0; v < one.mesh->count.vertex_count; v += 7)
                check_vec3_near(snw_vec3_make((double)one.out[3 * v], (double)one.out[3 * v + 1],
                                              (double)one.out[3 * v + 2]),
                                snw_xform_point(pose->root, one.mesh->vertex[v]),
                                2e-6); /* floats of metres */
        }
    }
    snw_pose_destroy(pose);
}

static double volume_in(const snw_pose *pose, snw_blend blend)
{
    snw_mesh *moved = NULL;
    snw_mass_properties mass;
    assert_int_equal(snw_skin_deform(one.skin, pose, blend, one.out, NULL), SNW_OK);
    assert_int_equal(snw_mesh_copy(one.mesh, NULL, &moved, NULL), SNW_OK);
    for (int v = 0; v < one.mesh->count.vertex_count; v++)
        moved->vertex[v] = snw_vec3_make((double)one.out[3 * v], (double)one.out[3 * v + 1],
                                         (double)one.out[3 * v + 2]);
    assert_int_equal(snw_mesh_mass(moved, NULL, &mass, NULL), SNW_OK);
    snw_mesh_destroy(moved);
    return mass.volume;
}

/* Twisted limbs become thin by matrices (the candy wrapper) and not by dual quaternions. */
static void dual_quaternions_keep_the_volume_that_matrices_lose(void **state)
{
    (void)state;
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(one.body, NULL, &pose, NULL), SNW_OK);
    snw_pose_reset(pose);
    const struct {
        const char *joint;
        snw_vec3 axis;
        double angle;
    } turns[] = {{"left_elbow", {0, -1, 0}, 1.8},
                 {"left_forearm", {1, 0, 0}, 1.2},
                 {"right_shoulder", {0, 0, 1}, 1.2},
                 {"left_hip", {1, 0, 0}, -1.2},
                 {"left_knee", {1, 0, 0}, 1.4}};
    for (size_t n = 0; n < sizeof turns / sizeof *turns; n++)
        pose->rotation[snw_skeleton_find_joint(one.body, turns[n].joint)] =
            snw_quat_from_axis_angle(turns[n].axis, turns[n].angle);
    snw_pose_forward(pose);
    double rest = one.report.volume, linear = volume_in(pose, SNW_BLEND_LINEAR) / rest - 1;
    double dual = volume_in(pose, SNW_BLEND_DUAL_QUATERNION) / rest - 1;
    print_message("volume: linear %+.2f %%, dual quaternions %+.2f %%\n", 100 * linear, 100 * dual);
    assert_true(fabs(dual) < 0.01 && linear < -0.02 && linear > -0.1);
    snw_error error;
    snw_skeleton *arm = NULL;
    snw_pose *other = NULL;
    assert_int_equal(snw_preset_chain(5, 0.1, NULL, &arm, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(arm, NULL, &other, NULL), SNW_OK);
    assert_int_equal(snw_skin_deform(one.skin, other, SNW_BLEND_LINEAR, one.out, &error),
                     SNW_INVALID_ARGUMENT);
    snw_pose_destroy(other);
    snw_skeleton_destroy(arm);
    snw_pose_destroy(pose);
}

/* A box far from every bone: it sees them through its own side only, and still follows. */
static void bones_outside_the_skin_are_followed(void **state)
{
    (void)state;
    snw_mesh *box = make_box(0.2, 0.2, 0.2, snw_vec3_make(3, 3, 3));
    snw_skin *skin = NULL;
    assert_int_equal(snw_skin_create(box, one.body, NULL, NULL, &skin, NULL), SNW_OK);
    for (int v = 0; v < 8; v++) {
        double sum = 0;
        for (int k = 0; k < SNW_SKIN_JOINTS; k++)
            sum += (double)skin->vertex[v].weight[k];
        check_near(sum, 1, 1e-6);
    }
    snw_skin_destroy(skin);
    snw_mesh_destroy(box);
}

/* ---- bends and more joints
 * ----------------------------------------------------------------------- */

static snw_skin *make_skin_with(int joints, bool has_bends)
{
    snw_skin *skin = NULL;
    snw_skin_options options = snw_skin_options_default();
    options.joints = joints;
    options.has_bends = has_bends;
    assert_int_equal(snw_skin_create(one.mesh, one.body, &options, NULL, &skin, NULL), SNW_OK);
    return skin;
}

/* Litres that the person's surface lacks with one joint bent. */
static double lost(snw_skin *skin, const char *joint, double angle, snw_blend blend)
{
    snw_pose *pose = NULL;
    snw_skin *other = one.skin;
    bool is_knee = strstr(joint, "knee") != NULL;
    assert_int_equal(snw_pose_create(one.body, NULL, &pose, NULL), SNW_OK);
    double sign = strstr(joint, "left") ? -1 : 1;
    pose->rotation[snw_skeleton_find_joint(one.body, joint)] = snw_quat_from_axis_angle(
        is_knee ? snw_vec3_make(1, 0, 0) : snw_vec3_make(0, sign, 0), angle);
    snw_pose_forward(pose);
    one.skin = skin;
    double volume = volume_in(pose, blend);
    one.skin = other;
    snw_pose_destroy(pose);
    return 1000 * (one.report.volume - volume);
}

/* At angles between those that were fitted, where the loss without is a third of a litre. */
static void bent_elbows_and_knees_keep_their_volume(void **state)
{
    (void)state;
    static const char *const joints[] = {"left_elbow", "right_elbow", "left_knee", "right_knee"};
    snw_skin *skin = make_skin_with(4, true);
    assert_int_equal(skin->bend_count, 4);
    for (int n = 0; n < 4; n++)
        for (int step = 0; step < 5; step++) {
            double angle = (15 + 30 * step) * SNW_PI / 180;
            for (int blend = 0; blend < 2; blend++) {
                double before = lost(one.skin, joints[n], angle, (snw_blend)blend);
                double after = lost(skin, joints[n], angle, (snw_blend)blend);
                if (step == 3 && n % 2 == 0)
                    print_message("%s 105 degrees, %s: %.1f cm3 lost, %.1f corrected\n", joints[n],
                                  blend ? "dual quaternions" : "linear", 1000 * before,
                                  1000 * after);
                if (step == 3 && blend == 0) assert_true(before > 0.1);
                assert_true(fabs(after) < fmax(0.06 * before, 0.002));
            }
        }
    /* What does not bend is not touched: at rest, and with straight legs that swing. */
    check_near(lost(skin, "left_hip", 0.5, SNW_BLEND_DUAL_QUATERNION),
               lost(one.skin, "left_hip", 0.5, SNW_BLEND_DUAL_QUATERNION), 1e-6);
    check_near(lost(skin, "left_knee", 0, SNW_BLEND_LINEAR), 0, 1e-3);
    assert_true(snw_skin_bend_amount(skin, NULL, 0, SNW_BLEND_LINEAR) == 0);
    assert_true(snw_skin_bend_amount(NULL, NULL, 0, SNW_BLEND_LINEAR) == 0);
    snw_skin_destroy(skin);
}

/* Eight weights are those that four of them leave out: nearer to the solution of the heat. */
static void vertices_may_have_eight_joints(void **state)
{
    (void)state;
    snw_skin *skin = make_skin_with(8, false);
    int more = 0;
    assert_int_equal(skin->most_joints, 8);
    for (int v = 0; v < one.mesh->count.vertex_count; v++) {
        const snw_skin_vertex *vertex = skin->vertex + v;
        double sum = 0;
        for (int k = 0; k < 8; k++) {
            sum += (double)vertex->weight[k];
            if (k) assert_true(vertex->weight[k] <= vertex->weight[k - 1]);
            for (int n = 0; n < k && vertex->weight[k] > 0; n++)
                assert_true(vertex->joint[n] != vertex->joint[k]);
        }
        check_near(sum, 1, 1e-6);
        assert_int_equal(vertex->joint[0], one.skin->vertex[v].joint[0]);
        more += vertex->weight[4] > 0;
        assert_true(one.skin->vertex[v].weight[4] == 0);
    }
    assert_true(more > one.mesh->count.vertex_count / 10);
    snw_skin_destroy(skin);
    snw_skin_options options = snw_skin_options_default();
    options.joints = 5;
    snw_error error;
    assert_int_equal(snw_skin_create(one.mesh, one.body, &options, NULL, &skin, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "4 or 8"));
}

/* ---- hands
 * --------------------------------------------------------------------------------------- */

static void check_is_closed(const snw_mesh *mesh)
{
    snw_mesh_report faults;
    assert_int_equal(snw_mesh_check(mesh, NULL, &faults, NULL), SNW_OK);
    assert_int_equal(faults.shell_count, 1);
    assert_true(faults.is_turned_right);
    /* Vertices - edges + triangles of a ball: fingers neither touch nor fall off. */
    assert_int_equal(mesh->count.vertex_count - mesh->count.triangle_count / 2, 2);
}

/* Preset and profiles of both sides: closed, as heavy as the table's, five fingers with their tips
 * at the skeleton's. */
static void hands_of_25_joints_have_a_surface(void **state)
{
    (void)state;
    static const double lengths[] = {0.15, 0.22};
    double volume[2] = {0, 0};
    for (int n = 0; n < 4; n++) {
        snw_hand_profile profile = snw_hand_profile_default((snw_side)(n % 2), lengths[n / 2]);
        snw_hand *hand = NULL;
        snw_mesh *mesh = NULL;
        snw_figure_report report;
        snw_mass_properties mass;
        snw_error error;
        assert_int_equal(snw_hand_create(&profile, NULL, NULL, &hand, NULL), SNW_OK);
        const snw_skeleton *body = snw_hand_skeleton(hand);
        assert_int_equal(body->joint_count, 25);
        assert_true(snw_figure_is_hand(body));
        if (snw_figure_create(body, NULL, NULL, &mesh, &report, &error) != SNW_OK)
            fail_msg("%s", error.message);
        check_is_closed(mesh);
        assert_int_equal(report.segment_count, 1);
        assert_int_equal(report.segment[0].part, SNW_PART_HAND);
        assert_int_equal(report.segment[0].side, n % 2);
        check_near(report.segment[0].mass / report.segment[0].table_mass, 1, 0.02);
        assert_int_equal(snw_mesh_mass(mesh, NULL, &mass, NULL), SNW_OK);
        check_near(mass.volume, report.volume, 1e-9);
        volume[n % 2] = mass.volume;
        if (n % 2) check_near(volume[1] / volume[0], 1, 0.01);
        /* 25 joints: five of them tips, which lie within 3 mm of the surface. */
        snw_pose *pose = NULL;
        assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
        int tips = 0;
        for (int j = 0; j < body->joint_count; j++) {
            if (body->first_child[j] >= 0) continue;
            double nearest = INFINITY;
            for (int v = 0; v < mesh->count.vertex_count; v++)
                nearest =
                    fmin(nearest, snw_vec3_distance(mesh->vertex[v], pose->world[j].translation));
            assert_true(nearest < 0.003);
            tips++;
        }
        assert_int_equal(tips, 5);
        snw_pose_destroy(pose);
        snw_mesh_destroy(mesh);
        snw_hand_destroy(hand);
    }
    assert_false(snw_figure_is_hand(one.body));
    assert_false(snw_figure_is_hand(NULL));
}

/* A bent index finger takes its tip along as a rigid body, and no other finger's. */
static void fingers_of_the_surface_follow_their_own_joints(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_mesh *mesh = NULL;
    snw_skin *skin = NULL;
    snw_pose *pose = NULL;
    snw_skin_options parts = snw_skin_options_default();
    parts.has_parts = true;
    assert_int_equal(snw_preset_create("hand25", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_figure_create(body, NULL, NULL, &mesh, NULL, NULL), SNW_OK);
    assert_int_equal(snw_skin_create(mesh, body, &parts, NULL, &skin, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    int count = mesh->count.vertex_count, seen[2] = {0, 0};
    float *out = malloc((size_t)count * 3 * sizeof *out);
    int middle = snw_skeleton_find_joint(body, "index3"),
        tip = snw_skeleton_find_joint(body, "index5");
    snw_vec3 end = pose->world[tip].translation;
    pose->rotation[middle] = snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), 1.2);
    snw_pose_forward(pose);
    snw_xform moved = snw_xform_mul(pose->world[tip], snw_xform_inverse(skin->bind[tip]));
    assert_int_equal(snw_skin_deform(skin, pose, SNW_BLEND_LINEAR, out, NULL), SNW_OK);
    for (int v = 0; v < count; v++) {
        snw_vec3 at =
            snw_vec3_make((double)out[3 * v], (double)out[3 * v + 1], (double)out[3 * v + 2]);
        bool is_tip = snw_vec3_distance(mesh->vertex[v], end) < 0.012;
        bool is_other = mesh->vertex[v].z > 0.08 && mesh->vertex[v].x < end.x - 0.02;
        seen[0] += is_tip;
        seen[1] += is_other;
        if (is_tip) check_vec3_near(at, snw_xform_point(moved, mesh->vertex[v]), 0.0005);
        if (is_other) check_vec3_near(at, mesh->vertex[v], 0.0005);
    }
    assert_true(seen[0] > 50 && seen[1] > 500);
    free(out);
    snw_pose_destroy(pose);
    snw_skin_destroy(skin);
    snw_mesh_destroy(mesh);
    snw_skeleton_destroy(body);
}

static void hands_that_cannot_be_made_are_refused(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_mesh *mesh = NULL;
    snw_error error;
    snw_figure_options options = snw_figure_options_default();
    assert_int_equal(snw_preset_create("hand25", NULL, &body, NULL), SNW_OK);
    options.cell = 0.02;
    assert_int_equal(snw_figure_create(body, &options, NULL, &mesh, NULL, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "too coarse"));
    options.cell = 0.003;
    options.girth[SNW_GIRTH_WAIST] = 0.8;
    assert_int_equal(snw_figure_create(body, &options, NULL, &mesh, NULL, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "waist"));
    assert_null(mesh);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_shoulders_and_a_low_neck_keep_their_masses),
        cmocka_unit_test(girths_that_were_measured_are_the_figures),
        cmocka_unit_test(the_surface_is_one_closed_body_of_the_right_mass),
        cmocka_unit_test(segments_weigh_what_the_table_says_by_sections),
        cmocka_unit_test(stature_and_mass_are_what_is_asked_for),
        cmocka_unit_test(bodies_that_are_no_person_at_rest_are_refused),
        cmocka_unit_test(weights_are_positive_smooth_and_sum_to_one),
        cmocka_unit_test(vertices_follow_the_bone_they_are_round),
        cmocka_unit_test(rigid_motion_of_the_body_is_that_of_its_skin),
        cmocka_unit_test(dual_quaternions_keep_the_volume_that_matrices_lose),
        cmocka_unit_test(bones_outside_the_skin_are_followed),
        cmocka_unit_test(bent_elbows_and_knees_keep_their_volume),
        cmocka_unit_test(vertices_may_have_eight_joints),
        cmocka_unit_test(hands_of_25_joints_have_a_surface),
        cmocka_unit_test(fingers_of_the_surface_follow_their_own_joints),
        cmocka_unit_test(hands_that_cannot_be_made_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
