/* Sums over elements of a solid, from which its mass properties follow. Internal to solid. */
#ifndef SNW_SOLID_MASS_SUMS_H
#define SNW_SOLID_MASS_SUMS_H

#include <sinew/solid.h>

typedef struct snw__mass_sums {
    double volume, mass;
    double first[3];
    double second[6]; /* xx xy xz yy yz zz */
    double area[3];   /* twice the vector area of a surface: 0 where it is closed */
    double surface;   /* the same with all its parts positive */
    double lowest;    /* density at any corner */
} snw__mass_sums;

/* A tetrahedron with corners seen from the sums' origin; negative where it is turned. */
void snw__mass_add_tetrahedron(snw__mass_sums *sums, const snw_vec3 x[4], const double density[4]);
snw_status snw__mass_finish(const snw__mass_sums *sums, snw_vec3 origin, snw_mass_properties *out,
                            snw_error *error);
snw_status snw__mass_check_options(const snw_mass_options *options, snw_error *error);
/* What the element's reference says, and that with the gradient at a place. */
double snw__mass_density_of(const snw_mass_options *options, int reference);
double snw__mass_density_at(const snw_mass_options *options, double base, snw_vec3 place);

#endif
