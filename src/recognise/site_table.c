/* Where marker sets put markers on the generic person: name, spellings as in landmark_table.c,
 * part, is it paired, place and spread in statures, share of the captures that have it, the site
 * without which it is rare, has it no mirror image as a rule?
 *
 * Names, spellings and companions are written by hand; places, spreads and shares are fitted to
 * labelled captures of 17 people by scripts/fit_sites, which rewrites the rows and says which
 * captures these were. Rows that nobody of them wore keep a guess from anatomy (T4, BSH, OLEC). */
#include "recognise/body_template.h"

/* clang-format off */
static const snw__site_row site_rows[] = {
    {"ASI", "ASI ASIS IAS FWT FRONTWAIST", SNW_PART_HIPS, true, {0.0429, 0.0703, 0.0437}, {0.0088, 0.0086, 0.0154}, 0.97, "", false},
    {"PSI", "PSI PSIS IPS BWT BACKWAIST", SNW_PART_HIPS, true, {-0.0670, 0.0349, 0.0507}, {0.0062, 0.0122, 0.0122}, 0.69, "", false},
    {"SACR", "SAC SACR SACRUM SACRAL VSAC VSACRAL S1 S2", SNW_PART_HIPS, false, {-0.0692, 0.0000, 0.0556}, {0.0085, 0.0083, 0.0091}, 0.31, "", false},
    {"MWT", "MWT IC ILC ICR CSI ICT CRE CREST ILCR", SNW_PART_HIPS, true, {-0.0090, 0.1056, 0.0411}, {0.0095, 0.0094, 0.0095}, 0.06, "", false},
    {"C7", "C7 CV7", SNW_PART_CHEST, false, {-0.0433, 0.0000, 0.2542}, {0.0104, 0.0060, 0.0120}, 0.92, "", false},
    {"T4", "T2 T3 T4 TV2 TV4", SNW_PART_CHEST, false, {-0.0500, 0.0000, 0.2100}, {0.0150, 0.0150, 0.0150}, 0.03, "", false},
    {"T8", "T7 T8 TV7 TV8 MAI", SNW_PART_CHEST, false, {-0.0730, 0.0000, 0.1404}, {0.0104, 0.0106, 0.0105}, 0.08, "", false},
    {"T10", "T10 TV10", SNW_PART_CHEST, false, {-0.0626, 0.0000, 0.1171}, {0.0110, 0.0070, 0.0219}, 0.69, "", false},
    {"CLAV", "CLAV IJ SJN SNJ SUP SUPS JN MAN", SNW_PART_CHEST, false, {0.0436, 0.0000, 0.2178}, {0.0108, 0.0080, 0.0097}, 0.77, "", false},
    {"STRN", "STRN STER STR STERN STERNUM PX SXS XYP XYPH XIPH XP XIPHOID", SNW_PART_CHEST, false, {0.0723, 0.0000, 0.1234}, {0.0110, 0.0096, 0.0187}, 0.92, "", false},
    {"BAK", "BAK BAC", SNW_PART_CHEST, true, {-0.0599, 0.0631, 0.1917}, {0.0077, 0.0091, 0.0180}, 0.46, "", true},
    {"FHD", "FHD HDF", SNW_PART_HEAD, true, {0.0675, 0.0381, 0.1116}, {0.0086, 0.0110, 0.0084}, 0.69, "", false},
    {"BHD", "BHD HDB", SNW_PART_HEAD, true, {-0.0008, 0.0420, 0.0819}, {0.0106, 0.0104, 0.0146}, 0.69, "FHD", false},
    {"TEMP", "TEMP TEMPLE EAR TRAGUS AURICULARIS HD", SNW_PART_HEAD, true, {0.0456, 0.0482, 0.0808}, {0.0129, 0.0093, 0.0095}, 0.23, "", false},
    {"ARIEL", "ARIEL HV VERTEX TOPHEAD THEA THEAD HEADTOP TOPOFHEAD", SNW_PART_HEAD, false, {0.0256, 0.0000, 0.1510}, {0.0114, 0.0081, 0.0090}, 0.31, "", false},
    {"FOREHEAD", "FOREHEAD SEL SELLION NASION FHEA HDF FHD", SNW_PART_HEAD, false, {0.0875, 0.0000, 0.1239}, {0.0086, 0.0086, 0.0111}, 0.23, "", false},
    {"OCC", "OCC OCCIPUT BACKOFHEAD BHD HDB", SNW_PART_HEAD, false, {-0.0211, 0.0000, 0.0589}, {0.0100, 0.0094, 0.0158}, 0.15, "", false},
    {"SHO", "SHO SHOULDER ACR ACRO ACROM ACROMION ACROMIUM AC ACJ CAJ SAJ A", SNW_PART_SHOULDER, true, {-0.0251, 0.0868, 0.0185}, {0.0137, 0.0091, 0.0100}, 0.93, "", false},
    {"FSH", "FSH SHOF", SNW_PART_SHOULDER, true, {-0.0491, 0.1104, 0.0076}, {0.0109, 0.0103, 0.0101}, 0.07, "BSH", false},
    {"BSH", "BSH SHOB", SNW_PART_SHOULDER, true, {-0.0650, 0.0950, -0.0050}, {0.0150, 0.0150, 0.0150}, 0.03, "FSH", false},
    {"UPA", "UPA UA UARM UPPERARM WAND3", SNW_PART_ARM, true, {-0.0019, 0.0260, -0.0897}, {0.0086, 0.0060, 0.0167}, 0.54, "", false},
    {"ELB", "ELB ELBOW HLE LHE LEL LEE EL ELBL LEB LELB LELBOW ARMLATEPICONDYLE", SNW_PART_ARM, true, {0.0008, 0.0190, -0.1676}, {0.0071, 0.0155, 0.0084}, 0.97, "", false},
    {"IEL", "IEL HME MHE MEL MEE EM ELBM MEB MELB MELBOW ARMMEDEPICONDYLE", SNW_PART_ARM, true, {-0.0051, -0.0162, -0.1625}, {0.0104, 0.0193, 0.0091}, 0.31, "ELB", false},
    {"FRM", "FRM FRA FARM FOREARM WRE WAND4", SNW_PART_FOREARM, true, {-0.0074, 0.0230, -0.0696}, {0.0127, 0.0071, 0.0141}, 0.54, "", false},
    {"OLEC", "OLEC OLECRANON OLE", SNW_PART_FOREARM, true, {-0.0200, 0.0000, 0.0050}, {0.0150, 0.0150, 0.0150}, 0.03, "", false},
    {"WRA", "WRA RSP RS RAD RADIALSTYLOID PSR IWR WRR", SNW_PART_FOREARM, true, {0.0313, -0.0047, -0.1466}, {0.0124, 0.0068, 0.0067}, 0.85, "WRB", false},
    {"WRB", "WRB USP US ULN ULNARSTYLOID PSU UHE OWR WRU", SNW_PART_FOREARM, true, {-0.0184, 0.0174, -0.1458}, {0.0121, 0.0079, 0.0110}, 0.85, "WRA", false},
    {"WRI", "WRI WRIST", SNW_PART_FOREARM, true, {-0.0073, 0.0161, -0.1587}, {0.0080, 0.0080, 0.0126}, 0.15, "", false},
    {"FIN", "FIN HAND HMH3 HM3 TOPOFHAND", SNW_PART_HAND, true, {0.0066, 0.0147, -0.0460}, {0.0085, 0.0058, 0.0068}, 0.64, "", false},
    {"HM2", "HM1 HM2 HMH2 IHAND BALLHAND", SNW_PART_HAND, true, {0.0214, 0.0062, -0.0421}, {0.0090, 0.0071, 0.0084}, 0.36, "", false},
    {"HM5", "HM5 HL5 HMH5 OHAND PINKY", SNW_PART_HAND, true, {-0.0153, 0.0180, -0.0312}, {0.0118, 0.0079, 0.0086}, 0.36, "HM2", false},
    {"GT", "GT FTC TRO GTRO GTR TROC TROCHANTER GREATERTROCHANTER", SNW_PART_UPLEG, true, {0.0121, 0.0559, -0.0113}, {0.0173, 0.0077, 0.0170}, 0.20, "", false},
    {"THI", "THI THIGH WAND1", SNW_PART_UPLEG, true, {0.0130, 0.0532, -0.1466}, {0.0147, 0.0117, 0.0252}, 0.80, "", false},
    {"HIP", "HIP", SNW_PART_UPLEG, true, {0.0212, 0.0567, -0.0832}, {0.0104, 0.0105, 0.0106}, 0.07, "", false},
    {"THAP", "THAP", SNW_PART_UPLEG, true, {0.0614, 0.0134, -0.0928}, {0.0094, 0.0094, 0.0099}, 0.07, "THAD", false},
    {"THAD", "THAD", SNW_PART_UPLEG, true, {0.0531, 0.0049, -0.1827}, {0.0094, 0.0094, 0.0094}, 0.07, "THAP", false},
    {"KNE", "KNE KNEE FLE LFE LFC LE LEK LKE KNEL LKN LKNEE KNEELATEPICONDYLE", SNW_PART_UPLEG, true, {-0.0023, 0.0337, -0.2447}, {0.0123, 0.0122, 0.0083}, 0.97, "", false},
    {"KNM", "KNI KNM FME MFE MFC ME MEK MKE KNEM MKN MKNEE KNEEMEDEPICONDYLE", SNW_PART_UPLEG, true, {-0.0022, -0.0243, -0.2448}, {0.0072, 0.0126, 0.0082}, 0.27, "KNE", false},
    {"TIB", "TIB TIBIA SHN SHA SHANK SHIN WAND2", SNW_PART_LEG, true, {-0.0070, 0.0399, -0.1222}, {0.0130, 0.0128, 0.0264}, 0.81, "", false},
    {"TIAP", "TIAP", SNW_PART_LEG, true, {0.0225, -0.0088, -0.0808}, {0.0094, 0.0094, 0.0138}, 0.06, "TIAD", false},
    {"TIAD", "TIAD", SNW_PART_LEG, true, {0.0167, -0.0082, -0.1687}, {0.0094, 0.0094, 0.0098}, 0.06, "TIAP", false},
    {"TTC", "TTC ATT TIBIALTUB", SNW_PART_LEG, true, {0.0234, 0.0037, -0.0456}, {0.0084, 0.0092, 0.0082}, 0.13, "", false},
    {"FAX", "HF FAX FIBULA", SNW_PART_LEG, true, {-0.0095, 0.0404, -0.0391}, {0.0093, 0.0094, 0.0094}, 0.06, "", false},
    {"ANK", "ANK ANKLE FAL LM LML LMA LMAL LMALL ANL ANKL LATMALLEOLUS", SNW_PART_LEG, true, {-0.0086, 0.0195, -0.2450}, {0.0085, 0.0064, 0.0096}, 0.97, "", false},
    {"MED", "MED TAM MM MML MMA MMAL MMALL ANM ANKM SPH MEDMALLEOLUS", SNW_PART_LEG, true, {0.0039, -0.0287, -0.2342}, {0.0077, 0.0074, 0.0083}, 0.19, "ANK", false},
    {"HEE", "HEE HEEL HEL CAL CALC CALCANEUS FCC CA HEELFOOT", SNW_PART_FOOT, true, {-0.0374, -0.0108, -0.0200}, {0.0076, 0.0084, 0.0094}, 0.94, "", false},
    {"TOE", "TOE TO MTOE TT2 SMH FM2 MT2 SM MET2", SNW_PART_FOOT, true, {0.0787, 0.0058, -0.0046}, {0.0148, 0.0081, 0.0084}, 0.82, "", false},
    {"FMH", "FMH MFH1 FM1 MT1 FM MET1 FIRSTMETATARSAL", SNW_PART_FOOT, true, {0.0788, -0.0193, -0.0164}, {0.0097, 0.0101, 0.0113}, 0.29, "MT5", false},
    {"MT5", "VMH MFH5 FM5 MT5 VM MET5 FIFTHMETATARSAL", SNW_PART_FOOT, true, {0.0610, 0.0319, -0.0247}, {0.0107, 0.0077, 0.0082}, 0.53, "", false},
};
/* clang-format on */

const snw__site_row *snw__site_table(int *count)
{
    *count = (int)(sizeof site_rows / sizeof *site_rows);
    return site_rows;
}
