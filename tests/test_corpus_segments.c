/* Segments by motion alone against what the labels of real captures say: each marker sits on the
 * segment that its label names. Needs the corpus that SINEW_CORPUS names.
 *
 * Agreement is the F measure over pairs of markers: of the pairs that are on one segment by motion
 * and by label, the harmonic mean of their shares. Markers on a joint fit both segments, and joints
 * that hardly move in a capture cannot be seen, so 1 is not to be had everywhere. */
#include "check.h"

typedef struct segment_row {
    const char *path;
    double agreement;         /* at least */
    const char *segments[16]; /* "Name LABEL LABEL ..."; ends with NULL */
} segment_row;

static const segment_row segment_rows[] = {
    {"c3d_producers/vicon_nexus_CGM24_walk.c3d",
     0.95,
     {"Pelvis LASI RASI LPSI RPSI", "LThigh LTHI LTHAP LTHAD LKNE", "LShank LTIB LTIAP LTIAD LANK",
      "LFoot LHEE LTOE LFMH LVMH", "RThigh RTHI RTHAP RTHAD RKNE", "RShank RTIB RTIAP RTIAD RANK",
      "RFoot RHEE RTOE RFMH RVMH"}},
    {"c3d_body/labelled_prone_to_run.c3d",
     0.95,
     {"Head FHD RHD BHD LHD", "Back LBUL LBLL LBUR LBLR", "RArm RUAPA RUAPP RUADP RUADA",
      "LArm LUAPA LUAPP LUADP LUADA", "RFore RFAPA RFAPP RFADP RFADA RRAD RULN",
      "LFore LFAPA LFAPP LFADP LFADA LRAD LULN", "Pelvis PVUL PVLL PVLR PVUR",
      "RThigh RTHPA RTHPP RTHDP RTHDA", "LThigh LTHPA LTHPP LTHDP LTHDA",
      "RShank RSHPA RSHPP RSHDP RSHDA RANL", "LShank LSHPA LSHPP LSHDP LSHDA LANL",
      "RFoot RHEE RFTB RFTM RFTF", "LFoot LHEE LFTB LFTM LFTF"}},
    {"c3d_variants/Eb015pi.c3d",
     0.85,
     {"RFoot RFT1 RFT2 RFT3", "LFoot LFT1 LFT2 LFT3", "RShank RSK1 RSK2 RSK3 RSK4",
      "LShank LSK1 LSK2 LSK3 LSK4", "RThigh RTH1 RTH2 RTH3 RTH4", "LThigh LTH1 LTH2 LTH3 LTH4",
      "Pelvis PV1 PV2 PV3 pv4"}},
    {"trc/subject01_walk1.trc",
     0.85,
     {"Pelvis R.ASIS L.ASIS V.Sacral", "RThigh R.Thigh.Upper R.Thigh.Front R.Thigh.Rear",
      "LThigh L.Thigh.Upper L.Thigh.Front L.Thigh.Rear",
      "RShank R.Shank.Upper R.Shank.Front R.Shank.Rear",
      "LShank L.Shank.Upper L.Shank.Front L.Shank.Rear",
      "RFoot R.Heel R.Midfoot.Sup R.Midfoot.Lat R.Toe.Tip R.Toe.Lat R.Toe.Med",
      "LFoot L.Heel L.Midfoot.Sup L.Midfoot.Lat L.Toe.Tip L.Toe.Lat L.Toe.Med",
      "Chest Sternum R.Acromium L.Acromium", "RArm R.Bicep R.Elbow", "LArm L.Bicep L.Elbow",
      "RFore R.Wrist.Med R.Wrist.Lat", "LFore L.Wrist.Med L.Wrist.Lat",
      "Head R.Temple L.Temple Top.Head"}},
    {"trc/opencap_DJ5_unfiltered.trc",
     0.75,
     {"Pelvis L.ASIS r.ASIS L.PSIS r.PSIS", "Chest C7 L_Shoulder R_Shoulder L_Sternum R_Sternum",
      "LFoot L_5meta L_calc L_toe", "RFoot r_5meta r_calc r_toe",
      "LShank L_sh1 L_sh2 L_sh3 L_shank_antsup L_ankle L_mankle",
      "RShank r_sh1 r_sh2 r_sh3 r_sh4 r_shank_antsup r_ankle r_mankle",
      "LThigh L_knee L_mknee L_thigh1 L_thigh2 L_thigh3 L_thigh4",
      "RThigh r_knee r_mknee r_thigh1 r_thigh2 r_thigh3 r_thigh4 r_thigh5",
      "LArm L_elbow_lat L_humerus L_elbow_med", "RArm R_elbow_lat R_humerus R_elbow_med",
      "LFore L_forearm L_wrist_radius L_wrist_ulna",
      "RFore R_forearm R_wrist_radius R_wrist_ulna"}},
    {"c3d_producers/qualisys_walk_events.c3d",
     0.75,
     {"Pelvis L_IAS L_IPS R_IPS R_IAS", "Chest SNJ SXS TV8 CV7 R_SCAP L_SAJ R_SAJ",
      "Head L_HDF L_HDB R_HDB R_HDF", "LThigh L_FTC L_WAND1 L_FLE L_FME",
      "RThigh R_FTC R_WAND1 R_FLE R_FME", "LShank L_FAX L_TTC L_WAND2 L_FAL L_TAM",
      "RShank R_FAX R_TTC R_WAND2 R_FAL R_TAM", "LFoot L_FCC L_FM5 L_FM1 L_FM2",
      "RFoot R_FCC R_FM5 R_FM1 R_FM2", "LHand L_HM5 L_HM2", "RHand R_HM5 R_HM2",
      "LFore L_UHE L_RSP L_WAND4", "RFore R_UHE R_RSP R_WAND4", "LArm L_HLE L_HME L_WAND3",
      "RArm R_HLE R_HME R_WAND3"}},
    {"c3d_producers/codamotion_1997.c3d",
     0.65,
     {"Pelvis L.Sac.Wand L.PSIS L.ASIS R.Sac.Wand R.PSIS R.ASIS", "LThigh L.Post.Fem. L.Ant.Fem.",
      "RThigh R.Post.Fem. R.Ant.Fem.", "LShank L.Post.Tib. L.Ant.Tib. L.Knee L.Ankle",
      "RShank R.Post.Tib. R.Ant.Tib. R.Knee R.Ankle", "LFoot L.Heel L.Toe", "RFoot R.Heel R.Toe"}},
    {"c3d_functional/biobuddy_right_hip.c3d",
     0.6,
     {"Head HV OCC LTEMP RTEMP SEL", "Chest C7 SUP STR T10", "LArm LA LLHE LMHE LARM1 LARM2 LARM3",
      "LFore LUS LRS LFARM1 LFARM2 LFARM3", "LHand LHMH5 LHMH2 LFT3",
      "RArm RA RLHE RMHE RAMR1 RARM2 RARM3", "RFore RUS RRS RFARM1 RFARM2 RFARM3",
      "RHand RHMH5 RHMH2 RFT3", "Pelvis LPSIS RPSIS LASIS RASIS",
      "LThigh LGT LLFE LMFE LTHI1 LTHI2 LTHI3", "LShank LLM LSPH LATT LLEG1 LLEG2 LLEG3",
      "LFoot LCAL LMFH5 LMFH1 LTT2", "RThigh RGT RLFE RMFE RTHI1 RTHI2 RTHI3",
      "RShank RLM RSPH RATT RLEG1 RLEG2 RLEG3", "RFoot RCAL RMFH5 RMFH1 RTT2"}},
};

/* Is the label a word of the line, other than the first? */
static bool has_word(const char *line, const char *label)
{
    size_t length = strlen(label);
    for (const char *at = strchr(line, ' '); at; at = strchr(at + 1, ' '))
        if (strncmp(at + 1, label, length) == 0 && (at[1 + length] == ' ' || at[1 + length] == 0))
            return true;
    return false;
}

/* -1: the table does not have it. */
static int segment_of(const segment_row *row, const char *label)
{
    for (int n = 0; n < 16 && row->segments[n]; n++)
        if (has_word(row->segments[n], label)) return n;
    return -1;
}

static double agreement(const segment_row *row, const snw_trial *trial,
                        const snw_segments *segments)
{
    int both = 0, by_motion = 0, by_label = 0;
    for (int a = 0; a < trial->marker_count; a++)
        for (int b = 0; b < a; b++) {
            int segment_a = segment_of(row, trial->marker[a].name);
            int segment_b = segment_of(row, trial->marker[b].name);
            if (segment_a < 0 || segment_b < 0) continue;
            bool is_segment =
                segments->segment_of[a] >= 0 && segments->segment_of[a] == segments->segment_of[b];
            both += is_segment && segment_a == segment_b;
            by_motion += is_segment;
            by_label += segment_a == segment_b;
        }
    return 2.0 * both / (by_motion + by_label);
}

static void motion_agrees_with_the_labels_of_real_captures(void **state)
{
    (void)state;
    const char *corpus = getenv("SINEW_CORPUS");
    if (!corpus) {
        print_message("skipped: SINEW_CORPUS is not set\n");
        skip();
    }
    for (size_t n = 0; n < sizeof segment_rows / sizeof *segment_rows; n++) {
        const segment_row *row = segment_rows + n;
        char path[1024];
        snw_trial *trial = NULL;
        snw_segments *segments = NULL;
        snw_error error;
        snw_segment_options options = snw_segment_options_default();
        options.method = SNW_SEGMENTS_BY_RIGIDITY;
        snw_format(path, sizeof path, "%s/%s", corpus, row->path);
        if (snw_read_trial_file(path, NULL, NULL, &trial, NULL, &error) != SNW_OK ||
            snw_segments_find(trial, &options, NULL, &segments, NULL, &error) != SNW_OK)
            fail_msg("%s: %s", row->path, error.message);
        double found = agreement(row, trial, segments);
        print_message("%s: %d segments, agreement %.2f\n", row->path, segments->segment_count,
                      found);
        if (!(found >= row->agreement)) fail_msg("below %.2f", row->agreement);
        snw_segments_destroy(segments);
        snw_trial_destroy(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_agrees_with_the_labels_of_real_captures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
