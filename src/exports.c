/* The inline functions of the public headers as functions of the library: for bindings that load it
 * and cannot compile a header. The single-file form leaves this out, being compiled itself. */
#if defined(__GNUC__) /* the headers are their prototypes */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#endif
#define SNW_INLINE SNW_API
#include <sinew/sinew.h>
