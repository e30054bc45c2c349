import type { Attack } from './attack';
import { fuzz } from './fuzz/fuzz';
import { bodies } from './items/item-01-bodies';
import { preHijacking } from './items/item-02-pre-hijacking';
import { slowUploads } from './items/item-03-slow-uploads';
import { starvation } from './items/item-04-starvation';
import { sessionLimits } from './items/item-05-session-limits';
import { streams } from './items/item-06-streams';
import { operations } from './items/item-09-operations';
import { lockout } from './items/item-10-lockout';
import { identity } from './items/item-11-identity';
import { authorisations } from './items/item-12-authorisations';
import { sessions } from './items/item-13-sessions';
import { webhookUrls } from './items/item-14-webhook-urls';
import { strictHttp } from './items/item-15-strict-http';
import { otherAccounts } from './items/other-accounts';

/** Every attack, in the order of a run. */
export const ATTACKS: readonly Attack[] = [
  bodies,
  preHijacking,
  slowUploads,
  starvation,
  sessionLimits,
  streams,
  operations,
  lockout,
  identity,
  authorisations,
  sessions,
  webhookUrls,
  strictHttp,
  otherAccounts,
  fuzz,
];
