/* Robots from text, and texts that are refused with a sentence: what the tests of URDF and MJCF
 * share. */
#ifndef ROBOT_CHECKS_H
#define ROBOT_CHECKS_H

#include "motion_checks.h"

static snw_status read_bytes(const void *bytes, size_t size, snw_skeleton **skeleton,
                             snw_notes *notes, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_motion *motion = NULL;
    *skeleton = NULL;
    snw_status status = snw_read_motion(&source, NULL, NULL, &motion, notes, error);
    if (status == SNW_OK) {
        assert_int_equal(motion->frame_count, 0);
        *skeleton = motion->own_skeleton;
        motion->own_skeleton = NULL; /* it outlives the motion */
    }
    snw_motion_destroy(motion);
    return status;
}

static snw_skeleton *read_robot(const char *text, snw_notes *notes)
{
    snw_skeleton *body = NULL;
    snw_error error;
    *notes = snw_notes_none();
    if (read_bytes(text, strlen(text), &body, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return body;
}

static void check_refused(const char *text, snw_status status, const char *part)
{
    snw_skeleton *body = NULL;
    snw_error error;
    snw_status got = read_bytes(text, strlen(text), &body, NULL, &error);
    if (got != status || !strstr(error.message, part))
        fail_msg("%s\n%s: %s", text, snw_status_name(got), error.message);
    assert_null(body);
}

#endif
