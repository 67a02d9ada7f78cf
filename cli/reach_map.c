/* `sinew ik --map J`: how much of the space about a body J reaches, and with how many orientations
 * (sinew/ik_map.h), in words, as a table, and as three slices through its base. */
#include <string.h>

#include "draw/markup.h"
#include "output.h"
#include "reach.h"

/* ---- options ------------------------------------------------------------------------------ */

static int read_map_options(const cli_arguments *arguments, const reach_problem *problem,
                            snw_reach_map_options *options)
{
    double cell = 0;
    int64_t directions = options->direction_count, rolls = options->roll_count, threads = 1;
    if (!cli_number(arguments, "--cell", 0.1, 1e6, &cell) ||
        !cli_integer(arguments, "--directions", 0, 4096, &directions) ||
        !cli_integer(arguments, "--rolls", 1, 360, &rolls) ||
        !cli_integer(arguments, "--threads", 1, 256, &threads))
        return CLI_USAGE;
    options->batch.ik = problem->options;
    /* What a search for one answer adds beside reaching it. */
    options->batch.ik.posture = SNW_IK_POSTURE_ALL;
    options->batch.ik.prefer = SNW_IK_PREFER_NOTHING;
    options->batch.device = cli_value(arguments, "--device", NULL);
    options->batch.worker_count = (int)threads;
    options->cell = 0.001 * cell;
    options->direction_count = (int)directions;
    options->roll_count = (int)rolls;
    return CLI_DONE;
}

/* ---- table -------------------------------------------------------------------------------- */

static bool write_table(FILE *out, const void *context)
{
    const snw_reach_map *map = context;
    fputs("x_mm,y_mm,z_mm,share\n", out);
    for (int z = 0; z < map->count[2]; z++)
        for (int y = 0; y < map->count[1]; y++)
            for (int x = 0; x < map->count[0]; x++) {
                float share = map->share[(z * map->count[1] + y) * map->count[0] + x];
                if (!(share > 0)) continue;
                fprintf(out, "%.4f,%.4f,%.4f,%.4f\n", 1000 * (map->first.x + x * map->cell),
                        1000 * (map->first.y + y * map->cell),
                        1000 * (map->first.z + z * map->cell), (double)share);
            }
    return !ferror(out);
}

/* ---- picture ------------------------------------------------------------------------------ */

/* Sizes in SVG pixels. */
enum {
    MAP_PANEL = 260,
    MAP_GAP = 50,
    MAP_TOP = 64,
    MAP_LEGEND = 70
};

typedef struct map_sketch {
    const snw_reach_map *map;
    const char *body, *joint;
} map_sketch;

/* White over blue to nearly black: the same order in grey. */
static void put_share_colour(double share, FILE *out)
{
    double light = 1 - share;
    fprintf(out, "#%02x%02x%02x", (int)(230 * light * light + 15.5), (int)(215 * light + 25.5),
            (int)(130 * light + 110.5));
}

/* The slice through the middle across axis 3 - across - up. */
static void draw_slice(const snw_reach_map *map, int across, int up, double left, FILE *out)
{
    static const char letter[] = "xyz";
    const double first[3] = {map->first.x, map->first.y, map->first.z};
    double size = (double)MAP_PANEL / map->count[across];
    int index[3];
    index[3 - across - up] = map->count[3 - across - up] / 2;
    fprintf(out,
            "<text x=\"%.0f\" y=\"%d\">%c to the right, %c up; %c = %.0f mm</text>\n"
            "<rect x=\"%.0f\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
            "stroke=\"#b0bec5\"/>\n",
            left, MAP_TOP - 8, letter[across], letter[up], letter[3 - across - up],
            1000 * (first[3 - across - up] + index[3 - across - up] * map->cell), left, MAP_TOP,
            MAP_PANEL, MAP_PANEL);
    for (int v = 0; v < map->count[up]; v++)
        for (int h = 0; h < map->count[across]; h++) {
            index[across] = h;
            index[up] = v;
            float share =
                map->share[(index[2] * map->count[1] + index[1]) * map->count[0] + index[0]];
            if (!(share > 0)) continue;
            fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"",
                    left + h * size, MAP_TOP + MAP_PANEL - (v + 1) * size, size + 0.3, size + 0.3);
            put_share_colour(share, out);
            fputs("\"/>\n", out);
        }
    double middle = (map->count[across] / 2 + 0.5) * size;
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#d55e00\"/>\n", left + middle,
            MAP_TOP + MAP_PANEL - middle);
}

static bool draw_map(FILE *out, const void *context)
{
    const map_sketch *sketch = context;
    const snw_reach_map *map = sketch->map;
    int width = 3 * MAP_PANEL + 4 * MAP_GAP, height = MAP_TOP + MAP_PANEL + MAP_LEGEND;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#2c3e50\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n"
            "<text x=\"%d\" y=\"24\" font-size=\"16\" font-weight=\"bold\">What ",
            width, height, width, height, width, height, MAP_GAP);
    cli_put_text(sketch->joint, out);
    fputs(" of ", out);
    cli_put_text(sketch->body, out);
    fputs(" reaches: slices through its base</text>\n", out);
    static const int axes[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int n = 0; n < 3; n++)
        draw_slice(map, axes[n][0], axes[n][1], MAP_GAP + n * (MAP_PANEL + MAP_GAP), out);
    for (int n = 0; n <= 10; n++) {
        fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"22.4\" height=\"12\" fill=\"",
                MAP_GAP + 22 * n, MAP_TOP + MAP_PANEL + 22);
        put_share_colour(0.1 * n, out);
        fputs("\"/>\n", out);
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\">0</text><text x=\"%d\" y=\"%d\">1</text>", MAP_GAP,
            MAP_TOP + MAP_PANEL + 50, MAP_GAP + 22 * 11 - 8, MAP_TOP + MAP_PANEL + 50);
    fprintf(out,
            "<text x=\"%d\" y=\"%d\">share of the %d orientations tried in a cube of %.0f mm; dot: "
            "the first joint that moves</text>\n</svg>\n",
            MAP_GAP + 22 * 11 + 16, MAP_TOP + MAP_PANEL + 33, map->orientation_count,
            1000 * map->cell);
    return !ferror(out);
}

/* ---- all ---------------------------------------------------------------------------------- */

static void print_map(const cli_arguments *arguments, const snw_reach_map *map, const char *joint)
{
    if (!cli_flag(arguments, "--json")) {
        printf("%s reaches %.4f cubic metres, in cubes of %.1f mm\n", joint, map->volume,
               1000 * map->cell);
        if (map->orientation_count)
            printf("there it takes %.1f %% of %d orientations in the mean\n", 100 * map->mean_share,
                   map->orientation_count);
        printf("%lld problems, %lld of them reached\n", (long long)map->problem_count,
               (long long)map->reached_count);
        return;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "joint", joint);
    cli_json_number(&json, "volume_m3", map->volume);
    cli_json_number(&json, "cell_m", map->cell);
    cli_json_integer(&json, "orientations", map->orientation_count);
    cli_json_number(&json, "mean_share", map->mean_share);
    cli_json_integer(&json, "problems", map->problem_count);
    cli_json_integer(&json, "reached", map->reached_count);
    cli_json_end_object(&json);
}

int reach_map(const cli_arguments *arguments, const reach_problem *problem)
{
    static const char *const outputs[] = {"--output", "--svg", NULL};
    const char *name = cli_value(arguments, "--map", NULL);
    const char *table = cli_value(arguments, "--output", NULL);
    const char *svg = cli_value(arguments, "--svg", NULL);
    snw_reach_map_options options = snw_reach_map_options_default();
    snw_reach_map *map = NULL;
    snw_error error;
    bool is_tip = false;
    int joint = reach_find_joint(problem->body, name, &is_tip);
    if (joint < 0) return reach_complain_joint(arguments, problem->body, "--map", name);
    if (problem->goal_count)
        return cli_misuse(arguments, "--map asks for all places: leave the goals out");
    if (table && snw_format_from_name(table) != SNW_FORMAT_CSV)
        return cli_misuse(arguments, "--output %s: a map is written as .csv", table);
    int status = read_map_options(arguments, problem, &options);
    if (status == CLI_DONE) status = cli_check_output_options(arguments, outputs);
    if (status != CLI_DONE) return status;
    if (is_tip) options.point = problem->body->tip[joint];
    if (snw_reach_map_create(problem->body, joint, &options, NULL, &map, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    if (map->trouble[0]) cli_note(arguments, "%s: the processor solved it", map->trouble);
    map_sketch sketch = {map, problem->name, name};
    if (table) status = cli_write_whole(arguments, table, write_table, map);
    if (svg && status == CLI_DONE) status = cli_write_whole(arguments, svg, draw_map, &sketch);
    if (status == CLI_DONE) print_map(arguments, map, name);
    snw_reach_map_destroy(map);
    return status;
}
