/* The OpenSim model of a trial, into a file. */
#include "angles_osim.h"

#include "output.h"

int cli_write_osim(const cli_arguments *arguments, const char *path, const snw_trial *trial,
                   const snw_gait_model *model, bool is_knee_negative)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    snw_status status = snw_write_osim_of_gait(trial, model, is_knee_negative, &sink, &error);
    if (status == SNW_OK)
        status =
            snw_write_file(path, cli_flag(arguments, "--force"), bytes.bytes, bytes.size, &error);
    snw_memory_sink_release(&bytes);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(arguments, &error);
}
