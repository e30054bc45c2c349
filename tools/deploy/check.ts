import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SERVICES, type Service } from '@plimsoll/access';
import { parseAllDocuments, stringify } from 'yaml';
import type { CheckTools } from './check-tools';
import { writeSampleSecrets } from './environment';
import { type Resource, isCustom, resourceFindings } from './rendered';
import { SETS, type SetName } from './values';

/** One row of the table. */
export interface CheckResult {
  check: string;
  /** The files, or how many of them. */
  of: string;
  findings: string[];
}

const DEADLINE_MS = 120_000;
const MOST_OUTPUT = 64 * 1024 * 1024;
const CHART = 'deploy/helm/plimsoll-service';
/** The oldest version that the chart accepts, and one of today. */
const KUBERNETES = ['1.30.0', '1.37.0'];
/** Values that an operator sets. */
const OWN = [
  '--set=image.tag=1.0.0',
  '--set=global.kafkaBrokers=kafka:9092',
  '--set=global.publicUrl=https://api.example.com',
];

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
    ...chartChecks(root, tools),
  ];
}

/** One service with one set of sizes. */
interface Release {
  service: Service;
  set: SetName;
  resources: Resource[];
}

function chartChecks(root: string, tools: CheckTools): CheckResult[] {
  const lint: string[] = [];
  const template: string[] = [];
  const releases: Release[] = [];
  for (const set of SETS)
    for (const service of SERVICES) {
      const values = [`deploy/helm/values/${service}.yaml`, `deploy/helm/values/sets/${set}.yaml`];
      const words = [...values.map((file) => `--values=${file}`), ...OWN];
      lint.push(...findingsOf(tools.helm, ['lint', '--strict', '--quiet', CHART, ...words], root));
      const rendered = execute(tools.helm, ['template', `plimsoll-${service}`, CHART, ...words], root);
      template.push(...rendered.findings.map((each) => `${service} ${set}: ${each}`));
      if (rendered.findings.length === 0)
        releases.push({ service, set, resources: resourcesOf(rendered.output) });
    }
  const all = `${SERVICES.length} services × ${SETS.length} sets`;
  return [
    { check: 'helm lint', of: all, findings: lint },
    { check: 'helm template', of: all, findings: template },
    ...schemaChecks(root, tools, releases),
    { check: 'chart', of: `${releases.length} releases by apps and libs`, findings: ownFindings(releases) },
  ];
}

const resourcesOf = (text: string): Resource[] =>
  // Kubernetes reads YAML 1.1: 0440 is octal.
  parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as Resource | null)
    .filter((each): each is Resource => each !== null);

function schemaChecks(root: string, tools: CheckTools, releases: readonly Release[]): CheckResult[] {
  const files = writeNative(path.join(root, '.local/cache/deploy-check/rendered'), releases);
  const custom = releases.flatMap(({ service, set, resources }) =>
    resources.filter(isCustom).map((resource) => ({ file: `${service} ${set}`, resource })),
  );
  const script = 'tools/deploy/check-custom-resources.mjs';
  return [
    ...KUBERNETES.map((version) => ({
      check: `Kubernetes ${version}`,
      of: `${files.length} releases by its schemas`,
      findings: findingsOf(
        tools.kubernetes,
        ['--strict', '--quiet', '--kubernetes-version', version, ...files],
        root,
      ),
    })),
    {
      check: 'custom resources',
      of: `${custom.length} of KEDA, Prometheus, External Secrets`,
      findings: findingsOf(process.execPath, [script, tools.models], root, JSON.stringify(custom)),
    },
  ];
}

/** Writes the resources that Kubernetes has schemas of, a file for each release. */
function writeNative(folder: string, releases: readonly Release[]): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return releases.map(({ service, set, resources }) => {
    const file = path.join(folder, `${service}-${set}.yaml`);
    const native = resources.filter((each) => !isCustom(each));
    const text = native.map((each) => stringify(each, { version: '1.1', aliasDuplicateObjects: false }));
    writeFileSync(file, text.join('---\n'));
    return file;
  });
}

function ownFindings(releases: readonly Release[]): string[] {
  const secrets = mkdtempSync(path.join(tmpdir(), 'deploy-check-'));
  try {
    writeSampleSecrets(secrets);
    return releases.flatMap(({ service, set, resources }) =>
      resourceFindings(service, resources, secrets).map((each) => `${set}: ${each}`),
    );
  } finally {
    rmSync(secrets, { recursive: true });
  }
}

/** The output of a program that ends with another code than 0, as each does for a finding. Empty: there is none. */
export function findingsOf(
  command: string,
  words: readonly string[],
  root: string,
  input?: string,
): string[] {
  return execute(command, words, root, input).findings;
}

function execute(
  command: string,
  words: readonly string[],
  root: string,
  input?: string,
): { findings: string[]; output: string } {
  const { status, error, stdout, stderr } = spawnSync(command, words, {
    cwd: root,
    encoding: 'utf8',
    timeout: DEADLINE_MS,
    maxBuffer: MOST_OUTPUT,
    ...(input !== undefined && { input }),
  });
  if (error) return { findings: [`${command} cannot run: ${error.message}`], output: '' };
  if (status === 0) return { findings: [], output: stdout };
  const said = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  return { findings: said.length > 0 ? said : [`${command} ended with ${status}`], output: stdout };
}
