import { planOf, type MinedLog, type Multicall, type BlockRef, type MarketRow } from '@plimsoll/evm';
import { parseAbi, toEventSelector, zeroAddress, type Address } from 'viem';
import { readAtLogs } from './read-at-logs';
import { addressAt, uintAt } from './log-words';

const abi = parseAbi(['function ownerOf(uint256 tokenId) view returns (address)']);

/** The Transfer event of an NFT: all three arguments are indexed. */
export const NFT_TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const [FROM, TO, ID] = [{ topic: 1 }, { topic: 2 }, { topic: 3 }];

/** A log that names an NFT. */
export interface NftAtLog {
  nft: Address;
  id: bigint;
  log: MinedLog;
}

/** The owners of NFTs at the time of logs, by `nftKey`. */
export type NftOwners = ReadonlyMap<string, Address>;

export function nftKey({ nft, id, log }: NftAtLog): string {
  return `${nft}|${id}|${log.blockHash}|${log.logIndex}`;
}

export function isNftTransfer({ topics }: MinedLog): boolean {
  return topics[0] === NFT_TRANSFER && topics.length === 4;
}

/** @param log of which isNftTransfer is true */
export function nftTransfer(log: MinedLog): { from: Address; to: Address; id: bigint } {
  return { from: addressAt(log, FROM), to: addressAt(log, TO), id: uintAt(log, ID) };
}

/**
 * The owner of each NFT at its log, according to the transfers around it: an NFT that is burnt in the
 * transaction has no owner afterwards. Without a transfer, the owner after the log's block. If the node has
 * no state of that block, the owner at the head.
 * @param logs all logs of the range, oldest first, with those of the NFT contracts
 */
export async function readNftOwners(
  scope: { row: MarketRow; multicall: Multicall },
  named: readonly NftAtLog[],
  logs: readonly MinedLog[],
  head: BlockRef,
): Promise<NftOwners> {
  const moves = new Map<string, MinedLog[]>();
  for (const log of logs.filter(isNftTransfer)) {
    const key = `${log.address.toLowerCase()}|${nftTransfer(log).id}`;
    moves.set(key, [...(moves.get(key) ?? []), log]);
  }
  const owners = new Map<string, Address>();
  const unknown: NftAtLog[] = [];
  for (const each of named) {
    const owner = ownerByMoves(each.log, moves.get(`${each.nft}|${each.id}`) ?? []);
    if (owner) owners.set(nftKey(each), owner);
    else unknown.push(each);
  }
  const read = await readAtLogs(scope.multicall, unknown, head, (some) => {
    const plan = planOf(scope.row, 'owners');
    const slots = some.map(({ nft, id }) => plan.call(nft, abi, 'ownerOf', [id]));
    return plan.build(({ outcome }) => slots.map(outcome));
  });
  for (const [each, outcome] of read)
    if (outcome.ok) owners.set(nftKey(each), outcome.value.toLowerCase() as Address);
  return owners;
}

function ownerByMoves(log: MinedLog, moves: readonly MinedLog[]): Address | null {
  let before: MinedLog | undefined;
  for (const move of moves) {
    if (logOrderOf(move) > logOrderOf(log)) {
      const { from, to } = nftTransfer(before ?? move);
      if (before) return to === zeroAddress ? from : to;
      return from === zeroAddress ? to : from;
    }
    before = move;
  }
  if (!before) return null;
  const { from, to } = nftTransfer(before);
  return to === zeroAddress ? from : to;
}

/** Logs of one chain in their order. */
function logOrderOf({ blockNumber, logIndex }: MinedLog): number {
  return Number(blockNumber) * 2 ** 20 + Number(logIndex);
}
