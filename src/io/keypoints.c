/* Keypoints of one picture (or of all of a camera), as pose estimators write them, in JSON. Points
 * stand under the names
 *
 *   pose_keypoints_2d       OpenPose, and what Pose2Sim makes of others:
 *                           {"version": 1.3, "people": [{"pose_keypoints_2d": [...], ...}]}; with
 *                           hand_left_keypoints_2d, hand_right_keypoints_2d, face_keypoints_2d
 *   keypoints               COCO, AlphaPose, MMPose: [{"image_id": "..", "keypoints": [...]}]
 *   pose_landmarks          MediaPipe (also poseLandmarks, landmarks), with left_hand_landmarks and
 *                           right_hand_landmarks (leftHandLandmarks, ...)
 *
 * as x, y, confidence, x, y, confidence, ..., as lists [x, y] or [x, y, confidence], or as objects
 * with x, y and visibility, score or confidence; a list of lists of objects is several people.
 * MediaPipe, which has a z too, counts in shares of the picture. An object with points is one
 * detection; everything else is passed over. Values nest at most 32 deep. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/text_reader.h"

enum {
    JSON_DEPTH_MAX = 32,
    KEYPOINTS_MAX = 1024, /* points of a part of a detection */
    HAND_POINTS = 21
};

/* ---- sets of points ----------------------------------------------------------------------- */

/* In the order of the arrays. Names as Pose2Sim and OpenCap write them, which `label` knows. */
#define BODY_25                                                                                 \
    "Nose", "Neck", "RShoulder", "RElbow", "RWrist", "LShoulder", "LElbow", "LWrist", "MidHip", \
        "RHip", "RKnee", "RAnkle", "LHip", "LKnee", "LAnkle", "REye", "LEye", "REar", "LEar",   \
        "LBigToe", "LSmallToe", "LHeel", "RBigToe", "RSmallToe", "RHeel"
static const char *const body_25[] = {BODY_25};
static const char *const body_25b[] = {"Nose",      "LEye",      "REye",    "LEar",      "REar",
                                       "LShoulder", "RShoulder", "LElbow",  "RElbow",    "LWrist",
                                       "RWrist",    "LHip",      "RHip",    "LKnee",     "RKnee",
                                       "LAnkle",    "RAnkle",    "Neck",    "Head",      "LBigToe",
                                       "LSmallToe", "LHeel",     "RBigToe", "RSmallToe", "RHeel"};
#define COCO_17                                                                           \
    "Nose", "LEye", "REye", "LEar", "REar", "LShoulder", "RShoulder", "LElbow", "RElbow", \
        "LWrist", "RWrist", "LHip", "RHip", "LKnee", "RKnee", "LAnkle", "RAnkle"
static const char *const coco_17[] = {COCO_17};
static const char *const coco_18[] = {
    "Nose",  "Neck",   "RShoulder", "RElbow", "RWrist", "LShoulder", "LElbow", "LWrist", "RHip",
    "RKnee", "RAnkle", "LHip",      "LKnee",  "LAnkle", "REye",      "LEye",   "REar",   "LEar"};
#define HALPE_26                                                                                  \
    "Nose", "LEye", "REye", "LEar", "REar", "LShoulder", "RShoulder", "LElbow", "RElbow",         \
        "LWrist", "RWrist", "LHip", "RHip", "LKnee", "RKnee", "LAnkle", "RAnkle", "Head", "Neck", \
        "MidHip", "LBigToe", "RBigToe", "LSmallToe", "RSmallToe", "LHeel", "RHeel"
static const char *const halpe_26[] = {HALPE_26};
#define BLAZEPOSE_33                                                                            \
    "Nose", "LEyeInner", "LEye", "LEyeOuter", "REyeInner", "REye", "REyeOuter", "LEar", "REar", \
        "LMouth", "RMouth", "LShoulder", "RShoulder", "LElbow", "RElbow", "LWrist", "RWrist",   \
        "LPinky", "RPinky", "LIndex", "RIndex", "LThumb", "RThumb", "LHip", "RHip", "LKnee",    \
        "RKnee", "LAnkle", "RAnkle", "LHeel", "RHeel", "LBigToe", "RBigToe"
static const char *const blazepose_33[] = {BLAZEPOSE_33};

/* The root at the wrist, then each finger from the palm to its tip. */
#define HAND(SIDE)                                                                              \
    SIDE "HandRoot", SIDE "Thumb1", SIDE "Thumb2", SIDE "Thumb3", SIDE "Thumb4", SIDE "Index1", \
        SIDE "Index2", SIDE "Index3", SIDE "Index4", SIDE "Middle1", SIDE "Middle2",            \
        SIDE "Middle3", SIDE "Middle4", SIDE "Ring1", SIDE "Ring2", SIDE "Ring3", SIDE "Ring4", \
        SIDE "Little1", SIDE "Little2", SIDE "Little3", SIDE "Little4"
#define FACE_8(a, b, c, d, e, f, g, h) \
    "Face" a, "Face" b, "Face" c, "Face" d, "Face" e, "Face" f, "Face" g, "Face" h
#define FACE_68                                                                               \
    FACE_8("1", "2", "3", "4", "5", "6", "7", "8"),                                           \
        FACE_8("9", "10", "11", "12", "13", "14", "15", "16"),                                \
        FACE_8("17", "18", "19", "20", "21", "22", "23", "24"),                               \
        FACE_8("25", "26", "27", "28", "29", "30", "31", "32"),                               \
        FACE_8("33", "34", "35", "36", "37", "38", "39", "40"),                               \
        FACE_8("41", "42", "43", "44", "45", "46", "47", "48"),                               \
        FACE_8("49", "50", "51", "52", "53", "54", "55", "56"),                               \
        FACE_8("57", "58", "59", "60", "61", "62", "63", "64"), "Face65", "Face66", "Face67", \
        "Face68"
static const char *const body_25_hands[] = {BODY_25, HAND("L"), HAND("R")};
static const char *const body_25_whole[] = {BODY_25, HAND("L"), HAND("R"),
                                            FACE_68, "Face69",  "Face70"};
/* COCO-WholeBody and Halpe put the face before the hands. */
static const char *const coco_133[] = {COCO_17,     "LBigToe", "LSmallToe", "LHeel",   "RBigToe",
                                       "RSmallToe", "RHeel",   FACE_68,     HAND("L"), HAND("R")};
static const char *const halpe_136[] = {HALPE_26, FACE_68, HAND("L"), HAND("R")};
static const char *const blazepose_hands[] = {BLAZEPOSE_33, HAND("L"), HAND("R")};

static const struct {
    const char *name;
    int count;
    const char *const *point;
} sets[] = {{"body_25", 25, body_25},
            {"body_25b", 25, body_25b},
            {"coco_17", 17, coco_17},
            {"coco_18", 18, coco_18},
            {"halpe_26", 26, halpe_26},
            {"blazepose_33", 33, blazepose_33},
            {"body_25_hands", 67, body_25_hands},
            {"body_25_whole", 137, body_25_whole},
            {"coco_133", 133, coco_133},
            {"halpe_136", 136, halpe_136},
            {"blazepose_33_hands", 75, blazepose_hands}};

const char *snw_keypoint_set_name(int set)
{
    return set >= 0 && set < (int)(sizeof sets / sizeof *sets) ? sets[set].name : NULL;
}

int snw_keypoint_set_find(const char *name)
{
    for (int n = 0; snw_keypoint_set_name(n); n++)
        if (strcmp(sets[n].name, name) == 0) return n;
    return -1;
}

int snw_keypoint_set_points(int set, const char *const **points)
{
    if (!snw_keypoint_set_name(set)) return 0;
    *points = sets[set].point;
    return sets[set].count;
}

int snw_keypoint_set_guess(const snw_keypoint *keypoint, int detection_count, int point_count)
{
    int found = -1;
    for (int n = 0; snw_keypoint_set_name(n) && found < 0; n++)
        if (sets[n].count == point_count) found = n;
    if (found != 0) return found;
    /* Two sets have 25 points. In BODY_25 point 8 is the middle between the hips, 9 and 12. */
    int middle = 0, known = 0;
    for (int d = 0; d < detection_count; d++) {
        const snw_keypoint *p = keypoint + (size_t)d * 25;
        if (!(p[8].confidence > 0) || !(p[9].confidence > 0) || !(p[12].confidence > 0)) continue;
        double dx = p[8].x - 0.5 * (p[9].x + p[12].x), dy = p[8].y - 0.5 * (p[9].y + p[12].y);
        double hx = p[9].x - p[12].x, hy = p[9].y - p[12].y;
        middle += dx * dx + dy * dy < 0.25 * (hx * hx + hy * hy);
        known++;
    }
    return 2 * middle > known ? 0 : 1;
}

/* ---- JSON --------------------------------------------------------------------------------- */

typedef enum json_list {
    LIST_BODY,
    LIST_HAND_L,
    LIST_HAND_R,
    LIST_FACE,
    LIST_COUNT
} json_list;

/* What an object says of one person, until it closes. */
typedef struct json_detection {
    int count[LIST_COUNT];
    int64_t image;                                 /* -1: not said */
    snw_keypoint point[LIST_COUNT][KEYPOINTS_MAX]; /* of them those that are said */
} json_detection;

typedef struct json_reader {
    snw__text_input *text;
    const char *at;
    bool is_ours;    /* a name that says "detections are here" was seen, or one itself */
    bool is_share;   /* points have a z, as those of MediaPipe: x and y are shares of the picture */
    int point_count; /* of the first detection; 0: none yet */
    int detection_count, capacity;
    snw_keypoint *keypoint;
    int *image; /* (capacity) */
    snw_allocator memory;
    json_detection open;
} json_reader;

static snw_status fail(json_reader *json, const char *what)
{
    json->text->line = 1;
    for (const char *p = json->text->begin; p < json->at; p++)
        json->text->line += *p == '\n';
    return snw__text_fail(json->text, json->at >= json->text->end ? SNW_TRUNCATED : SNW_FORMAT,
                          "%s", what);
}

static char next(json_reader *json)
{
    while (json->at < json->text->end &&
           (snw__is_blank(*json->at) || *json->at == '\n' || *json->at == '\r'))
        json->at++;
    return json->at < json->text->end ? *json->at : '\0';
}

static snw_status read_string(json_reader *json, snw__span *out)
{
    const char *end = json->text->end;
    out->at = ++json->at;
    while (json->at < end && *json->at != '"')
        json->at += *json->at == '\\' && json->at + 1 < end ? 2 : 1;
    if (json->at >= end) return fail(json, "a string does not end");
    out->end = json->at++;
    return SNW_OK;
}

static snw_status read_number(json_reader *json, double *out)
{
    const char *end = json->at;
    while (end < json->text->end && (*end == '-' || *end == '+' || *end == '.' ||
                                     (*end >= '0' && *end <= '9') || *end == 'e' || *end == 'E'))
        end++;
    if (!snw__span_double((snw__span){json->at, end}, out)) return fail(json, "a number is none");
    json->at = end;
    return SNW_OK;
}

static bool make_room(json_reader *json, int points)
{
    if (json->detection_count < json->capacity) return true;
    int capacity = json->capacity ? 2 * json->capacity : 4;
    size_t size = (size_t)capacity * (size_t)points * sizeof *json->keypoint;
    snw_keypoint *more = snw__allocate(&json->memory, size);
    int *image = snw__allocate(&json->memory, (size_t)capacity * sizeof *image);
    size_t before = (size_t)json->capacity * (size_t)points * sizeof *more;
    if (!more || !image) {
        snw__release(&json->memory, more, size);
        snw__release(&json->memory, image, (size_t)capacity * sizeof *image);
        return false;
    }
    if (before) {
        memcpy(more, json->keypoint, before);
        memcpy(image, json->image, (size_t)json->capacity * sizeof *image);
    }
    snw__release(&json->memory, json->keypoint, before);
    snw__release(&json->memory, json->image, (size_t)json->capacity * sizeof *image);
    json->keypoint = more;
    json->image = image;
    json->capacity = capacity;
    return true;
}

/* The open detection is whole: body, hands (both, or none), face. */
static snw_status end_detection(json_reader *json)
{
    json_detection *open = &json->open;
    int hands = open->count[LIST_HAND_L] || open->count[LIST_HAND_R] ? HAND_POINTS : 0;
    int count[LIST_COUNT] = {open->count[LIST_BODY], hands, hands, open->count[LIST_FACE]};
    int points = count[0] + count[1] + count[2] + count[3];
    if (!count[LIST_BODY]) return SNW_OK;
    for (int part = LIST_HAND_L; part <= LIST_HAND_R; part++)
        if (open->count[part] && open->count[part] != HAND_POINTS)
            return fail(json, "a hand has not 21 points");
    if (json->point_count && json->point_count != points)
        return fail(json, "detections have different numbers of points");
    json->point_count = points;
    if (!make_room(json, points))
        return snw__fail_memory(json->text->reading->error, sizeof *open, "keypoints");
    snw_keypoint *out = json->keypoint + (size_t)json->detection_count * (size_t)points;
    json->image[json->detection_count++] = (int)open->image;
    for (int part = 0; part < LIST_COUNT; part++) {
        if (open->count[part])
            memcpy(out, open->point[part], (size_t)count[part] * sizeof *out);
        else if (count[part])
            memset(out, 0, (size_t)count[part] * sizeof *out);
        out += count[part];
    }
    memset(open->count, 0, sizeof open->count);
    return SNW_OK;
}

static snw_status add_point(json_reader *json, json_list part, double x, double y, double sure)
{
    json_detection *open = &json->open;
    if (open->count[part] == KEYPOINTS_MAX)
        return fail(json, "a detection has more than 1024 points");
    bool is_seen = isfinite(x) && isfinite(y) && sure > 0 && fabs(x) < 1e6 && fabs(y) < 1e6;
    snw_keypoint *out = open->point[part] + open->count[part]++;
    *out = is_seen ? (snw_keypoint){(float)x, (float)y, (float)fmin(sure, 1)}
                   : (snw_keypoint){0, 0, 0};
    return SNW_OK;
}

/* After a value of a list: past the comma, or to the closing bracket. */
static snw_status list_goes_on(json_reader *json)
{
    char after = next(json);
    if (after == ',')
        json->at++;
    else if (after != ']')
        return fail(json, "a list of keypoints does not go on");
    return SNW_OK;
}

/* Numbers up to the bracket, `most` at the most. */
static snw_status read_numbers(json_reader *json, double *value, int most, int *count)
{
    json->at++;
    for (*count = 0; next(json) != ']';) {
        if (*count == most) return fail(json, "a point has more than three numbers");
        snw_status status = read_number(json, value + (*count)++);
        if (status == SNW_OK) status = list_goes_on(json);
        if (status != SNW_OK) return status;
    }
    json->at++;
    return SNW_OK;
}

static snw_status read_value(json_reader *json, int depth);

/* A member's name, and the colon behind it. */
static snw_status read_name(json_reader *json, snw__span *name)
{
    if (next(json) != '"') return fail(json, "a name is missing");
    snw_status status = read_string(json, name);
    if (status != SNW_OK) return status;
    if (next(json) != ':') return fail(json, "a colon is missing");
    json->at++;
    return SNW_OK;
}

/* {"x": .., "y": .., "visibility": ..} */
static snw_status read_point(json_reader *json, json_list part, int depth)
{
    double x = NAN, y = NAN, sure = 1;
    json->at++;
    while (next(json) != '}') {
        snw__span name;
        snw_status status = read_name(json, &name);
        if (status != SNW_OK) return status;
        bool is_number = next(json) != '"' && next(json) != '{' && next(json) != '[';
        json->is_share |= snw__span_is(name, "z");
        double *out = !is_number                         ? NULL
                      : snw__span_is(name, "x")          ? &x
                      : snw__span_is(name, "y")          ? &y
                      : snw__span_is(name, "visibility") ? &sure
                      : snw__span_is(name, "score")      ? &sure
                      : snw__span_is(name, "confidence") ? &sure
                                                         : NULL;
        status = out && *json->at != 'n' ? read_number(json, out) : read_value(json, depth + 1);
        if (status != SNW_OK) return status;
        char after = next(json);
        if (after == ',')
            json->at++;
        else if (after != '}')
            return fail(json, "an object does not go on");
    }
    json->at++;
    return add_point(json, part, x, y, sure);
}

/* The list of a part's points, in any of the three ways. */
static snw_status read_points(json_reader *json, json_list part, int depth)
{
    double value[3];
    int count = 0, flat = 0;
    if (depth > JSON_DEPTH_MAX) return fail(json, "values are nested too deep");
    json->is_ours = true;
    json->at++;
    while (next(json) != ']') {
        snw_status status = SNW_OK;
        char first = next(json);
        if (first == '{') {
            status = read_point(json, part, depth + 1);
        } else if (first == '[') {
            const char *start = json->at++;
            bool is_person = next(json) == '{';
            json->at = start;
            if (is_person) {
                status = read_points(json, part, depth + 1);
                if (status == SNW_OK && part == LIST_BODY) status = end_detection(json);
            } else {
                status = read_numbers(json, value, 3, &count);
                if (status == SNW_OK)
                    status = count < 2 ? fail(json, "a point has no x and y")
                                       : add_point(json, part, value[0], value[1],
                                                   count == 3 ? value[2] : 1);
            }
        } else {
            status = read_number(json, value + flat++);
            if (status == SNW_OK && flat == 3) {
                flat = 0;
                status = add_point(json, part, value[0], value[1], value[2]);
            }
        }
        if (status == SNW_OK) status = list_goes_on(json);
        if (status != SNW_OK) return status;
    }
    json->at++;
    return flat ? fail(json, "keypoints are not triples of x, y and confidence") : SNW_OK;
}

/* Of MMPose, beside the points. */
static snw_status read_scores(json_reader *json)
{
    json_detection *open = &json->open;
    double sure;
    int n = 0;
    json->at++;
    while (next(json) != ']') {
        snw_status status = read_number(json, &sure);
        if (status == SNW_OK) status = list_goes_on(json);
        if (status != SNW_OK) return status;
        if (n < open->count[LIST_BODY])
            open->point[LIST_BODY][n].confidence = (float)fmin(fmax(sure, 0), 1);
        n++;
    }
    json->at++;
    return SNW_OK;
}

/* The last digits of a picture's name, or its number. */
static snw_status read_image(json_reader *json)
{
    snw__span name = {json->at, json->at};
    double number;
    if (*json->at != '"') {
        snw_status status = read_number(json, &number);
        if (status == SNW_OK && number >= 0 && number < 1e9) json->open.image = (int64_t)number;
        return status;
    }
    snw_status status = read_string(json, &name);
    if (status != SNW_OK) return status;
    const char *end = name.end;
    while (end > name.at && end[-1] != '.')
        end--;
    if (end == name.at) end = name.end; /* no ending */
    while (end > name.at && (end[-1] < '0' || end[-1] > '9'))
        end--;
    const char *start = end;
    while (start > name.at && start[-1] >= '0' && start[-1] <= '9')
        start--;
    int64_t image;
    if (snw__span_int((snw__span){start, end}, &image) && image >= 0 && image < 1000000000)
        json->open.image = image;
    return SNW_OK;
}

static snw_status read_value(json_reader *json, int depth);

static const struct {
    const char *name;
    json_list part;
} json_names[] = {{"pose_keypoints_2d", LIST_BODY},
                  {"keypoints", LIST_BODY},
                  {"pose_landmarks", LIST_BODY},
                  {"poseLandmarks", LIST_BODY},
                  {"landmarks", LIST_BODY},
                  {"hand_left_keypoints_2d", LIST_HAND_L},
                  {"left_hand_landmarks", LIST_HAND_L},
                  {"leftHandLandmarks", LIST_HAND_L},
                  {"hand_right_keypoints_2d", LIST_HAND_R},
                  {"right_hand_landmarks", LIST_HAND_R},
                  {"rightHandLandmarks", LIST_HAND_R},
                  {"face_keypoints_2d", LIST_FACE}};

/* What follows a name and its colon. */
static snw_status read_member(json_reader *json, snw__span name, int depth)
{
    char first = next(json);
    json->is_ours |= snw__span_is(name, "people") || snw__span_is(name, "pose_landmarks");
    for (size_t n = 0; first == '[' && n < sizeof json_names / sizeof *json_names; n++)
        if (snw__span_is(name, json_names[n].name))
            return read_points(json, json_names[n].part, depth + 1);
    if (first == '[' && snw__span_is(name, "keypoint_scores")) return read_scores(json);
    bool is_image = snw__span_is(name, "image_id") || snw__span_is(name, "frame") ||
                    snw__span_is(name, "frame_id");
    if (is_image && (first == '"' || (first >= '0' && first <= '9'))) return read_image(json);
    return read_value(json, depth + 1);
}

static snw_status read_object(json_reader *json, int depth)
{
    json->at++;
    while (next(json) != '}') {
        snw__span name;
        snw_status status = read_name(json, &name);
        if (status != SNW_OK) return status;
        status = read_member(json, name, depth);
        if (status != SNW_OK) return status;
        char after = next(json);
        if (after == ',')
            json->at++;
        else if (after != '}')
            return fail(json, "an object does not go on");
    }
    json->at++;
    return end_detection(json);
}

static snw_status read_value(json_reader *json, int depth)
{
    snw__span text;
    double number;
    if (depth > JSON_DEPTH_MAX) return fail(json, "values are nested too deep");
    char first = next(json);
    if (first == '{') return read_object(json, depth);
    if (first == '[') {
        json->at++;
        while (next(json) != ']') {
            snw_status status = read_value(json, depth + 1);
            if (status != SNW_OK) return status;
            char after = next(json);
            if (after == ',')
                json->at++;
            else if (after != ']')
                return fail(json, "a list does not go on");
        }
        json->at++;
        return SNW_OK;
    }
    if (first == '"') return read_string(json, &text);
    static const char *const word[] = {"true", "false", "null"};
    for (int n = 0; n < 3; n++)
        if (snw__span_starts((snw__span){json->at, json->text->end}, word[n])) {
            json->at += strlen(word[n]);
            return SNW_OK;
        }
    return read_number(json, &number);
}

/* ---- a picture ---------------------------------------------------------------------------- */

/* The lists become the picture's. */
static snw_status hand_out(json_reader *json, snw_keypoint_picture **out, snw_error *error)
{
    snw_keypoint_picture *picture = snw__allocate(&json->memory, sizeof *picture);
    if (!picture) return snw__fail_memory(error, sizeof *picture, "keypoints");
    picture->detection_count = json->detection_count;
    picture->point_count = json->point_count;
    picture->keypoint = json->keypoint;
    picture->image = json->image;
    picture->is_share = json->is_share;
    picture->allocator = json->memory;
    picture->capacity = json->capacity;
    picture->block_size =
        (size_t)json->capacity * (size_t)json->point_count * sizeof *json->keypoint;
    json->keypoint = NULL;
    json->image = NULL;
    *out = picture;
    return SNW_OK;
}

snw_status snw_read_keypoints(const snw_source *source, const snw_read_options *options,
                              const snw_allocator *allocator, snw_keypoint_picture **out,
                              snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    const snw__reading_request request = {source, options, allocator, NULL, error};
    snw__reading reading;
    snw__text_input text;
    json_reader *json = NULL; /* 50 kB: not on a stack */
    snw_status status = snw__reading_open(&reading, &request);
    snw_allocator memory = reading.allocator;
    bool is_loaded = status == SNW_OK && (status = snw__text_load(&text, &reading)) == SNW_OK;
    if (is_loaded && !(json = snw__allocate(&memory, sizeof *json)))
        status = snw__fail_memory(error, sizeof *json, "keypoints");
    if (json) {
        json->memory = memory;
        json->text = &text;
        json->at = text.begin;
        json->open.image = -1;
        status = read_value(json, 0);
        if (status == SNW_OK && next(json)) status = fail(json, "something follows the JSON value");
        if (status == SNW_OK && !json->is_ours)
            status = snw__text_fail(&text, SNW_FORMAT,
                                    "there are no keypoints: neither people nor pose_keypoints_2d "
                                    "nor keypoints nor landmarks");
    }
    if (status == SNW_OK) status = hand_out(json, out, error);
    if (json) {
        size_t size = (size_t)json->capacity * (size_t)json->point_count * sizeof *json->keypoint;
        snw__release(&memory, json->keypoint, size);
        snw__release(&memory, json->image, (size_t)json->capacity * sizeof *json->image);
        snw__release(&memory, json, sizeof *json);
    }
    if (is_loaded) snw__text_release(&text);
    snw__reading_close(&reading);
    return status == SNW_OK ? snw__succeed(error) : status;
}

void snw_keypoint_picture_destroy(snw_keypoint_picture *picture)
{
    if (!picture) return;
    snw_allocator memory = picture->allocator;
    snw__release(&memory, picture->keypoint, picture->block_size);
    snw__release(&memory, picture->image, (size_t)picture->capacity * sizeof *picture->image);
    snw__release(&memory, picture, sizeof *picture);
}
