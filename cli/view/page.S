/* The page, as scripts/page built it, and the licences of what is in it. SINEW_PAGE_FILE and
 * SINEW_NOTICES_FILE are their paths. */
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
    .globl sinew_notices
    .hidden sinew_notices
sinew_notices:
    .incbin SINEW_NOTICES_FILE
    .byte 0
    .section .note.GNU-stack,"",%progbits
