// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_copy: part of totem_execute: rule 3, COPY_DATA, LOAD_SH_REG_INDEX, DMA_DATA and ATOMIC_MEM.
//
// Policy    what is read goes at once where it belongs, a dword or a word of 64 bits at a time. The address that is not
//           in use stands in `second`. An atomic reads and writes exclusively; a write that came between makes it a
//           poll in vain. No write begins for a queue that has failed or has lost its mapping.
// Boundary  pure function of phase and operands. Its outputs count when it acts.
// Twin      cmodel/packet/totem_execute_copy.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_execute_copy (
    input  wire [4:0]  kind,
    input  wire        taken,           // READY: the packet begins
    input  wire        heard,           // ANSWER: a read has been answered, without an error
    input  wire [4:0]  phase,
    input  wire [1:0]  step,
    input  wire        last,
    input  wire [31:0] control,
    input  wire [39:0] address,
    input  wire [63:0] data,
    input  wire [31:0] extra,
    input  wire [63:0] second,
    input  wire        counted,
    // what the neighbours say
    input  wire        own,             // the address is a register of the pipe's window
    input  wire        compute,         // .. of the compute block
    input  wire        nowhere,         // a write to it has no effect here
    input  wire        graphics,
    input  wire        room,            // .. the server takes a word
    input  wire        barred,
    input  wire        closed,
    input  wire        epoch_room,
    input  wire        write_ready,
    input  wire        confirmed,       // an exclusive write is answered
    input  wire        confirm_failed,  // .. with an error
    input  wire        exokay,          // .. with EXOKAY
    input  wire [63:0] clock,
    input  wire [31:0] read,
    input  wire [63:0] memory_data,
    // what it does
    output reg         acts,
    output reg  [4:0]  phase_next,
    output reg  [1:0]  step_next,
    output reg         last_next,
    output reg  [13:0] count_next,      // of `control`
    output reg  [39:0] address_next,
    output reg  [63:0] data_next,
    output reg  [31:0] extra_next,
    output reg  [63:0] second_next,
    output reg         counted_next,
    output reg         vain,            // a poll in vain
    output reg         finish,
    output reg         ignore,
    output reg         to_bank,
    output reg         flow,
    output reg         write,
    output reg         close,
    output reg         wait_epoch,
    output reg  [7:0]  code,            // error, 0 none
    output reg  [31:0] word             // .. its offending word
);
`include "totem_execute_values.vh"
    localparam [25:0] MOST    = 26'd4096;       // bytes of a DMA_DATA

    wire       copies = kind == `TOTEM_KIND_COPY;
    wire       loads  = kind == `TOTEM_KIND_LOAD_REGISTERS;
    wire       moves  = kind == `TOTEM_KIND_DMA;
    wire       atomic = kind == `TOTEM_KIND_ATOMIC;

    // COPY_DATA
    wire [3:0] from            = control[`TOTEM_PM4_COPY_DATA_SRC_SEL];
    wire       from_register   = from == `TOTEM_COPY_SRC_REGISTER;
    wire       from_memory     = from == `TOTEM_COPY_SRC_MEMORY || from == `TOTEM_COPY_SRC_TC_L2;
    wire       to_register     = control[`TOTEM_PM4_COPY_DATA_DST_SEL] == `TOTEM_WRITE_DST_REGISTER;
    wire       wide            = copies && control[`TOTEM_PM4_COPY_DATA_COUNT_SEL];
    wire       uneven          = wide && ((from_memory && data[2]) || (!to_register && second[2]));

    // DMA_DATA
    wire [1:0] target = control[`TOTEM_PM4_DMA_DATA_DST_SEL];
    wire       value  = control[`TOTEM_PM4_DMA_DATA_SRC_SEL] == `TOTEM_DMA_SRC_DATA;
    wire       sync   = control[`TOTEM_PM4_DMA_DATA_CP_SYNC];
    wire [25:0] bytes = extra[`TOTEM_PM4_DMA_DATA_BYTE_COUNT];
    wire       unable = bytes > MOST || bytes[1:0] != 2'd0 || second[1:0] != 2'd0 || (!value && data[1:0] != 2'd0)
                        || extra[`TOTEM_PM4_DMA_DATA_SAS] || extra[`TOTEM_PM4_DMA_DATA_DAS]
                        || control[`TOTEM_PM4_DMA_DATA_SRC_INDIRECT] || control[`TOTEM_PM4_DMA_DATA_DST_INDIRECT];
    wire [39:0] behind_from = address + (extra[`TOTEM_PM4_DMA_DATA_SAIC] ? 40'd0 : 40'd4);
    wire [39:0] behind_to   = address + (extra[`TOTEM_PM4_DMA_DATA_DAIC] ? 40'd0 : 40'd4);

    // LOAD_SH_REG_INDEX
    wire [13:0] registers = control[`TOTEM_PM4_LOAD_SH_REG_INDEX_NUM_DWORDS];
    wire [15:0] offset    = extra[`TOTEM_PM4_LOAD_SH_REG_INDEX_REG_OFFSET];
    wire        offsets   = extra[`TOTEM_PM4_LOAD_SH_REG_INDEX_DATA_FORMAT] == `TOTEM_LOAD_FORMAT_OFFSET_AND_DATA;

    // ATOMIC_MEM
    wire [4:0]  operation = control[`TOTEM_PM4_ATOMIC_MEM_ATOMIC];
    wire        adds      = operation == `TOTEM_ATOMIC_ADD;
    wire        broad     = control[`TOTEM_PM4_ATOMIC_MEM_WIDE];
    wire [63:0] old       = broad ? memory_data : {32'd0, read};
    wire        differs   = operation == `TOTEM_ATOMIC_COMPARE_SWAP
                            && (old[31:0] != second[31:0] || (broad && old[63:32] != second[63:32]));
    wire        loops     = control[`TOTEM_PM4_ATOMIC_MEM_COMMAND] == `TOTEM_ATOMIC_COMMAND_LOOP;

    wire       in_bank = copies ? compute : address[9:7] == 3'b100;

    reg        put;             // what is in `data` goes to its destination
    reg        store;           // a write to memory begins
    // 3 Phase, continued: copies.
    always @* begin
        acts         = taken || heard;
        phase_next   = EXECUTE_READY;
        step_next    = step;
        last_next    = last;
        count_next   = control[13:0];
        address_next = address;
        data_next    = data;
        extra_next   = extra;
        second_next  = second;
        counted_next = counted;
        vain         = 1'b0;
        finish       = 1'b0;
        ignore       = 1'b0;
        to_bank      = 1'b0;
        flow         = 1'b0;
        close        = 1'b0;
        wait_epoch   = 1'b0;
        code         = 8'd0;
        word         = control;
        put          = 1'b0;
        store        = 1'b0;

        if (taken && copies) begin
            if (barred)
                phase_next = EXECUTE_LEAVE;
            else if (uneven)
                code = `TOTEM_ERROR_PACKET_FEATURE;
            else if (from_memory || from_register) begin
                address_next = data[39:0];
                step_next    = from_register ? 2'd2 : step;
                phase_next   = from_register ? EXECUTE_REGISTER : EXECUTE_POLL;
            end else begin
                put = 1'b1;
                if (from == `TOTEM_COPY_SRC_GPU_CLOCK)
                    data_next = clock;
            end
        end

        if (taken && loads) begin
            phase_next = EXECUTE_POLL;
            if (registers == 14'd0)
                finish = 1'b1;
            else if (address[1:0] != 2'd0) begin        // an index: it is no address
                code = `TOTEM_ERROR_PACKET_FEATURE;
                word = address[31:0];
            end else
                step_next = 2'd0;
        end

        if (taken && moves) begin
            word = extra;
            if (target == `TOTEM_DMA_DST_GDS || target == `TOTEM_DMA_DST_NOWHERE) begin
                ignore = 1'b1;
                finish = 1'b1;
            end else if (bytes == 26'd0)
                finish = 1'b1;
            else if (unable)
                code = `TOTEM_ERROR_PACKET_FEATURE;
            else if (sync && closed)
                phase_next = EXECUTE_FLUSH;
            else if (sync && !epoch_room) begin
                wait_epoch = 1'b1;
                phase_next = EXECUTE_LEAVE;
            end else if (barred)
                phase_next = EXECUTE_LEAVE;
            else if (value) begin
                address_next = second[39:0];
                store        = 1'b1;
            end else begin
                address_next = data[39:0];
                phase_next   = EXECUTE_POLL;
            end
        end

        if (taken && atomic) begin
            phase_next = EXECUTE_POLL;
            if (barred)
                phase_next = EXECUTE_LEAVE;
            else if (broad && address[2])
                code = `TOTEM_ERROR_PACKET_FEATURE;
            else if (adds)
                second_next = data;
        end

        if (heard && copies) begin
            data_next = (wide && !from_register) ? memory_data : {32'd0, read};
            if (wide && from_register && step == 2'd2) begin
                data_next    = data;
                extra_next   = read;
                address_next = address + 40'd1;
                step_next    = 2'd3;
                phase_next   = EXECUTE_REGISTER;
            end else begin
                if (wide && from_register)
                    data_next = {read, extra};
                put        = !barred;
                phase_next = EXECUTE_LEAVE;
            end
        end

        if (heard && loads) begin
            if (offsets && step == 2'd0) begin
                extra_next[15:0] = read[15:0];
                address_next     = address + 40'd4;
                step_next        = 2'd1;
                phase_next       = EXECUTE_POLL;
            end else if (offset > 16'h3ff) begin
                code = `TOTEM_ERROR_PACKET_SH_OFFSET;
                word = extra;
            end else begin
                data_next[31:0] = read;
                second_next     = {24'd0, address};
                address_next    = {24'd0, offset};
                count_next      = registers - 14'd1;
                step_next       = 2'd0;
                phase_next      = EXECUTE_REGISTER;
            end
        end

        if (heard && moves) begin
            data_next[31:0] = read;
            address_next    = second[39:0];
            second_next     = {24'd0, behind_from};
            store           = !barred;
            phase_next      = EXECUTE_LEAVE;
        end

        if (heard && atomic) begin
            if (differs) begin
                vain       = loops;
                finish     = !loops;
                phase_next = EXECUTE_RETRY;
            end else begin
                if (adds)
                    data_next = old + second;
                store      = !barred;
                phase_next = EXECUTE_LEAVE;
            end
        end

        if (phase == EXECUTE_REGISTER && copies && step[1]) begin       // a source
            acts       = 1'b1;
            phase_next = EXECUTE_POLL;
            word       = address[31:0];
            if (!own && nowhere) begin
                ignore = 1'b1;
                finish = 1'b1;
            end else if (!own)
                code = `TOTEM_ERROR_PACKET_WRITE_REGISTER;
        end else if (phase == EXECUTE_REGISTER && (copies || loads) && step == 2'd0) begin
            phase_next = EXECUTE_REGISTER;
            acts       = loads || in_bank || nowhere;           // else it is a priority
            step_next  = (loads || in_bank) ? 2'd1 : step;
            if (in_bank)
                to_bank = 1'b1;
            else if (copies) begin
                ignore = 1'b1;
                finish = 1'b1;
            end else if (!graphics)
                counted_next = 1'b1;
            else if (room)
                flow = 1'b1;
            else
                step_next = 2'd0;
        end else if (phase == EXECUTE_REGISTER && loads) begin
            acts       = 1'b1;
            phase_next = EXECUTE_POLL;
            if (registers == 14'd0)
                finish = 1'b1;
            else begin
                address_next     = second[39:0] + 40'd4;
                extra_next[15:0] = offset + 16'd1;
                step_next        = 2'd0;
            end
        end else if (phase == EXECUTE_REGISTER && copies && !last) begin
            acts         = 1'b1;
            address_next = address + 40'd1;
            data_next    = {32'd0, data[63:32]};
            last_next    = 1'b1;
            step_next    = 2'd0;
            phase_next   = EXECUTE_REGISTER;
        end

        if (phase == EXECUTE_WRITE && moves && write_ready && step != 2'd0) begin
            acts = 1'b1;
            if (bytes == 26'd4) begin
                close      = sync;
                phase_next = EXECUTE_FLUSH;
                finish     = !sync;
            end else if (barred)
                phase_next = EXECUTE_LEAVE;
            else begin
                extra_next[`TOTEM_PM4_DMA_DATA_BYTE_COUNT] = bytes - 26'd4;
                address_next = value ? behind_to : second[39:0];
                store        = value;
                phase_next   = EXECUTE_POLL;
                if (!value)
                    second_next = {24'd0, behind_to};
            end
        end

        if (phase == EXECUTE_WRITE && atomic && write_ready && step != 2'd0) begin
            acts       = 1'b1;
            phase_next = EXECUTE_CONFIRM;
        end

        if (phase == EXECUTE_CONFIRM && confirmed) begin
            acts       = 1'b1;
            finish     = !confirm_failed && exokay;
            vain       = !confirm_failed && !exokay;
            phase_next = confirm_failed ? EXECUTE_LEAVE : EXECUTE_RETRY;
        end

        if (put) begin
            address_next = second[39:0];
            store        = !to_register;
            step_next    = 2'd0;
            phase_next   = EXECUTE_REGISTER;
            if (to_register)
                last_next = !wide;
        end
        if (store) begin
            step_next  = 2'd0;
            phase_next = EXECUTE_WRITE;
        end
        write = store;
    end
endmodule

`default_nettype wire
