// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_packet: part of totem_execute: rule 3, what a packet that is taken begins.
//
// Policy    by its kind: it is finished at once, or a phase begins, or it is an error.
// Boundary  pure function of the operands and of what the neighbours say of the queue.
// Twin      cmodel/packet/totem_execute_packet.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_execute_packet (
    input  wire [4:0]  kind,
    input  wire        stream,              // a dword of its stream
    input  wire        last,
    input  wire        ranges,              // a LOAD_CONTEXT_REG
    input  wire        by_die,              // a PRED_EXEC
    input  wire [2:0]  die,
    input  wire [31:0] control,
    input  wire        offload,             // of a wait: optimize_ace_offload_mode
    input  wire        compute,             // its address is in the compute block
    input  wire        zero,                // data are 0
    input  wire        uneven,              // its address is no multiple of 8
    input  wire        addressed,           // an event with an address
    input  wire        in_buffer,
    input  wire        own,                 // its address is a register of the pipe's window
    input  wire        graphics,
    input  wire        ordered,             // kind ORDER is that of a packet of the scheduler
    input  wire        scheduled,           // the queue may have such packets
    input  wire        strict,
    // fence, poll: of the queue
    input  wire        room,
    input  wire        flushed,
    input  wire        settled,
    input  wire        closed,
    input  wire        ended,
    input  wire [1:0]  ended_error,
    // what it does
    output reg  [4:0]  phase,
    output reg         first_step,          // `step` = 0
    output reg         finish,
    output reg         ignore,
    output reg         pass,
    output reg         vanish,
    output reg         dispatch,            // its dimensions are there
    output reg         nested,              // error IB_NESTED
    output reg         unable,              // error FEATURE
    output reg         absent,              // error WRITE_REGISTER
    output reg         unread,              // error of the wait that has ended
    output reg         to_bank,             // a register of the bank is written
    output reg         flow,                // the word goes to the server
    output reg         range,               // it is a range of registers
    output reg         skips,               // the dwords that it names are skipped with it
    output reg         open,
    output reg         write,               // a write to memory begins
    output reg         epoch,               // it is in the present epoch
    output reg         close,
    output reg         wait_epoch,
    output reg         stranger             // error RUNLIST_PRIVILEGE
);
`include "totem_execute_values.vh"
`include "totem_memory_values.vh"
    wire       whole     = kind == `TOTEM_KIND_WAIT_64;
    wire [7:0] device_select = control[`TOTEM_PM4_PRED_EXEC_DEVICE_SELECT];
    wire       of_register = control[`TOTEM_PM4_WAIT_REG_MEM_MEM_SPACE] == `TOTEM_SPACE_REGISTER;
    wire [1:0] operation = control[`TOTEM_PM4_WAIT_REG_MEM_OPERATION];
    wire       plain     = operation == `TOTEM_WAIT_OPERATION_WAIT_REG_MEM;
    wire       polling   = plain && !offload;
    wire       smart     = operation == `TOTEM_WAIT_OPERATION_SMART_WAIT || (plain && offload);
    wire [3:0] target    = control[`TOTEM_PM4_WRITE_DATA_DST_SEL];

    wire [5:0] event_type = control[`TOTEM_PM4_EVENT_WRITE_EVENT_TYPE];
    wire       flushes    = event_type == `TOTEM_EVENT_CS_PARTIAL_FLUSH
                            || (graphics && (event_type == `TOTEM_EVENT_VS_PARTIAL_FLUSH
                                             || event_type == `TOTEM_EVENT_PS_PARTIAL_FLUSH));

    wire       disabled   = !control[`TOTEM_PM4_DISPATCH_DIRECT_COMPUTE_SHADER_EN];

    // 3 Phase, continued: a packet is taken.
    always @* begin
        phase      = EXECUTE_READY;
        first_step = 1'b0;
        finish     = 1'b0;
        ignore     = 1'b0;
        pass       = 1'b0;
        vanish     = 1'b0;
        dispatch   = 1'b0;
        nested     = 1'b0;
        unable     = 1'b0;
        absent     = 1'b0;
        unread     = 1'b0;
        to_bank    = 1'b0;
        flow       = 1'b0;
        range      = 1'b0;
        skips      = 1'b0;
        open       = 1'b0;
        write      = 1'b0;
        epoch      = 1'b0;
        close      = 1'b0;
        wait_epoch = 1'b0;
        stranger   = 1'b0;
        case (kind)
            `TOTEM_KIND_PASS: pass = 1'b1;
            `TOTEM_KIND_REGISTERS, `TOTEM_KIND_SHADER, `TOTEM_KIND_CONTEXT, `TOTEM_KIND_USER:
                if (stream && ordered && kind == `TOTEM_KIND_ORDER) begin
                    stranger = !scheduled;
                    phase    = EXECUTE_ORDER;
                end else if (stream) begin
                    to_bank = compute && (kind == `TOTEM_KIND_REGISTERS || kind == `TOTEM_KIND_SHADER);
                    flow   = !to_bank && kind != `TOTEM_KIND_REGISTERS;
                    finish = last;
                end else
                    finish = 1'b1;
            `TOTEM_KIND_WRITE:
                if (!stream)
                    finish = 1'b1;
                else if (target == `TOTEM_WRITE_DST_PREEMPTION_META)
                    vanish = 1'b1;
                else begin
                    first_step = 1'b1;
                    write      = target != `TOTEM_WRITE_DST_REGISTER;
                    epoch      = write;
                    phase      = write ? EXECUTE_WRITE : EXECUTE_REGISTER;
                end
            `TOTEM_KIND_DISPATCH, `TOTEM_KIND_DISPATCH_INDIRECT:
                if (disabled) begin
                    ignore = 1'b1;
                    finish = 1'b1;
                end else if (kind == `TOTEM_KIND_DISPATCH)
                    dispatch = 1'b1;
                else begin
                    first_step = 1'b1;
                    phase      = EXECUTE_POLL;
                end
            `TOTEM_KIND_COND_EXEC:
                if (by_die) begin
                    finish = device_select[die];
                    skips  = !finish;
                end else begin
                    first_step = 1'b1;
                    phase      = EXECUTE_POLL;
                end
            `TOTEM_KIND_TIMER:
                if (zero || ended)
                    finish = 1'b1;
                else begin
                    first_step = 1'b1;
                    phase      = EXECUTE_GIVE;
                end
            `TOTEM_KIND_RELEASE:
                if (!room) begin
                    wait_epoch = 1'b1;
                    phase      = EXECUTE_LEAVE;
                end else begin
                    epoch      = 1'b1;
                    first_step = 1'b1;
                    phase      = EXECUTE_RELEASE;
                end
            `TOTEM_KIND_EVENT:
                if (!flushes) begin
                    ignore = addressed;     // what it is to write is not written
                    finish = 1'b1;
                end
                else if (closed)
                    phase = EXECUTE_FLUSH;
                else if (flushed && settled)
                    finish = 1'b1;      // nothing to wait for: no epoch is spent, the pipe is kept
                else if (room) begin
                    close = 1'b1;
                    phase = EXECUTE_FLUSH;
                end else begin
                    wait_epoch = 1'b1;
                    phase      = EXECUTE_LEAVE;
                end
            `TOTEM_KIND_WAIT, `TOTEM_KIND_WAIT_64:
                if (whole && (of_register ? own : uneven))
                    unable = 1'b1;
                else if (of_register && !own && strict)
                    absent = 1'b1;
                else if (of_register && (!own || !(polling || smart))) begin
                    ignore = 1'b1;
                    finish = 1'b1;
                end else if (control[`TOTEM_PM4_WAIT_REG_MEM_FUNCTION] == `TOTEM_COMPARE_ALWAYS)
                    finish = 1'b1;
                else if (polling)
                    phase = EXECUTE_POLL;
                else if (ended) begin
                    // What held then may hold no more: another queue may have taken the lock meanwhile.
                    unread = ended_error != MEMORY_OK;
                    phase  = EXECUTE_POLL;
                end else begin
                    first_step = 1'b1;
                    phase      = EXECUTE_GIVE;
                end
            `TOTEM_KIND_COPY, `TOTEM_KIND_LOAD_REGISTERS, `TOTEM_KIND_DMA, `TOTEM_KIND_ATOMIC: ;  // totem_execute_copy
            `TOTEM_KIND_BUFFER: begin
                nested = in_buffer && !control[`TOTEM_PM4_INDIRECT_BUFFER_CHAIN];
                open   = !nested;
                finish = !nested;
            end
            default: begin
                range = kind == `TOTEM_KIND_LOAD && stream;
                if (kind == `TOTEM_KIND_LOAD && ranges && !stream)
                    finish = 1'b1;      // an offset without a number
                else if (kind >= `TOTEM_KIND_MODIFY)
                    phase = EXECUTE_SERVICE;
                else
                    finish = 1'b1;
            end
        endcase
    end

    wire unused = &{1'b0, control[23:21], control[19:16], control[15:12]};
endmodule

`default_nettype wire
