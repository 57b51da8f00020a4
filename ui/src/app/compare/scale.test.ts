import { describe, expect, it } from 'vitest';
import { ByteScale } from './scale';

const GIB = 1024 ** 3;
const most = (allocated: number): { allocated: number; reserved: number } => ({
  allocated: allocated * GIB,
  reserved: allocated * GIB,
});

describe('a common scale', () => {
  it('is as high as the higher picture needs', () => {
    const scale = new ByteScale(true);
    const [high, low] = [scale.of(0), scale.of(1)];
    const height = high.want(most(16), 'near');
    expect(height?.to).toBeGreaterThan(16 * GIB);
    expect(low.want(most(2), 'near')).toEqual(height);
    // Both shrink together.
    high.want(most(2), 'near');
    expect(low.want(most(2), 'near')?.to).toBeLessThan(3 * GIB);
  });

  it('tells when the other picture has to be drawn again', () => {
    const scale = new ByteScale(true);
    let told = 0;
    scale.of(0).changed.subscribe(() => {
      told += 1;
    });
    scale.of(0).want(most(2), 'near');
    const before = told;
    scale.of(1).want(most(2), 'near');
    expect(told).toBe(before);
    scale.of(1).want(most(9), 'near');
    expect(told).toBe(before + 1);
  });

  it('leaves each its own height when it is not shared', () => {
    const scale = new ByteScale(false);
    expect(scale.of(0).want(most(4), 'near')).toBeUndefined();
    scale.share(true);
    expect(scale.of(0).want(most(4), 'near')).toBeDefined();
  });
});
