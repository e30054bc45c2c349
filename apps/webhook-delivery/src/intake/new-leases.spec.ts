import { NewLeases } from './new-leases';

describe('NewLeases', () => {
  const leasesOf = (capacity: number, size: number): NewLeases =>
    new NewLeases({ insertCapacity: () => capacity, leaseSize: () => size }, 1_000_000);

  it("are held up to the capacity, and then wait in leases of the endpoint's size", () => {
    const leases = leasesOf(2, 3);
    const given = Array.from({ length: 7 }, (_, i) => leases.of('wh_a', `del_${i}`));
    expect(given.map((lease) => lease?.isHeld)).toEqual([true, true, false, false, false, false, false]);
    const distinct = [...new Set(given)];
    expect(distinct.map((lease) => lease?.deliveryIds.length)).toEqual([2, 3, 2]);
    expect(distinct.every((lease) => lease?.webhookId === 'wh_a')).toBe(true);
  });

  it('are none beyond the capacity of a slow or unknown endpoint', () => {
    const leases = leasesOf(1, 0);
    expect(leases.of('wh_a', 'del_1')).toMatchObject({ isHeld: true, deliveryIds: ['del_1'] });
    expect([leases.of('wh_a', 'del_2'), leases.of('wh_a', 'del_3')]).toEqual([null, null]);
  });

  it('are for one endpoint each', () => {
    const leases = leasesOf(5, 0);
    expect(leases.of('wh_a', 'del_1')).not.toBe(leases.of('wh_b', 'del_2'));
    expect(leasesOf(0, 0).of('wh_c', 'del_3')).toBeNull();
  });
});
