/* Which joints a frame determines, from the places of the markers that are seen.
 *
 * The points of a segment are its own markers that are seen, and the joint centres of those
 * children whose own points tell where they are. Three points that are not in a line place a
 * segment by themselves. One that hangs from its parent is turned about a known centre: then points
 * off that centre tell its swing, and points off one line through the centre its twist too. One
 * that a joint leaves free is told by its own points alone. */
#include "track/observability.h"

#include <string.h>

#include "center/center.h"
#include "label/label_grammar.h"
#include "math/symmetric3.h"
#include "track/track_constants.h"

/* Points of one segment: sums about the joint's centre. */
typedef struct segment_points {
    int count;
    snw_vec3 sum;
    snw_mat3 square; /* p p^T */
} segment_points;

static void add_point(segment_points *points, snw_vec3 p)
{
    points->count++;
    points->sum = snw_vec3_add(points->sum, p);
    snw__add_outer(&points->square, 1, p);
}

/* Children come after their parents: by the time a segment is asked, its children are judged. */
static segment_points points_of(const snw__observability *seen, int joint)
{
    const snw_actor *actor = seen->actor;
    const snw_skeleton *body = actor->skeleton;
    segment_points points;
    memset(&points, 0, sizeof points);
    for (int m = 0; m < actor->marker_count; m++)
        if (seen->is_seen[m] && actor->marker[m].joint == joint)
            add_point(&points, actor->marker[m].offset);
    for (int j = joint + 1; j < body->joint_count; j++)
        if (body->parent[j] == joint && seen->is_fixed[j] && body->joint[j].type != SNW_JOINT_FREE)
            add_point(&points, body->rest[j].translation);
    return points;
}

/* Three points and more, off one line. */
static bool is_fixed(const segment_points *points)
{
    if (points->count < 3) return false;
    snw_mat3 spread = points->square;
    snw__add_outer(&spread, -1.0 / points->count, points->sum);
    return snw__spectrum3_of(spread).value[1] > OBSERVABILITY_LEVER * OBSERVABILITY_LEVER;
}

static int rank_of(const segment_points *points)
{
    snw__spectrum3 spectrum = snw__spectrum3_of(points->square);
    double lever2 = OBSERVABILITY_LEVER * OBSERVABILITY_LEVER;
    if (spectrum.value[1] + spectrum.value[2] > lever2) return 3;
    return spectrum.value[0] > lever2 ? 2 : 0;
}

/* How much of the joint's own freedom the points tell: of a hinge the turn about its axis, of the
 * root its place and turn. */
static int told_freedom(const snw__observability *seen, int joint, const segment_points *points)
{
    const snw_joint *type = seen->actor->skeleton->joint + joint;
    int freedom = joint ? snw_joint_type_dof(type->type) : 6;
    if (freedom == 6)
        return points->count >= 3 && seen->is_fixed[joint] ? 6
               : points->count >= 2                        ? 5
               : points->count                             ? 3
                                                           : 0;
    if (type->type == SNW_JOINT_HINGE) {
        snw_vec3 along = snw_mat3_apply(points->square, type->axis);
        double off2 = points->square.m[0][0] + points->square.m[1][1] + points->square.m[2][2] -
                      snw_vec3_dot(along, type->axis);
        return off2 > OBSERVABILITY_LEVER * OBSERVABILITY_LEVER;
    }
    int rank = seen->rank[joint] >= 2 ? seen->rank[joint] : 0;
    return rank < freedom ? rank : freedom;
}

static void tell(snw__observability *seen, int joint, const segment_points *points)
{
    snw_joint_observability *out = seen->joint + joint;
    const snw_skeleton *body = seen->actor->skeleton;
    out->freedom = (uint8_t)(joint ? snw_joint_type_dof(body->joint[joint].type) : 6);
    out->rank = (uint8_t)told_freedom(seen, joint, points);
    out->is_determined = out->rank == out->freedom;
}

void snw__observability_judge(snw__observability *seen, const double *sample_weight)
{
    bool is_same = seen->has_rank;
    for (int m = 0; m < seen->actor->marker_count; m++) {
        uint8_t now = sample_weight[m] > 0;
        is_same &= now == seen->is_seen[m];
        seen->is_seen[m] = now;
    }
    if (!is_same) {
        const snw_skeleton *body = seen->actor->skeleton;
        memset(seen->is_above, 0, (size_t)body->joint_count * sizeof(bool));
        for (int m = 0; m < seen->actor->marker_count; m++)
            if (seen->is_seen[m]) seen->is_above[seen->actor->marker[m].joint] = true;
        for (int j = body->joint_count - 1; j >= 0; j--) {
            segment_points points = points_of(seen, j);
            seen->is_fixed[j] = is_fixed(&points);
            int rank = rank_of(&points);
            if (j == 0 || body->joint[j].type == SNW_JOINT_FREE) rank = seen->is_fixed[j] ? 3 : 0;
            if (j > 0 && seen->is_above[j]) seen->is_above[body->parent[j]] = true;
            seen->rank[j] = (uint8_t)(rank == 0 && seen->is_above[j] ? 1 : rank);
            tell(seen, j, &points);
        }
        /* Turned against a parent that is itself not known, a segment is not known either. */
        for (int j = 1; j < body->joint_count; j++)
            seen->joint[j].is_determined &= seen->joint[body->parent[j]].is_determined;
    }
    seen->has_rank = true;
}

void snw__observability_lay_out(snw__observability *seen, snw__block *block)
{
    size_t markers = (size_t)seen->actor->marker_count;
    size_t joints = (size_t)seen->actor->skeleton->joint_count;
    seen->is_seen = snw__block_take(block, markers, 1);
    seen->rank = snw__block_take(block, joints, 1);
    seen->is_above = snw__block_take(block, joints, sizeof(bool));
    seen->is_fixed = snw__block_take(block, joints, sizeof(bool));
    seen->joint = snw__block_take(block, joints, sizeof(snw_joint_observability));
}

void snw__determinacy_from_ranks(const snw_skeleton *skeleton, int frame_count, uint8_t *rank)
{
    size_t joints = (size_t)skeleton->joint_count;
    for (size_t j = 0; j < joints; j++) {
        uint8_t best = 0;
        for (int frame = 0; frame < frame_count; frame++)
            if (rank[(size_t)frame * joints + j] > best) best = rank[(size_t)frame * joints + j];
        for (int frame = 0; frame < frame_count; frame++) {
            uint8_t *row = rank + (size_t)frame * joints;
            /* Turned against a parent that is itself not known, a segment is not known either. */
            bool is_hung = j == 0 || row[skeleton->parent[j]] == SNW__FULL;
            if (row[j] == 0)
                row[j] = SNW__UNSEEN;
            else
                row[j] = row[j] == best && is_hung ? SNW__FULL : SNW__PARTIAL;
        }
    }
}
