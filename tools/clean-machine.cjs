#!/usr/bin/env node
// Proves that the README's commands need only Node and npm: runs them on a clean clone with a PATH that has nothing else.
const { spawn, spawnSync } = require('node:child_process');
const {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');

const HELP = `usage: node tools/clean-machine.cjs [--without-tests] [--keep] [--json]

Clones HEAD into a temporary folder and runs there, with only node, npm, npx, sh and env on the PATH:
  npm ci, npm start, the printed curl (sent by this script), npm run market -- shock ETH -30 until an alert arrives,
  npm stop, npm test.

  --without-tests  leaves out npm test, which takes most of the time
  --keep           keeps the clone
  --json           prints the result as JSON as well`;

const root = path.join(__dirname, '..');
/** npx comes with npm; sh runs npm's scripts; env finds node for the first line of a script. */
const COMMANDS = ['node', 'npm', 'npx', 'sh', 'env'];
const ALERT_DEADLINE_MS = 60_000;
const REQUEST_DEADLINE_MS = 15_000;

async function main(args) {
  const flag = { type: 'boolean' };
  const options = { 'without-tests': flag, keep: flag, json: flag, help: flag };
  const { values } = parseArgs({ args, options });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'clean-machine-'));
  // Postgres, started as root, runs as another user, which must be able to read the clone.
  chmodSync(folder, 0o755);
  const clone = path.join(folder, 'clone');
  const steps = [];
  const step = async (name, work) => {
    const startedAt = performance.now();
    process.stderr.write(`--- ${name}\n`);
    const result = await work();
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    process.stderr.write(`--- ${name}: ${result} (${seconds} s)\n`);
    steps.push({ name, result, seconds });
  };
  const env = cleanEnvironment(folder);
  const npm = (...words) => run('npm', words, { cwd: clone, env });
  let isStarted = false;
  try {
    await step('git clone', () => succeed(run('git', ['clone', '--quiet', root, clone], {})));
    await step('npm ci', () => succeed(npm('ci', '--no-progress')));
    await step('npm start -- --detach', () => {
      isStarted = true;
      return succeed(npm('start', '--', '--detach'));
    });
    await step('the printed curl', () => requestAsPrinted(clone));
    await step('npm run market -- shock ETH -30', async () => {
      const before = await alertIds(clone);
      await succeed(npm('run', 'market', '--', 'shock', 'ETH', '-30'));
      return newAlert(clone, before);
    });
    await step('npm stop', () => succeed(npm('stop')));
    isStarted = false;
    if (!values['without-tests']) await step('npm test', async () => lastLine(await npm('test')));
    const passed = steps.every(
      ({ name, result }) => name !== 'npm test' || /^[1-9]\d* passed, 0 failed$/.test(result),
    );
    if (values.json) console.log(JSON.stringify({ passed, path: COMMANDS, steps }, null, 2));
    console.log(passed ? 'Only Node and npm are needed.' : 'npm test has failures; its report is above.');
    return passed ? 0 : 1;
  } catch (error) {
    console.error(`Failed: ${error.message}`);
    return 1;
  } finally {
    if (isStarted) await npm('stop');
    if (values.keep) console.error(`The clone is kept in ${clone}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A PATH with only the commands, and no variable of this shell that could lead to another tool. Without the registry and
 * the certificates of its network, npm waits for each package until it takes a copy that it has.
 */
function cleanEnvironment(folder) {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  for (const name of COMMANDS) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
    if (found === '') throw new Error(`${name} is not on the PATH`);
    symlinkSync(name.startsWith('np') ? realpathSync(found) : found, path.join(bin, name));
  }
  const { HOME } = process.env;
  const network = ['npm_config_registry', 'NODE_EXTRA_CA_CERTS'].filter((name) => process.env[name]);
  return { PATH: bin, HOME, ...Object.fromEntries(network.map((name) => [name, process.env[name]])) };
}

function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
      process.stderr.write(data);
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output, command: [command, ...args].join(' ') }));
  });
}

async function succeed(running) {
  const { status, command } = await running;
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
  return 'ok';
}

const lastLine = ({ output }) => output.trim().split('\n').at(-1);
const demoOf = (clone) => JSON.parse(readFileSync(path.join(clone, '.local/demo.json'), 'utf8'));

async function get(clone, tier, target) {
  const { baseUrl, keys } = demoOf(clone);
  const response = await fetch(`${baseUrl}${target}`, {
    headers: { 'x-api-key': keys[tier] },
    signal: AbortSignal.timeout(REQUEST_DEADLINE_MS),
  });
  if (response.status !== 200) throw new Error(`GET ${target} responded with ${response.status}`);
  return response.json();
}

async function requestAsPrinted(clone) {
  const { wallets } = demoOf(clone);
  const { positions } = await get(clone, 'pro', `/positions?wallet=${wallets[0]}`);
  if (positions.length === 0) throw new Error('the demo wallet has no position');
  return `200 with ${positions.length} position(s)`;
}

async function alertIds(clone) {
  const { alerts } = await get(clone, 'enterprise', '/alerts?status=active&limit=200');
  return new Set(alerts.map(({ id }) => id));
}

async function newAlert(clone, before) {
  const deadline = performance.now() + ALERT_DEADLINE_MS;
  while (performance.now() < deadline) {
    const { alerts } = await get(clone, 'enterprise', '/alerts?status=active&limit=200');
    const found = alerts.find(({ id }) => !before.has(id));
    if (found) return `alert: ${found.title}`;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`no new alert within ${ALERT_DEADLINE_MS / 1_000} s of the shock`);
}

void main(process.argv.slice(2)).then(
  (status) => (process.exitCode = status),
  (error) => {
    console.error(`${error.message}\n\n${HELP}`);
    process.exitCode = 2;
  },
);
