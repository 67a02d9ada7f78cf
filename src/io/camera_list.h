/* Cameras as the readers of calibrations find them, and the layouts that are not TOML. Internal to
 * io. */
#ifndef SNW_IO_CAMERA_LIST_H
#define SNW_IO_CAMERA_LIST_H

#include "io/text_reader.h"
#include "io/text_writer.h"

typedef struct snw__camera_list {
    int count;
    bool has_matrix, has_place; /* of the camera being read, which is camera[count] */
    snw_camera camera[SNW_CAMERAS_MAX];
} snw__camera_list;

/* The camera being read, as nothing is known of it yet. */
snw_status snw__camera_begin(snw__camera_list *list, const snw__text_input *text, snw__span name);
/* One that turned out to be a camera is kept. */
snw_status snw__camera_end(snw__camera_list *list, const snw__text_input *text);
/* All numbers of a value, with brackets and commas between them; -1 where one is none. */
int snw__camera_numbers(snw__span value, double *out, int most);

/* XML of Qualisys, Vicon and OptiTrack, told apart by the outermost element; places in metres. */
bool snw__camera_xml_is(const snw__text_input *text);
snw_status snw__camera_xml_read(snw__text_input *text, snw__camera_list *list);
void snw__camera_qualisys_write(const snw_cameras *cameras, snw__output *output);
void snw__camera_vicon_write(const snw_cameras *cameras, snw__output *output);
void snw__camera_optitrack_write(const snw_cameras *cameras, snw__output *output);

/* OpenCV's YAML; places as they stand there. */
bool snw__camera_yaml_is(const snw__text_input *text);
snw_status snw__camera_yaml_read(snw__text_input *text, snw__camera_list *list);
/* The name as a part of a key. */
void snw__camera_yaml_name(const char *name, char out[SNW_CAMERA_NAME_SIZE]);
void snw__camera_yaml_write(const snw_cameras *cameras, snw__output *output);

#endif
