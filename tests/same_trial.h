/* Comparing two trials bit for bit, for tests that write and read again. */
#ifndef SNW_TESTS_SAME_TRIAL_H
#define SNW_TESTS_SAME_TRIAL_H

#include "check.h"

/* Fails with what differs. NaN payloads and the sign of zero count. */
static inline void check_same_arrays(const snw_trial *a, const snw_trial *b)
{
    assert_int_equal(a->marker_count, b->marker_count);
    assert_int_equal(a->frame_count, b->frame_count);
    assert_int_equal(a->analog_count, b->analog_count);
    assert_int_equal(a->rotation_count, b->rotation_count);
    size_t samples = (size_t)a->frame_count * (size_t)a->marker_count;
    size_t analog = (size_t)a->frame_count * (size_t)a->analog_per_frame * (size_t)a->analog_count;
    size_t rotations =
        (size_t)a->frame_count * (size_t)a->rotations_per_frame * (size_t)a->rotation_count * 17;
    if (samples) assert_memory_equal(a->sample, b->sample, samples * sizeof *a->sample);
    if (samples) assert_memory_equal(a->state, b->state, samples);
    if (analog) assert_int_equal(a->analog_per_frame, b->analog_per_frame);
    if (analog) assert_memory_equal(a->analog, b->analog, analog * sizeof(float));
    if (rotations) assert_memory_equal(a->rotation, b->rotation, rotations * sizeof(float));
}

static inline void check_same_markers(const snw_marker *a, const snw_marker *b, int count)
{
    for (int m = 0; m < count; m++) {
        assert_string_equal(a[m].name, b[m].name);
        assert_string_equal(a[m].description, b[m].description);
    }
}

static inline void check_same_channels(const snw_trial *a, const snw_trial *b)
{
    check_near(a->analog_general_scale, b->analog_general_scale, 0);
    for (int c = 0; c < a->analog_count; c++) {
        assert_string_equal(a->analog_channel[c].name, b->analog_channel[c].name);
        assert_string_equal(a->analog_channel[c].description, b->analog_channel[c].description);
        assert_string_equal(a->analog_channel[c].unit, b->analog_channel[c].unit);
        check_near(a->analog_channel[c].scale, b->analog_channel[c].scale, 0);
        check_near(a->analog_channel[c].offset, b->analog_channel[c].offset, 0);
    }
}

static inline void check_same_events(const snw_trial *a, const snw_trial *b)
{
    assert_int_equal(a->event_count, b->event_count);
    for (int e = 0; e < a->event_count; e++) {
        const snw_event *x = a->event + e, *y = b->event + e;
        assert_true(x->time == y->time || (isnan(x->time) && isnan(y->time)));
        assert_string_equal(x->label, y->label);
        assert_string_equal(x->context, y->context);
        assert_string_equal(x->subject, y->subject);
        assert_string_equal(x->description, y->description);
        assert_int_equal(x->icon, y->icon);
        assert_int_equal(x->flags, y->flags);
        assert_int_equal(x->is_in_header, y->is_in_header);
    }
}

/* Everything but the parameters. */
static inline void check_same_trial(const snw_trial *a, const snw_trial *b)
{
    check_same_arrays(a, b);
    check_same_markers(a->marker, b->marker, a->marker_count);
    check_same_markers(a->rotation_label, b->rotation_label, a->rotation_count);
    check_same_channels(a, b);
    check_same_events(a, b);
    assert_string_equal(a->unit, b->unit);
    check_near(a->metres_per_unit, b->metres_per_unit, 0);
    check_near(a->rate, b->rate, 0);
    assert_int_equal(a->up, b->up);
    assert_int_equal(a->storage.order, b->storage.order);
    assert_int_equal(a->storage.is_integer, b->storage.is_integer);
}

#endif
