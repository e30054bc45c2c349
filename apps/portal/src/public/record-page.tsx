import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { docs } from '../api/origin';
import { FigureTable } from '../design/figure-table';
import { formatCount } from '../design/format';
import { Card } from '../design/layout';
import { LINK } from '../design/link';
import { Empty, ErrorNotice, Loading, Notice } from '../design/notice';
import { Select } from '../design/select';
import { Moment } from '../design/values';
import { calibrationOf } from './calibration';
import { CalibrationChart } from './calibration-chart';
import { PublicFrame } from './public-frame';
import { RECORD_HORIZONS, type RecordHorizon, type TrackRecord, trackRecordQuery } from './requests';

const REST_MS = 60_000;
const DEFAULT_HORIZON: RecordHorizon = 7;

/** Our forecasts with their outcomes, for everyone. */
export function RecordPage(): ReactNode {
  const record = useQuery({ ...trackRecordQuery, refetchInterval: REST_MS });
  const { data } = record;
  return (
    <PublicFrame
      title="Track record"
      lead={
        <>
          Every hour, Plimsoll forecasts the probability of a liquidation for a fixed sample of open
          positions. This page compares all of these forecasts with their outcomes. How the model works is in{' '}
          <a href={docs('/model#track-record')} className={LINK}>
            the documentation
          </a>
          .
        </>
      }
      failure={record.error}
    >
      {record.isError && <ErrorNotice error={record.error} onRetry={() => void record.refetch()} />}
      {record.isPending && (
        <Card>
          <Loading rows={8} />
        </Card>
      )}
      {data && <Period record={data} />}
      {data && <Scores record={data} />}
      {data && <ByBand record={data} />}
    </PublicFrame>
  );
}

function Period({
  record: { since, updatedAt, reason, calibrationAlert },
}: {
  record: TrackRecord;
}): ReactNode {
  return (
    <>
      {calibrationAlert && (
        <Notice tone="warn" title="Outcomes contradict the forecasts">
          <p>
            Since <Moment at={calibrationAlert.since} />: {calibrationAlert.reason}
          </p>
        </Notice>
      )}
      <Notice tone="info" title={reason ?? 'Forecasts and their outcomes'}>
        <p>
          {since === null ? (
            'No forecast is recorded yet.'
          ) : (
            <>
              The first forecast is of <Moment at={since} />.
            </>
          )}{' '}
          {updatedAt !== null && (
            <>
              The last outcome became known on <Moment at={updatedAt} />.
            </>
          )}
        </p>
      </Notice>
    </>
  );
}

const share = (value: number | null): string =>
  value === null ? 'none yet' : `${(value * 100).toFixed(value < 0.1 ? 2 : 1)} %`;
const score = (value: number | null): string => (value === null ? 'none yet' : value.toFixed(4));

function Scores({ record: { overall } }: { record: TrackRecord }): ReactNode {
  return (
    <Card title="Scores by horizon">
      <FigureTable
        label="Scores by horizon"
        name="Horizon"
        heads={[
          'Model',
          'Outcomes',
          'Pending',
          'Forecast',
          'Observed',
          'Brier score',
          'Log score',
          'Calibration error',
          'Of a perfect forecast',
        ]}
        rows={overall.map((each) => ({
          id: `${each.horizonDays} ${each.modelVersion}`,
          name: `${each.horizonDays} ${each.horizonDays === 1 ? 'day' : 'days'}`,
          figures: [
            `version ${each.modelVersion}`,
            formatCount(each.n),
            formatCount(each.pending),
            share(each.meanForecast),
            share(each.observedRate),
            score(each.brier),
            score(each.logScore),
            score(each.ece),
            score(each.expectedEce),
          ],
        }))}
      />
      <p className="border-t border-line px-5 py-3 text-sm text-soft">
        Lower scores are better. The calibration error is the mean difference of forecast and observed share
        over ten groups with the same number of forecasts. A perfect forecast has one too, because outcomes
        are random.
      </p>
    </Card>
  );
}

function ByBand({ record: { overall, groups } }: { record: TrackRecord }): ReactNode {
  const { horizon = DEFAULT_HORIZON } = useSearch({ from: '/track-record' });
  const navigate = useNavigate({ from: '/track-record' });
  const version = overall[0]?.modelVersion ?? '';
  const rows = calibrationOf(groups, horizon, version);
  return (
    <Card
      title="Calibration by health factor"
      aside={
        <Select
          label="Horizon"
          value={String(horizon)}
          choices={RECORD_HORIZONS.map((days) => ({
            value: String(days),
            label: `${days} ${days === 1 ? 'day' : 'days'}`,
          }))}
          onChange={(value) =>
            void navigate({ search: { horizon: RECORD_HORIZONS.find((days) => String(days) === value) } })
          }
        />
      }
    >
      {rows.some(({ n }) => n > 0) && <CalibrationChart rows={rows} horizonDays={horizon} />}
      {rows.length === 0 ? (
        <Empty title="No forecast with this horizon is recorded yet." />
      ) : (
        <FigureTable
          label="Calibration by health factor"
          name="Health factor at the forecast"
          heads={['Outcomes', 'Forecast', 'Observed', 'Range', 'Without an outcome', 'Pending']}
          rows={rows.map(({ band, n, meanForecast, observedRate, lowest, highest, censored, pending }) => ({
            id: band,
            name: BAND_NAMES[band],
            figures: [
              formatCount(n),
              share(meanForecast),
              share(observedRate),
              lowest === null || highest === null ? 'none yet' : `${share(lowest)} to ${share(highest)}`,
              formatCount(censored),
              formatCount(pending),
            ],
          }))}
        />
      )}
      <p className="border-t border-line px-5 py-3 text-sm text-soft">
        Figures of the current model, version {version}. A forecast has no outcome where the owner changed the
        position within the horizon. The range is the observed share if none, or all, of these positions had
        become liquidatable.
      </p>
    </Card>
  );
}

const BAND_NAMES: Readonly<Record<string, string>> = {
  critical: 'critical: below 1.10',
  high: 'high: below 1.25',
  moderate: 'moderate: below 1.50',
  low: 'low: 1.50 and above',
};
