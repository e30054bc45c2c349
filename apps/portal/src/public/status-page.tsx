import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatCount } from '../design/format';
import { FigureTable } from '../design/figure-table';
import { Card } from '../design/layout';
import { Empty, ErrorNotice, Loading, Notice } from '../design/notice';
import { Moment, Status, Time } from '../design/values';
import { availabilityText, latencyText, minutesText, sumOf } from './availability';
import { DayStrip } from './day-strip';
import { PublicFrame } from './public-frame';
import { type PublicStatus, type StatusHistory, statusQuery } from './requests';

const REST_MS = 15_000;
const TONES = { operational: 'good', degraded: 'warn', down: 'bad' } as const;
const TITLES = {
  operational: 'All parts work',
  degraded: 'Some parts have a problem',
  down: 'Plimsoll is down',
} as const;
/** Parts by their id. */
const NAMES: Readonly<Record<string, string>> = {
  platform: 'All parts',
  gateway: 'API and portal',
  positions: 'Positions',
  'market-data': 'Prices and markets',
  alerts: 'Alerts',
  'webhook-delivery': 'Webhooks',
  streams: 'Streams',
  simulation: 'Simulations and risk',
  whales: 'Whales',
  ai: 'Questions and reports',
  execution: 'Execution',
  sandbox: 'Test mode',
};

/** Whether it is the platform, for everyone. */
export function StatusPage(): ReactNode {
  const status = useQuery({ ...statusQuery, refetchInterval: REST_MS });
  const { data } = status;
  return (
    <PublicFrame
      title="Status"
      lead="The services, chains and markets of Plimsoll now, and their record of the last 90 days."
      failure={status.error}
    >
      {status.isError && <ErrorNotice error={status.error} onRetry={() => void status.refetch()} />}
      {status.isPending && (
        <Card>
          <Loading rows={8} />
        </Card>
      )}
      {data && <Summary status={data} />}
      {data && <Services status={data} />}
      {data && <Chains status={data} />}
      {data && <Markets status={data} />}
    </PublicFrame>
  );
}

function Summary({
  status: { condition, timestamp, recordedSince, markets },
}: {
  status: PublicStatus;
}): ReactNode {
  const unreadable = markets.filter(({ failure }) => failure !== null).length;
  const isGood = condition === 'operational' && unreadable === 0;
  return (
    <Notice
      tone={isGood ? 'good' : condition === 'down' ? 'bad' : 'warn'}
      title={
        condition === 'operational' && unreadable > 0
          ? 'All services work, some markets cannot be read'
          : TITLES[condition]
      }
    >
      <p>
        Read <Time at={timestamp} />.{' '}
        {recordedSince === null ? (
          'Nothing is recorded yet. The first record follows within a minute.'
        ) : (
          <>
            Recorded every minute since <Moment at={recordedSince} />, for 90 days. A minute without a record
            counts as unavailable.
          </>
        )}
      </p>
    </Notice>
  );
}

/** The figures of a record, in the order of RECORD_HEADS. */
const figuresOf = (name: string, { availability, days }: StatusHistory): ReactNode[] => [
  <DayStrip key="days" name={name} days={days} />,
  availabilityText(availability),
  days.length === 0 ? 'unknown' : minutesText(sumOf(days, 'down')),
  days.length === 0 ? 'unknown' : minutesText(sumOf(days, 'unrecorded')),
];
const RECORD_HEADS = ['90 days', 'Available', 'Down', 'Not recorded'];

function Services({ status: { parts } }: { status: PublicStatus }): ReactNode {
  return (
    <Card title="Services">
      <FigureTable
        label="Services"
        name="Service"
        heads={['Now', ...RECORD_HEADS]}
        rows={parts.map(({ id, condition, history }) => {
          const name = NAMES[id] ?? id;
          return {
            id,
            name,
            figures: [
              <Status key="now" tone={TONES[condition]}>
                {condition}
              </Status>,
              ...figuresOf(name, history),
            ],
          };
        })}
      />
    </Card>
  );
}

const NOT_READ = 'The states of the chains cannot be read at the moment.';

function Chains({ status: { chains, chainsReadAt } }: { status: PublicStatus }): ReactNode {
  return (
    <Card title="Chains">
      {chains.length === 0 ? (
        <Empty title={chainsReadAt === null ? NOT_READ : 'No chain has a node.'} />
      ) : (
        <>
          <FigureTable
            label="Chains"
            name="Chain"
            heads={[
              'Now',
              'Newest block',
              'Behind',
              'Event latency',
              'Highest latency',
              '90 days',
              'Available',
            ]}
            rows={chains.map(({ id, name, status, head, lagBlocks, eventLatencyMs, history }) => ({
              id: String(id),
              name,
              figures: [
                <Status key="now" tone={TONES[status]}>
                  {status}
                </Status>,
                head ? (
                  <span>
                    {formatCount(head.number)}, <Time at={head.time} />
                  </span>
                ) : (
                  'unknown'
                ),
                lagBlocks === null
                  ? 'unknown'
                  : `${formatCount(lagBlocks)} ${lagBlocks === 1 ? 'block' : 'blocks'}`,
                latencyText(eventLatencyMs),
                latencyText(highestLatency(history)),
                ...figuresOf(name, history).slice(0, 2),
              ],
            }))}
          />
          <p className="border-t border-line px-5 py-3 text-sm text-soft">
            Behind: blocks between the newest one and the last one whose positions were read. Event latency:
            the time from the timestamp of a block to its events, for 95 % of the blocks of the last minute.
            Highest: the highest of these percentiles in the record.
          </p>
        </>
      )}
    </Card>
  );
}

function highestLatency({ days }: StatusHistory): number | null {
  return days.reduce<number | null>(
    (highest, { eventLatencyMaxMs }) =>
      eventLatencyMaxMs === null ? highest : Math.max(eventLatencyMaxMs, highest ?? 0),
    null,
  );
}

function Markets({ status: { markets, chains, chainsReadAt } }: { status: PublicStatus }): ReactNode {
  const names = new Map(chains.map(({ id, name }) => [id, name]));
  const sorted = [...markets].sort((a, b) => Number(a.failure === null) - Number(b.failure === null));
  return (
    <Card title="Protocols">
      {markets.length === 0 ? (
        <Empty title={chainsReadAt === null ? NOT_READ : 'No market is followed.'} />
      ) : (
        <FigureTable
          label="Protocols"
          name="Protocol and market"
          heads={['Chain', 'Now', 'Last read', 'Unreadable since']}
          rows={sorted.map(
            ({ chainId, protocol, protocolName, market, failure, lastRead, unreadableSince }) => ({
              id: `${chainId} ${protocol} ${market}`,
              name: (
                <span className="[overflow-wrap:anywhere]">
                  {protocolName} <span className="font-normal text-soft">{market}</span>
                </span>
              ),
              figures: [
                names.get(chainId) ?? `chain ${chainId}`,
                <Status key="now" tone={failure === null ? 'good' : 'bad'}>
                  {failure === null ? 'read' : failure.replaceAll('_', ' ')}
                </Status>,
                lastRead ? (
                  <span>
                    block {formatCount(lastRead.number)}, <Time at={lastRead.time} />
                  </span>
                ) : (
                  'not yet'
                ),
                failure === null ? (
                  'readable'
                ) : unreadableSince ? (
                  <Moment at={unreadableSince} />
                ) : (
                  'not recorded yet'
                ),
              ],
            }),
          )}
        />
      )}
    </Card>
  );
}
