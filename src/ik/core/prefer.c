/* Preferred poses, solved for exactly:
 *
 *     min 1/2 (q - q*)^T W (q - q*)   where   f(q) = target
 *
 * for the coordinates q, by sequential quadratic programming (the step: prefer_step.c). The
 * curvature of what the goals pull on makes the steps quadratic, so that one solve settles what
 * first-order projection into the null space (Liegeois 1977) creeps to over dozens. Joints that
 * move no goal are put where they are preferred at once. Trees of free balls are solved by their
 * forces alone (springs.c), and come here where that does not converge.
 *
 * The steps are checked at their end only: are the goals met and the pose nearer to the preferred
 * one than at first? If not, the solve goes back and takes first-order steps, each of which is
 * checked: a step that costs a goal is shortened. */
#include "ik/core/prefer.h"

/* ---- second order --------------------------------------------------------------------------- */

static double largest_of(const snw__ik_system *system)
{
    double largest = 0;
    for (int c = 0; c < system->column_count; c++)
        largest = fmax(largest, fabs(system->step[c]));
    return largest;
}

/* The best pose so far is kept in system->best. */
static void note_best(snw__ik_system *system, const snw_pose *pose, double way, double *best)
{
    if (!(system->excess <= 1 && way < *best)) return;
    *best = way;
    snw__ik_snapshot_take(&system->best, pose);
}

/* Steps until nothing is left, from any pose; the best on the way that meets the goals and is
 * nearer than `distance` is taken. False when there is none, with the pose where the steps led; a
 * pose that has no way to go stays bit for bit. */
static bool settle(snw__ik_system *system, const snw_goal *goals, snw_pose *pose, double distance,
                   int *iterations)
{
    snw__ik_preference *preference = system->preference;
    double last = INFINITY, best = distance, size = 0;
    double radius = SNW__IK_MODEL_RANGE, energy = INFINITY; /* of trust; before the last step */
    int growing = 0;
    preference->has_multiplier = false;
    for (int k = 0; k < SNW__IK_DESCENT && growing <= SNW__IK_WINDOW; k++, ++*iterations) {
        snw__ik_system_build(system, goals, pose);
        note_best(system, pose, snw__ik_fill_way(system, goals, pose), &best);
        /* A step that pulled the goals off makes the next shorter, so that model and body agree. */
        bool is_worse = system->energy > SNW__IK_PREFER_CURVED && system->energy > 2 * energy;
        radius = is_worse ? 0.4 * radius : fmin(1.5 * radius, SNW__IK_MODEL_RANGE);
        energy = system->energy;
        snw__ik_find_preferred_step(system, goals, pose);
        size = largest_of(system);
        if (k == 0 && size <= SNW__IK_STAY) return system->excess <= 1;
        growing += size > last && system->preference->is_curved;
        (void)snw__ik_system_move(system, size > radius ? radius / size : 1, pose);
        /* What remains after a step of this size that followed one of `last`: as quickly as it
         * fell. */
        double factor = last < INFINITY ? size / last : 1;
        if ((factor < 0.9 ? size * fmin(factor / (1 - factor), 10) : size) <= 0.2 * SNW__IK_STAY)
            break;
        last = size;
    }
    snw__ik_system_measure(system, goals, pose);
    /* The last pose is the one that meets the goals best: it goes before one that gains by what it
     * leaves of them. */
    note_best(system, pose, (1 - 1e-4) * snw__ik_fill_way(system, goals, pose), &best);
    if (!(best < distance)) return false;
    snw__ik_snapshot_restore(&system->best, pose);
    if (snw__ik_moved_since(system->ik, &system->start, pose) <= 2 * SNW__IK_STAY)
        snw__ik_snapshot_restore(&system->start, pose);
    snw_pose_forward(pose);
    return true;
}

/* ---- first order, checked ------------------------------------------------------------------- */

static void goals_direction(snw__ik_system *system, void *context)
{
    (void)context;
    snw__ik_system_solve_damped(system, SNW__SINGLE * snw__ik_system_scale(system));
}

/* One step of at most `largest`, and what it takes to meet the goals again. */
static void step_safely(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                        double largest, double allowed)
{
    snw__ik_system_build(system, goals, pose);
    (void)snw__ik_fill_way(system, goals, pose);
    snw__ik_find_straight_step(system, pose, SNW__SINGLE);
    double size = largest_of(system);
    (void)snw__ik_system_move(system, size > largest ? largest / size : 1, pose);
    /* Curvature pulls the goals off by the square of the step; three Newton steps mend that. */
    for (int k = 0; k < 3; k++) {
        snw__ik_system_measure(system, goals, pose);
        if (system->excess <= 0.5 * allowed) return;
        snw__ik_system_build(system, goals, pose);
        (void)snw__ik_system_step(system, goals_direction, NULL, pose);
    }
    snw__ik_system_measure(system, goals, pose);
}

static void creep(snw__ik_system *system, const snw_goal *goals, snw_pose *pose, double distance)
{
    double largest = SNW__IK_MODEL_RANGE;
    snw__ik_system_measure(system, goals, pose);
    double allowed = fmax(1, system->excess);
    for (int k = 0; k < SNW__IK_DESCENT && largest > 1e-3; k++) {
        snw__ik_snapshot_take(&system->before, pose);
        step_safely(system, goals, pose, largest, allowed);
        double after = snw__ik_fill_way(system, goals, pose);
        if (system->excess <= allowed && after < distance) {
            if (after > (1 - 1e-4) * distance) return;
            distance = after;
            continue;
        }
        snw__ik_snapshot_restore(&system->before, pose);
        snw_pose_forward(pose);
        largest *= 0.25;
    }
}

/* ---- the solve ------------------------------------------------------------------------------ */

bool snw__ik_solve_preferred(const snw_ik *ik, const snw_goal *goals, snw_pose *pose,
                             int *iterations)
{
    snw__ik_system *system = ik->system;
    if (ik->has_followers) return false; /* the curvature of those is not known */
    if (system->column_count == 0 || snw__ik_is_out_of_reach(ik, goals, pose)) return false;
    snw__ik_system_measure(system, goals, pose);
    /* Nothing is nearer to the start than the start. */
    if (system->excess <= 1 && !ik->has_rest && ik->options.prefer == SNW_IK_PREFER_START)
        return false;
    if (snw__ik_put_others(ik, goals, pose)) snw_pose_forward(pose);
    if (system->preference->springs &&
        snw__ik_springs_solve(ik, system->preference->springs, goals, snw__ik_spring_to_preferred,
                              pose, iterations))
        return true;
    system->preference->keeps_goals = true;
    snw__ik_snapshot_take(&system->start, pose);
    if (settle(system, goals, pose, INFINITY, iterations)) return true;
    snw__ik_snapshot_restore(&ik->given, pose);
    snw_pose_forward(pose);
    return false;
}

void snw__ik_draw_to_preferred(const snw_ik *ik, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_system *system = ik->system;
    if (snw__ik_put_others(ik, goals, pose)) snw_pose_forward(pose);
    if (system->column_count == 0) return;
    double distance = snw__ik_fill_way(system, goals, pose);
    if (!(distance > 0)) return;
    snw__ik_system_measure(system, goals, pose);
    system->preference->keeps_goals = system->excess <= 1;
    if (!system->preference->keeps_goals || ik->has_followers) {
        creep(system, goals, pose, distance);
        return;
    }
    /* What was too far for the model need not be any more once the pose is nearer. */
    for (int round = 0; round < SNW__IK_TRIES; round++) {
        int iterations = 0;
        snw__ik_snapshot_take(&system->start, pose);
        if (settle(system, goals, pose, distance, &iterations)) return;
        snw__ik_snapshot_restore(&system->start, pose);
        snw_pose_forward(pose);
        creep(system, goals, pose, distance);
        double nearer = snw__ik_fill_way(system, goals, pose);
        if (nearer > (1 - 1e-4) * distance) return;
        distance = nearer;
    }
}
