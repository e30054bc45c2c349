import { newId } from '@plimsoll/contracts';
import { firstIdAt } from './first-id-at';

describe('firstIdAt', () => {
  it('is below the ids created from then on, and above those created before', () => {
    const nowMs = Date.now();
    const id = newId('del');
    expect(firstIdAt(nowMs) < id).toBe(true);
    expect(firstIdAt(nowMs + 120_000) > id).toBe(true);
  });

  it('accepts any time', () => {
    expect(firstIdAt(0)).toBe(`del_${'0'.repeat(22)}`);
    expect(firstIdAt(-1)).toBe(firstIdAt(0));
  });
});
