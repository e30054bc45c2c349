import type { ChainRow } from '@plimsoll/chain';
import type { ChainDetail, ChainItem, ChainItemStatus, ChainV1 } from '@plimsoll/contracts';

/** What is late by so much is the event's way here, and no silence. */
const EVENT_DELAY_MS = 5_000;

/** The status of a chain as its last event has it; down when events have stopped. */
export function statusOf(state: ChainV1 | undefined, nowMs: number): ChainItemStatus {
  if (!state) return 'unconfigured';
  const silenceMs = nowMs - Date.parse(state.updatedAt);
  return silenceMs > 2 * state.heartbeatMs + EVENT_DELAY_MS ? 'down' : state.status;
}

/** List form of a chain. */
export function chainItem(row: ChainRow, state: ChainV1 | undefined, nowMs: number): ChainItem {
  return {
    id: row.id,
    name: row.name,
    status: statusOf(state, nowMs),
    blockTime: state?.avgBlockTime ?? row.avgBlockTime ?? 0,
    isBlockTimeMeasured: state?.avgBlockTime != null,
  };
}

/** Detail form of a chain. */
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
