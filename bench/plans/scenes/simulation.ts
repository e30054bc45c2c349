import { derivedId } from '@plimsoll/contracts';
import { ForecastReceiptsRepository } from '../../../apps/simulation/src/track-record/forecast-receipts.repository';
import { RecordReader } from '../../../apps/simulation/src/track-record/record.reader';
import { PAGE, type ListScene, type ServiceScene, idOf, idSql, numbered } from '../scene';

const HOUR_MS = 3_600_000;
/** Has half of the forecasts, one for each horizon and hour. */
const POSITION = derivedId('pos', 'large');
/** Where the list of the position is in its middle. */
const MIDDLE_HOURS = 80_000;

export const simulationScene: ServiceScene = {
  app: 'simulation',
  schema: 'simulation',
  fill: (rows) => [
    `INSERT INTO forecasts (position_id, horizon_days, slot, made_at, expires_at, sequence, block, chain_id, protocol, asset, band,
       health_factor, model, model_version, probability, standard_error, outcome, resolved_at)
     SELECT position_id, horizon, slot, slot, slot + horizon * interval '1 day', 1, n, 1, 'aave-v3', 'ETH', '1.2-1.5', 1.3, 'jumps',
       '1', 0.1, 0.01, CASE WHEN slot < now() - horizon * interval '1 day' THEN 'untouched' END, slot + horizon * interval '1 day'
     FROM (
       SELECT n, CASE WHEN n % 2 = 0 THEN '${POSITION}' ELSE ${idSql('pos', 'n % 1000')} END AS position_id,
         (ARRAY[1, 7, 30])[place % 3 + 1] AS horizon,
         date_trunc('hour', now()) - (place / 3) * interval '1 hour' AS slot
       FROM (SELECT n, CASE WHEN n % 2 = 0 THEN n / 2 ELSE n / 1000 END AS place FROM ${numbered(rows)}) AS placed
     ) AS made`,
    `INSERT INTO forecast_receipts (position_id, slot, hash)
     SELECT position_id, slot, md5(position_id || slot) FROM forecasts GROUP BY position_id, slot`,
  ],
  lists: (pool): ListScene[] => {
    const receipts = new ForecastReceiptsRepository(pool);
    const record = new RecordReader(pool);
    const slot = new Date(Math.floor(Date.now() / HOUR_MS - MIDDLE_HOURS) * HOUR_MS);
    return [
      {
        name: 'GET /v1/positions/{id}/forecasts',
        filters: {
          id: [POSITION, idOf('pos', 7), derivedId('pos', 'none')],
          cursor: [{ slot, horizonDays: 7 }],
        },
        read: async ({ id = POSITION, cursor = null }) => {
          await receipts.newestHash(id as string);
          await receipts.list(id as string, PAGE, cursor as { slot: Date; horizonDays: number } | null);
        },
      },
      {
        name: 'GET /v1/risk/track-record',
        filters: {},
        more: {
          rows: Infinity,
          ms: 10_000,
          because:
            'It sums every forecast, once for TRACK_RECORD_CACHE_MS. Filters select from the sums in memory.',
          tables: ['forecasts'],
        },
        read: () => record.read(Date.now()),
      },
    ];
  },
};
