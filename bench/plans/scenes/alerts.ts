import { type ExecutionStatus, checksumAddress, derivedId } from '@plimsoll/contracts';
import { createPrismaClient } from '@plimsoll/service-kit';
import { PrismaClient } from '../../../apps/alerts/src/generated/prisma/client';
import { IncidentsReader } from '../../../apps/alerts/src/incidents/incidents.reader';
import {
  type AlertFilter,
  ListAlertsRepository,
} from '../../../apps/alerts/src/lifecycle/list-alerts.repository';
import { ExecutionsRepository } from '../../../apps/alerts/src/sources/rule/executions.repository';
import { RulesRepository } from '../../../apps/alerts/src/sources/rule/rules.repository';
import {
  ACCOUNT,
  OWNER,
  PAGE,
  RARE,
  type ListScene,
  type ServiceScene,
  addressOf,
  addressSql,
  atSql,
  idOf,
  idSql,
  newIdOf,
  newIdSql,
  numbered,
} from '../scene';

const ROWS_OF_A_WALLET = 200;
const WALLET = checksumAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8');
const POSITION = derivedId('pos', 'rare');
const RULE = derivedId('rule', 'rare');
const GROUP = derivedId('wgr', 'small');
const MIDDLE = 500_000;

export const alertsScene: ServiceScene = {
  app: 'alerts',
  schema: 'alerts',
  fill: (rows) => [
    `INSERT INTO alerts (id, account_id, position_id, type, severity, title, message, confidence_score, created_at,
       resolved_at, change_id, content, silence)
     SELECT ${newIdSql('alt', 'n')}, ${OWNER}, CASE WHEN rare THEN '${POSITION}' ELSE ${idSql('pos', `n % (${rows} / ${ROWS_OF_A_WALLET})`)} END,
       CASE WHEN rare THEN 'oracle_stale' ELSE 'health_factor_warning' END, CASE WHEN rare THEN 'critical' ELSE 'high' END,
       'title', 'message', 0.9, ${atSql('n')}, CASE WHEN n % ${RARE} <> 2 THEN now() END, n::text,
       jsonb_build_object('wallet', CASE WHEN rare THEN '${WALLET}' ELSE ${addressSql(`n % (${rows} / ${ROWS_OF_A_WALLET})`)} END,
         'protocol', CASE WHEN rare THEN 'compound-v3' WHEN n % 4 = 0 THEN 'aave-v3' ELSE 'venus' END,
         'chainId', CASE WHEN rare THEN 8453 WHEN n % 4 = 0 THEN 1 ELSE 56 END),
       CASE WHEN rare THEN 'muted' END
     FROM ${numbered(rows)}`,
    `INSERT INTO incidents (id, account_id, protocol, chain_id, trigger, severity, title, opened_at, closed_at)
     SELECT ${idSql('inc', 'n')}, ${OWNER}, 'aave-v3', n, 'price', 'high', 'title', now(), CASE WHEN NOT rare THEN now() END
     FROM ${numbered(rows)}`,
    `INSERT INTO executions (id, rule_id, account_id, alert_id, event_id, status, result, triggered_at, finished_at)
     SELECT ${idSql('exec', 'n')}, CASE WHEN rare THEN '${RULE}' ELSE ${idSql('rule', 'n % 1000')} END, ${OWNER},
       ${idSql('alt', 'n')}, ${idSql('evt', 'n')}, CASE WHEN rare THEN 'failed' ELSE 'completed' END, 'result', now(), now()
     FROM ${numbered(rows)}`,
    `INSERT INTO rules (id, account_id, position_id, name, condition_type, condition_value, action_type, is_active,
       created_at, updated_at)
     SELECT ${idSql('rule', 'n')}, ${OWNER}, ${idSql('pos', 'n')}, 'name', 'health_factor_below', 1.2, 'notify', true, now(), now()
     FROM ${numbered(rows)}`,
    `INSERT INTO watches (wallet, account_id, watching, changed_at, group_ids)
     SELECT ${addressSql('n')}, CASE WHEN n <= 10000 THEN '${ACCOUNT}' ELSE ${idSql('acc', 'n % 1000')} END, true, now(),
       CASE WHEN n <= 10000 AND n % 500 = 0 THEN '["${GROUP}"]' ELSE '[]' END::jsonb
     FROM ${numbered(rows)}`,
  ],
  lists: (pool): ListScene[] => {
    const prisma = createPrismaClient(PrismaClient, pool, 'alerts');
    const alerts = new ListAlertsRepository(pool);
    const incidents = new IncidentsReader(prisma);
    const executions = new ExecutionsRepository(prisma);
    const rules = new RulesRepository(pool);
    return [
      {
        name: 'GET /v1/alerts',
        filters: {
          status: ['resolved', 'active'],
          silence: ['none', 'muted', 'snoozed'],
          severity: ['high', 'critical', 'info'],
          type: ['health_factor_warning', 'oracle_stale', 'depeg'],
          wallet: [addressOf(4), WALLET, addressOf(999_999_999)],
          walletGroupId: [GROUP],
          protocol: ['venus', 'compound-v3', 'none'],
          chainId: [56, 8453, 10],
          positionId: [idOf('pos', 4), POSITION, derivedId('pos', 'none')],
          since: [new Date(Date.now() - 40 * 86_400_000), new Date(Date.now() - 3_600_000)].map((at) =>
            at.toISOString(),
          ),
          cursor: [newIdOf('alt', MIDDLE), newIdOf('alt', 1_000)],
        },
        disjoint: [{ protocol: 'aave-v3', chainId: 56 }],
        read: ({ cursor = null, ...filter }) =>
          alerts.list(ACCOUNT, filter as AlertFilter, cursor as string | null, PAGE),
      },
      {
        name: 'GET /v1/incidents',
        filters: { status: ['closed', 'open'], cursor: [idOf('inc', MIDDLE)] },
        read: ({ status, cursor = null }) =>
          incidents.list(ACCOUNT, status as 'open' | undefined, cursor as string | null, PAGE),
      },
      {
        name: 'GET /v1/automation/executions',
        filters: {
          ruleId: [idOf('rule', 2), RULE, derivedId('rule', 'none')],
          status: ['completed', 'failed', 'skipped'],
          cursor: [idOf('exec', MIDDLE)],
        },
        read: ({ cursor = null, ruleId, status }) =>
          executions.list(
            ACCOUNT,
            { ruleId: ruleId as string | undefined, status: status as ExecutionStatus | undefined },
            cursor as string | null,
            PAGE,
          ),
      },
      {
        name: 'GET /v1/automation/rules',
        filters: { cursor: [idOf('rule', MIDDLE)] },
        read: ({ cursor = null }) => rules.list(ACCOUNT, cursor as string | null, PAGE),
      },
    ];
  },
};
