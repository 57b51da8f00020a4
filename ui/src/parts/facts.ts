import { bytes, count, percent } from '../base/format';
import { t } from '../text/t';
import { remarkTold } from './told';
import { RECIPES, type Family } from './recipes';
import type { DeviceSummary, Summary } from '../wire/known';

/** What a person should know about a recording before believing the picture. */
export interface Fact {
  readonly text: string;
  readonly why: string | undefined;
}

const blocks = (number: number): string =>
  t('hover.blocks', { count: number, text: count(number) });

/** The facts of one device, the weightiest first. */
export function factsOf(summary: Summary, device: DeviceSummary | undefined): readonly Fact[] {
  const inferred = device === undefined ? [] : inferredOf(device, summary);
  const remarks = summary.remarks.map((remark) => {
    const { text, detail } = remarkTold(remark);
    const times = t('banner.times', { count: count(remark.count) });
    return { text: remark.count > 1 ? t('banner.often', { text, times }) : text, why: detail };
  });
  return [...inferred, ...remarks];
}

/** Whether there is nothing to show of a device: neither events nor segments nor blocks. */
export const isWithoutMemory = (device: DeviceSummary): boolean =>
  device.events === 0 && device.blocks === 0 && device.segments === 0;

/** Whether no device has events, while some hold memory: there is a picture, and it is flat. */
export const isWithoutHistory = (summary: Summary): boolean =>
  summary.devices.every((device) => device.events === 0) &&
  summary.devices.some((device) => !isWithoutMemory(device));

/** Whose way to record made a recording, or would have made one. */
export function guideFamily(summary: Summary | undefined): Family {
  if (summary?.dump !== undefined) return 'memscope';
  const family = summary?.family;
  return family === 'npu' || family === 'xpu' ? family : 'cuda';
}

/** Why there is nothing to show, as far as the file says. */
export const nothingFacts = (summary: Summary): readonly Fact[] =>
  summary.remarks.length > 0
    ? factsOf(summary, undefined)
    : [{ text: t('noMemory.why'), why: undefined }];

function inferredOf(device: DeviceSummary, summary: Summary): readonly Fact[] {
  if (summary.dump !== undefined) return inferredOfTrack(device);
  const facts: Fact[] = [];
  if (device.events === 0) {
    const call = RECIPES[guideFamily(summary)].parametersOf;
    facts.push({ text: t('banner.noHistory'), why: t('banner.noHistoryHow', { call }) });
    return facts;
  }
  if (device.start_live.count > 0) {
    const { count: number, size } = device.start_live;
    facts.push({
      text: t('banner.before', { blocks: blocks(number), size: bytes(size) }),
      why: undefined,
    });
  }
  if (device.blocks_ghost > 0) {
    facts.push({
      text: t('banner.ghosts', { blocks: count(device.blocks_ghost) }),
      why: undefined,
    });
  }
  if (device.events_without_stack > 0) {
    const share = percent(device.events_without_stack / device.events);
    facts.push({ text: t('banner.noStack', { share }), why: t('banner.noStackWhy') });
  }
  if (!device.has_time) facts.push({ text: t('banner.noTime'), why: undefined });
  return facts;
}

/** A dump has a stack for allocations at most, and times always. */
function inferredOfTrack(device: DeviceSummary): readonly Fact[] {
  const facts: Fact[] = [];
  if (device.start_live.count > 0) {
    const { count: number, size } = device.start_live;
    facts.push({
      text: t('banner.before', { blocks: blocks(number), size: bytes(size) }),
      why: undefined,
    });
  }
  if (device.events > 0 && device.events_without_stack >= device.events) {
    facts.push({ text: t('dumped.noStacks'), why: t('dumped.noStacksWhy') });
  }
  return facts;
}
