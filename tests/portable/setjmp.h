/* WebAssembly has no setjmp, and portable/cmocka.h needs none there. */
#ifndef __wasm__
#include_next <setjmp.h>
#endif
