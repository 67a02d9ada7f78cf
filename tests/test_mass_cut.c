/* Parts of solids by closed forms; parts of a person against the grid that made it; momentum of
 * bodies that turn by closed forms, and of free ones by what must not change. */
#include "solid_shapes.h"

static snw_mass_cut plane(snw_vec3 normal, double offset, int front, int back)
{
    return (snw_mass_cut){snw_vec3_unit(normal, normal), offset, front, back};
}

static void a_box_cut_at_a_third_is_two_boxes(void **state)
{
    (void)state;
    snw_mesh *box = make_box(3, 2, 1, snw_vec3_make(1.5, 5, -2));
    snw_mass_cut cut = plane(snw_vec3_make(1, 0, 0), 1, -1, -2);
    const double density[2] = {10, 40};
    snw_mass_cuts cuts = {&cut, 1, 2, density};
    snw_mass_properties part[2];
    assert_int_equal(snw_mesh_mass_cut(box, NULL, &cuts, part, NULL), SNW_OK);
    for (int n = 0; n < 2; n++) {
        double x = n ? 1 : 2, mass = density[n] * x * 2;
        check_near(part[n].mass, mass, 1e-12 * mass);
        check_vec3_near(part[n].center, snw_vec3_make(n ? 0.5 : 2, 5, -2), 1e-12);
        check_near(part[n].inertia.m[0][0], mass / 12 * (4 + 1), 1e-11 * mass);
        check_near(part[n].inertia.m[1][1], mass / 12 * (x * x + 1), 1e-11 * mass);
        check_near(part[n].inertia.m[2][2], mass / 12 * (x * x + 4), 1e-11 * mass);
    }
    snw_mesh_destroy(box);
}

static void half_a_cube_is_a_prism_whatever_it_is_made_of(void **state)
{
    (void)state;
    snw_mesh *cube[2] = {make_knight_cube(), make_box(1, 1, 1, snw_vec3_make(0.5, 0.5, 0.5))};
    /* x + y >= 1: a triangle of legs 1 whose centre is at 2/3; about it I = m/18 along both legs.
     */
    snw_mass_cut cut = plane(snw_vec3_make(1, 1, 0), sqrt(0.5), -1, -2);
    snw_mass_cuts cuts = {&cut, 1, 2, NULL};
    for (int way = 0; way < 2; way++) {
        snw_mass_properties part[2];
        assert_int_equal(snw_mesh_mass_cut(cube[way], NULL, &cuts, part, NULL), SNW_OK);
        check_near(part[0].mass, 500, 1e-9);
        check_vec3_near(part[0].center, snw_vec3_make(2.0 / 3, 2.0 / 3, 0.5), 1e-12);
        check_vec3_near(part[1].center, snw_vec3_make(1.0 / 3, 1.0 / 3, 0.5), 1e-12);
        check_near(part[0].inertia.m[2][2], 500.0 / 9, 1e-9);
        check_near(part[1].inertia.m[0][0], 500 * (1.0 / 18 + 1.0 / 12), 1e-9);
        snw_mesh_destroy(cube[way]);
    }
}

/* Six cuts at random, and a density that changes: the parts joined are the whole to twelve digits,
 * and no part lies on the wrong side of its planes. */
static void parts_of_any_cuts_add_up_to_the_whole(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(7, 1);
    snw_mesh *ring = make_torus(0.5, 0.2, 60);
    for (int round = 0; round < CHECK_CASES(20); round++) {
        snw_mass_cut cut[6];
        for (int n = 0; n < 6; n++) {
            snw_vec3 way = random_gaussian(&random, 1);
            /* Each part n lies in front of its plane, and behind all planes before it. */
            cut[n] = plane(way, 0.3 * snw_random_range(&random, 0, 1), -1 - n, n < 5 ? n + 1 : -7);
        }
        snw_mass_cuts cuts = {cut, 6, 7, NULL};
        snw_mass_options how = snw_mass_options_default();
        how.gradient = snw_vec3_make(300, -200, 100);
        snw_mass_properties part[7], whole, sum = {0};
        assert_int_equal(snw_mesh_mass(ring, &how, &whole, NULL), SNW_OK);
        assert_int_equal(snw_mesh_mass_cut(ring, &how, &cuts, part, NULL), SNW_OK);
        for (int n = 0; n < 7; n++) {
            if (!(part[n].mass > 0)) continue;
            sum = sum.mass > 0 ? snw_mass_joined(&sum, part + n) : part[n];
            for (int k = 0; k <= n && k < 6; k++) {
                double side = snw_vec3_dot(cut[k].normal, part[n].center) - cut[k].offset;
                assert_true(k == n ? side > 0 : side < 0);
            }
        }
        check_near(sum.mass, whole.mass, 1e-12 * whole.mass);
        check_vec3_near(sum.center, whole.center, 1e-12);
        for (int j = 0; j < 9; j++)
            check_near(sum.inertia.m[j / 3][j % 3], whole.inertia.m[j / 3][j % 3],
                       1e-11 * whole.moment[0]);
    }
    snw_mesh_destroy(ring);
}

static void cuts_that_cannot_be_are_refused(void **state)
{
    (void)state;
    snw_mesh *box = make_box(1, 1, 1, snw_vec3_make(0, 0, 0));
    const double density[2] = {-1, 5};
    snw_mass_cut good = plane(snw_vec3_make(0, 1, 0), 0, -1, -2), bad = good;
    snw_mass_properties part[2];
    snw_error error;
    const struct {
        snw_vec3 normal;
        int front, back, part_count;
        const double *density;
        const char *words;
    } wrong[] = {
        {{0, 2, 0}, -1, -2, 2, NULL, "2 long"},
        {{0, 1, 0}, 0, -2, 2, NULL, "leads to 0"},
        {{0, 1, 0}, -1, -4, 2, NULL, "leads to -4"},
        {{0, 1, 0}, 1, -1, 2, NULL, "leads to 1"},
        {{0, 1, 0}, -1, -2, 0, NULL, "into 0 parts"},
        {{0, 1, 0}, -1, -2, SNW_MASS_PART_MAX + 1, NULL, "into 129 parts"},
        {{0, NAN, 0}, -1, -2, 2, NULL, "nan long"},
        {{0, 1, 0}, -1, -2, 2, density, "-1 kg/m3"},
    };
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        bad.normal = wrong[n].normal;
        bad.front = wrong[n].front;
        bad.back = wrong[n].back;
        snw_mass_cuts cuts = {&bad, 1, wrong[n].part_count, wrong[n].density};
        assert_int_equal(snw_mesh_mass_cut(box, NULL, &cuts, part, &error), SNW_INVALID_ARGUMENT);
        if (!strstr(error.message, wrong[n].words)) fail_msg("%s", error.message);
    }
    snw_mass_options how = snw_mass_options_default();
    how.gradient = snw_vec3_make(1, 0, 0);
    const double light[2] = {1, 1};
    snw_mass_cuts cuts = {&good, 1, 2, light};
    assert_int_equal(snw_mesh_mass_cut(box, &how, &cuts, part, &error), SNW_INVALID_ARGUMENT);
    box->count.triangle_count = 10;
    cuts.density = NULL;
    assert_int_equal(snw_mesh_mass_cut(box, NULL, &cuts, part, &error), SNW_DEGENERATE);
    box->count.triangle_count = 12;
    snw_mesh_destroy(box);
}

/* ---- a person ----------------------------------------------------------------------------------
 */

static void joints_of_a_person_weigh_what_the_figures_parts_do(void **state)
{
    (void)state;
    for (int people = 0; people < SNW_PEOPLE_COUNT; people++) {
        snw_skeleton *body = NULL, *heavy = NULL;
        snw_mesh *mesh = NULL;
        snw_figure_report report;
        snw_mass_properties mass[64], whole;
        snw_figure_options how = snw_figure_options_default();
        how.people = (snw_people)people;
        how.cell = 0.012;
        assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
        assert_int_equal(snw_figure_create(body, &how, NULL, &mesh, &report, NULL), SNW_OK);
        assert_int_equal(snw_figure_masses(mesh, body, &how, mass, NULL), SNW_OK);
        assert_int_equal(snw_mesh_mass(mesh, NULL, &whole, NULL), SNW_OK);
        double volume = 0, kilograms = 0;
        for (int n = 0; n < report.segment_count; n++) {
            const snw_figure_segment *segment = report.segment + n;
            double own = 0;
            for (int j = 0; j < body->joint_count; j++) {
                snw_side side;
                snw_part part = snw_rig_part_of(body, j, &side);
                if (part == SNW_PART_NECK) part = SNW_PART_HEAD;
                if (part == SNW_PART_TOE) part = SNW_PART_FOOT;
                if (part == segment->part &&
                    (segment->side == SNW_SIDE_NONE || side == segment->side))
                    own += mass[j].mass;
            }
            /* Cut once more at the joints inside: nothing is lost (test_skin weighs the parts by
             * sections). */
            check_near(own / segment->mass, 1, 1e-9);
            check_near(segment->mass / segment->table_mass, 1, 0.05);
            kilograms += segment->mass;
        }
        for (int j = 0; j < body->joint_count; j++)
            volume += mass[j].volume;
        check_near(volume / whole.volume, 1, 1e-12);
        /* Into the skeleton and out again, at rest: the whole body's centre. */
        assert_int_equal(snw_skeleton_with_masses(body, mass, NULL, &heavy, NULL), SNW_OK);
        snw_pose *pose = NULL;
        snw_momentum momentum;
        assert_int_equal(snw_pose_create(heavy, NULL, &pose, NULL), SNW_OK);
        assert_true(snw_pose_momentum(pose, pose, pose, 1, &momentum));
        check_near(momentum.mass / kilograms, 1, 1e-9);
        check_vec3_near(momentum.linear, snw_vec3_make(0, 0, 0), 0);
        snw_vec3 sum = {0, 0, 0};
        for (int j = 0; j < body->joint_count; j++)
            sum = snw_vec3_add_scaled(sum, mass[j].mass / momentum.mass, mass[j].center);
        check_vec3_near(momentum.center, sum, 1e-12);
        /* de Leva's whole bodies have it at 57 to 58 % of stature above the sole. */
        snw_vec3 low, high;
        snw_mesh_box(mesh, &low, &high);
        check_near((momentum.center.y - low.y) / (high.y - low.y), 0.575, 0.03);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(heavy);
        snw_skeleton_destroy(body);
        snw_mesh_destroy(mesh);
    }
}

/* A stiff figure thrown up that spins: the table against one rigid body of all its parts. */
static void a_weighed_motion_spins_as_its_inertia_says(void **state)
{
    (void)state;
    enum {
        FRAMES = 40
    };
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL, *heavy = NULL;
    snw_table *table = NULL;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(body, FRAMES, 100, NULL, &motion, NULL), SNW_OK);
    const snw_vec3 spin = {0.5, 2, -1};
    for (int f = 0; f < FRAMES; f++) {
        double t = f / 100.0;
        motion->root[f] = snw_xform_make(snw_quat_exp(snw_vec3_scale(spin, t)),
                                         snw_vec3_make(3 * t, 4 * t - 4.905 * t * t, 1));
    }
    snw_figure_options how = snw_figure_options_default();
    how.cell = 0.02;
    assert_int_equal(snw_motion_weigh(motion, NULL, &how, NULL, &heavy, NULL), SNW_OK);
    assert_int_equal(snw_table_from_momentum(heavy, NULL, &table, NULL), SNW_OK);
    /* The whole as one rigid body, put together here. */
    const snw_skeleton *s = heavy->skeleton;
    snw_pose *pose = NULL;
    snw_mass_properties whole = {0};
    assert_int_equal(snw_pose_create(s, NULL, &pose, NULL), SNW_OK);
    for (int j = 0; j < s->joint_count; j++) {
        snw_mass_properties own = {
            .mass = s->mass[j], .center = s->mass_center[j], .inertia = s->inertia[j]};
        own = snw_mass_moved(&own, pose->world[j]);
        if (own.mass > 0) whole = whole.mass > 0 ? snw_mass_joined(&whole, &own) : own;
    }
    for (int f = 1; f + 1 < FRAMES; f++) {
        const double *row = table->value + (size_t)f * (size_t)table->column_count;
        snw_mass_properties now = snw_mass_moved(&whole, motion->root[f]);
        snw_vec3 angular = snw_mass_momentum(&now, snw_vec3_make(0, 0, 0), spin, now.center);
        check_vec3_near(snw_vec3_make(row[0], row[1], row[2]), now.center, 1e-12);
        /* Central differences over 20 ms of a turn of 2.3 rad/s: w^2 h^2 / 6 is 9e-5. */
        check_vec3_near(snw_vec3_make(row[6], row[7], row[8]), angular, 0.01);
    }
    check_near(whole.mass, 68.3, 1.5);
    snw_pose_destroy(pose);
    snw_table_destroy(table);
    snw_motion_destroy(heavy);
    motion->frame_count = 1;
    snw_error error;
    assert_int_equal(snw_table_from_momentum(motion, NULL, &table, &error), SNW_INVALID_ARGUMENT);
    motion->frame_count = FRAMES;
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* ---- momentum ----------------------------------------------------------------------------------
 */

/* A free box, and a second one on a ball joint at its side. */
static snw_skeleton *two_boxes(void)
{
    snw_joint_def def[2] = {snw_joint_def_default(), snw_joint_def_default()};
    for (int n = 0; n < 2; n++) {
        def[n].name = n ? "other" : "box";
        def[n].parent = n - 1;
        def[n].joint.type = n ? SNW_JOINT_BALL : SNW_JOINT_FREE;
        def[n].mass = 2 + 3 * n;
        def[n].has_inertia = true;
        def[n].mass_center = snw_vec3_make(0.1, 0.2 * n, -0.3);
        def[n].inertia = (snw_mat3){{{0.4, 0.02, 0}, {0.02, 0.3, 0.01}, {0, 0.01, 0.2 + 0.3 * n}}};
    }
    def[1].rest.translation = snw_vec3_make(0.5, 0, 0);
    snw_skeleton *body = NULL;
    assert_int_equal(snw_skeleton_create(def, 2, NULL, &body, NULL), SNW_OK);
    return body;
}

/* Column k of L with L L^T the second moments, half the trace less the inertia. */
static snw_vec3 cholesky_column(snw_mat3 inertia, int k)
{
    double l[3][3] = {{0}}, half = (inertia.m[0][0] + inertia.m[1][1] + inertia.m[2][2]) / 2;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column <= row; column++) {
            double left = (row == column ? half : 0) - inertia.m[row][column];
            for (int n = 0; n < column; n++)
                left -= l[row][n] * l[column][n];
            l[row][column] = row == column ? sqrt(left) : left / l[column][column];
        }
    return snw_vec3_make(l[0][k], l[1][k], l[2][k]);
}

/* Momentum by a cloud of six points for each box that has its mass, centre and inertia: nothing of
 * the rigid bodies' formula is in it. */
static void momentum_is_that_of_points_that_move_along(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(3, 1);
    snw_skeleton *body = two_boxes();
    snw_pose *pose[3];
    const double step = 1e-5;
    for (int n = 0; n < 3; n++)
        assert_int_equal(snw_pose_create(body, NULL, &pose[n], NULL), SNW_OK);
    for (int round = 0; round < CHECK_CASES(50); round++) {
        snw_vec3 way[4];
        for (int n = 0; n < 4; n++)
            way[n] = random_gaussian(&random, 1);
        for (int n = 0; n < 3; n++) {
            double t = (n - 1) * step;
            pose[n]->slide[0] = snw_vec3_scale(way[0], 1 + t);
            pose[n]->rotation[0] = snw_quat_exp(snw_vec3_scale(way[1], 1 + t));
            pose[n]->rotation[1] =
                snw_quat_mul(snw_quat_exp(way[2]), snw_quat_exp(snw_vec3_scale(way[3], t)));
            snw_pose_forward(pose[n]);
        }
        snw_momentum got;
        assert_true(snw_pose_momentum(pose[0], pose[1], pose[2], 2 * step, &got));
        snw_vec3 point[12], speed[12], center = {0, 0, 0}, linear = {0, 0, 0}, angular = {0, 0, 0};
        double mass[12], total = 0, energy = 0;
        for (int n = 0; n < 12; n++) {
            int j = n / 6, k = n % 6 / 2;
            snw_vec3 away = snw_vec3_scale(cholesky_column(body->inertia[j], k),
                                           sqrt(3 / body->mass[j]) * (n % 2 ? 1 : -1));
            snw_vec3 local = snw_vec3_add(body->mass_center[j], away);
            mass[n] = body->mass[j] / 6;
            point[n] = snw_pose_point(pose[1], j, local);
            speed[n] = snw_vec3_scale(
                snw_vec3_sub(snw_pose_point(pose[2], j, local), snw_pose_point(pose[0], j, local)),
                1 / (2 * step));
            total += mass[n];
            center = snw_vec3_add_scaled(center, mass[n], point[n]);
            linear = snw_vec3_add_scaled(linear, mass[n], speed[n]);
            energy += mass[n] * snw_vec3_length2(speed[n]) / 2;
        }
        center = snw_vec3_scale(center, 1 / total);
        for (int n = 0; n < 12; n++)
            angular = snw_vec3_add_scaled(angular, mass[n],
                                          snw_vec3_cross(snw_vec3_sub(point[n], center), speed[n]));
        /* Differences over 20 us: 1e-16 / 1e-5 of round-off, and the square of the step. */
        check_vec3_near(got.center, center, 1e-12);
        check_vec3_near(got.linear, linear, 1e-8);
        check_vec3_near(got.angular, angular, 1e-8);
        check_near(got.energy, energy, 1e-7);
    }
    snw_momentum none;
    assert_false(snw_pose_momentum(pose[0], pose[1], pose[2], 0, &none));
    check_near(none.mass, 0, 0);
    for (int n = 0; n < 3; n++)
        snw_pose_destroy(pose[n]);
    snw_skeleton_destroy(body);
}

static void inertia_that_cannot_be_is_refused(void **state)
{
    (void)state;
    snw_skeleton *body = two_boxes(), *made = NULL;
    snw_error error;
    for (int n = 0; n < 4; n++) {
        snw_joint_def def[2] = {snw_skeleton_joint_def(body, 0), snw_skeleton_joint_def(body, 1)};
        check_near(def[1].mass_center.y, 0.2, 0);
        if (n == 0) def[1].inertia.m[0][0] = -1;
        if (n == 1) def[1].inertia.m[0][1] += 0.1;
        if (n == 2) def[1].inertia.m[2][2] = NAN;
        if (n == 3) def[1].mass_center.x = INFINITY;
        assert_int_equal(snw_skeleton_create(def, 2, NULL, &made, &error), SNW_INVALID_SKELETON);
        assert_non_null(strstr(error.message, "inertia of joint \"other\""));
    }
    snw_skeleton_destroy(body);
}

/* ---- closed parts ------------------------------------------------------------------------------
 */

static double volume_of(const snw_mesh *mesh, snw_mass_properties *mass)
{
    snw_mesh_report report;
    assert_int_equal(snw_mesh_check(mesh, NULL, &report, NULL), SNW_OK);
    assert_true(report.is_closed && report.is_turned_right);
    assert_int_equal(report.unused_vertex_count, 0);
    assert_int_equal(snw_mesh_mass(mesh, NULL, mass, NULL), SNW_OK);
    return mass->volume;
}

/* Both halves against the integrals over the cut solid, which sew nothing up. */
static void check_split(const snw_mesh *mesh, snw_vec3 normal, double offset)
{
    static const double density[2] = {1000, 1000};
    const snw_mass_cut plane = {normal, offset, -1, -2};
    const snw_mass_cuts cuts = {&plane, 1, 2, density};
    snw_mass_properties want[2], got[2];
    snw_mesh_halves halves;
    snw_error error;
    assert_int_equal(snw_mesh_mass_cut(mesh, NULL, &cuts, want, NULL), SNW_OK);
    if (snw_mesh_split(mesh, normal, offset, NULL, &halves, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_mesh *half[2] = {halves.front, halves.back};
    double scale = want[0].volume + want[1].volume;
    for (int n = 0; n < 2; n++) {
        check_near(volume_of(half[n], &got[n]) / scale, want[n].volume / scale, 1e-12);
        check_vec3_near(got[n].center, want[n].center, 1e-9);
        for (int k = 0; k < 3; k++)
            check_near(got[n].moment[k], want[n].moment[k], 1e-9 * scale * 1000);
        /* Caps do not fold: their areas add up to the section's. */
        snw_section *section = NULL;
        double cap = 0;
        assert_int_equal(snw_mesh_section(mesh, normal, offset, NULL, &section, NULL), SNW_OK);
        for (int t = 0; t < half[n]->count.triangle_count; t++) {
            snw_vec3 p[3];
            bool is_flat = true;
            for (int k = 0; k < 3; k++) {
                p[k] = half[n]->vertex[half[n]->triangle[t][k]];
                is_flat &= fabs(snw_vec3_dot(normal, p[k]) - offset) < 1e-9;
            }
            snw_vec3 area = snw_vec3_cross(snw_vec3_sub(p[1], p[0]), snw_vec3_sub(p[2], p[0]));
            if (is_flat) cap += snw_vec3_length(area) / 2;
        }
        check_near(cap, section->area, 1e-9);
        snw_section_destroy(section);
        snw_mesh_destroy(half[n]);
    }
}

/* A ring cut through the middle of its tube (an outline with a hole), across (two outlines) and at
 * random; a person cut at the waist, the arms and the legs. */
static void both_halves_of_a_solid_are_closed(void **state)
{
    (void)state;
    snw_mesh *ring = make_torus(1, 0.4, 48);
    snw_random random = snw_random_seed(27, 31);
    for (int axis = 0; axis < 3; axis++)
        check_split(ring, snw_vec3_make(axis == 0, axis == 1, axis == 2), 0.013);
    for (int n = 0; n < 20; n++) {
        snw_vec3 way = snw_random_direction(&random);
        check_split(ring, way, snw_random_range(&random, -0.35, 0.35));
    }
    snw_mesh_destroy(ring);
    snw_skeleton *body = NULL;
    snw_mesh *person = NULL;
    snw_figure_options how = snw_figure_options_default();
    how.cell = 0.02;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_figure_create(body, &how, NULL, &person, NULL, NULL), SNW_OK);
    /* The waist, both shanks, an arm and half the trunk. */
    snw_vec3 low, high;
    snw_mesh_box(person, &low, &high);
    double height = high.y - low.y;
    check_split(person, snw_vec3_make(0, 1, 0), low.y + 0.6 * height);
    check_split(person, snw_vec3_make(0, 1, 0), low.y + 0.15 * height);
    check_split(person, snw_vec3_make(0.6, 0.8, 0), 0.8 * (low.y + 0.7 * height));
    snw_mesh_destroy(person);
    snw_skeleton_destroy(body);
}

typedef struct counted {
    size_t now, most;
} counted;

static void *count_up(void *context, size_t size)
{
    counted *all = context;
    all->now += size;
    if (all->now > all->most) all->most = all->now;
    return malloc(size);
}

static void count_down(void *context, void *memory, size_t size)
{
    counted *all = context;
    if (memory) all->now -= size;
    free(memory);
}

/* Four times as many triangles take four times the memory, to be checked and to be cut. */
static void memory_goes_with_the_triangles(void **state)
{
    (void)state;
    double bytes[2][2];
    for (int n = 0; n < 2; n++) {
        snw_mesh *ring = make_torus(1, 0.4, n ? 160 : 80);
        snw_mesh_halves half;
        snw_mesh_report report;
        counted all = {0, 0};
        snw_allocator allocator = {count_up, count_down, &all};
        assert_int_equal(snw_mesh_check(ring, &allocator, &report, NULL), SNW_OK);
        bytes[n][0] = (double)all.most / ring->count.triangle_count;
        all.most = 0;
        assert_int_equal(snw_mesh_split(ring, snw_vec3_make(0, 1, 0), 0.1, &allocator, &half, NULL),
                         SNW_OK);
        bytes[n][1] = (double)all.most / ring->count.triangle_count;
        snw_mesh_destroy(half.front);
        snw_mesh_destroy(half.back);
        assert_int_equal(all.now, 0);
        snw_mesh_destroy(ring);
    }
    print_message("bytes a triangle: %.0f and %.0f to check, %.0f and %.0f to cut\n", bytes[0][0],
                  bytes[1][0], bytes[0][1], bytes[1][1]);
    for (int job = 0; job < 2; job++)
        assert_true(bytes[1][job] < 1.05 * bytes[0][job]);
}

static void solids_that_cannot_be_split_are_refused(void **state)
{
    (void)state;
    snw_mesh *box = make_box(1, 1, 1, snw_vec3_make(0, 0, 0));
    snw_mesh_halves half;
    snw_error error;
    snw_vec3 up = snw_vec3_make(0, 1, 0), none = snw_vec3_make(0, 0, 0);
    assert_int_equal(snw_mesh_split(box, none, 0, NULL, &half, &error), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_mesh_split(box, up, 0, NULL, NULL, &error), SNW_INVALID_ARGUMENT);
    /* Beside it: all on one side. */
    assert_int_equal(snw_mesh_split(box, up, 5, NULL, &half, &error), SNW_OK);
    assert_int_equal(half.front->count.triangle_count, 0);
    assert_int_equal(half.back->count.triangle_count, box->count.triangle_count);
    snw_mesh_destroy(half.front);
    snw_mesh_destroy(half.back);
    box->count.triangle_count--;
    assert_int_not_equal(snw_mesh_split(box, up, 0, NULL, &half, &error), SNW_OK);
    assert_null(half.front);
    box->count.triangle_count++;
    snw_mesh_destroy(box);
}

/* A frame in a T before a motion, and a cut in it: as if both parts stood alone. */
static void a_frame_that_nobody_stood_in_moves_nothing(void **state)
{
    (void)state;
    enum {
        FRAMES = 60,
        CUT = 30
    };
    snw_skeleton *body = two_boxes();
    snw_motion *motion = NULL;
    snw_table *table = NULL;
    assert_int_equal(snw_motion_create(body, FRAMES, 100, NULL, &motion, NULL), SNW_OK);
    for (int f = 1; f < FRAMES; f++) {
        double angle = 0.02 * f + (f >= CUT ? 1 : 0);
        motion->root[f].rotation = snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), 2 + angle);
        motion->rotation[2 * f + 1] = snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), 1 + angle);
    }
    assert_int_equal(snw_table_from_momentum(motion, NULL, &table, NULL), SNW_OK);
    const double *row = table->value + table->column_count - 1; /* kinetic energy */
    double usual = row[10 * table->column_count];
    check_near(row[0], 0, 0);
    for (int f = 1; f < FRAMES; f++) {
        double energy = row[f * table->column_count];
        /* Over the jumps it would be some thousand times as much. */
        assert_true(energy > usual / 4 && energy < usual * 4);
    }
    snw_table_destroy(table);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_cut_at_a_third_is_two_boxes),
        cmocka_unit_test(half_a_cube_is_a_prism_whatever_it_is_made_of),
        cmocka_unit_test(parts_of_any_cuts_add_up_to_the_whole),
        cmocka_unit_test(cuts_that_cannot_be_are_refused),
        cmocka_unit_test(joints_of_a_person_weigh_what_the_figures_parts_do),
        cmocka_unit_test(a_weighed_motion_spins_as_its_inertia_says),
        cmocka_unit_test(a_frame_that_nobody_stood_in_moves_nothing),
        cmocka_unit_test(both_halves_of_a_solid_are_closed),
        cmocka_unit_test(memory_goes_with_the_triangles),
        cmocka_unit_test(solids_that_cannot_be_split_are_refused),
        cmocka_unit_test(momentum_is_that_of_points_that_move_along),
        cmocka_unit_test(inertia_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
