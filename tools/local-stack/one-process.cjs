// Runs several services as Nest applications of one process: `npm start` uses it to save memory. The services
// need no change for it.
//
// SERVICES is a JSON array of { file, env }: the bundle of a service and its complete environment. A bundle
// reads its environment before its first await, so each one finds its own in process.env while it is loaded.

const PROM_CLIENT = /[\\/]node_modules[\\/]prom-client[\\/]/;
/** Every service adds a few listeners for signals and warnings. */
const LISTENERS_PER_SERVICE = 10;

/** @typedef {{ file: string, env: Record<string, string> }} Service */

/** @param {Service[]} services */
function run(services) {
  process.setMaxListeners(services.length * LISTENERS_PER_SERVICE);
  exitWithTheLast(services.length);
  for (const { file, env } of services) {
    forgetMetrics();
    replaceEnvironment(env);
    require(file);
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

/** Metrics have one registry for each copy of prom-client, and two services have metrics of the same name. */
function forgetMetrics() {
  for (const file of Object.keys(require.cache)) if (PROM_CLIENT.test(file)) delete require.cache[file];
}

function replaceEnvironment(env) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

run(JSON.parse(process.env.SERVICES ?? '[]'));
