import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@plimsoll/local-parts';

/** Languages of the snippets in docs/webhooks.md, by what stands behind the fence. */
export const LANGUAGES = ['js', 'python', 'go'] as const;
export type Language = (typeof LANGUAGES)[number];
export type SnippetName = Language | 'js standardwebhooks';

/** The code of docs/webhooks.md as a reader copies it. Throws unless there is exactly one of that name. */
export function snippet(name: SnippetName): string {
  const text = readFileSync(path.join(workspaceRoot(), 'docs/webhooks.md'), 'utf8');
  const blocks = [...text.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].filter(([, info]) => info === name);
  const [block] = blocks;
  if (!block?.[2] || blocks.length > 1)
    throw new Error(`docs/webhooks.md has ${blocks.length} snippets '${name}'`);
  return block[2];
}
