/* Several bodies in one capture fall apart by themselves: two actors, an actor and a table. */
#include "check.h"

#define BODIES_SEGMENTS 23
#define BODIES_MARKERS  (4 * BODIES_SEGMENTS)

typedef struct bodies_actor {
    snw_skeleton *body;
    snw_synth *synth;
} bodies_actor;

static bodies_actor actor_make(snw_synth_motion_kind motion, uint64_t seed)
{
    bodies_actor actor = {NULL, NULL};
    snw_synth_options options = snw_synth_options_default();
    options.motion = motion;
    options.placement = SNW_SYNTH_RANDOM;
    options.seed = seed;
    options.seconds = 6;
    options.rate = 100;
    snw_error error;
    assert_int_equal(snw_preset_create("humanoid", NULL, &actor.body, &error), SNW_OK);
    if (snw_synth_create(actor.body, NULL, &options, NULL, &actor.synth, &error) != SNW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(actor.synth->marker_count, BODIES_MARKERS);
    return actor;
}

static void actor_free(bodies_actor *actor)
{
    snw_synth_destroy(actor->synth);
    snw_skeleton_destroy(actor->body);
}

/* A trial without names that holds `first`, and as many further markers. */
static snw_trial *room_for(const snw_trial *first, int more)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = first->marker_count + more;
    options.frame_count = first->frame_count;
    options.rate = first->rate;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int f = 0; f < first->frame_count; f++)
        for (int m = 0; m < first->marker_count; m++)
            snw_trial_set(trial, f, m, snw_trial_position(first, f, m), SNW_SAMPLE_MEASURED);
    return trial;
}

static snw_segments *segments_of(const snw_trial *trial)
{
    snw_segments *segments = NULL;
    snw_error error;
    if (snw_segments_find(trial, NULL, NULL, &segments, NULL, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return segments;
}

/* Counts the markers of body number `part` that are before and from BODIES_MARKERS on. */
static void markers_of(const snw_trial *trial, const snw_segments *segments, int part, int count[2])
{
    snw_actor *actor = NULL;
    snw_actor_options options = snw_actor_options_default();
    options.part = part;
    snw_error error;
    count[0] = count[1] = 0;
    if (snw_actor_calibrate(trial, segments, &options, NULL, &actor, &error) != SNW_OK)
        fail_msg("%s", error.message);
    for (int m = 0; m < actor->marker_count; m++)
        count[snw_trial_find_marker(trial, actor->marker[m].name) >= BODIES_MARKERS]++;
    snw_actor_destroy(actor);
}

static void two_actors_are_two_bodies(void **state)
{
    (void)state;
    static const struct {
        snw_synth_motion_kind one, other;
    } cases[] = {{SNW_SYNTH_DANCE, SNW_SYNTH_BOXING}, {SNW_SYNTH_DANCE, SNW_SYNTH_DANCE}};
    for (int c = 0; c < CHECK_CASES(2); c++) {
        bodies_actor one = actor_make(cases[c].one, 1), other = actor_make(cases[c].other, 5);
        snw_trial *trial = room_for(one.synth->capture, BODIES_MARKERS);
        /* a metre away, and half a second late: who dances in step is one body to anybody */
        for (int f = 0; f < trial->frame_count; f++)
            for (int m = 0; m < BODIES_MARKERS; m++) {
                int late = (f + 50) % trial->frame_count;
                snw_vec3 place = snw_trial_position(other.synth->capture, late, m);
                snw_trial_set(trial, f, BODIES_MARKERS + m,
                              snw_vec3_add(place, snw_vec3_make(0.8, 0, 0.6)), SNW_SAMPLE_MEASURED);
            }
        int first[2], second[2];
        snw_segments *segments = segments_of(trial);
        markers_of(trial, segments, 0, first);
        markers_of(trial, segments, 1, second);
        snw_segments_destroy(segments);
        /* each body has one actor's markers only, and nearly all of them */
        assert_int_equal(first[0] * first[1] + second[0] * second[1], 0);
        assert_true(first[0] + first[1] > 0.9 * BODIES_MARKERS);
        assert_true(second[0] + second[1] > 0.9 * BODIES_MARKERS);
        snw_trial_destroy(trial);
        actor_free(&other);
        actor_free(&one);
    }
}

static void a_table_is_no_part_of_the_actor(void **state)
{
    (void)state;
    bodies_actor one = actor_make(SNW_SYNTH_DANCE, 2);
    snw_trial *trial = room_for(one.synth->capture, 5);
    snw_random random = snw_random_seed(4, 4);
    for (int f = 0; f < trial->frame_count; f++)
        for (int m = 0; m < 5; m++) {
            snw_vec3 corner = snw_vec3_make(2 + 0.6 * (m % 2), 0.7, 2 + 0.4 * m);
            corner.y += 0.0003 * snw_random_normal(&random);
            snw_trial_set(trial, f, BODIES_MARKERS + m, corner, SNW_SAMPLE_MEASURED);
        }
    int count[2];
    snw_segments *segments = segments_of(trial);
    markers_of(trial, segments, 0, count);
    snw_segments_destroy(segments);
    assert_true(count[0] > 0.9 * BODIES_MARKERS);
    assert_int_equal(count[1], 0);
    snw_trial_destroy(trial);
    actor_free(&one);
}

/* Four markers of one segment that never move, first in the file, with a name that means the
 * pelvis: of a person whose segments have names, and of one in a known marker set. */
static void an_object_called_root_is_told_and_the_person_comes_first(void **state)
{
    (void)state;
    static const struct {
        snw_synth_placement placement;
        const char *name; /* of the object's markers */
    } cases[] = {{SNW_SYNTH_RANDOM, "Root:%d"},
                 {SNW_SYNTH_RANDOM, "StaticRoot:%d"},
                 {SNW_SYNTH_ANATOMICAL, "Root%d"}};
    for (int c = 0; c < CHECK_CASES(3); c++) {
        snw_synth_options options = snw_synth_options_default();
        options.motion = SNW_SYNTH_DANCE;
        options.placement = cases[c].placement;
        options.seconds = 4;
        snw_skeleton *body = NULL;
        snw_synth *synth = NULL;
        snw_error error;
        assert_int_equal(snw_preset_create("humanoid", NULL, &body, &error), SNW_OK);
        assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, &error), SNW_OK);
        snw_trial_options room = snw_trial_options_default();
        room.marker_count = 4 + synth->marker_count;
        room.frame_count = synth->capture->frame_count;
        room.rate = synth->capture->rate;
        snw_trial *trial = NULL;
        assert_int_equal(snw_trial_create(&room, NULL, &trial, NULL), SNW_OK);
        snw_random random = snw_random_seed(4, 4);
        for (int m = 0; m < room.marker_count; m++) {
            char name[32];
            snw_format(name, sizeof name, cases[c].name, m + 1);
            assert_int_equal(snw_trial_set_marker_name(
                                 trial, m, m < 4 ? name : synth->capture->marker[m - 4].name, NULL),
                             SNW_OK);
            for (int f = 0; f < room.frame_count; f++) {
                snw_vec3 place = snw_vec3_make(1 + 0.2 * (m % 2), 0.1 + 0.1 * (m / 2), 0.05 * m);
                if (m < 4)
                    place.y += 0.0003 * snw_random_normal(&random);
                else
                    place = snw_trial_position(synth->capture, f, m - 4);
                snw_trial_set(trial, f, m, place, SNW_SAMPLE_MEASURED);
            }
        }
        snw_segments *segments = NULL;
        snw_actor *actor = NULL;
        snw_notes notes = snw_notes_none();
        snw_actor_options chosen = snw_actor_options_default();
        chosen.notes = &notes;
        if (snw_segments_find(trial, NULL, NULL, &segments, &notes, &error) != SNW_OK ||
            snw_actor_calibrate(trial, segments, &chosen, NULL, &actor, &error) != SNW_OK)
            fail_msg("%s", error.message);
        assert_int_equal(actor->marker_count, synth->marker_count);
        int told = 0;
        for (int n = 0; n < notes.count; n++)
            told += notes.note[n].code == SNW_NOTE_OBJECT;
        assert_int_equal(told, 1);
        snw_actor_destroy(actor);
        snw_segments_destroy(segments);
        snw_trial_destroy(trial);
        snw_synth_destroy(synth);
        snw_skeleton_destroy(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_actors_are_two_bodies),
        cmocka_unit_test(a_table_is_no_part_of_the_actor),
        cmocka_unit_test(an_object_called_root_is_told_and_the_person_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
