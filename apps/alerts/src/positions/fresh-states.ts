import type { PositionV1 } from '@plimsoll/contracts';
import type { ReceivedEvent } from '@plimsoll/event-bus';
import type { Evaluation } from './evaluation';
import { type PositionState, positionState } from './position-state';

/** New states in a batch of position.v1. */
export interface FreshStates {
  /** Every new state, in order. */
  evaluations: Evaluation[];
  /** The last state of each position. */
  latest: PositionState[];
}

/**
 * Omits events that are not above the stored sequence of their position: duplicates and older ones.
 * @param known the latest state by position id
 */
export function freshStates(
  events: readonly ReceivedEvent<PositionV1>[],
  known: ReadonlyMap<string, PositionState>,
): FreshStates {
  const latest = new Map(known);
  const changed = new Set<string>();
  const newestBlocks = new Map<number, number>();
  const fresh: {
    position: PositionState;
    previous: PositionState | null;
    event: ReceivedEvent<PositionV1>;
    value: PositionV1;
  }[] = [];
  for (const event of events) {
    const { value } = event;
    const previous = (value && latest.get(value.id)) ?? null;
    if (value === null || value.sequence <= (previous?.sequence ?? 0)) continue;
    const position = positionState(value, previous);
    latest.set(value.id, position);
    changed.add(value.id);
    newestBlocks.set(value.chainId, Math.max(value.block, newestBlocks.get(value.chainId) ?? 0));
    fresh.push({ position, previous, event, value });
  }
  const evaluations = fresh.map(({ position, previous, event, value }) => ({
    position,
    previous,
    atMs: position.blockAtMs ?? event.time,
    // 0 unless this service is catching up and the same batch has newer blocks.
    ageBlocks: (newestBlocks.get(position.chainId) ?? 0) - (position.block ?? 0),
    ...(value.orphanedFrom !== undefined && { orphanedFrom: value.orphanedFrom }),
    cause: { requestId: event.requestId, traceparent: event.traceparent },
  }));
  return { evaluations, latest: [...latest.values()].filter(({ id }) => changed.has(id)) };
}
