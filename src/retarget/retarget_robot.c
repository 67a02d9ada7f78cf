/* Robots in the shape of people: hips of three hinges, names of their own.
 *
 * Nothing is known of them but their tree: legs and arms are the long chains of hinges without a
 * branch, legs those that end lowest. Robots look along +x at rest (REP 103), unless what is on
 * their left is called right. Along a chain the two widest ways between neighbouring hinges are its
 * two bones: what is above the first is the hip or shoulder, below the second the ankle or wrist.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "math/robust.h"
#include "retarget/retarget_body.h"

enum {
    ROBOT_LIMBS = 16,
    ROBOT_LEG_HINGES = 4, /* hip about two axes, knee, ankle */
    ROBOT_HINGES_MAX = 24
};

/* The hinges of a chain without a branch, from the trunk outwards. */
typedef struct robot_chain {
    int joint[ROBOT_HINGES_MAX];
    int count;
    double height, aside; /* of its end, and the mean to the left */
} robot_chain;

typedef struct robot_tree {
    const snw_skeleton *skeleton;
    const snw_xform *world; /* at rest */
    snw_vec3 up, left;
    snw__biped_scratch is;
} robot_tree;

static bool moves(const snw_skeleton *skeleton, int joint)
{
    snw_joint_type type = skeleton->joint[joint].type;
    return snw_joint_type_dof(type) > 0 && type != SNW_JOINT_FREE &&
           !skeleton->follow[joint].is_following;
}

/* Fingers and cameras are shorter than a tenth of the body. */
static bool is_limb(const robot_tree *tree, int joint)
{
    return tree->is.far[joint] > SNW__FEW * tree->skeleton->size;
}

/* Grows with joints times their depth. */
static void read_tree(robot_tree *tree)
{
    const snw_skeleton *skeleton = tree->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        tree->is.above[j] = parent < 0 || moves(skeleton, parent) ? parent : tree->is.above[parent];
        tree->is.far[j] = 0;
        tree->is.moving[j] = tree->is.limbs[j] = 0;
        for (int k = j; k >= 0; k = skeleton->parent[k])
            tree->is.far[k] = fmax(tree->is.far[k], snw_vec3_distance(tree->world[j].translation,
                                                                      tree->world[k].translation));
    }
    for (int j = 0; j < skeleton->joint_count; j++) {
        if (!moves(skeleton, j) || tree->is.above[j] < 0) continue;
        tree->is.moving[tree->is.above[j]]++;
        tree->is.limbs[tree->is.above[j]] += is_limb(tree, j);
        tree->is.next[tree->is.above[j]] = j;
    }
}

/* The last hinge from `joint` on without a branch: fingers branch off a hand. */
static int last_of(const robot_tree *tree, int joint)
{
    while (tree->is.moving[joint] == 1)
        joint = tree->is.next[joint];
    return joint;
}

/* The chain of the limb that nothing but a hand or a foot ends, up to the next branch. */
static bool read_chain(const robot_tree *tree, int joint, robot_chain *chain)
{
    const snw_skeleton *skeleton = tree->skeleton;
    if (!moves(skeleton, joint) || tree->is.limbs[joint] > 0 || !is_limb(tree, joint)) return false;
    int above = last_of(tree, joint), list[ROBOT_HINGES_MAX], count = 0;
    chain->height = snw_vec3_dot(tree->world[above].translation, tree->up);
    do {
        list[count++] = above;
        above = tree->is.above[above];
    } while (above >= 0 && count < ROBOT_HINGES_MAX && tree->is.limbs[above] < 2);
    chain->count = count;
    chain->aside = 0;
    for (int n = 0; n < count; n++) {
        chain->joint[n] = list[count - 1 - n];
        chain->aside += snw_vec3_dot(tree->world[list[n]].translation, tree->left) / count;
    }
    return count >= ROBOT_LEG_HINGES;
}

static void split(const robot_tree *tree, const robot_chain *chain, snw__limb *limb)
{
    int first = 0, second = 0; /* the widest ways begin at these */
    double wide[2] = {-1, -1};
    for (int n = 0; n + 1 < chain->count; n++) {
        double way = snw_vec3_distance(tree->world[chain->joint[n]].translation,
                                       tree->world[chain->joint[n + 1]].translation);
        if (way > wide[0]) {
            wide[1] = wide[0];
            second = first;
            wide[0] = way;
            first = n;
        } else if (way > wide[1]) {
            wide[1] = way;
            second = n;
        }
    }
    if (first > second) {
        int swapped = first;
        first = second;
        second = swapped;
    }
    *limb = (snw__limb){chain->joint[first], chain->joint[first + 1], chain->joint[second + 1],
                        chain->joint[chain->count - 1], 0};
    limb->length = snw_vec3_distance(tree->world[limb->top].translation,
                                     tree->world[limb->middle].translation) +
                   snw_vec3_distance(tree->world[limb->middle].translation,
                                     tree->world[limb->end].translation);
}

static bool is_called(const char *name, const char *word)
{
    for (; *name; name++) {
        size_t n = 0;
        while (word[n] && tolower((unsigned char)name[n]) == word[n])
            n++;
        if (!word[n]) return true;
    }
    return false;
}

static int common_above(const snw_skeleton *skeleton, int a, int b)
{
    while (a != b) {
        if (a > b)
            a = skeleton->parent[a];
        else
            b = skeleton->parent[b];
    }
    return a;
}

/* Of the chains that are each other's mirror image at rest the lowest two; they leave the list. The
 * left one comes first. */
static bool take_pair(const robot_tree *tree, robot_chain *chain, int *count, robot_chain pair[2])
{
    double low = INFINITY, near = SNW__FEW * tree->skeleton->size;
    int best[2] = {0, 0};
    for (int a = 0; a < *count; a++)
        for (int b = 0; b < *count; b++) {
            bool are_alike = chain[a].count == chain[b].count && chain[a].aside > 0 &&
                             fabs(chain[a].aside + chain[b].aside) < SNW__MINOR * chain[a].aside &&
                             fabs(chain[a].height - chain[b].height) < near;
            if (!are_alike || !(chain[a].height < low)) continue;
            low = chain[a].height;
            best[0] = a;
            best[1] = b;
        }
    if (!(low < INFINITY)) return false;
    int left = 0;
    pair[0] = chain[best[0]];
    pair[1] = chain[best[1]];
    for (int n = 0; n < *count; n++)
        if (n != best[0] && n != best[1]) chain[left++] = chain[n];
    *count = left;
    return true;
}

/* The highest hinge on the chest that is no arm's. */
static void read_head(const robot_tree *tree, snw__biped *robot)
{
    double top = -INFINITY;
    for (int j = 0; j < tree->skeleton->joint_count; j++) {
        double height = snw_vec3_dot(tree->world[j].translation, tree->up);
        int above = j;
        while (above > robot->chest && above != robot->arm[0].top && above != robot->arm[1].top)
            above = tree->skeleton->parent[above];
        if (above != robot->chest || !moves(tree->skeleton, j) || !(height > top)) continue;
        top = height;
        robot->head = j;
    }
    if (robot->head == robot->chest) robot->head = -1;
}

bool snw__biped_read(const snw_pose *rest, snw_vec3 up, snw__biped_scratch scratch,
                     snw__biped *robot)
{
    const snw_skeleton *skeleton = rest->skeleton;
    robot_tree tree = {
        skeleton, rest->world, snw_vec3_unit(up, snw_vec3_make(0, 0, 1)), {0, 0, 0}, scratch};
    snw_vec3 ahead = snw_vec3_make(1, 0, 0);
    ahead = snw_vec3_add_scaled(ahead, -snw_vec3_dot(ahead, tree.up), tree.up);
    tree.left = snw_vec3_unit(snw_vec3_cross(tree.up, ahead), snw_vec3_make(0, 1, 0));
    robot_chain chain[ROBOT_LIMBS], leg[SNW_SIDES], arm[SNW_SIDES];
    int count = 0;
    memset(robot, 0, sizeof *robot);
    robot->chest = robot->head = -1;
    read_tree(&tree);
    for (int j = 0; j < skeleton->joint_count && count < ROBOT_LIMBS; j++)
        count += read_chain(&tree, j, chain + count);
    if (!take_pair(&tree, chain, &count, leg)) return false;
    bool has_arms = take_pair(&tree, chain, &count, arm);
    for (int side = 0; side < SNW_SIDES; side++) {
        robot->arm[side] = (snw__limb){-1, -1, -1, -1, 0};
        split(&tree, leg + side, robot->leg + side);
        if (has_arms) split(&tree, arm + side, robot->arm + side);
    }
    const char *name = skeleton->name[robot->leg[0].top];
    if (is_called(name, "right") && is_called(skeleton->name[robot->leg[1].top], "left")) {
        snw__limb right_leg = robot->leg[0], right_arm = robot->arm[0];
        robot->leg[0] = robot->leg[1];
        robot->leg[1] = right_leg;
        robot->arm[0] = robot->arm[1];
        robot->arm[1] = right_arm;
        tree.left = snw_vec3_neg(tree.left);
    }
    robot->pelvis = common_above(skeleton, robot->leg[0].top, robot->leg[1].top);
    if (has_arms) {
        robot->chest = common_above(skeleton, robot->arm[0].top, robot->arm[1].top);
        read_head(&tree, robot);
    }
    robot->up = tree.up;
    robot->left = tree.left;
    return robot->leg[0].length > 0 && robot->leg[1].length > 0;
}
