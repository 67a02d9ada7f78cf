/* The page inside the command, and the page as a file with captures inside it. */
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "text.h"
#include "view/view.h"

#ifdef SINEW_HAS_PAGE
extern const uint8_t sinew_page_begin[], sinew_page_end[];
extern const char sinew_notices[];
#endif

const char *cli_notices(void)
{
#ifdef SINEW_HAS_PAGE
    return sinew_notices;
#else
    return "Sinew is under the MIT licence (LICENSE beside its source). This command was built "
           "without the page and carries nobody else's code.\n";
#endif
}

view_page view_page_embedded(void)
{
#ifdef SINEW_HAS_PAGE
    return (view_page){sinew_page_begin, (size_t)(sinew_page_end - sinew_page_begin)};
#else
    return (view_page){NULL, 0};
#endif
}

/* ---- one file with everything inside -----------------------------------------------------------
 */

/* A name as the value of an attribute, always UTF-8. */
static void put_quoted(FILE *out, const char *text)
{
    char character[5];
    while (*text) {
        text = cli_text_next(text, character);
        if (strchr("\"&<>\r\n", *character))
            fprintf(out, "&#%d;", *character);
        else
            fputs(character, out);
    }
}

typedef struct page_content {
    const char *page;
    size_t size;
    size_t split; /* where the files go */
    const cli_arguments *arguments;
    char *file[CLI_VALUES_MAX];
    size_t file_size[CLI_VALUES_MAX];
} page_content;

static bool draw_page(FILE *out, const void *context)
{
    const page_content *content = context;
    fwrite(content->page, 1, content->split, out);
    for (int n = 0; n < content->arguments->operand_count; n++) {
        const char *path = content->arguments->operand[n], *slash = strrchr(path, '/');
        fputs("<script type=\"text/plain\" class=\"file\" data-name=\"", out);
        put_quoted(out, slash ? slash + 1 : path);
        fputs("\">", out);
        cli_put_base64(out, (const uint8_t *)content->file[n], content->file_size[n]);
        fputs("</script>\n", out);
    }
    fwrite(content->page + content->split, 1, content->size - content->split, out);
    return true;
}

static void tell_page(const char *path, const page_content *content)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "page", path);
    cli_json_array(&json, "files");
    for (int n = 0; n < content->arguments->operand_count; n++)
        cli_json_string(&json, NULL, content->arguments->operand[n]);
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

static int write_page(const cli_arguments *arguments, const char *path, page_content *content)
{
    int code = CLI_DONE, count = 0;
    for (; code == CLI_DONE && count < arguments->operand_count; count++) {
        content->file[count] =
            cli_read_whole(arguments->operand[count], &content->file_size[count]);
        if (!content->file[count])
            code = cli_fail(arguments, "%s could not be read", arguments->operand[count]);
    }
    if (code == CLI_DONE) code = cli_write_whole(arguments, path, draw_page, content);
    if (code == CLI_DONE && cli_flag(arguments, "--json")) tell_page(path, content);
    for (int n = 0; n < count; n++)
        free(content->file[n]);
    return code;
}

int view_export(const cli_arguments *arguments, const char *path)
{
    static const char *const options[] = {"--export", NULL};
    int may = cli_check_output_options(arguments, options);
    if (may != CLI_DONE) return may;
    view_page zipped = view_page_embedded();
    page_content content = {.arguments = arguments};
    char *page = view_gunzip(zipped.bytes, zipped.size, &content.size);
    char *place = page ? strstr(page, "<!-- files -->") : NULL;
    int code = CLI_FAILED;
    if (!place) {
        cli_fail(arguments, "the page in this command is damaged");
    } else {
        content.page = page;
        content.split = (size_t)(place - page);
        code = write_page(arguments, path, &content);
    }
    free(page);
    return code;
}
