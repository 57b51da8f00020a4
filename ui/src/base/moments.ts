import { count } from './format';

/** `12.345 678 901 s`: nanoseconds since the recording's start, with every digit. */
export function secondsText(ns: number): string {
  const whole = Math.floor(Math.abs(ns) / 1e9);
  const rest = (Math.abs(ns) % 1e9).toString().padStart(9, '0');
  const digits = [rest.slice(0, 3), rest.slice(3, 6), rest.slice(6)].join(' ');
  return `${ns < 0 ? '−' : ''}${count(whole)}.${digits} s`;
}

/** Date and time of a moment, with nanoseconds, in the machine's zone; `zeroNs` is the start's. */
export function clockText(ns: number, zeroNs: string): string {
  const all = BigInt(zeroNs) + BigInt(Math.round(ns));
  const second = all / 1_000_000_000n;
  const date = new Date(Number(second) * 1000);
  const pad = (value: number): string => value.toString().padStart(2, '0');
  const day = [date.getFullYear().toString(), pad(date.getMonth() + 1), pad(date.getDate())];
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad);
  const rest = (all % 1_000_000_000n).toString().padStart(9, '0');
  return `${day.join('-')} ${time.join(':')}.${rest}`;
}
