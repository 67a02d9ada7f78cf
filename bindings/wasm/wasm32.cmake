# Debian's clang and wasi-libc: packages clang lld wasi-libc libclang-rt-14-dev-wasm32 (scripts/setup page).
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_SYSROOT /)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
