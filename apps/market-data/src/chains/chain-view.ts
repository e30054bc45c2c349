import type { ChainDetail, ChainItem, ChainItemStatus, ChainV1 } from '@plimsoll/contracts';
import type { ChainRow } from '@plimsoll/evm';

/** A delay up to this is the event's transit time, not a missing heartbeat. */
const EVENT_DELAY_MS = 5_000;

/** Returns the status of a chain from its last event, or down when events have stopped. */
export function statusOf(state: ChainV1 | undefined, nowMs: number): ChainItemStatus {
  if (!state) return 'unconfigured';
  const silenceMs = nowMs - Date.parse(state.updatedAt);
  return silenceMs > 2 * state.heartbeatMs + EVENT_DELAY_MS ? 'down' : state.status;
}

/** Returns the list form of a chain. */
export function chainItem(row: ChainRow, state: ChainV1 | undefined, nowMs: number): ChainItem {
  return {
    id: row.id,
    name: row.name,
    status: statusOf(state, nowMs),
    blockTime: state?.avgBlockTime ?? row.avgBlockTime ?? 0,
    isBlockTimeMeasured: state?.avgBlockTime != null,
  };
}

/** Returns the detail form of a chain. */
export function chainDetail(row: ChainRow, state: ChainV1 | undefined, nowMs: number): ChainDetail {
  const { id, name, status, blockTime, isBlockTimeMeasured } = chainItem(row, state, nowMs);
  return {
    id,
    name,
    status,
    nativeCurrency: row.nativeCurrency,
    blockExplorer: row.blockExplorer,
    avgBlockTime: blockTime,
    isBlockTimeMeasured,
    head: state?.head ? { number: state.head.number, time: state.head.time } : null,
    lagBlocks: state?.lagBlocks ?? null,
    failing: (state?.markets ?? []).flatMap(({ protocol, market, failure }) =>
      failure === null ? [] : [{ protocol, market, reason: failure }],
    ),
    updatedAt: state?.updatedAt ?? null,
  };
}
