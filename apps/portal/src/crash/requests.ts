import { queryOptions } from '@tanstack/react-query';
import { plimsoll } from '../api/client';
import type { Alert } from './alert';
import { newestFirst } from './alert-list';

/** Most items that the API sends at once. */
const MOST = 200;

/** The default of the API. Repayments and deposits have none. */
const SLIPPAGE_BPS = 50;

/** Active alerts, the last change first. */
export const activeAlertsQuery = queryOptions({
  queryKey: ['active-alerts'],
  queryFn: async ({ signal }): Promise<readonly Alert[]> =>
    newestFirst((await plimsoll.alerts.list({ status: 'active', limit: MOST }, { signal })).alerts),
});

/** The amounts that a position needs now to reach a health factor. Nothing is executed. */
export const deleverageQuery = (id: string, targetHealthFactor: number) =>
  queryOptions({
    queryKey: ['deleverage', id, targetHealthFactor],
    queryFn: async ({ signal }) =>
      await plimsoll.positions.planDeleverage(
        { id, targetHealthFactor, maxSlippageBps: SLIPPAGE_BPS },
        { signal },
      ),
    staleTime: 0,
  });
