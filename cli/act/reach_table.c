/* `sinew reach-table`: what trackers on the ends of a chain leave open between them. */
#include <string.h>

#include "command.h"

typedef struct table_row {
    int links;
    const char *joint[3];
} table_row;

/* Casanueva's Table 4.1, one row for each kind of joint that makes a difference. */
static const table_row table_rows[] = {
    {1, {NULL, NULL, NULL}}, {2, {"F", NULL, NULL}},  {2, {"T", NULL, NULL}},
    {2, {"FF", NULL, NULL}}, {2, {"FT", NULL, NULL}}, {2, {"S", NULL, NULL}},
    {3, {"F", "F", NULL}},   {3, {"FF", "F", NULL}},  {3, {"S", "F", NULL}},
    {4, {"F", "F", "F"}},    {4, {"T", "T", "T"}},    {4, {"FF", "F", "F"}},
    {4, {"FF", "F", "FF"}},  {4, {"FT", "F", "T"}},   {4, {"S", "F", "F"}},
    {4, {"S", "F", "FF"}},   {4, {"S", "F", "S"}},
};

/* "--S--F--S--" */
static void chain_text(const table_row *row, char *text, size_t size)
{
    int length = snw_format(text, size, "--");
    for (int j = 0; j < row->links - 1; j++)
        length += snw_format(text + length, size - (size_t)length, "%s--", row->joint[j]);
}

static void shape_text(const snw_reach_set *set, char *text, size_t size)
{
    bool has_special = set->special != set->shape;
    snw_format(text, size, "%s%s%s%s", snw_reach_shape_name(set->shape),
               has_special ? ", in special positions " : "",
               has_special ? snw_reach_shape_name(set->special) : "", "");
}

static void roll_text(const snw_reach_set *set, char *text, size_t size)
{
    int free_count = 0, length = 0;
    *text = 0;
    for (int n = 0; n < 3; n++)
        if (set->is_roll_free[n])
            length += snw_format(text + length, size - (size_t)length, "%slink %d",
                                 free_count++ ? ", " : "", n + 2);
    if (!free_count) snw_format(text, size, "-");
}

static int print_row(const cli_arguments *arguments, const table_row *row, cli_json *json)
{
    char chain[64], shape[96], roll[48];
    snw_reach_set set;
    snw_error error;
    if (snw_reach_analyse(row->joint, row->links, &set, &error) != SNW_OK)
        return cli_misuse(arguments, "%s", error.message);
    chain_text(row, chain, sizeof chain);
    shape_text(&set, shape, sizeof shape);
    roll_text(&set, roll, sizeof roll);
    if (!json) {
        printf("%-18s %5d  %-44s %s\n", chain, row->links, shape, roll);
        return CLI_DONE;
    }
    cli_json_object(json, NULL);
    cli_json_string(json, "chain", chain);
    cli_json_integer(json, "links", row->links);
    cli_json_string(json, "reach", snw_reach_shape_name(set.shape));
    cli_json_string(json, "special", snw_reach_shape_name(set.special));
    cli_json_string(json, "free_roll", roll);
    cli_json_end_object(json);
    return CLI_DONE;
}

static int run_reach_table(const cli_arguments *arguments)
{
    table_row own = {arguments->operand_count + 1, {NULL, NULL, NULL}};
    for (int n = 0; n < arguments->operand_count; n++)
        own.joint[n] = arguments->operand[n];
    const table_row *rows = arguments->operand_count ? &own : table_rows;
    size_t count = arguments->operand_count ? 1 : sizeof table_rows / sizeof table_rows[0];
    bool is_json = cli_flag(arguments, "--json");
    cli_json json = cli_json_begin(stdout);
    if (is_json)
        cli_json_array(&json, NULL);
    else
        printf("%-18s %5s  %-44s %s\n", "chain", "links", "the undetermined joint can be",
               "rolls freely");
    int code = CLI_DONE;
    for (size_t n = 0; n < count && code == CLI_DONE; n++)
        code = print_row(arguments, &rows[n], is_json ? &json : NULL);
    if (is_json) cli_json_end_array(&json);
    return code;
}

static const cli_option reach_table_options[] = {{NULL, NULL, NULL, NULL}};

const cli_command cli_reach_table_command = {
    "reach-table",
    "say what trackers leave open in a chain of links",
    "[JOINT ...]",
    "A chain of 1 to 4 links carries a tracker on its first link and, from three links on, on its\n"
    "last. Between the links are joints of T (twist), F (flexion) and S (spherical = FFT). "
    "Without\n"
    "operands the table of Casanueva (1999, 4.1) is printed; with the words of up to three "
    "joints,\n"
    "the row of that chain.\n\n"
    "examples:\n"
    "  sinew reach-table            the whole table\n"
    "  sinew reach-table S F S      an arm: shoulder, elbow, wrist: the elbow circle",
    reach_table_options,
    0,
    3,
    run_reach_table,
};
