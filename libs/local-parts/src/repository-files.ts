import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ignore from 'ignore';

/**
 * Returns the files of the repository that .gitignore does not name, relative to it, in order. It needs no git, so that
 * tests run on a machine without it.
 * @param below folders and files, relative to the repository; by default everything
 */
export function repositoryFiles(root: string, below: readonly string[] = []): string[] {
  const rules = ignore()
    .add('.git')
    .add(readFileSync(path.join(root, '.gitignore'), 'utf8'));
  const filesIn = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      if (rules.ignores(entry.isDirectory() ? `${name}/` : name)) return [];
      if (entry.isDirectory()) return filesIn(name);
      return entry.isFile() ? [name] : [];
    });
  const isWanted = (file: string): boolean =>
    below.length === 0 ||
    below.some((each) => file === each || file.startsWith(`${each.replace(/\/$/, '')}/`));
  return filesIn('').filter(isWanted).sort();
}
