#include "output.h"

#include <stdlib.h>

int cli_fail_writing(const cli_arguments *arguments, const snw_error *error)
{
    const char *hint = error->status == SNW_EXISTS ? " (--force overwrites)" : "";
    return cli_fail(arguments, "%s%s", error->message, hint);
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
