// Forward kinematics per joint against Orocos KDL, from joint coordinates to the world frames of
// all joints, on the same bodies in one run; and how our cost grows with the number of joints.
//
//     build/release/bench/bench_fk_kdl
//
// KDL's tree solver gives one frame per call and walks from that frame to the root; its chain
// solver fills all frames in one pass and is the stricter comparison. Both sides turn angles into
// rotations (sine and cosine of every joint) in the timed part. Repetitions of all candidates are
// interleaved, so that a machine that slows down slows all of them; medians are printed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>

#include <sinew/sinew.h>

namespace
{

constexpr int JOINTS = 25;
constexpr int POSES = 64;        // different coordinates, gone through in turn
constexpr int REPETITIONS = 21;  // odd: the median is one of them
constexpr double SECONDS = 2e-3; // of one candidate in one repetition

// Processor time: other programs on the machine do not count.
double now()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct Body {
    std::vector<snw_joint_def> defs;
    std::vector<std::string> names;
    snw_skeleton *skeleton = nullptr;
    snw_pose *pose = nullptr;
    std::vector<std::vector<double>> values; // (POSES x joints)

    // Hinges about slanted axes; parents from `parent_of`, rest frames turned or not.
    Body(int count, int (*parent_of)(int), bool turned)
    {
        snw_random random = snw_random_seed(7, 7);
        for (int i = 0; i < count; i++)
            names.push_back("j" + std::to_string(i));
        for (int i = 0; i < count; i++) {
            snw_joint_def def = snw_joint_def_default();
            def.name = names[(size_t)i].c_str();
            def.parent = parent_of(i);
            def.joint.type = SNW_JOINT_HINGE;
            def.joint.axis = snw_random_direction(&random);
            def.rest.translation = snw_vec3_scale(snw_random_direction(&random), 0.1);
            if (turned) def.rest.rotation = snw_random_rotation(&random);
            defs.push_back(def);
        }
        snw_error error;
        if (snw_skeleton_create(defs.data(), count, nullptr, &skeleton, &error) != SNW_OK ||
            snw_pose_create(skeleton, nullptr, &pose, &error) != SNW_OK) {
            std::fprintf(stderr, "bench_fk_kdl: %s\n", error.message);
            std::exit(1);
        }
        for (int p = 0; p < POSES; p++) {
            values.emplace_back();
            for (int i = 0; i < count; i++)
                values.back().push_back(snw_random_range(&random, -3, 3));
        }
    }
    Body(const Body &) = delete;
    Body &operator=(const Body &) = delete;
    ~Body()
    {
        snw_pose_destroy(pose);
        snw_skeleton_destroy(skeleton);
    }
    void forward(int p)
    {
        snw_pose_set_values(pose, values[(size_t)p].data());
        snw_pose_forward(pose);
    }
};

// A hand: a wrist, four fingers of five joints and a thumb of four.
int hand_parent(int i)
{
    if (i == 0) return -1;
    return (i - 1) % 5 == 0 ? 0 : i - 1;
}

int chain_parent(int i)
{
    return i - 1;
}

KDL::Vector to_kdl(snw_vec3 v)
{
    return KDL::Vector(v.x, v.y, v.z);
}

// KDL keeps parent_from_segment = joint(q) * joint(0)^-1 * tip with the axis given in the parent's
// frame, so tip = rest and the axis is turned by it.
KDL::Segment to_kdl(const snw_joint_def &def)
{
    snw_quat q = def.rest.rotation;
    KDL::Vector origin = to_kdl(def.rest.translation);
    KDL::Vector axis = to_kdl(snw_quat_rotate(q, def.joint.axis));
    KDL::Frame rest(KDL::Rotation::Quaternion(q.x, q.y, q.z, q.w), origin);
    return KDL::Segment(def.name, KDL::Joint(def.name, origin, axis, KDL::Joint::RotAxis), rest);
}

struct KdlTree {
    KDL::Tree tree{"world"};
    std::vector<KDL::JntArray> values;
    std::vector<KDL::Frame> frames;
    std::vector<std::string> names;
    KDL::TreeFkSolverPos_recursive *solver;

    explicit KdlTree(const Body &body) : names(body.names)
    {
        for (const snw_joint_def &def : body.defs)
            tree.addSegment(to_kdl(def), def.parent < 0 ? "world" : body.names[(size_t)def.parent]);
        solver = new KDL::TreeFkSolverPos_recursive(tree);
        frames.resize(names.size());
        for (const std::vector<double> &given : body.values) {
            KDL::JntArray array((unsigned)names.size());
            for (size_t i = 0; i < names.size(); i++)
                array(tree.getSegment(names[i])->second.q_nr) = given[i];
            values.push_back(array);
        }
    }
    KdlTree(const KdlTree &) = delete;
    KdlTree &operator=(const KdlTree &) = delete;
    ~KdlTree()
    {
        delete solver;
    }
    void forward(int p)
    {
        for (size_t i = 0; i < names.size(); i++)
            solver->JntToCart(values[(size_t)p], frames[i], names[i]);
    }
};

struct KdlChain {
    KDL::Chain chain;
    std::vector<KDL::JntArray> values;
    std::vector<KDL::Frame> frames;
    KDL::ChainFkSolverPos_recursive *solver;

    explicit KdlChain(const Body &body)
    {
        for (const snw_joint_def &def : body.defs)
            chain.addSegment(to_kdl(def));
        solver = new KDL::ChainFkSolverPos_recursive(chain);
        frames.resize(body.defs.size());
        for (const std::vector<double> &given : body.values) {
            KDL::JntArray array((unsigned)given.size());
            for (unsigned i = 0; i < given.size(); i++)
                array(i) = given[i];
            values.push_back(array);
        }
    }
    KdlChain(const KdlChain &) = delete;
    KdlChain &operator=(const KdlChain &) = delete;
    ~KdlChain()
    {
        delete solver;
    }
    void forward(int p)
    {
        solver->JntToCart(values[(size_t)p], frames);
    }
};

// Largest difference of any coordinate of any joint's place and axes over all poses.
template <class Kdl> double difference(Body &body, Kdl &kdl)
{
    double worst = 0;
    for (int p = 0; p < POSES; p++) {
        body.forward(p);
        kdl.forward(p);
        for (int i = 0; i < body.skeleton->joint_count; i++) {
            const snw_xform &ours = body.pose->world[i];
            const KDL::Frame &theirs = kdl.frames[(size_t)i];
            snw_mat3 r = snw_mat3_from_quat(ours.rotation);
            const double place[3] = {ours.translation.x, ours.translation.y, ours.translation.z};
            for (int a = 0; a < 3; a++) {
                worst = std::max(worst, std::fabs(place[a] - theirs.p(a)));
                for (int b = 0; b < 3; b++)
                    worst = std::max(worst, std::fabs(r.m[a][b] - theirs.M(a, b)));
            }
        }
    }
    return worst;
}

// Nanoseconds of one call of `run`, over about SECONDS.
template <class Run> double time_once(Run run)
{
    long calls = 0;
    double start = now(), end;
    do {
        for (int p = 0; p < POSES; p++)
            run(p);
        calls += POSES;
        end = now();
    } while (end - start < SECONDS);
    return (end - start) / (double)calls * 1e9;
}

double median(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

template <class Kdl> void compare(const char *label, Body &body, Kdl &kdl)
{
    std::vector<double> ours, theirs;
    double apart = difference(body, kdl);
    for (int r = 0; r < REPETITIONS; r++) {
        ours.push_back(time_once([&](int p) { body.forward(p); }));
        theirs.push_back(time_once([&](int p) { kdl.forward(p); }));
    }
    double n = body.skeleton->joint_count;
    std::printf("%-34s %8.1f %8.1f %8.1fx   %.0e\n", label, median(ours) / n, median(theirs) / n,
                median(theirs) / median(ours), apart);
}

void growth()
{
    const int sizes[] = {10, 25, 50, 100, 200, 400};
    std::vector<Body *> bodies;
    std::vector<std::vector<double>> whole(6), frames(6);
    for (int size : sizes)
        bodies.push_back(new Body(size, hand_parent, false));
    for (int r = 0; r < REPETITIONS; r++)
        for (size_t i = 0; i < bodies.size(); i++) {
            Body &body = *bodies[i];
            whole[i].push_back(time_once([&](int p) { body.forward(p); }));
            frames[i].push_back(time_once([&](int) { snw_pose_forward(body.pose); }));
        }
    std::printf("\n%-34s %12s %12s %12s\n", "Sinew, tree of n hinges", "us/body", "ns/joint",
                "frames only");
    for (size_t i = 0; i < bodies.size(); i++) {
        std::printf("n = %-30d %12.3f %12.1f %12.1f\n", sizes[i], median(whole[i]) / 1e3,
                    median(whole[i]) / sizes[i], median(frames[i]) / sizes[i]);
        delete bodies[i];
    }
}

} // namespace

int main()
{
    Body hand(JOINTS, hand_parent, false), turned_hand(JOINTS, hand_parent, true);
    Body chain(JOINTS, chain_parent, false), turned_chain(JOINTS, chain_parent, true);
    KdlTree kdl_hand(hand), kdl_turned_hand(turned_hand);
    KdlChain kdl_chain(chain), kdl_turned_chain(turned_chain);
    std::printf("%-34s %8s %8s %9s   %s\n", "ns per joint, 25 hinges", "Sinew", "KDL", "ratio",
                "apart");
    compare("tree (KDL: tree solver)", hand, kdl_hand);
    compare("tree, turned rest frames", turned_hand, kdl_turned_hand);
    compare("chain (KDL: chain solver)", chain, kdl_chain);
    compare("chain, turned rest frames", turned_chain, kdl_turned_chain);
    growth();
    return 0;
}
