import { rmSync } from 'node:fs';
import type { Print } from './progress';
import type { StackPaths } from './stack-paths';
import { runStop } from './stop-command';

/** Stops the stack and removes its files; the downloads only with `all`. */
export async function runReset(paths: StackPaths, all: boolean, print: Print): Promise<void> {
  await runStop(paths, print);
  const { data, logs, demoFile, secretsFile, cache } = paths;
  for (const target of [data, logs, demoFile, secretsFile, ...(all ? [cache] : [])]) {
    rmSync(target, { recursive: true, force: true });
  }
  print(
    all
      ? 'Data, logs, keys and downloads are removed.'
      : 'Data, logs and keys are removed; the downloads stay.',
  );
}
