import { type AddressedEvent, type Endpoint, byAccount, takes } from './new-deliveries';

/** Events of one account in a batch up to this number become deliveries immediately. */
export const DIRECT_EVENTS = 32;
/** Deliveries of one turn. An account waits for one turn of each other account at most. */
const TURN_DELIVERIES = 50;

/** Events of one account that become deliveries together. */
export interface Turn {
  accountId: string;
  events: AddressedEvent[];
}

/** The events of a batch that become deliveries immediately, and the turns of the others. */
export interface Divided {
  direct: AddressedEvent[];
  turns: Turn[];
}

/**
 * Decides which events wait: those of an account with many events, and those of an account whose earlier
 * events wait, which keeps their order. Events without an endpoint are dropped.
 */
export function divide(
  events: readonly AddressedEvent[],
  endpoints: ReadonlyMap<string, readonly (Parameters<typeof takes>[0] & Pick<Endpoint, 'isBehind'>)[]>,
): Divided {
  const divided: Divided = { direct: [], turns: [] };
  for (const [accountId, all] of byAccount(events)) {
    const own = endpoints.get(accountId) ?? [];
    const costed = all
      .map((event) => ({ event, cost: own.filter((endpoint) => takes(endpoint, event)).length }))
      .filter(({ cost }) => cost > 0);
    if (costed.length <= DIRECT_EVENTS && own[0]?.isBehind !== true) {
      divided.direct.push(...costed.map(({ event }) => event));
      continue;
    }
    let left = 0;
    for (const { event, cost } of costed) {
      const last = divided.turns.at(-1);
      if (last?.accountId === accountId && left >= cost) last.events.push(event);
      else {
        divided.turns.push({ accountId, events: [event] });
        left = TURN_DELIVERIES;
      }
      left -= cost;
    }
  }
  return divided;
}
