/* The smallest user of the library: the same file is built by FetchContent and by pkg-config. */
#include <stdio.h>

#include <sinew/sinew.h>

int main(void)
{
    snw_skeleton *body = NULL;
    snw_error error;
    if (snw_preset_create("humanoid", NULL, &body, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("sinew %s: a body of %d joints\n", snw_version(), body->joint_count);
    snw_skeleton_destroy(body);
    return 0;
}
