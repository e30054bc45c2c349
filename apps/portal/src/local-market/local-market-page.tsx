import { ApiError } from '@plimsoll/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { fieldErrors, fieldsOf } from '../account/forms';
import { registryQuery } from '../api/registry';
import { Button } from '../design/button';
import { RadioGroup, TextField } from '../design/field';
import { formatChange, formatCount, formatDuration, formatPrice } from '../design/format';
import { Card, PageHeader } from '../design/layout';
import { LINK } from '../design/link';
import { Empty, ErrorNotice, Loading, Notice } from '../design/notice';
import { Changing, Measure } from '../design/values';
import { type MarketState, type PriceChange, marketQuery, shock, stopMove } from './requests';

const [MOVING_MS, REST_MS] = [2_000, 5_000];
const SPEEDS = [
  ['0', 'At once'],
  ['20', 'Within 20 s'],
  ['60', 'Within a minute'],
  ['300', 'Within 5 min'],
] as const;
const DEFAULT_PERCENT = '-30';
const CELL = 'px-5 py-2';

/** Moves the prices of the local chains, on a platform of one machine. */
export function LocalMarketPage(): ReactNode {
  const market = useQuery({
    ...marketQuery,
    refetchInterval: ({ state }) => (state.data?.replay ? MOVING_MS : REST_MS),
  });
  const isMissing = market.error instanceof ApiError && market.error.status === 404;
  const { data } = market;
  return (
    <>
      <PageHeader title="Local market">
        The prices of the chains that run on this machine. Everything else is as in production:{' '}
        <Link to="/positions" className={LINK}>
          positions
        </Link>
        , alerts and{' '}
        <Link to="/webhooks" className={LINK}>
          deliveries
        </Link>{' '}
        follow.
      </PageHeader>
      <div className="flex flex-col gap-6">
        {market.isError && !isMissing && (
          <ErrorNotice error={market.error} onRetry={() => void market.refetch()} />
        )}
        {isMissing && (
          <Card>
            <Empty title="This platform has no local market.">
              <p className="text-soft">npm start has one.</p>
            </Empty>
          </Card>
        )}
        {market.isPending && (
          <Card>
            <Loading rows={4} />
          </Card>
        )}
        {data && <ShockCard market={data} />}
        {data && <PriceCard market={data} />}
      </div>
    </>
  );
}

function ShockCard({ market: { prices, replay, failure } }: { market: MarketState }): ReactNode {
  const symbols = symbolsOf(prices);
  const queries = useQueryClient();
  const read = (): Promise<void> => queries.invalidateQueries({ queryKey: marketQuery.queryKey });
  const move = useMutation({ mutationFn: shock, onSuccess: read });
  const stop = useMutation({ mutationFn: stopMove, onSuccess: read });
  return (
    <Card title="Shock the market">
      <Form
        className="flex flex-col gap-5 p-5"
        validationErrors={fieldErrors(move.error)}
        onSubmit={(event) => {
          const { asset = '', percent = '', seconds = '0' } = fieldsOf(event);
          move.mutate({ asset, percent: percentOf(percent), seconds: Number(seconds) });
        }}
      >
        <div className="grid items-start gap-5 sm:grid-cols-2 lg:grid-cols-3">
          <RadioGroup
            label="Asset"
            name="asset"
            defaultValue={symbols[0] ?? ''}
            choices={symbols.map((symbol) => ({ value: symbol, label: symbol }))}
          />
          <TextField
            label="Change in percent"
            name="percent"
            defaultValue={DEFAULT_PERCENT}
            inputMode="text"
            hint="A fall has a minus: −30. The least is −99.9."
            validate={(text) =>
              isPercent(text) ? null : 'Type a number from −99.9 to 1,000 that is not 0, for example −30.'
            }
            isRequired
          />
          <RadioGroup
            label="Speed"
            name="seconds"
            defaultValue="0"
            choices={SPEEDS.map(([value, label]) => ({ value, label }))}
          />
        </div>
        {move.isError && <ErrorNotice error={move.error} />}
        {stop.isError && <ErrorNotice error={stop.error} />}
        {failure && (
          <Notice tone="bad" title="The last move ended early">
            <p>{failure}</p>
          </Notice>
        )}
        <div className="flex min-h-9 flex-wrap items-center gap-4">
          <Button kind="primary" type="submit" isPending={move.isPending} isDisabled={replay !== null}>
            Move the price
          </Button>
          {replay && (
            <>
              <Button isPending={stop.isPending} onPress={() => stop.mutate()}>
                Stop
              </Button>
              <span className="flex items-center gap-2 text-sm text-soft">
                <progress
                  aria-label="The move of prices"
                  value={replay.seconds}
                  max={Math.max(1, replay.ofSeconds)}
                  className="h-2 w-32 accent-accent"
                />
                {formatCount(replay.seconds)} of {formatDuration(replay.ofSeconds)}
              </span>
            </>
          )}
          {!replay && move.isSuccess && <Moved changes={move.data} percent={move.variables.percent} />}
        </div>
      </Form>
    </Card>
  );
}

const symbolsOf = (prices: MarketState['prices']): string[] => [
  ...new Set(prices.flatMap(({ usd }) => Object.keys(usd))),
];

/** The minus of the hint is accepted too. */
const percentOf = (text: string): number => Number(text.replace('−', '-'));

function isPercent(text: string): boolean {
  const percent = percentOf(text);
  return text.trim() !== '' && percent >= -99.9 && percent <= 1_000 && percent !== 0;
}

function Moved({ changes, percent }: { changes: readonly PriceChange[]; percent: number }): ReactNode {
  const names = useQuery(registryQuery).data;
  if (changes.length === 0) return null;
  return (
    <p role="status" className="text-sm text-soft">
      {changes
        .map(({ chainId, symbol, usd, blockNumber }) => {
          const chain = names?.chains.get(chainId) ?? `chain ${chainId}`;
          return `${symbol} ${formatChange(percent)} to ${formatPrice(usd)} USD in block ${formatCount(blockNumber)} of ${chain}`;
        })
        .join('; ')}
    </p>
  );
}

function PriceCard({ market: { prices, isPaused } }: { market: MarketState }): ReactNode {
  const names = useQuery(registryQuery).data;
  const symbols = symbolsOf(prices);
  return (
    <Card
      title="Prices on the chains"
      aside={<span className="text-sm text-soft">{isPaused ? 'paused' : 'USD'}</span>}
    >
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Prices on the chains">
        <table aria-label="Prices" className="w-full text-left">
          <thead className="text-xs text-soft">
            <tr className="border-b border-line">
              <th scope="col" className={`${CELL} font-medium`}>
                Asset
              </th>
              {prices.map(({ chainId }) => (
                <th key={chainId} scope="col" className={`${CELL} text-right font-medium`}>
                  {names?.chains.get(chainId) ?? `chain ${chainId}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {symbols.map((symbol) => (
              <tr key={symbol} className="border-b border-line last:border-0">
                <th scope="row" className={`${CELL} font-medium`}>
                  {symbol}
                </th>
                {prices.map(({ chainId, usd }) => (
                  <td key={chainId} className={`${CELL} text-right`}>
                    <Changing value={usd[symbol]}>
                      {usd[symbol] === undefined ? (
                        'not on this chain'
                      ) : (
                        <Measure value={formatPrice(usd[symbol])} unit="USD" />
                      )}
                    </Changing>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
