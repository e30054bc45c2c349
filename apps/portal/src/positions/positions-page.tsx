import {
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { fieldsOf } from '../account/forms';
import { csvOf, save } from '../api/csv';
import { apiOrigin, readCsv } from '../api/origin';
import { isPaged, readFirstPage } from '../api/paged-list';
import { registryQuery } from '../api/registry';
import { Button } from '../design/button';
import { Code } from '../design/code';
import { formatCount } from '../design/format';
import { Card, PageHeader } from '../design/layout';
import { FirstPage, LiveState, LongTable, Older, ROW } from '../design/list';
import { Empty, ErrorNotice, Notice } from '../design/notice';
import { Time } from '../design/values';
import { useLivePositions } from './live';
import { COLUMNS, type Names, PositionCells, marketOf } from './position-cells';
import { PositionFilters } from './position-filters';
import { PositionTotals } from './position-totals';
import {
  type PositionFilter,
  type PositionList,
  type PositionsSearch,
  MOST,
  parametersOf,
  positionsQuery,
  walletsQuery,
} from './requests';
import { WatchDialog } from './watch-dialog';

export function PositionsPage(): ReactNode {
  const { dialog, ...filter } = useSearch({ from: '/signed-in/positions' });
  const navigate = useNavigate({ from: '/positions' });
  const show = (search: PositionsSearch): void => void navigate({ search });
  const watch = (): void => show({ ...filter, dialog: 'watch' });
  const { source, restMs } = useLivePositions();
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    ...positionsQuery(filter),
    refetchInterval: (query) => (isPaged(query) ? false : restMs),
  });
  const names = useQuery(registryQuery).data;
  const wallets = useQuery(walletsQuery).data;
  const csv = useCsv(filter);
  const { positions = [], isComplete = true, blocks = {}, unreadable = [] } = list.data ?? {};
  const isFiltered = Object.values({ ...filter, sort: undefined }).some((value) => value !== undefined);
  return (
    <>
      <PageHeader
        title="Positions"
        action={
          <span className="flex w-full flex-wrap gap-2 sm:w-auto">
            <LookUp onFind={(wallet) => show({ wallet })} />
            <Button kind="primary" onPress={watch}>
              Watch a wallet
            </Button>
          </span>
        }
      >
        What the watched wallets supply and owe, the nearest to liquidation first.
      </PageHeader>
      <div className="flex flex-col gap-6">
        {positions.length > 0 && <PositionTotals positions={positions} isComplete={isComplete} />}
        <Unreadable parts={unreadable} names={names} />
        {csv.isError && <ErrorNotice error={csv.error} />}
        {csv.data && (csv.data.isIncomplete || csv.data.isCut) && (
          <Notice tone="warn" title="The file lacks positions">
            {csv.data.isIncomplete && <p>Some parts could not be read.</p>}
            {csv.data.isCut && (
              <p>The list has more pages than one file. Filter it, or read it with a key.</p>
            )}
          </Notice>
        )}
        <Card
          title="Positions"
          aside={
            <span className="flex flex-wrap items-center gap-4 text-sm text-soft">
              <Blocks blocks={blocks} names={names} />
              {source === 'slow_polling' ? (
                <ReadAgain list={list} />
              ) : (
                <LiveState
                  name="positions"
                  order="further"
                  isPaused={
                    list.isFetchNextPageError || (source === 'polling' && (list.data?.pages ?? 0) > 1)
                  }
                  onResume={() => void readFirstPage(queries, positionsQuery(filter).queryKey)}
                />
              )}
              {positions.length > 0 && (
                <Button size="small" isPending={csv.isPending} onPress={() => csv.mutate()}>
                  Download CSV
                </Button>
              )}
            </span>
          }
        >
          {(isFiltered || positions.length > 0 || list.isPending) && (
            <PositionFilters filter={filter} show={show} />
          )}
          <FirstPage list={list} />
          {list.data && positions.length === 0 && (
            <NoPositions isFiltered={isFiltered} watchesNone={wallets?.size === 0} onWatch={watch} />
          )}
          {positions.length > 0 && (
            <LongTable label="Positions" columns={COLUMNS} rows={positions}>
              {(position, properties) => (
                <tr key={position.id} {...properties} className={ROW}>
                  <PositionCells
                    position={position}
                    label={wallets?.get(position.wallet.toLowerCase())}
                    names={names}
                  />
                </tr>
              )}
            </LongTable>
          )}
          {list.hasNextPage && (
            <Older name="positions" order="further" count={positions.length} list={list} />
          )}
        </Card>
      </div>
      {dialog === 'watch' && <WatchDialog onClose={() => show(filter)} />}
    </>
  );
}

/** Says how old the figures are, in the plan without events. */
function ReadAgain({
  list: { dataUpdatedAt, isFetching, refetch },
}: {
  list: Pick<UseInfiniteQueryResult, 'dataUpdatedAt' | 'isFetching' | 'refetch'>;
}): ReactNode {
  return (
    <>
      {dataUpdatedAt > 0 && (
        <span>
          read <Time at={new Date(dataUpdatedAt).toISOString()} />
        </span>
      )}
      <Button size="small" isPending={isFetching} onPress={() => void refetch()}>
        Read again
      </Button>
    </>
  );
}

/** Saves the list with its filter as the API sends it. */
function useCsv(filter: PositionFilter) {
  return useMutation({
    mutationFn: async () => {
      const parameters = Object.entries({ ...parametersOf(filter), limit: MOST });
      const query = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]));
      const file = await csvOf(`/v1/positions?${query.toString()}`, readCsv);
      save(file.text, `positions-${new Date().toISOString().slice(0, 10)}.csv`);
      return file;
    },
  });
}

function NoPositions({
  isFiltered,
  watchesNone,
  onWatch,
}: {
  isFiltered: boolean;
  watchesNone: boolean;
  onWatch: () => void;
}): ReactNode {
  if (isFiltered)
    return (
      <Empty title="No position matches.">
        <p className="text-soft">Clear the filters, or look up another wallet.</p>
      </Empty>
    );
  if (!watchesNone)
    return (
      <Empty title="The watched wallets have no open positions.">
        <p className="text-soft">A new position appears here after the block that opens it.</p>
      </Empty>
    );
  return (
    <Empty title="No wallets yet. Watch one, and its positions appear here.">
      <Button kind="primary" onPress={onWatch}>
        Watch the first wallet
      </Button>
      <div className="w-full max-w-2xl pt-2">
        <Code
          label="curl"
          code={`curl -X POST ${apiOrigin}/v1/wallets \\\n  -H "x-api-key: YOUR_API_KEY" -H "content-type: application/json" \\\n  -d '{"address":"0x…","label":"Treasury"}'`}
        />
      </div>
    </Empty>
  );
}

/** Says what could not be read, because a list without it looks complete. */
function Unreadable({
  parts,
  names,
}: {
  parts: PositionList['unreadable'];
  names: Names | undefined;
}): ReactNode {
  if (parts.length === 0) return null;
  return (
    <Notice tone="warn" title="Some positions could not be read">
      <ul>
        {parts.map((part) => (
          <li key={`${part.protocol} ${part.chainId}`}>
            {marketOf(part, names)}: {part.reason}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const MOST_BLOCKS = 3;

/** The block of the figures of each chain. */
function Blocks({
  blocks,
  names,
}: {
  blocks: PositionList['asOfBlock'];
  names: Names | undefined;
}): ReactNode {
  const all = Object.entries(blocks).map(
    ([chain, block]) => `${names?.chains.get(Number(chain)) ?? `chain ${chain}`} ${formatCount(block)}`,
  );
  if (all.length === 0) return null;
  if (all.length > MOST_BLOCKS) return <span title={all.join(', ')}>{formatCount(all.length)} chains</span>;
  return <span>Block: {all.join(', ')}</span>;
}

function LookUp({ onFind }: { onFind: (wallet: string) => void }): ReactNode {
  return (
    <Form
      role="search"
      aria-label="Look up a wallet"
      className="flex min-w-0 grow gap-2"
      onSubmit={(event) => {
        const wallet = (fieldsOf(event)['wallet'] ?? '').trim();
        if (wallet) onFind(wallet);
      }}
    >
      <input
        name="wallet"
        aria-label="Address or ENS name"
        placeholder="0x… or name.eth"
        autoComplete="off"
        maxLength={255}
        className="h-9 min-w-0 grow rounded-md border border-line-strong bg-surface px-3 font-mono text-sm text-text placeholder:text-faint sm:w-56"
      />
      <Button type="submit">Look up</Button>
    </Form>
  );
}
