import { type PageQuery, type RequestLogQuery, derivedId } from '@plimsoll/contracts';
import { encodeCursor } from '@plimsoll/service-kit';
import { AuditLog } from '../../../apps/gateway/src/identity/audit/audit-log';
import { createPrisma } from '../../../apps/gateway/src/identity/database/prisma';
import { KeyListing } from '../../../apps/gateway/src/identity/keys/key-list';
import {
  LOGGED_DAYS,
  RequestLogPartitions,
} from '../../../apps/gateway/src/request-log/request-log-partitions';
import { RequestLogReader } from '../../../apps/gateway/src/request-log/request-log-reader';
import {
  ACCOUNT,
  OWNER,
  PAGE,
  RARE,
  type ListScene,
  type ServiceScene,
  idOf,
  idSql,
  numbered,
} from '../scene';

const DAY_MS = 86_400_000;
const KEY = derivedId('key', 'rare');
const AT_MS = Date.now() - 3 * DAY_MS;
const limit = PAGE - 1;

export const gatewayScene: ServiceScene = {
  app: 'gateway',
  schema: 'gateway',
  async prepare(pool) {
    const partitions = new RequestLogPartitions(pool);
    for (let day = 0; day <= LOGGED_DAYS; day += 1)
      await partitions.make(new Date(Date.now() - day * DAY_MS));
  },
  fill: (rows) => [
    `INSERT INTO accounts (id, email, tier) VALUES ('${ACCOUNT}', 'large@example.com', 'enterprise')`,
    `INSERT INTO accounts (id, email, tier)
     SELECT ${idSql('acc', 'n')}, n || '@example.com', 'pro' FROM generate_series(0, 9999) AS n`,
    `INSERT INTO api_keys (id, account_id, key_hash, hint, name, scopes, created_at)
     SELECT ${idSql('key', 'n')}, CASE n % 10000 WHEN 0 THEN '${ACCOUNT}' ELSE ${idSql('acc', 'n % 10000')} END,
       lpad(to_hex(n), 64, '0'), 'hint', 'name', '{}', now() - (${rows} - n) * interval '1 second'
     FROM ${numbered(rows)}`,
    `INSERT INTO audit_entries (id, account_id, action, actor, created_at)
     SELECT ${idSql('aud', 'n')}, ${OWNER}, 'key_created', 'session', now() - (${rows} - n) * interval '1 second'
     FROM ${numbered(rows)}`,
    `INSERT INTO request_log (account_id, created_at, request_id, method, path, status, duration_ms, key_id)
     SELECT ${OWNER}, now() - n * interval '${LOGGED_DAYS * 86_000} seconds' / ${rows}, ${idSql('req', 'n')}, 'GET',
       '/v1/positions', CASE n % ${RARE} WHEN 0 THEN 500 WHEN 2 THEN NULL WHEN 4 THEN 404 ELSE 200 END, 3.2,
       CASE n % ${RARE} WHEN 0 THEN '${KEY}' WHEN 6 THEN NULL ELSE ${idSql('key', 'n % 4')} END
     FROM ${numbered(rows)}`,
  ],
  lists: (pool): ListScene[] => {
    const log = new RequestLogReader(pool);
    const audit = new AuditLog(createPrisma(pool));
    const keys = new KeyListing(pool);
    return [
      {
        name: 'GET /account/v1/requests',
        filters: {
          requestId: [idOf('req', 2), 'none'],
          keyId: [idOf('key', 2), KEY, derivedId('key', 'none')],
          source: ['key', 'session'],
          status: ['2xx', '4xx', '5xx', 'none', '3xx'],
          cursor: [encodeCursor([AT_MS, '500000'])],
        },
        read: (filter) => log.list(ACCOUNT, { limit, ...filter } as RequestLogQuery),
      },
      {
        name: 'GET /account/v1/audit',
        filters: { cursor: [encodeCursor([AT_MS, idOf('aud', 500_000)])] },
        read: (filter) => audit.list(ACCOUNT, { limit, ...filter } as PageQuery),
      },
      {
        name: 'GET /account/v1/keys',
        filters: { cursor: [encodeCursor([AT_MS, idOf('key', 500_000)])] },
        more: { rows: 20_000, ms: 500, because: 'The rank of each key counts the keys of its account.' },
        read: (filter) => keys.list(ACCOUNT, 'enterprise', { limit, ...filter } as PageQuery),
      },
    ];
  },
};
