import { parseArgs } from 'node:util';
import { type CheckResult, runChecks } from './check';
import { installTools } from './check-tools';

const USAGE = `usage: npm run --silent deploy:check -- [--json]

  Checks docker-compose.yml by the Compose schema, deploy/Dockerfile with hadolint, the workflows with actionlint, and the
  chart for every service and set of sizes: helm lint and template, the schemas of Kubernetes and of custom resources, and
  this repository (environment, ports, probes, commands, network, drain). It ends with 1 for any finding.
  Needs python3, go, and Linux on x86-64. The first run installs programs of fixed versions to .local/cache/deploy-check.
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
    ({ check, of, findings }) => `${check.padEnd(18)}${of.padEnd(52)}${findings.length}`,
  );
  const findings = results.flatMap(({ check, findings: found }) => found.map((each) => `${check}: ${each}`));
  return [`${'check'.padEnd(18)}${'of'.padEnd(52)}findings`, ...rows, ...findings, `${seconds} s`].join('\n');
}
