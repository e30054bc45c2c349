import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { workspaceRoot } from '@plimsoll/local-parts';
import ts from 'typescript';

const run = promisify(execFile);
const ROOT = workspaceRoot();
const BIN = path.join(ROOT, 'node_modules/.bin');
const MOST_BYTES = 15 * 1_024;
const DEADLINE = { timeout: 240_000 };

/** The package that a user of the SDK installs. */
describe('the package of the SDK', () => {
  let folder: string;
  let tarball: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-sdk-'));
    const [sdk, assembled] = [path.join(ROOT, 'libs/sdk'), path.join(folder, 'package')];
    await run(path.join(BIN, 'tsdown'), ['--out-dir', path.join(assembled, 'dist')], {
      cwd: sdk,
      ...DEADLINE,
    });
    for (const file of ['package.json', 'README.md'])
      await cp(path.join(sdk, file), path.join(assembled, file));
    await run('npm', ['pack', '--pack-destination', folder], { cwd: assembled, ...DEADLINE });
    const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
    tarball = path.join(folder, name ?? '');
    const empty = path.join(folder, 'user');
    await mkdir(empty);
    await run('npm', ['init', '-y'], { cwd: empty, ...DEADLINE });
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], {
      cwd: empty,
      ...DEADLINE,
    });
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const installed = (file: string): string => path.join(folder, 'user/node_modules/@plimsoll/sdk', file);

  it('has no runtime dependency and no file of the workspace', async () => {
    const manifest = JSON.parse(await readFile(installed('package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty('dependencies');
    expect((await readdir(installed('dist'))).sort()).toEqual([
      'index.cjs',
      'index.d.cts',
      'index.d.ts',
      'index.js',
    ]);
    expect(await readdir(path.join(folder, 'user/node_modules'))).toEqual([
      '.package-lock.json',
      '@plimsoll',
    ]);
  });

  it.each([
    ['module.mjs', "import { Plimsoll } from '@plimsoll/sdk'; console.log(typeof Plimsoll);"],
    ['script.cjs', "const { Plimsoll } = require('@plimsoll/sdk'); console.log(typeof Plimsoll);"],
  ])('loads in a %s', async (file, text) => {
    const at = path.join(folder, 'user', file);
    await writeFile(at, text);
    expect((await run(process.execPath, [at], DEADLINE)).stdout).toBe('function\n');
  });

  it(`has at most ${MOST_BYTES} bytes compressed`, async () => {
    expect(gzipSync(await readFile(installed('dist/index.js'))).length).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('is clean for publint and arethetypeswrong', async () => {
    const publint = await run(path.join(BIN, 'publint'), [tarball, '--strict'], DEADLINE);
    expect(publint.stdout).toContain('All good');
    const attw = await run(path.join(BIN, 'attw'), [tarball, '--no-color'], DEADLINE);
    expect(attw.stdout).toContain('No problems found');
  });

  it('has no any in its public types', async () => {
    const file = installed('dist/index.d.ts');
    const source = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(node.parent.getText().slice(0, 120));
      ts.forEachChild(node, visit);
    };
    visit(source);
    expect(found).toEqual([]);
  });

  it('drops what a bundler does not use', async () => {
    const entry = path.join(folder, 'user/entry.mjs');
    await writeFile(
      entry,
      "import { verifyWebhook } from '@plimsoll/sdk'; globalThis.verify = verifyWebhook;",
    );
    const bundled = path.join(folder, 'bundle');
    const args = ['build', '--mode', 'production', '--entry', entry, '--output-path', bundled];
    await run(path.join(BIN, 'rspack'), args, { cwd: path.join(folder, 'user'), ...DEADLINE });
    const bundle = await readFile(path.join(bundled, 'main.js'), 'utf8');
    expect(bundle).toContain('webhook-signature');
    expect(bundle).not.toContain('/v1/streams/');
  });
});
