import {
  CHAIN_STATUSES,
  type ChainStatus,
  SHOWN_CHAIN_STATUSES,
  PROTOCOL_CATEGORIES,
  type ProtocolCategory,
  SHOWN_RISK_TIERS,
  SHOWN_TVL_BRACKETS,
  type ShownRiskTier,
} from '../../protocols';
import { Example, Field } from '../fields';

const PROTOCOL = {
  id: 'aave-v3',
  name: 'Aave V3',
  chains: [1, 10, 8_453],
  tvl: 19_100_000_000,
  tvlSource: 'chain',
  tvlReason: null,
  category: 'lending',
  riskTier: 'low',
  riskTierReason: 'Classified by age, audits and incidents.',
  tvlBracket: 'over_10b',
  status: 'operational',
};

/** Status of a protocol on the chains with a node; unconfigured where no chain has one. */
export type ProtocolStatus = (typeof SHOWN_CHAIN_STATUSES)[number];

/** A protocol in lists. */
export class ProtocolItem {
  @Field.Text('Protocol id.', { example: 'aave-v3' }) id!: string;
  @Field.Text('Name of the protocol.') name!: string;
  @Field.Integer('Ids of the chains it is on.', { min: 1, list: true }) chains!: number[];
  @Field.Usd('Value locked: supplied minus borrowed. 0 with tvlSource none: unknown.') tvl!: number;

  @Field.Word(
    ['chain', 'defillama', 'none'],
    'chain: the sum over the markets that the platform reads, which may be a part of the protocol.',
  )
  tvlSource!: 'chain' | 'defillama' | 'none';

  @Field.Text('Why tvl is 0 with tvlSource none, as text. Null when the value is known.', { nullable: true })
  tvlReason!: string | null;

  @Field.Word(PROTOCOL_CATEGORIES, 'What it does.') category!: ProtocolCategory;

  @Field.Word(
    SHOWN_RISK_TIERS,
    'Our classification by age, audits and incidents. unknown: the platform reads nothing of the protocol, and no source states its value.',
  )
  riskTier!: ShownRiskTier;

  @Field.Text('Basis of the tier, or why it is unknown, as text.') riskTierReason!: string;

  @Field.Word(SHOWN_TVL_BRACKETS, 'Size by tvl. unknown with tvlSource none.')
  tvlBracket!: (typeof SHOWN_TVL_BRACKETS)[number];

  @Field.Word(
    SHOWN_CHAIN_STATUSES,
    'degraded: some of its markets cannot be read. unconfigured: none of its chains has a node.',
  )
  status!: (typeof SHOWN_CHAIN_STATUSES)[number];
}

const total = (description: string) =>
  Field.Number(`${description} USD; null: not read.`, { nullable: true });

/** A market of a protocol that the platform reads. */
export class ProtocolMarket {
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Text('Name of the market.') market!: string;

  @Field.Word(CHAIN_STATUSES, 'degraded: it cannot be read. down: its chain is down.')
  status!: ChainStatus;

  @total('Supplied minus borrowed.') tvlUsd!: number | null;
  @total('Everything supplied.') suppliedUsd!: number | null;
  @total('Everything borrowed.') borrowedUsd!: number | null;

  @Field.Number(
    'borrowedUsd divided by suppliedUsd. 0 when nothing is supplied. Null: not read, or the debt is minted and not lent.',
    { min: 0, nullable: true },
  )
  utilisation!: number | null;

  @Field.Number(
    'Borrowed divided by supplied of each asset, weighted by its borrowed value: how close the assets in demand are to full use. Null when utilisation is null.',
    { min: 0, nullable: true },
  )
  debtWeightedUtilisation!: number | null;
}

/** A protocol with its markets. */
export class ProtocolDetail extends ProtocolItem {
  @Field.Object(() => ProtocolMarket, 'The markets that the platform reads.', { list: true })
  markets!: ProtocolMarket[];
}

/** Response of GET /v1/protocols. */
@Example({ protocols: [PROTOCOL], count: 1, nextCursor: null })
export class ProtocolList {
  @Field.Object(() => ProtocolItem, 'Highest TVL first.', { list: true }) protocols!: ProtocolItem[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}

/** Response of GET /v1/protocols/:id. */
@Example({
  protocol: {
    ...PROTOCOL,
    markets: [
      {
        chainId: 1,
        market: 'AaveV3Ethereum',
        status: 'operational',
        tvlUsd: 19_100_000_000,
        suppliedUsd: 31_200_000_000,
        borrowedUsd: 12_100_000_000,
        utilisation: 0.388,
        debtWeightedUtilisation: 0.81,
      },
    ],
  },
})
export class ProtocolAnswer {
  @Field.Object(() => ProtocolDetail, 'The protocol.') protocol!: ProtocolDetail;
}
