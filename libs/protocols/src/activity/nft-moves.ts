import type { MinedLog, Multicall, BlockRef, Outcome, ReadPlan } from '@plimsoll/evm';
import { zeroAddress, type Address } from 'viem';
import type { Activity } from './activity';
import { isNftTransfer, nftTransfer } from './nft-owners';
import { readAtLogs } from './read-at-logs';

/** The collateral of positions that were given away, by block hash and log index. */
export type NftAmounts = ReadonlyMap<string, bigint>;

const keyOf = ({ blockHash, logIndex }: MinedLog): string => `${blockHash}|${logIndex}`;

/** Whether it is a transfer from one wallet to another. Mint and burn are not. */
function isGift(log: MinedLog): boolean {
  if (!isNftTransfer(log)) return false;
  const { from, to } = nftTransfer(log);
  return from !== zeroAddress && to !== zeroAddress && from !== to;
}

/**
 * Reads the balance of each position whose NFT was given away, after that block.
 * @param isOwn whether a log is of one of the family's NFT contracts
 * @param plan amounts of collateral, one for each log
 * @throws ChainReadError
 */
export async function movedNfts(
  multicall: Multicall,
  logs: readonly MinedLog[],
  head: BlockRef,
  isOwn: (log: MinedLog) => boolean,
  plan: (logs: readonly MinedLog[]) => ReadPlan<Outcome<bigint>[]>,
): Promise<NftAmounts> {
  const moved = logs.filter((log) => isGift(log) && isOwn(log)).map((log) => ({ log }));
  const read = await readAtLogs(multicall, moved, head, (some) => plan(some.map(({ log }) => log)));
  const amounts = new Map<string, bigint>();
  for (const [{ log }, outcome] of read) if (outcome.ok) amounts.set(keyOf(log), outcome.value);
  return amounts;
}

/** The transfers of positions in the logs, each with its collateral. */
export function nftMoves(
  logs: readonly MinedLog[],
  amounts: NftAmounts,
  positionOf: (log: MinedLog, id: bigint) => { token: Address; subId: string } | null,
): Activity[] {
  return logs.flatMap((log) => {
    if (!isGift(log)) return [];
    const amountRaw = amounts.get(keyOf(log));
    const { from, to, id } = nftTransfer(log);
    const position = positionOf(log, id);
    if (!position || !amountRaw) return [];
    return [{ log, action: 'transfer', wallet: from, counterparty: to, amountRaw, ...position }];
  });
}
