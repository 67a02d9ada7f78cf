/* A loop of a protein: a backbone of twelve residues whose ends are held by the rest of the
 * protein, a closed chain of 24 hinges. One hinge in its middle is turned; the others give way, and
 * both ends stay where they are. Lengths and angles of the bonds after Engh & Huber (1991), in
 * angstroms. Prints the loops as models of a PDB file: ./reach_protein > loop.pdb cc
 * reach_protein.c $(pkg-config --cflags --libs sinew) -lm */
#include <math.h>
#include <stdio.h>

#include <sinew/sinew.h>

enum {
    RESIDUES = 12,
    ATOMS = 3 * RESIDUES /* N, CA, C of each */
};

static const char *const atom_names[3] = {"N", "CA", "C"};

/* Joint k sits at atom k with z along the bond to the next atom, so that a turn about z is the
 * torsion of that bond: phi after N, psi after CA; the bond after C is stiff, and trans. */
static snw_status make_loop(const snw_pin *pins, int pin_count, snw_skeleton **out,
                            snw_error *error)
{
    static const double length[3] = {1.458, 1.525, 1.329};           /* N-CA, CA-C, C-N */
    static const double angle_deg[3] = {121.7, 111.2, 116.2};        /* at N, CA, C */
    static const double range_deg[2][2] = {{-160, -45}, {-70, 175}}; /* where most residues are */
    static char names[ATOMS][16];
    snw_joint_def defs[ATOMS];
    for (int k = 0; k < ATOMS; k++) {
        int kind = k % 3, before = (k + 2) % 3;
        snw_format(names[k], sizeof names[k], "%s%d", atom_names[kind], k / 3 + 1);
        defs[k] = snw_joint_def_default();
        defs[k].name = names[k];
        defs[k].parent = k - 1;
        if (kind != 2) {
            defs[k].joint.type = SNW_JOINT_HINGE; /* about +z */
            defs[k].joint.limit.has_range[0] = true;
            for (int end = 0; end < 2; end++)
                defs[k].joint.limit.range[0][end] = snw_radians(range_deg[kind][end]);
        }
        if (k == 0) continue;
        /* Behind C the torsion is half a turn. */
        snw_quat trans = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), before == 2 ? SNW_PI : 0);
        snw_quat bend =
            snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), SNW_PI - snw_radians(angle_deg[kind]));
        defs[k].rest =
            snw_xform_make(snw_quat_mul(trans, bend), snw_vec3_make(0, 0, length[before]));
    }
    return snw_skeleton_create_pinned(&(snw_skeleton_def){defs, ATOMS, pins, pin_count}, NULL, out,
                                      error);
}

static void set_torsion(snw_pose *pose, int joint, double degrees)
{
    double values[6] = {snw_radians(degrees)};
    snw_joint_from_values(&pose->skeleton->joint[joint], values, &pose->rotation[joint],
                          &pose->slide[joint]);
}

static void print_model(const snw_pose *pose, int model)
{
    printf("MODEL     %4d\n", model);
    for (int k = 0; k < ATOMS; k++) {
        snw_vec3 at = pose->world[k].translation;
        printf("ATOM  %5d  %-3s GLY A%4d    %8.3f%8.3f%8.3f  1.00  0.00           %c\n", k + 1,
               atom_names[k % 3], k / 3 + 1, at.x, at.y, at.z, atom_names[k % 3][0]);
    }
    printf("ENDMDL\n");
}

int main(void)
{
    /* Two strands and a turn of type I between them. */
    static const double torsions[RESIDUES][2] = {
        {-120, 130}, {-115, 135}, {-120, 130}, {-110, 130}, {-95, 120},  {-60, -30},
        {-90, 0},    {-85, 140},  {-120, 130}, {-115, 135}, {-120, 130}, {-110, 130}};
    snw_error error;
    snw_skeleton *open = NULL, *loop = NULL;
    snw_pose *pose = NULL, *held = NULL;
    snw_ik *ik = NULL;
    snw_pin pins[3];
    if (make_loop(NULL, 0, &open, &error) != SNW_OK ||
        snw_pose_create(open, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int k = 0; k < ATOMS; k++)
        if (k % 3 != 2) set_torsion(pose, k, torsions[k / 3][k % 3]);
    snw_pose_forward(pose);
    /* The last residue's atoms are the protein's: pinned to where they are. */
    for (int n = 0; n < 3; n++)
        pins[n] = (snw_pin){ATOMS - 3 + n, -1, {0, 0, 0}, pose->world[ATOMS - 3 + n].translation};
    if (make_loop(pins, 3, &loop, &error) != SNW_OK ||
        snw_pose_create(loop, NULL, &held, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    snw_pose_copy(held, pose);
    int middle = 3 * 6; /* phi of the seventh residue */
    snw_goal turn = snw_goal_value(middle, 0, 0);
    snw_ik_options options = snw_ik_options_default();
    options.tolerance = 1e-6;
    options.turn_tolerance = 1e-4;
    if (snw_ik_create(&(snw_ik_problem){loop, &turn, 1}, &options, NULL, &ik, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    bool is_closed = true;
    print_model(held, 1);
    for (int model = 2; model <= 6; model++) {
        turn.value = snw_radians(torsions[6][0] - 8 * (model - 1));
        snw_ik_result result = snw_ik_solve(ik, &turn, held);
        double gap = 0, moved = 0;
        for (int n = 0; n < 3; n++)
            gap = fmax(
                gap, snw_vec3_distance(held->world[pins[n].joint_a].translation, pins[n].point_b));
        for (int k = 0; k < ATOMS; k++)
            moved = fmax(moved,
                         snw_vec3_distance(held->world[k].translation, pose->world[k].translation));
        fprintf(stderr, "phi 7 at %4.0f: %s, ends within %.1e A, an atom moved by %.2f A\n",
                torsions[6][0] - 8 * (model - 1), snw_ik_outcome_name(result.outcome), gap, moved);
        print_model(held, model);
        is_closed = is_closed && result.outcome == SNW_IK_REACHED && gap < 1e-4;
    }
    printf("END\n");
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_pose_destroy(held);
    snw_skeleton_destroy(open);
    snw_skeleton_destroy(loop);
    return is_closed ? 0 : 1;
}
