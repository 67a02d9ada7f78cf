/* `sinew`: looks up the subcommand and runs it. */
#include <stdio.h>
#include <string.h>

#include <sinew/sinew.h>

int main(int argument_count, char **arguments)
{
    if (argument_count > 1 && strcmp(arguments[1], "--version") == 0) {
        printf("sinew %s\n", snw_version());
        return 0;
    }
    fputs("usage: sinew COMMAND [OPTIONS]\n", stderr);
    return 2;
}
