import type { Operations } from '../operation';
import { alertOperations } from './alerts';
import { automationOperations } from './automation';
import { incidentOperations } from './incidents';
import { positionOperations } from './positions';
import { statusOperations } from './status';
import { streamOperations } from './streams';
import { walletOperations } from './wallets';
import { webhookOperations } from './webhooks';

/** The operation of every row of ENDPOINTS. */
export const OPERATIONS: Operations = {
  ...statusOperations,
  ...positionOperations,
  ...walletOperations,
  ...alertOperations,
  ...incidentOperations,
  ...automationOperations,
  ...webhookOperations,
  ...streamOperations,
};
