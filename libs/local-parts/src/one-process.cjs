// Runs several services as Nest applications of one process: `npm start` uses it to save memory. The services
// need no change for it.
//
// Its standard input is a JSON array of { file, env }: the bundle of a service and its own variables, besides those
// of this process. A bundle reads its environment before its first await, so each one finds its own in process.env
// while it is loaded. The packages of all services are loaded before, while the input may not be known yet.
const { AsyncLocalStorage } = require('node:async_hooks');
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { Script, constants } = require('node:vm');
const { crc32 } = require('node:zlib');
const { text } = require('node:stream/consumers');
const { Logger } = require('@nestjs/common');

/** These packages keep state for a process: the registry of metrics, the logger. Each service gets its own copy of them. */
const SINGLETONS = /[\\/]node_modules[\\/](prom-client|nestjs-pino)[\\/]/;
/** The packages that take longest to load. Every service uses them, or most do. */
const PRELOADED = [
  '@nestjs/core',
  '@nestjs/microservices',
  '@nestjs/platform-fastify',
  '@fastify/compress',
  '@prisma/adapter-pg',
  '@prisma/client/runtime/client',
  '@sinclair/typebox/compiler',
  '@sinclair/typebox/value',
  'class-validator',
  'ioredis',
  'kafkajs',
  'pg',
  'undici',
  'viem',
  'viem/ens',
];
/** Static fields of Nest's Logger. Nest cannot have a copy for each service: its packages refer to each other. */
const LOGGER_FIELDS = ['staticInstanceRef', 'isBufferAttached', 'logBuffer'];
const SIGNALS = new Set(['SIGTERM', 'SIGINT']);
/** The functions of a start have run by then, and are not forgotten yet. */
const KEEP_AFTER_MS = 5_000;
const CHECKSUM_BYTES = 4;
/** Every service adds a few listeners for signals and warnings. */
const LISTENERS_PER_SERVICE = 10;

/** @typedef {{ file: string, env: Record<string, string> }} Service */

/** @param {Service[]} services */
function run(services) {
  process.setMaxListeners(services.length * LISTENERS_PER_SERVICE);
  exitWithTheLast(services.length);
  const runSeparately = separateLoggers();
  const common = { ...process.env };
  for (const { file, env } of services) {
    forgetSingletons();
    replaceEnvironment({ ...common, ...env });
    runSeparately(() => load(file));
  }
}

/** A service exits when it has stopped. The process ends when the last one has stopped, or when one fails. */
function exitWithTheLast(count) {
  const exit = process.exit.bind(process);
  let stopped = 0;
  process.exit = (code = 0) => {
    stopped += 1;
    if (code !== 0 || stopped === count) exit(code);
  };
}

/**
 * Gives each service a Nest logger of its own. Otherwise all services would log through the one that was made last, which
 * does not know the request ids of the others.
 */
function separateLoggers() {
  const fieldsOf = new AsyncLocalStorage();
  const initial = () => ({
    staticInstanceRef: Logger.staticInstanceRef,
    isBufferAttached: false,
    logBuffer: [],
  });
  const withoutService = initial();
  for (const field of LOGGER_FIELDS) {
    const fields = () => fieldsOf.getStore() ?? withoutService;
    Object.defineProperty(Logger, field, {
      get: () => fields()[field],
      set: (value) => {
        fields()[field] = value;
      },
    });
  }
  const { on } = process;
  process.on = (event, listener) =>
    on.call(process, event, SIGNALS.has(event) ? AsyncLocalStorage.bind(listener) : listener);
  return (work) => fieldsOf.run(initial(), work);
}

/**
 * Loads a bundle like require, with the code that its last start compiled. The cache of Node has only what is compiled
 * before a file runs. A bundle compiles its functions while it runs.
 */
function load(file) {
  const folder = Module.getCompileCacheDir?.();
  if (folder === undefined) return require(file);
  const source = readFileSync(file, 'utf8');
  const cacheFile = path.join(folder, `${path.basename(path.dirname(file))}.bundle`);
  const cachedData = compiledOf(source, cacheFile);
  const script = new Script(Module.wrap(source), {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = new Module(file);
  module.filename = file;
  module.paths = Module._nodeModulePaths(path.dirname(file));
  script.runInThisContext()(module.exports, Module.createRequire(file), module, file, path.dirname(file));
  if (cachedData === undefined || script.cachedDataRejected)
    setTimeout(() => keep(script, source, cacheFile), KEEP_AFTER_MS).unref();
  return module.exports;
}

/** V8 compares the length of the source only, so the file begins with a checksum of it. */
function checksumOf(source) {
  const bytes = Buffer.alloc(CHECKSUM_BYTES);
  bytes.writeUInt32LE(crc32(source));
  return bytes;
}

function compiledOf(source, cacheFile) {
  let kept;
  try {
    kept = readFileSync(cacheFile);
  } catch {
    // The first start.
    return undefined;
  }
  return checksumOf(source).equals(kept.subarray(0, CHECKSUM_BYTES))
    ? kept.subarray(CHECKSUM_BYTES)
    : undefined;
}

function keep(script, source, cacheFile) {
  const own = `${cacheFile}.${process.pid}`;
  try {
    writeFileSync(own, Buffer.concat([checksumOf(source), script.createCachedData()]));
    renameSync(own, cacheFile);
  } catch {
    // The next start is only slower.
  }
}

function forgetSingletons() {
  for (const file of Object.keys(require.cache)) if (SINGLETONS.test(file)) delete require.cache[file];
}

function replaceEnvironment(env) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

for (const name of PRELOADED) require(name);
void text(process.stdin).then((services) => run(JSON.parse(services)));
