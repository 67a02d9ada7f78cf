/* WebAssembly has no setjmp, and portable/cmocka.h needs none. */
