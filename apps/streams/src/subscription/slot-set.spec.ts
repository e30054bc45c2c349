import fc from 'fast-check';
import { SlotSet } from './slot-set';

function drained(set: SlotSet): number[] {
  const slots: number[] = [];
  set.drain((slot) => slots.push(slot));
  return slots;
}

describe('SlotSet', () => {
  it('hands each out once and in order, and is empty then, however often it is filled', () => {
    const slots = fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 50 });
    fc.assert(
      fc.property(fc.array(slots, { maxLength: 5 }), (fillings) => {
        const set = new SlotSet();
        for (const filling of fillings) {
          for (const slot of filling) set.add(slot);
          expect(drained(set)).toEqual([...new Set(filling)].sort((a, b) => a - b));
        }
        expect(drained(set)).toEqual([]);
      }),
    );
  });

  it('knows every slot of a word', () => {
    const set = new SlotSet();
    const all = Array.from({ length: 100 }, (_, slot) => slot);
    for (const slot of all.toReversed()) set.add(slot);
    expect(drained(set)).toEqual(all);
  });
});
