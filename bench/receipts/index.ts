import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { PositionDetail } from '@plimsoll/contracts';
import { type Json, canonicalJson } from '@plimsoll/receipts';
import { workspaceRoot } from '@plimsoll/local-parts';
import { type ReceiptKey, verifyReceipt } from '@plimsoll/sdk/verify';
import { startOwnKafka, startOwnPostgres } from '@plimsoll/testing';
import { Pool } from 'pg';
import { buildApps } from '../../tools/local-stack/services/build';
import { stackPaths } from '../../tools/local-stack/settings/stack-paths';
import { cpuMs } from '../flow/process-usage';
import { summary } from '../flow/percentile';
import { type ReadScene, startReadScene } from '../positions/read-scene';
import { batch, newBlocks, timed } from '../positions/reads';

export const description =
  'receipts: CPU and time of reading a position with a receipt and without, verification on a local node, bytes stored [--rounds N] [--positions N] [--profile FOLDER]';

/** The bars of the issue. */
const BARS = { cpuWithReceiptOverWithout: 1.1, verificationMs: 1_000, storedPerReceipt: 16_384 };

const STORED = `
  SELECT count(*)::int AS receipts, avg(octet_length(body))::int AS body, max(octet_length(body)) AS largest,
    (SELECT sum(pg_total_relation_size(inhrelid))::int FROM pg_inherits
     WHERE inhparent = 'positions.receipts'::regclass) AS total
  FROM positions.receipts`;

interface Cost {
  cpuMs: number;
  wallMs: number[];
}

/** On separate real Postgres, Kafka and EVM nodes, with the built service. */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '6' },
      positions: { type: 'string', default: '40' },
      // The CPU profile of the service is written there when it ends.
      profile: { type: 'string' },
    },
  });
  const progress = (line: string): void => console.error(line);
  progress('building the services');
  await buildApps(stackPaths(workspaceRoot()));
  progress('starting Postgres and Kafka, and seeding two chains');
  const [postgres, kafka] = await Promise.all([startOwnPostgres('plimsoll'), startOwnKafka()]);
  const parts = { databaseUrl: postgres.url, kafkaBrokers: kafka.url };
  const RECEIPT_SECRET_KEYS = `bench:${randomBytes(32).toString('base64')}`;
  const { profile } = values;
  const profiled = profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.resolve(profile)}` };
  const scene = await startReadScene(parts, { RECEIPT_SECRET_KEYS, ...profiled });
  const pool = new Pool({ connectionString: postgres.url });
  try {
    const ids = await positionsOf(scene, Number(values.positions));
    const costs = await readings(scene, ids, Number(values.rounds), progress);
    progress('verifying');
    const verified = await verification(scene, ids);
    const { rows } = await pool.query<Record<string, number>>(STORED);
    const { receipts, body, largest, total } = rows[0]!;
    const storedPerReceipt = Math.round(total! / receipts!);
    return {
      bench: 'receipts',
      positions: ids.length,
      load: loadavg()[0],
      reading: costs,
      verification: verified,
      bytes: { receipts, body, largest, storedPerReceipt },
      bars: BARS,
      passed:
        costs.cpuWithReceiptOverWithout <= BARS.cpuWithReceiptOverWithout &&
        verified.wallMs.p99 <= BARS.verificationMs &&
        storedPerReceipt <= BARS.storedPerReceipt,
    };
  } finally {
    await pool.end();
    await scene.stop();
    await Promise.all([postgres.dispose(), kafka.dispose()]);
  }
}

/** Positions of a family with a formula on the first chain. */
async function positionsOf(scene: ReadScene, count: number): Promise<string[]> {
  const { chainId } = scene.chains[0]!;
  await newBlocks(scene);
  const { positions } = await batch(scene, scene.wallets.slice(0, 100));
  const found = positions.filter((each) => each.chainId === chainId && each.protocol === 'aave-v3');
  if (found.length < count)
    throw new Error(`only ${found.length} positions: take --positions ${found.length}`);
  return found.slice(0, count).map(({ id }) => id);
}

const MEANINGS = {
  withoutReceipt: 'first reading of its wallet at a block: calls, decoding, figures',
  withReceipt: 'the same, with its receipt',
  withFirstReceiptOfBlock: 'the same, when no other receipt of the block has read its market',
  receiptAgain: 'the same receipt of the same block again',
  fromMemory: 'reading of a wallet that is in memory, as that of a watched wallet is',
};

/**
 * Each reading is the first of its wallet at a block, so that nothing of it is in memory. The first of a block is apart, because
 * others share what it read of the market. The order changes with each round. Readings from memory are apart too: a receipt
 * never comes from memory.
 */
async function readings(
  scene: ReadScene,
  ids: readonly string[],
  rounds: number,
  progress: (line: string) => void,
) {
  const kinds = { without: '', with: '?receipt=true' };
  const [first, ...others] = ids as [string, ...string[]];
  const costs: Record<string, Cost> = {
    without: { cpuMs: 0, wallMs: [] },
    firstWith: { cpuMs: 0, wallMs: [] },
    with: { cpuMs: 0, wallMs: [] },
    again: { cpuMs: 0, wallMs: [] },
    receiptAgain: { cpuMs: 0, wallMs: [] },
  };
  // The first round warms the service up.
  for (let round = 0; round <= rounds; round += 1) {
    progress(`reading, round ${round} of ${rounds}`);
    const order = Object.entries(kinds);
    for (const [kind, query] of round % 2 ? order : order.toReversed()) {
      await newBlocks(scene);
      const ofFirst = await costOf(scene, [first], query);
      const cost = await costOf(scene, others, query);
      if (round === 0) continue;
      add(costs[kind]!, cost);
      if (kind === 'with') add(costs['firstWith']!, ofFirst);
      add(costs[kind === 'with' ? 'receiptAgain' : 'again']!, await costOf(scene, others, query));
    }
  }
  const each = (kind: string) => {
    const { cpuMs: cpu, wallMs } = costs[kind]!;
    return { cpuMs: hundredths(cpu / wallMs.length), wallMs: summary(wallMs) };
  };
  const ratio = (of: string, over: string) => hundredths(costs[of]!.cpuMs / costs[over]!.cpuMs);
  return {
    meanings: MEANINGS,
    withoutReceipt: each('without'),
    withReceipt: each('with'),
    withFirstReceiptOfBlock: each('firstWith'),
    receiptAgain: each('receiptAgain'),
    fromMemory: each('again'),
    cpuWithReceiptOverWithout: ratio('with', 'without'),
    cpuReceiptAgainOverFromMemory: ratio('receiptAgain', 'again'),
  };
}

async function costOf({ get, pid }: ReadScene, ids: readonly string[], query: string): Promise<Cost> {
  const before = cpuMs(pid);
  const wallMs: number[] = [];
  for (const id of ids) wallMs.push(await timed(() => get(`/v1/positions/${id}${query}`)));
  return { cpuMs: cpuMs(pid) - before, wallMs };
}

function add(sum: Cost, { cpuMs: cpu, wallMs }: Cost): void {
  sum.cpuMs += cpu;
  sum.wallMs.push(...wallMs);
}

/** Each receipt on the node, then with proofs of storage too. @throws when one is not equal */
async function verification({ chains, get }: ReadScene, ids: readonly string[]) {
  const { keys } = await get<{ keys: ReceiptKey[] }>('/.well-known/plimsoll-keys.json');
  const rpcUrl = chains[0]!.nodeUrl;
  const [calls, withProofs]: [number[], number[]] = [[], []];
  for (const id of ids) {
    const { receipt } = await get<PositionDetail>(`/v1/positions/${id}?receipt=true`);
    const text = canonicalJson(receipt as unknown as Json);
    for (const [proof, times] of [
      [false, calls],
      [true, withProofs],
    ] as const)
      times.push(
        await timed(async () => {
          const { code, isRecomputed } = await verifyReceipt(text, { keys, rpcUrl, proof });
          if (code !== null || !isRecomputed) throw new Error(`the receipt of ${id} is not equal: ${code}`);
        }),
      );
  }
  return { wallMs: summary(calls), withProofsWallMs: summary(withProofs) };
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;
