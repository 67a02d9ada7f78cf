/* A joint centre in plain words: the one place that says them, for centres and for actors. */
#include "center/center.h"
#include "center/center_constants.h"
#include "person/movement.h"

#include <string.h>

bool snw__center_is_uncertain(double sigma, double range)
{
    /* Metres. Above this the centre is called uncertain. Skin alone costs the best laboratories
     * about as much; a stricter word would call every joint of every person uncertain and tell
     * nothing. */
    return !(sigma <= (range < SNW__HARDLY_TURNED ? SNW__STILL : SNW__SKIN));
}

static bool is_uncertain(const snw_center *center)
{
    return snw__center_is_uncertain(center->sigma, center->range[0]);
}

/* Tenths below 10, else whole numbers: no false digits. */
static int decimals_of(double value)
{
    return value < 9.95 ? 1 : 0;
}

static const char *noun_of(snw_joint_type motion)
{
    switch (motion) {
    case SNW_JOINT_HINGE:
        return "a hinge";
    case SNW_JOINT_UNIVERSAL:
        return "two axes";
    case SNW_JOINT_FREE:
        return "bones without markers lie between";
    default:
        return "a ball joint";
    }
}

/* Writes on at the end of the text, as far as there is room. */
static void write_on(char text[SNW_VERDICT_SIZE], const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    snw_format_list(text + length, SNW_VERDICT_SIZE - length, format, arguments);
    va_end(arguments);
}

const char *snw_center_verdict(const snw_center *center, char text[SNW_VERDICT_SIZE])
{
    text[0] = 0;
    double range_deg[3];
    for (int i = 0; i < 3; i++)
        range_deg[i] = snw_degrees(center->range[i]);
    bool is_little = center->range[0] < SNW__HARDLY_TURNED && is_uncertain(center);
    if (center->motion == SNW_JOINT_FIXED || is_little)
        write_on(text, "this joint hardly moved: %.*f degrees", decimals_of(range_deg[0]),
                 range_deg[0]);
    else if (center->motion == SNW_JOINT_HINGE)
        write_on(text, "%s: turned %.0f degrees about one axis", noun_of(center->motion),
                 range_deg[0]);
    else if (range_deg[1] == 0)
        write_on(text, "%s: turned %.0f degrees",
                 center->undetermined == 1 ? "almost a hinge" : noun_of(center->motion),
                 range_deg[0]);
    else if (center->motion == SNW_JOINT_UNIVERSAL || range_deg[2] == 0)
        write_on(text, "%s: turned %.0f and %.0f degrees", noun_of(center->motion), range_deg[0],
                 range_deg[1]);
    else
        write_on(text, "%s: turned %.0f, %.0f and %.0f degrees", noun_of(center->motion),
                 range_deg[0], range_deg[1], range_deg[2]);
    double sigma_mm = fmin(1000 * center->sigma, VERDICT_LARGEST_MM);
    int decimals = decimals_of(sigma_mm);
    const char *word = is_uncertain(center) ? "uncertain by" : "known within";
    double axis_deg = snw_degrees(center->axis_sigma);
    if (center->undetermined == 3 || center->undetermined == 0)
        write_on(text, "; centre %s %.*f mm", word, decimals, sigma_mm);
    else if (!(center->axis_sigma < SNW_PI))
        write_on(text, "; axis %s %.*f mm, the place along it is not determined", word, decimals,
                 sigma_mm);
    else
        write_on(text, "; axis %s %.*f mm and %.*f degrees, the place along it is not determined",
                 word, decimals, sigma_mm, decimals_of(axis_deg), axis_deg);
    if (center->is_bias_guarded)
        write_on(text, "; noise is as large as the curvature, so it is pulled towards the markers");
    if (center->rejected_count > 0)
        write_on(text, "; %d outliers left out", center->rejected_count);
    return text;
}
