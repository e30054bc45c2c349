import { parseArgs } from 'node:util';
import { type CheckResult, runChecks } from './check';
import { installTools } from './check-tools';

const USAGE = `usage: npm run --silent deploy:check -- [--json]

  Checks docker-compose.yml by the Compose schema, deploy/Dockerfile with hadolint and the workflows with actionlint. It ends
  with 1 for any finding.
  Needs python3 and go. The first run installs programs of fixed versions to .local/cache/deploy-check.
  --json  prints the results as JSON`;

/** Runs the checks and prints a table. */
export function main(args: string[]): void {
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({ args, options: { json: flag, help: flag } });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const started = performance.now();
  const results = runChecks(process.cwd(), installTools(process.cwd()));
  if (values.json) console.log(JSON.stringify(results, null, 2));
  else console.log(tableOf(results, Math.round((performance.now() - started) / 1_000)));
  if (results.some(({ findings }) => findings.length > 0)) process.exitCode = 1;
}

function tableOf(results: readonly CheckResult[], seconds: number): string {
  const rows = results.map(
    ({ check, of, findings }) => `${check.padEnd(18)}${of.padEnd(40)}${findings.length}`,
  );
  const findings = results.flatMap(({ check, findings: found }) => found.map((each) => `${check}: ${each}`));
  return [`${'check'.padEnd(18)}${'of'.padEnd(40)}findings`, ...rows, ...findings, `${seconds} s`].join('\n');
}
