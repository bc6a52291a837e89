// SPDX-License-Identifier: Apache-2.0
//
// Header and start of every kernel: the wave ends when `wave` returns.

    .section .header, "a"
    .ascii "RV32"
    .word program_size
    .word program_entry             // from the header on
    .word 0                         // flags
    .zero 16

    .section .start, "ax"
    .globl start
start:
    li      sp, 0xf0020800          // end of the core's private dwords
    call    wave
    li      t0, 0xf0010108          // END
    sw      zero, 0(t0)
1:  j       1b
