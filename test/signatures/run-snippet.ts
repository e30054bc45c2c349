import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Language, snippet } from './snippets';

const DEADLINE_MS = 60_000;

/** What is asked of a snippet. */
export interface Question {
  rawBody: Buffer;
  signature: string;
  secret: string;
}

/** How a snippet is put into a program that prints what it says of argv: file of the body, signature, secret. */
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

/** Runs the documented snippet of a language under its own interpreter. Rejects when that is missing or it breaks. */
export async function isGenuineBy(
  language: Language,
  { rawBody, signature, secret }: Question,
): Promise<boolean> {
  const { snippetFile, mainFile, main, command } = PROGRAMS[language];
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-snippet-'));
  try {
    await writeFile(path.join(folder, snippetFile), snippet(language));
    await writeFile(path.join(folder, mainFile), main);
    await writeFile(path.join(folder, 'body'), rawBody);
    const [file = '', ...args] = [...command, 'body', signature, secret];
    const { stdout } = await promisify(execFile)(file, args, { cwd: folder, timeout: DEADLINE_MS });
    if (!/^(true|false)\n$/.test(stdout)) throw new Error(`the ${language} snippet printed: ${stdout}`);
    return stdout === 'true\n';
  } finally {
    await rm(folder, { recursive: true });
  }
}
