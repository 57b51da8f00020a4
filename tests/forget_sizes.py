#!/usr/bin/env python3
"""Takes away from a snapshot what it says of the sizes of its last blocks.

usage: forget_sizes.py IN OUT

Every block that is alive at the end and whose allocation is in the trace is freed by events added at
the end of the trace, and becomes free space in its segment: its true size, which IN states, is in OUT
only to be found by the rule. Used by size_rule.rs.
"""
import gc
import pickle
import sys


class Refuse(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError(f'refused {module}.{name}')


def open_at_end(trace):
    """Addresses allocated in the trace and not given back: {address: allocation}."""
    live = {}
    for entry in trace:
        if entry['action'] == 'alloc':
            live[entry['addr']] = entry
        elif entry['action'] in ('free_requested', 'free_completed', 'free'):
            live.pop(entry['addr'], None)
    return live


def forget(segment, live, added):
    """Frees the segment's blocks that are in `live`, and joins its free ones."""
    blocks, at = [], segment['address']
    for block in segment['blocks']:
        address = block.get('address', at)
        at = address + block['size']
        if block['state'] == 'active_allocated' and address in live:
            alloc = live[address]
            for action in ('free_requested', 'free_completed'):
                added.append(alloc | {'action': action})
            block = {**block, 'state': 'inactive', 'requested_size': 0, 'frames': []}
        if blocks and blocks[-1]['state'] == block['state'] == 'inactive':
            blocks[-1] = {**blocks[-1], 'size': blocks[-1]['size'] + block['size']}
        else:
            blocks.append(block)
    return {**segment, 'blocks': blocks}


def main(source, target):
    gc.disable()  # nothing here is a cycle, and it takes most of the time
    with open(source, 'rb') as file:
        snapshot = Refuse(file).load()
    if isinstance(snapshot, dict):
        traces = snapshot['device_traces']
        live = [open_at_end(trace) for trace in traces]
        added = [[] for _ in traces]
        snapshot['segments'] = [
            forget(segment, live[segment['device']], added[segment['device']])
            if segment['device'] < len(traces) else segment
            for segment in snapshot['segments']
        ]
        for trace, more in zip(traces, added):
            last = trace[-1].get('time_us') if trace else None
            trace.extend({**entry, 'time_us': last} if last is not None else entry for entry in more)
    with open(target, 'wb') as file:
        pickle.dump(snapshot, file, protocol=4)


if __name__ == '__main__':
    main(*sys.argv[1:3])
