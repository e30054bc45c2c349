import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Check, check } from './attack';
import { ATTACKS } from './attacks';
import { RefusedTarget, type Target, localTarget } from './target';

const HELP = `usage: npm run attack [-- --short] [--item N]... [--json]

Attacks the platform of npm start on this machine as a stranger and as another account, and checks that it holds. It
attacks no other address than loopback. It creates accounts of its own, which stay.

  --short    fewer repetitions
  --item N   only this item: ${ATTACKS.map(({ item }) => item).join(', ')}; may be given several times
  --json     the results as JSON on standard output

Exit status 0 when every check passes, 1 when one fails, 2 for a wrong command line or no platform.`;

export interface AttackResult {
  item: string;
  title: string;
  checks: Check[];
}

/** Runs the attacks one after the other. An attack that throws has one failed check. */
export async function runAttacks(target: Target, items: readonly string[]): Promise<AttackResult[]> {
  const results: AttackResult[] = [];
  for (const { item, title, run } of ATTACKS) {
    if (items.length > 0 && !items.includes(item)) continue;
    const checks = await run(target).catch((error: Error) => [
      check('the attack runs', false, error.stack ?? error.message),
    ]);
    results.push({ item, title, checks });
  }
  return results;
}

/** `npm run attack`. Returns the exit status. */
export async function main(words: string[]): Promise<number> {
  const root = path.join(__dirname, '../..');
  try {
    const values = parsed(words);
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    const target = await localTarget(root, values.short);
    const results = await runAttacks(target, values.item);
    if (values.json) console.log(JSON.stringify({ target: target.origin, results }, null, 2));
    else print(results);
    return results.every(({ checks }) => checks.every(({ ok }) => ok)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof RefusedTarget)) throw error;
    console.error(error.message);
    return 2;
  }
}

/** @throws RefusedTarget with the reason */
function parsed(words: string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const item = { type: 'string', multiple: true, default: [] as string[] } as const;
  try {
    const { values } = parseArgs({ args: words, options: { short: flag, json: flag, help: flag, item } });
    const unknown = values.item.find((each) => !ATTACKS.some(({ item: known }) => known === each));
    if (unknown !== undefined) throw new Error(`There is no item ${unknown}.`);
    return values;
  } catch (error) {
    throw new RefusedTarget(`${(error as Error).message} Run npm run attack -- --help.`, { cause: error });
  }
}

function print(results: readonly AttackResult[]): void {
  for (const { item, title, checks } of results) {
    const failed = checks.filter(({ ok }) => !ok);
    console.log(
      `${failed.length === 0 ? 'held  ' : 'FAILED'} ${item.padStart(4)}  ${title} (${checks.length} checks)`,
    );
    for (const { name, detail } of failed) console.log(`             ${name}: ${detail}`);
  }
  const all = results.flatMap(({ checks }) => checks);
  console.log(`${all.filter(({ ok }) => ok).length} passed, ${all.filter(({ ok }) => !ok).length} failed`);
}
