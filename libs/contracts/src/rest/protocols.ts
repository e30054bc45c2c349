import { type Static, Type } from '@sinclair/typebox';
import { CHAIN_STATUSES, SHOWN_CHAIN_STATUSES } from '../chains';
import { PROTOCOL_CATEGORIES, SHOWN_RISK_TIERS, SHOWN_TVL_BRACKETS } from '../protocols';
import { itemCount, nextCursor, nullable, oneOf, usd } from './fields';

/** Status of a protocol on the chains with a node; unconfigured where no chain has one. */
export type ProtocolStatus = (typeof SHOWN_CHAIN_STATUSES)[number];

/** A protocol in lists. */
export const ProtocolItem = Type.Object({
  id: Type.String({ description: 'Protocol id.', examples: ['aave-v3'] }),
  name: Type.String({ description: 'Name of the protocol.' }),
  chains: Type.Array(Type.Integer({ minimum: 1 }), { description: 'Ids of the chains it is on.' }),
  tvl: usd('Value locked: supplied minus borrowed. 0 with tvlSource none: unknown.'),
  tvlSource: oneOf(['chain', 'defillama', 'none'] as const, {
    description:
      'chain: the sum over the markets that the platform reads, which may be a part of the protocol.',
  }),
  tvlReason: nullable(
    Type.String(),
    'Why tvl is 0 with tvlSource none, as text. Null when the value is known.',
  ),
  category: oneOf(PROTOCOL_CATEGORIES, { description: 'What it does.' }),
  riskTier: oneOf(SHOWN_RISK_TIERS, {
    description:
      'Our classification by age, audits and incidents. unknown: the platform reads nothing of the protocol, and no source states its value.',
  }),
  riskTierReason: Type.String({ description: 'Basis of the tier, or why it is unknown, as text.' }),
  tvlBracket: oneOf(SHOWN_TVL_BRACKETS, { description: 'Size by tvl. unknown with tvlSource none.' }),
  status: oneOf(SHOWN_CHAIN_STATUSES, {
    description: 'degraded: some of its markets cannot be read. unconfigured: none of its chains has a node.',
  }),
});
export type ProtocolItem = Static<typeof ProtocolItem>;

const total = (description: string) => nullable(usd(description), `${description} USD; null: not read.`);

/** A market of a protocol that the platform reads. */
export const ProtocolMarket = Type.Object({
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  market: Type.String({ description: 'Name of the market.' }),
  status: oneOf(CHAIN_STATUSES, { description: 'degraded: it cannot be read. down: its chain is down.' }),
  tvlUsd: total('Supplied minus borrowed.'),
  suppliedUsd: total('Everything supplied.'),
  borrowedUsd: total('Everything borrowed.'),
  utilisation: nullable(
    Type.Number({ minimum: 0 }),
    'borrowedUsd divided by suppliedUsd. 0 when nothing is supplied. Null: not read, or the debt is minted and not lent.',
  ),
  debtWeightedUtilisation: nullable(
    Type.Number({ minimum: 0 }),
    'Borrowed divided by supplied of each asset, weighted by its borrowed value: how close the assets in demand are to full use. Null when utilisation is null.',
  ),
});
export type ProtocolMarket = Static<typeof ProtocolMarket>;

/** A protocol with its markets. */
export const ProtocolDetail = Type.Composite([
  ProtocolItem,
  Type.Object({
    markets: Type.Array(ProtocolMarket, { description: 'The markets that the platform reads.' }),
  }),
]);
export type ProtocolDetail = Static<typeof ProtocolDetail>;

/** Response of GET /v1/protocols. */
export const ProtocolList = Type.Object({
  protocols: Type.Array(ProtocolItem, { description: 'Highest TVL first.' }),
  count: itemCount,
  nextCursor,
});
export type ProtocolList = Static<typeof ProtocolList>;

/** Response of GET /v1/protocols/:id. */
export const ProtocolAnswer = Type.Object({ protocol: ProtocolDetail });
export type ProtocolAnswer = Static<typeof ProtocolAnswer>;
