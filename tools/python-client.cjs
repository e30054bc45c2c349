#!/usr/bin/env node
// npm run tool -- python-client: checks clients/python, and tests it against a platform of its own.
const { spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { requirePrograms, runSuite } = require('./suite.cjs');

const HELP = `usage: npm run tool -- python-client

Needs python3 (3.10 or later) and PyPI, and parts as npm test does. It starts a platform, or uses the one that
PLIMSOLL_URL, PLIMSOLL_API_KEY (enterprise) and WALLET name. Steps:
  types     mypy --strict over the package
  wheel     builds the wheel and installs it in an environment that has no source of it
  tests     pytest: signatures, retries, and the clients against the platform with faults in between
  snippets  runs the Python snippets of clients/python/README.md
  examples  runs examples/python-report

Environments and the wheel are in .local/python-client.`;

const root = path.join(__dirname, '..');
const client = path.join(root, 'clients/python');
const work = path.join(root, '.local/python-client');
/** Every version is pinned, those of indirect packages too. */
const REQUIREMENTS = path.join(client, 'requirements-dev.txt');
const PREPARE_MS = 300_000;
/** Beside the other suites of CI, they have taken more than five minutes. */
const TEST_MS = 600_000;

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}

const fail = (message) => {
  console.error(message);
  process.exit(1);
};

/** Runs a program to its end. */
function run(name, program, words, { cwd = client, env = {}, timeout = PREPARE_MS } = {}) {
  console.log(`--- ${name}`);
  const { status, error } = spawnSync(program, words, {
    cwd,
    timeout,
    stdio: 'inherit',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1', ...env },
  });
  if (error) fail(`${name}: ${program} cannot run: ${error.message}`);
  if (status !== 0) fail(`${name} failed with ${status}.`);
}

function readStack() {
  const { PLIMSOLL_URL, PLIMSOLL_API_KEY, WALLET } = process.env;
  if (!PLIMSOLL_API_KEY || !WALLET)
    fail('PLIMSOLL_URL is set. Set PLIMSOLL_API_KEY and WALLET too, or none of them.');
  return { PLIMSOLL_URL, PLIMSOLL_API_KEY, WALLET };
}

/** Creates an environment once. */
function environment(name, packages) {
  const folder = path.join(work, name);
  const python = path.join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  if (!existsSync(python)) run(`python3 -m venv ${name}`, 'python3', ['-m', 'venv', folder]);
  run(`pip install in ${name}`, python, ['-m', 'pip', 'install', '--quiet', ...packages]);
  return python;
}

requirePrograms('python-client', [['python3', '--version']]);
// The suite starts a platform, and runs this file again with its address.
if (!process.env.PLIMSOLL_URL)
  runSuite('test/sdk/readme', { tests: 'the Python client', env: { SDK_LANGUAGES: 'python' } });
const stack = readStack();
if (!existsSync(path.join(client, 'src/plimsoll/generated/models.py')))
  fail('clients/python has no generated code. Run npm run build, then run this again.');
mkdirSync(work, { recursive: true });
const tools = environment('tools', ['-r', REQUIREMENTS]);
run('types', tools, ['-m', 'mypy']);
run('types of the tests', tools, ['-m', 'mypy', 'tests'], { env: { MYPYPATH: 'src:tests' } });

const wheels = path.join(work, 'wheels');
rmSync(wheels, { recursive: true, force: true });
run('wheel', tools, ['-m', 'build', '--wheel', '--no-isolation', '--outdir', wheels]);
const [wheel] = readdirSync(wheels);
if (!wheel?.endsWith('.whl')) fail('The build wrote no wheel.');

// The installed wheel is tested, so a file that it lacks fails here.
const clean = environment('clean', [
  '--constraint',
  REQUIREMENTS,
  '--force-reinstall',
  path.join(wheels, wheel),
]);
run('pip install pytest in clean', clean, ['-m', 'pip', 'install', '--quiet', '-r', REQUIREMENTS]);
const tested = { cwd: path.join(client, 'tests'), env: stack, timeout: TEST_MS };
run('tests', clean, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '.'], tested);

const snippets = [
  ...readFileSync(path.join(client, 'README.md'), 'utf8').matchAll(/```python\n([\s\S]*?)```/g),
];
if (snippets.length === 0) fail('clients/python/README.md has no snippet.');
snippets.forEach(([, code], index) => {
  const file = path.join(work, `snippet-${index + 1}.py`);
  writeFileSync(file, code);
  run(`snippet ${index + 1}`, clean, [file], { ...tested, cwd: work });
});
const report = path.join(root, 'examples/python-report/report.py');
run('types of the report', tools, ['-m', 'mypy', '--strict', report], { env: { MYPYPATH: 'src' } });
const { stdout, stderr, status } = spawnSync(clean, [report], {
  cwd: work,
  encoding: 'utf8',
  timeout: TEST_MS,
  env: { ...process.env, ...stack, PYTHONDONTWRITEBYTECODE: '1' },
});
const rows = stdout?.match(/^\| (?:no debt|\d+\.\d{3}) \| [a-z]+ \| /gm) ?? [];
if (status !== 0 || rows.length === 0) fail(`The report failed with ${status}.\n${stdout}\n${stderr}`);
console.log(
  `The Python client holds: types, wheel ${wheel}, tests, ${snippets.length} snippets, a report of ${rows.length} positions.`,
);
