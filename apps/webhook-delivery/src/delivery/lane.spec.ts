import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ClaimedDelivery } from './claimed-delivery';
import { Lane } from './lane';

const delivery = (at: number): ClaimedDelivery => ({ deliveryId: `del_${at}` }) as ClaimedDelivery;

describe('Lane', () => {
  it('gives out what waits in the order in which it came, however much of it waits', () => {
    const lane = new Lane('wh', 'acc', 4, 1e6);
    let [pushed, shifted] = [0, 0];
    for (let round = 0; round < 200; round += 1) {
      for (let count = round; count > 0; count -= 1) lane.push(delivery((pushed += 1)));
      for (let count = round - (round % 3); count > 0; count -= 1) {
        expect(lane.shift()?.deliveryId).toBe(`del_${(shifted += 1)}`);
      }
      expect(lane.waiting).toBe(pushed - shifted);
    }
    while (lane.waiting > 0) expect(lane.shift()?.deliveryId).toBe(`del_${(shifted += 1)}`);
    expect(shifted).toBe(pushed);
    expect(lane.shift()).toBeUndefined();
    expect(lane.waiting).toBe(0);
  });

  it('holds nothing of what it gave out, though something always waits', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const lane = new Lane('wh', 'acc', 4, 1e6);
    const given: WeakRef<ClaimedDelivery>[] = [];
    for (let at = 0; at < 10; at += 1) lane.push(delivery(at));
    for (let at = 10; at < 5_000; at += 1) {
      lane.push(delivery(at));
      given.push(new WeakRef(lane.shift() as ClaimedDelivery));
    }
    // What a WeakRef was made of lives until the turn is over.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(given.filter((each) => each.deref() !== undefined)).toHaveLength(0);
    expect(lane.waiting).toBe(10);
  });
});
