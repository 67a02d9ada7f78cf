/* What labels say: the sets that laboratories use, and properties of the whole table. */
#include "check.h"

#include <time.h>

#include "segment/segment_methods.h"

/* ---- sets ------------------------------------------------------------------------------------ */

typedef struct set_case {
    const char *segment; /* "" for computed points, "-" for labels that name nothing */
    const char *labels;  /* separated by blanks; '~' stands for a blank in a label */
} set_case;

static void check_label(const char *label, const char *segment)
{
    snw_label at = snw_label_read(label);
    const char *found = at.kind == SNW_LABEL_LANDMARK  ? snw_part_name(at.part, at.side)
                        : at.kind == SNW_LABEL_DERIVED ? ""
                                                       : "-";
    if (strcmp(found, segment) != 0) fail_msg("%s is on \"%s\", not \"%s\"", label, found, segment);
}

static void check_set(const set_case *rows, size_t count)
{
    for (size_t n = 0; n < count; n++)
        for (const char *at = rows[n].labels; *at;) {
            char label[SNW_LABEL_SIZE] = {0};
            size_t length = strcspn(at, " ");
            memcpy(label, at, length);
            for (char *c = label; *c; c++)
                if (*c == '~') *c = ' ';
            check_label(label, rows[n].segment);
            at += length;
            at += *at == ' ';
        }
}

#define CHECK_SET(rows) check_set(rows, sizeof(rows) / sizeof *(rows))

static void plug_in_gait_and_its_relatives(void **state)
{
    (void)state;
    static const set_case rows[] = {
        {"Head", "LFHD RFHD LBHD RBHD lfhd Joe:LFHD Subject01_RBHD ARIEL"},
        {"Chest", "C7 T10 CLAV STRN RBAK RBAC"},
        {"LeftShoulder", "LSHO"},
        {"RightShoulder", "RSHO"},
        {"LeftArm", "LUPA LELB LIEL Nick01:LELB"},
        {"RightForeArm", "RFRM RFRA RWRA RWRB ROWR RIWR RWRE"},
        {"LeftHand", "LFIN LIHAND LOHAND"},
        {"Hips", "LASI RASI LPSI RPSI SACR LFWT RBWT LMWT"},
        {"LeftUpLeg", "LTHI LKNE LTHAP LTHAD LKNM LMKNE LHIP LKNI"},
        {"RightLeg", "RTIB RANK RTIAP RTIAD RMED RSHN"},
        {"LeftFoot", "LHEE LTOE LMT5 LMT1 LFMH LSMH LVMH LHEL LP1M LD5M LHLX"},
        {"", "LHJC RKJC LHipAngles RAnkleMoment_CGM_2.4 CentreOfMass CentreOfMassFloor LHipPower"},
        {"", "LGroundReactionForce LNormalisedGRF RFootProgressAngles LAbsAnkleAngle LHJC_CGM_2.4"},
        {"-", "*12 Unlabeled~3 1034 M001 Point~7 Marker_4 P12 TOOL1 Sync:Sync U_12"},
    };
    CHECK_SET(rows);
}

static void helen_hayes_as_cortex_and_opensim_spell_it(void **state)
{
    (void)state;
    static const set_case rows[] = {
        {"Head", "Top.Head Front.Head Rear.Head R.Temple"},
        {"Chest", "Sternum R.Offset"},
        {"LeftShoulder", "L.Acromium"},
        {"RightShoulder", "R.Shoulder"},
        {"LeftArm", "L.Bicep L.Elbow L.Elbow.Medial"},
        {"RightForeArm", "R.Wrist R.Wrist.Med R.Wrist.Lat R.Forearm"},
        {"Hips", "R.ASIS L.ASIS L.PSIS V.Sacral"},
        {"RightUpLeg", "R.Thigh R.Thigh.Upper R.Thigh.Front R.Thigh.Rear R.Knee R.Knee.Medial"},
        {"LeftLeg", "L.Shank L.Shank.Upper L.Shank.Rear L.Ankle L.Ankle.Medial"},
        {"RightFoot", "R.Heel R.Toe R.Toe.Tip R.Toe.Lat R.Midfoot.Sup R.Midfoot.Lat R.Foot.Medial"},
        /* BTS, which writes blanks for these dots */
        {"LeftShoulder", "l.should"},
        {"RightUpLeg", "r.thigh r.bar.1 r.knee.1"},
        {"LeftLeg", "l.bar.2 l.mall"},
        {"", "MIDASIS"},
        {"", "V_Mid_ASIS V_R.Hip_JC V_L.Knee_JC_Static V_R.Hand V_L.Toe_Offset V_Mid_Shoulder"},
    };
    CHECK_SET(rows);
}

static void names_after_van_sint_jan_and_rizzoli(void **state)
{
    (void)state;
    static const set_case rows[] = {
        {"Head", "L_HDF R_HDB LAH RPH"},
        {"Chest", "CV7 TV2 TV8 SJN SXS IJ PX"},
        {"LeftShoulder", "L_SAJ LCAJ LAC"},
        {"LeftArm", "L_HLE L_HME LHLE LHME LUA LUA1"},
        {"RightForeArm", "R_RSP R_USP R_UHE RRSP RUSP RRAD RULN"},
        {"LeftHand", "L_HM2 L_HM5 LHM2 L_HL5"},
        {"Hips", "L_IAS R_IPS LIAS RIPS"},
        {"LeftUpLeg", "L_FTC L_FLE L_FME LFTC LFLE LFME LGT LLE LME L_TH1 L_TH4"},
        {"RightLeg", "R_TTC R_FAX R_FAL R_TAM RTTC RFAL RTAM RHF RTT RLM RMM R_SK1 R-SK2"},
        {"LeftFoot", "L_FCC L_FM1 L_FM2 L_FM5 LFCC LFM1 LFM5 LCA LFM LSM LVM"},
    };
    CHECK_SET(rows);
}

static void isb_names_and_clusters(void **state)
{
    (void)state;
    static const set_case rows[] = {
        {"Hips", "ASIS_r PSIS_l LASIS RPSIS PV1 pv4 PVUL"},
        {"LeftUpLeg", "LTH1 LTHI3 LLFE LMFE LFE_l MFE_l LTHPA LTHDP l_thigh2 Thigh_L_1 LGTRO LLEK"},
        {"RightLeg", "RSK1 RLEG2 RTB3 RATT RSHPA RLM LM_r MM_r RSPH RLMAL RMMAL RANL"},
        {"LeftFoot", "LFT1 LCAL LMFH1 LMFH5 LMT1 LMT2 LTT2 LFTB LFTM LFTF L1ST L5TH"},
        {"RightArm", "RARM1 RLHE RMHE RUAPA RUADP ArmR2 RLEE RMEE"},
        {"LeftForeArm", "LFARM2 LRS LUS LFAPA ForearmL3 RadialStyloidL"},
        {"RightHand", "RHMH2 RHMH5 GloveR1 RHAND"},
        {"Head", "HV OCC LTEMP RTEMP SEL FHD BHD RHD Head2 TempleL EarL Forehead"},
        {"Chest", "SUP STR Sternum"},
        {"RightShoulder", "RA RAC"},
        {"LeftShoulder", "LA AcromionL ScapulaL1 ScapularSpineL L_SCAP"},
        {"LeftArm", "LateralEpicondyleL MedialEpicondyleL"},
    };
    CHECK_SET(rows);
}

static void animation_sets(void **state)
{
    (void)state;
    static const set_case rows[] = {
        {"Head", "HeadL HeadTop HeadR HeadFront HeadSide x_HeadTop Steve_HeadL"},
        {"Chest", "Chest SpineTop BackL BackR BackTop Skeleton_Chest1"},
        {"LeftShoulder", "LShoulderTop LShoulderBack"},
        {"LeftArm", "LArm LElbowOut LElbowIn LUArmHigh Skeleton_LUArm2"},
        {"RightForeArm", "RWristOut RWristIn RForearm"},
        {"LeftHand", "LHandOut LHandIn"},
        {"LeftHandThumb", "LThumb1 LThumbTip"},
        {"RightHandIndex", "RIndexTip x_RIndex2 RIndex3"},
        {"LeftHandMiddle", "x_LMiddle2 LMiddleTip"},
        {"LeftHandPinky", "x_LPinky2"},
        {"LeftHandRing", "LRingTip"},
        {"Hips", "WaistLFront WaistRBack Skeleton_Hip3 Hips"},
        {"RightUpLeg", "RThigh RKneeOut RKneeIn"},
        {"LeftLeg", "LShin LAnkleOut LAnkleIn"},
        {"RightFoot", "RHeelBack RForefootOut RForefootIn RToeTip RToeIn RForefoot5"},
    };
    CHECK_SET(rows);
}

static void opencap_xsens_codamotion_and_art(void **state)
{
    (void)state;
    static const set_case rows[] = {
        {"Hips", "r.ASIS_study L.PSIS_study pHipOrigin pRightASI pLeftCSI pSacrum pLeftIschialTub"},
        {"RightUpLeg", "r_knee_study r_mknee_study r_thigh1 pRightKneeLatEpicondyle"},
        {"RightUpLeg", "pRightGreaterTrochanter R.Post.Fem. R.Knee Human3:RLLE"},
        {"LeftLeg", "L_ankle_study L_mankle_study L_sh3 L_shank_antsup pLeftMedMalleolus"},
        {"LeftLeg", "pLeftTibialTub L.Ant.Tib. Human3:LFOO"},
        {"RightFoot", "r_calc_study r_5meta_study r_toe_study pRightFirstMetatarsal pRightToe"},
        {"RightFoot", "pRightHeelFoot pRightPivotFoot"},
        {"Chest", "C7_study L_Sternum pIJ pPX pT8SpinalProcess"},
        {"RightShoulder", "r_shoulder_study pRightAcromion"},
        {"LeftArm", "L_lelbow_study L_melbow_study L_elbow_lat L_humerus pLeftArmMedEpicondyle"},
        {"RightForeArm", "r_lwrist_study r_mwrist_study R_wrist_radius pRightOlecranon"},
        {"LeftHand", "pLeftTopOfHand pLeftBallHand"},
        {"Head", "pTopOfHead pBackOfHead pRightAuricularis"},
        {"", "RHJC_study L_HJC L_HJC_reg"},
        {"-", "pL5SpinalProcess pT12SpinalProcess pRightMiddleKneeCap"},
    };
    CHECK_SET(rows);
}

/* Human Body Model, video and depth cameras, and labels as people write them. */
static void more_ways_to_write_a_label(void **state)
{
    (void)state;
    static const set_case rows[] = {
        {"Hips", "RxAsis ASIS_dx asis~sx Psis PSI"},
        {"Head", "RxCheec LCheek"},
        {"LeftUpLeg", "LxLatCon L_Med_Condyle LLatCond"},
        {"RightLeg", "RxLatMal LatMal_dx"},
        {"LeftLeg", "LATI L_LMal tibia_l_1 Left~Lat~Malleolus"},
        {"RightForeArm", "RLW RMW WristRight R_Ulna_Styloid radius_r_2"},
        {"Chest", "XYPH BBAC Sternal_Notch Manubrium torso_1"},
        {"Hips", "MidHip CHip SpineBase LCRE LIliacCrest pelvis_3"},
        {"LeftUpLeg", "KneeLeft L_LKnee L_MKnee KNEEL LGreaterTroch femur_l_2 Left~Knee~Lateral"},
        {"RightFoot", "RBigToe RSmallToe R1MT R5MT FootRight R_Heel_Sup calcaneus_r"},
        {"Head", "THEAD Head Nose RBackHead"},
        {"Chest", "Neck SpineMid"}, /* alone; in a trial of markers the motion tells */
        {"-", "HEEL CAR Ball Racket1 Table Wand1 WheelL Bar1 FP1 Origin KNEE LEG"},
        {"-", "L_Patella_Condyle R_Kneecap_Epi Lumbar_Epicondyle L_Cond_Patella_Knee"},
    };
    CHECK_SET(rows);
}

static void joints_have_sides(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        snw_part joint;
        snw_spot spot;
    } rows[] = {
        {"LKNE", SNW_PART_LEG, SNW_SPOT_LATERAL},
        {"R.Knee.Medial", SNW_PART_LEG, SNW_SPOT_MEDIAL},
        {"LKneeIn", SNW_PART_LEG, SNW_SPOT_MEDIAL},
        {"L_FME", SNW_PART_LEG, SNW_SPOT_MEDIAL},
        {"rank", SNW_PART_FOOT, SNW_SPOT_LATERAL},
        {"L_TAM", SNW_PART_FOOT, SNW_SPOT_MEDIAL},
        {"pRightArmMedEpicondyle", SNW_PART_FOREARM, SNW_SPOT_MEDIAL},
        {"L.Wrist.Lat", SNW_PART_HAND, SNW_SPOT_LATERAL},
        {"RSHO", SNW_PART_ARM, SNW_SPOT_NEAR},
        {"Human3:LLLE", SNW_PART_LEG, SNW_SPOT_CENTER},
        {"LTHI", SNW_PART_NONE, SNW_SPOT_BODY},
        {"C7", SNW_PART_NONE, SNW_SPOT_BODY},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_label at = snw_label_read(rows[n].label);
        if (at.joint != rows[n].joint || at.spot != rows[n].spot)
            fail_msg("%s: joint %d, spot %d", rows[n].label, (int)at.joint, (int)at.spot);
    }
}

/* ---- the whole table ------------------------------------------------------------------------- */

/* Calls `check` for every spelling of every row that may be a label's whole stem. */
static void for_each_stem(void (*check)(const snw__landmark_row *row, int index, const char *stem))
{
    for (int n = 0; n < SNW__LANDMARK_COUNT; n++) {
        const snw__landmark_row *row = snw__landmark_at(n);
        const char *at = row->spellings;
        for (snw__spelling one; snw__spelling_next(&at, &one);) {
            char stem[SNW_LABEL_SIZE] = {0};
            assert_true(one.length > 0 && one.length < sizeof stem);
            memcpy(stem, one.text, one.length);
            if (one.is_alone) check(row, n, stem);
        }
    }
}

/* A word in two rows is one that a side changes: "HIP", "FHD". */
static void check_one_row(const snw__landmark_row *row, int index, const char *stem)
{
    snw__landmark with = snw__landmark_find(stem, strlen(stem), true, true);
    snw__landmark without = snw__landmark_find(stem, strlen(stem), false, true);
    if (row->needs_side && with != index) fail_msg("%s is in rows %d and %d", stem, with, index);
    if (!row->needs_side && without != index)
        fail_msg("%s is in rows %d and %d", stem, without, index);
    if (!row->needs_side && with != index && !snw__landmark_at(with)->needs_side)
        fail_msg("%s is in rows %d and %d", stem, with, index);
    bool is_paired = snw_part_is_paired(row->part) || snw_part_is_paired(row->joint);
    if (is_paired) assert_true(row->needs_side);
}

static void a_spelling_names_one_landmark(void **state)
{
    (void)state;
    for_each_stem(check_one_row);
}

static void check_mirror(const snw__landmark_row *row, int index, const char *stem)
{
    static const char *const forms[] = {"%s%s", "Joe:%s%s", "%s_%s", "%s.%s", "Subject01_%s_%s"};
    (void)index;
    for (size_t n = 0; n < sizeof forms / sizeof *forms; n++) {
        char label[2][SNW_LABEL_SIZE];
        snw_label at[2];
        for (int side = 0; side < 2; side++) {
            snw_format(label[side], sizeof label[side], forms[n], side ? "R" : "L", stem);
            at[side] = snw_label_read(label[side]);
            if (at[side].kind != SNW_LABEL_LANDMARK) fail_msg("%s is not known", label[side]);
        }
        if (at[0].part != at[1].part || at[0].joint != at[1].joint || at[0].spot != at[1].spot)
            fail_msg("%s and %s are not mirror images", label[0], label[1]);
        if (!row->needs_side) continue;
        if (at[0].part != row->part || at[0].side != SNW_SIDE_LEFT || at[1].side != SNW_SIDE_RIGHT)
            fail_msg("%s is on %s", label[0], snw_part_name(at[0].part, at[0].side));
    }
}

static void mirrored_labels_are_on_mirrored_segments(void **state)
{
    (void)state;
    for_each_stem(check_mirror);
}

static void parts_have_names_and_parents(void **state)
{
    (void)state;
    for (int part = 1; part < SNW_PART_COUNT; part++)
        for (int side = 0; side < 3; side++) {
            snw_side back;
            const char *name = snw_part_name((snw_part)part, (snw_side)side);
            bool is_one = snw_part_is_paired((snw_part)part) == (side != SNW_SIDE_NONE);
            bool has_name = part < SNW_PART_NECK; /* what only rigs have is not told by this */
            if (!has_name) assert_string_equal(name, "");
            if (is_one && has_name) assert_int_equal(snw_part_read(name, &back), part);
            if (is_one && has_name) assert_int_equal(back, side);
            assert_true(snw_part_parent((snw_part)part) < (snw_part)part);
        }
}

/* An answer, the same twice, and never a segment without its side. */
static void check_any_label(const char *label)
{
    snw_label one = snw_label_read(label), two = snw_label_read(label);
    assert_true(one.kind == two.kind && one.part == two.part && one.side == two.side);
    if (one.kind != SNW_LABEL_LANDMARK) return;
    assert_true(one.part > SNW_PART_NONE && one.part < SNW_PART_COUNT);
    assert_true(one.side != SNW_SIDE_NONE || !snw_part_is_paired(one.part));
    assert_true(one.prefix >= 0 && (size_t)one.prefix < strlen(label));
}

static void random_labels_do_no_harm(void **state)
{
    (void)state;
    static const char bits[] = "LRlr_.-: *0123456789ASIKNETOVHp\x80\xff";
    snw_random random = snw_random_seed(11, 0);
    for (int n = 0; n < 20000; n++) {
        char label[2 * SNW_LABEL_SIZE];
        size_t length = snw_random_below(&random, n % 100 ? 12 : sizeof label);
        for (size_t k = 0; k < length; k++)
            label[k] = bits[snw_random_below(&random, sizeof bits - 1)];
        label[length] = 0;
        check_any_label(label);
    }
}

/* One word of each kind that the grammar knows, three at a time in any order. */
static void any_words_together_do_no_harm(void **state)
{
    (void)state;
    static const char *const words[] = {"L",    "Upper",   "Med",   "Lat",   "Epicondyle",
                                        "Back", "Head",    "Thigh", "Knee",  "Shoulder",
                                        "HJC",  "Patella", "Spine", "Thumb", "7"};
    enum {
        WORDS = sizeof words / sizeof *words
    };
    for (int n = 0; n < WORDS * WORDS * WORDS; n++) {
        char label[SNW_LABEL_SIZE];
        snw_format(label, sizeof label, "%s_%s_%s", words[n % WORDS], words[n / WORDS % WORDS],
                   words[n / (WORDS * WORDS)]);
        check_any_label(label);
    }
}

/* ---- a trial's labels together --------------------------------------------------------------- */

#define TOGETHER_MAX 8

typedef struct together_row {
    const char *labels[TOGETHER_MAX];       /* ends with NULL */
    const char *descriptions[TOGETHER_MAX]; /* NULL: none */
    const char *segments[TOGETHER_MAX];     /* as in set_case */
} together_row;

static const together_row together_rows[] = {
    /* The axes of bones come in fours; a foot's joint alone is a marker. */
    {{"LFEO", "LFEA", "LFEL", "LFEP", "LFOO", "RASI"}, {0}, {"", "", "", "", "LeftLeg", "Hips"}},
    /* Four characters of a label are not enough, its description is. */
    {{"RKNE", "RKNE", "R.TO", "VRHI", "VMID", "LTHI"},
     {"R.Knee", "R.Knee.Medial", "R.Toe", "V_R.Hip_JC", "V_Mid_ASIS", "nonsense"},
     {"RightUpLeg", "RightUpLeg", "RightFoot", "", "", "LeftUpLeg"}},
    /* All labels begin with a letter that says nothing; a left leg's do too, but it says left. */
    {{"LRFHD", "LLKNE", "LCLAV", "LL_FCC"}, {0}, {"Head", "LeftUpLeg", "Chest", "LeftFoot"}},
    {{"LTHI", "LKNE", "LTIB", "LANK"}, {0}, {"LeftUpLeg", "LeftUpLeg", "LeftLeg", "LeftLeg"}},
    /* A hip is the pelvis where nothing else is, else it is on the thigh. */
    {{"RHIP", "LHIP", "VSAC", "RTHI"}, {0}, {"Hips", "Hips", "Hips", "RightUpLeg"}},
    {{"RHIP", "RASI", "LASI", "SACR"}, {0}, {"RightUpLeg", "Hips", "Hips", "Hips"}},
    /* A finger has two markers at least, and its root is on the hand. */
    {{"LTHUMB1", "LIndex1", "LIndexTip", "Left Index Finger Inner", "LHAND"},
     {0},
     {"LeftHand", "LeftHandIndex", "LeftHandIndex", "LeftHand", "LeftHand"}},
    /* Two markers of a shoulder blade do not make it a segment. */
    {{"L_SCAP", "SCAP_L2", "C7"}, {0}, {"Chest", "Chest", "Chest"}},
    {{"ScapulaL1", "ScapulaL2", "ScapulaL3"},
     {0},
     {"LeftShoulder", "LeftShoulder", "LeftShoulder"}},
};

static void labels_explain_each_other(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof together_rows / sizeof *together_rows; n++) {
        const together_row *row = together_rows + n;
        char text[2 * TOGETHER_MAX][SNW_LABEL_SIZE] = {{0}};
        snw_marker marker[TOGETHER_MAX];
        snw_label at[TOGETHER_MAX];
        snw_trial trial;
        memset(&trial, 0, sizeof trial);
        trial.marker = marker;
        for (int m = 0; row->labels[m]; m++) {
            marker[m].name = strcpy(text[2 * m], row->labels[m]);
            const char *description = row->descriptions[m];
            marker[m].description = strcpy(text[2 * m + 1], description ? description : "");
            trial.marker_count++;
        }
        snw_error error;
        snw_allocator allocator = snw_allocator_default();
        assert_int_equal(snw__labels_of_trial(&trial, &allocator, at, &error), SNW_OK);
        for (int m = 0; m < trial.marker_count; m++) {
            const char *found =
                at[m].kind == SNW_LABEL_LANDMARK ? snw_part_name(at[m].part, at[m].side) : "";
            if (strcmp(found, row->segments[m]) != 0)
                fail_msg("row %zu: %s is on \"%s\"", n, row->labels[m], found);
        }
    }
}

/* The worst that labels can be: every one looks like an axis of a bone whose other axes are
 * missing, or is of a finger, and has a description. Compared with themselves the times of 2^12 and
 * 2^15 labels are 1 to 8 where each is looked up, 1 to 64 where all are compared: half way, and the
 * best of three against interruptions. */
static double seconds_to_read(int count)
{
    double best = 1e9;
    snw_trial trial;
    memset(&trial, 0, sizeof trial);
    trial.marker_count = count;
    trial.marker = malloc((size_t)count * sizeof *trial.marker);
    char(*text)[SNW_LABEL_SIZE] = malloc((size_t)count * sizeof *text), told[] = "R.Knee";
    assert_non_null(trial.marker);
    assert_non_null(text);
    for (int m = 0; m < count; m++) {
        snprintf(text[m], sizeof text[m], m % 2 ? "LIndex%d" : "A%05dO", m);
        trial.marker[m].name = text[m];
        trial.marker[m].description = told;
    }
    for (int n = 0; n < 3; n++) {
        snw_labels *labels = NULL;
        clock_t begin = clock();
        assert_int_equal(snw_labels_read(&trial, NULL, &labels, NULL), SNW_OK);
        best = fmin(best, (double)(clock() - begin) / CLOCKS_PER_SEC);
        snw_labels_destroy(labels);
    }
    free(text);
    free(trial.marker);
    return best;
}

static void time_to_read_labels_grows_with_their_number(void **state)
{
    (void)state;
    double few = seconds_to_read(1 << 12), many = seconds_to_read(1 << 15);
    if (!(many < 24 * few + 0.02)) fail_msg("%g s for 4096, %g s for 32768 labels", few, many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plug_in_gait_and_its_relatives),
        cmocka_unit_test(helen_hayes_as_cortex_and_opensim_spell_it),
        cmocka_unit_test(names_after_van_sint_jan_and_rizzoli),
        cmocka_unit_test(isb_names_and_clusters),
        cmocka_unit_test(animation_sets),
        cmocka_unit_test(opencap_xsens_codamotion_and_art),
        cmocka_unit_test(more_ways_to_write_a_label),
        cmocka_unit_test(joints_have_sides),
        cmocka_unit_test(a_spelling_names_one_landmark),
        cmocka_unit_test(mirrored_labels_are_on_mirrored_segments),
        cmocka_unit_test(parts_have_names_and_parents),
        cmocka_unit_test(random_labels_do_no_harm),
        cmocka_unit_test(any_words_together_do_no_harm),
        cmocka_unit_test(labels_explain_each_other),
        cmocka_unit_test(time_to_read_labels_grows_with_their_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
