import type { ParameterChangeEnd, ParameterValue } from '@plimsoll/contracts';
import { type BlockRef, type ChainLog, type MarketRow, lowerCase, readAll } from '@plimsoll/evm';
import {
  type Address,
  type Hex,
  concat,
  decodeEventLog,
  encodeEventTopics,
  keccak256,
  parseAbi,
  slice,
  stringToBytes,
} from 'viem';
import { type AnnouncedChange, type Announcements, ENDED_FOR, changed } from './announcements';
import type { AnnouncementScope, IndexSource } from './family';

const abi = parseAbi([
  'event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)',
  'event CancelTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)',
  'event ExecuteTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta)',
  'function GRACE_PERIOD() view returns (uint256)',
  'function queuedTransactions(bytes32 txHash) view returns (bool)',
]);
const ENDS = { CancelTransaction: 'cancelled', ExecuteTransaction: 'executed' } as const;

/** Longer calls set no single parameter, and are too long for an entry of the index. */
const MOST_CALL_DIGITS = 1_200;

/** A call that a timelock queued. Times are in seconds since 1970. */
interface QueuedCall {
  hash: Hex;
  target: Address;
  data: Hex;
  eta: bigint;
  /** Null: it is still queued. */
  end: ParameterChangeEnd | null;
}

/** A value that a queued call sets. */
export interface QueuedValue<Market> {
  token: Address;
  symbol: string;
  value: ParameterValue;
  /** Null: its effect is unknown. */
  apply: ((market: Market) => Market) | null;
}

/** The calls that a timelock of Compound queued, and their ends. */
export interface Timelock {
  address: Address;
  /** A call can be made for so long after its time, in seconds. */
  grace: bigint;
  calls: readonly QueuedCall[];
}

/** Null for another kind of owner, such as a multisig: it announces nothing that can be read. @throws ChainReadError */
export async function readTimelock(
  scope: AnnouncementScope,
  address: Address,
  block: BlockRef,
): Promise<Timelock | null> {
  const { grace } = await readAll(scope, 'timelock', block, (plan) => ({
    grace: plan.attempt(address, abi, 'GRACE_PERIOD', []),
  }));
  if (!grace.ok) return null;
  return { address, grace: grace.value, calls: await queuedCalls(scope, address, block, grace.value) };
}

/**
 * The announcements of a timelock for a market. The calls of a proposal have the same time, and their effects are applied
 * together.
 * @param decode the values that a call sets in this market, none for another call
 */
export function announcementsOf<Market, Account>(
  { address: timelock, grace, calls }: Timelock,
  market: Market,
  decode: (call: { target: Address; data: Hex }) => readonly QueuedValue<Market>[],
): Announcements<AnnouncedChange<Market, Account>> {
  const proposals = new Map<bigint, { end: ParameterChangeEnd | null; values: QueuedValue<Market>[] }>();
  for (const call of calls) {
    const values = decode(call);
    if (values.length === 0) continue;
    const proposal = proposals.get(call.eta) ?? { end: call.end, values: [] };
    proposals.set(call.eta, {
      end: call.end === null ? null : proposal.end,
      values: [...proposal.values, ...(call.end === null ? values : [])],
    });
  }
  const idOf = (eta: bigint): string => `timelock ${timelock} ${eta}`;
  return {
    changes: [...proposals].flatMap(([eta, { end, values }]) => {
      if (end !== null) return [];
      const then = marketAfter(market, values);
      return [...new Set(values.map(({ token }) => token))].flatMap((token) => {
        const own = values.filter((each) => each.token === token);
        const differing = changed(own.map(({ value }) => value));
        if (differing.length === 0) return [];
        return {
          id: `${idOf(eta)} ${token}`,
          proposalId: idOf(eta),
          source: timelock,
          token,
          symbol: own[0]!.symbol,
          values: differing,
          earliestAt: eta,
          expiresAt: eta + grace,
          isGradual: false,
          after: then && ((account: Account) => ({ market: then, account })),
        };
      });
    }),
    ended: [...proposals].flatMap(([eta, { end }]) => (end === null ? [] : { proposalId: idOf(eta), end })),
  };
}

function marketAfter<Market>(market: Market, values: readonly QueuedValue<Market>[]): Market | null {
  let then = market;
  for (const { apply } of values) {
    if (apply === null) return null;
    then = apply(then);
  }
  return then;
}

async function queuedCalls(
  scope: AnnouncementScope,
  timelock: Address,
  block: BlockRef,
  grace: bigint,
): Promise<QueuedCall[]> {
  const entries = await scope.entriesOf(sourceOf(timelock), timelock, block);
  const ended = new Map<string, ParameterChangeEnd>();
  const queued: Omit<QueuedCall, 'end'>[] = [];
  for (const entry of entries) {
    const [word, hash, eta, target, data] = entry.split(' ') as [string, Hex, string?, Address?, Hex?];
    if (word !== 'queued') ended.set(hash, word as ParameterChangeEnd);
    else if (BigInt(eta!) + grace + ENDED_FOR >= block.timestamp)
      queued.push({ hash, eta: BigInt(eta!), target: target!, data: data! });
  }
  const isQueued = await readAll(scope, 'queued calls', block, (plan) =>
    queued.map(({ hash }) => plan.call(timelock, abi, 'queuedTransactions', [hash])),
  );
  return queued
    .sort((a, b) => Number(a.eta - b.eta))
    .flatMap((call, at): QueuedCall[] => {
      if (isQueued[at]) return [{ ...call, end: block.timestamp > call.eta + grace ? 'expired' : null }];
      // Without a log of its end, a reorg removed the log of the call.
      const end = ended.get(call.hash);
      return end === undefined ? [] : [{ ...call, end }];
    });
}

const sourceOf = (timelock: Address): IndexSource => ({
  name: `timelock ${timelock}`,
  addresses: [timelock],
  topics: encodeEventTopics({ abi, eventName: 'QueueTransaction' }).concat(
    encodeEventTopics({ abi, eventName: 'CancelTransaction' }),
    encodeEventTopics({ abi, eventName: 'ExecuteTransaction' }),
  ) as Hex[],
  entriesOf: (log) => entriesOf(timelock, log),
});

function entriesOf(timelock: Address, log: ChainLog): { wallet: Address; subId: string }[] {
  const event = decoded(log);
  if (event === null) return [];
  const { eventName, args } = event;
  const { txHash, target, signature, data: given, eta } = args;
  if (eventName !== 'QueueTransaction') return [{ wallet: timelock, subId: `${ENDS[eventName]} ${txHash}` }];
  const call = signature === '' ? given : concat([slice(keccak256(stringToBytes(signature)), 0, 4), given]);
  if (call.length > MOST_CALL_DIGITS) return [];
  return [{ wallet: timelock, subId: `queued ${txHash} ${eta} ${lowerCase(target)} ${call}` }];
}

/** Null: the contract has other events of these names. */
function decoded({ topics, data }: ChainLog) {
  try {
    return decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data });
  } catch {
    return null;
  }
}

/** Markets of one timelock share what is read of its logs. */
const rows = new Map<string, MarketRow>();

/** The row under which the index has the logs of a timelock. */
export function indexRow({ chainId, family, contracts }: MarketRow, name: string): MarketRow {
  const key = `${chainId} ${name}`;
  const row = rows.get(key) ?? { chainId, family, contracts, protocol: 'governance', market: name };
  rows.set(key, row);
  return row;
}
