import type { WhaleAction } from '@plimsoll/contracts';
import type { ContractRow } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { ActivityRead } from '../src/activity/activity';
import { readRange } from '../src/activity/recorded-activity';
import { familyOf } from '../src/families';
import type { ActivityReader, PricedToken } from '../src/activity/activity-reader';
import type { Call, LocalChain } from './local-chain';

/** The expected activity of a transaction. */
export interface ExpectedMove {
  action: WhaleAction;
  wallet: Address;
  /** Default: null. */
  counterparty?: Address | null;
  token: Address;
  amountRaw: bigint;
  /** Default: empty. */
  subId?: string;
}

/** A transaction with its moves, in order. */
export interface Step {
  call: Call;
  moves: readonly ExpectedMove[];
}

/** A market on the local chain, and its row. */
export interface PlayedMarket {
  family: string;
  contracts: ContractRow;
  usdOracles?: readonly Address[];
}

/** Dollars (wad) of one whole token at the head, by the market's reader. */
export type ReadUsd = (...tokens: Address[]) => Promise<(bigint | null | undefined)[]>;

/** The activities in the logs of some calls, and functions that read them again and price tokens. */
export interface PlayedMoves {
  read: ActivityRead;
  /** The same logs, block by block, by a new reader. */
  readByBlock(): Promise<ActivityRead['activities']>;
  usd: ReadUsd;
}

/** Sends the calls, each in a block of its own, and reads their logs in one range. */
export async function playMoves(
  chain: LocalChain,
  { family, contracts, usdOracles = [] }: PlayedMarket,
  calls: readonly Call[],
): Promise<PlayedMoves> {
  const row = { protocol: family, family, chainId: 1, market: family, contracts };
  const { client, multicall } = chain;
  const before = await chain.head();
  const open = async (): Promise<ActivityReader> => {
    const reader = familyOf(row)!.makeActivityReader(row, {
      client,
      multicall,
      usdOracles,
      nativeCurrency: 'ETH',
    });
    await reader.open(before);
    return reader;
  };
  for (const call of calls) await chain.send([call]);
  const head = await chain.head();
  const reader = await open();
  return {
    read: await readRange(client, reader, before.number + 1n, head.number, head),
    readByBlock: async () => {
      const other = await open();
      const moves: ActivityRead['activities'] = [];
      for (let block = before.number + 1n; block <= head.number; block += 1n)
        moves.push(...(await readRange(client, other, block, block, head)).activities);
      return moves;
    },
    usd: async (...tokens) => {
      const priced: ReadonlyMap<Address, PricedToken> = await reader.readTokens(tokens, head);
      return tokens.map((token) => priced.get(token)?.usdRaw);
    },
  };
}

/** Sends the steps, and expects that their logs contain each move once, for any division into ranges. */
export async function expectMoves(
  chain: LocalChain,
  market: PlayedMarket,
  steps: readonly Step[],
): Promise<PlayedMoves> {
  const calls = steps.map(({ call }) => call);
  const played = await playMoves(chain, market, calls);
  const moves = steps.flatMap((step) => step.moves);
  expectRead(played.read.activities, await played.readByBlock(), moves);
  return played;
}

/** Expects that logs contain each move once, in one range and block by block. */
export function expectRead(
  activities: ActivityRead['activities'],
  byBlock: ActivityRead['activities'],
  moves: readonly ExpectedMove[],
): void {
  const expected = moves.map((move) => ({ counterparty: null, subId: '', ...move }));
  expect(activities.map(shown)).toEqual(expected);
  const places = activities.map(({ log, part = 0 }) => `${log.blockHash} ${log.logIndex} ${part}`);
  expect(new Set(places).size).toBe(expected.length);
  expect(byBlock.map(shown)).toEqual(expected);
}

function shown({ log: _log, part: _part, ...move }: ActivityRead['activities'][number]): object {
  return move;
}
