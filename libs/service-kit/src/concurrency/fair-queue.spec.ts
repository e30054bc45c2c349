import fc from 'fast-check';
import { FairQueue } from './fair-queue';

interface Item {
  account: string;
  cost: number;
  order: number;
}

const ACCOUNTS = ['a', 'b', 'c', 'd'];
const cost = fc.integer({ min: 1, max: 1_000 });

/** Adds items of these costs to an account, numbered from `order`. */
function addAll(queue: FairQueue<Item>, account: string, costs: readonly number[]): Item[] {
  return costs.map((each, order) => {
    const item = { account, cost: each, order };
    queue.add(account, each, item);
    return item;
  });
}

function takeAll(queue: FairQueue<Item>): Item[] {
  const taken: Item[] = [];
  for (let item = queue.take(); item; item = queue.take()) taken.push(item);
  return taken;
}

const total = (items: readonly Item[]): number => items.reduce((sum, item) => sum + item.cost, 0);
const most = (costs: readonly number[]): number => Math.max(...costs);

describe('FairQueue', () => {
  it('serves waiting accounts equally, whatever the number and cost of their items', () => {
    const backlog = fc.array(cost, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.tuple(backlog, backlog, backlog), (costs) => {
        const queue = new FairQueue<Item>(1_000);
        costs.forEach((each, at) => addAll(queue, ACCOUNTS[at]!, each));
        const left = costs.map((each) => each.length);
        const served = costs.map(() => 0);
        for (const item of takeAll(queue)) {
          const at = ACCOUNTS.indexOf(item.account);
          served[at]! += item.cost;
          left[at]! -= 1;
          for (let i = 0; i < costs.length; i += 1) {
            for (let j = 0; j < i; j += 1) {
              if (left[i] === 0 || left[j] === 0) continue;
              expect(Math.abs(served[i]! - served[j]!)).toBeLessThanOrEqual(
                most(costs[i]!) + most(costs[j]!),
              );
            }
          }
        }
      }),
    );
  });

  it('lets an item wait for its own cost and one item of each other account at most', () => {
    const backlog = fc.array(cost, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(backlog, backlog, fc.nat(60), cost, (first, second, before, own) => {
        const queue = new FairQueue<Item>(1_000);
        addAll(queue, 'a', first);
        addAll(queue, 'b', second);
        for (let i = 0; i < before; i += 1) queue.take();
        addAll(queue, 'light', [own]);
        const taken = takeAll(queue);
        const ahead = taken.slice(
          0,
          taken.findIndex(({ account }) => account === 'light'),
        );
        for (const [account, costs] of [
          ['a', first],
          ['b', second],
        ] as const) {
          expect(total(ahead.filter((item) => item.account === account))).toBeLessThanOrEqual(
            own + most(costs),
          );
        }
      }),
    );
  });

  it('keeps the order of an account, loses nothing, stays within its capacity and forgets accounts', () => {
    const step = fc.oneof(
      fc.record({ account: fc.constantFrom(...ACCOUNTS), cost }),
      fc.constantFrom('take' as const, 'remove' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 0, max: 8 }), (steps, capacity) => {
        const queue = new FairQueue<Item>(capacity);
        const waiting = new Set<Item>();
        let order = 0;
        for (const each of steps) {
          if (each === 'take') {
            const item = queue.take();
            if (item) {
              expect(item).toBe([...waiting].find(({ account }) => account === item.account));
              waiting.delete(item);
            } else expect(waiting.size).toBe(0);
          } else if (each === 'remove') {
            const [item] = waiting;
            if (!item) continue;
            expect(queue.remove(item.account, item)).toBe(true);
            expect(queue.remove(item.account, item)).toBe(false);
            waiting.delete(item);
          } else {
            const item = { ...each, order: (order += 1) };
            waiting.add(item);
            const refused = queue.add(item.account, item.cost, item);
            if (refused) waiting.delete(refused);
          }
          expect(queue.size).toBe(waiting.size);
          expect(queue.size).toBeLessThanOrEqual(capacity);
          expect(queue.accounts).toBe(new Set([...waiting].map(({ account }) => account)).size);
        }
      }),
    );
  });

  it('refuses the newest item of the account with the most when it is full', () => {
    const queue = new FairQueue<string>(3);
    for (const item of ['a1', 'a2', 'a3']) queue.add('a', 1, item);
    expect(queue.add('a', 1, 'a4')).toBe('a4');
    expect(queue.add('b', 1, 'b1')).toBe('a3');
    expect(queue.add('b', 1, 'b2')).toBe('b2');
    expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual(['b1', 'a1', 'a2', undefined]);
  });

  it('takes the account with fewer items first when the costs are equal', () => {
    const queue = new FairQueue<string>(10);
    for (const item of ['a1', 'a2', 'a3', 'a4']) queue.add('a', 1, item);
    expect(queue.take()).toBe('a1');
    queue.add('b', 1, 'b1');
    expect([queue.take(), queue.take(), queue.take()]).toEqual(['b1', 'a2', 'a3']);
  });

  it('takes the fair first of the items that fit', () => {
    const queue = new FairQueue<number>(10);
    queue.add('a', 100, 100);
    queue.add('a', 5, 5);
    queue.add('b', 200, 200);
    expect(queue.take((item) => item < 10)).toBe(5);
    expect(queue.take((item) => item < 10)).toBeUndefined();
    expect([queue.take(), queue.take()]).toEqual([100, 200]);
  });
});
