/* JSON as a list of values in the order of the text. Internal to io.
 *
 * A value's children follow it: the first child of value n, if it has any, is n + 1, and `next` is
 * the value behind all that it holds. Strings point into the text. Nesting is bounded, so nothing
 * that is read can fill the stack. */
#ifndef SNW_IO_JSON_TREE_H
#define SNW_IO_JSON_TREE_H

#include "io/text_reader.h"

typedef struct snw__json_value {
    char kind;      /* '{' '[' '"' '0' (number) 't' 'f' 'n' */
    snw__span name; /* in an object; empty else */
    snw__span text; /* of strings (without quotes, escapes as written) and numbers */
    int count;      /* of children */
    int next;       /* the value behind this one and what it holds */
} snw__json_value;

typedef struct snw__json {
    const snw__reading *reading;
    const char *begin, *end, *at;
    int64_t first_byte; /* of the text in the file, for messages */
    int count;
    snw__json_value *value; /* (count); value 0 is the whole; NULL while counting */
} snw__json;

/* SNW_FORMAT, SNW_TRUNCATED or SNW_TOO_LARGE with the byte where it is not well. */
snw_status snw__json_parse(snw__json *json, const snw__reading *reading, snw__span text,
                           int64_t first_byte);
void snw__json_release(snw__json *json);

/* Child `name` of an object, or -1; also where `object` is -1 or none. */
int snw__json_find(const snw__json *json, int object, const char *name);
/* The same where it must be an object or list, with how many children; -1 and 0 else. */
int snw__json_list(const snw__json *json, int object, const char *name, int *count);
/* Is child `name` the string `word`? */
bool snw__json_says(const snw__json *json, int object, const char *name, const char *word);
/* A finite number at value `at`. */
bool snw__json_number(const snw__json *json, int at, double *out);
/* Child `name` as an integer of [0, limit); `missing` where there is none, -2 where it is another.
 */
int64_t snw__json_index(const snw__json *json, int object, const char *name, int64_t limit,
                        int64_t missing);
/* Exactly `count` numbers of the list `name`; false and unchanged where there is none. */
bool snw__json_numbers(const snw__json *json, int object, const char *name, int count, double *out);
/* A string with its escapes resolved to UTF-8, cut like snw__span_copy. */
void snw__json_copy(snw__span text, char name[SNW__NAME_SIZE]);

#endif
