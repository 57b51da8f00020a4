"""Judges a recording against its truth, knowing nothing about the generator.

usage: check.py FILE.pickle FILE.truth.json [same-bytes]
Prints "ok", or what is wrong.
"""
import io
import json
import pickle
import pickletools
import sys

import collections


class Refusing(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"refused {module}.{name}")


def check_segments(segments, device, truth):
    mine = [s for s in segments if s["device"] == device and s["address"] < 0x7FFF_0000_0000]
    assert len(mine) == truth["segments"], "segment count"
    assert mine == sorted(mine, key=lambda s: s["address"]), "segments are not in order"
    end = 0
    blocks = 0
    for segment in mine:
        assert segment["address"] >= end, "segments overlap"
        end = segment["address"] + segment["total_size"]
        at = segment["address"]
        sums = dict(allocated_size=0, active_size=0, requested_size=0)
        for block in segment["blocks"]:
            assert block["address"] == at, "blocks do not tile"
            at += block["size"]
            blocks += 1
            if block["state"] == "active_allocated":
                sums["allocated_size"] += block["size"]
            if block["state"] != "inactive":
                sums["active_size"] += block["size"]
                sums["requested_size"] += block["requested_size"]
                assert block["requested_size"] <= block["size"], "a block is too small"
        assert at == end, "blocks do not fill the segment"
        for key, value in sums.items():
            assert segment[key] == value, key
    assert blocks == truth["blocks"], "block count"
    assert sum(s["total_size"] for s in mine) == truth["final_reserved"], "final reserved"
    return mine


def start_state(segments, trace):
    """Walks backward: what was alive and mapped before the first entry."""
    live = {}
    reserved = 0
    for segment in segments:
        reserved += segment["total_size"]
        for block in segment["blocks"]:
            if block["state"] != "inactive":
                live[block["address"]] = [block["requested_size"], block["state"] != "active_allocated"]
    for event in reversed(trace):
        action, at, size = event["action"], event.get("addr"), event["size"]
        if action == "free_completed":
            assert at not in live, "completed while alive"
            live[at] = [size, True]
        elif action == "free_requested":
            assert live[at] == [size, True], "requested twice"
            live[at] = [size, False]
        elif action == "alloc":
            assert live.pop(at) == [size, False], "allocated and not there"
        elif action in ("segment_alloc", "segment_map"):
            reserved -= size
        elif action in ("segment_free", "segment_unmap"):
            reserved += size
    return live, reserved


def check_trace(segments, trace, truth):
    assert len(trace) == truth["events"], "event count"
    assert dict(collections.Counter(e["action"] for e in trace)) == truth["actions"], "action counts"
    live, reserved = start_state(segments, trace)
    requested = sum(size for size, _ in live.values())
    assert reserved == truth["start_reserved"], "start reserved"
    assert requested == truth["start"]["requested"], "start requested"
    assert len(live) == truth["start"]["blocks"], "start blocks"
    totals = {t["event"]: t for t in truth["totals"]}
    sets = {t["event"]: t for t in truth["live"]}
    peaks = dict(reserved=[reserved, -1], requested=[requested, -1])
    last_time = 0
    origin = {at: None for at in live}
    for index, event in enumerate(trace):
        action, at, size = event["action"], event.get("addr"), event["size"]
        if action == "alloc":
            assert at not in live, "allocated twice"
            live[at] = [size, False]
            origin[at] = index
            requested += size
        elif action == "free_requested":
            assert live[at] == [size, False], "freed with another size"
            live[at][1] = True
        elif action == "free_completed":
            assert live.pop(at) == [size, True], "completed without a request"
            requested -= size
        elif action in ("segment_alloc", "segment_map"):
            reserved += size
        elif action in ("segment_free", "segment_unmap"):
            reserved -= size
        elif action == "oom":
            assert "device_free" in event and at is None
        else:
            assert action == "snapshot"
            assert size >= requested
        assert event.get("time_us", last_time) >= last_time, "time goes back"
        last_time = event.get("time_us", last_time)
        for name, value in (("reserved", reserved), ("requested", requested)):
            if value > peaks[name][0]:
                peaks[name] = [value, index]
        if index in totals:
            assert totals[index]["reserved"] == reserved, f"reserved at {index}"
            assert totals[index]["requested"] == requested, f"requested at {index}"
        if index in sets:
            assert sets[index]["count"] == len(live), f"live at {index}"
            for block in sets[index]["largest"]:
                assert live[block["address"]][0] == block["requested"], "a live block"
                assert origin[block["address"]] == block["alloc"], "where a live block comes from"
    for name, (value, event) in peaks.items():
        assert truth["peaks"][name] == dict(value=value, event=event), f"peak {name}"


def check_sharing(trace, segments):
    """A live block shares its list with the event that allocated it, a free's two events share theirs."""
    opened = {}
    for before, event in zip([None] + trace, trace):
        if event["action"] == "alloc":
            opened[event["addr"]] = event
        if event["action"] == "free_completed" and before and before["action"] == "free_requested":
            if before["addr"] == event["addr"] and before.get("time_us") == event.get("time_us"):
                assert before["frames"] is event["frames"], "a free's lists"
        if event["action"] == "free_completed":
            opened.pop(event["addr"], None)
    for segment in segments:
        for block in segment["blocks"]:
            if block["state"] != "inactive" and block["address"] in opened:
                assert block["frames"] is opened[block["address"]]["frames"], "a block's list"


def main(path, truth_path, *options):
    with open(path, "rb") as file:
        data = file.read()
    with open(truth_path) as file:
        truth = json.load(file)
    assert len(data) == truth["bytes"], "file length"
    snapshot = Refusing(io.BytesIO(data)).load()
    assert sum(map(len, snapshot["device_traces"])) == truth["events"]
    for device, trace in zip(truth["devices"], snapshot["device_traces"], strict=True):
        trace = trace[device["workspace_entries"]:]
        segments = check_segments(snapshot["segments"], device["device"], device)
        check_trace(segments, trace, device)
        check_sharing(trace, segments)
        marks = [a for a in snapshot.get("external_annotations", []) if a["device"] == device["device"]]
        assert len(marks) == device["annotations"], "annotation count"
    if "same-bytes" in options:
        again = pickle.dumps(snapshot, protocol=data[1])
        assert again == data, "CPython pickles it differently"
    print("ok")


main(*sys.argv[1:])
