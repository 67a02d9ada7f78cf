/* The names of the ways to fill and to predict: one table for both lists of sinew/hidden.h. */
#include <string.h>

#include <sinew/hidden.h>

#define METHOD_NAME(enumerator, name, text) name,
static const char *const method_fill_names[] = {SNW_FILL_METHOD_MAP(METHOD_NAME)};
static const char *const method_predict_names[] = {SNW_PREDICT_METHOD_MAP(METHOD_NAME)};
#undef METHOD_NAME

static const char *method_name(const char *const *names, int count, int method)
{
    return method >= 0 && method < count ? names[method] : "unknown";
}

static int method_find(const char *const *names, int count, const char *name)
{
    for (int m = 0; m < count; m++)
        if (strcmp(name, names[m]) == 0) return m;
    return -1;
}

const char *snw_fill_method_name(snw_fill_method method)
{
    return method_name(method_fill_names, SNW_FILL_METHOD_COUNT, (int)method);
}

int snw_fill_method_find(const char *name)
{
    return method_find(method_fill_names, SNW_FILL_METHOD_COUNT, name);
}

const char *snw_predict_method_name(snw_predict_method method)
{
    return method_name(method_predict_names, SNW_PREDICT_METHOD_COUNT, (int)method);
}

int snw_predict_method_find(const char *name)
{
    return method_find(method_predict_names, SNW_PREDICT_METHOD_COUNT, name);
}

const char *snw_fill_outcome_text(snw_fill_outcome outcome)
{
    static const char *const texts[] = {
#define METHOD_OUTCOME(enumerator, text) text,
        SNW_FILL_OUTCOME_MAP(METHOD_OUTCOME)
#undef METHOD_OUTCOME
    };
    return method_name(texts, SNW_FILL_OUTCOME_COUNT, (int)outcome);
}
