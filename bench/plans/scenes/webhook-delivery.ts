import { derivedId } from '@plimsoll/contracts';
import { createPrismaClient } from '@plimsoll/service-kit';
import { WebhooksRepository } from '../../../apps/webhook-delivery/src/endpoints/webhooks.repository';
import {
  type EventListFilter,
  EventsRepository,
} from '../../../apps/webhook-delivery/src/events/events.repository';
import { PrismaClient } from '../../../apps/webhook-delivery/src/generated/prisma/client';
import {
  DeliveriesRepository,
  type DeliveryFilter,
} from '../../../apps/webhook-delivery/src/log/deliveries.repository';
import {
  ACCOUNT,
  OWNER,
  PAGE,
  RARE,
  type ListScene,
  type ServiceScene,
  atSql,
  idOf,
  idSql,
  newIdOf,
  newIdSql,
  numbered,
} from '../scene';

const WEBHOOK = derivedId('wh', 'large');
const POSITION = derivedId('pos', 'rare');
const MIDDLE = newIdOf('del', 500_000);
const STATE = `CASE n % ${RARE} WHEN 0 THEN 'pending' WHEN 2 THEN 'retrying' WHEN 4 THEN 'failed' WHEN 6 THEN 'skipped' ELSE 'delivered' END`;
const EARLIER_MS = Date.now() - 40 * 86_400_000;

export const webhookDeliveryScene: ServiceScene = {
  app: 'webhook-delivery',
  schema: 'webhook_delivery',
  fill: (rows) => [
    `INSERT INTO webhooks (id, account_id, url, events, secret_key_id, secret_sealed, created_at)
     SELECT CASE n WHEN 1000 THEN '${WEBHOOK}' ELSE ${idSql('wh', 'n')} END,
       CASE n WHEN 1000 THEN '${ACCOUNT}' ELSE ${idSql('acc', 'n')} END, 'https://8.8.8.8/hook', '{}', 'test', '', now()
     FROM generate_series(0, 1000) AS n`,
    `INSERT INTO deliveries (id, webhook_id, account_id, event_id, event, subject, body, state, due_at, created_at)
     SELECT ${newIdSql('del', 'n')}, CASE WHEN n % 2 = 0 THEN '${WEBHOOK}' ELSE ${idSql('wh', 'n % 1000')} END, ${OWNER},
       ${idSql('evt', 'n')}, CASE WHEN rare THEN 'alert.group' ELSE 'position.updated' END,
       CASE WHEN rare THEN '${POSITION}' ELSE ${idSql('pos', 'n % 5000')} END, '{}', ${STATE},
       CASE WHEN n % ${RARE} IN (0, 2) THEN now() END, ${atSql('n')}
     FROM ${numbered(rows)}`,
    `INSERT INTO attempts (delivery_id, attempt, started_at, duration_ms, status_code, response_head)
     SELECT ${newIdSql('del', 'n')}, 1, now(), 5, 200, '' FROM ${numbered(rows)}`,
  ],
  lists: (pool): ListScene[] => {
    const deliveries = new DeliveriesRepository(pool);
    const events = new EventsRepository(pool);
    const webhooks = new WebhooksRepository(createPrismaClient(PrismaClient, pool, 'webhook_delivery'), pool);
    return [
      {
        name: 'GET /v1/events',
        filters: {
          type: ['position.updated', 'alert.group', 'test.ping'],
          subject: [idOf('pos', 2), POSITION, derivedId('pos', 'none')],
          since: [EARLIER_MS, Date.now() - 3_600_000],
          cursor: [MIDDLE],
        },
        read: ({ cursor = null, since = 0, ...filter }) =>
          events.list(
            ACCOUNT,
            { ...filter, sinceMs: since } as EventListFilter,
            cursor as string | null,
            PAGE,
          ),
      },
      {
        name: 'GET /v1/webhooks/{id}/deliveries',
        filters: {
          state: ['delivered', 'pending', 'retrying', 'failed', 'skipped'],
          event: ['position.updated', 'alert.group', 'test.ping'],
          since: [EARLIER_MS, Date.now() - 3_600_000],
          cursor: [MIDDLE],
        },
        read: async ({ cursor = null, since = null, ...filter }) => {
          const all = { state: null, event: null, ...filter, sinceMs: since } as DeliveryFilter;
          const found = await deliveries.list(WEBHOOK, all, cursor as string | null, PAGE);
          await deliveries.attemptsOf(
            found.map(({ id }) => id),
            { headLength: 100, hasHeaders: false },
          );
        },
      },
      {
        name: 'GET /v1/webhooks',
        filters: { cursor: [WEBHOOK] },
        read: ({ cursor = null }) => webhooks.list(ACCOUNT, cursor as string | null, PAGE),
      },
    ];
  },
};
