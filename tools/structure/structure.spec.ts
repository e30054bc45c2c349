import { type Import, fileCycles, mutualFolders, projectOf } from './imports';
import { countCodeLines, largeFolders, sizesOf } from './sizes';

const imported = (from: string, to: string, cycle: string[] = []): Import => ({ from, to, cycle });

describe('structure', () => {
  it('finds folders beside each other that import each other, at any depth', () => {
    const imports = [
      imported('apps/a/src/x/one.ts', 'apps/a/src/y/deep/two.ts'),
      imported('apps/a/src/y/three.ts', 'apps/a/src/x/deep/four.ts'),
      imported('apps/a/src/x/one.ts', 'apps/a/src/z/five.ts'),
    ];
    expect(mutualFolders(imports)).toEqual(['apps/a/src/x <> apps/a/src/y']);
  });

  it('accepts a folder that imports from the folder around it', () => {
    const imports = [
      imported('apps/a/src/app.module.ts', 'apps/a/src/x/one.ts'),
      imported('apps/a/src/x/one.ts', 'apps/a/src/config.ts'),
    ];
    expect(mutualFolders(imports)).toEqual([]);
  });

  it('accepts tests and imports between projects', () => {
    const imports = [
      imported('apps/a/src/x/one.ts', 'apps/a/src/y/two.ts'),
      imported('apps/a/src/y/two.spec.ts', 'apps/a/src/x/one.ts'),
      imported('libs/a/src/x/one.ts', 'libs/b/src/y/two.ts'),
      imported('libs/b/src/y/two.ts', 'libs/a/src/x/one.ts'),
    ];
    expect(mutualFolders(imports)).toEqual([]);
  });

  it('names a cycle of files once', () => {
    const imports = [imported('b.ts', 'a.ts', ['a.ts', 'b.ts']), imported('a.ts', 'b.ts', ['b.ts', 'a.ts'])];
    expect(fileCycles(imports)).toEqual(['a.ts <> b.ts']);
  });

  it('names the project of a file', () => {
    expect(['apps/a/src/x.ts', 'bench/b/x.ts', 'tools/tool.cjs', 'tools/c/x.ts'].map(projectOf)).toEqual([
      'apps/a',
      'bench',
      'tools',
      'tools/c',
    ]);
  });

  it('counts lines of code without comments and empty lines', () => {
    const text = '// says\n\n/** doc */\nconst a = `one\ntwo`; // why\n/* more\nof it */\nexport { a };\n';
    expect(countCodeLines('a.ts', text)).toBe(3);
  });

  it('counts files below 30 lines and folders with more than 25 files', () => {
    const files = Array.from({ length: 26 }, (_, index) => `libs/a/src/f${index}.ts`);
    const text = (file: string): string => 'a;\n'.repeat(file.endsWith('f0.ts') ? 30 : 29);
    expect(sizesOf([...files, 'libs/a/src/a.spec.ts'], text)).toEqual([
      { project: 'libs/a', files: 26, shortFiles: 25, codeLines: 30 + 25 * 29 },
    ]);
    expect(largeFolders(files)).toEqual([{ folder: 'libs/a/src', files: 26 }]);
    expect(largeFolders(files.slice(1))).toEqual([]);
  });
});
