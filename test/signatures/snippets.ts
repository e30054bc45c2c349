import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@plimsoll/local-parts';

/** Languages of the snippets in docs/guides/receiving-webhooks.md, by the word after the fence. */
export const LANGUAGES = ['js', 'python', 'go'] as const;
export type Language = (typeof LANGUAGES)[number];
export type SnippetName = Language | 'js standardwebhooks';

/** The snippet of docs/guides/receiving-webhooks.md as a reader copies it. Throws unless exactly one has the name. */
export function snippet(name: SnippetName): string {
  const text = readFileSync(path.join(workspaceRoot(), 'docs/guides/receiving-webhooks.md'), 'utf8');
  const blocks = [...text.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].filter(([, info]) => info === name);
  const [block] = blocks;
  if (!block?.[2] || blocks.length > 1)
    throw new Error(`docs/guides/receiving-webhooks.md has ${blocks.length} snippets '${name}'`);
  return block[2];
}
