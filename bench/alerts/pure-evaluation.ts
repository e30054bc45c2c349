import type { PositionV1 } from '@plimsoll/contracts';
import type { ReceivedEvent } from '@plimsoll/event-bus';
import { PositionEvaluator } from '../../apps/alerts/src/evaluation/position-evaluator';
import { alertKey, type PositionAlert } from '../../apps/alerts/src/lifecycle/alert';
import { freshStates } from '../../apps/alerts/src/positions/fresh-states';
import type { PositionState } from '../../apps/alerts/src/positions/position-state';
import { RuleIndex } from '../../apps/alerts/src/sources/rule/rule';
import { ACCOUNT, ethUsdAt, isWatched, ruleOf, stateOf, walletOf } from './scene';

const BATCH = 500;
const STEP_MS = 600_000;

/** The state of the evaluation beside the rules. A database stores it for the service. */
interface Memory {
  /** As JSON, as a database holds them. Live objects would make the garbage collector's work part of the figure. */
  states: Map<string, string>;
  alerts: Map<string, Map<string, PositionAlert>>;
}

/**
 * Evaluates events of positions in memory, from the parsed event to alerts and their events: the work of the
 * service between reading its tables and writing them.
 */
export function measurePureEvaluation(positions: number, events: number): object {
  const index = new RuleIndex(Array.from({ length: positions }, (_, i) => ruleOf(i)));
  const watchers = new Map<string, ReadonlyMap<string, string | null>>();
  for (let i = 0; i < positions; i += 1)
    if (isWatched(i)) watchers.set(walletOf(i), new Map([[ACCOUNT, null]]));
  const memory: Memory = { states: new Map(), alerts: new Map() };
  const startMs = Date.parse('2026-11-21T00:00:00.000Z');
  let made = 0;
  const newId = (prefix: 'alt' | 'evt' | 'exec'): string => `${prefix}_${(made += 1)}`;
  const evaluate = (
    batch: ReceivedEvent<PositionV1>[],
    known: ReadonlyMap<string, PositionState>,
    nowMs: number,
  ): { changed: number; latest: PositionState[] } => {
    const alerts = batch.flatMap(({ key }) => [...(memory.alerts.get(key)?.values() ?? [])]);
    // Rules on the price cross their threshold from one batch to the next.
    const prices = { ETH: ethUsdAt(0, nowMs / STEP_MS) };
    const { evaluations, latest } = freshStates(batch, known);
    const evaluator = new PositionEvaluator(
      { alerts, watchers, preferences: new Map(), rules: index, prices },
      { nowMs, newId },
    );
    for (const evaluation of evaluations) evaluator.evaluate(evaluation);
    return { changed: keep(memory, evaluator.outcome), latest };
  };

  let changes = 0;
  let sequence = 0;
  // Every position occurs once first, because the bench measures events of known positions.
  const rounds = 1 + Math.ceil(events / positions);
  let elapsedMs = 0;
  let cpuMs = 0;
  let handled = 0;
  for (let round = 0; round < rounds; round += 1) {
    sequence += 1;
    const nowMs = startMs + sequence * STEP_MS;
    for (let from = 0; from < positions && handled < events; from += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, positions - from) }, (_, i) =>
        received(stateOf(from + i, sequence, ethUsdAt(from + i, sequence), nowMs)),
      );
      const known = new Map<string, PositionState>();
      for (const { key } of batch) {
        const state = memory.states.get(key);
        if (state) known.set(key, JSON.parse(state) as PositionState);
      }
      const cpu = process.cpuUsage();
      const began = performance.now();
      const { changed, latest } = evaluate(batch, known, nowMs);
      const wallMs = performance.now() - began;
      const { user, system } = process.cpuUsage(cpu);
      for (const state of latest) memory.states.set(state.id, JSON.stringify(state));
      if (round === 0) continue;
      elapsedMs += wallMs;
      cpuMs += (user + system) / 1_000;
      handled += batch.length;
      changes += changed;
    }
  }
  return {
    rules: positions,
    positions,
    events: handled,
    eventsPerSecond: Math.round(handled / (elapsedMs / 1_000)),
    cpuUsPerEvent: Math.round((cpuMs * 1_000 * 10) / handled) / 10,
    alertsOpenedOrResolved: changes,
  };
}

function received(value: PositionV1): ReceivedEvent<PositionV1> {
  return { id: value.blockHash, key: value.id, value, time: 0, offset: '0', partition: 0 };
}

/** Stores the active alerts. Returns how many alerts changed. */
function keep({ alerts }: Memory, { opened, resolved }: PositionEvaluator['outcome']): number {
  for (const alert of [...opened, ...resolved]) {
    const ofPosition = alerts.get(alert.positionId) ?? new Map<string, PositionAlert>();
    alerts.set(alert.positionId, ofPosition);
    if (alert.resolvedAtMs === null) ofPosition.set(alertKey(alert), alert);
    else ofPosition.delete(alertKey(alert));
  }
  return opened.length + resolved.length;
}
