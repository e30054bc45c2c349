import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { AssetHolder } from './asset-alert';

/** Reads the accounts that hold assets. */
@Injectable()
export class HoldersRepository {
  /**
   * Serialises changes of holders with changes of conditions on assets, so that each sees the other. A
   * transaction takes this lock last.
   */
  async lock(tx: SqlExecutor): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('plimsoll:alerts:holding', 0))`);
  }

  /**
   * Returns the accounts that watch a wallet with a position in the assets.
   * @param accountIds null: every account
   */
  async of(
    tx: SqlExecutor,
    assets: readonly string[],
    accountIds: readonly string[] | null,
  ): Promise<AssetHolder[]> {
    const { rows } = await tx.query<AssetHolder>(
      `SELECT DISTINCT held.asset, w.account_id AS "accountId"
       FROM unnest($1::text[]) AS held (asset)
       JOIN positions AS p ON p.assets ? held.asset
       JOIN watches AS w ON w.wallet = p.wallet AND w.watching
       WHERE $2::text[] IS NULL OR w.account_id = ANY($2)`,
      [assets, accountIds],
    );
    return rows;
  }
}
