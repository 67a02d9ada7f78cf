/* Words and floats of a C3D file in its three byte orders.
 *
 *   order      16-bit word       float
 *   1 Intel    low byte first    IEEE 754, low byte first
 *   2 DEC      low byte first    VAX F: two words, the high one first, each low byte first;
 *                                the exponent is 2 larger than IEEE's; no infinity, no -0;
 *                                exponent 0 is zero, or with the sign set "reserved" (our NaN)
 *   3 MIPS     high byte first   IEEE 754, high byte first
 *
 * Bits are moved as integers, so that signalling NaNs survive. */
#include "io/c3d.h"

#include <string.h>

#define C3D_EXPONENT_STEP 0x00800000u
#define C3D_DEC_RESERVED  0x80000000u

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

int snw__c3d_u16(const uint8_t *bytes, snw_byte_order order)
{
    return order == SNW_ORDER_MIPS ? bytes[0] << 8 | bytes[1] : bytes[1] << 8 | bytes[0];
}

void snw__c3d_put_u16(uint8_t *bytes, int value, snw_byte_order order)
{
    int high = order == SNW_ORDER_MIPS ? 0 : 1;
    bytes[high] = (uint8_t)((unsigned)value >> 8 & 255u);
    bytes[1 - high] = (uint8_t)((unsigned)value & 255u);
}

/* Without branches, so that a compiler can take several at once. */
static float float_from_dec(uint32_t bits)
{
    uint32_t exponent = bits >> 23 & 255u;
    uint32_t none = bits & C3D_DEC_RESERVED ? 0x7fc00000u : 0u;
    /* Below IEEE's normal numbers: gradual underflow. */
    uint32_t small = bits_of(float_of(bits) * 0.25f);
    uint32_t value = exponent > 2 ? bits - 2 * C3D_EXPONENT_STEP : small;
    return float_of(exponent ? value : none);
}

static uint32_t dec_from_float(float value)
{
    uint32_t bits = bits_of(value), exponent = bits >> 23 & 255u;
    if (exponent == 255u && bits << 9) return C3D_DEC_RESERVED;
    if (exponent > 253u) return (bits & 0x80000000u) | 0x7fffffffu; /* the largest there is */
    if (exponent == 0) {
        uint32_t scaled = bits_of(value * 4.0f);
        return scaled >> 23 & 255u ? scaled : 0;
    }
    return bits + 2 * C3D_EXPONENT_STEP;
}

static inline uint32_t read_bits(const uint8_t *b, snw_byte_order order)
{
    uint32_t b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
    if (order == SNW_ORDER_MIPS) return b0 << 24 | b1 << 16 | b2 << 8 | b3;
    if (order == SNW_ORDER_DEC) return b1 << 24 | b0 << 16 | b3 << 8 | b2;
    return b3 << 24 | b2 << 16 | b1 << 8 | b0;
}

float snw__c3d_float(const uint8_t *bytes, snw_byte_order order)
{
    uint32_t bits = read_bits(bytes, order);
    return order == SNW_ORDER_DEC ? float_from_dec(bits) : float_of(bits);
}

void snw__c3d_put_float(uint8_t *bytes, float value, snw_byte_order order)
{
    uint32_t bits = order == SNW_ORDER_DEC ? dec_from_float(value) : bits_of(value);
    static const uint8_t shift[4][4] = {
        {0, 8, 16, 24}, {0, 8, 16, 24}, {16, 24, 0, 8}, {24, 16, 8, 0}};
    for (int n = 0; n < 4; n++)
        bytes[n] = (uint8_t)(bits >> shift[order & 3][n]);
}

bool snw__c3d_host_is_intel(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

void snw__c3d_floats(const uint8_t *from, float *to, size_t count, snw_byte_order order)
{
    if (order == SNW_ORDER_INTEL && snw__c3d_host_is_intel()) {
        if ((const void *)from != (void *)to) memcpy(to, from, count * sizeof *to);
        return;
    }
    if (order == SNW_ORDER_DEC && snw__c3d_host_is_intel()) {
        for (size_t n = 0; n < count; n++) {
            uint32_t bits;
            memcpy(&bits, from + 4 * n, sizeof bits);
            to[n] = float_from_dec(bits << 16 | bits >> 16);
        }
        return;
    }
    if (order == SNW_ORDER_DEC) {
        for (size_t n = 0; n < count; n++)
            to[n] = float_from_dec(read_bits(from + 4 * n, SNW_ORDER_DEC));
        return;
    }
    for (size_t n = 0; n < count; n++) { /* as bits: a float that is copied may lose a signal */
        uint32_t bits = order == SNW_ORDER_MIPS ? read_bits(from + 4 * n, SNW_ORDER_MIPS)
                                                : read_bits(from + 4 * n, SNW_ORDER_INTEL);
        memcpy(to + n, &bits, sizeof bits);
    }
}

void snw__c3d_words(uint8_t *bytes, size_t count, snw_byte_order order)
{
    if ((order != SNW_ORDER_MIPS) == snw__c3d_host_is_intel()) return;
    for (size_t n = 0; n < count; n++) {
        uint16_t word;
        memcpy(&word, bytes + 2 * n, 2);
        word = (uint16_t)(word << 8 | word >> 8);
        memcpy(bytes + 2 * n, &word, 2);
    }
}

bool snw__c3d_keeps_float(float value, snw_byte_order order)
{
    if (order != SNW_ORDER_DEC) return true;
    return bits_of(float_from_dec(dec_from_float(value))) == bits_of(value);
}
