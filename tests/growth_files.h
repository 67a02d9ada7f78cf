/* Captures and tables of one structure and any length, for test_growth: plain ones, and those that
 * make a reader search. Bodies are in growth_bodies.h. */
#ifndef SNW_TESTS_GROWTH_FILES_H
#define SNW_TESTS_GROWTH_FILES_H

#include "check.h"

#include "io/c3d.h"

/* ---- bytes that grow -----------------------------------------------------------------------
 */

typedef struct growing {
    char *bytes;
    size_t size, capacity;
} growing;

static inline void put_bytes(growing *file, const void *bytes, size_t size)
{
    while (file->size + size + 1 > file->capacity) {
        file->capacity = file->capacity ? 2 * file->capacity : 65536;
        file->bytes = (char *)realloc(file->bytes, file->capacity);
        assert_non_null(file->bytes);
    }
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
    file->bytes[file->size] = 0;
}

static inline void put(growing *file, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && length < (int)sizeof text);
    put_bytes(file, text, (size_t)length);
}

static inline void put_times(growing *file, int times, const char *text)
{
    for (int n = 0; n < times; n++)
        put_bytes(file, text, strlen(text));
}

/* "tab" or "comma" between numbers of so many columns, a line at the end. */
static inline void put_rows(growing *file, int rows, int columns, const char *separator)
{
    for (int r = 0; r < rows; r++) {
        put(file, "%d%s%g", r + 1, separator, r * 0.01);
        for (int c = 0; c < columns; c++)
            put(file, "%s%d.5", separator, (r + c) % 900);
        put(file, "\n");
    }
}

/* ---- C3D -----------------------------------------------------------------------------------
 */

static inline void put_c3d(growing *file, const snw_trial *trial)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    if (snw_write_trial(trial, SNW_FORMAT_C3D, NULL, &sink, &error) != SNW_OK)
        fail_msg("%s", error.message);
    put_bytes(file, bytes.bytes, bytes.size);
    snw_memory_sink_release(&bytes);
}

static inline void put_c3d_of(growing *file, int markers, int frames, int channels, int events)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = markers;
    options.frame_count = frames;
    options.analog_count = channels;
    options.analog_per_frame = channels ? 2 : 0;
    options.rate = 100;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int m = 0; m < markers; m++) {
        char name[32];
        snprintf(name, sizeof name, "M%d", m);
        assert_int_equal(snw_trial_set_marker_name(trial, m, name, NULL), SNW_OK);
        for (int frame = 0; frame < frames; frame++)
            snw_trial_set(trial, frame, m, snw_vec3_make(m * 0.01, frame * 0.01, 1),
                          SNW_SAMPLE_MEASURED);
    }
    for (int e = 0; e < events; e++) {
        snw_event event = {.time = e / 64.0, .label = (char *)"Foot Strike"};
        event.context = (char *)(e % 2 ? "Left" : "Right");
        assert_int_equal(snw_trial_add_event(trial, &event, NULL), SNW_OK);
    }
    put_c3d(file, trial);
    snw_trial_destroy(trial);
}

static inline void c3d_frames(growing *file, int n)
{
    put_c3d_of(file, 20, n, 0, 0);
}

static inline void c3d_markers(growing *file, int n)
{
    put_c3d_of(file, n, 2, 0, 0);
}

static inline void c3d_channels(growing *file, int n)
{
    put_c3d_of(file, 2, 2, n, 0);
}

static inline void c3d_events(growing *file, int n)
{
    put_c3d_of(file, 2, n, 0, n);
}

/* One point, one frame, and a parameter section of `blocks` 512-byte blocks to fill. */
static inline void start_c3d(growing *file, int blocks)
{
    uint8_t head[512 + 4] = {2, SNW__C3D_KEY};
    snw__c3d_put_u16(head + 2, 1, SNW_ORDER_INTEL);
    snw__c3d_put_u16(head + 6, 1, SNW_ORDER_INTEL);
    snw__c3d_put_u16(head + 8, 1, SNW_ORDER_INTEL);
    snw__c3d_put_float(head + 12, -1, SNW_ORDER_INTEL);
    snw__c3d_put_u16(head + 16, 2 + blocks, SNW_ORDER_INTEL);
    snw__c3d_put_float(head + 20, 50, SNW_ORDER_INTEL);
    head[512 + 2] = (uint8_t)blocks;
    head[512 + 3] = 84;
    put_bytes(file, head, sizeof head);
}

/* Up to the end of the section, and one sample behind it. */
static inline void end_c3d(growing *file, int blocks)
{
    static const uint8_t zero[512] = {0};
    while (file->size < 512 * ((size_t)blocks + 1)) {
        size_t left = 512 * ((size_t)blocks + 1) - file->size;
        put_bytes(file, zero, left < sizeof zero ? left : sizeof zero);
    }
    put_bytes(file, zero, sizeof zero);
}

static inline void put_record(growing *file, const char *name, int id, const char *body,
                              size_t size)
{
    uint8_t head[64] = {(uint8_t)strlen(name), (uint8_t)id};
    size_t length = strlen(name);
    memcpy(head + 2, name, length);
    snw__c3d_put_u16(head + 2 + length, (int)size + 2, SNW_ORDER_INTEL);
    put_bytes(file, head, length + 4);
    put_bytes(file, body, size);
}

/* Bytes without dimensions, each name its own. */
static inline void c3d_parameters(growing *file, int n)
{
    int blocks = n * 14 / 512 + 2;
    start_c3d(file, blocks);
    put_record(file, "POINT", -1, "", 1);
    for (int k = 0; k < n; k++) {
        char name[16];
        snprintf(name, sizeof name, "P%d", k);
        put_record(file, name, 1, "\x01\x00\x05", 4);
    }
    end_c3d(file, blocks);
}

static inline void c3d_same_parameters(growing *file, int n)
{
    int blocks = n * 9 / 512 + 2;
    start_c3d(file, blocks);
    put_record(file, "POINT", -1, "", 1);
    for (int k = 0; k < n; k++)
        put_record(file, "P", 1, "\x01\x00\x05", 4);
    end_c3d(file, blocks);
}

static inline void c3d_groups(growing *file, int n)
{
    int blocks = n * 16 / 512 + 2;
    start_c3d(file, blocks);
    for (int k = 0; k < n; k++) {
        char name[16];
        snprintf(name, sizeof name, "G%d", k);
        put_record(file, name, -1 - k % 127, "", 1);
    }
    end_c3d(file, blocks);
}

/* What starts like a record and leads nowhere: the next one is looked for byte by byte. */
static inline void c3d_damage(growing *file, int n)
{
    int blocks = n * 8 / 512 + 2;
    start_c3d(file, blocks);
    for (int k = 0; k < n; k++)
        put_bytes(file,
                  "\x02\x01"
                  "AB"
                  "\x31\x00\x09\x01",
                  8);
    end_c3d(file, blocks);
}

/* Long names with a part that lies everywhere: what is no record costs its whole name. */
static inline void c3d_long_names(growing *file, int n)
{
    int blocks = n / 512 + 2;
    start_c3d(file, blocks);
    for (int k = 0; k < n; k++)
        put_bytes(file, "\x7f", 1);
    end_c3d(file, blocks);
}

/* ---- TRC -----------------------------------------------------------------------------------
 */

static inline void put_trc(growing *file, int markers, int frames, const char *name)
{
    put(file,
        "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n"
        "100\t100\t%d\t%d\tmm\nFrame#\tTime",
        frames, markers);
    for (int m = 0; m < markers; m++)
        put(file, name, m);
    put(file, "\n\t");
    for (int m = 0; m < markers; m++)
        put(file, "\tX%d\tY%d\tZ%d", m + 1, m + 1, m + 1);
    put(file, "\n\n");
    put_rows(file, frames, 3 * markers, "\t");
}

static inline void trc_frames(growing *file, int n)
{
    put_trc(file, 8, n, "\tM%d\t\t");
}

static inline void trc_markers(growing *file, int n)
{
    put_trc(file, n, 2, "\tM%d\t\t");
}

static inline void trc_same_names(growing *file, int n)
{
    put_trc(file, n, 2, "\tM\t\t");
}

/* Names whose hashes (FNV-1a) end in the same bits fall into one place of a table. */
static inline void trc_colliding_names(growing *file, int n)
{
    put(file,
        "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n"
        "100\t100\t1\t%d\tmm\nFrame#\tTime",
        n);
    uint32_t number = 0;
    for (int m = 0; m < n; number++) {
        char name[16];
        snprintf(name, sizeof name, "%x", number);
        uint32_t hash = 2166136261u;
        for (const char *c = name; *c; c++)
            hash = (hash ^ (unsigned char)*c) * 16777619u;
        if (hash & 4095) continue;
        put(file, "\t%s\t\t", name);
        m++;
    }
    put(file, "\n\n\n");
    put_rows(file, 1, 3 * n, "\t");
}

static inline void trc_blank_lines(growing *file, int n)
{
    put_trc(file, 2, 2, "\tM%d\t\t");
    put_times(file, n, "\n");
}

static inline void trc_header_keys(growing *file, int n)
{
    put(file, "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate");
    for (int k = 0; k < n; k++)
        put(file, "\tK%d", k);
    put(file, "\n100");
    for (int k = 0; k < n; k++)
        put(file, "\t%d", k);
    put(file, "\nFrame#\tTime\tA\t\t\n\t\tX1\tY1\tZ1\n\n");
    put_rows(file, 2, 3, "\t");
}

/* ---- CSV -----------------------------------------------------------------------------------
 */

static inline void put_csv(growing *file, int columns, int rows, const char *name)
{
    put(file, "Frame,Time");
    for (int m = 0; m < columns; m++)
        put(file, name, m, m, m, m, m, m, m);
    put(file, "\n");
    int per_name = 0;
    for (const char *c = name; *c; c++)
        per_name += *c == ',';
    put_rows(file, rows, columns * per_name, ",");
}

static inline void csv_frames(growing *file, int n)
{
    put_csv(file, 8, n, ",M%d_X,M%d_Y,M%d_Z");
}

static inline void csv_markers(growing *file, int n)
{
    put_csv(file, n, 2, ",M%d_X,M%d_Y,M%d_Z");
}

/* All x, then all y, then all z: each name is met again. */
static inline void csv_scattered(growing *file, int n)
{
    put(file, "Frame,Time");
    for (int axis = 0; axis < 3; axis++)
        for (int m = 0; m < n; m++)
            put(file, ",M%d_%c", m, 'X' + axis);
    put(file, "\n");
    put_rows(file, 2, 3 * n, ",");
}

static inline void csv_rotations(growing *file, int n)
{
    put_csv(file, n, 2, ",M%d_X,M%d_Y,M%d_Z,M%d_qw,M%d_qx,M%d_qy,M%d_qz");
}

static inline void csv_same_names(growing *file, int n)
{
    put_csv(file, n, 2, ",M_X,M_Y,M_Z");
}

static inline void csv_two_rows(growing *file, int n)
{
    put(file, "Walk,");
    for (int m = 0; m < n; m++)
        put(file, ",M%d,,", m);
    put(file, "\nFrame,Time");
    for (int m = 0; m < n; m++)
        put(file, ",X,Y,Z");
    put(file, "\n");
    put_rows(file, 2, 3 * n, ",");
}

static inline void csv_vicon(growing *file, int n)
{
    put(file, "Devices\n1000\n");
    put_rows(file, n, 4, ",");
    put(file, "\nTrajectories\n100\n,");
    for (int m = 0; m < n; m++)
        put(file, ",Bob:M%d,,", m);
    put(file, "\nFrame,Sub Frame");
    for (int m = 0; m < n; m++)
        put(file, ",X,Y,Z");
    put(file, "\n,");
    for (int m = 0; m < n; m++)
        put(file, ",mm,mm,mm");
    put(file, "\n");
    put_rows(file, 2, 3 * n, ",");
}

static inline void csv_motive(growing *file, int n)
{
    static const char *const words[] = {"Type,%s", "Name,%s", "ID,%s", ",%s", "Time (Seconds),%s"};
    static const char *const cells[] = {"Marker,Marker,Marker", "", "7,7,7",
                                        "Position,Position,Position", "X,Y,Z"};
    put(file, "Format Version,1.23,Export Frame Rate,120,Length Units,Meters\n\n");
    for (int row = 0; row < 5; row++) {
        put(file, row == 4 ? "Frame," : ",");
        put(file, words[row], "");
        for (int m = 0; m < n; m++) {
            if (m) put(file, ",");
            if (row == 1)
                put(file, "M%d,M%d,M%d", m, m, m);
            else
                put(file, "%s", cells[row]);
        }
        put(file, "\n");
    }
    put_rows(file, 2, 3 * n, ",");
}

static inline void csv_quotes(growing *file, int n)
{
    put(file, "Frame,Time,\"A_X\",A_Y,A_Z\n");
    for (int r = 0; r < n; r++)
        put(file, "\"%d\",0.1,\"1\",\"2\n", r);
}

static inline void csv_numbers_only(growing *file, int n)
{
    put_rows(file, n, 9, ";");
}

/* ---- tables --------------------------------------------------------------------------------
 */

static inline void put_mot(growing *file, int columns, int rows, const char *name)
{
    put(file, "Coordinates\nversion=1\nnRows=%d\nnColumns=%d\ninDegrees=yes\nendheader\ntime", rows,
        columns + 1);
    for (int c = 0; c < columns; c++)
        put(file, name, c);
    put(file, "\n");
    for (int r = 0; r < rows; r++) {
        put(file, "%.17g", r * 0.01);
        put_times(file, columns, "\t1.5");
        put(file, "\n");
    }
}

static inline void mot_rows(growing *file, int n)
{
    put_mot(file, 8, n, "\tc%d");
}

static inline void mot_columns(growing *file, int n)
{
    put_mot(file, n, 2, "\tc%d");
}

static inline void mot_same_columns(growing *file, int n)
{
    put_mot(file, n, 2, "\tc");
}

static inline void mot_header_lines(growing *file, int n)
{
    put(file, "Coordinates\nversion=1\n");
    put_times(file, n, "a=b\n");
    put(file, "endheader\ntime\ta\n0\t1\n0.1\t2\n");
}

#endif
