/* The algebra itself: products of multivectors of G(4,1) and what is made of them.
 *
 * A basis blade is a set of basis vectors, a 5-bit number. The product of blades i and j is the
 * blade i xor j with a sign: -1 for every pair that must be swapped, that is popcount(j & (i >> k))
 * over k = 1..4, and -1 if both contain ebar. The parity of a sum of popcounts of (j & x) is the
 * parity of popcount(j & xor of the x), so one 5-bit mask per i gives the signs of a whole row. */
#include <string.h>

#include <sinew/cga.h>

enum {
    CGA_SIZE = 32,
    CGA_EBAR = 16,
    CGA_PSEUDOSCALAR = 31,
    CGA_ALL_GRADES = 0x3f
};

static const unsigned char grade_of[CGA_SIZE] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                                 1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5};

/* Square of each basis blade: the rule above with j = i. */
static const double square_of[CGA_SIZE] = {1,  1,  1,  -1, 1, -1, -1, -1, 1,  -1, -1,
                                           -1, -1, -1, -1, 1, -1, 1,  1,  1,  1,  1,
                                           1,  -1, 1,  1,  1, -1, 1,  -1, -1, -1};

/* Sign of each basis blade times I: the rule above with j = 31. */
static const double dual_sign[CGA_SIZE] = {1, 1,  -1, -1, 1,  1,  -1, -1, -1, -1, 1,
                                           1, -1, -1, 1,  1,  -1, -1, 1,  1,  -1, -1,
                                           1, 1,  1,  1,  -1, -1, 1,  1,  -1, -1};

/* -1 for grades 2 and 3, where r (r - 1) / 2 is odd. */
static const double reverse_sign[CGA_SIZE] = {1,  1,  1,  -1, 1,  -1, -1, -1, 1,  -1, -1,
                                              -1, -1, -1, -1, 1,  1,  -1, -1, -1, -1, -1,
                                              -1, 1,  -1, -1, -1, 1,  -1, 1,  1,  1};

/* 1 where the coefficient is not +0 or -0. On the bits, which is twice as fast as comparing. */
static inline uint32_t is_used(const double *coefficient)
{
    uint64_t bits;
    memcpy(&bits, coefficient, sizeof bits);
    return bits << 1 != 0;
}

/* Bit i is set where coefficient i is not zero. */
static inline uint32_t used_blades(const snw_cga *a)
{
    uint32_t used = 0;
    for (unsigned i = 0; i < CGA_SIZE; i += 4) {
        const double *c = a->c + i;
        used |= (is_used(c) | is_used(c + 1) << 1 | is_used(c + 2) << 2 | is_used(c + 3) << 3) << i;
    }
    return used;
}

/* Index of the lowest set bit of a number that is not zero. */
static inline unsigned lowest_bit(uint32_t bits)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctz(bits);
#else
    unsigned index = 0;
    while (!(bits >> index & 1))
        index++;
    return index;
#endif
}

typedef enum cga_rule {
    CGA_GEOMETRIC,
    CGA_OUTER,
    CGA_INNER,
} cga_rule;

/* Blades and versors have few coefficients (a point 5, a line 10, a sphere 5), so zeros are left
 * out: the cost is the product of the two counts. Inlined with a constant rule. */
static inline snw_cga multiply(const snw_cga *a, const snw_cga *b, cga_rule rule, unsigned grades)
{
    snw_cga product = {{0}};
    uint32_t used_b = used_blades(b);
    for (uint32_t rest_a = used_blades(a); rest_a; rest_a &= rest_a - 1) {
        unsigned i = lowest_bit(rest_a),
                 mask = (i >> 1 ^ i >> 2 ^ i >> 3 ^ i >> 4) ^ (i & CGA_EBAR);
        for (uint32_t rest_b = used_b; rest_b; rest_b &= rest_b - 1) {
            unsigned j = lowest_bit(rest_b);
            if (rule == CGA_OUTER && (i & j)) continue;
            /* Grade |r - s|: one blade contains the other, and none is the scalar. */
            if (rule == CGA_INNER && !(i && j && ((i & j) == i || (i & j) == j))) continue;
            if (grades != CGA_ALL_GRADES && !(grades >> grade_of[i ^ j] & 1)) continue;
            /* -1 for an odd number of bits of the five. */
            unsigned bits = j & mask;
            static const double signs[2] = {1.0, -1.0};
            product.c[i ^ j] += signs[UINT32_C(0x96696996) >> bits & 1] * a->c[i] * b->c[j];
        }
    }
    return product;
}

snw_cga snw_cga_scalar(double value)
{
    return snw_cga_blade(0, value);
}

snw_cga snw_cga_blade(int index, double value)
{
    snw_cga a = {{0}};
    if (index >= 0 && index < CGA_SIZE) a.c[index] = value;
    return a;
}

snw_cga snw_cga_vector(snw_vec3 v)
{
    snw_cga a = {{0}};
    a.c[1] = v.x;
    a.c[2] = v.y;
    a.c[4] = v.z;
    return a;
}

snw_cga snw_cga_n(void)
{
    snw_cga a = {{0}};
    a.c[8] = 1;
    a.c[16] = 1;
    return a;
}

snw_cga snw_cga_nbar(void)
{
    snw_cga a = {{0}};
    a.c[8] = 1;
    a.c[16] = -1;
    return a;
}

snw_cga snw_cga_add(snw_cga a, snw_cga b)
{
    for (int i = 0; i < CGA_SIZE; i++)
        a.c[i] += b.c[i];
    return a;
}

snw_cga snw_cga_sub(snw_cga a, snw_cga b)
{
    for (int i = 0; i < CGA_SIZE; i++)
        a.c[i] -= b.c[i];
    return a;
}

snw_cga snw_cga_scale(snw_cga a, double s)
{
    for (int i = 0; i < CGA_SIZE; i++)
        a.c[i] *= s;
    return a;
}

snw_cga snw_cga_mul(snw_cga a, snw_cga b)
{
    return multiply(&a, &b, CGA_GEOMETRIC, CGA_ALL_GRADES);
}

snw_cga snw_cga_outer(snw_cga a, snw_cga b)
{
    return multiply(&a, &b, CGA_OUTER, CGA_ALL_GRADES);
}

snw_cga snw_cga_inner(snw_cga a, snw_cga b)
{
    return multiply(&a, &b, CGA_INNER, CGA_ALL_GRADES);
}

double snw_cga_scalar_product(snw_cga a, snw_cga b)
{
    double sum = 0;
    for (unsigned i = 0; i < CGA_SIZE; i++)
        sum += square_of[i] * a.c[i] * b.c[i];
    return sum;
}

double snw_cga_square(snw_cga a)
{
    return snw_cga_scalar_product(a, a);
}

snw_cga snw_cga_reverse(snw_cga a)
{
    for (int i = 0; i < CGA_SIZE; i++)
        a.c[i] *= reverse_sign[i];
    return a;
}

snw_cga snw_cga_grade(snw_cga a, int grade)
{
    for (int i = 0; i < CGA_SIZE; i++)
        if (grade_of[i] != grade) a.c[i] = 0;
    return a;
}

snw_cga snw_cga_dual(snw_cga a)
{
    snw_cga dual;
    for (unsigned i = 0; i < CGA_SIZE; i++)
        dual.c[i ^ CGA_PSEUDOSCALAR] = dual_sign[i] * a.c[i];
    return dual;
}

snw_cga snw_cga_undual(snw_cga a)
{
    return snw_cga_scale(snw_cga_dual(a), -1.0);
}

snw_cga snw_cga_meet(snw_cga a, int grade_a, snw_cga b, int grade_b)
{
    int grade = 10 - grade_a - grade_b;
    if (grade < 0 || grade > 5) return snw_cga_scalar(0);
    return snw_cga_dual(multiply(&a, &b, CGA_GEOMETRIC, 1u << grade));
}
