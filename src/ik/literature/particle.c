/* Sequential Monte Carlo (Courty & Arnaud 2008, "Inverse kinematics using sequential Monte Carlo
 * methods"): nothing is inverted, nothing differentiated; poses are tried.
 *
 * Every generation draws poses by weight exp(-E / T), moves each at random and measures it. T is
 * the mean energy of the better half, so weights stay meaningful as all of them get better. The
 * moves are as large as the error that is left, each by a random factor of 1/30 to 2: as the swarm
 * closes in its noise shrinks with it. The best pose is never lost. Limits hold because every moved
 * pose is projected onto them. */
#include "base/elementary.h"
#include "ik/core/descend.h"

typedef struct ik_particle {
    snw__ik_snapshot pose;
    double energy;
    double excess;
} ik_particle;

typedef struct ik_swarm {
    int count;
    ik_particle *now, *next; /* (count) */
    double *sum;             /* (count) running sum of weights */
} ik_swarm;

static void take_particles(ik_particle *particle, snw__block *block, int count, size_t joints)
{
    for (int i = 0; i < count; i++) {
        snw_quat *rotation = snw__block_take(block, joints, sizeof *rotation);
        snw_vec3 *slide = snw__block_take(block, joints, sizeof *slide);
        if (!particle) continue;
        particle[i].pose.rotation = rotation;
        particle[i].pose.slide = slide;
    }
}

static void *layout(const snw_ik *ik, snw__block *block)
{
    size_t joints = (size_t)ik->skeleton->joint_count, count = (size_t)ik->options.particle_count;
    ik_swarm fields = {.count = ik->options.particle_count};
    ik_swarm *swarm = snw__block_take(block, 1, sizeof *swarm);
    fields.now = snw__block_take(block, count, sizeof *fields.now);
    fields.next = snw__block_take(block, count, sizeof *fields.next);
    fields.sum = snw__block_take(block, count, sizeof *fields.sum);
    take_particles(fields.now, block, fields.count, joints);
    take_particles(fields.next, block, fields.count, joints);
    if (swarm) *swarm = fields;
    return swarm;
}

/* Measures the pose (world valid) into the particle. */
static void keep(ik_particle *particle, snw__ik_system *system, const snw_goal *goals,
                 const snw_pose *pose)
{
    snw__ik_system_measure(system, goals, pose);
    particle->energy = system->energy;
    particle->excess = system->excess;
    snw__ik_snapshot_take(&particle->pose, pose);
}

/* Index of the particle with the least energy. */
static int best_of(const ik_swarm *swarm)
{
    int best = 0;
    for (int i = 1; i < swarm->count; i++)
        if (swarm->now[i].energy < swarm->now[best].energy) best = i;
    return best;
}

/* The particle at height u in the running sums; systematic resampling asks in ascending order. */
static int draw(const ik_swarm *swarm, double u, int from)
{
    while (from < swarm->count - 1 && swarm->sum[from] < u)
        from++;
    return from;
}

/* A random step of the size of what is left to do. */
static void move_at_random(snw__ik_system *system, snw_random *random, double error, snw_pose *pose)
{
    double size =
        fmin(error, 0.5) * snw__exp(snw_random_range(random, snw__log(1.0 / 30), snw__log(2.0)));
    /* Some moves touch few joints: a knee alone, a shoulder alone. */
    double share = snw_random_unit(random) < 0.5 ? 1 : 0.3;
    for (int c = 0; c < system->column_count; c++) {
        bool is_moved = snw_random_unit(random) < share;
        system->step[c] = is_moved ? size * snw_random_normal(random) : 0;
    }
    (void)snw__ik_system_move(system, 1, pose);
}

/* One generation; swarm->now[0] is the best so far. */
static void generation(const snw_ik *ik, ik_swarm *swarm, const snw_goal *goals, snw_pose *pose,
                       snw_random *random)
{
    int best = best_of(swarm), from = 0;
    double least = swarm->now[best].energy, error = sqrt(2 * least);
    /* T between the best and the mean: about the better half counts. */
    double all = 0;
    for (int i = 0; i < swarm->count; i++)
        all += swarm->now[i].energy;
    double temperature = 0.25 * (all / swarm->count - least) + 1e-300;
    double sum = 0;
    for (int i = 0; i < swarm->count; i++) {
        sum += snw__exp(-(swarm->now[i].energy - least) / temperature);
        swarm->sum[i] = sum;
    }
    double spacing = swarm->sum[swarm->count - 1] / swarm->count;
    double u = spacing * snw_random_unit(random);
    snw__ik_snapshot_restore(&swarm->now[best].pose, pose);
    snw_pose_forward(pose);
    keep(&swarm->next[0], ik->system, goals, pose);
    for (int i = 1; i < swarm->count; i++, u += spacing) {
        from = draw(swarm, u, from);
        snw__ik_snapshot_restore(&swarm->now[from].pose, pose);
        move_at_random(ik->system, random, error, pose);
        keep(&swarm->next[i], ik->system, goals, pose);
    }
    ik_particle *old = swarm->now;
    swarm->now = swarm->next;
    swarm->next = old;
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    ik_swarm *swarm = state;
    snw_random random = snw_random_seed(ik->options.seed, 4);
    snw__ik_report report = {.outcome = SNW_IK_OUT_OF_ITERATIONS, .solver = SNW_IK_PARTICLE};
    double least = INFINITY;
    int idle = 0, best;
    snw__ik_system *system = ik->system;
    snw__ik_snapshot_take(&system->start, pose);
    keep(&swarm->now[0], system, goals, pose);
    double error = sqrt(2 * swarm->now[0].energy);
    for (int i = 1; i < swarm->count; i++) {
        swarm->now[i].energy = INFINITY; /* of no account when the start is good enough */
        if (swarm->now[0].excess <= 1) continue;
        snw__ik_snapshot_restore(&system->start, pose);
        move_at_random(system, &random, error, pose);
        keep(&swarm->now[i], system, goals, pose);
    }
    for (;;) {
        best = best_of(swarm);
        bool is_better = swarm->now[best].energy < 0.99 * least;
        if (is_better) least = swarm->now[best].energy;
        idle = is_better ? 0 : idle + 1;
        if (swarm->now[best].excess <= 1)
            report.outcome = SNW_IK_REACHED;
        else if (idle > SNW__IK_DESCENT)
            report.outcome = SNW_IK_STALLED;
        if (report.outcome != SNW_IK_OUT_OF_ITERATIONS) break;
        if (report.iterations >= ik->options.iteration_max) break;
        generation(ik, swarm, goals, pose, &random);
        report.iterations++;
    }
    snw__ik_snapshot_restore(&swarm->now[best].pose, pose);
    return report;
}

const snw__ik_method snw__ik_particle = {SNW_IK_PARTICLE, true,  snw__ik_check_nothing,
                                         layout,          solve, false};
