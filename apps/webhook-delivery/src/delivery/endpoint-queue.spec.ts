import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ClaimedDelivery } from './claimed-delivery';
import { EndpointQueue } from './endpoint-queue';

const delivery = (at: number): ClaimedDelivery =>
  ({ deliveryId: `del_${at}`, target: { isVerified: true, url: 'https://example.com/' } }) as ClaimedDelivery;

describe('EndpointQueue', () => {
  it('returns waiting deliveries in order of arrival, for any number of them', () => {
    const queue = new EndpointQueue('wh', 'acc', 4, 1e6);
    let [pushed, shifted] = [0, 0];
    for (let round = 0; round < 200; round += 1) {
      for (let count = round; count > 0; count -= 1) queue.push(delivery((pushed += 1)));
      for (let count = round - (round % 3); count > 0; count -= 1) {
        expect(queue.shift()?.deliveryId).toBe(`del_${(shifted += 1)}`);
      }
      expect(queue.waiting).toBe(pushed - shifted);
    }
    while (queue.waiting > 0) expect(queue.shift()?.deliveryId).toBe(`del_${(shifted += 1)}`);
    expect(shifted).toBe(pushed);
    expect(queue.shift()).toBeUndefined();
    expect(queue.waiting).toBe(0);
  });

  it('holds no reference to a returned delivery, although others always wait', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const queue = new EndpointQueue('wh', 'acc', 4, 1e6);
    const given: WeakRef<ClaimedDelivery>[] = [];
    for (let at = 0; at < 10; at += 1) queue.push(delivery(at));
    for (let at = 10; at < 5_000; at += 1) {
      queue.push(delivery(at));
      given.push(new WeakRef(queue.shift() as ClaimedDelivery));
    }
    // The target of a WeakRef stays alive until the end of the turn.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(given.filter((each) => each.deref() !== undefined)).toHaveLength(0);
    expect(queue.waiting).toBe(10);
  });
});
