import { Inject, Injectable } from '@nestjs/common';
import {
  type ClusterEvidenceItem,
  type WhaleClusterAnswer,
  type WhaleClusterItem,
  checksumAddress,
  newId,
} from '@plimsoll/contracts';
import { inTransaction } from '@plimsoll/service-kit';
import { carryIds } from '@plimsoll/whale-clusters';
import { Pool, type PoolClient } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import type { Cluster } from './find-clusters';

/** Most wallets and pieces of evidence in one response. */
const MOST_SHOWN = 1_000;

/** The last computed clusters. */
@Injectable()
export class ClustersRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  /** Highest value first, after the cursor. */
  async list(
    place: { totalValueUsd: number; id: string } | null,
    limit: number,
  ): Promise<WhaleClusterItem[]> {
    const { rows } = await this.pool.query<WhaleClusterItem>(
      `SELECT id, wallet_count AS "walletCount", total_value_usd AS "totalValueUsd",
         dominant_protocol AS "dominantProtocol"
       FROM clusters WHERE $1::float8 IS NULL OR (total_value_usd, id) < ($1, $2)
       ORDER BY total_value_usd DESC, id DESC LIMIT $3`,
      [place?.totalValueUsd ?? null, place?.id ?? null, limit],
    );
    return rows;
  }

  async find(id: string): Promise<WhaleClusterAnswer['cluster'] | null> {
    const found = await this.prisma.cluster.findUnique({
      where: { id },
      include: {
        wallets: { orderBy: [{ valueUsd: 'desc' }, { wallet: 'asc' }], take: MOST_SHOWN },
        evidence: {
          orderBy: [{ weight: 'desc' }, { block: 'asc' }, { a: 'asc' }, { b: 'asc' }],
          take: MOST_SHOWN,
        },
      },
    });
    if (!found) return null;
    const { wallets, evidence, updatedAt, ...cluster } = found;
    return {
      ...cluster,
      wallets: wallets.map(({ wallet, valueUsd }) => ({ wallet: checksumAddress(wallet), valueUsd })),
      evidence: evidence.map(({ kind, a, b, weight, chainId, block }) => ({
        kind: kind as ClusterEvidenceItem['kind'],
        weight,
        chainId: Number(chainId),
        block: Number(block),
        wallets: [checksumAddress(a), checksumAddress(b)],
      })),
      updatedAt: updatedAt.toISOString(),
    };
  }

  /** Replaces all clusters. Each keeps the id of the one that it continues. */
  async replace(clusters: readonly Cluster[], nowMs: number): Promise<void> {
    await inTransaction(this.pool, async (tx) => {
      // When two instances finish at the same time, the second one continues the ids of the first.
      await tx.query(`SELECT pg_advisory_xact_lock(hashtext('whale-clusters'))`);
      const known = await tx.query<{ id: string; wallets: string[] }>(
        'SELECT cluster_id AS id, array_agg(wallet) AS wallets FROM cluster_wallets GROUP BY cluster_id',
      );
      const wallets = clusters.map(({ valueUsd }) => [...valueUsd.keys()]);
      const ids = carryIds(known.rows, wallets, () => newId('wc'));
      await tx.query('DELETE FROM clusters');
      await insertClusters(tx, clusters, ids, nowMs);
      await insertWallets(tx, clusters, ids);
      await insertEvidence(tx, clusters, ids);
    });
  }
}

async function insertClusters(
  tx: PoolClient,
  clusters: readonly Cluster[],
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  await tx.query(
    `INSERT INTO clusters (id, wallet_count, total_value_usd, dominant_protocol, updated_at)
     SELECT *, to_timestamp($5::float8 / 1000) FROM unnest($1::text[], $2::int[], $3::float8[], $4::text[])`,
    [
      ids,
      clusters.map(({ valueUsd }) => valueUsd.size),
      clusters.map(({ totalValueUsd }) => totalValueUsd),
      clusters.map(({ dominantProtocol }) => dominantProtocol),
      nowMs,
    ],
  );
}

async function insertWallets(
  tx: PoolClient,
  clusters: readonly Cluster[],
  ids: readonly string[],
): Promise<void> {
  const rows = clusters.flatMap(({ valueUsd }, at) =>
    [...valueUsd].map(([wallet, usd]) => ({ wallet, usd, id: ids[at] })),
  );
  await tx.query(
    `INSERT INTO cluster_wallets (wallet, cluster_id, value_usd)
     SELECT * FROM unnest($1::text[], $2::text[], $3::float8[])`,
    [rows.map(({ wallet }) => wallet), rows.map(({ id }) => id), rows.map(({ usd }) => usd)],
  );
}

async function insertEvidence(
  tx: PoolClient,
  clusters: readonly Cluster[],
  ids: readonly string[],
): Promise<void> {
  const rows = clusters.flatMap(({ evidence }, at) => evidence.map((each) => ({ ...each, id: ids[at] })));
  await tx.query(
    `INSERT INTO cluster_evidence (cluster_id, kind, a, b, chain_id, weight, block)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::float8[], $7::bigint[])
     ON CONFLICT DO NOTHING`,
    [
      rows.map(({ id }) => id),
      rows.map(({ kind }) => kind),
      rows.map(({ a }) => a),
      rows.map(({ b }) => b),
      rows.map(({ chainId }) => chainId),
      rows.map(({ weight }) => weight),
      rows.map(({ block }) => block),
    ],
  );
}
