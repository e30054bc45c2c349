import { Logger } from '@nestjs/common';
import { type WhaleEffect, type WhaleEffectReason, unreadEffect } from '@plimsoll/contracts';
import {
  type BlockRef,
  type ChainClient,
  ChainReadError,
  type MarketRow,
  type Multicall,
  type ProtocolRegistry,
  readHeadAt,
} from '@plimsoll/evm';
import { type HoldingsIndex, type ReserveState, createReaders } from '@plimsoll/protocols';
import type { Address } from 'viem';
import { effectsRead } from '../metrics';
import type { ActivityRow } from '../activity-row';
import { type MarketSnapshot, effectOf, reserveKey } from './effect-of';

type Reader = ReturnType<typeof createReaders>[number];
type Snapshots = readonly [before: MarketSnapshot, after: MarketSnapshot];

/** Error codes of a node that does not keep the state of a block. */
const STATELESS: ReadonlySet<string> = new Set(['rpc_rejected', 'block_gone']);
/** Most moves that are cached between two reads. */
const MOST_MOVES = 1_000;

/** The dependencies of a chain's effects. */
export interface EffectParts {
  client: ChainClient;
  multicall: Multicall;
  registry: ProtocolRegistry;
}

/**
 * Reads the effects of moves on pools and wallets: one read of each market in the block before and one in the
 * block of its moves. Moves wait at most for the budget. Effects that are not read by then are null, with the
 * reason.
 */
export class EffectReader {
  private readonly logger = new Logger('effects');
  private readonly readers: Reader[];
  private readonly index: HoldingsIndex;
  /**
   * The newest moves. They show where a wallet may have positions in protocols without a call that lists
   * them.
   */
  private moves: readonly ActivityRow[] = [];

  /**
   * @param budgetMs time for all moves of one range
   * @param now clock in milliseconds
   */
  constructor(
    private readonly parts: EffectParts,
    private readonly budgetMs: number,
    private readonly now: () => number,
  ) {
    const { client, multicall, registry } = parts;
    this.index = {
      subIdsOf: (row, { filedUnder = (wallet: Address) => wallet }, wallets) =>
        Promise.resolve(subIdsOf(movesIn(row, this.moves), filedUnder, wallets)),
    };
    this.readers = createReaders(registry, { client, multicall, index: this.index });
  }

  /** Reads effects in further markets too. */
  add(rows: readonly MarketRow[]): void {
    const { client, multicall, registry } = this.parts;
    this.readers.push(...createReaders(registry, { client, multicall, index: this.index }, rows));
  }

  /** Returns effects by the id of the move, for every move, with the newest block first. Never throws. */
  async read(rows: readonly ActivityRow[]): Promise<Map<string, WhaleEffect>> {
    const effects = new Map<string, WhaleEffect>();
    this.moves = [...rows, ...this.moves].slice(0, MOST_MOVES);
    const endMs = this.now() + this.budgetMs;
    const groups = [...groupBy(rows, ({ block }) => block)].sort(([a], [b]) => b - a);
    let missing: WhaleEffectReason | null = null;
    for (const [block, moves] of groups) {
      const reason: WhaleEffectReason | null =
        missing ?? (await this.readBlock(block, moves, endMs, effects));
      for (const { id } of moves) if (!effects.has(id)) effects.set(id, unreadEffect(reason ?? 'unreadable'));
      // The node also lacks the state of older blocks, and an exceeded budget stays exceeded.
      if (reason === 'no_state' || reason === 'out_of_time') missing = reason;
    }
    for (const { healthFactorReason } of effects.values())
      effectsRead.inc({ chain: this.parts.client.chainId, reason: healthFactorReason ?? 'read' });
    return effects;
  }

  /** @returns why moves of the block have no effect */
  private async readBlock(
    block: number,
    moves: readonly ActivityRow[],
    endMs: number,
    effects: Map<string, WhaleEffect>,
  ): Promise<WhaleEffectReason | null> {
    for (const [, own] of groupBy(moves, ({ protocol, market }) => `${protocol} ${market}`)) {
      const leftMs = endMs - this.now();
      if (leftMs <= 0) return 'out_of_time';
      const read = await within(leftMs, this.snapshots(BigInt(block), own));
      if (read === 'out_of_time' || read === 'no_state') return read;
      if (typeof read === 'string') continue;
      for (const move of own) effects.set(move.id, effectOf(move, ...read));
    }
    return null;
  }

  private async snapshots(
    number: bigint,
    moves: readonly ActivityRow[],
  ): Promise<Snapshots | WhaleEffectReason> {
    const [{ protocol, market } = { protocol: '', market: '' }] = moves;
    const reader = this.readers.find(({ row }) => row.protocol === protocol && row.market === market);
    if (!reader || number === 0n) return 'not_supported';
    const { client } = this.parts;
    try {
      const [parent, block] = await Promise.all([
        readHeadAt(client, number - 1n),
        readHeadAt(client, number),
      ]);
      if (!parent || !block) return 'no_state';
      // In sequence, because a reader caches the market of the last block.
      return [await this.snapshot(reader, moves, parent), await this.snapshot(reader, moves, block)];
    } catch (error) {
      if (error instanceof ChainReadError && STATELESS.has(error.code)) return 'no_state';
      this.logger.warn({
        msg: 'the effect of moves could not be read',
        chainId: client.chainId,
        protocol,
        market,
        err: error,
      });
      return 'unreadable';
    }
  }

  private async snapshot(
    reader: Reader,
    moves: readonly ActivityRow[],
    block: BlockRef,
  ): Promise<MarketSnapshot> {
    const wallets = [...new Set(moves.map(({ wallet }) => wallet as Address))];
    const { positions, unreadable } = await reader.readPositions(wallets, block);
    const refused = unreadable.find(({ reason }) => STATELESS.has(reason));
    if (refused)
      throw new ChainReadError(
        'rpc_rejected',
        this.parts.client.chainId,
        `no state of block ${block.number}`,
      );
    const reserves = new Map<string, ReserveState | null>();
    for (const move of moves) {
      const key = reserveKey(move);
      if (reserves.has(key)) continue;
      const { token, subId } = move;
      reserves.set(key, await reader.readReserve({ token: token as Address, subId }, block));
    }
    return { positions, unreadable, reserves };
  }
}

/**
 * Several sources may read one market, and a move does not name the source of its log, so the first one
 * covers all.
 */
function movesIn({ protocol, market }: MarketRow, moves: readonly ActivityRow[]): ActivityRow[] {
  const [name, source = '0'] = market.split('#');
  return source === '0' ? moves.filter((move) => move.protocol === protocol && move.market === name) : [];
}

function subIdsOf(
  moves: readonly ActivityRow[],
  filedUnder: (wallet: Address) => Address,
  wallets: readonly Address[],
): Map<Address, string[]> {
  const asked = new Set(wallets);
  const found = new Map<Address, string[]>();
  for (const { wallet, subId } of moves) {
    const file = filedUnder(wallet as Address);
    if (asked.has(file)) found.set(file, [...new Set([...(found.get(file) ?? []), subId])]);
  }
  return found;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | 'out_of_time'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'out_of_time'>((resolve) => {
    timer = setTimeout(() => resolve('out_of_time'), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
