/* `sinew completion` and `sinew manual`: what shells and `man` want to know, written from the same
 * tables that parse the command line and print --help. */
#include <string.h>

#include "command.h"

/* ---- completion --------------------------------------------------------------------------- */

static void print_names(const cli_option *options)
{
    for (; options->name; options++)
        printf(" %s", options->name);
}

static void print_bash(void)
{
    printf("_sinew() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} words=\n"
           "  case ${COMP_CWORD}:${COMP_WORDS[1]} in\n"
           "    1:*) words=\"--help --licences --version");
    for (int n = 0; cli_command_at(n); n++)
        printf(" %s", cli_command_at(n)->name);
    printf("\" ;;\n");
    for (int n = 0; cli_command_at(n); n++) {
        const cli_command *command = cli_command_at(n);
        printf("    *:%s) words=\"", command->name);
        print_names(command->options);
        print_names(cli_built_in_options());
        printf("\" ;;\n");
    }
    printf("  esac\n"
           "  COMPREPLY=()\n"
           "  if [[ $COMP_CWORD -eq 1 || $word == -* ]]; then\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "  fi\n"
           "}\n"
           "complete -o default -F _sinew sinew\n");
}

/* Text inside single quotes, with what a shell's description lists would take apart left out. */
static void print_quoted(const char *text)
{
    for (; *text; text++)
        if (*text != '\'' && *text != '[' && *text != ']' && *text != ':' && *text != '\\')
            putchar(*text);
}

static void print_zsh_options(const cli_option *options)
{
    for (; options->name; options++) {
        printf("          '*%s[", options->name);
        print_quoted(options->help);
        printf("]%s'\n", !options->value ? "" : ": :_files");
    }
}

static void print_zsh(void)
{
    printf("#compdef sinew\n"
           "_sinew() {\n"
           "  local -a commands options\n"
           "  if (( CURRENT == 2 )); then\n"
           "    commands=(\n");
    for (int n = 0; cli_command_at(n); n++) {
        printf("      '%s:", cli_command_at(n)->name);
        print_quoted(cli_command_at(n)->summary);
        printf("'\n");
    }
    printf("    )\n"
           "    _describe command commands\n"
           "    return\n"
           "  fi\n"
           "  case $words[2] in\n");
    for (int n = 0; cli_command_at(n); n++) {
        printf("    %s)\n      options=(\n", cli_command_at(n)->name);
        print_zsh_options(cli_command_at(n)->options);
        print_zsh_options(cli_built_in_options());
        printf("      ) ;;\n");
    }
    printf(
        "  esac\n"
        "  shift words\n"
        "  (( CURRENT-- ))\n"
        "  _arguments $options '*: :_files'\n"
        "}\n"
        "if [ \"$funcstack[1]\" = _sinew ]; then _sinew \"$@\"; else compdef _sinew sinew; fi\n");
}

static void print_fish_options(const char *command, const cli_option *options)
{
    for (; options->name; options++) {
        printf("complete -c sinew -n '__fish_seen_subcommand_from %s' -l %s", command,
               options->name + 2);
        if (options->brief && options->brief[1] != '-') printf(" -s %s", options->brief + 1);
        printf("%s -d '", options->value ? " -r" : "");
        print_quoted(options->help);
        printf("'\n");
    }
}

static void print_fish(void)
{
    for (int n = 0; cli_command_at(n); n++) {
        const cli_command *command = cli_command_at(n);
        printf("complete -c sinew -n __fish_use_subcommand -f -a %s -d '", command->name);
        print_quoted(command->summary);
        printf("'\n");
        print_fish_options(command->name, command->options);
        print_fish_options(command->name, cli_built_in_options());
    }
}

static int run_completion(const cli_arguments *arguments)
{
    static const struct {
        const char *shell;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (int n = 0; n < 3; n++)
        if (strcmp(arguments->operand[0], shells[n].shell) == 0) {
            shells[n].print();
            return CLI_DONE;
        }
    return cli_misuse(arguments, "there is no completion for %s, only for bash, zsh and fish",
                      arguments->operand[0]);
}

static const cli_option no_options[] = {{NULL, NULL, NULL, NULL}};

const cli_command cli_completion_command = {
    "completion",
    "print what a shell needs to complete commands and options",
    "bash|zsh|fish",
    "An installed sinew has all three in place already; else:\n\n"
    "examples:\n"
    "  sinew completion bash > sinew.bash    and `source` it in ~/.bashrc\n"
    "  sinew completion zsh > _sinew         into a folder of $fpath, before compinit\n"
    "  sinew completion fish > sinew.fish    into ~/.config/fish/completions",
    no_options,
    1,
    1,
    run_completion,
};

/* ---- manual ------------------------------------------------------------------------------- */

/* Text as roff takes it: no line starts with a command, hyphens stay what was typed. */
static void print_roff(const char *text)
{
    bool is_start = true;
    for (; *text; text++) {
        if (is_start && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        is_start = *text == '\n';
    }
}

static void print_option(const cli_option *option)
{
    printf(".TP\n.B ");
    if (option->brief) {
        print_roff(option->brief);
        printf(", ");
    }
    print_roff(option->name);
    if (option->value) {
        printf(" ");
        print_roff(option->value);
    }
    printf("\n");
    print_roff(option->help);
    printf("\n");
}

static void print_command(const cli_command *command)
{
    printf(".SS sinew %s [OPTIONS] ", command->name);
    print_roff(command->operands);
    printf("\n");
    print_roff(command->summary);
    printf(".\n");
    for (const cli_option *option = command->options; option->name; option++)
        print_option(option);
    if (!command->details) return;
    printf(".PP\n.nf\n");
    print_roff(command->details);
    printf("\n.fi\n");
}

static int run_manual(const cli_arguments *arguments)
{
    (void)arguments;
    printf(".TH SINEW 1 \"\" \"sinew %s\"\n.SH NAME\nsinew \\- turns captured motion into moving "
           "skeletons, and reaches with them\n.SH SYNOPSIS\n.B sinew\nCOMMAND [OPTIONS] ...\n"
           ".SH OPTIONS\nEvery command takes:\n",
           snw_version());
    for (const cli_option *option = cli_built_in_options(); option->name; option++)
        print_option(option);
    printf(".SH COMMANDS\n");
    for (int n = 0; cli_command_at(n); n++)
        print_command(cli_command_at(n));
    printf(".SH EXIT STATUS\n0: done. 1: it could not be done, and one sentence on standard error "
           "says why. 2: wrong usage.\n");
    return CLI_DONE;
}

const cli_command cli_manual_command = {
    "manual",
    "print the manual page of sinew",
    "",
    "An installed sinew has it in place already: man sinew.\n\n"
    "example:\n"
    "  sinew manual > sinew.1",
    no_options,
    0,
    0,
    run_manual,
};
