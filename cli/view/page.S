/* The page, as scripts/page built it. SINEW_PAGE_FILE is its path. */
    .section .rodata
    .balign 16
    .globl sinew_page_begin
    .hidden sinew_page_begin
sinew_page_begin:
    .incbin SINEW_PAGE_FILE
    .globl sinew_page_end
    .hidden sinew_page_end
sinew_page_end:
    .byte 0
    .section .note.GNU-stack,"",%progbits
