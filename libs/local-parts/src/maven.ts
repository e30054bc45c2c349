import { runCommand } from './run-command';

const DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

/**
 * Runs one goal of Maven's dependency plugin with `folder` as its output. `ifMissing` is the next step
 * without Maven.
 */
export async function copyFromMaven(
  goal: 'copy-dependencies' | 'unpack',
  args: readonly string[],
  folder: string,
  ifMissing: string,
): Promise<void> {
  await runCommand({
    file: 'mvn',
    args: ['--batch-mode', '--quiet', `${DEPENDENCY_PLUGIN}:${goal}`, ...args, `-DoutputDirectory=${folder}`],
    cwd: folder,
    timeoutMs: 300_000,
    ifMissing,
  });
}
