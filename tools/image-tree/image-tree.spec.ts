import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeImageTree } from './image-tree';
import { packageFolders, requestedPackages } from './runtime-packages';

describe('the packages of a bundle', () => {
  it('are the names that it loads, without built-in modules and files', () => {
    const bundle = `module.exports = require("pg/lib/x"); require("@nestjs/core/constants"); require("node:fs"); require("fs");
      require("./a"); import('undici'); require("pg");`;
    expect(requestedPackages(bundle)).toEqual(['@nestjs/core', 'pg', 'undici']);
  });
});

describe('an image tree', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'image-tree-'));
    write('dist/apps/sample/main.js', 'require("direct");');
    write('dist/apps/sample/migrations/1/migration.sql', 'SELECT 1;');
    install('direct', {
      dependencies: { nested: '1', '@types/node': '1' },
      peerDependencies: { peer: '1', 'optional-peer': '1' },
      peerDependenciesMeta: { 'optional-peer': { optional: true } },
      optionalDependencies: { 'of-another-platform': '1' },
    });
    install('direct/node_modules/nested', {}, '2');
    install('nested', {}, '1');
    for (const name of ['peer', 'optional-peer', '@types/node', 'unused']) install(name, {});
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const write = (file: string, content: string): void => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  };
  const install = (place: string, manifest: object, version = '1'): void => {
    write(`node_modules/${place}/package.json`, JSON.stringify({ version, ...manifest }));
    write(`node_modules/${place}/index.js`, '');
    write(`node_modules/${place}/index.d.ts`, '');
    write(`node_modules/${place}/LICENSE.md`, 'MIT');
    write(`node_modules/${place}/README.md`, '');
  };

  it('has what the packages declare, from the place where Node finds it', () => {
    expect(packageFolders(root, ['direct'])).toEqual([
      'node_modules/direct',
      'node_modules/direct/node_modules/nested',
      'node_modules/peer',
    ]);
  });

  it('fails when a package is not installed', () => {
    rmSync(path.join(root, 'node_modules/peer'), { recursive: true });
    expect(() => packageFolders(root, ['direct'])).toThrow(
      'peer, which node_modules/direct needs, is not installed',
    );
    expect(() => packageFolders(root, ['absent'])).toThrow('absent, which a bundle needs, is not installed');
  });

  it('keeps programs, migrations and licences, read-only', () => {
    const out = path.join(root, 'out');
    const tree = writeImageTree(root, 'sample', out);
    expect(tree).toMatchObject({ app: 'sample', packages: 3 });
    const has = (file: string): boolean => existsSync(path.join(out, file));
    expect(
      [
        'app/main.js',
        'app/migrations/1/migration.sql',
        'node_modules/direct/index.js',
        'node_modules/direct/LICENSE.md',
      ].filter((file) => !has(file)),
    ).toEqual([]);
    expect(
      [
        'node_modules/direct/index.d.ts',
        'node_modules/direct/README.md',
        'node_modules/unused',
        'node_modules/nested',
      ].filter(has),
    ).toEqual([]);
    expect(statSync(path.join(out, 'app/main.js')).mode & 0o222).toBe(0);
    expect(statSync(path.join(out, 'node_modules/direct')).mode & 0o222).toBe(0);
    expect(writeImageTree(root, 'sample', out)).toEqual(tree);
  });

  it('names an app that is not built', () => {
    expect(() => writeImageTree(root, 'other', path.join(root, 'out'))).toThrow(
      'dist/apps/other/main.js is missing. Run npm run build first',
    );
  });
});
