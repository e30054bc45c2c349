import { type AccountV1, type KeyV1, newId } from '@plimsoll/contracts';
import { EndedAccess, type Ending } from './ended-access';

const END = '2026-11-22T12:00:00.000Z';
const END_MS = Date.parse(END);
const HOLDER = { accountId: 'acc_1', keyId: 'key_1' };

const ends = (ending: KeyV1['ending'], endsAt: string | null = END): KeyV1 => ({
  accountId: 'acc_1',
  keyId: 'key_1',
  ending,
  endsAt,
});
const account = (tier: AccountV1['tier']): AccountV1 => ({
  accountId: 'acc_1',
  tier,
  limits: { requestsPerMinute: 1, requestsPerDay: null, keys: null, webhooks: null, wallets: null },
  updatedAt: END,
});
const endingAt = (access: EndedAccess, nowMs: number, keyId = 'key_1'): Ending | null =>
  access.endingOf({ ...HOLDER, keyId }, 'alerts', nowMs);

describe('EndedAccess', () => {
  it('reports the end of a key once, when it happens', () => {
    const access = new EndedAccess();
    access.applyKey('key_1', ends('rotated'));
    expect([access.hasEndings(END_MS - 1), endingAt(access, END_MS - 1)]).toEqual([false, null]);
    expect([access.hasEndings(END_MS), endingAt(access, END_MS)]).toEqual([true, 'keyRotated']);
    expect([access.hasEndings(END_MS + 1), endingAt(access, END_MS + 1)]).toEqual([false, 'keyRotated']);
  });

  it('reports it again when it is published again', () => {
    const access = new EndedAccess();
    access.applyKey('key_1', ends('rotated'));
    access.hasEndings(END_MS);
    access.applyKey('key_1', ends('revoked'));
    expect([access.hasEndings(END_MS), endingAt(access, END_MS)]).toEqual([true, 'keyRevoked']);
  });

  it('reports nothing for a key that no longer ends', () => {
    const access = new EndedAccess();
    access.applyKey('key_1', ends('expired'));
    access.applyKey('key_1', null);
    expect([access.hasEndings(END_MS), endingAt(access, END_MS)]).toEqual([false, null]);
  });

  it('reports a session immediately, and forgets it when no ticket of it can be valid', () => {
    const access = new EndedAccess();
    const session = (sessionId: string, endedAt = END) =>
      ({ sessionId, accountId: 'acc_1', endedAt, ending: 'logged_out' }) as const;
    access.applySession(session('ses_1', new Date(END_MS + 5_000).toISOString()), END_MS);
    expect([access.hasEndings(END_MS), endingAt(access, END_MS, 'ses_1')]).toEqual([true, 'sessionEnded']);
    expect(endingAt(access, END_MS, 'ses_2')).toBeNull();
    access.applySession(session('ses_2'), END_MS + 600_000);
    expect(endingAt(access, END_MS + 600_000, 'ses_1')).toBeNull();
  });

  it('reports a tier without streams, and the end of the account', () => {
    const access = new EndedAccess();
    expect(endingAt(access, END_MS, newId('key'))).toBeNull();
    access.applyAccount('acc_1', account('enterprise'));
    expect([access.hasEndings(END_MS), endingAt(access, END_MS)]).toEqual([true, null]);
    access.applyAccount('acc_1', account('business'));
    expect([access.hasEndings(END_MS), endingAt(access, END_MS)]).toEqual([true, 'forbidden']);
    expect(access.hasEndings(END_MS)).toBe(false);
    access.applyAccount('acc_1', null);
    expect([access.hasEndings(END_MS), endingAt(access, END_MS)]).toEqual([true, 'accountEnded']);
  });
});
