/* Makes a capture, writes it as C3D, reads that back, says what is in it and converts it to TRC.
 * cc files.c $(pkg-config --cflags --libs sinew) && ./a.out [FILE.c3d] */
#include <stdio.h>

#include <sinew/sinew.h>

static int complain(const snw_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

/* A capture of a walking person, as the bytes of a C3D file. */
static snw_status make_file(snw_memory_sink *file, snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_synth_options options = snw_synth_options_default();
    options.seconds = 2;
    snw_sink sink = snw_sink_to_memory(file, NULL);
    snw_status status = snw_preset_create("humanoid", NULL, &body, error);
    if (status == SNW_OK) status = snw_synth_create(body, NULL, &options, NULL, &synth, error);
    if (status == SNW_OK)
        status = snw_write_trial(synth->capture, SNW_FORMAT_C3D, NULL, &sink, error);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
    return status;
}

int main(int count, char **argument)
{
    snw_error error;
    snw_trial *trial = NULL;
    snw_notes notes = snw_notes_none();
    snw_memory_sink file, converted;
    if (count > 1) {
        if (snw_read_trial_file(argument[1], NULL, NULL, &trial, &notes, &error) != SNW_OK)
            return complain(&error);
    } else {
        snw_memory_source state;
        if (make_file(&file, &error) != SNW_OK) return complain(&error);
        snw_source source = snw_source_from_memory(&state, file.bytes, file.size);
        if (snw_read_trial(&source, NULL, NULL, &trial, &notes, &error) != SNW_OK)
            return complain(&error);
        snw_memory_sink_release(&file);
    }
    printf("%d markers, %d frames at %g per second\n", trial->marker_count, trial->frame_count,
           trial->rate);
    for (int m = 0; m < trial->marker_count && m < 5; m++)
        printf("  %-8s missing in %d frames\n", trial->marker[m].name,
               snw_trial_gaps(trial, m).missing_count);
    for (int n = 0; n < notes.count; n++) /* everything that had to be repaired or guessed */
        printf("note: %s\n", notes.note[n].text);
    snw_sink sink = snw_sink_to_memory(&converted, NULL);
    if (snw_write_trial(trial, SNW_FORMAT_TRC, NULL, &sink, &error) != SNW_OK)
        return complain(&error);
    printf("as TRC: %zu bytes\n", converted.size);
    snw_memory_sink_release(&converted);
    snw_trial_destroy(trial);
    return 0;
}
