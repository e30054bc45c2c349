import type { PartOptions, RunningPart } from '@plimsoll/local-parts';
import type { StartedPart } from './check';

/**
 * Starts a part in a folder on a free port. After a crash it starts again on the same port with the same
 * data.
 */
export async function startPart(
  folder: string,
  start: (options: PartOptions) => Promise<RunningPart>,
): Promise<StartedPart> {
  const options = { dataDir: folder, logFile: `${folder}.log` };
  let part = await start(options);
  return {
    address: part.url,
    crash: async () => {
      await part.kill9();
      part = await start({ ...options, port: part.port });
    },
    stop: () => part.stop(),
  };
}
