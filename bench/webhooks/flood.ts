import type { FloodCommand } from './flood-process';
import { forkSource, reply } from './receiver';

const TIMEOUT_MS = 60_000;

/**
 * Prepares many alerts of one account in another process, so that their encoding delays no other load. The
 * result publishes them.
 */
export async function prepareFlood(command: FloodCommand): Promise<() => Promise<void>> {
  const child = forkSource('flood-process.ts');
  const ask = async (message: FloodCommand | 'publish'): Promise<void> => {
    const done = reply(child, TIMEOUT_MS);
    child.send(message);
    await done;
  };
  await ask(command);
  return async () => {
    await ask('publish');
    child.kill('SIGKILL');
  };
}
