import type { PositionV1 } from '@plimsoll/contracts';
import type { ReceivedEvent } from '@plimsoll/event-bus';
import type { Evaluation } from './evaluation';
import { type PositionState, positionState } from './position-state';

/** What a batch of position.v1 brings that is not known yet. */
export interface FreshStates {
  /** Every new state, in order. */
  evaluations: Evaluation[];
  /** The last one of each position. */
  latest: PositionState[];
}

/**
 * Leaves out what is not above the known sequence of its position: events seen before, and older ones.
 * @param known sequence by position id
 */
export function freshStates(
  events: readonly ReceivedEvent<PositionV1>[],
  known: ReadonlyMap<string, number>,
): FreshStates {
  const sequences = new Map(known);
  const newestBlocks = new Map<number, number>();
  const fresh: { event: ReceivedEvent<PositionV1>; value: PositionV1 }[] = [];
  for (const event of events) {
    const { value } = event;
    if (value === null || value.sequence <= (sequences.get(value.id) ?? 0)) continue;
    sequences.set(value.id, value.sequence);
    newestBlocks.set(value.chainId, Math.max(value.block, newestBlocks.get(value.chainId) ?? 0));
    fresh.push({ event, value });
  }
  const evaluations = fresh.map(({ event, value }) => ({
    position: positionState(value),
    // 0 unless this service is catching up and newer blocks stand in the same batch.
    ageBlocks: (newestBlocks.get(value.chainId) ?? value.block) - value.block,
    cause: { requestId: event.requestId, traceparent: event.traceparent },
  }));
  return {
    evaluations,
    latest: [...new Map(evaluations.map(({ position }) => [position.id, position])).values()],
  };
}
