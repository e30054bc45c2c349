import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { CheckTools } from './check-tools';

/** One row of the table. */
export interface CheckResult {
  check: string;
  /** The files. */
  of: string;
  findings: string[];
}

const DEADLINE_MS = 120_000;

/** Runs all checks in the root of the repository. */
export function runChecks(root: string, tools: CheckTools): CheckResult[] {
  const folder = '.github/workflows';
  const workflows = readdirSync(path.join(root, folder)).map((file) => `${folder}/${file}`);
  const compose = 'docker-compose.yml';
  const dockerfile = 'deploy/Dockerfile';
  const run = (
    check: string,
    files: readonly string[],
    command: string,
    words: readonly string[],
  ): CheckResult => ({
    check,
    of: files.join(', '),
    findings: findingsOf(command, [...words, ...files], root),
  });
  return [
    run('Compose schema', [compose], tools.composeSchema, ['--builtin-schema', 'vendor.compose-spec']),
    run('hadolint', [dockerfile], tools.hadolint, []),
    run('actionlint', workflows, tools.actionlint, ['-shellcheck=', '-pyflakes=', '-oneline']),
  ];
}

/** The output of a program that ends with another code than 0, as each does for a finding. Empty: there is none. */
export function findingsOf(command: string, words: readonly string[], root: string): string[] {
  const { status, error, stdout, stderr } = spawnSync(command, words, {
    cwd: root,
    encoding: 'utf8',
    timeout: DEADLINE_MS,
  });
  if (error) return [`${command} cannot run: ${error.message}`];
  if (status === 0) return [];
  const said = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  return said.length > 0 ? said : [`${command} ended with ${status}`];
}
