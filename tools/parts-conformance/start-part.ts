import type { RunningPart } from '@plimsoll/local-parts';
import type { StartedPart } from './check';

/** Starts a part on a free port; after a crash `startOn` starts it again on the same port. */
export async function startPart(
  startOn: (port: number | undefined) => Promise<RunningPart>,
): Promise<StartedPart> {
  let part = await startOn(undefined);
  return {
    address: part.url,
    crash: async () => {
      await part.kill9();
      part = await startOn(part.port);
    },
    stop: () => part.stop(),
  };
}
