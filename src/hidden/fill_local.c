/* The neighbours of a hidden marker, and the frame they give.
 *
 * A marker is best told by markers that keep their distance to it. Three of them make a frame; in
 * it the marker and the other neighbours are written as rows of numbers, which the regressions
 * learn from. The frame is the least-squares (Procrustes) one: for three points the best rotation
 * carries the plane of the mean triangle onto the plane of the seen one and turns in it by the
 * angle of the planar problem, so no eigenvalues are needed. */
#include <math.h>
#include <stdlib.h>

#include "hidden/fill.h"
#include "hidden/hidden_constants.h"
#include "math/robust.h"
#include "person/movement.h"

/* ---- which marker tells where another is ----------------------------------------------------- */

static double pair_cost(const snw__fill *fill, int a, int b, int step)
{
    double count = 0, sum = 0, square = 0;
    for (int frame = 0; frame < fill->frame_count; frame += step) {
        if (!snw__fill_measured(fill, frame, a) || !snw__fill_measured(fill, frame, b)) continue;
        double distance = snw_vec3_distance(fill->position[snw__fill_at(fill, frame, a)],
                                            fill->position[snw__fill_at(fill, frame, b)]);
        count++;
        sum += distance;
        square += distance * distance;
    }
    if (count < 3) return INFINITY;
    double mean = sum / count;
    /* Among markers equally rigid the nearer one tells more: noise of a frame grows with the
     * distance to it. A metre counts as 2 cm of deviation. Tuned on CMU 85_12 and 02_05; 0.01 to
     * 0.05 gave the same within 3 %. */
    return sqrt(fmax(square / count - mean * mean, 0)) + SNW__DISTANCE_COST * mean;
}

void snw__fill_cost_row(snw__fill *fill, int marker)
{
    /* Frames looked at for the deviation of a distance: a standard deviation from 400 values is
     * known to 4 %, and ranks need less. */
    int step = fill->frame_count / SNW__SAMPLES_SPREAD + 1, count = fill->marker_count;
    for (int other = 0; other < count; other++) {
        double cost = other == marker ? INFINITY : pair_cost(fill, marker, other, step);
        fill->cost[marker * count + other] = cost;
        fill->cost[other * count + marker] = cost;
    }
}

void snw__fill_costs(snw__fill *fill)
{
    int step = fill->frame_count / SNW__SAMPLES_SPREAD + 1, count = fill->marker_count;
    for (int a = 0; a < count; a++) {
        fill->cost[a * count + a] = INFINITY;
        for (int b = 0; b < a; b++)
            fill->cost[a * count + b] = fill->cost[b * count + a] = pair_cost(fill, a, b, step);
    }
}

bool snw__gap_shows(const snw__gap_model *model, int marker)
{
    const snw__fill *fill = model->fill;
    int length = model->to - model->from;
    int first = model->from > fill->margin ? model->from - fill->margin : 0;
    int last =
        model->to + fill->margin < fill->frame_count ? model->to + fill->margin : fill->frame_count;
    for (int frame = first; frame < last; frame++)
        if (!snw__fill_usable(fill, frame, marker, length)) return false;
    return true;
}

/* fill->order: the usable neighbours, best first, as many as are worth looking at. */
static int rank_neighbours(const snw__gap_model *model)
{
    const snw__fill *fill = model->fill;
    if (!fill->cost) return 0;
    const double *cost = fill->cost + (size_t)model->marker * (size_t)fill->marker_count;
    int count = 0, wanted = 2 * SNW__FILL_FEATURES;
    for (int m = 0; m < fill->marker_count; m++) {
        if (!isfinite(cost[m])) continue;
        if (count == wanted && cost[m] >= cost[fill->order[count - 1]]) continue;
        if (!snw__gap_shows(model, m)) continue;
        int place = count < wanted ? count++ : count - 1;
        for (; place > 0 && cost[fill->order[place - 1]] > cost[m]; place--)
            fill->order[place] = fill->order[place - 1];
        fill->order[place] = m;
    }
    return count;
}

/* ---- the frame of three markers -------------------------------------------------------------- */

typedef struct local_triangle {
    snw_vec3 center, u, v, normal;
    double place[3][2]; /* in the plane, about the centroid */
} local_triangle;

/* False where the three lie on a line or are missing: a height of less than 1 % of the longest
 * side tells no plane. */
static bool see_triangle(const snw__fill *fill, int frame, const int corner[3],
                         local_triangle *triangle)
{
    const snw_vec3 *at = fill->position + snw__fill_at(fill, frame, 0);
    snw_vec3 p[3] = {at[corner[0]], at[corner[1]], at[corner[2]]};
    snw_vec3 side = snw_vec3_sub(p[1], p[0]), other = snw_vec3_sub(p[2], p[0]);
    snw_vec3 normal = snw_vec3_cross(side, other);
    double area = snw_vec3_length(normal), length = snw_vec3_length(side);
    double scale = fmax(snw_vec3_length2(side), snw_vec3_length2(other));
    if (!(area > 1e-2 * scale) || !(length > 1e-6)) return false;
    triangle->center = snw_vec3_scale(snw_vec3_add(snw_vec3_add(p[0], p[1]), p[2]), 1.0 / 3);
    triangle->normal = snw_vec3_scale(normal, 1 / area);
    triangle->u = snw_vec3_scale(side, 1 / length);
    triangle->v = snw_vec3_cross(triangle->normal, triangle->u);
    for (int c = 0; c < 3; c++) {
        snw_vec3 arm = snw_vec3_sub(p[c], triangle->center);
        triangle->place[c][0] = snw_vec3_dot(arm, triangle->u);
        triangle->place[c][1] = snw_vec3_dot(arm, triangle->v);
    }
    return true;
}

/* Turns u and v in their plane so that the corners lie nearest to the mean triangle. */
static void turn_to_shape(local_triangle *triangle, const double *shape)
{
    double cosine = 0, sine = 0;
    for (int c = 0; c < 3; c++) {
        const double *a = shape + 2 * c, *b = triangle->place[c];
        cosine += a[0] * b[0] + a[1] * b[1];
        sine += a[0] * b[1] - a[1] * b[0];
    }
    double length = sqrt(cosine * cosine + sine * sine);
    if (!(length > 0)) return;
    cosine /= length;
    sine /= length;
    snw_vec3 u = snw_vec3_add_scaled(snw_vec3_scale(triangle->u, cosine), sine, triangle->v);
    triangle->v = snw_vec3_add_scaled(snw_vec3_scale(triangle->v, cosine), -sine, triangle->u);
    triangle->u = u;
}

static snw_vec3 triangle_local(const local_triangle *triangle, snw_vec3 world)
{
    snw_vec3 arm = snw_vec3_sub(world, triangle->center);
    return snw_vec3_make(snw_vec3_dot(arm, triangle->u), snw_vec3_dot(arm, triangle->v),
                         snw_vec3_dot(arm, triangle->normal));
}

static bool corners_usable(const snw__gap_model *model, int frame, const int corner[3])
{
    int length = model->to - model->from;
    for (int c = 0; c < 3; c++)
        if (!snw__fill_usable(model->fill, frame, corner[c], length)) return false;
    return true;
}

static int mean_shape(const snw__gap_model *model, const int corner[3], int step,
                      double shape[3][2])
{
    int count = 0;
    for (int c = 0; c < 3; c++)
        shape[c][0] = shape[c][1] = 0;
    for (int frame = 0; frame < model->fill->frame_count; frame += step) {
        local_triangle triangle;
        if (!corners_usable(model, frame, corner) ||
            !see_triangle(model->fill, frame, corner, &triangle))
            continue;
        count++;
        for (int c = 0; c < 3; c++) {
            shape[c][0] += triangle.place[c][0];
            shape[c][1] += triangle.place[c][1];
        }
    }
    for (int c = 0; c < 3 && count > 0; c++) {
        shape[c][0] /= count;
        shape[c][1] /= count;
    }
    return count;
}

/* How much the marker moves in the frame of these corners: variance, square metres. */
static double motion_in_frame(const snw__gap_model *model, const int corner[3], int step)
{
    const snw__fill *fill = model->fill;
    double shape[3][2], count = 0, square = 0;
    snw_vec3 sum = {0, 0, 0};
    if (mean_shape(model, corner, step, shape) < 3) return INFINITY;
    for (int frame = 0; frame < fill->frame_count; frame += step) {
        local_triangle triangle;
        if (!snw__fill_measured(fill, frame, model->marker) ||
            !corners_usable(model, frame, corner) || !see_triangle(fill, frame, corner, &triangle))
            continue;
        turn_to_shape(&triangle, shape[0]);
        snw_vec3 local =
            triangle_local(&triangle, fill->position[snw__fill_at(fill, frame, model->marker)]);
        count++;
        sum = snw_vec3_add(sum, local);
        square += snw_vec3_length2(local);
    }
    return count < 3 ? INFINITY : square / count - snw_vec3_length2(sum) / (count * count);
}

/* Do the corners give a frame in every frame of the gap? */
static bool holds_through_gap(const snw__gap_model *model, const int corner[3])
{
    local_triangle triangle;
    for (int frame = model->from; frame < model->to; frame++)
        if (!see_triangle(model->fill, frame, corner, &triangle)) return false;
    return true;
}

/* ---- training frames --------------------------------------------------------------------------
 */

static bool is_corner(const snw__gap_model *model, int marker)
{
    return marker == model->corner[0] || marker == model->corner[1] || marker == model->corner[2];
}

static int frames_left(const snw__gap_model *model, int marker, int *train, int count, bool keep)
{
    int left = 0, length = model->to - model->from;
    for (int n = 0; n < count; n++) {
        if (!snw__fill_usable(model->fill, train[n], marker, length)) continue;
        if (keep) train[left] = train[n];
        left++;
    }
    return left;
}

static int train_max(const snw__gap_model *model)
{
    return model->to - model->from <= LOCAL_TINY ? LOCAL_TRAIN_TINY : LOCAL_TRAIN_MAX;
}

static void gather_frames(snw__gap_model *model)
{
    const snw__fill *fill = model->fill;
    int seen = 0;
    for (int frame = 0; frame < fill->frame_count; frame++)
        seen += snw__fill_measured(fill, frame, model->marker);
    int step = seen / (2 * train_max(model)) + 1;
    for (int frame = 0, n = 0; frame < fill->frame_count; frame++) {
        if (!snw__fill_measured(fill, frame, model->marker)) continue;
        if (n++ % step == 0) model->train[model->train_count++] = frame;
    }
}

void snw__gap_model_make(snw__gap_model *model, const snw__fill *fill, int number,
                         const snw_filled_gap *gap)
{
    model->fill = fill;
    model->number = number;
    model->marker = gap->marker;
    model->from = gap->first;
    model->to = gap->first + gap->length;
    model->feature_count = 0;
    model->has_frame = false;
    model->train = fill->train;
    model->train_count = 0;
    int neighbour_count = rank_neighbours(model);
    if (neighbour_count >= 3) {
        /* The three of the best neighbours in whose frame the marker moves least. */
        const int *order = model->fill->order;
        int choice = neighbour_count < LOCAL_CORNER_CHOICE ? neighbour_count : LOCAL_CORNER_CHOICE;
        int step = model->fill->frame_count / LOCAL_CORNER_FRAMES + 1;
        double least = INFINITY;
        for (int a = 0; a < choice; a++)
            for (int b = a + 1; b < choice; b++)
                for (int c = b + 1; c < choice; c++) {
                    int corner[3] = {order[a], order[b], order[c]};
                    double motion = motion_in_frame(model, corner, step);
                    if (!(motion < least) || !holds_through_gap(model, corner)) continue;
                    least = motion;
                    for (int n = 0; n < 3; n++)
                        model->corner[n] = corner[n];
                }
        model->has_frame =
            isfinite(least) && mean_shape(model, model->corner, step, model->shape) > 0;
    }
    if (!model->has_frame) return;
    gather_frames(model);
    /* Takes neighbours as features, best first, as long as enough frames show all of them. */
    const int *order = model->fill->order;
    int start = model->train_count;
    for (int n = 0; n < neighbour_count && model->feature_count < SNW__FILL_FEATURES; n++) {
        int left = frames_left(model, order[n], model->train, model->train_count, false);
        bool is_enough = left >= LOCAL_TRAIN_MIN && left >= LOCAL_TRAIN_SHARE * start;
        if (!is_enough && !is_corner(model, order[n])) continue;
        model->feature[model->feature_count++] = order[n];
        model->train_count = frames_left(model, order[n], model->train, model->train_count, true);
    }
    int step = (model->train_count + train_max(model) - 1) / train_max(model), kept = 0;
    for (int n = 0; step > 1 && n < model->train_count; n += step)
        model->train[kept++] = model->train[n];
    if (step > 1) model->train_count = kept;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

static void write_vector(double *at, snw_vec3 v)
{
    at[0] = v.x;
    at[1] = v.y;
    at[2] = v.z;
}

static bool make_row(const snw__gap_model *model, int frame, double *row)
{
    const snw__fill *fill = model->fill;
    int length = model->to - model->from;
    if (!model->has_frame) {
        /* Without a frame the room's axes serve: the row is the marker alone. */
        for (int i = 0; i < 12; i++)
            row[i] = i == 0 || i == 4 || i == 8;
        bool is_seen = snw__fill_measured(fill, frame, model->marker);
        write_vector(row + 12, is_seen ? fill->position[snw__fill_at(fill, frame, model->marker)]
                                       : snw_vec3_make(NAN, NAN, NAN));
        return true;
    }
    for (int f = 0; f < model->feature_count; f++)
        if (!snw__fill_usable(fill, frame, model->feature[f], length)) return false;
    local_triangle triangle;
    if (!see_triangle(fill, frame, model->corner, &triangle)) return false;
    turn_to_shape(&triangle, model->shape[0]);
    write_vector(row, triangle.u);
    write_vector(row + 3, triangle.v);
    write_vector(row + 6, triangle.normal);
    write_vector(row + 9, triangle.center);
    const snw_vec3 *at = fill->position + snw__fill_at(fill, frame, 0);
    double *out = row + 12;
    for (int f = 0; f < model->feature_count; f++, out += 3)
        write_vector(out, triangle_local(&triangle, at[model->feature[f]]));
    bool is_seen = snw__fill_measured(fill, frame, model->marker);
    write_vector(out, is_seen ? triangle_local(&triangle, at[model->marker])
                              : snw_vec3_make(NAN, NAN, NAN));
    return true;
}

const double *snw__gap_row(const snw__gap_model *model, int frame)
{
    const snw__fill *fill = model->fill;
    double *row = fill->row + (size_t)frame * SNW__FILL_STRIDE;
    if (fill->stamp[frame] == model->number) return row;
    if (fill->stamp[frame] == -model->number) return NULL;
    bool is_made = make_row(model, frame, row);
    fill->stamp[frame] = is_made ? model->number : -model->number;
    return is_made ? row : NULL;
}

snw_vec3 snw__row_world(const double *row, snw_vec3 local)
{
    snw_vec3 world = {row[9], row[10], row[11]};
    world = snw_vec3_add_scaled(world, local.x, snw_vec3_make(row[0], row[1], row[2]));
    world = snw_vec3_add_scaled(world, local.y, snw_vec3_make(row[3], row[4], row[5]));
    return snw_vec3_add_scaled(world, local.z, snw_vec3_make(row[6], row[7], row[8]));
}

snw_vec3 snw__row_local(const double *row, snw_vec3 world)
{
    snw_vec3 arm = snw_vec3_sub(world, snw_vec3_make(row[9], row[10], row[11]));
    return snw_vec3_make(snw_vec3_dot(arm, snw_vec3_make(row[0], row[1], row[2])),
                         snw_vec3_dot(arm, snw_vec3_make(row[3], row[4], row[5])),
                         snw_vec3_dot(arm, snw_vec3_make(row[6], row[7], row[8])));
}
