/* The landmarks that marker sets name, one row for each, with all its spellings.
 *
 * A spelling has no side, no separators and no lower case: LASI, L.ASIS, ASIS_l and
 * LeftASIS are all ASIS here. Together the rows hold Vicon Plug-in-Gait and the Conventional Gait
 * Models 1 to 2.5, the 41 of the Carnegie Mellon database, Helen Hayes as Cortex and OpenSim spell
 * it, Rizzoli (IOR), the names after van Sint Jan (2007, Qualisys sports and OptiTrack biomech),
 * the animation sets of Qualisys and OptiTrack, Motek's Human Body Model, OpenCap, Xsens and ART.
 * What is written in words ("R.Thigh.Upper") needs no row: label_grammar.c.
 *
 * A stem that two sets use for different places is not here: such a marker is attached by its
 * motion. Vertebrae below T10 move neither with the chest nor with the pelvis: not here either. */
#include <string.h>

#include "label/landmark.h"

/* A row: spellings, the part it sits on, the part that begins at its joint, where about the joint.
 */
#define LANDMARK(part, stems)                                \
    {                                                        \
        stems, SNW_PART_##part, SNW_PART_NONE, SNW_SPOT_BODY \
    }
#define LANDMARK_AT(part, joint, spot, stems)                     \
    {                                                             \
        stems, SNW_PART_##part, SNW_PART_##joint, SNW_SPOT_##spot \
    }

static const snw__landmark_row landmark_rows[] = {
    /* pelvis */
    LANDMARK(HIPS, "ASI ASIS IAS FWT FRONTWAIST"),
    LANDMARK(HIPS, "PSI PSIS IPS BWT BACKWAIST"),
    LANDMARK(HIPS, "IC ILC ICR CSI ICT CRE CREST ILCR MWT"),
    LANDMARK(HIPS, "SAC SACR SACRUM SACRAL VSAC VSACRAL SACRALWAND SACWAND S1 S2 LSP"),
    LANDMARK(HIPS,
             "PELV PELVIS PV PVUL PVLL PVUR PVLR PEL HIPORIGIN WAIST ROOT MIDHIP CHIP SPINEBASE"),
    LANDMARK(HIPS, "ISCHIALTUB IT"),
    LANDMARK_AT(HIPS, UPLEG, CENTER, "ULE"),
    /* trunk */
    LANDMARK(CHEST, "C7 CV7"),
    LANDMARK(CHEST, "T1 T2 T3 T4 T5 TV1 TV2 TV3 TV4 TV5 UTSP"),
    LANDMARK(CHEST, "T6 T7 T8 T9 T10 TV6 TV7 TV8 TV9 TV10 MAI TSP"),
    LANDMARK(CHEST, "CLAV IJ SJN SNJ SUP SUPS JN MAN CLAVICLE"),
    LANDMARK(CHEST, "STRN STER STR STERN STERNUM PX SXS XYP XYPH XIPH XP XIPHOID"),
    LANDMARK(CHEST, "CHEST THORAX TORSO TRUNK THX TRX BAK BAC BBAC BACK RIB COSTAL OFF OFFSET"),
    LANDMARK_AT(SHOULDER, ARM, NEAR,
                "SHO SHOULDER SHOULD ACR ACRO ACROM ACROMION ACROMIUM AC ACJ CAJ SAJ A"),
    LANDMARK_AT(SHOULDER, ARM, NEAR, "FSH BSH SHOF SHOB"),
    LANDMARK_AT(SHOULDER, ARM, CENTER, "UAR"),
    LANDMARK(SHOULDER, "SCAP SCAPULA SCAPULAR SCAPULARSPINE SIA SAA STS"),
    /* head */
    LANDMARK(HEAD, "FHD BHD HD HED HEAD HEA FHEA THEA THEAD ARIEL HDF HDB HDL HDR AH PH TOPHEAD"),
    LANDMARK(HEAD, "TEMP TEMPLE EAR TRAGUS AURICULARIS MASTOID HV VERTEX SEL SELLION NASION OCC"),
    LANDMARK(HEAD, "FOREHEAD GLABELLA CHIN NOSE EYE HEADY HEADZ OCCIPUT"),
    /* arm */
    LANDMARK(ARM, "UPA UA UARM ARM UPPERARM HUM HUMERUS BICEP BICEPS TRICEPS DELT HGT WAND3"),
    LANDMARK(ARM, "UAPA UAPP UADA UADP UAA UAB UAC"),
    LANDMARK_AT(ARM, FOREARM, LATERAL, "ELB ELBOW HLE LHE LEL LEE EL ELBL LEB LELB LELBOW"),
    LANDMARK_AT(ARM, FOREARM, MEDIAL, "IEL HME MHE MEL MEE EM ELBM MEB MELB MELBOW"),
    LANDMARK_AT(ARM, FOREARM, CENTER, "LAR"),
    LANDMARK(FOREARM, "FRM FRA FARM FARE FOREARM FA WRE FAPA FAPP FADA FADP FAA FAB FAC WAND4"),
    LANDMARK_AT(FOREARM, FOREARM, NEAR, "OLEC OLECRANON OLECRANE OLE"),
    LANDMARK_AT(FOREARM, HAND, LATERAL, "WRA RSP RS RAD RADIALSTYLOID PSR IWR WRR LWRI LWR LW"),
    LANDMARK_AT(FOREARM, HAND, MEDIAL, "WRB USP US ULN ULNARSTYLOID PSU UHE OWR WRU MWRI MWR MW"),
    LANDMARK_AT(FOREARM, HAND, NEAR, "WRI WRIST"),
    LANDMARK_AT(FOREARM, HAND, CENTER, "HAN"),
    LANDMARK(THUMB, "THUMB THM"),
    LANDMARK(INDEX, "INDEX"),
    LANDMARK(MIDDLE, "MIDDLE"),
    LANDMARK(RING, "RING"),
    LANDMARK(PINKY, "PINKY LITTLE"),
    LANDMARK(HAND, "FIN HAND IHAND OHAND HND GLOVE KNU CAR HANY HANZ BALLHAND TOPOFHAND"),
    LANDMARK(HAND, "HM1 HM2 HM3 HM4 HM5 HL2 HL5 HMH2 HMH3 HMH5 MC1 MC2 MC3 MC5 MCP2 MCP3 MCP5"),
    /* thigh */
    LANDMARK(UPLEG, "THI TH THIGH FEM FEMUR THAP THAD THPA THPP THDP THDA QUAD WAND1 BAR1"),
    LANDMARK(UPLEG, "HIP"),
    LANDMARK(UPLEG, "GT FTC TRO GTRO GTR TROC TROCHANTER GREATERTROCHANTER"),
    LANDMARK_AT(UPLEG, LEG, LATERAL, "KNE KNEE FLE LFE LFC LE LEK LKE KNEL LKN LKNEE LKNE KNEEL"),
    LANDMARK_AT(UPLEG, LEG, MEDIAL, "KNI KNM FME MFE MFC ME MEK MKE KNEM MKN MKNEE MKNE"),
    LANDMARK_AT(UPLEG, LEG, CENTER, "LLE"),
    /* shank */
    LANDMARK(LEG, "TIB TIBIA SHN SHA SHANK SHIN SK LEG CALF LOWERLEG WAND2 BAR2"),
    LANDMARK(LEG, "TIAP TIAD SHPA SHPP SHDA SHDP SH1 SH2 SH3 SH4 SH5 TB1 TB2 TB3 TB4"),
    LANDMARK(LEG, "TTC TT ATT ATI TIBIALTUB HF FAX FIBULA"),
    LANDMARK_AT(LEG, LEG, LATERAL, "LTP"),
    LANDMARK_AT(LEG, LEG, MEDIAL, "MTP"),
    LANDMARK_AT(LEG, FOOT, LATERAL, "ANK ANKLE FAL LM LML LMA LMAL LMALL ANL ANKL LANK LANKLE"),
    LANDMARK_AT(LEG, FOOT, MEDIAL, "MED TAM MM MML MMA MMAL MMALL ANM ANKM MANK MANKLE SPH"),
    LANDMARK_AT(LEG, FOOT, CENTER, "FOO"),
    /* foot */
    LANDMARK(FOOT, "HEE HEEL HEL CAL CALC CALCANEUS FCC CA PCA LCA STL CPG PHE DHE"),
    LANDMARK(FOOT, "TOE TO MTOE TT2 DP1 HLX HALLUX SMH FM2 MT2 SM MET2 2MET 2MT 2ND"),
    LANDMARK(FOOT, "FMH MFH1 FM1 MT1 FM MET1 1MET 1MT 1ST P1M D1M 1META"),
    LANDMARK(FOOT, "VMH MFH5 FM5 MT5 VM MET5 5MET 5MT 5TH P5M D5M 5META"),
    LANDMARK(FOOT, "FOOT FT FTB FTM FTF FOOY FOOZ PIVOTFOOT HEELFOOT HEELCENTER"),
    /* The same word without a side. */
    LANDMARK(HIPS, "HIP HIPS"),
};

#define LANDMARK_ROWS ((int)(sizeof landmark_rows / sizeof *landmark_rows))

const snw__landmark_row *snw__landmark_table(int *count)
{
    *count = LANDMARK_ROWS;
    return landmark_rows;
}

bool snw__has_word(const char *words, const char *stem, size_t length)
{
    for (const char *at = words; *at;) {
        size_t n = 0;
        while (n < length && at[n] == stem[n])
            n++;
        if (n == length && (at[n] == ' ' || !at[n])) return true;
        while (*at && *at++ != ' ')
            continue;
    }
    return false;
}

int snw__landmark_find(const char *stem, size_t length, bool has_side)
{
    for (int n = 0; n < LANDMARK_ROWS && length > 0; n++)
        if ((has_side || !snw__landmark_row_is_paired(landmark_rows + n)) &&
            snw__has_word(landmark_rows[n].stems, stem, length))
            return n;
    return -1;
}

/* ---- the parts of a body -------------------------------------------------------------------- */

static const struct {
    const char *name[3]; /* [side] */
    snw_part parent;
    bool is_paired;
} landmark_parts[] = {{{"", "", ""}, SNW_PART_NONE, false},
#define LANDMARK_NAMES_0(name) \
    {                          \
        name, name, name       \
    }
#define LANDMARK_NAMES_1(name)          \
    {                                   \
        name, "Left" name, "Right" name \
    }
#define LANDMARK_PART(part, parent, is_paired, name) \
    {LANDMARK_NAMES_##is_paired(name), SNW_PART_##parent, is_paired},
                      SNW_PART_MAP(LANDMARK_PART)
#undef LANDMARK_PART
#undef LANDMARK_NAMES_0
#undef LANDMARK_NAMES_1
};

const char *snw_part_name(snw_part part, snw_side side)
{
    bool is_known = (unsigned)part < SNW_PART_COUNT && (unsigned)side <= SNW_SIDE_RIGHT;
    return is_known ? landmark_parts[part].name[side] : "";
}

snw_part snw_part_find(const char *name, snw_side *side)
{
    for (int part = 1; part < SNW_PART_COUNT; part++)
        for (int s = 0; s < 3; s++) {
            bool is_paired = landmark_parts[part].is_paired;
            if (is_paired != (s > 0) || strcmp(landmark_parts[part].name[s], name) != 0) continue;
            *side = (snw_side)s;
            return (snw_part)part;
        }
    *side = SNW_SIDE_NONE;
    return SNW_PART_NONE;
}

snw_part snw_part_parent(snw_part part)
{
    return (unsigned)part < SNW_PART_COUNT ? landmark_parts[part].parent : SNW_PART_NONE;
}

bool snw_part_is_paired(snw_part part)
{
    return (unsigned)part < SNW_PART_COUNT && landmark_parts[part].is_paired;
}

/* Adults: knees about 100 mm wide, ankles 70, elbows 70, wrists 55 (Plug-in Gait asks for these
 * widths), and the marker's own radius. An acromion lies above the shoulder by up to 90 mm. */
snw__joint_size snw__part_joint_size(snw_part joint)
{
    static const snw__joint_size sizes[SNW_PART_COUNT] = {
        [SNW_PART_LEG] = {0.055, 0.050},     [SNW_PART_FOOT] = {0.042, 0.040},
        [SNW_PART_FOREARM] = {0.040, 0.060}, [SNW_PART_HAND] = {0.035, 0.045},
        [SNW_PART_ARM] = {0, 0.090},         [SNW_PART_THUMB] = {0, 0.010},
        [SNW_PART_INDEX] = {0, 0.010},       [SNW_PART_MIDDLE] = {0, 0.010},
        [SNW_PART_RING] = {0, 0.010},        [SNW_PART_PINKY] = {0, 0.010},
    };
    return sizes[joint];
}
