import { listProcesses } from '@plimsoll/local-parts';
import { startOwnKafka, waitFor } from '@plimsoll/testing';
import { startOwnPlatform } from './start-platform';

/** The processes that this one started. */
async function children(): Promise<number[]> {
  const all = await listProcesses();
  return all
    .filter(({ parentPid, isZombie }) => parentPid === process.pid && !isZombie)
    .map(({ pid }) => pid);
}

describe('startOwnPlatform', () => {
  it('stops the services that run when one does not start', async () => {
    // The first part of a process also starts its guard, which stays.
    await (await startOwnKafka()).dispose();
    const before = await children();
    await expect(startOwnPlatform({ SIMULATION_WORKERS: '-1' })).rejects.toThrow(/simulation/);
    await waitFor(async () => (await children()).every((pid) => before.includes(pid)), {
      message: 'every process has ended',
    });
  }, 240_000);
});
