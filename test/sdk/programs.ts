import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@plimsoll/local-parts';

/** A program that was started. */
export interface Program {
  process: ChildProcess;
  /** Lines on standard output so far. */
  lines: string[];
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  errors(): string;
}

/** Programs of one suite, which end with it. */
export class Programs {
  private readonly children = new Set<ChildProcess>();

  start(
    program: string,
    args: readonly string[],
    { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  ): Program {
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.children.add(child);
    const lines: string[] = [];
    let errors = '';
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
    const ended = new Promise<number | null>((resolve) => {
      child.on('error', (error) => (errors += `${program} did not start: ${error.message}`));
      child.on('close', (code) => {
        this.children.delete(child);
        resolve(code);
      });
    });
    return { process: child, lines, ended, errors: () => errors };
  }

  stop(): void {
    for (const child of this.children) child.kill('SIGKILL');
  }
}

export interface Snippet {
  language: string;
  text: string;
}

/** The snippets of a document by their name, which follows the language. */
export function snippetsOf(file: string): Map<string, Snippet> {
  const text = readFileSync(path.join(workspaceRoot(), file), 'utf8');
  return new Map(
    [...text.matchAll(/^```(\S*)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
      ([, language = '', name = '', code = '']) => [name, { language, text: code }],
    ),
  );
}
