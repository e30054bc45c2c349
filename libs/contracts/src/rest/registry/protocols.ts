import { CHAIN_STATUSES, type ChainStatus, SHOWN_CHAIN_STATUSES } from '../../chains';
import {
  PROTOCOL_CATEGORIES,
  type ProtocolCategory,
  SHOWN_RISK_TIERS,
  SHOWN_TVL_BRACKETS,
  type ShownRiskTier,
} from '../../protocols';
import {
  IntegerField,
  ItemCount,
  NextCursor,
  NumberField,
  ObjectField,
  TextField,
  UsdField,
  WordField,
} from '../fields/fields';
import { Example } from '../fields/response-schema';

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
  @TextField('Protocol id.', { example: 'aave-v3' }) id!: string;
  @TextField('Name of the protocol.') name!: string;
  @IntegerField('Ids of the chains it is on.', { min: 1, list: true }) chains!: number[];
  @UsdField('Value locked: supplied minus borrowed. 0 with tvlSource none: unknown.') tvl!: number;

  @WordField(
    ['chain', 'defillama', 'none'],
    'chain: the sum over the markets that the platform reads, which may be a part of the protocol.',
  )
  tvlSource!: 'chain' | 'defillama' | 'none';

  @TextField('Why tvl is 0 with tvlSource none, as text. Null when the value is known.', { nullable: true })
  tvlReason!: string | null;

  @WordField(PROTOCOL_CATEGORIES, 'What it does.') category!: ProtocolCategory;

  @WordField(
    SHOWN_RISK_TIERS,
    'Our classification by age, audits and incidents. unknown: the platform reads nothing of the protocol, and no source states its value.',
  )
  riskTier!: ShownRiskTier;

  @TextField('Basis of the tier, or why it is unknown, as text.') riskTierReason!: string;

  @WordField(SHOWN_TVL_BRACKETS, 'Size by tvl. unknown with tvlSource none.')
  tvlBracket!: (typeof SHOWN_TVL_BRACKETS)[number];

  @WordField(
    SHOWN_CHAIN_STATUSES,
    'degraded: some of its markets cannot be read. unconfigured: none of its chains has a node.',
  )
  status!: (typeof SHOWN_CHAIN_STATUSES)[number];
}

const total = (description: string) => NumberField(`${description} USD; null: not read.`, { nullable: true });

/** A market of a protocol that the platform reads. */
export class ProtocolMarket {
  @IntegerField('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @TextField('Name of the market.') market!: string;

  @WordField(CHAIN_STATUSES, 'degraded: it cannot be read. down: its chain is down.')
  status!: ChainStatus;

  @total('Supplied minus borrowed.') tvlUsd!: number | null;
  @total('Everything supplied.') suppliedUsd!: number | null;
  @total('Everything borrowed.') borrowedUsd!: number | null;

  @NumberField(
    'borrowedUsd divided by suppliedUsd. 0 when nothing is supplied. Null: not read, or the debt is minted and not lent.',
    { min: 0, nullable: true },
  )
  utilisation!: number | null;

  @NumberField(
    'Borrowed divided by supplied of each asset, weighted by its borrowed value: how close the assets in demand are to full use. Null when utilisation is null.',
    { min: 0, nullable: true },
  )
  debtWeightedUtilisation!: number | null;
}

/** A protocol with its markets. */
export class ProtocolDetail extends ProtocolItem {
  @ObjectField(() => ProtocolMarket, 'The markets that the platform reads.', { list: true })
  markets!: ProtocolMarket[];
}

/** Response of GET /v1/protocols. */
@Example({ protocols: [PROTOCOL], count: 1, nextCursor: null })
export class ProtocolList {
  @ObjectField(() => ProtocolItem, 'Highest TVL first.', { list: true }) protocols!: ProtocolItem[];
  @ItemCount() count!: number;
  @NextCursor() nextCursor!: string | null;
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
  @ObjectField(() => ProtocolDetail) protocol!: ProtocolDetail;
}
