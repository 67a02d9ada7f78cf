/* The clinical report of a person: one HTML file that prints on three sheets. */
#ifndef SINEW_CLI_CLINIC_PAGE_H
#define SINEW_CLI_CLINIC_PAGE_H

#include "clinic/normal.h"
#include "clinic/person.h"

typedef struct clinic_page {
    const clinic_person *person;
    bool has_normal, has_against;
    clinic_normal normal;
    clinic_strides against;
    char colour[2][32]; /* of left and right, for a style sheet */
} clinic_page;

/* Reads what --normal, --against and --colours name. Complains itself; an exit code. */
int clinic_page_settle(clinic_page *page);
void clinic_page_release(clinic_page *page);
/* As cli_write_whole wants it. */
bool clinic_page_draw(FILE *out, const void *page);

#endif
