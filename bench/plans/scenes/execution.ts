import { derivedId } from '@plimsoll/contracts';
import { createPrismaClient } from '@plimsoll/service-kit';
import {
  type ExecutionFilter,
  ExecutionsRepository,
} from '../../../apps/execution/src/executions/executions.repository';
import { PrismaClient } from '../../../apps/execution/src/generated/prisma/client';
import { AuthorisationsRepository } from '../../../apps/execution/src/submission/authorisations.repository';
import {
  ACCOUNT,
  OWNER,
  PAGE,
  type ListScene,
  type ServiceScene,
  addressSql,
  idOf,
  idSql,
  numbered,
} from '../scene';

const POSITION = derivedId('pos', 'rare');

export const executionScene: ServiceScene = {
  app: 'execution',
  schema: 'execution',
  fill: (rows) => [
    `INSERT INTO executions (id, account_id, position_id, mode, dry_run, strategy, status, built_status, protocol, chain_id,
       market, wallet, target_health_factor, max_slippage_bps, deadline, plan, sequence, created_at, updated_at)
     SELECT ${idSql('exec', 'n')}, ${OWNER}, CASE WHEN rare THEN '${POSITION}' ELSE ${idSql('pos', 'n % 5000')} END, 'build',
       false, 'repay', 'completed', CASE WHEN rare THEN 'cancelled' WHEN n % 4 = 0 THEN 'completed' END, 'aave-v3', 1, 'main',
       ${addressSql('n % 5000')}, 1.5, 50, now(), '{}', 1, now(), now()
     FROM ${numbered(rows)}`,
    `INSERT INTO execution_steps (execution_id, name, at) SELECT ${idSql('exec', 'n')}, 'simulated', now() FROM ${numbered(rows)}`,
    `INSERT INTO authorisations (id, account_id, chain_id, wallet, nonce, signature, at, expires_at)
     SELECT ${idSql('aut', 'n')}, ${OWNER}, 1, ${addressSql('n')}, n::text, '0x', now() - (${rows} - n) * interval '1 second', now()
     FROM ${numbered(rows)}`,
  ],
  lists: (pool): ListScene[] => {
    const executions = new ExecutionsRepository(pool, createPrismaClient(PrismaClient, pool, 'execution'));
    const authorisations = new AuthorisationsRepository(pool);
    return [
      {
        name: 'GET /v1/execution/status',
        filters: {
          positionId: [idOf('pos', 2), POSITION, derivedId('pos', 'none')],
          status: ['completed', 'cancelled', 'failed'],
          cursor: [idOf('exec', 500_000)],
        },
        read: async ({ cursor = null, ...filter }) => {
          const found = await executions.list(
            ACCOUNT,
            filter as unknown as ExecutionFilter,
            cursor as string | null,
            PAGE,
          );
          await executions.stepsOf(found.map(({ id }) => id));
        },
      },
      {
        name: 'GET /v1/execution/status of one execution',
        filters: { id: [idOf('exec', 4)] },
        read: ({ id = idOf('exec', 6) }) => executions.find(ACCOUNT, id as string),
      },
      {
        name: 'GET /v1/execution/authorisations',
        filters: { cursor: [[Date.now() - 500_000_000, idOf('aut', 500_000)]] },
        read: ({ cursor = null }) => authorisations.list(ACCOUNT, cursor as [number, string] | null, PAGE),
      },
    ];
  },
};
