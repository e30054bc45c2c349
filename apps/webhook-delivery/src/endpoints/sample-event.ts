import {
  NO_ALERT_CONTENT,
  RISK_THRESHOLDS,
  type WebhookData,
  type WebhookEventType,
  riskLevelOf,
} from '@plimsoll/contracts';

/** The id of no record: every character of the opaque part is 0. */
const sampleId = (prefix: string): string => `${prefix}_${'0'.repeat(22)}`;
const SAMPLE_WALLET = `0x${'0'.repeat(40)}`;

const POSITION = {
  id: sampleId('pos'),
  healthFactor: 1.05,
  collateralUsd: 10_000,
  debtUsd: 7_500,
  protocol: 'aave-v3',
  chainId: 1,
  wallet: SAMPLE_WALLET,
};
const ALERT = {
  ...NO_ALERT_CONTENT,
  groupId: null,
  alertId: sampleId('alt'),
  type: 'liquidation_risk' as const,
  title: 'Test alert',
  position: POSITION,
};
const ALERT_CHANGE = {
  ...ALERT,
  alertType: 'critical' as const,
  severity: 5,
  confidenceScore: 1,
  level: 'critical' as const,
  revision: 2,
  previousSeverity: 4,
  previousLevel: 'high' as const,
};
const GROUP_ROW = {
  alertId: ALERT.alertId,
  type: ALERT.type,
  severity: 5,
  title: ALERT.title,
  positionId: POSITION.id,
  asset: null,
  wallet: SAMPLE_WALLET,
  walletLabel: null,
  protocolName: 'Aave V3',
  chainName: 'Ethereum',
  healthFactor: POSITION.healthFactor,
  usdAtStake: POSITION.debtUsd,
};
const GROUP = {
  groupId: sampleId('grp'),
  title: 'Test group',
  count: 2,
  truncated: 0,
  usdAtStake: POSITION.debtUsd,
  worstHealthFactor: POSITION.healthFactor,
  table: '| Position |\n|---|\n| Test |\n| Test |',
  alerts: [GROUP_ROW, GROUP_ROW],
};
const CHANGE = {
  positionId: POSITION.id,
  wallet: SAMPLE_WALLET,
  healthFactor: POSITION.healthFactor,
  protocol: POSITION.protocol,
  chainId: POSITION.chainId,
};

/**
 * Returns the `data` of a test: the form of a real event of the type, with ids and a wallet that cannot be
 * confused with real ones.
 */
export function sampleData(
  event: WebhookEventType,
  webhookId: string,
  timestamp: string,
): WebhookData[WebhookEventType] {
  const message = 'This is a test. Nothing happened.';
  const samples: WebhookData = {
    'test.ping': { message, webhookId, timestamp },
    'alert.created': { ...ALERT, alertType: 'critical', severity: 5, message, confidenceScore: 1 },
    'alert.escalated': { ...ALERT_CHANGE, message },
    'alert.updated': { ...ALERT_CHANGE, message },
    'alert.group': { ...GROUP, cause: { kind: 'block', chainId: 1, block: 0, at: timestamp } },
    'alert.resolved': { ...ALERT, alertType: 'safe' },
    'position.updated': {
      ...CHANGE,
      previousHealthFactor: 1.2,
      totalCollateralUsd: 10_000,
      totalDebtUsd: 7_500,
    },
    'position.liquidation_risk': {
      ...CHANGE,
      ...riskLevelOf(CHANGE.healthFactor, null),
      riskThresholds: RISK_THRESHOLDS,
    },
  };
  return samples[event];
}
