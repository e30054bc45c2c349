import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { workspaceRoot } from '@plimsoll/local-parts';
import { Plimsoll } from '@plimsoll/sdk';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { Programs } from '../sdk/programs';

/** `npm run tool -- generated-clients` and CI name them, and jest.config.cjs leaves this file out without them. */
const LANGUAGES = new Set((process.env['GENERATED_CLIENTS'] ?? '').split(','));
const SOURCES = path.join(workspaceRoot(), 'test/generated-clients');
const DOCUMENT = path.join(workspaceRoot(), 'docs/openapi.json');
const BUILD_MS = 400_000;

describe('clients that generators make', () => {
  const programs = new Programs();
  let platform: Platform;
  let folder: string;
  let environment: Record<string, string>;
  let expected: unknown[];

  beforeAll(async () => {
    platform = await startOwnPlatform();
    folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-generated-'));
    const key = await platform.createKey('enterprise', 100_000);
    const wallet = platform.wallets.find(({ plan }) => (plan.healthFactor ?? 0) > 1.2)!.address;
    environment = {
      PLIMSOLL_URL: new URL(platform.baseUrl).origin,
      API_KEY: key,
      OPEN_KEY: await platform.createKey('open'),
      WALLET: wallet,
    };
    const client = new Plimsoll({ apiKey: key, baseUrl: platform.baseUrl });
    const { positions } = await client.positions.list({ wallet });
    const position = await client.positions.get({ id: positions[0]!.id });
    expected = [
      'chains 2 true',
      `wallet ${wallet}`,
      `positions ${positions.length}`,
      `position ${position.id} ${position.collateralAssets[0]!.asset}`,
      expect.stringMatching(/^what-if (none|low|moderate|high|critical|liquidatable)$/),
      '400 invalid_request iterations',
      '401 invalid_api_key',
      '403 tier_required business',
      '404 not_found',
      '429 rate_limited',
    ];
  }, 300_000);

  afterAll(async () => {
    programs.stop();
    await platform?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Copies the sources of a language beside the document, and returns their folder. */
  async function prepare(language: string): Promise<string> {
    const own = path.join(folder, language);
    await cp(path.join(SOURCES, language), own, { recursive: true });
    await cp(DOCUMENT, path.join(own, 'openapi.json'));
    return own;
  }

  /** Runs a program in a folder, requires that it succeeds, and returns every line that it printed. */
  async function linesOf(
    cwd: string,
    program: string,
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<string[]> {
    const { code, lines } = await run(cwd, program, args, env);
    expect([code, code === 0 ? '' : lines.join('\n')]).toEqual([0, '']);
    return lines;
  }

  async function run(
    cwd: string,
    program: string,
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<{ code: number | null; lines: string[] }> {
    const started = programs.start(program, args, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', GOTOOLCHAIN: 'local', PYTHONDONTWRITEBYTECODE: '1', ...env },
    });
    const code = await started.ended;
    // Maven resets the colours also where it uses none.
    const lines = [...started.lines, ...started.errors().split('\n')].map(stripVTControlCharacters);
    return { code, lines: lines.filter(Boolean) };
  }

  /** The ten calls of a built client: five results and five errors, read through their generated types. */
  async function expectCalls(
    cwd: string,
    program: string,
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<void> {
    const limited = await platform.createKey('enterprise', 1);
    const { code, lines } = await run(cwd, program, args, {
      ...environment,
      ...env,
      LIMITED_KEY: limited,
    });
    expect(lines).toEqual(expected);
    expect(code).toBe(0);
  }

  function describeClient(language: string, generator: string, test: () => Promise<void>): void {
    if (LANGUAGES.has(language)) it(`${language}: ${generator}`, test, BUILD_MS);
  }

  describeClient('typescript', '@hey-api/openapi-ts', async () => {
    const own = await prepare('typescript');
    await linesOf(own, 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
    const generate = [
      '-i',
      'openapi.json',
      '-o',
      'generated',
      '-c',
      '@hey-api/client-fetch',
      '--no-log-file',
    ];
    const printed = await linesOf(own, path.join(own, 'node_modules/.bin/openapi-ts'), generate);
    expect(printed.filter((line) => /warn|error/i.test(line))).toEqual([]);
    const types = path.join(workspaceRoot(), 'node_modules/@types');
    const { lines } = await run(own, path.join(own, 'node_modules/.bin/tsc'), ['--typeRoots', types]);
    // The HTTP code that the generator copies into each client has optional fields with undefined.
    const faults = lines.filter((line) => /^\S+\.ts\(/.test(line));
    expect(
      faults.filter((line) => !/^generated\/(client|core)\/.*exactOptionalPropertyTypes/.test(line)),
    ).toEqual([]);
    await expectCalls(own, process.execPath, ['built/calls.js']);
  });

  describeClient('python', 'openapi-python-client', async () => {
    const own = await prepare('python');
    await linesOf(own, 'python3', ['-m', 'venv', 'venv']);
    const bin = (name: string): string => path.join(own, 'venv/bin', name);
    await linesOf(own, bin('pip'), [
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '-r',
      'requirements.txt',
    ]);
    const output = ['--config', 'config.yaml', '--output-path', 'client'];
    const generate = ['generate', '--path', 'openapi.json', '--fail-on-warning', ...output];
    // It formats what it generates with ruff, which it looks for on the PATH.
    const env = { PATH: `${bin('')}${path.delimiter}${process.env['PATH']}` };
    expect(await linesOf(own, bin('openapi-python-client'), generate, env)).toEqual(['Generating client']);
    const check = ['--strict', 'calls.py', 'client/generated'];
    const [checked] = await linesOf(own, bin('mypy'), check, { MYPYPATH: 'client' });
    expect(checked).toMatch(/^Success: no issues found/);
    await expectCalls(own, bin('python'), ['calls.py'], { PYTHONPATH: 'client' });
  });

  describeClient('go', 'oapi-codegen', async () => {
    const own = await prepare('go');
    await linesOf(own, 'go', ['mod', 'download']);
    await linesOf(own, 'mkdir', ['api']);
    expect(
      await linesOf(own, 'go', ['tool', 'oapi-codegen', '-config', 'config.yaml', 'openapi.json']),
    ).toEqual([]);
    expect(await linesOf(own, 'gofmt', ['-l', '.'])).toEqual([]);
    expect(await linesOf(own, 'go', ['vet', './...'])).toEqual([]);
    expect(await linesOf(own, 'go', ['build', '-o', 'calls', '.'])).toEqual([]);
    await expectCalls(own, path.join(own, 'calls'), []);
  });

  describeClient('java', 'openapi-generator', async () => {
    const own = await prepare('java');
    const printed = await linesOf(own, 'mvn', ['--batch-mode', '--no-transfer-progress', 'compile']);
    const warnings = printed.filter((line) => line.startsWith('[WARNING]'));
    // The generator forgets now and then that it printed a warning.
    expect([...new Set(warnings)]).toEqual(KNOWN_OF_JAVA);
    const exec = ['--batch-mode', '--no-transfer-progress', '--quiet', 'exec:java'];
    await expectCalls(own, 'mvn', exec);
  });
});

/** The generator warns of every document in OpenAPI 3.1, and of every example that is an object. */
const KNOWN_OF_JAVA = [
  expect.stringMatching(/^\[WARNING\] OpenAPI 3\.1 support is still in beta/),
  '[WARNING] Ignoring complex example on request body',
] as unknown[];
