#include "output.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "text.h"

int cli_fail_writing(const cli_arguments *arguments, const snw_error *error)
{
    const char *hint = error->status == SNW_EXISTS ? " (--force overwrites)" : "";
    return cli_fail(arguments, "%s%s", error->message, hint);
}

/* The same sentences as snw_write_file, before the work instead of after it. */
bool cli_may_write(const cli_arguments *arguments, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) return true;
    if (S_ISDIR(about.st_mode))
        cli_fail(arguments, "%s could not be written: it is a folder", path);
    else if (S_ISREG(about.st_mode) && !cli_flag(arguments, "--force"))
        cli_fail(arguments, "%s exists already and is not overwritten (--force overwrites)", path);
    else
        return true;
    return false;
}

void cli_note_losses(const cli_arguments *arguments, const snw_trial *trial, const char *path)
{
    snw_format_kind kind = snw_format_from_name(path);
    if (kind == SNW_FORMAT_C3D) return;
    const int counts[] = {trial->analog_count, trial->event_count, trial->rotation_count};
    static const char *const words[] = {"analog channel", "event", "rotation"};
    for (int n = 0; n < 3; n++)
        if (counts[n] > 0)
            cli_note(arguments, "%s has no place for %d %s%s, which %s left out",
                     snw_format_name(kind), counts[n], words[n], cli_s(counts[n]),
                     counts[n] == 1 ? "is" : "are");
}

int cli_write_whole(const cli_arguments *arguments, const char *path,
                    void (*draw)(FILE *out, const void *context), const void *context)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&bytes, &size);
    if (!memory) return cli_fail(arguments, "no memory for %s", path);
    draw(memory, context);
    int status = CLI_DONE;
    snw_error error;
    if (fclose(memory) != 0)
        status = cli_fail(arguments, "no memory for %s", path);
    else if (snw_write_file(path, cli_flag(arguments, "--force"), bytes, size, &error) != SNW_OK)
        status = cli_fail_writing(arguments, &error);
    free(bytes);
    return status;
}

char *cli_read_whole(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb"), *memory = NULL;
    char *bytes = NULL, chunk[8192];
    size_t got;
    if (!in) return NULL;
    memory = open_memstream(&bytes, size);
    while (memory && (got = fread(chunk, 1, sizeof chunk, in)) > 0)
        fwrite(chunk, 1, got, memory);
    bool is_good = memory && !ferror(in) && !ferror(memory);
    fclose(in);
    if (memory && fclose(memory) != 0) is_good = false;
    if (is_good) return bytes;
    free(bytes);
    return NULL;
}
