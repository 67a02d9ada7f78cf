/* Rest in the null space of the other goals.
 *
 * z is the step to rest. The step taken is z + J^+ (r - J z): as much of z as changes no goal, and
 * what the goals themselves still lack (Liegeois 1977, with the correction folded in). A step that
 * costs a goal is halved; goals that were met stay met. */
#include "ik/rest.h"

#include "ik/system.h"

/* Each step takes most of the room there is; more than this adds nothing one can see. */
#define IK_REST_STEPS 40

/* Damping against the mean squared singular value: enough for a straight limb, too little to leave
 * goals behind. */
#define IK_REST_DAMPING 1e-6

static double rest_weight(const snw_ik *ik, const snw_goal *goals, int joint)
{
    double weight = 0;
    for (int i = 0; i < ik->goal_count; i++)
        if (goals[i].kind == SNW_GOAL_REST && (goals[i].joint < 0 || goals[i].joint == joint))
            weight = fmax(weight, goals[i].weight);
    return weight;
}

/* The step of one joint to rest, per coordinate. */
static void way_to_rest(const snw__ik_system *system, const snw__ik_mover *mover,
                        const snw_pose *pose, double *way)
{
    double values[6] = {0};
    if (mover->joint >= 0)
        (void)snw_joint_values(&system->ik->joint[mover->joint], pose->rotation[mover->joint],
                               pose->slide[mover->joint], values);
    for (int k = 0; k < mover->column_count; k++) {
        bool is_slide = system->column[mover->column_first + k].is_slide;
        way[k] = -values[k] / (is_slide ? system->ik->size : 1);
    }
}

/* z for all columns, the heaviest joints going all the way; returns its weighted length squared. */
static double fill_way(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose,
                       double *way)
{
    double heaviest = 0, sum = 0;
    for (int m = 0; m < system->mover_count; m++)
        heaviest = fmax(heaviest, rest_weight(system->ik, goals, system->mover[m].joint));
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        double share =
            mover->joint < 0 ? 0 : rest_weight(system->ik, goals, mover->joint) / heaviest;
        double *own = &way[mover->column_first];
        way_to_rest(system, mover, pose, own);
        for (int k = 0; k < mover->column_count; k++) {
            sum += share * own[k] * own[k];
            own[k] *= share;
        }
    }
    return sum;
}

/* residual += factor * J z */
static void add_way(snw__ik_system *system, double factor)
{
    snw__ik_system_push(system, system->secondary, system->work);
    for (int k = 0; k < system->row_count; k++)
        system->residual[k] += factor * system->work[k];
}

/* step = z + J^+ (r - J z); context: nothing. */
static void rest_direction(snw__ik_system *system, void *context)
{
    (void)context;
    snw__ik_system_project(system, system->secondary);
    add_way(system, -1);
    snw__ik_system_solve_damped(system, IK_REST_DAMPING * snw__ik_system_scale(system));
    add_way(system, 1);
    for (int c = 0; c < system->column_count; c++)
        system->step[c] += system->secondary[c];
}

static void goals_direction(snw__ik_system *system, void *context)
{
    (void)context;
    snw__ik_system_solve_damped(system, IK_REST_DAMPING * snw__ik_system_scale(system));
}

/* Scales z so that no joint turns by more than `largest`. */
static void shorten_way(snw__ik_system *system, double largest)
{
    double turn = 0;
    for (int c = 0; c < system->column_count; c++)
        turn = fmax(turn, fabs(system->secondary[c]));
    for (int c = 0; turn > largest && c < system->column_count; c++)
        system->secondary[c] *= largest / turn;
}

/* One step of at most `largest`, and what it takes to meet the goals again. */
static void step_to_rest(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                         double largest, double allowed)
{
    snw__ik_system_build(system, goals, pose);
    (void)fill_way(system, goals, pose, system->secondary);
    shorten_way(system, largest);
    (void)snw__ik_system_step(system, rest_direction, NULL, pose);
    /* Curvature pulls the goals off by the square of the step; three Newton steps mend that. */
    for (int k = 0; k < 3; k++) {
        snw__ik_system_measure(system, goals, pose);
        if (system->excess <= 0.5 * allowed) return;
        snw__ik_system_build(system, goals, pose);
        (void)snw__ik_system_step(system, goals_direction, NULL, pose);
    }
    snw__ik_system_measure(system, goals, pose);
}

void snw__ik_draw_to_rest(const snw_ik *ik, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_system *system = ik->system;
    double largest = 0.5; /* radians: where the linear model still points the right way */
    snw__ik_system_measure(system, goals, pose);
    double allowed = fmax(1, system->excess);
    double distance = fill_way(system, goals, pose, system->secondary);
    for (int k = 0; k < IK_REST_STEPS && largest > 1e-3 && distance > 0; k++) {
        snw__ik_snapshot_take(&system->before, pose);
        step_to_rest(system, goals, pose, largest, allowed);
        double after = fill_way(system, goals, pose, system->secondary);
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
