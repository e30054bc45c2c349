import { Type } from 'class-transformer';
import { IsEthereumAddress, IsIn, IsInt, IsNumber, IsString, Max, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  CLUSTER_EVIDENCE,
  type ClusterEvidence,
  WHALE_ACTIONS,
  WHALE_EFFECT_REASONS,
  WHALE_PRICE_BASES,
  type WhaleAction,
  type WhalePriceBasis,
} from '../../whales';
import {
  AcceptsNames,
  BLOCK,
  Example,
  Field,
  FromText,
  IsMoment,
  OR_NAME,
  Optional,
  PageQuery,
  TIMESTAMP,
  WALLET,
  WALLET_PATTERN,
} from '../fields';

const CLUSTER = {
  id: 'wc_01aBcDeFgHiJkLmNoPqRsT',
  walletCount: 2,
  totalValueUsd: 48_250_000,
  dominantProtocol: 'aave-v3',
};
const OTHER_WALLET = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const ASSET = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';

/** Query of GET /v1/whales/activity. */
export class ListWhaleActivityQuery extends PageQuery {
  @JSONSchema({ description: `Only moves of this wallet. ${OR_NAME}`, pattern: WALLET_PATTERN })
  @AcceptsNames()
  @Optional()
  @IsEthereumAddress()
  wallet?: string;

  @JSONSchema({ description: 'Only moves in this protocol; its id.' })
  @Optional()
  @IsString()
  @MaxLength(64)
  protocol?: string;

  @JSONSchema({ description: 'Only moves on this chain; its id.' })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(2 ** 53 - 1)
  chain?: number;

  @JSONSchema({ description: 'Only moves of this kind.' })
  @Optional()
  @IsIn(WHALE_ACTIONS)
  action?: WhaleAction;

  @JSONSchema({
    description:
      'Only moves of at least this value, USD. Absent: the whale threshold of the service. A lower value also shows smaller indexed moves.',
  })
  @Optional()
  @FromText()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  minUsd?: number;

  @JSONSchema({ description: 'Only moves in blocks of this time (ISO 8601) or later.' })
  @Optional()
  @IsMoment()
  since?: string;
}

const REASONS = `One of ${WHALE_EFFECT_REASONS.join(', ')}; later releases may add words.`;

const reason = (of: string) =>
  Field.Text(`Why ${of} is null. Null otherwise. ${REASONS}`, { nullable: true });

const rate = (what: string) =>
  Field.Number(`${what}, a year: 0.05 is 5 %. Null: not available.`, { nullable: true });

class WhaleActivityCounterpartyLabel {
  @Field.Text('deployer, router, exchange, bridge, protocol or fee_collector. Later releases may add words.')
  kind!: string;

  @Field.Text('Its public name.') name!: string;
}

class WhaleActivityRateEffect {
  @rate('Paid to suppliers of the asset in the block before') supplyRateBefore!: number | null;
  @rate('The same at the end of the block of the move') supplyRateAfter!: number | null;
  @rate('Charged to its borrowers in the block before') borrowRateBefore!: number | null;
  @rate('The same at the end of the block of the move') borrowRateAfter!: number | null;
}

/** A move of a whale. */
export class WhaleActivityItem {
  @Field.Id('act', 'Id of the move: one log in one block.') id!: string;

  @Field.Address(
    'The wallet whose position moved. For a liquidation in Fluid, which names no position, the vault.',
  )
  wallet!: string;

  @Field.Word(
    WHALE_ACTIONS,
    'The action. liquidation: what was taken from the wallet. transfer: the wallet gave its position to another wallet.',
  )
  action!: WhaleAction;

  @Field.Text('Protocol id.') protocol!: string;
  @Field.Text('Symbol that the token itself reports.') asset!: string;
  @Field.Number('Whole tokens.', { min: 0 }) amount!: number;
  @Field.Usd('At the price of the market’s oracle. priceBasis states the block.') usdValue!: number;
  @Field.Timestamp('Time of the block.') timestamp!: string;
  @Field.Integer('Chain id.') chainId!: number;
  @Field.Text('Market of the protocol.') market!: string;

  @Field.Address(
    'The address that paid, received or liquidated, when it is not the wallet. Null otherwise.',
    {
      nullable: true,
    },
  )
  counterparty!: string | null;

  @Field.Address('The token.') assetAddress!: string;
  @Field.Digits('The amount in the token’s smallest unit.') amountRaw!: string;
  @Field.Integer('Decimals of the token.', { min: 0 }) decimals!: number;

  @Field.Word(
    WHALE_PRICE_BASES,
    'block: price at the block of the move. head: price at the newest block, because the node keeps no older state.',
  )
  priceBasis!: WhalePriceBasis;

  @Field.Integer('Block number.', { min: 0 }) block!: number;
  @Field.Text('Hash of that block.') blockHash!: string;
  @Field.Text('Transaction of the move.') transactionHash!: string;
  @Field.Integer('Index of its log in the block.', { min: 0 }) logIndex!: number;

  @Field.Object(
    () => WhaleActivityCounterpartyLabel,
    'Label of the counterparty, when it is known to be a service or a contract of a protocol.',
    { nullable: true },
  )
  counterpartyLabel!: WhaleActivityCounterpartyLabel | null;

  @Field.Number(
    'The amount in percent of the market’s supplied total (for a borrow, repay or liquidation: its borrowed total) of the asset in the block before.',
    { min: 0, nullable: true },
  )
  shareOfPoolPercent!: number | null;

  @reason('shareOfPoolPercent') shareOfPoolReason!: string | null;

  @Field.Number('Health factor of the position in the block before the move, from the contract.', {
    min: 0,
    nullable: true,
  })
  healthFactorBefore!: number | null;

  @Field.Number('Health factor of the position at the end of the block of the move.', {
    min: 0,
    nullable: true,
  })
  healthFactorAfter!: number | null;

  @reason('one of the two health factors') healthFactorReason!: string | null;

  @Field.Object(
    () => WhaleActivityRateEffect,
    'Rates of the asset in this market before and after the move.',
    { nullable: true },
  )
  rateEffect!: WhaleActivityRateEffect | null;

  @reason('rateEffect') rateEffectReason!: string | null;
}

/** Response of GET /v1/whales/activity. */
@Example({
  activity: [
    {
      id: 'act_01aBcDeFgHiJkLmNoPqRsT',
      wallet: WALLET,
      action: 'withdraw',
      protocol: 'aave-v3',
      asset: 'WETH',
      amount: 1_250.5,
      usdValue: 3_126_250,
      timestamp: TIMESTAMP,
      chainId: 1,
      market: 'AaveV3Ethereum',
      counterparty: null,
      assetAddress: ASSET,
      amountRaw: '1250500000000000000000',
      decimals: 18,
      priceBasis: 'block',
      block: BLOCK.asOfBlock['1'],
      blockHash: BLOCK.blockHash['1'],
      transactionHash: `0x${'2'.repeat(64)}`,
      logIndex: 7,
      counterpartyLabel: null,
      shareOfPoolPercent: 0.21,
      shareOfPoolReason: null,
      healthFactorBefore: 1.92,
      healthFactorAfter: 1.41,
      healthFactorReason: null,
      rateEffect: {
        supplyRateBefore: 0.0181,
        supplyRateAfter: 0.0182,
        borrowRateBefore: 0.0263,
        borrowRateAfter: 0.0264,
      },
      rateEffectReason: null,
    },
  ],
  count: 1,
  nextCursor: null,
})
export class WhaleActivityList {
  @Field.Object(() => WhaleActivityItem, 'Newest first.', { list: true }) activity!: WhaleActivityItem[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}

/** Wallets that probably have one owner. */
export class WhaleClusterItem {
  @Field.Id('wc', 'Id of the cluster. It stays the same while the cluster exists.') id!: string;
  @Field.Integer('Its wallets.', { min: 2 }) walletCount!: number;

  @Field.Usd('Net value of its positions, from the indexed moves, at the latest prices. Never below 0.')
  totalValueUsd!: number;

  @Field.Text('Id of the protocol with the largest moved value.') dominantProtocol!: string;
}

/** Response of GET /v1/whales/clusters. */
@Example({ clusters: [CLUSTER], count: 1, nextCursor: null })
export class WhaleClusterList {
  @Field.Object(() => WhaleClusterItem, 'Highest totalValueUsd first.', { list: true })
  clusters!: WhaleClusterItem[];

  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}

/** Why two wallets are in one cluster. */
export class ClusterEvidenceItem {
  @Field.Word(
    CLUSTER_EVIDENCE,
    'owner: one owns the other. position_transfer: a position moved from one to the other. delegate: the same delegate may act for both. acting_for: one paid for the other. first_funder: one sent the other its first tokens. mutual_transfers: tokens moved both ways. same_block: the same moves in the same blocks. synchronous: the same moves shortly after each other, more often than by chance.',
  )
  kind!: ClusterEvidence;

  @Field.Address('The two.', { item: 'A wallet. With its EIP-55 checksum.', list: { min: 2, max: 2 } })
  wallets!: string[];

  @Field.Number('Strength of the evidence. 1: certain.', { min: 0, max: 1 }) weight!: number;
  @Field.Integer('Chain of the evidence.') chainId!: number;
  @Field.Integer('Block in which it first appeared.', { min: 0 }) block!: number;
}

class WhaleClusterClusterWallets {
  @Field.Address('The wallet.') wallet!: string;
  @Field.Usd('Net value of its positions.') valueUsd!: number;
}

class WhaleClusterCluster extends WhaleClusterItem {
  @Field.Object(() => WhaleClusterClusterWallets, 'Highest value first; the first 1,000.', { list: true })
  wallets!: WhaleClusterClusterWallets[];

  @Field.Object(() => ClusterEvidenceItem, 'Strongest first; the first 1,000.', { list: true })
  evidence!: ClusterEvidenceItem[];

  @Field.Timestamp('When it was last computed.') updatedAt!: string;
}

/** Response of GET /v1/whales/clusters/:id. */
@Example({
  cluster: {
    ...CLUSTER,
    wallets: [
      { wallet: WALLET, valueUsd: 48_000_000 },
      { wallet: OTHER_WALLET, valueUsd: 250_000 },
    ],
    evidence: [
      {
        kind: 'position_transfer',
        wallets: [WALLET, OTHER_WALLET],
        weight: 0.9,
        chainId: 1,
        block: 24_100_105,
      },
    ],
    updatedAt: TIMESTAMP,
  },
})
export class WhaleClusterAnswer {
  @Field.Object(() => WhaleClusterCluster, 'The cluster.') cluster!: WhaleClusterCluster;
}
