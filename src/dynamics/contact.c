/* Which foot stands on which plate, and whether the plate carries that foot alone and whole. */
#include "dynamics/contact.h"
#include "person/movement.h"

#include <math.h>
#include <string.h>

#include <sinew/filter.h>

/* Constants.
 *     SNW__BRIEF  seconds; a load of less is no step; as measure/gait_plates.c
 *     SNW__FOOT_NEAR   metres from the centre of pressure to the foot; the same
 *     CONTACT_EDGE   metres that a marker may lie beyond the plate's edge with the foot still on
 *                    it: a heel marker sits behind the heel by its own diameter */
#define CONTACT_EDGE 0.02

typedef struct contact_plate {
    snw_force_plate plate;
    double *sample; /* (6 x samples) force and moment about the middle of the surface, filtered */
    int64_t count;
} contact_plate;

static snw_load load_at(const snw__ground *ground, const contact_plate *at, int frame)
{
    int64_t n = (int64_t)frame * ground->line.trial->analog_per_frame;
    const double *s = at->sample + n;
    int64_t c = at->count;
    snw_load load = {at->plate.world_from_plate.translation,
                     {s[0], s[c], s[2 * c]},
                     {s[3 * c], s[4 * c], s[5 * c]}};
    return load;
}

/* Heel and toe of a foot; false where one is missing. */
static bool foot_at(const snw__ground *ground, int frame, int side, snw_vec3 foot[2])
{
    return snw__gait_foot(&ground->line, frame, side, true, &foot[0]) &&
           snw__gait_foot(&ground->line, frame, side, false, &foot[1]);
}

static snw_side nearest_foot(const snw__ground *ground, const contact_plate *at, int frame)
{
    double least = SNW__FOOT_NEAR;
    snw_side best = SNW_SIDE_NONE;
    /* The centre of pressure: where the force alone has the plate's moment, on its surface. */
    snw_load load = load_at(ground, at, frame);
    snw_vec3 up = ground->line.up;
    double vertical = snw_vec3_dot(load.force, up);
    snw_vec3 arm = snw_vec3_scale(snw_vec3_cross(up, load.moment), 1 / vertical);
    snw_vec3 pressure = snw_vec3_add(load.point, arm), foot[2];
    for (int side = 0; side < SNW_SIDES; side++) {
        if (!foot_at(ground, frame, side, foot)) continue;
        snw_vec3 way = snw_vec3_sub(pressure, snw_vec3_lerp(foot[0], foot[1], 0.5));
        way = snw_vec3_add_scaled(way, -snw_vec3_dot(way, ground->line.up), ground->line.up);
        if (snw_vec3_length(way) >= least) continue;
        least = snw_vec3_length(way);
        best = (snw_side)side;
    }
    return best;
}

/* On the plate or above it, CONTACT_EDGE beyond its edges allowed. */
static bool is_over(const snw_force_plate *plate, snw_vec3 place)
{
    for (int c = 0; c < 4; c++) {
        snw_vec3 a = plate->corner[c], b = plate->corner[(c + 1) % 4];
        snw_vec3 middle = plate->world_from_plate.translation, edge = snw_vec3_sub(b, a);
        snw_vec3 to = snw_vec3_sub(middle, a), none = {0, 0, 0};
        snw_vec3 inward = snw_vec3_add_scaled(
            to, -snw_vec3_dot(to, edge) / fmax(snw_vec3_length2(edge), 1e-12), edge);
        inward = snw_vec3_unit(inward, none);
        if (snw_vec3_dot(snw_vec3_sub(place, a), inward) < -CONTACT_EDGE) return false;
    }
    return true;
}

/* Does the foot stand, by the events? -1: they do not say. */
static int stands(const snw__ground *ground, int side, double time)
{
    const snw_gait_event *before = NULL, *after = NULL;
    for (int n = 0; n < ground->events->count; n++) {
        const snw_gait_event *event = ground->events->event + n;
        if (event->side != (snw_side)side) continue;
        if (event->time <= time) before = event;
        if (event->time > time && !after) after = event;
    }
    if (before) return before->kind == SNW_FOOT_STRIKE;
    return after ? after->kind == SNW_FOOT_OFF : -1;
}

static const char *fault_of(const snw__ground *ground, const contact_plate *at,
                            snw_plate_contact *contact)
{
    int span = contact->last - contact->first, middle = contact->first + span / 2;
    snw_vec3 foot[2];
    contact->side = nearest_foot(ground, at, middle);
    if (contact->side == SNW_SIDE_NONE) return "no foot is near the force";
    if (nearest_foot(ground, at, contact->first + span / 5) != contact->side ||
        nearest_foot(ground, at, contact->last - span / 5) != contact->side)
        return "both feet step on the plate";
    if (!foot_at(ground, middle, (int)contact->side, foot)) return "heel or toe is not seen";
    if (!is_over(&at->plate, foot[0]) || !is_over(&at->plate, foot[1]))
        return "the foot reaches over the plate's edge";
    for (int f = contact->first; f <= contact->last; f++) {
        int other = (int)snw_side_other(contact->side);
        if (!foot_at(ground, f, other, foot) ||
            stands(ground, other, f / ground->line.trial->rate) != 1)
            continue;
        if (is_over(&at->plate, foot[0]) || is_over(&at->plate, foot[1]))
            return "the other foot stands on the plate too";
    }
    return "";
}

/* Sums the load of a whole contact into its foot's. */
static void use_contact(const snw__ground *ground, const contact_plate *at,
                        const snw_plate_contact *contact)
{
    for (int f = contact->first; f <= contact->last; f++) {
        snw_load add = load_at(ground, at, f), *sum = ground->load[contact->side] + f;
        /* about the lab's origin, where loads of two plates can be added */
        sum->force = snw_vec3_add(sum->force, add.force);
        sum->moment = snw_vec3_add(sum->moment,
                                   snw_vec3_add(add.moment, snw_vec3_cross(add.point, add.force)));
        ground->is_known[contact->side][f] = true;
    }
}

void snw__ground_find(snw__ground *ground, snw_kinetics *out)
{
    const snw_trial *trial = ground->line.trial;
    for (int side = 0; side < SNW_SIDES; side++)
        for (int f = 0; f < trial->frame_count; f++)
            ground->is_known[side][f] = stands(ground, side, f / trial->rate) == 0;
    for (int p = 0; p < snw_force_plate_count(trial); p++) {
        contact_plate at;
        memset(&at, 0, sizeof at);
        if (snw_force_plate_read(trial, p, &at.plate, NULL, NULL) != SNW_OK) continue;
        if (ground->zeroes_plates) snw_force_plate_zero(&at.plate, trial);
        int per = trial->analog_per_frame;
        at.count = (int64_t)trial->frame_count * per;
        at.sample = ground->work;
        for (int64_t n = 0; n < at.count; n++) {
            snw_wrench w = snw_force_plate_wrench(&at.plate, trial, (int)(n / per), (int)(n % per));
            const double value[6] = {w.force.x,  w.force.y,  w.force.z,
                                     w.moment.x, w.moment.y, w.moment.z};
            for (int k = 0; k < 6; k++)
                at.sample[k * at.count + n] = isfinite(value[k]) ? value[k] : 0;
        }
        snw_butterworth filter = snw_butterworth_make(ground->cutoff, trial->rate * per, 2);
        for (int k = 0; k < 6 && at.count > 12; k++)
            snw_filter_zero_lag(&filter, at.sample + k * at.count, (int)at.count);
        int frames = ground->line.trial->frame_count, from = -1;
        double loaded = snw_event_options_default().force_threshold;
        for (int f = 0; f <= frames; f++) {
            bool is_loaded =
                f < frames && snw_vec3_dot(load_at(ground, &at, f).force, ground->line.up) > loaded;
            if (is_loaded && from < 0) from = f;
            if (is_loaded || from < 0) continue;
            snw_plate_contact contact = {p, SNW_SIDE_NONE, from, f - 1, false, ""};
            bool is_long = f - from >= SNW__BRIEF * ground->line.trial->rate;
            from = -1;
            if (!is_long || out->contact_count >= SNW_CONTACTS_MAX) continue;
            contact.why = fault_of(ground, &at, &contact);
            contact.is_whole = !*contact.why;
            out->contact[out->contact_count++] = contact;
            if (contact.is_whole) use_contact(ground, &at, &contact);
        }
    }
}
