import { execFile } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { workspaceRoot } from '@plimsoll/local-parts';
import ts from 'typescript';
import { type PackedSdk, packSdk } from './packed-sdk';

const run = promisify(execFile);
const BIN = path.join(workspaceRoot(), 'node_modules/.bin');
const MOST_BYTES = 15 * 1_024;
const DEADLINE = { timeout: 240_000 };

/** The package that a user of the SDK installs. */
describe('the package of the SDK', () => {
  let sdk: PackedSdk;

  beforeAll(async () => {
    sdk = await packSdk();
  }, 300_000);
  afterAll(() => sdk?.remove());

  const installed = (file: string): string => path.join(sdk.user, 'node_modules/@plimsoll/sdk', file);

  it('has no runtime dependency and no file of the workspace', async () => {
    const manifest = JSON.parse(await readFile(installed('package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty('dependencies');
    const files = await readdir(installed('dist'));
    for (const entry of ['index', 'verify'])
      expect(files).toEqual(
        expect.arrayContaining(['cjs', 'd.cts', 'd.ts', 'js'].map((end) => `${entry}.${end}`)),
      );
    expect(await readdir(path.join(sdk.user, 'node_modules'))).toEqual(['.package-lock.json', '@plimsoll']);
  });

  it.each([
    ['module.mjs', "import { Plimsoll } from '@plimsoll/sdk'; console.log(typeof Plimsoll);"],
    [
      'verify.mjs',
      "import { verifyReceipt } from '@plimsoll/sdk/verify'; console.log(typeof verifyReceipt);",
    ],
    ['script.cjs', "const { Plimsoll } = require('@plimsoll/sdk'); console.log(typeof Plimsoll);"],
  ])('loads in a %s', async (file, text) => {
    const at = path.join(sdk.user, file);
    await writeFile(at, text);
    expect((await run(process.execPath, [at], DEADLINE)).stdout).toBe('function\n');
  });

  it.each(['index.js', 'verify.js'])(`has at most ${MOST_BYTES} bytes compressed in %s`, async (file) => {
    const first = await readFile(installed(`dist/${file}`), 'utf8');
    const others = [...first.matchAll(/from"\.\/([^"]+)"/g)].map(([, name]) => installed(`dist/${name}`));
    const loaded = [first, ...(await Promise.all(others.map((other) => readFile(other, 'utf8'))))];
    expect(gzipSync(loaded.join('')).length).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('has the licences of the packages in it', async () => {
    expect(await readFile(installed('dist/LICENCES.txt'), 'utf8')).toMatch(
      /hashes .* \(MIT\).*viem .* \(MIT\)/s,
    );
  });

  it('is clean for publint and arethetypeswrong', async () => {
    const publint = await run(path.join(BIN, 'publint'), [sdk.tarball, '--strict'], DEADLINE);
    expect(publint.stdout).toContain('All good');
    const attw = await run(path.join(BIN, 'attw'), [sdk.tarball, '--no-color'], DEADLINE);
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
    const entry = path.join(sdk.user, 'entry.mjs');
    await writeFile(entry, "import { webhooks } from '@plimsoll/sdk'; globalThis.verify = webhooks.verify;");
    const bundled = path.join(sdk.user, 'bundle');
    const args = ['build', '--mode', 'production', '--entry', entry, '--output-path', bundled];
    await run(path.join(BIN, 'rspack'), args, { cwd: sdk.user, ...DEADLINE });
    const bundle = await readFile(path.join(bundled, 'main.js'), 'utf8');
    expect(bundle).toContain('webhook-signature');
    expect(bundle).not.toContain('/v1/streams/');
    expect(bundle).not.toContain('x-api-key');
  });
});
