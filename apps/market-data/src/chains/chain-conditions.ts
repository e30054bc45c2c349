import type { ChainConditions, ChainV1 } from '@plimsoll/contracts';
import type { ProtocolRegistry } from '@plimsoll/evm';
import { statusOf } from './chain-view';

/** Returns the present condition of every chain of the registry with a state, and of its markets. */
export function chainConditions(
  { chains, protocols }: Pick<ProtocolRegistry, 'chains' | 'protocols'>,
  states: readonly ChainV1[],
  nowMs: number,
): ChainConditions {
  const names = new Map(protocols.map(({ id, name }) => [id, name]));
  const known = chains.flatMap(({ id, name }) => {
    const state = states.find(({ chainId }) => chainId === id);
    const status = statusOf(state, nowMs);
    return state && status !== 'unconfigured' ? [{ name, state, status }] : [];
  });
  return {
    chains: known.map(({ name, state: { chainId, head, lagBlocks, eventLatency, updatedAt }, status }) => ({
      id: chainId,
      name,
      status,
      head: head && { number: head.number, time: head.time },
      lagBlocks,
      // A chain that is down has no last minute.
      eventLatencyMs: status === 'down' ? null : (eventLatency?.p95Ms ?? null),
      updatedAt,
    })),
    markets: known.flatMap(({ state: { chainId, markets }, status }) =>
      markets.map(({ protocol, market, failure, lastRead }) => ({
        chainId,
        protocol,
        protocolName: names.get(protocol) ?? protocol,
        market,
        failure: status === 'down' ? 'chain_down' : failure,
        lastRead: lastRead ?? null,
      })),
    ),
  };
}
