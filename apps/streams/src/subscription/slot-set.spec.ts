import fc from 'fast-check';
import { SlotSet } from './slot-set';

function slotsOf(...slots: number[]): number[] {
  const set = new SlotSet();
  for (const slot of slots) set.add(slot);
  const seen: number[] = [];
  set.each((slot) => seen.push(slot));
  return seen;
}

describe('SlotSet', () => {
  it('contains each once and in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 50 }), (slots) => {
        expect(slotsOf(...slots)).toEqual([...new Set(slots)].sort((a, b) => a - b));
      }),
    );
  });

  it('works for every slot of a word', () => {
    const all = Array.from({ length: 100 }, (_, slot) => slot);
    expect(slotsOf(...all.toReversed())).toEqual(all);
  });
});
