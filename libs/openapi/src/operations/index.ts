import type { Operations } from '../operation';
import { accountOperations } from './account';
import { accountKeyOperations } from './account-keys';
import { aiOperations } from './ai';
import { alertOperations } from './alerts';
import { analyticsOperations } from './analytics';
import { deliveryOperations } from './deliveries';
import { automationOperations } from './automation';
import { executionOperations } from './execution';
import { incidentOperations } from './incidents';
import { positionOperations } from './positions';
import { priceOperations } from './prices';
import { registryOperations } from './registry';
import { riskOperations } from './risk';
import { positionRiskOperations } from './position-risk';
import { simulationOperations } from './simulations';
import { statusOperations } from './status';
import { streamOperations } from './streams';
import { trackRecordOperations } from './track-record';
import { usageOperations } from './usage';
import { walletOperations } from './wallets';
import { webhookOperations } from './webhooks';
import { whaleOperations } from './whales';

/** The operation of every row of ENDPOINTS. */
export const OPERATIONS: Operations = {
  ...statusOperations,
  ...usageOperations,
  ...priceOperations,
  ...registryOperations,
  ...riskOperations,
  ...positionOperations,
  ...positionRiskOperations,
  ...simulationOperations,
  ...trackRecordOperations,
  ...analyticsOperations,
  ...walletOperations,
  ...alertOperations,
  ...incidentOperations,
  ...aiOperations,
  ...automationOperations,
  ...executionOperations,
  ...whaleOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...streamOperations,
};

/** The operation of every route of the account API. */
export const ACCOUNT_OPERATIONS: Operations = { ...accountOperations, ...accountKeyOperations };
