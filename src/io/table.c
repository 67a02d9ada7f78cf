/* Tables of named columns over time, and the way from a motion to a table and back. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/motion_text.h"

/* ---- the table ----------------------------------------------------------------------------- */

typedef struct table_sketch {
    snw_table table;
    size_t text_size; /* of all names */
    char **names;     /* (column_count) */
    char *text;       /* (text_size) */
} table_sketch;

static void lay_out(void *object, snw__block *block)
{
    table_sketch *sketch = (table_sketch *)object;
    snw_table *table = &sketch->table;
    size_t rows = (size_t)table->row_count, columns = (size_t)table->column_count;
    snw__block_take(block, 1, sizeof *table);
    table->time = (double *)snw__block_take(block, rows, sizeof(double));
    table->value = (double *)snw__block_take(block, snw__size_mul(rows, columns), sizeof(double));
    sketch->names = (char **)snw__block_take(block, columns, sizeof(char *));
    sketch->text = (char *)snw__block_take(block, sketch->text_size, 1);
}

snw_status snw_table_create(int row_count, const char *const *columns, int column_count,
                            const snw_allocator *allocator, snw_table **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    if (row_count < 0 || column_count < 0 || (column_count && !columns))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a table of %d rows and %d columns",
                         row_count, column_count);
    table_sketch sketch;
    snw__block block;
    snw_table *table = &sketch.table;
    memset(&sketch, 0, sizeof sketch);
    table->row_count = row_count;
    table->column_count = column_count;
    table->allocator = snw__allocator_or_default(allocator);
    for (int n = 0; n < column_count; n++)
        sketch.text_size += strlen(columns[n]) + 1;
    snw_status status =
        snw__block_create(&block, lay_out, &sketch, &table->allocator, "a table", error);
    if (status != SNW_OK) return status;
    table->block_size = block.size;
    char *text = sketch.text;
    for (int n = 0; n < column_count; n++) {
        size_t size = strlen(columns[n]) + 1;
        sketch.names[n] = (char *)memcpy(text, columns[n], size);
        text += size;
    }
    table->column = (const char *const *)sketch.names;
    *out = (snw_table *)memcpy(block.base, table, sizeof *table);
    return snw__succeed(error);
}

snw_status snw_table_set_rate(snw_table *table, double rate, snw_error *error)
{
    if (!(rate > 0))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a table cannot have %g rows per second",
                         rate);
    table->rate = rate;
    for (int row = 0; row < table->row_count; row++)
        table->time[row] = row / rate;
    return snw__succeed(error);
}

void snw_table_destroy(snw_table *table)
{
    if (!table) return;
    snw_allocator allocator = table->allocator;
    snw__release(&allocator, table, table->block_size);
}

int snw_table_find_column(const snw_table *table, const char *name)
{
    for (int n = 0; n < table->column_count; n++)
        if (snw__span_is(snw__span_of(name), table->column[n])) return n;
    return -1;
}

/* ---- columns of a body --------------------------------------------------------------------- */

/* Endings of the columns of a joint; the root of the body is written as a free joint. */
static const char *const six_endings[6] = {"_tx", "_ty", "_tz", "_rx", "_ry", "_rz"};
static const char *const turn_endings[6] = {"_rx", "_ry", "_rz"};
static const char *const angle_endings[6] = {"_angle", "_angle2"};
static const char *const slide_endings[6] = {"_slide"};

static const char *const *endings_of(snw_joint_type type, int *count)
{
    *count = snw_joint_type_dof(type);
    if (type == SNW_JOINT_FREE) return six_endings;
    if (type == SNW_JOINT_BALL) return turn_endings;
    return type == SNW_JOINT_PRISMATIC ? slide_endings : angle_endings;
}

/* The column of coordinate `which` of a joint, as files can hold it. */
static void name_column(const snw_skeleton *skeleton, int joint, const char *ending,
                        char name[SNW__NAME_SIZE])
{
    snw_format(name, SNW__NAME_SIZE, "%.*s%s", SNW__NAME_SIZE - 16, skeleton->name[joint], ending);
    for (char *at = name; *at; at++)
        if ((unsigned char)*at <= ' ') *at = '_';
}

/* Joint 0 stands for the whole body: its own coordinates are part of where that is. */
static snw_joint_type written_type(const snw_skeleton *skeleton, int joint)
{
    return joint ? skeleton->joint[joint].type : SNW_JOINT_FREE;
}

static int count_columns(const snw_skeleton *skeleton)
{
    int columns = 0;
    for (int j = 0; j < skeleton->joint_count; j++)
        columns += snw_joint_type_dof(written_type(skeleton, j));
    return columns;
}

/* ---- from a motion ------------------------------------------------------------------------- */

static void fill_row(const snw_motion *motion, snw_quat turn, int frame, double *row)
{
    const snw_skeleton *skeleton = motion->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++) {
        size_t at = (size_t)frame * (size_t)skeleton->joint_count + (size_t)j;
        snw_joint_type type = written_type(skeleton, j);
        snw_xform moved = snw_xform_make(motion->rotation[at], motion->slide[at]);
        if (j == 0) {
            snw_xform rest = skeleton->rest[0];
            snw_xform world = snw__motion_root_joint(motion, frame);
            moved = snw_xform_mul(snw_xform_make(turn, snw_vec3_make(0, 0, 0)),
                                  snw_xform_mul(world, snw_xform_inverse(rest)));
        }
        double values[6];
        /* Coordinates of one joint as columns hold them: metres and degrees. */
        double *angles = values;
        snw_joint_values(skeleton->joint + j, moved.rotation, moved.translation, values);
        if (type != SNW_JOINT_PRISMATIC) {
            int turns = snw_joint_type_dof(type);
            if (type == SNW_JOINT_FREE) {
                values[0] = moved.translation.x;
                values[1] = moved.translation.y;
                values[2] = moved.translation.z;
                angles = values + 3;
                turns = 3;
            }
            if (type == SNW_JOINT_FREE || type == SNW_JOINT_BALL)
                snw_quat_to_euler(moved.rotation, SNW_EULER_XYZ, angles);
            for (int n = 0; n < turns; n++)
                angles[n] = snw_degrees(angles[n]);
        }
        int count = snw_joint_type_dof(type);
        memcpy(row, values, (size_t)count * sizeof *row);
        row += count;
    }
}

static snw_status make_table(const snw_motion *motion, const snw_allocator *allocator,
                             snw_table **out, snw_error *error)
{
    const snw_skeleton *skeleton = motion->skeleton;
    size_t columns = (size_t)count_columns(skeleton);
    size_t size = columns * (sizeof(char *) + SNW__NAME_SIZE);
    char **names = (char **)snw__allocate(allocator, size);
    if (!names) return snw__fail_memory(error, size, "the names of the columns");
    char *text = (char *)(names + columns);
    size_t column = 0;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int count;
        const char *const *endings = endings_of(written_type(skeleton, j), &count);
        for (int n = 0; n < count; n++, column++) {
            names[column] = text + column * SNW__NAME_SIZE;
            name_column(skeleton, j, endings[n], names[column]);
        }
    }
    double rate = motion->rate > 0 ? motion->rate : 0;
    snw_status status = snw_table_create(motion->frame_count, (const char *const *)names,
                                         (int)columns, allocator, out, error);
    if (status == SNW_OK && rate > 0) status = snw_table_set_rate(*out, rate, error);
    snw__release(allocator, names, size);
    return status;
}

snw_status snw_table_from_motion(const snw_motion *motion, snw_up_axis up,
                                 const snw_allocator *allocator, snw_table **out, snw_error *error)
{
    if (!motion || !out) return snw__fail(error, SNW_INVALID_ARGUMENT, "motion or out is NULL");
    *out = NULL;
    snw_allocator used = snw__allocator_or_default(allocator);
    snw_status status = snw__motion_check(motion, error);
    if (status == SNW_OK) status = make_table(motion, &used, out, error);
    if (status != SNW_OK) return status;
    snw_table *table = *out;
    table->is_in_degrees = true;
    for (int frame = 0; frame < motion->frame_count; frame++)
        fill_row(motion, snw__turn_up_to_y(up), frame,
                 table->value + (size_t)frame * (size_t)table->column_count);
    return snw__succeed(error);
}

/* ---- onto a body --------------------------------------------------------------------------- */

typedef struct table_reader {
    const snw_table *table;
    const snw_skeleton *skeleton;
    snw_motion *motion;
    int *column;    /* (coordinates) column of each coordinate, -1 = none */
    double *last;   /* (coordinates) last finite value, radians and metres */
    int hold_count; /* values that were not finite */
} table_reader;

static void match_columns(table_reader *reader, snw_notes *notes)
{
    const snw_skeleton *skeleton = reader->skeleton;
    int at = 0, found = 0, coordinates = count_columns(skeleton);
    for (int j = 0; j < skeleton->joint_count; j++) {
        int count;
        const char *const *endings = endings_of(written_type(skeleton, j), &count);
        for (int n = 0; n < count; n++, at++) {
            char name[SNW__NAME_SIZE];
            name_column(skeleton, j, endings[n], name);
            reader->column[at] = snw_table_find_column(reader->table, name);
            if (reader->column[at] >= 0)
                found++;
            else if (at - found < 3)
                snw__note(notes, SNW_NOTE_COLUMN_MISSING, SNW__NOWHERE,
                          "there is no column %.100s; it stays at rest", name);
        }
    }
    if (coordinates - found > 3)
        snw__note(notes, SNW_NOTE_COLUMN_MISSING, SNW__NOWHERE, "%d more %s missing",
                  coordinates - found - 3,
                  snw__plural(coordinates - found - 3, "column is", "columns are"));
    if (reader->table->column_count > found)
        snw__note(notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE, "%d %s left out",
                  reader->table->column_count - found,
                  snw__plural(reader->table->column_count - found,
                              "column belongs to no joint of this body and is",
                              "columns belong to no joint of this body and are"));
}

static void place_row(table_reader *reader, int row)
{
    const snw_skeleton *skeleton = reader->skeleton;
    const snw_table *table = reader->table;
    snw_motion *motion = reader->motion;
    int at = 0;
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_joint_type type = written_type(skeleton, j);
        double values[6] = {0};
        int count = snw_joint_type_dof(type);
        for (int n = 0; n < count; n++, at++) {
            bool is_slide = type == SNW_JOINT_PRISMATIC || (type == SNW_JOINT_FREE && n < 3);
            if (reader->column[at] < 0) continue;
            size_t cell = (size_t)row * (size_t)table->column_count + (size_t)reader->column[at];
            double value = table->value[cell];
            if (!isfinite(value)) { /* held where it is not finite */
                reader->hold_count++;
                values[n] = reader->last[at];
                continue;
            }
            if (!is_slide && table->is_in_degrees) value = snw_radians(value);
            values[n] = reader->last[at] = value;
        }
        snw_xform moved = snw_xform_identity();
        if (type == SNW_JOINT_FREE)
            moved = snw_xform_make(snw_quat_from_euler(SNW_EULER_XYZ, values + 3),
                                   snw_vec3_make(values[0], values[1], values[2]));
        else if (type == SNW_JOINT_BALL)
            moved.rotation = snw_quat_from_euler(SNW_EULER_XYZ, values);
        else
            snw_joint_from_values(skeleton->joint + j, values, &moved.rotation, &moved.translation);
        size_t index = (size_t)row * (size_t)skeleton->joint_count + (size_t)j;
        if (j == 0) {
            motion->root[row] = moved;
            continue;
        }
        motion->rotation[index] = moved.rotation;
        motion->slide[index] = moved.translation;
    }
}

snw_status snw_motion_from_table(const snw_table *table, const snw_skeleton *skeleton,
                                 const snw_allocator *allocator, snw_motion **out, snw_notes *notes,
                                 snw_error *error)
{
    if (!table || !skeleton || !out)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "table, skeleton or out is NULL");
    *out = NULL;
    snw_allocator used = snw__allocator_or_default(allocator);
    table_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.table = table;
    reader.skeleton = skeleton;
    size_t count = (size_t)count_columns(skeleton);
    size_t size = count * (sizeof(double) + sizeof(int));
    reader.last = (double *)snw__allocate(&used, size);
    if (!reader.last) return snw__fail_memory(error, size, "the columns of the body");
    reader.column = (int *)(void *)(reader.last + count);
    double rate = table->rate > 0 ? table->rate : 100;
    snw_status status =
        snw_motion_create(skeleton, table->row_count, rate, &used, &reader.motion, error);
    if (status == SNW_OK) {
        match_columns(&reader, notes);
        for (int row = 0; row < table->row_count; row++)
            place_row(&reader, row);
        if (reader.hold_count)
            snw__note(notes, SNW_NOTE_VALUE_REPAIRED, SNW__NOWHERE,
                      "%d %s not finite; the value before is kept", reader.hold_count,
                      snw__plural(reader.hold_count, "value is", "values are"));
        *out = reader.motion;
    }
    snw__release(&used, reader.last, size);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* ---- the body as a whole --------------------------------------------------------------------- */

static const char *const momentum_columns[] = {
    "center_of_mass_x",   "center_of_mass_y", "center_of_mass_z",   "momentum_x",
    "momentum_y",         "momentum_z",       "angular_momentum_x", "angular_momentum_y",
    "angular_momentum_z", "kinetic_energy",
};
enum {
    MOMENTUM_COLUMNS = sizeof momentum_columns / sizeof *momentum_columns
};

/* The mean turn of all joints from a frame to the next, radians. */
static double turn_of(const snw_motion *motion, int frame)
{
    int joints = motion->skeleton->joint_count;
    const snw_quat *now = motion->rotation + (size_t)frame * (size_t)joints, *next = now + joints;
    double sum =
        snw_quat_angle_between(motion->root[frame].rotation, motion->root[frame + 1].rotation);
    for (int j = 0; j < joints; j++)
        sum += snw_quat_angle_between(now[j], next[j]);
    return sum / (joints + 1);
}

/* Files often begin with one frame in a T that nobody ever stood in, and are cut in their middle:
 * where all joints turn by 6 degrees on average, ten times what they do on the whole, nothing moves
 * from the one frame to the next. */
static bool is_cut(const snw_motion *motion, int frame, double usual)
{
    double turn = turn_of(motion, frame);
    return turn > 0.1 && turn > 10 * usual;
}

static bool fill_momentum(const snw_motion *motion, snw_pose *const pose[3], snw_table *table)
{
    int last = motion->frame_count - 1;
    double usual = 0;
    for (int f = 0; f < last; f++)
        usual += turn_of(motion, f) / last;
    for (int f = 0; f <= last; f++) {
        bool has_before = f > 0 && !is_cut(motion, f - 1, usual);
        bool has_after = f < last && !is_cut(motion, f, usual);
        const int frame[3] = {has_before ? f - 1 : f, f, has_after ? f + 1 : f};
        double time = fmax(frame[2] - frame[0], 1) / motion->rate;
        for (int n = 0; n < 3; n++) {
            snw_motion_get(motion, frame[n], pose[n]);
            snw_pose_forward(pose[n]);
        }
        snw_momentum m;
        if (!snw_pose_momentum(pose[0], pose[1], pose[2], time, &m)) return false;
        const double row[MOMENTUM_COLUMNS] = {m.center.x,  m.center.y, m.center.z,  m.linear.x,
                                              m.linear.y,  m.linear.z, m.angular.x, m.angular.y,
                                              m.angular.z, m.energy};
        memcpy(table->value + (size_t)f * MOMENTUM_COLUMNS, row, sizeof row);
    }
    return true;
}

snw_status snw_table_from_momentum(const snw_motion *motion, const snw_allocator *allocator,
                                   snw_table **out, snw_error *error)
{
    *out = NULL;
    if (!motion || motion->frame_count < 2)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "momentum needs a motion of two frames at least");
    snw_pose *pose[3] = {NULL, NULL, NULL};
    snw_table *table = NULL;
    snw_status status = snw_table_create(motion->frame_count, momentum_columns, MOMENTUM_COLUMNS,
                                         allocator, &table, error);
    if (status == SNW_OK) status = snw_table_set_rate(table, motion->rate, error);
    for (int n = 0; n < 3 && status == SNW_OK; n++)
        status = snw_pose_create(motion->skeleton, allocator, &pose[n], error);
    if (status == SNW_OK && !fill_momentum(motion, pose, table))
        status = snw__fail(error, SNW_INVALID_ARGUMENT,
                           "no joint of the body has mass (snw_motion_weigh gives a person's)");
    for (int n = 0; n < 3; n++)
        snw_pose_destroy(pose[n]);
    if (status != SNW_OK) {
        snw_table_destroy(table);
        return status;
    }
    *out = table;
    return snw__succeed(error);
}
