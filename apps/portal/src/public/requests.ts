import { queryOptions } from '@tanstack/react-query';
import { QUIET, type Schema, plimsoll } from '../api/client';

export type PublicStatus = Schema<'PublicStatus'>;
export type StatusHistory = Schema<'StatusHistory'>;
export type StatusDay = Schema<'StatusDay'>;
export type TrackRecord = Schema<'TrackRecord'>;

/** Reads what needs no session. */
const read = <T>(path: string, signal: AbortSignal): Promise<T> =>
  plimsoll.transport.send({ method: 'GET', path: `/public/v1/${path}` }, { signal }) as Promise<T>;

export const statusQuery = queryOptions({
  queryKey: ['public-status'],
  queryFn: ({ signal }) => read<PublicStatus>('status', signal),
  meta: QUIET,
});

export const trackRecordQuery = queryOptions({
  queryKey: ['public-track-record'],
  queryFn: ({ signal }) => read<TrackRecord>('track-record', signal),
  meta: QUIET,
});

/** Horizons of recorded forecasts, days. */
export const RECORD_HORIZONS = [1, 7, 30] as const;
export type RecordHorizon = (typeof RECORD_HORIZONS)[number];

/** The parts of the address of the track record. */
export interface RecordSearch {
  horizon?: RecordHorizon | undefined;
}
