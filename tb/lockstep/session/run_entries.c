// SPDX-License-Identifier: Apache-2.0
//
// run_entries: see run_entries.h.

#include "run_entries.h"

#if TOTEM_RUNLIST

enum { HEAD, TAIL, WAIT, RUN, WORDS }; // of an entry

static void read_words(const totem_machine *m, uint32_t number, uint64_t tail, totem_run_entry *e)
{
    const uint64_t *word = &m->run_ram.data[WORDS * number];
    const uint32_t  slot = tail & 0x3f;
    *e                   = (totem_run_entry){.entry    = number,
                                             .state    = (uint8_t)(word[HEAD] >> 60 & 3),
                                             .waits    = (word[HEAD] >> 60 & 3) == RUN_LISTED && word[HEAD] >> 62 & 1,
                                             .priority = (uint8_t)(word[HEAD] >> 54 & 15),
                                             .pipe     = slot / TOTEM_QUEUES,
                                             .queue    = slot % TOTEM_QUEUES,
                                             .reason   = (uint8_t)(tail >> 6 & 7),
                                             .moves    = (uint32_t)(tail >> 9 & 0xffff),
                                             .waited   = (uint32_t)word[WAIT],
                                             .longest  = (uint32_t)(word[WAIT] >> 32),
                                             .ran      = word[RUN]};
    if (e->state == RUN_MAPPED)
        e->ran += m->runlist.ran[slot];
    if (!e->waits)
        return;
    const uint32_t now = m->runlist.now - (uint32_t)(tail >> 32);
    e->waited += now;
    e->longest = now > e->longest ? now : e->longest;
}

bool run_entries_clock(const session *s, totem_run_entry *entry)
{
    const totem_runlist_out *o = &session_out(s)->runlist;
    if (!o->ram_write_enable || o->ram_write_addr % WORDS != TAIL)
        return false;
    read_words(session_model(s), o->ram_write_addr / WORDS, o->ram_write_data, entry);
    return true;
}

void run_entries_end(session *s, totem_run_result *r)
{
    const totem_machine *m = session_model(s);
    r->placements          = m->runlist.moves;
    r->scans               = m->runlist.decisions;
    for (uint32_t n = 0; n < TOTEM_RUN_QUEUES; n++) {
        const uint64_t  tail = m->run_ram.data[WORDS * n + TAIL];
        totem_run_entry e;
        read_words(m, n, tail, &e);
        // Removal leaves the sums; an entry that was never listed has no reason either.
        if (e.state != RUN_FREE || tail)
            r->entries[r->entries_count++] = e;
    }
}

#else

bool run_entries_clock(const session *s, totem_run_entry *entry)
{
    (void)s;
    (void)entry;
    return false;
}

void run_entries_end(session *s, totem_run_result *r)
{
    (void)s;
    (void)r;
}

#endif
