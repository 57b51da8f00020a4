import type { FindAnswer, FindQuestion, FoundRows } from '../find';
import { describeBlock, numberOf } from './facts';
import { describeEvent } from './pool';
import { firstUsOf, type DemoRecording } from './recording';
import { BLOCKS_EACH } from './segments';

const MOST = 20;

const rows = <T>(all: readonly T[]): FoundRows<T> => ({
  first: all.slice(0, MOST),
  all: all.length,
});

const amount = (
  blocks: readonly { readonly size: number; readonly requested: number }[],
): { readonly count: number; readonly requested: number; readonly size: number } => ({
  count: blocks.length,
  requested: blocks.reduce((sum, { requested }) => sum + requested, 0),
  size: blocks.reduce((sum, { size }) => sum + size, 0),
});

/** What a text leads to in the invented recording. */
export function demoFind(recording: DemoRecording, { text: typed }: FindQuestion): FindAnswer {
  const text = typed.trim().toLowerCase();
  const address = /^(0x[0-9a-f]+|\d+)$/.test(text) ? Number(text) : undefined;
  const number = /^#?-?\d+$/.test(text) ? Number(text.replace('#', '')) : undefined;
  const all = recording.blocks.map((block, row) => ({
    block,
    row,
    number: numberOf(recording, row) ?? row,
  }));
  const isHolder = (one: (typeof all)[number]): boolean =>
    address !== undefined &&
    one.block.address <= address &&
    address < one.block.address + one.block.size;
  const meant = [
    ...all.filter((one) => one.number === number),
    ...all.filter((one) => isHolder(one) && one.number !== number).reverse(),
  ];
  return {
    address: address === undefined ? undefined : `0x${address.toString(16)}`,
    blocks: rows(
      meant.map(({ block, row, number }) => ({
        block: row,
        number,
        address: `0x${block.address.toString(16)}`,
        size: block.size,
        freed: block.freeRequested,
      })),
    ),
    segments: rows(segmentsAt(recording, address)),
    event: eventCalled(recording, number),
    stacks: rows(text === '' ? [] : stacksSaying(recording, text)),
    owners: rows(text === '' ? [] : ownersSaying(recording, text)),
    ranges: rows(
      recording.ranges
        .filter(({ name }) => text !== '' && name.toLowerCase().includes(text))
        .map(({ name, from, to }) => ({ name, from, to: to - 1 })),
    ),
  };
}

function segmentsAt(
  recording: DemoRecording,
  address: number | undefined,
): FindAnswer['segments']['first'] {
  if (address === undefined) return [];
  const firsts = recording.blocks.filter((_, row) => row % BLOCKS_EACH === 0);
  const at = firsts.findLast((block) => block.address <= address);
  const hex = `0x${(at?.address ?? 0).toString(16)}`;
  return at === undefined || address > at.address + 1024 ** 4
    ? []
    : [{ address: hex, size: 1024 ** 3, mapped: undefined, unmapped: undefined }];
}

function eventCalled(recording: DemoRecording, number: number | undefined): FindAnswer['event'] {
  if (number === undefined || number < 0 || number >= recording.events) return undefined;
  const { action, size } = describeEvent(recording, number);
  const time_us = firstUsOf(recording) + (recording.times[number] ?? 0);
  return { at: { event: number, time_us }, action, size };
}

function stacksSaying(recording: DemoRecording, text: string): FindAnswer['stacks']['first'] {
  const stacks = new Map<number, number[]>();
  recording.blocks.forEach(({ stack, alloc }, row) => {
    if (alloc >= 0) stacks.set(stack, [...(stacks.get(stack) ?? []), row]);
  });
  return [...stacks]
    .flatMap(([stack, own]) => {
      const newest = own.at(-1) ?? 0;
      const { alloc_stack, top_frame } = describeBlock(recording, newest);
      const lines = alloc_stack.frames.map(
        ({ name, file, line }) =>
          `${file.split('/').at(-1) ?? ''}:${(line ?? 0).toString()} ${name}`,
      );
      const frame = lines.find((line) => line.toLowerCase().includes(text));
      const blocks = amount(own.flatMap((row) => recording.blocks[row] ?? []));
      const top = top_frame === frame ? undefined : top_frame;
      return frame === undefined ? [] : [{ stack, frame, top, blocks, newest }];
    })
    .sort((a, b) => b.blocks.size - a.blocks.size);
}

function ownersSaying(recording: DemoRecording, text: string): FindAnswer['owners']['first'] {
  const tags = new Set(
    recording.blocks.flatMap(({ owner }) => {
      const levels = (owner ?? '').split('@').filter((level) => level !== '');
      return levels.map((_, depth) => levels.slice(0, depth + 1).join('@'));
    }),
  );
  const says = (tag: string): boolean => tag.toLowerCase().includes(text);
  return [...tags]
    .filter((tag) => says(tag) && !says(tag.split('@').slice(0, -1).join('@')))
    .map((tag) => ({
      tag,
      blocks: amount(
        recording.blocks.filter(
          ({ owner }) => owner === tag || owner?.startsWith(`${tag}@`) === true,
        ),
      ),
    }))
    .sort((a, b) => b.blocks.size - a.blocks.size);
}
