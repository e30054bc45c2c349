import { ConnectionSlots } from './connections';
import type { StreamConnection } from './stream-connection';

describe('ConnectionSlots', () => {
  const connection = (): StreamConnection => ({}) as StreamConnection;

  it('numbers connections in the order of arrival, and reuses a free number', () => {
    const slots = new ConnectionSlots();
    const [first, second, third, fourth] = [connection(), connection(), connection(), connection()];
    expect([first, second, third].map((each) => slots.acquire(each))).toEqual([0, 1, 2]);
    slots.release(1);
    expect(slots.at(1)).toBeUndefined();
    expect(slots.acquire(fourth)).toBe(1);
    expect([0, 1, 2, 3].map((slot) => slots.at(slot))).toEqual([first, fourth, third, undefined]);
  });
});
