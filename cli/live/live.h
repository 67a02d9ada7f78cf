/* What the files of `sinew live` share: frames come from a source, a body follows them, its poses
 * go to sinks. One thread: a frame is read, solved and sent before the next; frames that wait
 * behind it are read at once. */
#ifndef SINEW_CLI_LIVE_H
#define SINEW_CLI_LIVE_H

#include <netinet/in.h>

#include "command.h"

enum {
    LIVE_DATAGRAM = 65536, /* the largest that UDP has */
    LIVE_WAIT_MS = 250     /* how long a source waits before it says that nothing came */
};

/* True once SIGINT or SIGTERM came. */
bool live_is_stopped(void);
void live_watch_signals(void);

/* "HOST:PORT", "HOST" or ":PORT" of IPv4; names are not looked up. Complains itself. */
bool live_address(const cli_arguments *arguments, const char *text, int port,
                  struct sockaddr_in *address);
/* A UDP socket bound to the address; -1, complaining, where it cannot be. */
int live_socket(const cli_arguments *arguments, const struct sockaddr_in *address);
/* Waits for something to read: 1, 0 after the time, -1 when the program is to end. */
int live_wait(int socket, int milliseconds);

/* ---- sources --------------------------------------------------------------------------------- */

typedef enum live_news {
    LIVE_FRAME,
    LIVE_NOTHING,
    LIVE_END,
    LIVE_FAILED
} live_news;

/* What a source counted. */
typedef struct live_counts {
    int64_t frames, lost, late, refused;
    int64_t changed; /* times that the names changed */
} live_counts;

typedef struct live_source {
    double rate; /* frames a second; 0 until it is known */
    int marker_count;
    snw_name_list names; /* (marker_count) */
    snw_up_axis up;
    snw_frame frame;    /* the newest */
    double received_us; /* when it came, on the clock of cli_microseconds */
    live_counts counts;
    live_news (*next)(struct live_source *source);
    void (*close)(struct live_source *source);
} live_source;

/* A capture as if it came now, `speed` times as fast as it was (0: as fast as it can be solved). */
live_source *live_open_replay(const cli_arguments *arguments, const char *path, double speed);
/* A NatNet server; waits for its names and first frames. */
live_source *live_open_natnet(const cli_arguments *arguments, const char *server);

/* ---- the other end, for tests and for who has no cameras ----------------------------------------
 */

/* Sends a capture as a NatNet server does, until a signal comes or, with --once, it ends. */
int live_simulate(const cli_arguments *arguments, const char *protocol, const char *path);

/* ---- sinks ---------------------------------------------------------------------------------- */

typedef struct live_sinks live_sinks;

/* What the command line asks for; complains itself, NULL on failure. */
live_sinks *live_open_sinks(const cli_arguments *arguments, const live_source *source,
                            const snw_skeleton *skeleton);
/* One pose; false, complaining, where a sink cannot go on. */
bool live_send(live_sinks *sinks, const live_source *source, const snw_pose *pose);
/* Ends what is recorded; an exit code. */
int live_close_sinks(live_sinks *sinks);

#endif
