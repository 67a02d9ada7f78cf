/* `sinew bench reach-table`: what trackers on the ends of a chain leave open between them. */
#include <string.h>

#include "bench/bench_act.h"

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

int bench_reach_table(const cli_arguments *arguments)
{
    int joint_count = arguments->operand_count - 1;
    table_row own = {joint_count + 1, {NULL, NULL, NULL}};
    if (joint_count > 3) return cli_misuse(arguments, "a chain has at most three joints");
    for (int n = 0; n < joint_count; n++)
        own.joint[n] = arguments->operand[n + 1];
    const table_row *rows = joint_count ? &own : table_rows;
    size_t count = joint_count ? 1 : sizeof table_rows / sizeof table_rows[0];
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
