/* Who moves: bodies with markers, upper bodies with trackers, hands. Kept from before (--actor), or
 * found in the first seconds, while the page and the terminal say which joints are still uncertain.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "input.h"
#include "live/live.h"
#include "output.h"

enum {
    PEOPLE_TRACKS_MAX = 512 /* pieces of loose trajectories in a calibration */
};

struct live_person {
    char name[SNW_PACKET_NAME];
    snw_actor *actor;
    /* a body */
    snw_live_body *body;
    snw_segments *segments;
    snw_live_labels *labels; /* its markers come without names */
    int *point_of;           /* (marker_count) */
    snw_sample *sample;      /* (marker_count) labelled */
    uint8_t *state;
    const char **names;
    bool was_there;
    /* an upper body, a hand */
    snw_avatar *avatar;
    snw_hand *hand;
    int *part_of; /* (stream's marker_count) role or hand marker; -1 */
    snw_live_filter *filter;
};

static bool is_hand(const live_people *people)
{
    return cli_flag(people->arguments, "--hand");
}

/* ---- the first seconds
 * ---------------------------------------------------------------------------
 */

/* Loose points of a frame into columns: who is near a column's last place goes on in it. */
static void join_loose(const live_stream *stream, const live_frame *frame, snw_trial *trial, int f,
                       int *used)
{
    int first = stream->marker_count;
    double reach = 10 / stream->rate; /* nobody's marker is faster than a sprinter: 10 m/s */
    for (int k = 0; k < frame->loose_count; k++) {
        const snw_sample *s = &frame->sample[first + k];
        snw_vec3 place = snw_vec3_make(s->x, s->y, s->z);
        int nearest = -1;
        double least = reach < 0.15 ? reach : 0.15;
        for (int c = first; c < first + *used && f > 0; c++) {
            if (!snw_trial_is_present(trial, f - 1, c) || snw_trial_is_present(trial, f, c))
                continue;
            double d = snw_vec3_distance(snw_trial_position(trial, f - 1, c), place);
            if (d < least) least = d, nearest = c;
        }
        if (nearest < 0 && *used < PEOPLE_TRACKS_MAX) nearest = first + (*used)++;
        if (nearest >= 0) snw_trial_set(trial, f, nearest, place, SNW_SAMPLE_MEASURED);
    }
}

/* The capture so far without the columns that nobody used. */
static snw_status cut(const live_stream *stream, const snw_trial *trial, int frames, int used,
                      snw_trial **out, snw_error *error)
{
    snw_trial window = snw_trial_window(trial, 0, frames);
    int count = stream->marker_count + used;
    int *keep = malloc(((size_t)count + 1) * sizeof *keep);
    if (!keep) return SNW_OUT_OF_MEMORY;
    for (int m = 0; m < count; m++)
        keep[m] = m;
    snw_status status = snw_trial_pick(&window, keep, count, NULL, out, error);
    free(keep);
    return status;
}

/* What is known after some of the seconds. */
static void say_so_far(const live_stream *stream, const snw_trial *trial, int frames, int used,
                       void (*say)(void *, const char *), void *context)
{
    snw_solve_options options = snw_solve_options_default();
    snw_solution *solution = NULL;
    snw_trial *part = NULL;
    snw_error error;
    char sentence[400];
    options.stops_after = SNW_SOLVE_ACTORS;
    if (cut(stream, trial, frames, used, &part, &error) == SNW_OK &&
        snw_solve(part, &options, NULL, &solution, &error) == SNW_OK && solution->body_count > 0) {
        const snw_actor *actor = solution->body[0].kept;
        int open = 0, length = 0;
        char names[240] = "";
        for (int j = 1; j < actor->skeleton->joint_count; j++) {
            if (!actor->estimate[j].is_uncertain) continue;
            if (open++ < 5)
                length += snw_format(names + length, sizeof names - (size_t)length, "%s%s",
                                     open > 1 ? ", " : "", actor->skeleton->name[j]);
        }
        (void)snw_format(sentence, sizeof sentence, "after %.0f s: %d joints%s%s%s",
                         frames / stream->rate, actor->skeleton->joint_count,
                         open ? "; still uncertain, move them: " : "", names,
                         open > 5 ? ", ..." : "");
        say(context, sentence);
    }
    snw_solution_destroy(solution);
    snw_trial_destroy(part);
}

/* Frames of the first seconds; they are lost for the sinks. */
static snw_trial *collect(live_people *people, double seconds, void (*say)(void *, const char *),
                          void *context)
{
    live_stream *stream = people->stream;
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL, *all = NULL;
    snw_error error = {0};
    int frame = 0, used = 0, told = 0;
    options.marker_count = stream->marker_count + (stream->loose_room > 0 ? PEOPLE_TRACKS_MAX : 0);
    options.rate = stream->rate;
    options.frame_count = (int)(seconds * stream->rate) > 0 ? (int)(seconds * stream->rate) : 1;
    snw_status status = snw_trial_create(&options, NULL, &trial, &error);
    for (int m = 0; m < options.marker_count && status == SNW_OK; m++) {
        char loose[32];
        (void)snw_format(loose, sizeof loose, "*%d", m - stream->marker_count + 1);
        status = snw_trial_set_marker_name(
            trial, m, m < stream->marker_count ? stream->names.name[m] : loose, &error);
    }
    if (status == SNW_OK) trial->up = stream->up;
    while (status == SNW_OK && frame < trial->frame_count && !live_is_stopped()) {
        int place = live_queue_take(&stream->frames, LIVE_WAIT_MS);
        if (place == -1) continue;
        if (place == -2) break;
        const live_frame *came = &stream->frame[place];
        for (int m = 0; m < stream->marker_count; m++) {
            const snw_sample *s = &came->sample[m];
            snw_trial_set(trial, frame, m, snw_vec3_make(s->x, s->y, s->z),
                          (snw_sample_state)came->state[m]);
        }
        join_loose(stream, came, trial, frame, &used);
        live_queue_taken(&stream->frames);
        frame++;
        if (!stream->is_patient && 5 * frame >= (told + 2) * trial->frame_count && told < 3) {
            say_so_far(stream, trial, frame, used, say, context);
            told++;
        }
    }
    if (status == SNW_OK && frame < trial->frame_count) {
        status = SNW_NOT_FOUND;
        (void)snw_format(error.message, sizeof error.message,
                         "the stream ended after %d of the %d frames that show who it is", frame,
                         trial->frame_count);
    }
    if (status == SNW_OK) status = cut(stream, trial, frame, used, &all, &error);
    snw_trial_destroy(trial);
    if (status != SNW_OK) (void)cli_fail(people->arguments, "%s", error.message);
    return status == SNW_OK ? all : NULL;
}

/* ---- bodies
 * --------------------------------------------------------------------------------------
 */

static live_person *add_person(live_people *people, const char *name)
{
    live_person *person = people->count < LIVE_PEOPLE_MAX ? calloc(1, sizeof *person) : NULL;
    if (!person) {
        (void)cli_fail(people->arguments,
                       people->count < LIVE_PEOPLE_MAX ? "no memory for a person"
                                                       : "more people than %d are not followed",
                       LIVE_PEOPLE_MAX);
        return NULL;
    }
    (void)snw_format(person->name, sizeof person->name, "%s", name);
    people->person[people->count++] = person;
    return person;
}

/* "joe" of "data/joe.actor". */
static void name_of_path(const char *path, char name[SNW_PACKET_NAME])
{
    const char *slash = strrchr(path, '/');
    (void)snw_format(name, SNW_PACKET_NAME, "%.48s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && dot > name) *dot = 0;
}

static bool solve_bodies(live_people *people, const snw_trial *trial)
{
    snw_solution *solution = NULL;
    snw_error error;
    snw_status status = snw_solve(trial, NULL, NULL, &solution, &error);
    if (status == SNW_OK && solution->body_count == 0) {
        status = SNW_NOT_FOUND;
        (void)snw_format(error.message, sizeof error.message, "no body was found in these seconds");
    }
    for (int b = 0; status == SNW_OK && b < solution->body_count; b++) {
        const snw_solved_body *body = &solution->body[b];
        char name[SNW_PACKET_NAME];
        (void)snw_format(name, sizeof name, "person%d", b + 1);
        fprintf(stderr, "sinew live: %d joints, %s%s%s\n", body->joint_count,
                snw_verdict_name(solution->verdict), body->judgements->count > 0 ? ": " : "",
                body->judgements->count > 0 ? body->judgements->item[0].sentence : "");
        live_person *person = add_person(people, name);
        if (!person) break;
        status = snw_actor_copy(body->kept, NULL, &person->actor, &error);
    }
    if (status == SNW_OK && people->stream->up == SNW_UP_UNKNOWN)
        people->stream->up = solution->trial->up;
    snw_solution_destroy(solution);
    if (status != SNW_OK) (void)cli_fail(people->arguments, "%s", error.message);
    return status == SNW_OK && people->count > 0;
}

/* The numbers of the stream's markers that this person carries. */
static int count_markers(const live_people *people, const live_person *person)
{
    int found = 0;
    for (int m = 0; m < person->actor->marker_count; m++)
        found += snw_actor_find_marker(person->actor, &people->stream->names, m) >= 0;
    return found;
}

/* Segments for the prediction of hidden markers: those of the actor. */
static snw_status make_segments(live_person *person, const snw_name_list *names, int point_count,
                                snw_error *error)
{
    const snw_actor *actor = person->actor;
    int *segment = malloc(((size_t)point_count + 1) * sizeof *segment), count = 0, last = -1;
    if (!segment) return SNW_OUT_OF_MEMORY;
    for (int m = 0; m < point_count; m++)
        segment[m] = -1;
    for (int m = 0; m < actor->marker_count; m++) {
        int place = snw_actor_find_marker(actor, names, m);
        if (actor->marker[m].joint != last) {
            last = actor->marker[m].joint;
            count++;
        }
        if (place >= 0) segment[place] = count - 1;
    }
    snw_status status =
        snw_segments_create(segment, point_count, NULL, NULL, &person->segments, error);
    free(segment);
    return status;
}

static snw_status make_labels(live_people *people, live_person *person, snw_error *error)
{
    size_t count = (size_t)person->actor->marker_count + 1;
    person->point_of = calloc(count, sizeof *person->point_of);
    person->sample = calloc(count, sizeof *person->sample);
    person->state = calloc(count, 1);
    person->names = calloc(count, sizeof *person->names);
    if (!person->point_of || !person->sample || !person->state || !person->names)
        return SNW_OUT_OF_MEMORY;
    for (int m = 0; m < person->actor->marker_count; m++)
        person->names[m] = person->actor->marker[m].name;
    return snw_live_labels_create(person->actor, people->stream->rate, people->stream->loose_room,
                                  NULL, &person->labels, error);
}

static bool open_body(live_people *people, live_person *person, const snw_style *style)
{
    live_stream *stream = people->stream;
    snw_live_body_options options = snw_live_body_options_default();
    snw_tracker_options tracker = snw_tracker_options_default();
    snw_name_list names = stream->names;
    snw_error error = {.message = "no memory for a body"};
    snw_status status = SNW_OK;
    int found = count_markers(people, person);
    if (found < 3 && stream->loose_room > 0) {
        status = make_labels(people, person, &error);
        names = (snw_name_list){person->names, person->actor->marker_count};
    } else if (found < 3) {
        return cli_fail(people->arguments,
                        "%d of the actor's %d markers come: it has %s, the stream %s: another "
                        "person or other names",
                        found, person->actor->marker_count,
                        person->actor->marker_count > 0 ? person->actor->marker[0].name : "none",
                        names.count > 0 ? names.name[0] : "none") == CLI_DONE;
    }
    tracker.rate = stream->rate;
    tracker.up = stream->up;
    tracker.style = style;
    options.tracker = &tracker;
    if (status == SNW_OK && cli_flag(people->arguments, "--predict"))
        status = make_segments(person, &names, names.count, &error);
    options.segments = person->segments;
    if (status == SNW_OK)
        status = snw_live_body_create(person->actor, &names, &options, NULL, &person->body, &error);
    if (status != SNW_OK) (void)cli_fail(people->arguments, "%s", error.message);
    return status == SNW_OK;
}

/* ---- upper bodies and hands
 * ----------------------------------------------------------------------
 */

static void fill_trackers(const live_people *people, const live_frame *frame, const int *part_of,
                          snw_avatar_frame *out)
{
    *out = (snw_avatar_frame){.time = frame->time};
    for (int m = 0; m < people->stream->marker_count; m++) {
        int role = part_of[m];
        if (role < 0 || frame->state[m] == SNW_SAMPLE_MISSING) continue;
        const snw_sample *s = &frame->sample[m];
        out->is_present[role] = true;
        out->world_from_tracker[role] =
            snw_xform_make(frame->rotation[m], snw_vec3_make(s->x, s->y, s->z));
    }
}

static bool know_roles(live_people *people, live_person *person)
{
    const live_stream *stream = people->stream;
    int found = 0;
    person->part_of = malloc(((size_t)stream->marker_count + 1) * sizeof *person->part_of);
    if (!person->part_of) return cli_fail(people->arguments, "no memory for trackers") == CLI_DONE;
    for (int m = 0; m < stream->marker_count; m++) {
        snw_avatar_role role = snw_avatar_role_from_label(stream->names.name[m]);
        person->part_of[m] = role < SNW_AVATAR_ROLE_COUNT ? (int)role : -1;
        found += person->part_of[m] >= 0;
    }
    return found > 0 || cli_fail(people->arguments,
                                 "no tracker is called head, chest, left_hand or the like: the "
                                 "first is \"%s\"",
                                 stream->marker_count ? stream->names.name[0] : "") == CLI_DONE;
}

/* A T-pose for a second, then any motion. */
static bool calibrate_trackers(live_people *people, live_person *person, double seconds,
                               snw_avatar_profile *profile)
{
    live_stream *stream = people->stream;
    int frames = (int)(seconds * stream->rate) > 1 ? (int)(seconds * stream->rate) : 1, got = 0;
    snw_avatar_frame *frame = calloc((size_t)frames, sizeof *frame);
    snw_notes notes = {0};
    snw_error error = {.message = "no memory for trackers"};
    while (frame && got < frames && !live_is_stopped()) {
        int place = live_queue_take(&stream->frames, LIVE_WAIT_MS);
        if (place == -1) continue;
        if (place == -2) break;
        fill_trackers(people, &stream->frame[place], person->part_of, &frame[got++]);
        live_queue_taken(&stream->frames);
    }
    if (got < frames && frame)
        (void)snw_format(error.message, sizeof error.message,
                         "the stream ended after %d of the %d frames that show who it is", got,
                         frames);
    snw_up_axis up = stream->up == SNW_UP_UNKNOWN ? SNW_UP_Y : stream->up;
    const snw_avatar_capture capture = {
        .frame_count = got, .rate = stream->rate, .up = snw_up_direction(up), .frame = frame};
    bool is_known = frame && got == frames &&
                    snw_avatar_calibrate(&capture, NULL, profile, &notes, &error) == SNW_OK;
    if (!is_known) (void)cli_fail(people->arguments, "%s", error.message);
    free(frame);
    return is_known;
}

static bool open_avatar(live_people *people, double seconds)
{
    const char *path = cli_value(people->arguments, "--actor", NULL);
    live_person *person = add_person(people, "avatar");
    snw_avatar_options options = snw_avatar_options_default();
    snw_avatar_profile profile;
    snw_error error;
    if (!person || !know_roles(people, person)) return false;
    if (path) {
        if (!(person->actor = cli_read_actor(people->arguments, path))) return false;
        if (snw_avatar_profile_from_actor(person->actor, &profile, &error) != SNW_OK)
            return cli_fail(people->arguments, "%s: %s", path, error.message) == CLI_DONE;
        name_of_path(path, person->name);
    } else {
        fprintf(stderr, "sinew live: stand in a T-pose for a second, then move for %g s\n",
                seconds - 1);
        if (!calibrate_trackers(people, person, seconds, &profile)) return false;
        if (snw_avatar_profile_to_actor(&profile, NULL, &person->actor, &error) != SNW_OK)
            return cli_fail(people->arguments, "%s", error.message) == CLI_DONE;
    }
    if (people->stream->up == SNW_UP_UNKNOWN) people->stream->up = SNW_UP_Y;
    options.up = snw_up_direction(people->stream->up);
    if (snw_avatar_create(&profile, &options, NULL, &person->avatar, &error) == SNW_OK) return true;
    return cli_fail(people->arguments, "%s", error.message) == CLI_DONE;
}

static bool open_hand(live_people *people, const snw_trial *trial)
{
    const char *path = cli_value(people->arguments, "--actor", NULL);
    const char *word = cli_value(people->arguments, "--hand", "");
    live_stream *stream = people->stream;
    snw_side side = strcmp(word, "left") == 0 ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT;
    live_person *person = add_person(people, word);
    snw_hand_capture *capture = NULL;
    snw_hand_profile profile;
    snw_notes notes = {0};
    snw_error error = {.message = "no memory for a hand"};
    if (!person) return false;
    person->part_of = malloc(((size_t)stream->marker_count + 1) * sizeof *person->part_of);
    snw_status status = person->part_of ? SNW_OK : SNW_OUT_OF_MEMORY;
    for (int m = 0; m < stream->marker_count && status == SNW_OK; m++) {
        snw_side its = side;
        bool has_side = false;
        int marker = snw_hand_marker_from_label(stream->names.name[m], &its, &has_side);
        person->part_of[m] = has_side && its != side ? -1 : marker;
    }
    if (status == SNW_OK && path) {
        if (!(person->actor = cli_read_actor(people->arguments, path))) return false;
        status = snw_hand_profile_from_actor(person->actor, &profile, &error);
    } else if (status == SNW_OK) {
        status = snw_hand_capture_from_trial(trial, side, NULL, &capture, &notes, &error);
        if (status == SNW_OK) status = snw_hand_calibrate(capture, &profile, &notes, &error);
        if (status == SNW_OK)
            status = snw_hand_profile_to_actor(&profile, NULL, &person->actor, &error);
    }
    if (status == SNW_OK) status = snw_hand_create(&profile, NULL, NULL, &person->hand, &error);
    snw_hand_capture_destroy(capture);
    if (status != SNW_OK) (void)cli_fail(people->arguments, "%s", error.message);
    return status == SNW_OK;
}

/* ---- opening
 * -------------------------------------------------------------------------------------
 */

static bool read_actors(live_people *people)
{
    const char *path;
    for (int n = 0; (path = cli_value_at(people->arguments, "--actor", n)) != NULL; n++) {
        char name[SNW_PACKET_NAME];
        name_of_path(path, name);
        live_person *person = add_person(people, name);
        if (!person || !(person->actor = cli_read_actor(people->arguments, path))) return false;
    }
    return true;
}

static bool open_bodies(live_people *people, const snw_trial *trial, const snw_style *style)
{
    if (!trial && !read_actors(people)) return false;
    if (trial && !solve_bodies(people, trial)) return false;
    for (int n = 0; n < people->count; n++)
        if (!open_body(people, people->person[n], style)) return false;
    return true;
}

/* The first person under the given name, others with their number. */
static bool keep_actors(live_people *people)
{
    const char *path = cli_value(people->arguments, "--save-actor", NULL);
    for (int n = 0; path && n < people->count; n++) {
        char numbered[4096];
        const char *dot = strrchr(path, '.');
        int stem = dot ? (int)(dot - path) : (int)strlen(path);
        (void)snw_format(numbered, sizeof numbered, "%.*s-%d%s", stem, path, n + 1, dot ? dot : "");
        if (cli_write_actor(people->arguments, n == 0 ? path : numbered,
                            people->person[n]->actor) != CLI_DONE)
            return false;
    }
    return true;
}

static bool open_filters(live_people *people)
{
    double cutoff = 0;
    snw_error error;
    if (!cli_number(people->arguments, "--smooth", 0.1, 100, &cutoff)) return false;
    for (int n = 0; cutoff > 0 && n < people->count; n++) {
        live_person *person = people->person[n];
        if (snw_live_filter_create(live_person_skeleton(person), cutoff, people->stream->rate, NULL,
                                   &person->filter, &error) != SNW_OK)
            return cli_fail(people->arguments, "%s", error.message) == CLI_DONE;
        if (n == 0)
            cli_note(people->arguments,
                     "poses lag by %.0f ms at rest, a joint by a degree at most when it moves",
                     1000 * snw_live_filter_lag(person->filter, 0));
    }
    return true;
}

live_people *live_people_open(live_stream *stream, void (*say)(void *, const char *), void *context)
{
    const cli_arguments *arguments = stream->arguments;
    live_people *people = calloc(1, sizeof *people);
    const char *style_path = cli_value(arguments, "--style", NULL);
    const char *hand = cli_value(arguments, "--hand", NULL);
    double seconds = 10;
    snw_trial *trial = NULL;
    if (!people) {
        (void)cli_fail(arguments, "no memory for people");
        return NULL;
    }
    people->arguments = arguments;
    people->stream = stream;
    bool is_open = cli_number(arguments, "--calibrate", 0.1, 600, &seconds);
    if (hand && strcmp(hand, "left") != 0 && strcmp(hand, "right") != 0)
        is_open = cli_misuse(arguments, "--hand %s: left or right", hand) == CLI_DONE;
    if (is_open && style_path)
        is_open = (people->style = cli_read_style(arguments, style_path)) != NULL;
    if (is_open && stream->has_trackers && !hand) {
        is_open = open_avatar(people, seconds);
    } else if (is_open) {
        if (!cli_flag(arguments, "--actor")) {
            char sentence[120];
            (void)snw_format(sentence, sizeof sentence,
                             "move arms and legs for %g s; then the body is known", seconds);
            say(context, sentence);
            is_open = (trial = collect(people, seconds, say, context)) != NULL;
        }
        if (is_open)
            is_open = is_hand(people) ? open_hand(people, trial)
                                      : open_bodies(people, trial, people->style);
    }
    snw_trial_destroy(trial);
    if (is_open && keep_actors(people) && open_filters(people)) return people;
    live_people_close(people);
    return NULL;
}

void live_people_close(live_people *people)
{
    if (!people) return;
    for (int n = 0; n < people->count; n++) {
        live_person *person = people->person[n];
        snw_live_filter_destroy(person->filter);
        snw_live_body_destroy(person->body);
        snw_live_labels_destroy(person->labels);
        snw_segments_destroy(person->segments);
        snw_avatar_destroy(person->avatar);
        snw_hand_destroy(person->hand);
        snw_actor_destroy(person->actor);
        free(person->point_of);
        free(person->sample);
        free(person->state);
        free(person->names);
        free(person->part_of);
        free(person);
    }
    snw_style_destroy(people->style);
    free(people);
}

const snw_skeleton *live_person_skeleton(const live_person *person)
{
    if (person->avatar) return snw_avatar_skeleton(person->avatar);
    return person->hand ? snw_hand_skeleton(person->hand) : person->actor->skeleton;
}

const char *live_person_name(const live_person *person)
{
    return person->name;
}

/* ---- a frame
 * -------------------------------------------------------------------------------------
 */

static bool step_loose(live_people *people, int n, const live_frame *frame,
                       const snw_loose_points *points, snw_pose *pose)
{
    live_person *person = people->person[n];
    int found = snw_live_labels_step(person->labels, points, person->point_of);
    const snw_sample *loose = frame->sample + people->stream->marker_count;
    for (int m = 0; m < person->actor->marker_count; m++) {
        int p = person->point_of[m];
        person->state[m] = p >= 0 ? SNW_SAMPLE_MEASURED : SNW_SAMPLE_MISSING;
        person->sample[m] = p >= 0 ? loose[p] : (snw_sample){0, 0, 0, -1};
    }
    const snw_frame named = {.marker_count = person->actor->marker_count,
                             .time = frame->time,
                             .metres_per_unit = 1,
                             .residual_scale = 1,
                             .sample = person->sample,
                             .state = person->state};
    if (found > 0 && !person->was_there) {
        snw_tracker_reset(snw_live_body_tracker(person->body));
        people->found[n]++;
    }
    person->was_there = found > 0;
    snw_track track = snw_live_body_step(person->body, &named, pose);
    snw_live_labels_learn(person->labels, &track, pose);
    return found > 0 && !track.is_lost;
}

static bool step_hand(const live_people *people, const live_person *person, const live_frame *frame,
                      snw_pose *pose)
{
    snw_hand_frame seen = {.time = frame->time};
    snw_hand_report report;
    for (int m = 0; m < people->stream->marker_count; m++) {
        int part = person->part_of[m];
        if (part < 0 || frame->state[m] == SNW_SAMPLE_MISSING) continue;
        const snw_sample *s = &frame->sample[m];
        seen.is_seen[part] = true;
        seen.place[part] = snw_vec3_make(s->x, s->y, s->z);
    }
    snw_hand_step(person->hand, &seen, pose, &report);
    return report.is_palm_determined;
}

static bool step_avatar(const live_people *people, const live_person *person,
                        const live_frame *frame, snw_pose *pose)
{
    snw_avatar_frame seen;
    fill_trackers(people, frame, person->part_of, &seen);
    snw_avatar_step(person->avatar, &seen, pose, NULL);
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
        if (seen.is_present[role]) return true;
    return false;
}

void live_people_step(live_people *people, const live_frame *frame, snw_pose **pose,
                      bool *is_followed)
{
    const live_stream *stream = people->stream;
    snw_vec3 place[LIVE_POINTS_MAX];
    bool is_taken[LIVE_POINTS_MAX];
    const snw_loose_points points = {place, is_taken, frame->loose_count};
    for (int k = 0; k < frame->loose_count; k++) {
        const snw_sample *s = &frame->sample[stream->marker_count + k];
        place[k] = snw_vec3_make(s->x, s->y, s->z);
        is_taken[k] = frame->state[stream->marker_count + k] == SNW_SAMPLE_MISSING;
    }
    snw_frame look = live_stream_look(stream, frame);
    look.marker_count = stream->marker_count;
    for (int n = 0; n < people->count; n++) {
        live_person *person = people->person[n];
        if (person->avatar)
            is_followed[n] = step_avatar(people, person, frame, pose[n]);
        else if (person->hand)
            is_followed[n] = step_hand(people, person, frame, pose[n]);
        else if (person->labels)
            is_followed[n] = step_loose(people, n, frame, &points, pose[n]);
        else
            is_followed[n] = !snw_live_body_step(person->body, &look, pose[n]).is_lost;
        if (person->filter) snw_live_filter_step(person->filter, pose[n]);
        people->followed[n] += is_followed[n];
    }
}
