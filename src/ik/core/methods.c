/* The table of methods: one line each. A new method adds its line here and its name to
 * SNW_IK_SOLVER_MAP in sinew/ik.h; see docs/add-a-solver.md. */
#include "ik/core/method.h"

/* In alphabetical order; each is defined in the file of its name. */
extern const snw__ik_method snw__ik_auto;
extern const snw__ik_method snw__ik_bfgs;
extern const snw__ik_method snw__ik_ccd;
extern const snw__ik_method snw__ik_ccd_mass;
extern const snw__ik_method snw__ik_conjugate_gradient;
extern const snw__ik_method snw__ik_dfp;
extern const snw__ik_method snw__ik_directions;
extern const snw__ik_method snw__ik_dls;
extern const snw__ik_method snw__ik_extended_jacobian;
extern const snw__ik_method snw__ik_fabrik;
extern const snw__ik_method snw__ik_fabrik_cga;
extern const snw__ik_method snw__ik_fik;
extern const snw__ik_method snw__ik_gauss_newton;
extern const snw__ik_method snw__ik_inductive;
extern const snw__ik_method snw__ik_jacobian_transpose;
extern const snw__ik_method snw__ik_lbfgsb;
extern const snw__ik_method snw__ik_lm;
extern const snw__ik_method snw__ik_mesh_ik;
extern const snw__ik_method snw__ik_nelder_mead;
extern const snw__ik_method snw__ik_particle;
extern const snw__ik_method snw__ik_powell;
extern const snw__ik_method snw__ik_pseudo_inverse;
extern const snw__ik_method snw__ik_sdls;
extern const snw__ik_method snw__ik_sequential;
extern const snw__ik_method snw__ik_svd_dls;
extern const snw__ik_method snw__ik_triangulation;
extern const snw__ik_method snw__ik_two_bone;

const snw__ik_method *snw__ik_method_row(snw_ik_solver solver)
{
    static const snw__ik_method *const row[SNW_IK_SOLVER_COUNT] = {
        [SNW_IK_AUTO] = &snw__ik_auto,
        [SNW_IK_BFGS] = &snw__ik_bfgs,
        [SNW_IK_CCD] = &snw__ik_ccd,
        [SNW_IK_CCD_MASS] = &snw__ik_ccd_mass,
        [SNW_IK_CONJUGATE_GRADIENT] = &snw__ik_conjugate_gradient,
        [SNW_IK_DFP] = &snw__ik_dfp,
        [SNW_IK_DIRECTIONS] = &snw__ik_directions,
        [SNW_IK_DLS] = &snw__ik_dls,
        [SNW_IK_EXTENDED_JACOBIAN] = &snw__ik_extended_jacobian,
        [SNW_IK_FABRIK] = &snw__ik_fabrik,
        [SNW_IK_FABRIK_CGA] = &snw__ik_fabrik_cga,
        [SNW_IK_FIK] = &snw__ik_fik,
        [SNW_IK_GAUSS_NEWTON] = &snw__ik_gauss_newton,
        [SNW_IK_INDUCTIVE] = &snw__ik_inductive,
        [SNW_IK_JACOBIAN_TRANSPOSE] = &snw__ik_jacobian_transpose,
        [SNW_IK_LBFGSB] = &snw__ik_lbfgsb,
        [SNW_IK_LM] = &snw__ik_lm,
        [SNW_IK_MESH_IK] = &snw__ik_mesh_ik,
        [SNW_IK_NELDER_MEAD] = &snw__ik_nelder_mead,
        [SNW_IK_PARTICLE] = &snw__ik_particle,
        [SNW_IK_POWELL] = &snw__ik_powell,
        [SNW_IK_PSEUDO_INVERSE] = &snw__ik_pseudo_inverse,
        [SNW_IK_SDLS] = &snw__ik_sdls,
        [SNW_IK_SEQUENTIAL] = &snw__ik_sequential,
        [SNW_IK_SVD_DLS] = &snw__ik_svd_dls,
        [SNW_IK_TRIANGULATION] = &snw__ik_triangulation,
        [SNW_IK_TWO_BONE] = &snw__ik_two_bone,
    };
    return (unsigned)solver < SNW_IK_SOLVER_COUNT ? row[solver] : NULL;
}
