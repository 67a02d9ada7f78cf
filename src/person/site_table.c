/* Where marker sets put markers on the generic person: landmark, is it paired, place and spread in
 * statures, share of the captures that have it, the landmark without which it is rare, has it no
 * mirror image as a rule?
 *
 * Landmarks and companions are written by hand; places, spreads and shares are fitted to labelled
 * captures of 17 people by scripts/fit_sites, which rewrites the rows and says which captures these
 * were. Rows that nobody of them wore keep a guess from anatomy (T4, BSH, OLEC). */
#include "person/site.h"

/* clang-format off */
static const snw__site_row site_rows[] = {
    {SNW__LANDMARK_ASI, true, {0.0429, 0.0703, 0.0437}, {0.0088, 0.0086, 0.0154}, 0.97, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_PSI, true, {-0.0670, 0.0349, 0.0507}, {0.0062, 0.0122, 0.0122}, 0.69, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_SACR, false, {-0.0692, 0.0000, 0.0556}, {0.0085, 0.0083, 0.0091}, 0.31, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_MWT, true, {-0.0090, 0.1056, 0.0411}, {0.0095, 0.0094, 0.0095}, 0.06, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_C7, false, {-0.0433, 0.0000, 0.2542}, {0.0104, 0.0060, 0.0120}, 0.92, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_T4, false, {-0.0500, 0.0000, 0.2100}, {0.0150, 0.0150, 0.0150}, 0.03, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_T8, false, {-0.0730, 0.0000, 0.1404}, {0.0104, 0.0106, 0.0105}, 0.08, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_T10, false, {-0.0626, 0.0000, 0.1171}, {0.0110, 0.0070, 0.0219}, 0.69, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_CLAV, false, {0.0436, 0.0000, 0.2178}, {0.0108, 0.0080, 0.0097}, 0.77, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_STRN, false, {0.0723, 0.0000, 0.1234}, {0.0110, 0.0096, 0.0187}, 0.92, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_BAK, true, {-0.0599, 0.0631, 0.1917}, {0.0077, 0.0091, 0.0180}, 0.46, SNW__LANDMARK_NONE, true},
    {SNW__LANDMARK_FHD, true, {0.0675, 0.0381, 0.1116}, {0.0086, 0.0110, 0.0084}, 0.69, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_BHD, true, {-0.0008, 0.0420, 0.0819}, {0.0106, 0.0104, 0.0146}, 0.69, SNW__LANDMARK_FHD, false},
    {SNW__LANDMARK_TEMP, true, {0.0456, 0.0482, 0.0808}, {0.0129, 0.0093, 0.0095}, 0.23, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_ARIEL, false, {0.0256, 0.0000, 0.1510}, {0.0114, 0.0081, 0.0090}, 0.31, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_FOREHEAD, false, {0.0875, 0.0000, 0.1239}, {0.0086, 0.0086, 0.0111}, 0.23, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_OCC, false, {-0.0211, 0.0000, 0.0589}, {0.0100, 0.0094, 0.0158}, 0.15, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_SHO, true, {-0.0251, 0.0868, 0.0185}, {0.0137, 0.0091, 0.0100}, 0.93, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_FSH, true, {-0.0491, 0.1104, 0.0076}, {0.0109, 0.0103, 0.0101}, 0.07, SNW__LANDMARK_BSH, false},
    {SNW__LANDMARK_BSH, true, {-0.0650, 0.0950, -0.0050}, {0.0150, 0.0150, 0.0150}, 0.03, SNW__LANDMARK_FSH, false},
    {SNW__LANDMARK_UPA, true, {-0.0019, 0.0260, -0.0897}, {0.0086, 0.0060, 0.0167}, 0.54, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_ELB, true, {0.0008, 0.0190, -0.1676}, {0.0071, 0.0155, 0.0084}, 0.97, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_IEL, true, {-0.0051, -0.0162, -0.1625}, {0.0104, 0.0193, 0.0091}, 0.31, SNW__LANDMARK_ELB, false},
    {SNW__LANDMARK_FRM, true, {-0.0074, 0.0230, -0.0696}, {0.0127, 0.0071, 0.0141}, 0.54, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_OLEC, true, {-0.0200, 0.0000, 0.0050}, {0.0150, 0.0150, 0.0150}, 0.03, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_WRA, true, {0.0313, -0.0047, -0.1466}, {0.0124, 0.0068, 0.0067}, 0.85, SNW__LANDMARK_WRB, false},
    {SNW__LANDMARK_WRB, true, {-0.0184, 0.0174, -0.1458}, {0.0121, 0.0079, 0.0110}, 0.85, SNW__LANDMARK_WRA, false},
    {SNW__LANDMARK_WRI, true, {-0.0073, 0.0161, -0.1587}, {0.0080, 0.0080, 0.0126}, 0.15, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_FIN, true, {0.0066, 0.0147, -0.0460}, {0.0085, 0.0058, 0.0068}, 0.64, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_HM2, true, {0.0214, 0.0062, -0.0421}, {0.0090, 0.0071, 0.0084}, 0.36, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_HM5, true, {-0.0153, 0.0180, -0.0312}, {0.0118, 0.0079, 0.0086}, 0.36, SNW__LANDMARK_HM2, false},
    {SNW__LANDMARK_GT, true, {0.0121, 0.0559, -0.0113}, {0.0173, 0.0077, 0.0170}, 0.20, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_THI, true, {0.0130, 0.0532, -0.1466}, {0.0147, 0.0117, 0.0252}, 0.80, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_HIP, true, {0.0212, 0.0567, -0.0832}, {0.0104, 0.0105, 0.0106}, 0.07, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_THAP, true, {0.0614, 0.0134, -0.0928}, {0.0094, 0.0094, 0.0099}, 0.07, SNW__LANDMARK_THAD, false},
    {SNW__LANDMARK_THAD, true, {0.0531, 0.0049, -0.1827}, {0.0094, 0.0094, 0.0094}, 0.07, SNW__LANDMARK_THAP, false},
    {SNW__LANDMARK_KNE, true, {-0.0023, 0.0337, -0.2447}, {0.0123, 0.0122, 0.0083}, 0.97, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_KNM, true, {-0.0022, -0.0243, -0.2448}, {0.0072, 0.0126, 0.0082}, 0.27, SNW__LANDMARK_KNE, false},
    {SNW__LANDMARK_TIB, true, {-0.0070, 0.0399, -0.1222}, {0.0130, 0.0128, 0.0264}, 0.81, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_TIAP, true, {0.0225, -0.0088, -0.0808}, {0.0094, 0.0094, 0.0138}, 0.06, SNW__LANDMARK_TIAD, false},
    {SNW__LANDMARK_TIAD, true, {0.0167, -0.0082, -0.1687}, {0.0094, 0.0094, 0.0098}, 0.06, SNW__LANDMARK_TIAP, false},
    {SNW__LANDMARK_TTC, true, {0.0234, 0.0037, -0.0456}, {0.0084, 0.0092, 0.0082}, 0.13, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_FAX, true, {-0.0095, 0.0404, -0.0391}, {0.0093, 0.0094, 0.0094}, 0.06, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_ANK, true, {-0.0086, 0.0195, -0.2450}, {0.0085, 0.0064, 0.0096}, 0.97, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_MED, true, {0.0039, -0.0287, -0.2342}, {0.0077, 0.0074, 0.0083}, 0.19, SNW__LANDMARK_ANK, false},
    {SNW__LANDMARK_HEE, true, {-0.0374, -0.0108, -0.0200}, {0.0076, 0.0084, 0.0094}, 0.94, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_TOE, true, {0.0787, 0.0058, -0.0046}, {0.0148, 0.0081, 0.0084}, 0.82, SNW__LANDMARK_NONE, false},
    {SNW__LANDMARK_FMH, true, {0.0788, -0.0193, -0.0164}, {0.0097, 0.0101, 0.0113}, 0.29, SNW__LANDMARK_MT5, false},
    {SNW__LANDMARK_MT5, true, {0.0610, 0.0319, -0.0247}, {0.0107, 0.0077, 0.0082}, 0.53, SNW__LANDMARK_NONE, false},
};
/* clang-format on */

const snw__site_row *snw__site_table(int *count)
{
    *count = (int)(sizeof site_rows / sizeof *site_rows);
    return site_rows;
}

/* Markers of the sets' own guides, as far as the table above has them. */
static const snw__worn_set worn_sets[] = {
    {"Plug-in Gait",
     "FHD BHD C7 T10 CLAV STRN SHO ELB UPA FRM WRA WRB FIN ASI PSI THI KNE TIB ANK HEE TOE"},
    {"Plug-in Gait, legs", "ASI PSI THI KNE TIB ANK HEE TOE"},
    {"Helen Hayes, legs", "ASI SACR THI KNE TIB ANK HEE TOE"},
    {"Helen Hayes", "ARIEL FOREHEAD OCC SHO ELB WRI ASI SACR THI KNE TIB ANK HEE TOE"},
    {"CGM2.4, legs", "ASI PSI THI THAP THAD KNE TIB TIAP TIAD ANK HEE TOE FMH MT5"},
    {"landmarks of the ISB",
     "C7 T8 CLAV STRN SHO ELB IEL WRA WRB HM2 HM5 ASI PSI GT KNE KNM TTC FAX ANK MED HEE FMH MT5"},
};

const snw__worn_set *snw__worn_sets(int *count)
{
    *count = (int)(sizeof worn_sets / sizeof *worn_sets);
    return worn_sets;
}
