import { Clock } from '@plimsoll/service-kit';
import type { ClaimedRow } from './claimed-delivery';
import { LocalLeaseCache } from './local-lease-cache';

const MIB = 1_024 * 1_024;
const rows = (...bodies: string[]): ClaimedRow[] => bodies.map((body) => ({ body }) as ClaimedRow);

describe('LocalLeaseCache', () => {
  let nowMs = 1_000_000;
  const clock = Object.assign(new Clock(), { now: () => nowMs });

  it('returns the deliveries of a lease once', () => {
    const here = new LocalLeaseCache(clock);
    here.remember('a', rows('1', '2'));
    here.remember('b', rows('3'));
    expect(here.leaseIds()).toEqual(['a', 'b']);
    expect(here.take('a')).toEqual(rows('1', '2'));
    expect(here.take('a')).toEqual([]);
    expect(here.leaseIds()).toEqual(['b']);
  });

  it('removes deliveries that no claim took within a minute', () => {
    const here = new LocalLeaseCache(clock);
    here.remember('a', rows('1'));
    nowMs += 30_000;
    here.remember('b', rows('2'));
    nowMs += 30_000;
    expect(here.leaseIds()).toEqual(['b']);
    expect(here.take('a')).toEqual([]);
  });

  it('stores at most 16 Mi characters of bodies, and accepts new ones when there is capacity', () => {
    const here = new LocalLeaseCache(clock);
    const large = 'x'.repeat(8 * MIB);
    here.remember('a', rows(large));
    here.remember('b', rows(large));
    here.remember('c', rows('x'));
    expect(here.leaseIds()).toEqual(['a', 'b']);
    here.take('a');
    here.remember('d', rows(large));
    here.remember('e', rows('x'));
    expect(here.leaseIds()).toEqual(['b', 'd']);
    nowMs += 60_000;
    expect(here.leaseIds()).toEqual([]);
    here.remember('f', rows(large, large));
    expect(here.leaseIds()).toEqual(['f']);
  });

  it('stores at most 256 leases', () => {
    const here = new LocalLeaseCache(clock);
    for (let at = 0; at < 300; at += 1) here.remember(String(at), rows('1'));
    expect(here.leaseIds()).toHaveLength(256);
    expect(here.take('255')).toEqual(rows('1'));
    expect(here.take('256')).toEqual([]);
  });
});
