/* Keypoints of one picture, as pose estimators write them: JSON in which an array of x, y,
 * confidence, x, y, confidence, ... stands under the name
 *
 *   pose_keypoints_2d    OpenPose, and what Pose2Sim makes of others:
 *                        {"version": 1.3, "people": [{"pose_keypoints_2d": [...], ...}]}
 *   keypoints            COCO, AlphaPose: [{"image_id": "..", "keypoints": [...]}]
 *
 * Each is one detection; everything else is passed over. Values nest at most 32 deep. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/text_reader.h"

enum {
    JSON_DEPTH_MAX = 32,
    KEYPOINTS_MAX = 1024 /* points of a detection */
};

/* ---- sets of points ----------------------------------------------------------------------- */

/* In the order of the arrays. Names as Pose2Sim and OpenCap write them, which `label` knows. */
static const char *const body_25[] = {
    "Nose", "Neck",    "RShoulder", "RElbow", "RWrist",  "LShoulder", "LElbow", "LWrist", "MidHip",
    "RHip", "RKnee",   "RAnkle",    "LHip",   "LKnee",   "LAnkle",    "REye",   "LEye",   "REar",
    "LEar", "LBigToe", "LSmallToe", "LHeel",  "RBigToe", "RSmallToe", "RHeel"};
static const char *const body_25b[] = {"Nose",      "LEye",      "REye",    "LEar",      "REar",
                                       "LShoulder", "RShoulder", "LElbow",  "RElbow",    "LWrist",
                                       "RWrist",    "LHip",      "RHip",    "LKnee",     "RKnee",
                                       "LAnkle",    "RAnkle",    "Neck",    "Head",      "LBigToe",
                                       "LSmallToe", "LHeel",     "RBigToe", "RSmallToe", "RHeel"};
static const char *const coco_17[] = {
    "Nose",   "LEye",   "REye", "LEar", "REar",  "LShoulder", "RShoulder", "LElbow", "RElbow",
    "LWrist", "RWrist", "LHip", "RHip", "LKnee", "RKnee",     "LAnkle",    "RAnkle"};
static const char *const coco_18[] = {
    "Nose",  "Neck",   "RShoulder", "RElbow", "RWrist", "LShoulder", "LElbow", "LWrist", "RHip",
    "RKnee", "RAnkle", "LHip",      "LKnee",  "LAnkle", "REye",      "LEye",   "REar",   "LEar"};
static const char *const halpe_26[] = {
    "Nose",    "LEye",      "REye",      "LEar",   "REar", "LShoulder", "RShoulder",
    "LElbow",  "RElbow",    "LWrist",    "RWrist", "LHip", "RHip",      "LKnee",
    "RKnee",   "LAnkle",    "RAnkle",    "Head",   "Neck", "MidHip",    "LBigToe",
    "RBigToe", "LSmallToe", "RSmallToe", "LHeel",  "RHeel"};
static const char *const blazepose_33[] = {
    "Nose",   "LEyeInner", "LEye",   "LEyeOuter", "REyeInner", "REye",      "REyeOuter",
    "LEar",   "REar",      "LMouth", "RMouth",    "LShoulder", "RShoulder", "LElbow",
    "RElbow", "LWrist",    "RWrist", "LPinky",    "RPinky",    "LIndex",    "RIndex",
    "LThumb", "RThumb",    "LHip",   "RHip",      "LKnee",     "RKnee",     "LAnkle",
    "RAnkle", "LHeel",     "RHeel",  "LBigToe",   "RBigToe"};

static const struct {
    const char *name;
    int count;
    const char *const *point;
} sets[] = {{"body_25", 25, body_25},   {"body_25b", 25, body_25b},
            {"coco_17", 17, coco_17},   {"coco_18", 18, coco_18},
            {"halpe_26", 26, halpe_26}, {"blazepose_33", 33, blazepose_33}};

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

typedef struct json_reader {
    snw__text_input *text;
    const char *at;
    bool is_ours;    /* a name that says "detections are here" was seen, or one itself */
    int point_count; /* of the first detection; 0: none yet */
    int detection_count, capacity;
    snw_keypoint *keypoint;
    snw_allocator memory;
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
    if (!more) return false;
    size_t before = (size_t)json->capacity * (size_t)points * sizeof *more;
    if (before) memcpy(more, json->keypoint, before);
    snw__release(&json->memory, json->keypoint, before);
    json->keypoint = more;
    json->capacity = capacity;
    return true;
}

/* An array of numbers that is a detection. */
static snw_status read_detection(json_reader *json)
{
    double value[3 * KEYPOINTS_MAX];
    int count = 0;
    json->at++;
    while (next(json) != ']') {
        if (count == 3 * KEYPOINTS_MAX) return fail(json, "a detection has more than 1024 points");
        snw_status status = read_number(json, value + count++);
        if (status != SNW_OK) return status;
        char after = next(json);
        if (after == ',')
            json->at++;
        else if (after != ']')
            return fail(json, "a list of keypoints does not go on");
    }
    json->at++;
    json->is_ours = true;
    if (count == 0) return SNW_OK;
    if (count % 3) return fail(json, "keypoints are not triples of x, y and confidence");
    if (json->point_count && json->point_count != count / 3)
        return fail(json, "detections have different numbers of points");
    json->point_count = count / 3;
    if (!make_room(json, json->point_count))
        return snw__fail_memory(json->text->reading->error, sizeof value, "keypoints");
    snw_keypoint *out =
        json->keypoint + (size_t)json->detection_count++ * (size_t)json->point_count;
    for (int p = 0; p < json->point_count; p++) {
        const double *v = value + 3 * p;
        bool is_seen =
            isfinite(v[0]) && isfinite(v[1]) && v[2] > 0 && fabs(v[0]) < 1e6 && fabs(v[1]) < 1e6;
        if (is_seen) out[p] = (snw_keypoint){(float)v[0], (float)v[1], (float)fmin(v[2], 1)};
    }
    return SNW_OK;
}

static snw_status read_value(json_reader *json, int depth);

static snw_status read_object(json_reader *json, int depth)
{
    json->at++;
    while (next(json) != '}') {
        snw__span name;
        if (next(json) != '"') return fail(json, "a name is missing");
        snw_status status = read_string(json, &name);
        if (status != SNW_OK) return status;
        if (next(json) != ':') return fail(json, "a colon is missing");
        json->at++;
        char first = next(json);
        json->is_ours |= snw__span_is(name, "people");
        bool is_detection = first == '[' && (snw__span_is(name, "pose_keypoints_2d") ||
                                             snw__span_is(name, "keypoints"));
        status = is_detection ? read_detection(json) : read_value(json, depth + 1);
        if (status != SNW_OK) return status;
        char after = next(json);
        if (after == ',')
            json->at++;
        else if (after != '}')
            return fail(json, "an object does not go on");
    }
    json->at++;
    return SNW_OK;
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

snw_status snw_read_keypoints(const snw_source *source, const snw_read_options *options,
                              const snw_allocator *allocator, snw_keypoint_picture **out,
                              snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    const snw__reading_request request = {source, options, allocator, NULL, error};
    snw__reading reading;
    snw__text_input text;
    json_reader json;
    memset(&json, 0, sizeof json);
    snw_status status = snw__reading_open(&reading, &request);
    json.memory = reading.allocator;
    bool is_loaded = status == SNW_OK && (status = snw__text_load(&text, &reading)) == SNW_OK;
    if (is_loaded) {
        json.text = &text;
        json.at = text.begin;
        status = read_value(&json, 0);
        if (status == SNW_OK && next(&json))
            status = fail(&json, "something follows the JSON value");
        if (status == SNW_OK && !json.is_ours)
            status = snw__text_fail(&text, SNW_FORMAT,
                                    "there are no keypoints: neither people nor pose_keypoints_2d "
                                    "nor keypoints");
    }
    snw_keypoint_picture *picture = NULL;
    if (status == SNW_OK && !(picture = snw__allocate(&json.memory, sizeof *picture)))
        status = snw__fail_memory(error, sizeof *picture, "keypoints");
    size_t size = (size_t)json.capacity * (size_t)json.point_count * sizeof *json.keypoint;
    if (picture)
        *picture = (snw_keypoint_picture){json.detection_count, json.point_count, json.keypoint,
                                          json.memory, size};
    else if (json.keypoint)
        snw__release(&json.memory, json.keypoint, size);
    *out = picture;
    if (is_loaded) snw__text_release(&text);
    snw__reading_close(&reading);
    return status == SNW_OK ? snw__succeed(error) : status;
}

void snw_keypoint_picture_destroy(snw_keypoint_picture *picture)
{
    if (!picture) return;
    snw_allocator memory = picture->allocator;
    snw__release(&memory, picture->keypoint, picture->block_size);
    snw__release(&memory, picture, sizeof *picture);
}
