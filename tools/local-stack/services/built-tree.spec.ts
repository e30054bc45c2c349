import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { treeState } from './built-tree';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'built-tree-'));
  for (const [file, text] of Object.entries({
    'package-lock.json': '{}',
    'apps/gateway/src/main.ts': 'one',
    'apps/gateway/src/generated/client.ts': 'two',
    'dist/apps/gateway/main.js': 'three',
    'node_modules/left/index.js': 'four',
    '.local/logs/gateway.log': 'five',
  })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
});

afterEach(() => rmSync(root, { recursive: true }));

describe('treeState', () => {
  const write = (file: string, text: string): void => writeFileSync(path.join(root, file), text);

  it('is the same while no file changes', () => {
    expect(treeState(root)).toEqual(treeState(root));
  });

  it.each([
    ['sources', 'package-lock.json'],
    ['sources', 'apps/gateway/src/main.ts'],
    ['outputs', 'apps/gateway/src/generated/client.ts'],
    ['outputs', 'dist/apps/gateway/main.js'],
  ] as const)('has other %s after a change of %s', (part, file) => {
    const before = treeState(root);
    write(file, 'changed');
    const after = treeState(root);
    expect(after[part]).not.toBe(before[part]);
    expect({ ...after, [part]: before[part] }).toEqual(before);
  });

  it('notices an edit that keeps the size, a new file and a removed file', () => {
    const states = [treeState(root).sources];
    utimesSync(path.join(root, 'package-lock.json'), new Date(), new Date(0));
    states.push(treeState(root).sources);
    write('apps/gateway/src/new.ts', '');
    states.push(treeState(root).sources);
    rmSync(path.join(root, 'apps/gateway/src/main.ts'));
    states.push(treeState(root).sources);
    expect(new Set(states).size).toBe(states.length);
  });

  it('depends on no package and on nothing that the stack writes while it runs', () => {
    const before = treeState(root);
    write('node_modules/left/index.js', 'changed');
    write('.local/logs/gateway.log', 'changed');
    expect(treeState(root)).toEqual(before);
  });

  it('has no outputs before the first build', () => {
    const before = treeState(root);
    rmSync(path.join(root, 'dist'), { recursive: true });
    expect(treeState(root).outputs).not.toBe(before.outputs);
  });
});
