/* What the files of `sinew live` share. Sources are read by a thread each, one thread solves, one
 * sends, one records, one serves pages. Between two threads stands a bounded queue without locks
 * (nothing is lost unless it is full, which is counted) or a box that holds the newest alone. */
#ifndef SINEW_CLI_LIVE_H
#define SINEW_CLI_LIVE_H

#include <netinet/in.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "command.h"

enum {
    LIVE_DATAGRAM = 65536,  /* the largest that UDP has */
    LIVE_WAIT_MS = 100,     /* how long somebody waits before looking whether all is to end */
    LIVE_POINTS_MAX = 4096, /* of a source */
    LIVE_SIGHTS_MAX = 1 << 14,
    LIVE_SOURCES_MAX = 8,
    LIVE_PEOPLE_MAX = 16,
    LIVE_QUEUE = 2048,      /* frames that wait; a power of two */
    LIVE_QUEUE_PATIENT = 16 /* of a source that waits itself */
};

/* ---- the system (net.c) ------------------------------------------------------------------------
 */

/* True once SIGINT or SIGTERM came, or live_stop was called. */
bool live_is_stopped(void);
void live_stop(void);
void live_watch_signals(void);

/* "HOST:PORT", "HOST" or ":PORT" of IPv4; names are not looked up. Complains itself. */
bool live_address(const cli_arguments *arguments, const char *text, int port,
                  struct sockaddr_in *address);
bool live_is_loopback(const struct sockaddr_in *address);
/* A UDP socket bound to the address; -1, complaining, where it cannot be. */
int live_socket(const cli_arguments *arguments, const struct sockaddr_in *address);
/* A TCP socket that listens there. */
int live_listen(const cli_arguments *arguments, struct sockaddr_in *address);
/* A TCP connection, -1 where nobody answers within the time. Says nothing. */
int live_connect(const struct sockaddr_in *address, int milliseconds);
/* Waits for something to read: 1, 0 after the time, -1 when the program is to end. */
int live_wait(int socket, int milliseconds);
/* Sends all of it, waiting as long as it goes on; false: the other end is gone. */
bool live_send_all(int socket, const void *bytes, size_t size);
void live_sleep_until(double microseconds);

/* ---- between threads (queue.c) -----------------------------------------------------------------
 */

/* One thread puts in, one takes out; what is in the places belongs to the caller. */
typedef struct live_queue {
    unsigned room; /* a power of two */
    atomic_uint put, taken;
    atomic_bool is_closed;
    sem_t ready;
} live_queue;

bool live_queue_open(live_queue *queue, unsigned room);
void live_queue_destroy(live_queue *queue);
/* The place to fill, -1 where the queue is full; then live_queue_put. */
int live_queue_place(const live_queue *queue);
/* The same, waiting; -1 when the program is to end. */
int live_queue_wait_place(live_queue *queue);
void live_queue_put(live_queue *queue);
/* The oldest place, -1 after the time; -2: closed and empty. Then live_queue_taken. */
int live_queue_take(live_queue *queue, int milliseconds);
void live_queue_taken(live_queue *queue);
void live_queue_close(live_queue *queue);
unsigned live_queue_count(const live_queue *queue);

/* Three places: one is written, one is read, the newest lies between. */
typedef struct live_box {
    atomic_uint middle; /* a place, and 4 where nobody has taken it yet */
    unsigned back, front;
} live_box;

void live_box_open(live_box *box);
void live_box_put(live_box *box);  /* what is in `back` is the newest; another back */
bool live_box_take(live_box *box); /* true: `front` is newer than before */

/* Times, in bins a hundredth apart: no memory grows. Microseconds, 0.1 to 1e8. */
enum {
    LIVE_TIMES = 2100
};
typedef struct live_times {
    int64_t count, bin[LIVE_TIMES];
} live_times;

void live_times_add(live_times *times, double microseconds);
double live_times_quantile(const live_times *times, double quantile);

/* ---- sources -----------------------------------------------------------------------------------
 */

typedef enum live_news {
    LIVE_FRAME,
    LIVE_NOTHING,
    LIVE_END,
    LIVE_FAILED
} live_news;

/* A protocol: fills `packet`, one frame a call. */
typedef struct live_source {
    const cli_arguments *arguments;
    const char *protocol, *address; /* as the command line has them */
    bool is_patient;                /* a file or a pipe: it waits where others would be lost */
    bool has_trackers;              /* 6-DoF: places and rotations of things, not markers */
    snw_packet_frame packet;        /* room for LIVE_POINTS_MAX */
    snw_cameras *cameras;           /* --cameras: JSON may hold what they saw; NULL */
    snw_packet_views views;         /* room for LIVE_SIGHTS_MAX */
    double received_us;             /* when it came, on the clock of cli_microseconds */
    int64_t refused;                /* packets that were not understood */
    int64_t connections;            /* that were made again */
    bool has_complained;
    live_news (*next)(struct live_source *source);
    void (*close)(struct live_source *source);
    uint8_t *bytes; /* (bytes_room) of a stream that are not read yet */
    size_t size, bytes_room;
} live_source;

/* Memory of a source of `size` bytes that begins with a live_source; complains itself. */
void *live_source_make(const cli_arguments *arguments, const char *protocol, const char *address,
                       size_t size);
void live_source_free(live_source *source);
/* More bytes of a connection: 1, 0: none came in time, -1: it is gone. */
int live_source_fill(live_source *source, int socket);
/* JSON of a frame, also of cameras where the command line names a calibration. */
snw_status live_source_read_json(live_source *source, size_t size, snw_error *error);
void live_source_drop(live_source *source, size_t size);

live_source *live_open_natnet(const cli_arguments *arguments, const char *server);
live_source *live_open_qtm(const cli_arguments *arguments, const char *server);
live_source *live_open_vrpn(const cli_arguments *arguments, const char *server);
live_source *live_open_vmc(const cli_arguments *arguments, const char *address);
live_source *live_open_websocket(const cli_arguments *arguments, const char *server);
live_source *live_open_stdin(const cli_arguments *arguments, const char *nothing);
live_source *live_open_replay(const cli_arguments *arguments, const char *path);

/* A capture's frame as a packet; loose: nobody names the points, which come in any order. */
void live_packet_of(const snw_trial *trial, int frame, bool is_loose, snw_packet_frame *packet);
/* Trackers of a capture (rotations, or three points each) as packets; NULL, complaining. */
snw_avatar_capture *live_trackers_of(const cli_arguments *arguments, const snw_trial *trial);
void live_packet_of_trackers(const snw_avatar_capture *capture, int frame,
                             snw_packet_frame *packet);

/* ---- all sources on one clock (stream.c) --------------------------------------------------------
 */

/* A frame as it is solved and recorded: the markers that have names, in the order of the stream's
 * names, then loose ones. */
typedef struct live_frame {
    int64_t number; /* from 0 */
    double time;    /* seconds from the first frame, on the first source's clock */
    double received_us;
    int loose_count;
    snw_sample *sample; /* (point_count) metres */
    uint8_t *state;
    snw_quat *rotation; /* (marker_count) of trackers */
} live_frame;

/* What a source's clock and network did. */
typedef struct live_clock {
    int64_t frames, lost, late, restarts, renamed;
    double drift;     /* of its clock against ours, parts of a million; NaN: too short to say */
    double jitter_us; /* 95 of 100 frames come within, behind the earliest */
    double rate;      /* frames a second that came */
} live_clock;

typedef struct live_stream {
    const cli_arguments *arguments;
    int source_count;
    live_source *source[LIVE_SOURCES_MAX];
    double rate;
    snw_up_axis up;
    bool is_patient, has_trackers;
    int marker_count, loose_room, point_count; /* markers with names; places for loose ones; both */
    snw_name_list names;                       /* (marker_count) */
    live_queue frames;                         /* to the solver */
    int queue_room;
    live_frame *frame;              /* (queue_room + 1) the last: of frames to record alone */
    atomic_llong skipped;           /* frames that the solver was too slow for */
    struct live_recorder *recorder; /* NULL: nobody records */
    struct live_reading *reading;   /* (source_count) */
} live_stream;

/* Opens what the command line asks for and waits until names and rate are known. Complains. */
live_stream *live_stream_open(const cli_arguments *arguments);
/* From now on frames come into the queue; false, complaining. */
bool live_stream_start(live_stream *stream);
/* What the solver sees of a frame. */
snw_frame live_stream_look(const live_stream *stream, const live_frame *frame);
live_clock live_stream_clock(const live_stream *stream, int source);
/* Waits for the readers, which end with the program or their file. */
void live_stream_join(live_stream *stream);
void live_stream_close(live_stream *stream);

/* Memory for frames; false: there is none. */
bool live_frame_make(live_frame *frame, int point_count, int marker_count);
void live_frame_free(live_frame *frame);

/* ---- people (people.c) --------------------------------------------------------------------------
 */

typedef struct live_person live_person;

typedef struct live_people {
    const cli_arguments *arguments;
    live_stream *stream;
    int count;
    live_person *person[LIVE_PEOPLE_MAX];
    snw_style *style; /* NULL: none */
    int64_t followed[LIVE_PEOPLE_MAX];
    int64_t found[LIVE_PEOPLE_MAX]; /* times that loose markers became this person's again */
} live_people;

/* Who it is: --actor, or the first seconds tell. Complains itself; NULL on failure. `say` hears
 * what calibration has found so far. */
live_people *live_people_open(live_stream *stream, void (*say)(void *context, const char *sentence),
                              void *context);
void live_people_close(live_people *people);
const snw_skeleton *live_person_skeleton(const live_person *person);
const char *live_person_name(const live_person *person);
/* The pose of every person in this frame, and whether enough was seen. */
void live_people_step(live_people *people, const live_frame *frame, snw_pose **pose,
                      bool *is_followed);

/* ---- sinks -------------------------------------------------------------------------------------
 */

/* Poses of an instant, and what the solver saw. */
typedef struct live_poses {
    int64_t number;
    double time, received_us, solved_us;
    snw_pose *pose[LIVE_PEOPLE_MAX];
    bool is_followed[LIVE_PEOPLE_MAX];
    float *marker; /* (point_count x 3) NaN: hidden */
} live_poses;

bool live_poses_make(live_poses *poses, const live_people *people);
void live_poses_free(live_poses *poses);
void live_poses_copy(live_poses *to, const live_poses *from, const live_people *people);

/* What is told, to pages and at the end. */
typedef struct live_state {
    live_stream *stream;
    live_people *people;
    live_times latency;       /* frame in to pose out; of the sender's thread */
    atomic_llong sent_frames; /* poses that left */
    atomic_llong unsent;      /* that the sinks were too slow for */
    atomic_int viewers;
    atomic_llong viewer_skips;
} live_state;

typedef struct live_sinks live_sinks;

/* What the command line asks for; complains itself, NULL on failure. */
live_sinks *live_open_sinks(live_state *state);
/* One instant; false, complaining, where a sink cannot go on. */
bool live_send(live_sinks *sinks, const live_poses *poses);
void live_close_sinks(live_sinks *sinks);

/* Writes every frame as it came into a C3D file that is whole twice a second. */
typedef struct live_recorder live_recorder;
live_recorder *live_recorder_open(live_stream *stream, const char *path);
/* By the reader's thread; waits where the disk is slow. */
void live_record(live_recorder *recorder, const live_frame *frame);
/* An exit code. */
int live_recorder_close(live_recorder *recorder);

/* Pages. */
typedef struct live_server live_server;
live_server *live_server_open(const cli_arguments *arguments);
/* Tells where the pages are. NULL is fine. */
void live_server_announce(const live_server *server);
/* A sentence for those who look on before there are poses. */
void live_server_say(live_server *server, const char *sentence);
bool live_server_start(live_server *server, live_state *state);
void live_server_show(live_server *server, const live_poses *poses);
void live_server_close(live_server *server);
extern const uint8_t live_page[];
extern const size_t live_page_size;

/* ---- the other end, for tests and for who has no cameras (simulate.c)
 * ---------------------------- */

/* Sends a capture as a server does, until a signal comes or, with --once, it ends. */
int live_simulate(const cli_arguments *arguments, const char *protocol, const char *path);

#endif
