import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plimsoll/local-parts';
import { type Language, snippet } from './snippets';

/** The first run of Go compiles the used part of its library. */
const DEADLINE_MS = 180_000;

/** The input of a snippet. */
export interface Question {
  rawBody: Buffer;
  signature: string;
  secret: string;
}

/**
 * The program around a snippet. It prints the snippet's result for argv: file of the body, signature, secret.
 */
const PROGRAMS: Record<Language, { snippetFile: string; mainFile: string; main: string; command: string[] }> =
  {
    js: {
      snippetFile: 'verify.mjs',
      mainFile: 'main.mjs',
      main: `import { readFileSync } from 'node:fs';
import { isGenuine } from './verify.mjs';
const [file, signature, secret] = process.argv.slice(2);
console.log(isGenuine(readFileSync(file), signature, secret));
`,
      command: [process.execPath, 'main.mjs'],
    },
    python: {
      snippetFile: 'verify.py',
      mainFile: 'main.py',
      main: `import sys
from verify import is_genuine
file, signature, secret = sys.argv[1:]
print(str(is_genuine(open(file, "rb").read(), signature, secret)).lower())
`,
      command: ['python3', 'main.py'],
    },
    go: {
      snippetFile: 'verify.go',
      mainFile: 'main.go',
      main: `package main

import (
	"fmt"
	"os"
)

func main() {
	body, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Println(isGenuine(body, os.Args[2], os.Args[3]))
}
`,
      command: ['go', 'run', 'verify.go', 'main.go'],
    },
  };

/**
 * Runs the documented snippet of a language under its own interpreter. Rejects when that is missing or fails.
 */
export function isGenuineBy(language: Language, { rawBody, signature, secret }: Question): Promise<boolean> {
  const { snippetFile, mainFile, main, command } = PROGRAMS[language];
  const files = { [snippetFile]: snippet(language), [mainFile]: main, body: rawBody };
  return run(files, [...command, 'body', signature, secret]);
}

const STANDARD_MAIN = `import { readFileSync } from 'node:fs';
import { verify } from './verify.mjs';
try {
  verify(readFileSync('body'), JSON.parse(readFileSync('headers', 'utf8')), process.argv[2]);
  console.log(true);
} catch (error) {
  if (error.constructor.name !== 'WebhookVerificationError') throw error;
  console.log(false);
}
`;

/** Runs the documented line of the Standard Webhooks package. */
export function isGenuineByStandard(rawBody: Buffer, headers: object, secret: string): Promise<boolean> {
  const files = {
    'verify.mjs': snippet('js standardwebhooks'),
    'main.mjs': STANDARD_MAIN,
    headers: JSON.stringify(headers),
    body: rawBody,
  };
  return run(files, [process.execPath, 'main.mjs', secret]);
}

/** Runs a program from these files, with the packages of this repository beside them. */
async function run(files: Record<string, string | Buffer>, [file = '', ...args]: string[]): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-snippet-'));
  try {
    await symlink(path.join(workspaceRoot(), 'node_modules'), path.join(folder, 'node_modules'));
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
    const { stdout } = await promisify(execFile)(file, args, { cwd: folder, timeout: DEADLINE_MS });
    if (!/^(true|false)\n$/.test(stdout)) throw new Error(`a snippet printed: ${stdout}`);
    return stdout === 'true\n';
  } finally {
    await rm(folder, { recursive: true });
  }
}
