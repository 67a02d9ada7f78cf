/* Legs of real people whose markers are on thighs and shanks only: no label tells where the knees
 * are, and walking hardly shows their place along their axes. Needs the corpus that SINEW_CORPUS
 * names. */
#include "corpus_solve.h"

static double bone(const corpus_solved *s, const char *name)
{
    int joint = snw_skeleton_find_joint(s->actor->skeleton, name);
    if (joint < 0) fail_msg("no joint %s", name);
    return s->actor->skeleton->bone_length[joint];
}

static void check_between(double value, double least, double most)
{
    check_near(value, 0.5 * (least + most), 0.5 * (most - least));
}

typedef struct leg_row {
    const char *path;
    double least, most; /* metres: thigh and shank together */
    double hips;        /* metres: most between the hips */
} leg_row;

static const leg_row leg_rows[] = {
    /* The top of the head is 1.78 m above the floor: legs of 0.491 times that, 6 % more or less. */
    {"trc/subject01_walk1.trc", 0.82, 0.93, 0.22},
    {"c3d_variants/Eb015pi.c3d", 0.70, 0.85, 0.22},
};

static void legs_without_markers_at_joints_are_those_of_a_person(void **state)
{
    (void)state;
    const char *corpus = corpus_folder();
    for (size_t n = 0; n < sizeof leg_rows / sizeof *leg_rows; n++) {
        const leg_row *row = leg_rows + n;
        corpus_solved s = corpus_solve(corpus, row->path);
        double left = bone(&s, "LeftLeg") + bone(&s, "LeftFoot");
        double right = bone(&s, "RightLeg") + bone(&s, "RightFoot");
        const snw_skeleton *body = s.actor->skeleton;
        double hips =
            snw_vec3_distance(body->rest[snw_skeleton_find_joint(body, "LeftUpLeg")].translation,
                              body->rest[snw_skeleton_find_joint(body, "RightUpLeg")].translation);
        print_message("legs %.3f %.3f m, hips apart %.3f m\n", left, right, hips);
        check_between(left, row->least, row->most);
        check_between(right, row->least, row->most);
        check_near(left / right, 1, 0.03);
        check_between(hips, 0.12, row->hips);
        corpus_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legs_without_markers_at_joints_are_those_of_a_person),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
