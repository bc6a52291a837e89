#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a trace of `totem run --trace` against the result of the same run (`--json`).

    check_trace.py TRACE RESULT

Slices of a track nest; every flow has both ends, each in a slice of its kind, and goes forward. Then the trace becomes
messages of Perfetto (its own Python package), which are read back from their bytes: as many waves, dispatches and
fences begin and end in them as the run had, and a flow that is announced arrives.
"""
import collections
import json
import sys

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
from perfetto.trace_builder.proto_builder import TraceProtoBuilder

# Kind of a flow: what its ends lie in.
ENDS = {"doorbell": ({"doorbell"}, {"dispatch", "task"}), "wave": ({"dispatch", "task"}, {"wave"}),
        "fence": ({"wave"}, {"fence"})}


def nest(slices, track):
    """(clock, slice, begins) in the order in which slices of a track begin and end."""
    stack, steps, last = [], [], 0
    for one in slices:
        assert one["ts"] >= last, (track, one, "is not in the order of clocks")
        last = one["ts"]
        while stack and stack[-1]["ts"] + stack[-1]["dur"] <= one["ts"]:
            ended = stack.pop()
            steps.append((ended["ts"] + ended["dur"], ended, False))
        assert one["dur"] > 0, (track, one, "has no clock")
        assert not stack or one["ts"] + one["dur"] <= stack[-1]["ts"] + stack[-1]["dur"], (track, one, stack[-1])
        stack.append(one)
        steps.append((one["ts"], one, True))
    return steps + [(one["ts"] + one["dur"], one, False) for one in reversed(stack)]


def join(flows, tracks):
    """Gives slices the numbers of the flows that leave and reach them."""
    ends = collections.defaultdict(dict)
    for flow in flows:
        assert flow["ph"] not in ends[flow["id"]], (flow, "has this end twice")
        ends[flow["id"]][flow["ph"]] = flow
    at = collections.defaultdict(list)
    for track, slices in tracks.items():
        for one in slices:
            at[track, one["ts"], one["cat"]].append(one)
    for number, both in ends.items():
        assert set(both) == {"s", "f"}, (both, "a flow lacks an end")
        assert both["s"]["ts"] <= both["f"]["ts"], (both, "a flow goes back")
        for ph, kinds, key in (("s", ENDS[both["s"]["cat"]][0], "out"), ("f", ENDS[both["s"]["cat"]][1], "in")):
            end = both[ph]
            found = [one for kind in kinds for one in at[(end["pid"], end["tid"]), end["ts"], kind]]
            assert len(found) == 1, (end, found, "an end of a flow is in no slice of its kind")
            found[0].setdefault(key, []).append(number)


def messages(tracks):
    builder = TraceProtoBuilder()
    for number, (track, slices) in enumerate(sorted(tracks.items()), 1):
        packet = builder.add_packet()
        packet.track_descriptor.uuid = number
        packet.track_descriptor.name = str(track)
        for clock, one, begins in nest(slices, track):
            packet = builder.add_packet()
            packet.timestamp = 1000 * clock
            packet.trusted_packet_sequence_id = 1
            event = packet.track_event
            event.track_uuid = number
            event.type = TrackEvent.TYPE_SLICE_BEGIN if begins else TrackEvent.TYPE_SLICE_END
            if begins:
                event.name = one["name"]
                event.categories.append(one["cat"])
                event.flow_ids.extend(one.get("out", []))
                event.terminating_flow_ids.extend(one.get("in", []))
    trace = Trace()
    trace.ParseFromString(builder.serialize())
    return trace


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    with open(sys.argv[2], encoding="utf-8") as file:
        run = json.load(file)
    tracks, named = collections.defaultdict(list), set()
    for event in events:
        if event["ph"] == "X":
            tracks[event["pid"], event["tid"]].append(event)
        elif event["name"] == "thread_name":
            named.add((event["pid"], event["tid"]))
    assert set(tracks) <= named, (set(tracks) - named, "has no name")
    join([event for event in events if event["ph"] in "sf"], tracks)
    begun, depth, out, reached = collections.Counter(), collections.Counter(), set(), set()
    for packet in messages(tracks).packet:
        event = packet.track_event
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            begun[event.categories[0]] += 1
            out.update(event.flow_ids)
            reached.update(event.terminating_flow_ids)
        depth[event.track_uuid] += {TrackEvent.TYPE_SLICE_BEGIN: 1, TrackEvent.TYPE_SLICE_END: -1}.get(event.type, 0)
    assert not any(depth.values()) and out == reached, (depth, out ^ reached)
    for kind, wanted in (("wave", "waves"), ("dispatch", "dispatches"), ("fence", "fences")):
        assert begun[kind] == run[wanted], (kind, begun[kind], run[wanted])
    flows = collections.Counter(event["cat"] for event in events if event["ph"] == "s")
    compute = run["waves"] - sum(event["ph"] == "X" and event["cat"] == "wave" and
                                 not event["name"].startswith("compute") for event in events)
    assert flows["wave"] == compute, (flows, compute, "every compute wave comes from a dispatch")
    assert flows["fence"] <= begun["fence"] and flows["doorbell"] <= begun["dispatch"] + begun["task"], flows
    print(f"the trace holds: {begun['wave']} waves, {begun['dispatch']} dispatches, {begun['fence']} fences, "
          f"{len(out)} flows")


if __name__ == "__main__":
    main()
