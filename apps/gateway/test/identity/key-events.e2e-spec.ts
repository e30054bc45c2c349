import type { KeyV1 } from '@plimsoll/contracts';
import { type EventCollector, collectEvents, waitFor } from '@plimsoll/testing';
import { Fixture } from '../fixture';

jest.setTimeout(60_000);

describe('key.v1', () => {
  let fixture: Fixture;
  let log: EventCollector<'key.v1'>;
  beforeAll(async () => {
    fixture = await Fixture.start();
    await fixture.gateway();
    log = await collectEvents(fixture.kafka, 'key.v1');
  });
  afterAll(async () => {
    await log.stop();
    await fixture.stop();
  });

  const endingOf = (keyId: string): Promise<KeyV1> =>
    waitFor(() => log.events.findLast(({ key }) => key === keyId)?.value, {
      message: 'the event of the key',
    });

  it('publishes a revoked key', async () => {
    const { accountId, keyId } = await fixture.account('enterprise');
    await fixture.admin('keys', 'revoke', '--id', keyId);
    const { endsAt, ...rest } = await endingOf(keyId);
    expect(rest).toEqual({ keyId, accountId, ending: 'revoked' });
    expect(Math.abs(Date.parse(endsAt ?? '') - Date.now())).toBeLessThan(30_000);
  });

  it('publishes the end of a rotated key, and nothing for a key without an end', async () => {
    const { accountId, keyId } = await fixture.account('enterprise');
    await fixture.admin('keys', 'rotate', '--id', keyId, '--overlap-hours', '2');
    const { endsAt, ...rest } = await endingOf(keyId);
    expect(rest).toEqual({ keyId, accountId, ending: 'rotated' });
    const hours = (Date.parse(endsAt ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(1.9);
    expect(hours).toBeLessThanOrEqual(2);
    expect(log.events.filter(({ value }) => value?.accountId === accountId)).toHaveLength(1);
  });
});
