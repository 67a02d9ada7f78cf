/* Names with numbers: the tree against a search through all of them. */
#include "check.h"

#include "base/name_set.h"

enum {
    NAMES_MAX = 600
};

typedef struct list_of_names {
    char text[NAMES_MAX][24];
    size_t length[NAMES_MAX];
    int count;
} list_of_names;

/* Few letters, zeros among them, and starts of other names: as much shared as can be. */
static size_t random_text(snw_random *random, char text[24])
{
    static const char letters[] = {'a', 'b', 'A', '\0', '\xff', '\x80'};
    size_t length = snw_random_below(random, 24);
    for (size_t n = 0; n < length; n++)
        text[n] = letters[snw_random_below(random, n < 12 ? 2 : 6)];
    return length;
}

static char folded(char c, bool ignores_case)
{
    return (char)(ignores_case && c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static int search(const list_of_names *list, const char *text, size_t length, bool ignores_case)
{
    for (int n = 0; n < list->count; n++) {
        bool is_same = list->length[n] == length;
        for (size_t k = 0; k < length && is_same; k++)
            is_same = folded(list->text[n][k], ignores_case) == folded(text[k], ignores_case);
        if (is_same) return n;
    }
    return -1;
}

static void names_are_found_as_a_search_finds_them(void **state)
{
    (void)state;
    static list_of_names list;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        bool ignores_case = seed % 2;
        snw_random random = snw_random_seed(seed, 1);
        snw__name_set set;
        assert_int_equal(snw__name_set_create(&set, NAMES_MAX, NULL, NULL), SNW_OK);
        set.ignores_case = ignores_case;
        for (list.count = 0; list.count < NAMES_MAX;) {
            char *text = list.text[list.count];
            size_t length = random_text(&random, text);
            int expected = search(&list, text, length, ignores_case);
            assert_int_equal(snw__name_set_find(&set, text, length), expected);
            bool is_added = snw_random_below(&random, 2) == 0;
            if (!is_added) continue;
            assert_int_equal(snw__name_set_add(&set, text, length, list.count), expected);
            if (expected >= 0) continue;
            list.length[list.count++] = length;
            assert_int_equal(snw__name_set_find(&set, text, length), list.count - 1);
        }
        for (int n = 0; n < NAMES_MAX; n++)
            assert_int_equal(snw__name_set_find(&set, list.text[n], list.length[n]), n);
        snw__name_set_release(&set);
    }
}

static void an_empty_set_has_nothing_and_an_empty_name_is_a_name(void **state)
{
    (void)state;
    snw__name_set set;
    assert_int_equal(snw__name_set_create(&set, 2, NULL, NULL), SNW_OK);
    assert_int_equal(snw__name_set_find(&set, "", 0), -1);
    assert_int_equal(snw__name_set_add(&set, "a", 1, 7), -1);
    assert_int_equal(snw__name_set_find(&set, "", 0), -1);
    assert_int_equal(snw__name_set_add(&set, "", 0, 8), -1);
    assert_int_equal(snw__name_set_add(&set, "a", 1, 9), 7);
    assert_int_equal(snw__name_set_find(&set, "", 0), 8);
    snw__name_set_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_as_a_search_finds_them),
        cmocka_unit_test(an_empty_set_has_nothing_and_an_empty_name_is_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
