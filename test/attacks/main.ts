import path from 'node:path';
import { parseArgs } from 'node:util';
import { ATTACKS } from './attacks';
import { type AttackResult, hasHeld, runAttacks } from './run';
import { RefusedTarget, localTarget } from './target';

const DEFAULT_SEED = '29';
const HELP = `usage: npm run attack [-- --short] [--item N]... [--details] [--json]

Attacks the platform of npm start on this machine as a stranger and as another account, and checks that it holds. It
attacks no other address than loopback. It deletes the webhooks, rules and wallets of its accounts; the accounts stay.

  --short       fewer repetitions
  --item N      only this item: ${ATTACKS.map(({ item }) => item).join(', ')}; may be given several times
  --route TEXT  the fuzz sends only to paths that contain TEXT
  --seed N      of the fuzz: ${DEFAULT_SEED}
  --details     the measured value of every check
  --json        the results as JSON on standard output, progress on standard error

Exit status 0 when every check passes, 1 when one fails, 2 for a wrong command line or no platform.
test/attacks/README.md names the requirement and the other tests of each item.`;

/** `npm run attack`. Returns the exit status. */
export async function main(words: string[]): Promise<number> {
  const root = path.join(__dirname, '../..');
  try {
    const values = parsed(words);
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    const { short: isShort, route, item: items } = values;
    const progress = (line: string): void => console.error(`  ${line}`);
    const target = await localTarget(root, { isShort, route, seed: Number(values.seed), progress });
    const attacks = ATTACKS.filter(({ item }) => items.length === 0 || items.includes(item));
    const print = values.json
      ? (): void => undefined
      : (each: AttackResult) => printResult(each, values.details);
    const results = await runAttacks(target, attacks, print);
    const failed = results.filter((result) => !hasHeld(result)).map(({ item }) => item);
    if (values.json) {
      console.log(
        JSON.stringify({ target: target.origin, isShort, seed: target.seed, failed, results }, null, 2),
      );
    } else printSummary(results, failed);
    return failed.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof RefusedTarget)) throw error;
    console.error(error.message);
    return 2;
  }
}

/** @throws RefusedTarget with the reason */
function parsed(words: string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    short: flag,
    details: flag,
    json: flag,
    help: flag,
    item: { type: 'string', multiple: true, default: [] as string[] },
    route: { type: 'string', default: '' },
    seed: { type: 'string', default: DEFAULT_SEED },
  } as const;
  try {
    const { values } = parseArgs({ args: words, options });
    const unknown = values.item.find((each) => !ATTACKS.some(({ item: known }) => known === each));
    if (unknown !== undefined) throw new Error(`There is no item ${unknown}.`);
    if (!/^\d{1,9}$/.test(values.seed)) throw new Error('--seed is a whole number.');
    return values;
  } catch (error) {
    throw new RefusedTarget(`${(error as Error).message} Run npm run attack -- --help.`, { cause: error });
  }
}

function printResult(result: AttackResult, hasDetails: boolean): void {
  const { item, title, seconds, checks } = result;
  const verdict = hasHeld(result) ? 'held  ' : 'FAILED';
  console.log(`${verdict} ${item.padStart(4)}  ${title} (${checks.length} checks, ${seconds} s)`);
  for (const { name, ok, detail } of checks) {
    if (!ok || hasDetails) console.log(`             ${ok ? 'ok' : 'NOT OK'}  ${name}: ${detail}`);
  }
}

function printSummary(results: readonly AttackResult[], failed: readonly string[]): void {
  const checks = results.flatMap((each) => each.checks);
  const passed = checks.filter(({ ok }) => ok).length;
  console.log(`${passed} passed, ${checks.length - passed} failed`);
  if (failed.length === 0) return;
  const again = failed.map((item) => `--item ${item}`).join(' ');
  console.log(`Repeat with npm run attack -- ${again} --details; the logs are in .local/logs.`);
  console.log('test/attacks/README.md names the requirement of each item and the test to extend first.');
}
