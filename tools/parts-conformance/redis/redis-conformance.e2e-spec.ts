import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startOwnRedis } from '@plimsoll/testing';
import { startLocalRedisProcess, stopLocalRedisProcess } from '@plimsoll/local-redis';
import { compareRedis } from './compare';

/** The embedded Redis is used in place of a genuine one, so nothing that our code could observe may differ. */
it('the embedded Redis gives what a genuine one gives in every check', async () => {
  const embedded = await startLocalRedisProcess(mkdtempSync(path.join(os.tmpdir(), 'conformance-')));
  const genuine = await startOwnRedis();
  try {
    const compared = await compareRedis(embedded.url, genuine.url);
    expect(compared.filter(({ isSame }) => !isSame)).toEqual([]);
    expect(compared.length).toBeGreaterThanOrEqual(80);
  } finally {
    await stopLocalRedisProcess(embedded, 'SIGTERM');
    await genuine.stop();
  }
});
