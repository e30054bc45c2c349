import { wordReader } from '@plimsoll/protocols/math';
import { LEVEL_EDGES, levelOf, type CrossingContent, type CrossingReading } from '@plimsoll/receipts';
import { checkFigures } from './figures';
import { wadOf } from './liquidation';
import type { Node } from './node';
import { Difference, type MakeStep } from './steps';

/** Calls of one reading, so that no contract keeps a verifier busy for long. */
const MOST_CALLS = 1_000;
const WAD = 10n ** 18n;

interface Call {
  to: string;
  data: string;
}

/**
 * Verifies both readings of a crossing. The receipt has no calls: the formula names them, one after another.
 * @returns whether the node gave the figures of both
 */
export async function verifyCrossing(
  content: CrossingContent,
  node: Node | null,
  step: MakeStep,
): Promise<boolean> {
  const { formula } = content;
  if (node)
    await step(
      'block',
      () => forEachReading(content, ({ block }) => node.checkBlock({ ...content, block })),
      () => blocksOf(content),
    );
  if (node && formula) {
    let calls: readonly Call[] = [];
    await step(
      'figures',
      () =>
        forEachReading(content, async (reading) => {
          calls = await checkReading(node, content, reading, calls);
        }),
      () => `by ${formula.name} version ${formula.version}, from ${calls.length} calls of each reading`,
    );
  } else
    await step(
      'figures',
      () => null,
      () =>
        node ? 'not recomputed: no formula is published for this position' : 'not made: no node was given',
    );
  await step(
    'crossing',
    () => checkCrossing(content),
    () => crossingText(content),
  );
  return node !== null && formula !== null;
}

/** A difference names the reading. */
async function forEachReading(
  { before, after }: CrossingContent,
  check: (reading: CrossingReading) => unknown,
): Promise<void> {
  for (const [name, reading] of Object.entries({ before, after })) {
    try {
      if (reading) await check(reading);
    } catch (error) {
      if (error instanceof Difference) throw new Difference(error.code, `${name}: ${error.message}`);
      throw error;
    }
  }
}

/**
 * Makes the calls that the formula needs, and compares the figures.
 * @param likely calls to make at once, because the other reading needed them
 * @returns the calls that were made
 * @throws Difference
 */
async function checkReading(
  node: Node,
  { position, contracts, formula }: CrossingContent,
  reading: CrossingReading,
  likely: readonly Call[],
): Promise<Call[]> {
  const { block } = reading;
  const results = new Map<string, string | null>();
  const calls: Call[] = [];
  const make = async (some: readonly Call[]): Promise<void> => {
    const made = await node.results({ calls: some, block });
    some.forEach((call, index) => {
      calls.push(call);
      results.set(keyOf(call), made[index]!);
    });
  };
  await make(likely);
  for (;;) {
    const missing: Call[] = [];
    const read = wordReader((to, data) => {
      const result = results.get(keyOf({ to, data }));
      if (result === undefined) missing.push({ to, data });
      return result;
    });
    try {
      checkFigures({ ...reading, position, contracts, formula }, read);
      return calls;
    } catch (error) {
      if (missing.length === 0) throw error;
      if (calls.length >= MOST_CALLS)
        throw new Difference('call_missing', `the formula needs more than ${MOST_CALLS} calls`);
    }
    await make(missing);
  }
}

const keyOf = ({ to, data }: Call): string => `${to} ${data}`;

/** @throws Difference for a level that the figures do not have, and for readings in another order */
function checkCrossing({ before, after }: CrossingContent): void {
  for (const [name, reading] of Object.entries({ before, after })) {
    if (!reading) continue;
    const { outputs, probability7d, level } = reading;
    const own = levelOf(wadOf(outputs.healthFactor), wadOf(probability7d));
    if (own !== level) throw new Difference('level_differs', `${name}: ${level}, the figures give ${own}`);
  }
  if (before && before.block.number >= after.block.number)
    throw new Difference('order_differs', `block ${before.block.number} and block ${after.block.number}`);
}

function blocksOf({ chainId, before, after }: CrossingContent): string {
  const blocks = [before, after].flatMap((reading) => (reading ? [reading.block.number] : []));
  return `block${blocks.length > 1 ? 's' : ''} ${blocks.join(' and ')} of chain ${chainId}`;
}

/** The figure before and after, and the thresholds between them. */
function crossingText({ before, after }: CrossingContent): string {
  const text = ({ outputs, level, block }: CrossingReading): string =>
    `${shown(wadOf(outputs.healthFactor))} (${level}) at block ${block.number}`;
  if (!before) return `health factor ${text(after)}, the first reading`;
  const [from, to] = [wadOf(before.outputs.healthFactor), wadOf(after.outputs.healthFactor)];
  const crossed = LEVEL_EDGES.filter((edge) => isBelow(from, edge) !== isBelow(to, edge)).map(shown);
  const between = crossed.length > 0 ? `, across ${crossed.join(' and ')}` : '';
  return `health factor ${text(before)}, then ${text(after)}${between}`;
}

/** Without debt, no threshold is near. */
const isBelow = (healthFactor: bigint | null, edge: bigint): boolean =>
  healthFactor !== null && healthFactor < edge;

function shown(wad: bigint | null): string {
  if (wad === null) return 'none';
  const fraction = (wad % WAD).toString().padStart(18, '0').replace(/0+$/, '');
  return fraction === '' ? String(wad / WAD) : `${wad / WAD}.${fraction}`;
}
