/* OpenSim models (.osim), write only: document format 4.0 (Version="40000"), as OpenSim 4 writes
 * it.
 *
 *     Model            gravity, credits, units
 *       BodySet        name, mass, mass_center, inertia (xx yy zz xy xz yz)
 *       JointSet       CustomJoint with two PhysicalOffsetFrames (in the parent, in the child), its
 *                      Coordinates, and a SpatialTransform of three turns and three slides; each
 *                      is a LinearFunction of its coordinate, or a Constant
 *       MarkerSet      name, /bodyset/BODY, location
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/text_writer.h"

#include <sinew/osim.h>

/* ---- pieces of XML -------------------------------------------------------------------------- */

static void put_escaped(snw__output *output, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            snw__put_string(output, "&amp;");
            break;
        case '<':
            snw__put_string(output, "&lt;");
            break;
        case '>':
            snw__put_string(output, "&gt;");
            break;
        case '"':
            snw__put_string(output, "&quot;");
            break;
        default:
            snw__put(output, (unsigned char)*text < ' ' ? " " : text, 1);
        }
}

/* Names are parts of paths in OpenSim: no slashes, no blanks. */
static void put_osim_name(snw__output *output, const char *name)
{
    for (; *name; name++) {
        bool is_plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                        (*name >= '0' && *name <= '9') || strchr("_-.", *name) ||
                        (unsigned char)*name >= 128;
        snw__put(output, is_plain ? name : "_", 1);
    }
}

static void put_vector(snw__output *output, const char *tag, snw_vec3 v)
{
    snw__put_text(output, "<%s>", tag);
    snw__put_exact(output, v.x);
    snw__put(output, " ", 1);
    snw__put_exact(output, v.y);
    snw__put(output, " ", 1);
    snw__put_exact(output, v.z);
    snw__put_text(output, "</%s>\n", tag);
}

static void put_number(snw__output *output, const char *tag, double value)
{
    snw__put_text(output, "<%s>", tag);
    snw__put_exact(output, value);
    snw__put_text(output, "</%s>\n", tag);
}

/* <tag>before NAME behind</tag> */
static void put_path(snw__output *output, const char *tag, const char *before, const char *name,
                     const char *behind)
{
    snw__put_text(output, "<%s>%s", tag, before);
    put_osim_name(output, name);
    snw__put_text(output, "%s</%s>\n", behind, tag);
}

static void put_open(snw__output *output, const char *tag, const char *name, const char *behind)
{
    snw__put_text(output, "<%s name=\"", tag);
    put_osim_name(output, name);
    snw__put_text(output, "%s\">\n", behind);
}

/* ---- joints ---------------------------------------------------------------------------------- */

static void put_frame(snw__output *output, const char *name, const char *parent, bool is_ground,
                      const snw_osim_body *at)
{
    put_open(output, "PhysicalOffsetFrame", name, "_offset");
    if (is_ground)
        snw__put_string(output, "<socket_parent>/ground</socket_parent>\n");
    else
        put_path(output, "socket_parent", "/bodyset/", parent, "");
    put_vector(output, "translation", at ? at->place : snw_vec3_make(0, 0, 0));
    put_vector(output, "orientation", snw_vec3_make(0, at ? at->twist : 0, 0));
    snw__put_string(output, "</PhysicalOffsetFrame>\n");
}

static void put_joint(snw__output *output, const snw_osim_model *model, const snw_osim_body *body)
{
    bool is_ground = body->parent < 0;
    const char *parent = is_ground ? "ground" : model->body[body->parent].name;
    put_open(output, "CustomJoint", body->joint, "");
    put_path(output, "socket_parent_frame", "", parent, "_offset");
    put_path(output, "socket_child_frame", "", body->name, "_offset");
    snw__put_string(output, "<coordinates>\n");
    for (int a = 0; a < 6; a++) {
        if (!body->axis[a].coordinate) continue;
        put_open(output, "Coordinate", body->axis[a].coordinate, "");
        put_number(output, "default_value", 0);
        snw__put_string(output, a < 3 ? "<range>-3.1415926535897931 3.1415926535897931</range>\n"
                                      : "<range>-100 100</range>\n");
        snw__put_string(output,
                        "<clamped>false</clamped>\n<locked>false</locked>\n</Coordinate>\n");
    }
    snw__put_string(output, "</coordinates>\n");
    snw__put_string(output, "<frames>\n");
    put_frame(output, parent, parent, is_ground, body);
    put_frame(output, body->name, body->name, false, NULL);
    snw__put_string(output, "</frames>\n");
    static const char *const name[6] = {"rotation1",    "rotation2",    "rotation3",
                                        "translation1", "translation2", "translation3"};
    static const char *const axis[6] = {"0 0 1", "1 0 0", "0 1 0", "1 0 0", "0 1 0", "0 0 1"};
    snw__put_string(output, "<SpatialTransform>\n");
    for (int a = 0; a < 6; a++) {
        const char *coordinate = body->axis[a].coordinate;
        put_open(output, "TransformAxis", name[a], "");
        put_path(output, "coordinates", "", coordinate ? coordinate : "", "");
        snw__put_text(output, "<axis>%s</axis>\n", axis[a]);
        if (coordinate)
            snw__put_text(output,
                          "<LinearFunction name=\"function\"><coefficients>%s 0</coefficients>"
                          "</LinearFunction>\n",
                          body->axis[a].sign < 0 ? "-1" : "1");
        else
            snw__put_string(output, "<Constant name=\"function\"><value>0</value></Constant>\n");
        snw__put_string(output, "</TransformAxis>\n");
    }
    snw__put_string(output, "</SpatialTransform>\n");
    snw__put_string(output, "</CustomJoint>\n");
}

/* ---- the model ------------------------------------------------------------------------------- */

static snw_status check_model(const snw_osim_model *model, snw_error *error)
{
    if (!model || model->body_count < 1)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "an OpenSim model needs a body");
    for (int b = 0; b < model->body_count; b++) {
        const snw_osim_body *body = model->body + b;
        if (body->parent >= b)
            return snw__fail(error, SNW_INVALID_ARGUMENT, "body %s comes before its parent",
                             body->name);
        if (!snw_vec3_is_finite(body->place) || !isfinite(body->twist) || !isfinite(body->mass) ||
            !snw_vec3_is_finite(body->mass_center) || !snw_vec3_is_finite(body->inertia))
            return snw__fail(error, SNW_INVALID_ARGUMENT, "a number of body %s is not finite",
                             body->name);
    }
    for (int m = 0; m < model->marker_count; m++)
        if (model->marker[m].body < 0 || model->marker[m].body >= model->body_count ||
            !snw_vec3_is_finite(model->marker[m].place))
            return snw__fail(error, SNW_INVALID_ARGUMENT, "marker %s has no place on a body",
                             model->marker[m].name);
    return SNW_OK;
}

snw_status snw_write_osim(const snw_osim_model *model, const snw_sink *sink, snw_error *error)
{
    snw__output output;
    snw_status status = check_model(model, error);
    if (status == SNW_OK) status = snw__output_open(&output, NULL, sink, error);
    if (status != SNW_OK) return status;
    snw__put_string(&output, "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n"
                             "<OpenSimDocument Version=\"40000\">\n");
    put_open(&output, "Model", model->name, "");
    snw__put_string(&output, "<credits>");
    put_escaped(&output, model->credits);
    snw__put_string(&output, "</credits>\n<length_units>meters</length_units>\n"
                             "<force_units>N</force_units>\n<gravity>0 -9.80665 0</gravity>\n"
                             "<BodySet name=\"bodyset\">\n<objects>\n");
    for (int b = 0; b < model->body_count; b++) {
        const snw_osim_body *body = model->body + b;
        put_open(&output, "Body", body->name, "");
        put_number(&output, "mass", body->mass);
        put_vector(&output, "mass_center", body->mass_center);
        snw__put_string(&output, "<inertia>");
        snw__put_exact(&output, body->inertia.x);
        snw__put(&output, " ", 1);
        snw__put_exact(&output, body->inertia.y);
        snw__put(&output, " ", 1);
        snw__put_exact(&output, body->inertia.z);
        snw__put_string(&output, " 0 0 0</inertia>\n</Body>\n");
    }
    snw__put_string(&output, "</objects>\n<groups />\n</BodySet>\n"
                             "<JointSet name=\"jointset\">\n<objects>\n");
    for (int b = 0; b < model->body_count; b++)
        put_joint(&output, model, model->body + b);
    snw__put_string(&output, "</objects>\n<groups />\n</JointSet>\n"
                             "<MarkerSet name=\"markerset\">\n<objects>\n");
    for (int m = 0; m < model->marker_count; m++) {
        const snw_osim_marker *marker = model->marker + m;
        put_open(&output, "Marker", marker->name, "");
        put_path(&output, "socket_parent_frame", "/bodyset/", model->body[marker->body].name, "");
        put_vector(&output, "location", marker->place);
        snw__put_string(&output, "<fixed>false</fixed>\n</Marker>\n");
    }
    snw__put_string(&output, "</objects>\n<groups />\n</MarkerSet>\n</Model>\n"
                             "</OpenSimDocument>\n");
    status = snw__put_end(&output);
    return status == SNW_OK ? snw__succeed(error) : status;
}
