import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { plimsoll } from '../api/client';
import { FALLBACK_MS, useDelayed, useStream } from '../api/live';
import { isPaged, readFirstPage } from '../api/paged-list';
import { registryQuery } from '../api/registry';
import { Filters } from '../design/filters';
import { formatAmount, formatCount, formatHealthFactor, formatShortUsd, shortened } from '../design/format';
import { Card, PageHeader } from '../design/layout';
import { LINK } from '../design/link';
import { CELL, FirstPage, LiveState, LongTable, NewRows, Older, ROW, WIDE, WIDEST } from '../design/list';
import { Empty } from '../design/notice';
import { useCalmList } from '../design/rows';
import { ALL, Select, byName } from '../design/select';
import { Address, Time, Usd } from '../design/values';
import { PlanCard } from '../positions/plan-needed';
import { marketOf } from '../positions/position-cells';
import {
  ACTIONS,
  type Activity,
  type ActivityFilter,
  type WhalesSearch,
  activityQuery,
  clustersQuery,
} from './requests';

/** Frames of one block come together. */
const [TOGETHER_MS, AGAIN_MS] = [250, 2_000];
const VALUES = [100_000, 1_000_000, 10_000_000];

const whales = (options: { signal: AbortSignal }) => plimsoll.streams.whales(options);

/** Large moves of positions, and groups of wallets that probably have one owner. */
export function WhalesPage(): ReactNode {
  const { view, ...filter } = useSearch({ from: '/signed-in/whales' });
  return (
    <>
      <PageHeader title="Whales">
        Large moves of positions, and wallets that probably have one owner.
      </PageHeader>
      <nav aria-label="Views" className="mb-4 flex gap-5">
        {([undefined, 'clusters'] as const).map((each) => (
          <Link
            key={each ?? 'activity'}
            to="/whales"
            search={each ? { view: each } : {}}
            aria-current={view === each ? 'page' : undefined}
            className={view === each ? 'font-semibold text-text' : LINK}
          >
            {each ? 'Clusters' : 'Activity'}
          </Link>
        ))}
      </nav>
      {view === 'clusters' ? (
        <PlanCard
          title="Clusters"
          plan="pro"
          needed="Clusters begin with the pro plan."
          purpose="Each has wallets that probably have one owner."
        >
          {() => <Clusters />}
        </PlanCard>
      ) : (
        <PlanCard
          title="Activity"
          plan="business"
          needed="Whale activity begins with the business plan."
          purpose="It lists large moves with their effect on the pool, the health factor and the rates."
        >
          {() => <ActivityCard filter={filter} />}
        </PlanCard>
      )}
    </>
  );
}

const COLUMNS = [
  { name: 'Move' },
  { name: 'Wallet', isWide: true },
  { name: 'Value', isRight: true },
  { name: 'Of the pool', isRight: true, isWide: true },
  { name: 'Health factor', isRight: true, isWidest: true },
  { name: 'Time', isRight: true },
];

const idOf = ({ id }: Activity): string => id;

function ActivityCard({ filter }: { filter: ActivityFilter }): ReactNode {
  const navigate = useNavigate({ from: '/whales' });
  const show = (search: WhalesSearch): void => void navigate({ search });
  const queries = useQueryClient();
  const names = useQuery(registryQuery).data;
  const { queryKey } = activityQuery(filter);
  const list = useInfiniteQuery({
    ...activityQuery(filter),
    refetchInterval: (query) => (isPaged(query) ? false : FALLBACK_MS),
  });
  const pages = list.data?.pages ?? 0;
  const readLater = useDelayed(
    useCallback((): boolean => {
      if (pages < 2) void queries.invalidateQueries({ queryKey: ['whale-activity'] });
      return false;
    }, [queries, pages]),
    AGAIN_MS,
    TOGETHER_MS,
  );
  useStream(
    whales,
    useCallback(({ type }: { type: string }): void => void (type === 'event' && readLater()), [readLater]),
  );
  const { rows, newer, toTop } = useCalmList(list.data?.activity ?? [], idOf);
  const active = Object.values(filter).filter((value) => value !== undefined).length;
  return (
    <>
      <NewRows count={newer} name={newer === 1 ? 'move' : 'moves'} onShow={toTop} />
      <Card
        title="Activity"
        aside={
          <span className="text-sm text-soft">
            <LiveState
              name="moves"
              isPaused={list.isFetchNextPageError || pages > 1}
              onResume={() => void readFirstPage(queries, queryKey)}
            />
          </span>
        }
      >
        <Filters active={active} onClear={() => show({})}>
          <Select
            label="Action"
            choices={[ALL, ...ACTIONS.map((action) => ({ value: action, label: action }))]}
            value={filter.action ?? ''}
            onChange={(action) => show({ ...filter, action: ACTIONS.find((each) => each === action) })}
          />
          <Select
            label="Protocol"
            choices={byName(names?.protocols)}
            value={filter.protocol ?? ''}
            hasFixedWidth
            onChange={(protocol) => show({ ...filter, protocol: protocol || undefined })}
          />
          <Select
            label="Chain"
            choices={byName(names?.chains)}
            value={String(filter.chain ?? '')}
            hasFixedWidth
            onChange={(chain) => show({ ...filter, chain: chain === '' ? undefined : Number(chain) })}
          />
          <Select
            label="Value"
            choices={[
              ALL,
              ...VALUES.map((usd) => ({ value: String(usd), label: `from ${formatShortUsd(usd)} USD` })),
            ]}
            value={String(filter.minUsd ?? '')}
            onChange={(minUsd) => show({ ...filter, minUsd: minUsd === '' ? undefined : Number(minUsd) })}
          />
        </Filters>
        <FirstPage list={list} />
        {list.data && rows.length === 0 && (
          <Empty title={active > 0 ? 'No move matches.' : 'No large move was seen yet.'}>
            <p className="text-soft">A move appears here after its block.</p>
          </Empty>
        )}
        {rows.length > 0 && (
          <LongTable label="Whale activity" columns={COLUMNS} rows={rows}>
            {(move, properties) => (
              <tr key={move.id} {...properties} className={ROW}>
                <td className={`${CELL} min-w-0 max-lg:w-full`}>
                  <span className="font-medium">
                    {move.action} {formatAmount(move.amount)} {move.asset}
                  </span>
                  <span className="block text-sm text-soft">
                    {marketOf(move, names)}
                    <span className="lg:hidden"> · {shortened(move.wallet)}</span>
                  </span>
                </td>
                <td className={`${CELL} ${WIDE}`}>
                  <Address value={move.wallet} />
                </td>
                <td className={`${CELL} text-right`}>
                  <Usd value={move.usdValue} />
                </td>
                <td
                  className={`${CELL} text-right whitespace-nowrap ${WIDE}`}
                  title={move.shareOfPoolReason ?? undefined}
                >
                  {shareText(move.shareOfPoolPercent)}
                </td>
                <td
                  className={`${CELL} text-right whitespace-nowrap ${WIDEST}`}
                  title={move.healthFactorReason ?? undefined}
                >
                  {healthOf(move)}
                </td>
                <td className={`${CELL} text-right`}>
                  <Time at={move.timestamp} />
                </td>
              </tr>
            )}
          </LongTable>
        )}
        {list.hasNextPage && <Older name="moves" count={rows.length} list={list} />}
      </Card>
    </>
  );
}

/** Null is no debt only where the reason says so. */
function healthOf({ healthFactorBefore, healthFactorAfter, healthFactorReason }: Activity): string {
  const none = healthFactorReason === 'no_debt' ? 'no debt' : 'unknown';
  if (healthFactorBefore === null && healthFactorAfter === null) return none;
  const text = (value: number | null): string => (value === null ? none : formatHealthFactor(value));
  return `${text(healthFactorBefore)} → ${text(healthFactorAfter)}`;
}

/** 12.4 %, 0.03 %, below 0.01 %. Null: unknown. */
function shareText(percent: number | null): string {
  if (percent === null) return 'unknown';
  if (percent > 0 && percent < 0.01) return 'below 0.01 %';
  return `${percent.toFixed(percent < 10 ? 2 : 1)} %`;
}

function Clusters(): ReactNode {
  const names = useQuery(registryQuery).data;
  const list = useInfiniteQuery(clustersQuery);
  const { clusters = [] } = list.data ?? {};
  return (
    <Card title="Clusters">
      <FirstPage list={list} />
      {list.data && clusters.length === 0 && (
        <Empty title="No cluster is known yet.">
          <p className="text-soft">A cluster appears here when the evidence joins two wallets.</p>
        </Empty>
      )}
      {clusters.length > 0 && (
        <LongTable
          label="Clusters"
          columns={[
            { name: 'Cluster' },
            { name: 'Net value', isRight: true },
            { name: 'Wallets', isRight: true },
            { name: 'Most moved in', isWide: true },
          ]}
          rows={clusters}
        >
          {({ id, walletCount, totalValueUsd, dominantProtocol }, properties) => (
            <tr key={id} {...properties} className={ROW}>
              <td className={`${CELL} max-lg:w-full`}>
                <Link
                  to="/whales/clusters/$id"
                  params={{ id }}
                  className="font-mono text-sm outline-offset-[-2px] after:absolute after:inset-0"
                >
                  {id}
                </Link>
              </td>
              <td className={`${CELL} text-right`}>
                <Usd value={totalValueUsd} />
              </td>
              <td className={`${CELL} text-right`}>{formatCount(walletCount)}</td>
              <td className={`${CELL} ${WIDE}`}>
                {names?.protocols.get(dominantProtocol) ?? dominantProtocol}
              </td>
            </tr>
          )}
        </LongTable>
      )}
      {list.hasNextPage && <Older name="clusters" order="further" count={clusters.length} list={list} />}
    </Card>
  );
}
