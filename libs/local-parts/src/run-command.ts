import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PartError } from './part-error';

const execFileAsync = promisify(execFile);

/** A helper program that runs to its end. */
export interface Command {
  file: string;
  args: readonly string[];
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Default 60,000. */
  timeoutMs?: number;
  /** The next step for a user when the program is not installed. */
  ifMissing: string;
}

/**
 * Its standard output. Throws PartError prerequisite_missing when it is not on the PATH, command_failed
 * otherwise.
 */
export async function runCommand(command: Command): Promise<string> {
  const { file, args, cwd, uid, gid, timeoutMs = 60_000 } = command;
  try {
    const { stdout } = await execFileAsync(file, [...args], {
      cwd,
      uid,
      gid,
      timeout: timeoutMs,
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { code, killed, stdout, stderr } = error as {
      code?: string | number;
      killed?: boolean;
      stdout?: string;
      stderr?: string;
    };
    if (code === 'ENOENT') {
      throw new PartError('prerequisite_missing', `${file} is not on the PATH`, command.ifMissing, {
        cause: error,
      });
    }
    const reason = killed ? `took more than ${timeoutMs} ms` : lastLine(`${stdout ?? ''}\n${stderr ?? ''}`);
    throw new PartError('command_failed', `${file} ${args[0] ?? ''} failed: ${reason}`, command.ifMissing, {
      cause: error,
    });
  }
}

/** True when the program starts and ends with 0. */
export async function canRun(file: string, args: readonly string[]): Promise<boolean> {
  try {
    await runCommand({ file, args, timeoutMs: 10_000, ifMissing: '' });
    return true;
  } catch {
    return false;
  }
}

/** The last line that is not blank, or '' when there is none. */
export function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}
