/* A small snprintf that knows no locale. */
#include <limits.h>
#include <string.h>

#include <sinew/base.h>

/* Wider fields are cut to this: a width that came from bad data must not cost time. */
enum {
    FORMAT_MAX_WIDTH = 4096
};

typedef struct output {
    char *buffer;
    size_t size;
    size_t length; /* of the whole text, also past the buffer's end */
} output;

typedef struct directive {
    bool is_left;
    bool is_zero_padded;
    int width;
    int precision; /* -1: not given */
    int long_count;
    bool is_size;
} directive;

static void put(output *out, char c)
{
    if (out->length + 1 < out->size) out->buffer[out->length] = c;
    out->length++;
}

static void put_padded(output *out, const directive *d, const char *text, int length)
{
    int padding = d->width > length ? d->width - length : 0;
    bool zeros = d->is_zero_padded && !d->is_left;
    if (zeros && length > 0 && text[0] == '-') {
        put(out, *text++);
        length--;
    }
    for (int n = 0; n < padding && !d->is_left; n++)
        put(out, zeros ? '0' : ' ');
    for (int n = 0; n < length; n++)
        put(out, text[n]);
    for (int n = 0; n < padding && d->is_left; n++)
        put(out, ' ');
}

static void put_integer(output *out, const directive *d, uint64_t magnitude, bool is_negative,
                        unsigned base)
{
    char digits[24];
    int at = (int)sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[magnitude % base];
        magnitude /= base;
    } while (magnitude);
    if (is_negative) digits[--at] = '-';
    put_padded(out, d, digits + at, (int)sizeof digits - at);
}

static int64_t take_signed(const directive *d, va_list *arguments)
{
    if (d->is_size) return (int64_t)va_arg(*arguments, ptrdiff_t);
    if (d->long_count > 1) return va_arg(*arguments, long long);
    if (d->long_count == 1) return va_arg(*arguments, long);
    return va_arg(*arguments, int);
}

static uint64_t take_unsigned(const directive *d, va_list *arguments)
{
    if (d->is_size) return va_arg(*arguments, size_t);
    if (d->long_count > 1) return va_arg(*arguments, unsigned long long);
    if (d->long_count == 1) return va_arg(*arguments, unsigned long);
    return va_arg(*arguments, unsigned);
}

static void put_real(output *out, const directive *d, double value, bool is_fixed)
{
    char text[SNW_NUMBER_SIZE];
    int length = is_fixed ? snw_print_fixed(text, value, d->precision < 0 ? 6 : d->precision)
                          : snw_print_double(text, value);
    directive padding = *d;
    padding.is_zero_padded &= value - value == 0; /* "00inf" is no number: blanks, as printf does */
    put_padded(out, &padding, text, length);
}

static int read_count(const char **format, va_list *arguments)
{
    if (**format == '*') {
        (*format)++;
        return va_arg(*arguments, int);
    }
    int count = 0;
    while (**format >= '0' && **format <= '9') {
        if (count < 100000) count = count * 10 + (**format - '0');
        (*format)++;
    }
    return count;
}

static directive read_directive(const char **format, va_list *arguments)
{
    directive d = {false, false, 0, -1, 0, false};
    for (; **format == '-' || **format == '0'; (*format)++) {
        if (**format == '-')
            d.is_left = true;
        else
            d.is_zero_padded = true;
    }
    d.width = read_count(format, arguments);
    if (d.width < 0) {
        d.is_left = true;
        d.width = d.width < -FORMAT_MAX_WIDTH ? FORMAT_MAX_WIDTH : -d.width;
    }
    if (d.width > FORMAT_MAX_WIDTH) d.width = FORMAT_MAX_WIDTH;
    if (**format == '.') {
        (*format)++;
        d.precision = read_count(format, arguments);
    }
    for (; **format == 'l' || **format == 'z'; (*format)++) {
        if (**format == 'l')
            d.long_count++;
        else
            d.is_size = true;
    }
    return d;
}

static void put_directive(output *out, const directive *d, char letter, va_list *arguments)
{
    char c;
    switch (letter) {
    case 's': {
        const char *text = va_arg(*arguments, const char *);
        if (!text) text = "(null)";
        size_t limit = d->precision >= 0 ? (size_t)d->precision : (size_t)INT32_MAX;
        const char *zero = memchr(text, 0, limit);
        put_padded(out, d, text, (int)(zero ? (size_t)(zero - text) : limit));
    } break;
    case 'c':
        c = (char)va_arg(*arguments, int);
        put_padded(out, d, &c, 1);
        break;
    case 'd':
    case 'i': {
        int64_t value = take_signed(d, arguments);
        put_integer(out, d, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0, 10);
        break;
    }
    case 'u':
        put_integer(out, d, take_unsigned(d, arguments), false, 10);
        break;
    case 'x':
        put_integer(out, d, take_unsigned(d, arguments), false, 16);
        break;
    case 'f':
        put_real(out, d, va_arg(*arguments, double), true);
        break;
    case 'g':
        put_real(out, d, va_arg(*arguments, double), false);
        break;
    default:
        put(out, letter);
        break;
    }
}

int snw_format_list(char *buffer, size_t size, const char *format, va_list arguments)
{
    output out = {buffer, size, 0};
    va_list list;
    va_copy(list, arguments);
    while (*format) {
        if (*format != '%') {
            put(&out, *format++);
            continue;
        }
        format++;
        directive d = read_directive(&format, &list);
        if (!*format) break;
        put_directive(&out, &d, *format++, &list);
    }
    va_end(list);
    if (size) buffer[out.length < size ? out.length : size - 1] = 0;
    return out.length < INT_MAX ? (int)out.length : INT_MAX;
}

int snw_format(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = snw_format_list(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}
