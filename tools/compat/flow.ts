import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { TWO_VERSIONS, type TwoVersions } from '../../test/platform/service-builds';

const FLOW = 'test/flows/every-service.e2e-spec.ts';
const FLOW_MS = 900_000;
const MOST_OUTPUT = 16 * 1024 * 1024;
const MOST_LINES = 6;
const MOST_CHARACTERS = 600;

/** The tests of one run of the flow. */
export interface FlowResult {
  passed: number;
  /** The failed tests with the start of their errors, or why the flow did not run. */
  failed: string[];
  seconds: number;
}

interface JestResult {
  numPassedTests: number;
  testResults: {
    message: string;
    assertionResults: { status: string; title: string; failureMessages: string[] }[];
  }[];
}

/** Runs the flow with services of two versions. */
export function runFlow(root: string, versions: TwoVersions): FlowResult {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-compat-'));
  const file = path.join(folder, 'results.json');
  const started = performance.now();
  const words = ['-c', 'jest.config.cjs', '--selectProjects', 'parts', '--runInBand', '--forceExit'];
  const { error, stderr } = spawnSync(
    process.execPath,
    [require.resolve('jest/bin/jest'), ...words, '--json', `--outputFile=${file}`, '--runTestsByPath', FLOW],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: FLOW_MS,
      maxBuffer: MOST_OUTPUT,
      env: { ...process.env, TEST_SERVICES: 'built', [TWO_VERSIONS]: JSON.stringify(versions) },
    },
  );
  const seconds = Math.round((performance.now() - started) / 1_000);
  try {
    if (error) return { passed: 0, failed: [`the flow was ended: ${error.message}`], seconds };
    return { ...resultOf(JSON.parse(readFileSync(file, 'utf8')) as JestResult), seconds };
  } catch {
    return { passed: 0, failed: [`the flow did not run: ${startOf(stderr)}`], seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A flow without any test is a failed one. */
export function resultOf({ numPassedTests, testResults }: JestResult): Omit<FlowResult, 'seconds'> {
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ title, failureMessages }) => `${title}: ${startOf(failureMessages.join('\n'))}`),
  );
  if (failed.length > 0 || numPassedTests > 0) return { passed: numPassedTests, failed };
  return {
    passed: 0,
    failed: [`no test ran: ${startOf(testResults.map(({ message }) => message).join('\n'))}`],
  };
}

function startOf(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '));
  return lines.slice(0, MOST_LINES).join(' ').slice(0, MOST_CHARACTERS);
}
