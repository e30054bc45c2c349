import type { WhaleAction } from '@plimsoll/contracts';
import type { MinedLog } from '@plimsoll/evm';
import { zeroAddress, type Address, type Hex } from 'viem';
import type { Activity, Permission } from './activity';
import { type EventLayout, addressAt, eventLayout, fits, hashAt, intAt, uintAt } from './log-words';

/** The arguments of an event that describe the action. Names are as in its signature. */
interface ActivityReading {
  action: WhaleAction;
  /** Argument with the wallet, or with an item whose owner the family knows: an NFT, an account. */
  wallet: string | { ownerOf: string };
  /** The argument with the counterparty. Absent if there is none. */
  counterparty?: string;
  amount: string;
  /** The sign of the amount that makes the event this action. The amount itself is absolute. */
  sign?: 'positive' | 'negative';
  /**
   * Argument with the token, the token's role in the emitter's market, or an argument by which the family
   * lists tokens.
   */
  token: string | { of: TokenPosition } | { listed: string };
  /**
   * Argument with the sub-id, 32 bytes, or the emitter. If the wallet is an item with an owner, the item is
   * the sub-id.
   */
  subId?: string | { of: 'emitter' };
}

/** The role of a token in its market. */
export type TokenPosition = 'emitter' | 'loan' | 'collateral';

/** The arguments of an event that grant or withdraw a permission. */
interface PermissionReading {
  permission: { wallet: string; delegate: string; isGranted: string | boolean };
}

/**
 * Reads events by their signature, with `event` in front, as in Solidity. A list if an event means several
 * moves.
 */
export type EventReadings = Readonly<
  Record<string, ActivityReading | readonly ActivityReading[] | PermissionReading>
>;

/** Data that a family knows and logs do not contain. Null: unknown. */
export interface LogLookup {
  /** @param key the sub-id of the log, or of a listed token the argument (32 bytes) */
  tokenOf(of: TokenPosition | 'listed', log: MinedLog, key: string): Address | null;
  /** The owner of the position that the argument (32 bytes) names. */
  ownerOf?(key: Hex, log: MinedLog): PositionOwner | null;
}

/** A wallet with one of its positions. */
export interface PositionOwner {
  wallet: Address;
  subId: string;
}

type Found = Activity | Permission;
type ReadEvent = (log: MinedLog, lookup: LogLookup) => Found | null;

/** The events of a family by their first topic: decode only logs of the family's own contracts with it. */
export class EventTable {
  private readonly byTopic = new Map<Hex, (log: MinedLog, lookup: LogLookup) => Found[]>();

  constructor(readings: EventReadings) {
    for (const [signature, reading] of Object.entries(readings)) {
      const layout = eventLayout(signature);
      const reads =
        'permission' in reading
          ? [permissionOf(layout, reading)]
          : [reading].flat().map((each: ActivityReading, part) => activityOf(layout, each, part));
      this.byTopic.set(layout.topic0, (log, lookup) =>
        fits(log, layout) ? reads.flatMap((read) => read(log, lookup) ?? []) : [],
      );
    }
  }

  get topics(): readonly Hex[] {
    return [...this.byTopic.keys()];
  }

  /**
   * Returns nothing for an event that is not in the table, has another layout, moved nothing or moved an
   * unknown token.
   */
  read(log: MinedLog, lookup: LogLookup): Found[] {
    return this.byTopic.get(log.topics[0] ?? '0x')?.(log, lookup) ?? [];
  }
}

function permissionOf(layout: EventLayout, { permission }: PermissionReading): ReadEvent {
  const [wallet, delegate] = [layout.positionOf(permission.wallet), layout.positionOf(permission.delegate)];
  const { isGranted } = permission;
  const flag = typeof isGranted === 'string' ? layout.positionOf(isGranted) : null;
  return (log) => ({
    log,
    wallet: addressAt(log, wallet),
    delegate: addressAt(log, delegate),
    isGranted: flag ? uintAt(log, flag) !== 0n : isGranted === true,
  });
}

function activityOf(layout: EventLayout, reading: ActivityReading, part: number): ReadEvent {
  const { action, counterparty } = reading;
  const otherAt = counterparty === undefined ? null : layout.positionOf(counterparty);
  const [holderOf, amountOf] = [holderReader(layout, reading), amountReader(layout, reading)];
  const tokenOf = tokenReader(layout, reading);
  return (log, lookup) => {
    const amountRaw = amountOf(log);
    if (amountRaw <= 0n) return null;
    const holder = holderOf(log, lookup);
    if (!holder || holder.wallet === zeroAddress) return null;
    const { wallet, subId } = holder;
    const token = tokenOf(log, lookup, subId);
    if (token === null) return null;
    const other = otherAt ? addressAt(log, otherAt) : wallet;
    // Minting and burning are transfers from and to the zero address.
    if (action === 'transfer' && (other === zeroAddress || other === wallet)) return null;
    return {
      log,
      ...(part > 0 && { part }),
      action,
      wallet,
      counterparty: other === wallet ? null : other,
      token,
      amountRaw,
      subId,
    };
  };
}

function amountReader(layout: EventLayout, { amount, sign }: ActivityReading): (log: MinedLog) => bigint {
  const place = layout.positionOf(amount);
  if (sign === undefined) return (log) => uintAt(log, place);
  return (log) => (sign === 'positive' ? intAt(log, place) : -intAt(log, place));
}

function holderReader(
  layout: EventLayout,
  { wallet, subId }: ActivityReading,
): (log: MinedLog, lookup: LogLookup) => PositionOwner | null {
  if (typeof wallet !== 'string') {
    const place = layout.positionOf(wallet.ownerOf);
    return (log, { ownerOf }) => ownerOf?.(hashAt(log, place), log) ?? null;
  }
  const place = layout.positionOf(wallet);
  const subIdAt = typeof subId === 'string' ? layout.positionOf(subId) : null;
  const emitter = typeof subId === 'object';
  return (log) => ({
    wallet: addressAt(log, place),
    subId: subIdAt ? hashAt(log, subIdAt) : emitter ? log.address.toLowerCase() : '',
  });
}

function tokenReader(
  layout: EventLayout,
  { token }: ActivityReading,
): (log: MinedLog, lookup: LogLookup, subId: string) => Address | null {
  if (typeof token === 'string') {
    const place = layout.positionOf(token);
    return (log) => addressAt(log, place);
  }
  if ('of' in token) return (log, { tokenOf }, subId) => tokenOf(token.of, log, subId);
  const place = layout.positionOf(token.listed);
  return (log, { tokenOf }) => tokenOf('listed', log, hashAt(log, place));
}
