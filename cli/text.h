/* Words from files and people on their way to a terminal or into JSON: always valid UTF-8, never a
 * control character that moves the cursor or changes colours. */
#ifndef SINEW_CLI_TEXT_H
#define SINEW_CLI_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <sinew/math.h>

/* The character at `text` as UTF-8 in `character`; bytes that are not UTF-8 count as Latin-1, which
 * is what old capture programs write. Returns where the next one starts. */
const char *cli_text_next(const char *text, char character[5]);

/* Prints `text` and pads it with blanks to `width` characters; control characters become "?". */
void cli_print_text(FILE *out, const char *text, int width);

/* "walk.c3d: " on stdout: the file that a line is about. */
void cli_print_path(const char *path);

/* C0, delete, C1 (U+0080 to U+009F) and what turns the direction of writing (U+202A to U+202E,
 * U+2066 to U+2069)? */
bool cli_is_control(const char *character);

/* A field of CSV: in quotes where it must be (RFC 4180), control characters as "?". What a
 * spreadsheet would take for a formula (= + - @ at the start) gets a ' before it. */
void cli_put_csv_field(const char *text, FILE *out);

/* A row of a table of rays: millimetres, frame and camera as the table counts them. */
#define CLI_RAYS_HEAD                                                                            \
    "frame,marker,camera,origin_x_mm,origin_y_mm,origin_z_mm,direction_x,direction_y,direction_" \
    "z\n"
void cli_put_ray(FILE *out, const char *marker, const int frame_camera[2], snw_vec3 origin,
                 snw_vec3 direction);

/* "" for one thing, else "s": printf("%d marker%s", n, cli_s(n)). */
const char *cli_s(int64_t count);

#endif
