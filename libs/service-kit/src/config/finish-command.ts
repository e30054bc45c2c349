import { ConfigError } from './config-error';

/** EX_CONFIG of sysexits.h. */
export const EXIT_CONFIG = 78;

/** Sets the exit code of a command line: its own one, 78 for a wrong variable, 1 for another failure. */
export async function finishCommand(command: Promise<number>): Promise<void> {
  try {
    process.exitCode = await command;
  } catch (error) {
    const isConfig = error instanceof ConfigError;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${isConfig ? message : `Failed: ${message}`}\n`);
    process.exitCode = isConfig ? EXIT_CONFIG : 1;
  }
}
