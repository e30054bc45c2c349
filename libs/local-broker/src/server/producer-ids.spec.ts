import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../test/log-fixture';
import { ProducerIds } from './producer-ids';

describe('ProducerIds', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  it('never returns an id twice, neither in parallel nor after a restart', async () => {
    const taken = new Set<number>();
    for (let start = 0; start < 3; start += 1) {
      const ids = new ProducerIds(folder.path);
      const given = await Promise.all(Array.from({ length: 20 }, () => ids.init(null)));
      for (const { producerId, producerEpoch } of given) {
        expect([taken.has(producerId), producerEpoch]).toEqual([false, 0]);
        taken.add(producerId);
      }
    }
  });

  it('fences the former producer of a transactional id, also after a restart', async () => {
    let ids = new ProducerIds(folder.path);
    const first = await ids.init('relay');
    ids = new ProducerIds(folder.path);
    const second = await ids.init('relay');
    expect(second).toEqual({ producerId: first.producerId, producerEpoch: first.producerEpoch + 1 });
    for (const each of [ids, new ProducerIds(folder.path)]) {
      expect(each.isFenced(first.producerId, first.producerEpoch)).toBe(true);
      expect(each.isFenced(second.producerId, second.producerEpoch)).toBe(false);
    }
  });

  it('switches to another id when the epochs of one are used up', async () => {
    const used = { producerId: 5, producerEpoch: 32_766 };
    const stored = { nextBlock: 9_000, transactional: [['busy', used]] };
    writeFileSync(path.join(folder.path, 'producer-ids.json'), JSON.stringify(stored));
    const next = await new ProducerIds(folder.path).init('busy');
    expect(next).toEqual({ producerId: 9_000, producerEpoch: 0 });
  });
});
