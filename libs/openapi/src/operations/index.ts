import type { AccountOperations, Operations } from '../operation';
import { accountOperations } from './account';
import { accountKeyOperations } from './account-keys';
import { alertOperations } from './alerts';
import { deliveryOperations } from './deliveries';
import { automationOperations } from './automation';
import { incidentOperations } from './incidents';
import { positionOperations } from './positions';
import { statusOperations } from './status';
import { streamOperations } from './streams';
import { usageOperations } from './usage';
import { walletOperations } from './wallets';
import { webhookOperations } from './webhooks';

/** The operation of every row of ENDPOINTS. */
export const OPERATIONS: Operations = {
  ...statusOperations,
  ...usageOperations,
  ...positionOperations,
  ...walletOperations,
  ...alertOperations,
  ...incidentOperations,
  ...automationOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...streamOperations,
};

/** The operation of every route of the account API. */
export const ACCOUNT_OPERATIONS: AccountOperations = { ...accountOperations, ...accountKeyOperations };
