import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { type PackedSdk, packPackage } from '../sdk/packed-sdk';

/** A finished run of the command line. */
export interface Finished {
  code: number | null;
  out: string;
  errors: string;
}

/** A run that is in progress. */
export interface Running {
  process: ChildProcess;
  /** Lines on standard output so far. */
  lines: string[];
  errors(): string;
  ended: Promise<Finished>;
}

/** The packed command line, as a user installs and runs it. */
export class CliProgram {
  private readonly children = new Set<ChildProcess>();

  private constructor(readonly packed: PackedSdk) {}

  static async pack(): Promise<CliProgram> {
    return new CliProgram(await packPackage('apps/cli'));
  }

  /** Folder with the command. */
  get bin(): string {
    return path.join(this.packed.user, 'node_modules/.bin');
  }

  start(args: readonly string[], env: Record<string, string> = {}, input = ''): Running {
    return this.spawn(path.join(this.bin, 'plimsoll'), args, env, input);
  }

  /** Runs any program that finds the command line on its path. */
  spawn(program: string, args: readonly string[], env: Record<string, string>, input = ''): Running {
    const PATH = `${this.bin}${path.delimiter}${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH']}`;
    const child = spawn(program, args, { cwd: this.packed.user, env: { PATH, ...env } });
    this.children.add(child);
    const lines: string[] = [];
    let [out, errors, rest] = ['', '', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk;
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
    // A program that reads no input may end before it is written.
    child.stdin.on('error', () => undefined).end(input);
    const ended = new Promise<Finished>((resolve) =>
      child.on('close', (code) => {
        this.children.delete(child);
        resolve({ code, out, errors });
      }),
    );
    return { process: child, lines, errors: () => errors, ended };
  }

  async remove(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL');
    await this.packed.remove();
  }
}
