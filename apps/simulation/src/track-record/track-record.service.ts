import { Injectable, Logger } from '@nestjs/common';
import {
  Problem,
  type TrackRecord,
  type TrackRecordGroup,
  type TrackRecordHorizon,
  type TrackRecordQuery,
  priceSymbol,
} from '@plimsoll/contracts';
import { Clock, type OperatorAlert } from '@plimsoll/service-kit';
import { SimulationConfig } from '../config';
import { HORIZONS_DAYS, MODEL_VERSION } from './forecast-model';
import { LATE_MS } from './forecasts.repository';
import { CALIBRATION, OperatorAlerts } from './operator-alerts';
import { type RecordKey, RecordReader, type RecordSums } from './record.reader';
import { scoresOf } from './scores';

/** The recent sums from which figures are computed. */
interface Snapshot extends RecordSums {
  alerts: OperatorAlert[];
}

@Injectable()
export class TrackRecordService {
  private readonly logger = new Logger('track-record');
  private snapshot: { readAtMs: number; value: Promise<Snapshot> } | null = null;

  constructor(
    private readonly config: SimulationConfig,
    private readonly clock: Clock,
    private readonly reader: RecordReader,
    private readonly alerts: OperatorAlerts,
  ) {}

  /** @throws upstream_unavailable while the database is down */
  async figures({ protocol, asset, horizonDays, band }: TrackRecordQuery): Promise<TrackRecord> {
    const { cells, periods, alerts } = await this.latest();
    const symbol = asset === undefined ? undefined : priceSymbol(asset);
    const isWanted = (key: RecordKey): boolean =>
      (protocol === undefined || key.protocol === protocol) &&
      (symbol === undefined || key.asset === symbol) &&
      (horizonDays === undefined || key.horizonDays === horizonDays) &&
      (band === undefined || key.band === band);
    const wanted = { cells: cells.filter(isWanted), periods: periods.filter(isWanted) };
    const horizons = HORIZONS_DAYS.filter((days) => horizonDays === undefined || days === horizonDays);
    const resolved = wanted.cells.flatMap(({ resolvedAt }) => (resolvedAt ? [resolvedAt.getTime()] : []));
    const since = wanted.cells.map((cell) => cell.since.getTime());
    return {
      since: since.length > 0 ? new Date(least(since)).toISOString() : null,
      updatedAt: resolved.length > 0 ? new Date(-least(resolved.map((at) => -at))).toISOString() : null,
      reason: reasonOf(wanted.cells),
      overall: overallOf(wanted, horizons),
      ...groupsOf(wanted),
      models: modelsOf(wanted.cells),
      calibrationAlert: alertOf(alerts),
    };
  }

  /** Many simultaneous requests read the database once. */
  private async latest(): Promise<Snapshot> {
    const nowMs = this.clock.now();
    const { snapshot } = this;
    if (!snapshot || Math.abs(nowMs - snapshot.readAtMs) >= this.config.TRACK_RECORD_CACHE_MS)
      this.snapshot = { readAtMs: nowMs, value: this.read() };
    const current = this.snapshot!;
    try {
      return await current.value;
    } catch (error) {
      if (this.snapshot === current) this.snapshot = null;
      this.logger.warn({ msg: 'the track record cannot be read', err: error });
      throw new Problem(
        'upstream_unavailable',
        'The track record cannot be read now. Everything else works; send the request again in a minute.',
        { headers: { 'retry-after': '60' } },
      );
    }
  }

  private async read(): Promise<Snapshot> {
    const [sums, alerts] = await Promise.all([
      this.reader.read(this.clock.now() - LATE_MS),
      this.alerts.listOpen(),
    ]);
    return { ...sums, alerts };
  }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** Spreading a long list into Math.min would run out of stack. */
const least = (values: readonly number[]): number =>
  values.reduce((lowest, value) => Math.min(lowest, value), Infinity);

function reasonOf(cells: RecordSums['cells']): string | null {
  if (cells.some(({ forecasts }) => forecasts > 0)) return null;
  if (cells.length === 0) return 'No such forecast has been recorded yet.';
  return 'No such forecast has an outcome yet: it counts when the horizon is over.';
}

function overallOf({ cells, periods }: RecordSums, horizons: readonly number[]): TrackRecordHorizon[] {
  const versions = [...new Set(cells.map((cell) => cell.modelVersion))].filter(
    (each) => each !== MODEL_VERSION,
  );
  return [MODEL_VERSION, ...versions].flatMap((modelVersion) =>
    horizons.map((horizonDays) => {
      const isOf = (key: RecordKey): boolean =>
        key.horizonDays === horizonDays && key.modelVersion === modelVersion;
      return { horizonDays, modelVersion, ...scoresOf(cells.filter(isOf), periods.filter(isOf)) };
    }),
  );
}

function groupsOf({ cells, periods }: RecordSums): Pick<TrackRecord, 'groups' | 'count'> {
  const text = ({ protocol, asset, horizonDays, band, modelVersion }: RecordKey): string =>
    [protocol, asset, String(horizonDays).padStart(3, '0'), band, modelVersion].join('\n');
  const periodsOf = groupBy(periods, text);
  const groups = [...groupBy(cells, text)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]): TrackRecordGroup => {
      const { protocol, asset, horizonDays, band, modelVersion } = own[0]!;
      return { protocol, asset, horizonDays, band, modelVersion, ...scoresOf(own, periodsOf.get(key) ?? []) };
    });
  return { groups, count: groups.length };
}

function modelsOf(cells: RecordSums['cells']): TrackRecord['models'] {
  const byModel = groupBy(cells, ({ model, modelVersion }) => `${model} ${modelVersion}`);
  return [...byModel.values()]
    .map((own) => ({
      model: own[0]!.model,
      version: own[0]!.modelVersion,
      since: new Date(least(own.map(({ since }) => since.getTime()))).toISOString(),
    }))
    .toSorted((a, b) => (a.since < b.since ? 1 : -1));
}

function alertOf(alerts: readonly OperatorAlert[]): TrackRecord['calibrationAlert'] {
  const open = alerts.filter(({ kind }) => kind === CALIBRATION);
  const [first] = open;
  return first
    ? { since: first.openedAt.toISOString(), reason: open.map(({ detail }) => detail).join(' ') }
    : null;
}
