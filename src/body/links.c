/* Bodies from the twist/flexion/spherical notation (Casanueva, section 4.3.1, after Korein, A
 * Geometric Investigation of Reach, 1985): straight links of constant length, revolute joints only.
 *
 * The text fixes what a word means by what it reaches: a twist carries the next link round the
 * direction of the link before it; a flexion turns it across; one of each reaches a sphere
 * (4.3.2.2) in whichever order they are written, so the twist is applied in the frame before the
 * flexion. Twists beyond the first and flexions beyond the second add no reach and are dropped. */
#include <sinew/body.h>

#include "base/fail.h"
#include "base/memory.h"

typedef struct link_letters {
    int twists;
    int flexions;
} link_letters;

/* False on a letter that is not of the notation, which is then in *wrong. */
static bool count_letters(const char *word, link_letters *letters, char *wrong)
{
    letters->twists = 0;
    letters->flexions = 0;
    for (; *word; word++) {
        if (*word == 'T' || *word == 'S') letters->twists++;
        if (*word == 'F') letters->flexions++;
        if (*word == 'S') letters->flexions += 2;
        if (*word != 'T' && *word != 'F' && *word != 'S' && *word != '-') {
            *wrong = *word;
            return false;
        }
    }
    return true;
}

static snw_status fill_link(const snw_link_def *links, int i, snw_joint_def *def, snw_error *error)
{
    const snw_link_def *link = &links[i];
    const char *name = link->name ? link->name : "";
    link_letters letters;
    char wrong = 0;
    snw__place place = SNW__NOWHERE;
    place.index = i;
    place.name = name;
    if (!link->joint || !link->joint[0])
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "link %d \"%s\" has no joint word: write \"-\" for none", i, name);
    if (!count_letters(link->joint, &letters, &wrong))
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "link %d \"%s\": \"%c\" in \"%s\" is not one of T, F, S, -", i, name,
                            wrong, link->joint);
    if (!(link->length > 0) || !isfinite(link->length))
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "link %d \"%s\" is %g m long: it must be above zero", i, name,
                            link->length);
    *def = snw_joint_def_default();
    def->name = link->name;
    def->parent = i - 1;
    const snw_vec3 along = {1, 0, 0}, across = {0, 0, 1}, across2 = {0, 1, 0};
    bool twists = letters.twists > 0;
    int flexions = letters.flexions < 2 ? letters.flexions : 2;
    def->joint.axis = twists ? along : across;
    def->joint.axis2 = !twists ? across2 : across;
    static const snw_joint_type types[2][3] = {
        {SNW_JOINT_FIXED, SNW_JOINT_HINGE, SNW_JOINT_UNIVERSAL},
        {SNW_JOINT_PIVOT, SNW_JOINT_UNIVERSAL, SNW_JOINT_BALL},
    };
    def->joint.type = types[twists][flexions];
    if (i > 0) def->rest.translation = snw_vec3_make(links[i - 1].length, 0, 0);
    return SNW_OK;
}

snw_status snw_skeleton_from_links(const snw_link_def *links, int link_count,
                                   const snw_allocator *allocator, snw_skeleton **out,
                                   snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_status status = SNW_OK;
    *out = NULL;
    if (!links || link_count < 1)
        return snw__fail(error, SNW_INVALID_SKELETON, "a chain needs at least one link");
    if (link_count > SNW_JOINT_MAX)
        return snw__fail(error, SNW_TOO_LARGE, "a chain of %d links is above the limit of %d",
                         link_count, SNW_JOINT_MAX);
    size_t size = (size_t)link_count * sizeof(snw_joint_def);
    snw_joint_def *defs = snw__allocate(&memory, size);
    if (!defs) return snw__fail_memory(error, size, "the links of a chain");
    for (int i = 0; i < link_count && status == SNW_OK; i++)
        status = fill_link(links, i, &defs[i], error);
    if (status == SNW_OK) {
        defs[link_count - 1].has_tip = true;
        defs[link_count - 1].tip = snw_vec3_make(links[link_count - 1].length, 0, 0);
        status = snw_skeleton_create(defs, link_count, &memory, out, error);
    }
    snw__release(&memory, defs, size);
    return status;
}
