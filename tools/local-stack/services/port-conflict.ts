import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { UsageError } from '../settings/usage-error';

const execFileAsync = promisify(execFile);

/**
 * Reports that the public port is taken, with the process that holds it if the system reports it, and the
 * next step.
 */
export async function explainTakenPort(port: number): Promise<UsageError> {
  return takenPortError(port, await portHolder(port));
}

/** The error for a taken public port. */
export function takenPortError(port: number, holder: string | undefined): UsageError {
  const other = port === 65_535 ? 4100 : port + 100;
  return new UsageError(
    `port ${port} is taken${holder ? ` by ${holder}` : ''}`,
    `Stop that, or choose another port: PORT=${other} npm start`,
  );
}

/** Name and pid from the output of `lsof -Fpc` or of `ss -ltnp`. Undefined when it names none. */
export function parseHolder(output: string): string | undefined {
  const lsof = /^p(\d+)\nc(.+)$/m.exec(output);
  if (lsof) return `${lsof[2]} (pid ${lsof[1]})`;
  const ss = /users:\(\("([^"]+)",pid=(\d+)/.exec(output);
  return ss ? `${ss[1]} (pid ${ss[2]})` : undefined;
}

async function portHolder(port: number): Promise<string | undefined> {
  const tools: [string, string[]][] = [
    ['lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']],
    ['ss', ['-ltnpH', `sport = :${port}`]],
  ];
  for (const [file, args] of tools) {
    try {
      const holder = parseHolder((await execFileAsync(file, args, { timeout: 5_000 })).stdout);
      if (holder) return holder;
    } catch {
      // The program is missing or found nothing: try the next one.
    }
  }
  return undefined;
}
