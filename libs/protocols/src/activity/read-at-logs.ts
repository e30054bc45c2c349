import {
  type MinedLog,
  type Multicall,
  type BlockRef,
  type Outcome,
  type ReadPlan,
  ChainReadError,
} from '@plimsoll/evm';

/** Blocks that are read in parallel. */
const PARALLEL_BLOCKS = 8;
const STATELESS: ReadonlySet<string> = new Set(['rpc_rejected', 'block_gone']);

/**
 * Reads data of each item after the block of its log, or at the head if the node has no state of that block.
 * @param plan of items of one block; the outcomes are in their order
 * @throws ChainReadError
 */
export async function readAtLogs<I extends { log: MinedLog }, T>(
  multicall: Multicall,
  items: readonly I[],
  head: BlockRef,
  plan: (items: readonly I[]) => ReadPlan<Outcome<T>[]>,
): Promise<Map<I, Outcome<T>>> {
  const byBlock = new Map<string, I[]>();
  for (const item of items) {
    const own = byBlock.get(item.log.blockHash);
    if (own) own.push(item);
    else byBlock.set(item.log.blockHash, [item]);
  }
  const found = new Map<I, Outcome<T>>();
  const blocks = [...byBlock.values()];
  for (let at = 0; at < blocks.length; at += PARALLEL_BLOCKS) {
    const some = blocks.slice(at, at + PARALLEL_BLOCKS);
    const read = await Promise.all(some.map((own) => readBlock(multicall, own, head, plan)));
    some.forEach((own, place) => own.forEach((item, index) => found.set(item, read[place]![index]!)));
  }
  return found;
}

async function readBlock<I extends { log: MinedLog }, T>(
  multicall: Multicall,
  items: readonly I[],
  head: BlockRef,
  plan: (items: readonly I[]) => ReadPlan<Outcome<T>[]>,
): Promise<Outcome<T>[]> {
  const [{ log }] = items as [I];
  const block = { number: BigInt(log.blockNumber), hash: log.blockHash, timestamp: 0n };
  try {
    return await multicall.read(plan(items), block);
  } catch (error) {
    if (!(error instanceof ChainReadError) || !STATELESS.has(error.code)) throw error;
    return multicall.read(plan(items), head);
  }
}
