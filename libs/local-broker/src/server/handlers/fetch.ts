import { fetch } from '../../protocol/apis';
import { ERROR, ProtocolError, type ErrorCode } from '../../protocol/error-codes';
import type { RequestOf } from '../../protocol/schema';
import type { PartitionLog } from '../../log/partition-log';
import { bindApi, type BoundApi, type RequestContext } from '../bound-api';
import type { BrokerState } from '../broker-state';

const MAX_WAIT_MS = 60_000;

type FetchRequest = RequestOf<typeof fetch>;

/** One partition of a request, with its log or its error. */
interface Wanted {
  partition: number;
  offset: number;
  maxBytes: number;
  log: PartitionLog | undefined;
  errorCode: ErrorCode;
}

interface WantedTopic {
  topic: string;
  partitions: Wanted[];
}

export function fetchApis(state: BrokerState): BoundApi[] {
  return [
    bindApi(fetch, async (request, context) => {
      if (request.sessionEpoch > 0) {
        return { throttleTimeMs: 0, errorCode: ERROR.FETCH_SESSION_ID_NOT_FOUND, sessionId: 0, topics: [] };
      }
      return respond(state, request, context);
    }),
  ];
}

async function respond(
  state: BrokerState,
  request: FetchRequest,
  context: RequestContext,
): Promise<{
  throttleTimeMs: number;
  errorCode: ErrorCode;
  sessionId: number;
  topics: ReturnType<typeof readTopic>[];
}> {
  const maxBytes = Math.max(0, Math.min(request.maxBytes, state.options.maxFetchBytes));
  const deadline = performance.now() + Math.min(Math.max(request.maxWaitMs, 0), MAX_WAIT_MS);
  for (;;) {
    const wanted = request.topics.map((topic) => resolveTopic(state, topic));
    const isLast = performance.now() >= deadline || state.stopping.aborted || wanted.some(hasError);
    if (isLast || wanted.some(hasRecords)) {
      await state.responseBudget.acquire(maxBytes);
      const limits = { left: maxBytes, read: 0 };
      const topics = wanted.map((topic) => readTopic(topic, limits));
      const kept = Math.min(limits.read, maxBytes);
      const isEnough = isLast || limits.read >= request.minBytes;
      state.responseBudget.release(isEnough ? maxBytes - kept : maxBytes);
      if (isEnough) {
        context.onSent(() => state.responseBudget.release(kept));
        return { throttleTimeMs: 0, errorCode: ERROR.NONE, sessionId: 0, topics };
      }
    }
    await waitForRecords(state, wanted, deadline - performance.now());
  }
}

function resolveTopic(
  state: BrokerState,
  { topic, partitions }: FetchRequest['topics'][number],
): WantedTopic {
  return {
    topic,
    partitions: partitions.map(({ partition, fetchOffset, partitionMaxBytes }) => {
      const wanted = { partition, offset: fetchOffset, maxBytes: partitionMaxBytes };
      const log = state.topics.get(topic)?.partitions[partition];
      if (!log) return { ...wanted, log, errorCode: ERROR.UNKNOWN_TOPIC_OR_PARTITION };
      const isInRange = fetchOffset >= log.logStartOffset && fetchOffset <= log.logEndOffset;
      return { ...wanted, log, errorCode: isInRange ? ERROR.NONE : ERROR.OFFSET_OUT_OF_RANGE };
    }),
  };
}

function hasError({ partitions }: WantedTopic): boolean {
  return partitions.some(({ errorCode }) => errorCode !== ERROR.NONE);
}

function hasRecords({ partitions }: WantedTopic): boolean {
  return partitions.some(({ log, offset }) => offset < (log?.highWatermark ?? -1));
}

function readTopic({ topic, partitions }: WantedTopic, limits: { left: number; read: number }) {
  return {
    topic,
    partitions: partitions.map((wanted) => {
      const { partition, log } = wanted;
      let { errorCode } = wanted;
      let records: Buffer = Buffer.alloc(0);
      if (log && errorCode === ERROR.NONE && limits.left > 0) {
        try {
          records = read(log, wanted, limits);
        } catch (error) {
          errorCode = error instanceof ProtocolError ? error.code : ERROR.KAFKA_STORAGE_ERROR;
        }
      }
      const isKnown = log !== undefined && errorCode === ERROR.NONE;
      return {
        partition,
        errorCode,
        highWatermark: isKnown ? log.highWatermark : -1,
        lastStableOffset: isKnown ? log.highWatermark : -1,
        logStartOffset: isKnown ? log.logStartOffset : -1,
        abortedTransactions: null,
        preferredReadReplica: -1,
        records,
      };
    }),
  };
}

/** The first batch of a response may exceed both limits, so that a consumer always makes progress. */
function read(
  log: PartitionLog,
  { offset, maxBytes }: Wanted,
  limits: { left: number; read: number },
): Buffer {
  const limit = Math.min(maxBytes, limits.left);
  const records = log.read(offset, limit);
  if (records.length > limit && limits.read > 0) return Buffer.alloc(0);
  limits.left -= records.length;
  limits.read += records.length;
  return records;
}

/** Resolves at the next append to one of the partitions, at the deadline, or when the broker stops. */
function waitForRecords({ stopping }: BrokerState, topics: WantedTopic[], waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cancels: (() => void)[] = [];
    const finish = (): void => {
      clearTimeout(timeout);
      stopping.removeEventListener('abort', finish);
      for (const cancel of cancels) cancel();
      resolve();
    };
    const timeout = setTimeout(finish, Math.max(waitMs, 0));
    stopping.addEventListener('abort', finish);
    for (const { log } of topics.flatMap(({ partitions }) => partitions)) {
      if (log) cancels.push(log.onAdvance(finish));
    }
  });
}
