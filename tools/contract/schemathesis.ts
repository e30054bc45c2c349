import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { ContractOptions } from './arguments';
import { NotReadyError } from './stack';

const VERSION = '4.32.5';
const FOLDER = path.resolve('test/contract');

/** The program to run. @throws NotReadyError with the command that installs it */
export function findSchemathesis(): string {
  const program = process.env['SCHEMATHESIS_BIN'] || 'schemathesis';
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const install = `Install it (pip install schemathesis==${VERSION}), or set SCHEMATHESIS_BIN to where it is.`;
  if (status !== 0) throw new NotReadyError(`${program} does not run. ${install}`);
  if (!stdout.includes(VERSION)) {
    throw new NotReadyError(
      `${stdout.trim()} is not version ${VERSION}, which the rules are made for. ${install}`,
    );
  }
  return program;
}

/** One run of test/contract. It prints its findings to the terminal. @returns its exit code */
export async function runSchemathesis(
  program: string,
  documentUrl: string,
  settings: { key: string; receiverUrl: string } & ContractOptions,
): Promise<number> {
  const { key, receiverUrl, maxExamples, seed, operations } = settings;
  const rules = path.join(FOLDER, 'schemathesis.toml');
  const words = ['--config-file', rules, 'run', documentUrl, '--max-examples', String(maxExamples)];
  if (seed !== undefined) words.push('--seed', seed);
  for (const operation of operations) words.push('--include-operation-id', operation);
  // Ctrl-C reaches the program too and ends it. The run then ends as usual.
  process.once('SIGINT', () => undefined);
  const child = spawn(program, words, {
    // It writes its own files in its working directory.
    cwd: path.resolve('.local'),
    stdio: 'inherit',
    env: {
      ...process.env,
      CONTRACT_FOLDER: FOLDER,
      CONTRACT_API_KEY: key,
      CONTRACT_RECEIVER_URL: receiverUrl,
      CONTRACT_ORIGIN: new URL(documentUrl).origin,
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
