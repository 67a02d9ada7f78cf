/* Least squares with the poses eliminated gives what solving for everything at once gives. */
#include "check.h"

#include <sinew/dense.h>

#include "calibrate/refine_system.h"

enum {
    SYSTEM_POSE = 9,     /* two joints and a root's place */
    SYSTEM_CONSTANT = 6, /* two vectors */
    SYSTEM_FRAMES = 5,
    SYSTEM_MARKERS = 7,
    SYSTEM_ALL = SYSTEM_POSE * SYSTEM_FRAMES + SYSTEM_CONSTANT
};

#define SYSTEM_DAMPING 1e-3

/* One marker in one frame: which unknowns move it, how, and by how much it is off. */
typedef struct system_sample {
    bool has_tip; /* hangs below the second joint as well */
    snw_mat3 tip, joint, place, constant[2];
    double weight;
    snw_vec3 residual;
} system_sample;

static snw_mat3 random_matrix(snw_random *random)
{
    snw_mat3 a;
    for (int k = 0; k < 9; k++)
        a.m[k / 3][k % 3] = snw_random_normal(random);
    return a;
}

static system_sample random_sample(snw_random *random, int marker)
{
    system_sample sample;
    sample.has_tip = marker % 2 == 0;
    sample.tip = random_matrix(random);
    sample.joint = random_matrix(random);
    sample.place = snw_mat3_identity();
    sample.constant[0] = random_matrix(random);
    sample.constant[1] = random_matrix(random);
    sample.weight = snw_random_range(random, 0.2, 2);
    sample.residual = snw_random_direction(random);
    return sample;
}

/* The columns of one sample in the big system, three rows of SYSTEM_ALL. */
static void big_rows(const system_sample *sample, int frame, double rows[3][SYSTEM_ALL])
{
    int pose = frame * SYSTEM_POSE, constant = SYSTEM_FRAMES * SYSTEM_POSE;
    memset(rows, 0, 3 * sizeof rows[0]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            if (sample->has_tip) rows[i][pose + k] = sample->tip.m[i][k];
            rows[i][pose + 3 + k] = sample->joint.m[i][k];
            rows[i][pose + 6 + k] = sample->place.m[i][k];
            rows[i][constant + k] = sample->constant[0].m[i][k];
            rows[i][constant + 3 + k] = sample->constant[1].m[i][k];
        }
}

static void add_to_big(const system_sample *sample, int frame, double *normal, double *right)
{
    double rows[3][SYSTEM_ALL];
    const double off[3] = {sample->residual.x, sample->residual.y, sample->residual.z};
    big_rows(sample, frame, rows);
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < SYSTEM_ALL; a++) {
            right[a] += sample->weight * rows[i][a] * off[i];
            for (int b = 0; b < SYSTEM_ALL; b++)
                normal[a * SYSTEM_ALL + b] += sample->weight * rows[i][a] * rows[i][b];
        }
}

static void add_to_system(snw__refine_system *system, const system_sample *sample)
{
    if (sample->has_tip) snw__refine_system_term(system, 0, &sample->tip);
    snw__refine_system_term(system, 3, &sample->joint);
    snw__refine_system_term(system, 6, &sample->place);
    snw__refine_system_term(system, SYSTEM_POSE, &sample->constant[0]);
    snw__refine_system_term(system, SYSTEM_POSE + 3, &sample->constant[1]);
    snw__refine_system_add(system, sample->weight, sample->residual);
}

static void lay_out_system(void *object, snw__block *block)
{
    snw__refine_system_lay_out(object, block);
}

static void eliminated_poses_change_nothing(void **state)
{
    (void)state;
    static double normal[SYSTEM_ALL * SYSTEM_ALL], right[SYSTEM_ALL];
    snw__refine_system system = {SYSTEM_POSE, SYSTEM_CONSTANT, NULL, NULL, 0, NULL, NULL};
    snw_allocator allocator = snw_allocator_default();
    snw__block block;
    assert_int_equal(
        snw__block_create(&block, lay_out_system, &system, &allocator, "a system", NULL), SNW_OK);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        snw_random random = snw_random_seed(seed, 0);
        memset(normal, 0, sizeof normal);
        memset(right, 0, sizeof right);
        snw__refine_system_clear(&system);
        for (int frame = 0; frame < SYSTEM_FRAMES; frame++) {
            snw__refine_system_begin_frame(&system);
            for (int m = 0; m < SYSTEM_MARKERS; m++) {
                system_sample sample = random_sample(&random, m);
                add_to_big(&sample, frame, normal, right);
                add_to_system(&system, &sample);
            }
            snw__refine_system_end_frame(&system, SYSTEM_DAMPING);
        }
        for (int k = 0; k < SYSTEM_FRAMES * SYSTEM_POSE; k++)
            normal[k * SYSTEM_ALL + k] += SYSTEM_DAMPING;
        assert_int_equal(snw_cholesky_factor(normal, SYSTEM_ALL), SNW_OK);
        assert_int_equal(snw_cholesky_solve(normal, SYSTEM_ALL, right), SNW_OK);
        double small[SYSTEM_CONSTANT * SYSTEM_CONSTANT], x[SYSTEM_CONSTANT];
        for (int i = 0; i < SYSTEM_CONSTANT; i++) {
            x[i] = *snw__refine_system_right(&system, i);
            for (int k = i; k < SYSTEM_CONSTANT; k++)
                small[k * SYSTEM_CONSTANT + i] = *snw__refine_system_at(&system, i, k);
        }
        assert_int_equal(snw_cholesky_factor(small, SYSTEM_CONSTANT), SNW_OK);
        assert_int_equal(snw_cholesky_solve(small, SYSTEM_CONSTANT, x), SNW_OK);
        /* Entries are of order 1, conditions of order 1e3: round-off times a thousand. */
        for (int i = 0; i < SYSTEM_CONSTANT; i++)
            check_near(x[i], right[SYSTEM_FRAMES * SYSTEM_POSE + i], 1e-11);
    }
    snw__block_release(&allocator, &block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eliminated_poses_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
