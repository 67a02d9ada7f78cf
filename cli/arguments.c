/* Reads a command line against a command's table of options, and prints help from the same table.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "nearest.h"
#include "text.h"

static const cli_option built_in_options[] = {
    {"--json", NULL, NULL, "machine-readable output on stdout"},
    {"--help", "-h", NULL, "this text"},
    {NULL, NULL, NULL, NULL},
};

const cli_option *cli_built_in_options(void)
{
    return built_in_options;
}

static const cli_option *find_in(const cli_option *options, const char *word, size_t length)
{
    for (; options && options->name; options++) {
        bool is_name = strlen(options->name) == length && strncmp(options->name, word, length) == 0;
        bool is_brief = options->brief && strlen(options->brief) == length &&
                        strncmp(options->brief, word, length) == 0;
        if (is_name || is_brief) return options;
    }
    return NULL;
}

static const cli_option *find_option(const cli_command *command, const char *word, size_t length)
{
    const cli_option *option = find_in(command->options, word, length);
    return option ? option : find_in(built_in_options, word, length);
}

static void print_options(const cli_option *options, FILE *out)
{
    for (; options && options->name; options++) {
        char left[80];
        snw_format(left, sizeof left, "%s%s%s%s%s", options->brief ? options->brief : "",
                   options->brief ? ", " : "", options->name, options->value ? " " : "",
                   options->value ? options->value : "");
        fprintf(out, "  %-26s %s\n", left, options->help);
    }
}

void cli_print_help(const cli_command *command, FILE *out)
{
    fprintf(out, "usage: sinew %s [OPTIONS]%s%s\n\n%s\n\noptions:\n", command->name,
            command->operands[0] ? " " : "", command->operands, command->summary);
    print_options(command->options, out);
    print_options(built_in_options, out);
    if (command->details) fprintf(out, "\n%s\n", command->details);
}

static int miss_option(const cli_arguments *arguments, const char *word, size_t length)
{
    char name[64], hint[80];
    snw_format(name, sizeof name, "%.*s", (int)length, word);
    cli_nearest nearest = {name, NULL, 0};
    const cli_option *const lists[] = {arguments->command->options, built_in_options};
    for (int n = 0; n < 2; n++)
        for (const cli_option *option = lists[n]; option && option->name; option++)
            cli_nearest_offer(&nearest, option->name);
    return cli_misuse(arguments, "there is no option %s%s", word,
                      cli_nearest_hint(&nearest, hint, sizeof hint));
}

static int take_option(cli_arguments *arguments, int count, char **words, int *at)
{
    const char *word = words[*at];
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const cli_option *option = find_option(arguments->command, word, length);
    if (!option) return miss_option(arguments, word, length);
    if (equals && !option->value) return cli_misuse(arguments, "%s takes no value", option->name);
    const char *value = equals ? equals + 1 : NULL;
    if (option->value && !value && *at + 1 < count) value = words[++*at];
    if (option->value && (!value || !*value))
        return cli_misuse(arguments, "%s needs a value", option->name);
    if (arguments->given_count >= CLI_VALUES_MAX)
        return cli_misuse(arguments, "too many options at %s", word);
    arguments->given[arguments->given_count].option = option;
    arguments->given[arguments->given_count++].value = value;
    return CLI_DONE;
}

/* "-" is standard input or output and "-0.5" a number: both are operands. */
static bool is_option_word(const char *word)
{
    return word[0] == '-' && word[1] && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.';
}

int cli_parse(const cli_command *command, int count, char **words, cli_arguments *arguments)
{
    memset(arguments, 0, sizeof *arguments);
    arguments->command = command;
    bool only_operands = false;
    for (int at = 0; at < count; at++) {
        if (!only_operands && strcmp(words[at], "--") == 0) {
            only_operands = true;
        } else if (!only_operands && is_option_word(words[at])) {
            int status = take_option(arguments, count, words, &at);
            if (status != CLI_DONE) return status;
        } else if (!*words[at]) {
            return cli_misuse(arguments, "a word is empty");
        } else {
            if (arguments->operand_count >= command->operand_max)
                return cli_misuse(arguments, "one word too many: %s%s", words[at],
                                  find_in(command->options, "--output", strlen("--output"))
                                      ? " (did you mean -o?)"
                                      : "");
            arguments->operand[arguments->operand_count++] = words[at];
        }
    }
    if (cli_flag(arguments, "--help")) {
        cli_print_help(command, stdout);
        return -1;
    }
    if (arguments->operand_count < command->operand_min && !cli_flag(arguments, "--files"))
        return cli_misuse(arguments, "it needs %s", command->operands);
    return CLI_DONE;
}

const char *cli_value_at(const cli_arguments *arguments, const char *name, int n)
{
    for (int i = 0; i < arguments->given_count; i++)
        if (strcmp(arguments->given[i].option->name, name) == 0 && n-- == 0)
            return arguments->given[i].value ? arguments->given[i].value : "";
    return NULL;
}

const char *cli_value(const cli_arguments *arguments, const char *name, const char *otherwise)
{
    const char *last = otherwise, *value;
    for (int n = 0; (value = cli_value_at(arguments, name, n)) != NULL; n++)
        last = value;
    return last;
}

bool cli_flag(const cli_arguments *arguments, const char *name)
{
    return cli_value_at(arguments, name, 0) != NULL;
}

bool cli_number(const cli_arguments *arguments, const char *name, double low, double high,
                double *number)
{
    const char *text = cli_value(arguments, name, NULL);
    if (!text) return true;
    double value;
    const char *stop = snw_parse_double(text, text + strlen(text), &value);
    if (!stop || *stop || !(value >= low && value <= high)) {
        char range[120];
        snw_format(range, sizeof range, "from %g to %g", low, high);
        cli_misuse(arguments, "%s takes a number %s, not \"%s\"", name, range, text);
        return false;
    }
    *number = value;
    return true;
}

bool cli_integer(const cli_arguments *arguments, const char *name, int64_t low, int64_t high,
                 int64_t *number)
{
    const char *text = cli_value(arguments, name, NULL);
    if (!text) return true;
    int64_t value;
    const char *stop = snw_parse_int64(text, text + strlen(text), &value);
    if (!stop || *stop || value < low || value > high) {
        cli_misuse(arguments, "%s takes a whole number from %lld to %lld, not \"%s\"", name,
                   (long long)low, (long long)high, text);
        return false;
    }
    *number = value;
    return true;
}

bool cli_number_list(const char *text, int count, double *numbers)
{
    const char *end = text + strlen(text);
    for (int n = 0; n < count; n++) {
        text = snw_parse_double(text, end, numbers + n);
        if (!text || !isfinite(numbers[n])) return false;
        if (n + 1 < count && *text++ != ',') return false;
    }
    return text == end;
}

/* "sinew info: note: walk.c3d ..." without the new line. */
static void say(const cli_arguments *arguments, const char *what, const char *format, va_list list)
{
    char text[1024];
    snw_format_list(text, sizeof text, format, list);
    fprintf(stderr, "sinew %s: %s", arguments->command->name, what);
    cli_print_text(stderr, text, 0);
}

int cli_fail(const cli_arguments *arguments, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(arguments, "", format, list);
    va_end(list);
    fputc('\n', stderr);
    return CLI_FAILED;
}

void cli_note(const cli_arguments *arguments, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(arguments, "note: ", format, list);
    va_end(list);
    fputc('\n', stderr);
}

int cli_misuse(const cli_arguments *arguments, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(arguments, "", format, list);
    va_end(list);
    fprintf(stderr, " (see sinew %s --help)\n", arguments->command->name);
    if (arguments->is_misused) *arguments->is_misused = true;
    return CLI_USAGE;
}

bool cli_is_interactive(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) == 1 && !(term && strcmp(term, "dumb") == 0);
}
