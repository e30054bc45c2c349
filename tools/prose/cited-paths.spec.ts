import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { bareDocumentsIn, citedPathsIn, relativeLinksIn } from './cited-paths';
import { proseFiles } from './files';
import { proseUnitsOf } from './prose-units';

const root = path.join(__dirname, '../..');
/** Created by a build or a run, so a clean clone does not have it. */
const GENERATED = /(^|\/)(generated|dist|node_modules|\.local)(\/|$)/;
/** Folder-relative names such as `test/contracts` in the README of a library. */
const exists = (cited: string, from: string): boolean =>
  GENERATED.test(cited) || existsSync(path.join(root, cited)) || isBelowAParent(cited, from);

function isBelowAParent(cited: string, from: string): boolean {
  for (let folder = path.dirname(from); folder !== '.'; folder = path.dirname(folder))
    if (existsSync(path.join(root, folder, cited))) return true;
  return false;
}

describe('cited paths', () => {
  it('finds paths in prose and leaves patterns out', () => {
    expect(
      citedPathsIn(
        'See docs/model.md and `libs/protocols/src/reader`.\nEach apps/*/README.md and libs/<name>/src.',
      ),
    ).toEqual([
      { path: 'docs/model.md', line: 1 },
      { path: 'libs/protocols/src/reader', line: 1 },
    ]);
  });

  it('exist, in comments, messages and documents', () => {
    const { code, documents } = proseFiles([], root);
    const missing = [
      ...code.flatMap((file) =>
        proseUnitsOf(file, readFileSync(path.join(root, file), 'utf8'))
          .filter(({ kind }) => kind !== 'title')
          .flatMap(({ text, line }) => citedPathsIn(text).map((cited) => ({ ...cited, file, line }))),
      ),
      ...documents.flatMap((file) =>
        citedPathsIn(readFileSync(path.join(root, file), 'utf8')).map((cited) => ({ ...cited, file })),
      ),
    ].filter(({ path: cited, file }) => !exists(cited, file));
    expect(missing.map(({ file, line, path: cited }) => `${file}:${line} ${cited}`)).toEqual([]);
  });

  it('exist if a comment names a document without its folder', () => {
    const { code, documents } = proseFiles([], root);
    const names = new Set(documents.map((file) => path.basename(file)));
    const missing = code.flatMap((file) =>
      proseUnitsOf(file, readFileSync(path.join(root, file), 'utf8'))
        .filter(({ kind }) => kind === 'comment')
        .flatMap(({ text, line }) => bareDocumentsIn(text).map((name) => ({ name, at: `${file}:${line}` })))
        .filter(({ name }) => !names.has(name)),
    );
    expect(missing).toEqual([]);
  });

  it('exist if a document links to them', () => {
    const missing = proseFiles([], root).documents.flatMap((file) =>
      relativeLinksIn(readFileSync(path.join(root, file), 'utf8'))
        .filter(({ path: target }) => !existsSync(path.join(root, path.dirname(file), target)))
        .map(({ path: target, line }) => `${file}:${line} ${target}`),
    );
    expect(missing).toEqual([]);
  });
});
