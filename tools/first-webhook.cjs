#!/usr/bin/env node
// npm run tool -- first-webhook: from npm init in an empty folder to a verified webhook, with the packed SDK.
const { spawn, spawnSync } = require('node:child_process');
const {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { createServer } = require('node:net');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');

const HELP = `usage: npm run tool -- first-webhook

Does what a new user does: npm init, npm install of the packed SDK, a receiver from the README of the SDK, an endpoint,
and a test event. Prints each command and the time until the webhook is verified. Packing is not counted, because a user
installs from a registry. PLIMSOLL_SDK_TARBALL names a packed SDK. The platform is that of npm start, or the one that
PLIMSOLL_URL and PLIMSOLL_API_KEY name.`;

const root = path.join(__dirname, '..');
const STEP_MS = 240_000;
const LISTENING_MS = 20_000;

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}

function readStack() {
  const { PLIMSOLL_URL, PLIMSOLL_API_KEY } = process.env;
  if (PLIMSOLL_URL && PLIMSOLL_API_KEY) return { url: PLIMSOLL_URL, key: PLIMSOLL_API_KEY };
  try {
    const { baseUrl, keys } = JSON.parse(readFileSync(path.join(root, '.local/demo.json'), 'utf8'));
    return { url: baseUrl, key: keys.enterprise };
  } catch {
    throw new Error(
      'There is no platform. Run npm start -- --detach, or set PLIMSOLL_URL and PLIMSOLL_API_KEY.',
    );
  }
}

/** Runs a command without printing it. */
function run(program, words, cwd) {
  const { status, error, stderr } = spawnSync(program, words, { cwd, timeout: STEP_MS, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed with ${status}.\n${stderr}`);
}

/** The package as a registry would have it. */
function pack(folder) {
  const assembled = path.join(folder, 'package');
  run(
    path.join(root, 'node_modules/.bin/tsdown'),
    ['--out-dir', path.join(assembled, 'dist')],
    path.join(root, 'libs/sdk'),
  );
  for (const file of ['package.json', 'README.md'])
    cpSync(path.join(root, 'libs/sdk', file), path.join(assembled, file));
  run('npm', ['pack', '--pack-destination', folder], assembled);
  return path.join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  );
}

/** A snippet of the README of the SDK. */
function snippet(name) {
  const text = readFileSync(path.join(root, 'libs/sdk/README.md'), 'utf8');
  const [, code] = new RegExp(`^\`\`\`ts ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text) ?? [];
  if (!code) throw new Error(`libs/sdk/README.md has no snippet named ${name}.`);
  return code;
}

const findPort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function main() {
  const { url, key } = readStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-first-'));
  const children = [];
  try {
    const tarball = process.env.PLIMSOLL_SDK_TARBALL || pack(folder);
    const user = path.join(folder, 'user');
    mkdirSync(user);
    const startedAt = performance.now();
    const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
    const say = (text) => console.log(`${seconds()} s  ${text}`);
    const step = (program, words) => {
      say(`$ ${program} ${words.join(' ')}`);
      run(program, words, user);
    };
    const port = await findPort();
    const env = { ...process.env, PLIMSOLL_URL: url, PLIMSOLL_API_KEY: key, PORT: String(port) };

    step('npm', ['init', '-y']);
    const archive = path.relative(user, tarball);
    step('npm', ['install', '--offline', '--no-audit', '--no-fund', archive]);

    writeFileSync(path.join(user, 'create.mts'), CREATE);
    say('$ node create.mts');
    const created = spawnSync(process.execPath, ['create.mts'], {
      cwd: user,
      env,
      encoding: 'utf8',
      timeout: STEP_MS,
    });
    if (created.status !== 0) throw new Error(created.stderr);
    const { id, secret } = JSON.parse(created.stdout);
    say(`an endpoint: ${id}`);

    writeFileSync(path.join(user, 'receiver.mts'), snippet('webhooks'));
    say(`$ PORT=${port} PLIMSOLL_WEBHOOK_SECRET=whsec_… node receiver.mts`);
    const receiver = spawn(process.execPath, ['receiver.mts'], {
      cwd: user,
      env: { ...env, PLIMSOLL_WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(receiver);
    const printed = new Promise((resolve, reject) => {
      receiver.stdout.setEncoding('utf8').once('data', resolve);
      receiver.once('close', (code) => reject(new Error(`The receiver ended with ${code}.`)));
    });
    printed.catch(() => undefined);
    await untilListening(port);

    writeFileSync(path.join(user, 'test.mts'), TEST);
    say(`$ node test.mts ${id}`);
    const tested = spawnSync(process.execPath, ['test.mts', id], {
      cwd: user,
      env,
      encoding: 'utf8',
      timeout: STEP_MS,
    });
    if (tested.status !== 0) throw new Error(tested.stderr);
    const [event, eventId] = (await printed).trim().split(' ');
    if (event !== 'test.ping') throw new Error(`The receiver printed ${event}.`);
    say(`a verified webhook: ${event} ${eventId}`);
    console.log(`The webhook was verified ${seconds().trim()} s after npm init started.`);
  } finally {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function untilListening(port) {
  for (let waited = 0; waited < LISTENING_MS; waited += 50) {
    try {
      await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' });
      return;
    } catch {
      await pause(50);
    }
  }
  throw new Error('The receiver does not listen.');
}

const CREATE = `import { Plimsoll } from '@plimsoll/sdk';

const plimsoll = new Plimsoll({ apiKey: process.env.PLIMSOLL_API_KEY, baseUrl: process.env.PLIMSOLL_URL });
const url = \`http://127.0.0.1:\${process.env.PORT}/hook\`;
const { webhook } = await plimsoll.webhooks.create({ url, events: ['test.ping'] });
console.log(JSON.stringify({ id: webhook.id, secret: webhook.secret }));
`;

const TEST = `import { Plimsoll } from '@plimsoll/sdk';

const plimsoll = new Plimsoll({ apiKey: process.env.PLIMSOLL_API_KEY, baseUrl: process.env.PLIMSOLL_URL });
const id = process.argv[2] ?? '';
const { success } = await plimsoll.webhooks.test({ id });
await plimsoll.webhooks.delete({ id });
if (!success) throw new Error('The receiver refused the event.');
`;

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
