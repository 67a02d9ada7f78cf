/* `sinew view`: the page in the browser, with files, or as one file with everything inside. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "input.h"
#include "view/view.h"

static bool are_files(const cli_arguments *arguments)
{
    struct stat about;
    for (int n = 0; n < arguments->operand_count; n++) {
        const char *path = arguments->operand[n];
        if (stat(path, &about) != 0)
            cli_fail(arguments, "%s could not be opened: %s", path, strerror(errno));
        else if (S_ISREG(about.st_mode))
            continue;
        else
            cli_fail(arguments, "%s is not a file", path);
        return false;
    }
    return true;
}

static int run_view(const cli_arguments *arguments)
{
    const char *path = cli_value(arguments, "--export", NULL);
    if (!view_page_embedded().size)
        return cli_fail(arguments,
                        "this command was built without the page; scripts/page makes it, then "
                        "build again");
    if (path && !arguments->operand_count)
        return cli_misuse(arguments, "--export needs a file to put into the page");
    if (!are_files(arguments)) return CLI_FAILED;
    return path ? view_export(arguments, path) : view_serve(arguments);
}

static const cli_option view_options[] = {
    {"--export", "-o", "PAGE.html", "write one file with page and data inside, to keep or to send"},
    {"--port", NULL, "N", "listen on this port; else the system chooses one"},
    {"--no-open", NULL, NULL, "print the address, do not open a browser"},
    {"--quit", NULL, NULL, "end when the page is closed"},
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_view_command = {
    "view",
    "show captures and motions in the browser",
    "[FILE...]",
    "Serves one page on this computer only (127.0.0.1) and opens it. The page computes everything\n"
    "itself, with this library; it reads the files named here and no others, and only who knows\n"
    "the address, which holds a secret, gets them. Without files it opens with a dance.\n\n"
    "examples:\n"
    "  sinew view walk.c3d                     look at it, solve it, correct labels, export\n"
    "  sinew view --quit walk.c3d run.c3d      the command ends with the page\n"
    "  sinew view --export walk.html walk.c3d  one file to mail; opens in any browser",
    view_options,
    0,
    CLI_VALUES_MAX,
    run_view,
};
