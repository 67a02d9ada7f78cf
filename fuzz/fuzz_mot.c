/* Any bytes as an OpenSim table; what was read is written and read again with the same numbers. */
#include "fuzz_text.h"

static snw_table *read_table(const uint8_t *bytes, size_t size, bool is_lenient,
                             const snw_allocator *allocator)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_read_options options = text_options(is_lenient);
    snw_notes notes = snw_notes_none();
    snw_table *table = NULL;
    snw_error error;
    snw_status status = snw_read_table(&source, &options, allocator, &table, &notes, &error);
    text_check_outcome(status, &error, table);
    return table;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_again(const snw_table *table)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    if (snw_write_table(table, NULL, &sink, &error) != SNW_OK) abort();
    snw_table *again = read_table(bytes.bytes, bytes.size, false, NULL);
    if (!again || again->row_count != table->row_count ||
        again->column_count != table->column_count)
        abort();
    for (size_t n = 0; n < (size_t)table->row_count * (size_t)table->column_count; n++)
        if (!same_number(again->value[n], table->value[n])) abort();
    snw_table_destroy(again);
    snw_memory_sink_release(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int is_lenient = 0; is_lenient < 2; is_lenient++) {
        text_memory memory = text_memory_for(size);
        snw_allocator allocator = {text_allocate, text_release, &memory};
        snw_table *table = read_table(data, size, is_lenient, &allocator);
        if (table) check_again(table);
        snw_table_destroy(table);
        if (memory.live != 0) abort();
    }
    return 0;
}
