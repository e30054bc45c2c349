import type { KeyV1 } from '@plimsoll/contracts';
import { EndedKeys } from './ended-keys';

const END = '2026-11-22T12:00:00.000Z';
const END_MS = Date.parse(END);

const ends = (ending: KeyV1['ending'], endsAt: string | null = END): KeyV1 => ({
  accountId: 'acc_1',
  keyId: 'key_1',
  ending,
  endsAt,
});

describe('EndedKeys', () => {
  it('reports the end of a key once, when it happens', () => {
    const keys = new EndedKeys();
    keys.apply('key_1', ends('rotated'));
    expect(keys.newlyEnded(END_MS - 1).size).toBe(0);
    expect(keys.endingOf('key_1', END_MS - 1)).toBeNull();
    expect([...keys.newlyEnded(END_MS)]).toEqual([['key_1', 'keyRotated']]);
    expect(keys.newlyEnded(END_MS + 1).size).toBe(0);
    expect(keys.endingOf('key_1', END_MS + 1)).toBe('keyRotated');
  });

  it('reports it again when it is published again', () => {
    const keys = new EndedKeys();
    keys.apply('key_1', ends('rotated'));
    keys.newlyEnded(END_MS);
    keys.apply('key_1', ends('revoked'));
    expect([...keys.newlyEnded(END_MS)]).toEqual([['key_1', 'keyRevoked']]);
  });

  it('reports nothing for a key that no longer ends', () => {
    const keys = new EndedKeys();
    keys.apply('key_1', ends('expired'));
    keys.apply('key_1', null);
    expect(keys.newlyEnded(END_MS).size).toBe(0);
    expect(keys.endingOf('key_1', END_MS)).toBeNull();
  });
});
