import {
  ACTION_TYPES,
  ALERT_RESOLVE_REASONS,
  ALERT_STATES,
  ALERT_SILENCES,
  ALERT_TYPES,
  CHAIN_STATUSES,
  CONDITION_TYPES,
  DELEVERAGE_STRATEGIES,
  DELIVERY_STATES,
  DRIFTS,
  EXECUTION_MODES,
  EXECUTION_STATUSES,
  INCIDENT_FACTS,
  INCIDENT_STATES,
  INCIDENT_TRIGGERS,
  KEY_STATUSES,
  LIQUIDATION_PRICE_REASONS,
  ONCHAIN_STATUSES,
  POSITION_FLAGS,
  POSITION_SIDES,
  PRICE_SOURCES,
  PROTOCOL_CATEGORIES,
  PROTOCOL_IDS,
  REMEDIES_REASONS,
  RISK_LEVELS,
  RISK_LEVEL_BASES,
  RISK_MODELS,
  SCOPES,
  SEVERITIES,
  SHOWN_CHAIN_STATUSES,
  SHOWN_RISK_TIERS,
  SHOWN_TVL_BRACKETS,
  TIERS,
  TIMEFRAMES,
  VERIFICATIONS,
  WEBHOOK_ALERT_TYPES,
  WEBHOOK_EVENT_TYPES,
  WHALE_ACTIONS,
  BANDS,
} from '@plimsoll/contracts';

/**
 * Lists of words that several schemas have, with the name and description of their schema. With one name for all, a
 * generated client has one type for them.
 */
const LISTS: readonly (readonly [name: string, words: readonly string[], description: string])[] = [
  ['ActionType', ACTION_TYPES, 'Action of a rule.'],
  ['AlertResolveReason', ALERT_RESOLVE_REASONS, 'Why an alert resolved.'],
  ['AlertStatus', ALERT_STATES, 'Status of an alert.'],
  ['AlertSilence', ALERT_SILENCES, 'How an alert is silenced.'],
  ['AlertType', ALERT_TYPES, 'Type of an alert.'],
  ['ChainStatus', SHOWN_CHAIN_STATUSES, 'Condition of a chain or protocol.'],
  ['ConditionType', CONDITION_TYPES, 'Figure and side of a condition.'],
  ['DeleverageStrategy', DELEVERAGE_STRATEGIES, 'Strategy of a deleverage.'],
  ['DeliveryState', DELIVERY_STATES, 'State of a webhook delivery.'],
  ['DriftName', DRIFTS, 'Price trend with a name.'],
  ['ExecutionMode', EXECUTION_MODES, 'How far an execution goes.'],
  ['ExecutionStatus', ONCHAIN_STATUSES, 'Status of an execution on chain.'],
  ['IncidentFactType', INCIDENT_FACTS, 'Kind of a fact.'],
  ['IncidentStatus', INCIDENT_STATES, 'Status of an incident.'],
  ['IncidentTrigger', INCIDENT_TRIGGERS, 'What opened an incident.'],
  ['KeyStatus', KEY_STATUSES, 'Status of an API key.'],
  ['LiquidationPriceReason', LIQUIDATION_PRICE_REASONS, 'Why there is no liquidation price.'],
  ['PositionFlag', POSITION_FLAGS, 'Special state of a position.'],
  ['PositionSide', POSITION_SIDES, 'Side of a position.'],
  ['PriceSource', PRICE_SOURCES, 'Source of prices.'],
  ['ProtocolCategory', PROTOCOL_CATEGORIES, 'Kind of a protocol.'],
  ['ProtocolId', PROTOCOL_IDS, 'Id of a protocol.'],
  ['ProtocolRiskTier', SHOWN_RISK_TIERS, 'Risk of a protocol.'],
  ['RemediesReason', REMEDIES_REASONS, 'Why there are no remedies.'],
  ['RiskLabel', RISK_LEVELS, 'Level of a 0–100 figure: below 25, 50, 75, and above.'],
  ['RiskLevel', BANDS, 'Level of a position, from safest to worst.'],
  ['RiskLevelBasis', RISK_LEVEL_BASES, 'The figure that decides a level.'],
  ['RiskModel', RISK_MODELS, 'Model of prices.'],
  ['RuleExecutionStatus', EXECUTION_STATUSES, 'Status of an execution of a rule.'],
  ['Scope', SCOPES, 'Permission of an API key.'],
  ['ServiceStatus', CHAIN_STATUSES, 'Condition of a part of the service.'],
  ['Severity', SEVERITIES, 'From mildest to worst.'],
  ['Tier', TIERS, 'Tier of an account, in ascending order.'],
  ['Timeframe', TIMEFRAMES, 'Time that a briefing covers.'],
  ['TvlBracket', SHOWN_TVL_BRACKETS, 'Size of a protocol.'],
  ['TvlSource', ['chain', 'defillama', 'none'], 'Source of the value of a protocol.'],
  ['Verification', VERIFICATIONS, 'Where a health factor comes from.'],
  ['WebhookAlertType', WEBHOOK_ALERT_TYPES, 'Urgency of an active alert.'],
  ['WebhookEventType', WEBHOOK_EVENT_TYPES, 'Type of an event.'],
  ['WhaleAction', WHALE_ACTIONS, 'Action of a whale.'],
];

const BY_CONTENT = new Map(LISTS.map((list) => [JSON.stringify(list[1]), list]));

/** Returns the name and schema of a list of words, or undefined when only one schema has it. */
export function namedWords(words: readonly unknown[]): { name: string; schema: object } | undefined {
  const found = BY_CONTENT.get(JSON.stringify(words));
  if (!found) return undefined;
  const [name, list, description] = found;
  return { name, schema: { type: 'string', enum: [...list], description } };
}
