import fc from 'fast-check';
import { List } from './list';

interface NumberPage {
  numbers: number[];
  nextCursor: string | null;
}

/** A list of `total` numbers in pages, and the cursors that were requested. */
function listOf(total: number, perPage: number): { list: List<NumberPage, number>; cursors: unknown[] } {
  const cursors: unknown[] = [];
  const load = (cursor: string | undefined): Promise<NumberPage> => {
    cursors.push(cursor);
    const from = Number(cursor ?? 0);
    const to = Math.min(total, from + perPage);
    const numbers = Array.from({ length: to - from }, (_, i) => from + i);
    return Promise.resolve({ numbers, nextCursor: to < total ? String(to) : null });
  };
  return { list: new List(load, ({ numbers }) => numbers), cursors };
}

describe('List', () => {
  it('yields every item of every page once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(50), fc.integer({ min: 1, max: 9 }), async (total, perPage) => {
        const { list, cursors } = listOf(total, perPage);
        const found: number[] = [];
        for await (const number of list) found.push(number);
        expect(found).toEqual(Array.from({ length: total }, (_, i) => i));
        expect(cursors).toHaveLength(Math.max(1, Math.ceil(total / perPage)));
      }),
    );
  });

  it('returns the first page when it is awaited, and requests it once', async () => {
    const { list, cursors } = listOf(5, 2);
    expect(await list).toEqual({ numbers: [0, 1], nextCursor: '2' });
    expect((await list).numbers).toEqual([0, 1]);
    expect(cursors).toEqual([undefined]);
  });

  it('requests no page that is not needed', async () => {
    const { list, cursors } = listOf(100, 2);
    expect(await list.take(3)).toEqual([0, 1, 2]);
    expect(cursors).toEqual([undefined, '2']);
    expect(await list.take(0)).toEqual([]);
  });
});
