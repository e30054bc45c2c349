import { Type } from '@sinclair/typebox';
import { Type as Convert } from 'class-transformer';
import { IsIn, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { ALERT_CONTENT_FIELDS, type AlertContent, NO_ALERT_CONTENT, groupId } from '../../alert-content';
import {
  ALERT_RESOLVE_REASONS,
  ALERT_SILENCES,
  ALERT_TYPES,
  type AlertResolveReason,
  type AlertSilence,
  type AlertType,
  MOST_SNOOZE_MINUTES,
  SEVERITIES,
  type Severity,
} from '../../alerts';
import { BANDS, type Band } from '../../risk/bands';
import {
  ALERT_ID,
  AcceptsNames,
  Example,
  Field,
  FieldsOf,
  IsId,
  IsMoment,
  MOST_NAME_CHARS,
  OR_NAME,
  Optional,
  POSITION_ID,
  PageQuery,
  TIMESTAMP,
  WALLET,
  WALLET_PATTERN,
} from '../fields';

const PLACE = { protocol: 'aave-v3', chainId: 1, wallet: WALLET };
const CONTENT: AlertContent = {
  ...NO_ALERT_CONTENT,
  ...PLACE,
  protocolName: 'Aave V3',
  chainName: 'Ethereum',
  positionId: POSITION_ID,
  position: { id: POSITION_ID, healthFactor: 1.2375, collateralUsd: 7_500, debtUsd: 5_000, ...PLACE },
  healthFactor: { before: 1.3378, now: 1.2375, threshold: 1.25 },
  liquidationPrice: { asset: 'WETH', priceUsd: 2_424.24, currentPriceUsd: 3_000, distancePercent: 19.19 },
  liquidationPriceReason: null,
  cause: { kind: 'price', asset: 'WETH', changePercent: -7.5, fromUsd: 3_243.24, toUsd: 3_000 },
  usdAtStake: 5_000,
  targetHealthFactor: 1.5,
  remedies: [
    {
      action: 'repay',
      asset: 'USDC',
      address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      amountRaw: '875000002',
      decimals: 6,
      amount: 875.000002,
      usd: 875.000002,
    },
    {
      action: 'add_collateral',
      asset: 'WETH',
      address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      amountRaw: '530303030303030305',
      decimals: 18,
      amount: 0.5303030303030303,
      usd: 1_590.909090909091,
    },
  ],
  remediesReason: null,
  confidenceBasis: {
    blocksBehind: 0,
    ageFactor: 1,
    sources: 1,
    spreadPercent: null,
    spreadFactor: 0.9,
    text: '0 blocks behind (factor 1); one price source, the oracle of the protocol (factor 0.9).',
  },
};

/** States of an alert. */
export const ALERT_STATES = ['active', 'resolved'] as const;

/** Values of the filter `silence`. */
const SILENCE_FILTERS = ['none', ...ALERT_SILENCES] as const;

/** Query of GET /v1/alerts. */
export class ListAlertsQuery extends PageQuery {
  @JSONSchema({ description: 'Only alerts in this state. Both when absent.' })
  @Optional()
  @IsIn(ALERT_STATES)
  status?: (typeof ALERT_STATES)[number];

  @JSONSchema({
    description:
      'Only alerts with this `silence`. none: alerts that are neither snoozed nor muted, also resolved ones.',
  })
  @Optional()
  @IsIn(SILENCE_FILTERS)
  silence?: (typeof SILENCE_FILTERS)[number];

  @JSONSchema({ description: 'Only alerts with this severity.' })
  @Optional()
  @IsIn(SEVERITIES)
  severity?: Severity;

  @JSONSchema({ description: 'Only alerts of this type.' })
  @Optional()
  @IsIn(ALERT_TYPES)
  type?: AlertType;

  @JSONSchema({
    description: `Only alerts whose \`wallet\` is this address. A mixed-case address must have the EIP-55 checksum. ${OR_NAME}`,
    pattern: WALLET_PATTERN,
  })
  @AcceptsNames()
  @Optional()
  @IsString()
  @MaxLength(MOST_NAME_CHARS)
  wallet?: string;

  @JSONSchema({
    description:
      'Only alerts whose `wallet` is a watched wallet in this wallet group now, as in GET /v1/wallet-groups.',
  })
  @Optional()
  @IsId('wgr')
  walletGroupId?: string;

  @JSONSchema({ description: 'Only alerts whose `protocol` is this id, as in GET /v1/protocols.' })
  @Optional()
  @IsString()
  @MaxLength(64)
  protocol?: string;

  @JSONSchema({ description: 'Only alerts whose `chainId` is this id, as in GET /v1/chains.' })
  @Optional()
  @Convert(() => Number)
  @IsInt()
  @Min(1)
  @Max(2 ** 53 - 1)
  chainId?: number;

  @JSONSchema({ description: 'Only alerts whose `positionId` is this id.' })
  @Optional()
  @IsId('pos')
  positionId?: string;

  @JSONSchema({ description: 'Only alerts that opened at this time (ISO 8601) or later.' })
  @Optional()
  @IsMoment()
  since?: string;
}

/** Alert of the REST API. */
export class AlertItem extends FieldsOf(Type.Object({ ...ALERT_CONTENT_FIELDS, groupId })) {
  @Field.Id('alt', 'Id of the alert.') id!: string;
  @Field.Word(ALERT_TYPES, 'Type of the alert.') type!: AlertType;

  @Field.Word(SEVERITIES, 'From mildest to worst: info, low, medium, high, critical.')
  severity!: Severity;

  @Field.Text('One line of text.') title!: string;
  @Field.Text('What happened, as text.') message!: string;

  @Field.Word(ALERT_STATES, 'resolved: the condition is no longer true.')
  status!: (typeof ALERT_STATES)[number];

  @Field.Timestamp('When the condition became true.') createdAt!: string;

  @Field.Timestamp('When the condition became false. Null while active.', { nullable: true })
  resolvedAt!: string | null;

  @Optional()
  @Field.Timestamp('When the account first acknowledged it. Absent before.')
  acknowledgedAt?: string;

  @Optional()
  @Field.Word(
    ALERT_SILENCES,
    'The account does not receive changes of this alert: snoozed until snoozedUntil or until its severity rises, muted until it is unmuted. Absent while they are sent, and for resolved alerts.',
  )
  silence?: AlertSilence;

  @Optional() @Field.Timestamp('End of the snooze. Only with silence snoozed.') snoozedUntil?: string;

  @Optional() @Field.Id('rule', 'The rule that fired. Only for alerts of rules.') ruleId?: string;

  @Optional()
  @Field.Text(
    'Asset of the alert, ETH for WETH. Only for price_move, oracle_stale, depeg, oracle_deviation and parameter_change.',
  )
  asset?: string;

  @Optional() @Field.Id('inc', 'The incident of the alert, if there is one.') incidentId?: string;

  @Optional()
  @Field.Word(
    BANDS,
    'Level of the position at the last change of the alert: liquidatable exactly when the health factor is below 1, otherwise the band with hysteresis, or the level of a depeg where that is worse (cause depeg). Only for health_factor_warning and liquidation_risk.',
  )
  level?: Band;

  @Optional() @Field.Timestamp('When the alert last changed. Present with level.') updatedAt?: string;

  @Optional()
  @Field.Integer('Counts the changes of the alert. A higher value is later. Present with level.', { min: 1 })
  revision?: number;

  @Optional()
  @Field.Word(
    ALERT_RESOLVE_REASONS,
    'Why it resolved: recovered, closed, unwatched, dust (collateral and debt are below minUsd), escalated (escalatedTo replaced it) or retracted (a reorg replaced the block that opened it). Only for resolved alerts about the state of a position.',
  )
  resolveReason?: AlertResolveReason;

  @Optional()
  @Field.Id('alt', 'The alert that replaced it. Only with resolveReason escalated.')
  escalatedTo?: string;

  @Field.Number(
    'How fresh the figures are and how well their sources agree. confidenceBasis has the factors.',
    { min: 0, max: 1 },
  )
  confidenceScore!: number;
}

const ALERT = {
  id: ALERT_ID,
  type: 'health_factor_warning',
  severity: 'high',
  title: 'Health factor 1.2375 in Aave V3 on Ethereum',
  message:
    'A 7.5 % fall of the WETH price to $3,000.00 lowered the health factor of wallet 0x7099…79C8 from 1.3378. Liquidation starts when WETH falls another 19.2 %, to $2,424.24; $5,000.00 is at stake. To return to 1.5, repay 875.00 USDC or add 0.5304 WETH.',
  status: 'active',
  createdAt: TIMESTAMP,
  resolvedAt: null,
  level: 'high',
  updatedAt: TIMESTAMP,
  revision: 1,
  ...CONTENT,
  groupId: null,
  confidenceScore: 0.9,
};

/** Response of GET /v1/alerts. */
@Example({ alerts: [ALERT], nextCursor: null })
export class AlertList {
  @Field.Object(() => AlertItem, 'Newest first.', { list: true }) alerts!: AlertItem[];
  @Field.NextCursor() nextCursor!: string | null;
}

/** Response of POST /v1/alerts/:id/acknowledge. */
@Example({ alert: { ...ALERT, acknowledgedAt: TIMESTAMP } })
export class AcknowledgedAlert {
  @Field.Object(() => AlertItem, 'The alert with acknowledgedAt.') alert!: AlertItem;
}

/** Body of POST /v1/alerts/:id/snooze: one of the two fields. */
@Example({ minutes: 60 })
export class SnoozeAlertBody {
  @JSONSchema({ description: 'Length of the snooze from now, at most 7 days. Either this or until.' })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(MOST_SNOOZE_MINUTES)
  minutes?: number;

  @JSONSchema({
    description: 'End of the snooze (ISO 8601), at most 7 days from now. Either this or minutes.',
  })
  @Optional()
  @IsMoment()
  until?: string;
}

/** Response of POST /v1/alerts/:id/snooze. */
@Example({ alert: { ...ALERT, silence: 'snoozed', snoozedUntil: TIMESTAMP } })
export class SnoozedAlert {
  @Field.Object(() => AlertItem, 'The alert with silence and snoozedUntil.') alert!: AlertItem;
}

/** Response of POST /v1/alerts/:id/mute. */
@Example({ alert: { ...ALERT, silence: 'muted' } })
export class MutedAlert {
  @Field.Object(() => AlertItem, 'The alert with silence.') alert!: AlertItem;
}

/** Response of POST /v1/alerts/:id/unsnooze and /unmute. */
@Example({ alert: ALERT })
export class UnsilencedAlert {
  @Field.Object(() => AlertItem, 'The alert.') alert!: AlertItem;
}
