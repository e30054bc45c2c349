#!/usr/bin/env node
// npm run tool -- NAME: tools that are used too rarely for a separate script in package.json.
const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
/** A script or TypeScript file with main(), below the root; `bin:PACKAGE` or `bin:PACKAGE#NAME` is a command of an npm package. */
const TOOLS = {
  'architecture-picture': {
    says: 'draws docs/architecture/overview.svg from the sources of the apps',
    steps: [['tools/architecture-picture/main.ts']],
  },
  audit: {
    says: 'runs npm audit for production packages, where the registry serves it',
    steps: [['tools/supply-chain/main.ts', 'audit']],
  },
  boundaries: {
    says: 'checks which app and library may import which',
    steps: [
      ['bin:nx', 'graph', '--file=.nx/graph.json'],
      ['bin:eslint', 'apps', 'libs', 'tools', 'test', 'bench', '--no-error-on-unmatched-pattern'],
    ],
  },
  commits: { says: 'checks commit messages', steps: [['tools/commits/bin.mjs']] },
  completion: {
    says: 'tests the completion of the command line in bash, zsh and fish; needs the three shells',
    steps: [['tools/completion.cjs']],
  },
  contract: {
    says: 'tests a running platform against docs/openapi.json with schemathesis',
    steps: [['tools/contract/main.ts']],
  },
  'contracts:build': {
    says: 'compiles contracts/ and writes libs/executor/src/generated',
    steps: [['tools/contracts/build.cjs']],
  },
  'contracts:test': {
    says: 'tests the executor contracts and prints their gas',
    steps: [['tools/contracts/test.cjs']],
  },
  'contracts:mutants': {
    says: 'removes each protection of the contracts and requires that a test fails',
    steps: [['tools/contracts/mutants.cjs']],
  },
  'contracts:slither': {
    says: 'analyses the contracts with slither',
    steps: [['tools/contracts/slither.cjs']],
  },
  configuration: {
    says: 'writes docs/configuration.md from the configuration classes',
    steps: [['tools/configuration/main.ts']],
  },
  'coverage:protocols': { says: 'writes docs/coverage.md', steps: [['tools/coverage/main.ts']] },
  'database-roles': {
    says: 'prints statements that give each service a database role of its own',
    steps: [['tools/deploy/database-roles-main.ts']],
  },
  'deploy:files': {
    says: 'writes docker-compose.yml and the files beside it',
    steps: [['tools/deploy/files-main.ts']],
  },
  'deploy:secrets': {
    says: 'writes the secrets that docker-compose.yml mounts',
    steps: [['tools/deploy/compose-secrets-main.ts']],
  },
  'eval:ai': { says: 'evaluates the AI service', steps: [['test/ai-eval/bin.cjs']] },
  'format:check': {
    says: 'checks the format of all files',
    steps: [['bin:prettier', '--check', '.']],
  },
  generate: {
    says: 'writes generated code: Prisma clients, contract artifacts',
    steps: [['bin:nx', 'run-many', '-t', 'generate']],
  },
  bytecode: {
    says: 'searches the files of the repository for EVM code of other projects',
    steps: [['tools/supply-chain/main.ts', 'bytecode']],
  },
  'generated-clients': {
    says: 'generates clients in TypeScript, Python, Go and Java, and calls a platform with them',
    steps: [['tools/generated-clients.cjs']],
  },
  'golden:mistakes': {
    says: 'writes test/mistakes/responses.golden.json from the responses of a platform',
    steps: [
      ['bin:nx', 'run-many', '-t', 'generate', 'build'],
      ['bin:jest', '-c', 'jest.config.cjs', '--selectProjects=parts', '--testPathPatterns', 'test/mistakes'],
      ['bin:prettier', '--write', 'test/mistakes/responses.golden.json'],
    ],
    env: { UPDATE_GOLDEN: '1' },
  },
  'first-webhook': {
    says: 'goes from npm init to a verified webhook with the packed SDK, and prints commands and time',
    steps: [['tools/first-webhook.cjs']],
  },
  'go-client': {
    says: 'checks clients/go, and tests it against a platform; needs go',
    steps: [['tools/go-client.cjs']],
  },
  'index-replay': { says: 'replays the risk index over daily prices', steps: [['tools/index-replay.cjs']] },
  'level-rates': {
    says: 'counts how often each risk level was liquidated',
    steps: [['tools/calibrate/level-rates-main.ts']],
  },
  'kafka-acls': {
    says: 'prints the access control lists of the services on Kafka',
    steps: [['tools/kafka-acls/main.ts']],
  },
  licences: {
    says: 'lists the licences of production packages; fails for one that is not permitted',
    steps: [['tools/supply-chain/main.ts', 'licences']],
  },
  'openapi:lint': {
    says: 'lints docs/openapi.json with redocly',
    steps: [['bin:@redocly/cli#redocly', 'lint']],
    env: { REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
  'parts:conformance': {
    says: 'compares the embedded with the genuine Redis and Kafka',
    steps: [['tools/parts-conformance/bin.cjs']],
  },
  'prose:sample': {
    says: 'draws comments, names, messages and test titles for a reader',
    steps: [['tools/prose/sample.ts']],
  },
  'python-client': {
    says: 'checks clients/python, and tests it against a platform; needs python3 and PyPI',
    steps: [['tools/python-client.cjs']],
  },
  release: {
    says: 'releases one service: version, changelog, commit and tag',
    steps: [['tools/release/main.ts']],
  },
  'release:tags': {
    says: 'creates the tags of deploy/releases.json that this clone lacks',
    steps: [['tools/release/tags-main.ts']],
  },
  sbom: {
    says: 'prints the production packages as CycloneDX',
    steps: [['tools/supply-chain/main.ts', 'sbom']],
  },
  secrets: {
    says: 'searches the files of the repository for keys and tokens',
    steps: [['tools/supply-chain/main.ts', 'secrets']],
  },
  'sdk-runtimes': {
    says: 'runs the packed SDK in Deno, Bun, workerd and Chromium, which it gets from npm',
    steps: [['tools/sdk-runtimes.cjs']],
  },
  signatures: {
    says: 'verifies the documented signature code in Node, Python and Go',
    steps: [['tools/signatures.cjs']],
  },
  soak: {
    says: 'watches memory and CPU of a running platform for hours',
    steps: [['tools/local-stack/soak/bin.cjs']],
  },
  structure: {
    says: 'prints sizes, and folders and files that import each other; --check fails for new ones',
    steps: [['tools/structure/bin.mjs']],
  },
  'verify:api': {
    says: 'recomputes figures of a running platform, independently of its code; needs python3',
    steps: [['python3', 'test/reference/api_figures.py']],
  },
};

const HELP = `usage: npm run tool -- NAME [arguments]

${Object.entries(TOOLS)
  .map(([name, { says }]) => `  ${name.padEnd(22)}${says}`)
  .join('\n')}

npm run tool -- NAME --help describes a tool. Use npm run --silent tool for output that another program reads.`;

/** Command and arguments of a step. */
function commandOf([file, ...words]) {
  if (file.endsWith('.ts')) return [process.execPath, path.join(__dirname, 'run-main.cjs'), file, ...words];
  if (!file.startsWith('bin:')) {
    return file.includes('/') ? [process.execPath, path.join(root, file), ...words] : [file, ...words];
  }
  return [process.execPath, packageCommand(file.slice('bin:'.length)), ...words];
}

/** Packages move their files between versions. The `bin` field of package.json has the path of a command. */
function packageCommand(reference) {
  const [name, command = name] = reference.split('#');
  const folder = path.join(root, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof bin === 'string' ? bin : bin[command]);
}

function run(name, args) {
  const { steps, env } = TOOLS[name];
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const [command, ...words] = commandOf(step);
    const { status, error } = spawnSync(command, isLast ? [...words, ...args] : words, {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    if (error) {
      console.error(`${command} did not start: ${error.message}. Install it, or correct the PATH.`);
      return 1;
    }
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

function main([name, ...args]) {
  if (name === undefined || name === '--help') console.log(HELP);
  else if (Object.hasOwn(TOOLS, name)) process.exitCode = run(name, args);
  else {
    console.error(`There is no tool ${name}.\n\n${HELP}`);
    process.exitCode = 2;
  }
}

module.exports = { TOOLS, commandOf };

if (require.main === module) main(process.argv.slice(2));
