import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { UsageError } from './usage-error';

const execFileAsync = promisify(execFile);

/** Says that the public port is taken, by whom as far as this system tells, and what to do. */
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

/** Name and pid out of the output of `lsof -Fpc` or of `ss -ltnp`; undefined when it names nobody. */
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
      // The tool is not there, or it found nobody: the next one.
    }
  }
  return undefined;
}
