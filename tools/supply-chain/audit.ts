import { spawnSync } from 'node:child_process';

/** Severities that fail. */
const FAILING = new Set(['high', 'critical']);
const DEADLINE_MS = 120_000;

interface AuditReport {
  vulnerabilities?: Record<string, { severity: string; range: string; fixAvailable?: unknown }>;
  metadata?: { dependencies?: { prod?: number } };
  message?: string;
  error?: { summary?: string; detail?: string };
}

/** The JSON of `npm audit`, or its error output when there is none. */
export function runNpmAudit(): string {
  const { stdout, stderr, error } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--audit=true'], {
    encoding: 'utf8',
    timeout: DEADLINE_MS,
    maxBuffer: 1 << 26,
    shell: process.platform === 'win32',
  });
  return stdout || stderr || String(error);
}

/** Returns the lines to print about an audit, and whether it passes. An audit that the registry does not serve passes, and says so. */
export function auditResult(output: string): { lines: string[]; passed: boolean } {
  const report = parse(output);
  if (!report?.vulnerabilities)
    return { lines: [`npm audit: NOT RUN: ${reasonOf(report, output)}`], passed: true };
  const found = Object.entries(report.vulnerabilities);
  const lines = found.map(([name, { severity, range, fixAvailable }]) => {
    const step = fixAvailable ? 'Update it.' : 'No fix is available.';
    return `${name} ${range}: ${severity}. ${step}`;
  });
  const passed = !found.some(([, { severity }]) => FAILING.has(severity));
  const packages = report.metadata?.dependencies?.prod ?? 0;
  return { lines: [...lines, `npm audit: ${packages} packages, ${found.length} advisories`], passed };
}

function parse(output: string): AuditReport | undefined {
  try {
    return JSON.parse(output) as AuditReport;
  } catch {
    return undefined;
  }
}

function reasonOf(report: AuditReport | undefined, output: string): string {
  const said = report?.error?.summary || report?.message || output;
  const status = /\b[45]\d\d\b[^\n-]*/.exec(said)?.[0].trim();
  return `this registry serves no advisories (${status ?? 'no report'}). Run it again with a registry that does.`;
}
