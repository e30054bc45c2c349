import { Injectable } from '@nestjs/common';
import { Problem, isId, notFound, type PostmortemAnswer, type PostmortemBody } from '@plimsoll/contracts';
import { AnswerComposer, sectionText } from '../answers/answer-composer';
import { draftOf } from '../answers/cannot-answer';
import { AnswerStore, type StoredAnswer } from '../audit/answer-store';
import { ReadingFactory, type Asker, type Reading } from '../facts/reading';
import { FactReaders } from '../facts/fact-readers';
import { HistoryReader } from '../facts/history.reader';
import type { PositionFacts } from '../facts/position-facts';
import { evidenceOf, worstOf, type Evidence, type Incident } from './evidence';
import { ROOT_CAUSE, causeClaims, postmortemFacts, summaryClaims } from './postmortem-claims';
import { SAFE_NOW, recommendations, safeNowClaims } from './recommendations';

const DAY_MS = 86_400_000;
/** Lines of the timeline in an answer. */
const TIMELINE = 200;
const SAFE = 1.5;
const QUESTION = 'What happened in this incident, and what was its root cause?';

@Injectable()
export class PostmortemService {
  constructor(
    private readonly readers: FactReaders,
    private readonly history: HistoryReader,
    private readonly readings: ReadingFactory,
    private readonly composer: AnswerComposer,
    private readonly keeper: AnswerStore,
  ) {}

  async write(asker: Asker, { incidentId }: PostmortemBody): Promise<StoredAnswer<PostmortemAnswer>> {
    const reading = this.readings.open(asker);
    const incident = await this.incident(reading, incidentId);
    const position = await this.worstPosition(reading, incident);
    const evidence = await this.evidence(reading, incident, position);
    const { cause } = evidence;
    const facts = postmortemFacts(reading.sheet, incident, evidence);
    const causes = causeClaims(facts, cause);
    const plan = position && (await this.readers.risk.deleverage(reading, position.raw.id, SAFE));
    const task = { kind: 'postmortem', question: QUESTION, asker } as const;
    const composed = await this.composer.compose(task, reading.sheet, () =>
      draftOf(
        ...summaryClaims(facts),
        ...causes,
        ...(position && plan ? safeNowClaims(position.id, position.healthFactor, plan) : []),
      ),
    );
    const { claims } = composed.draft;
    const kept = { kind: 'postmortem', question: incidentId, reading, composed } as const;
    return this.keeper.store(asker, kept, (answerId) => ({
      incidentId: incident.id,
      summary: sectionText(claims, undefined),
      timeline: timelineOf(incident),
      cause,
      rootCause: sectionText(claims, ROOT_CAUSE),
      recommendations: recommendations(cause, sectionText(claims, SAFE_NOW)),
      answerId,
      confidence: composed.confidence,
      facts: composed.facts,
      sources: composed.sources,
      missing: reading.sheet.missing,
    }));
  }

  /** @throws not_found, also for another account's; upstream_unavailable */
  private async incident(reading: Reading, id: string): Promise<Incident> {
    if (!isId('inc', id)) throw notFound('incident');
    const read = await this.readers.alerts.incident(reading, id);
    if (read.state === 'not_found') throw notFound('incident');
    if (read.state === 'read') return read.body.incident;
    throw new Problem(
      'upstream_unavailable',
      'The incident cannot be read now. Send the request again in a moment.',
      { headers: { 'retry-after': '1' } },
    );
  }

  private async worstPosition(reading: Reading, incident: Incident): Promise<PositionFacts | null> {
    const worst = worstOf(incident);
    if (!worst) return null;
    const wanted = { positionIds: [worst.positionId], wallets: [] };
    const read = await this.readers.positions.read(reading, wanted);
    return read?.positions[0] ?? null;
  }

  private async evidence(
    reading: Reading,
    incident: Incident,
    position: PositionFacts | null,
  ): Promise<Evidence> {
    const sinceMs = Date.parse(incident.openedAt) - DAY_MS;
    const [snapshots, moves, alerts] = await Promise.all([
      position ? this.history.snapshots(reading, position.raw.id, sinceMs) : [],
      position ? this.history.moves(reading, position.raw.wallet, position.raw.protocol, sinceMs) : [],
      this.readers.alerts.alerts(reading, null, sinceMs),
    ]);
    const endMs = incident.closedAt === null ? Infinity : Date.parse(incident.closedAt);
    const oracleFailed = (alerts?.items ?? []).some(
      ({ type, createdAt }) => type === 'oracle_stale' && Date.parse(createdAt) <= endMs,
    );
    return evidenceOf(incident, snapshots, moves, position, oracleFailed);
  }
}

const EVENTS = {
  alert_opened: 'An alert opened',
  alert_escalated: 'An alert became more severe',
  alert_resolved: 'An alert was resolved',
  band_changed: 'The risk level changed',
  liquidation: 'The position was liquidated',
} as const;

function timelineOf({ timeline }: Incident): PostmortemAnswer['timeline'] {
  return timeline
    .slice(0, TIMELINE)
    .map(({ at, type, positionId, band, healthFactor, collateralUsd, debtUsd }) => ({
      at,
      type,
      positionId,
      event: `${EVENTS[type]}.`,
      band,
      healthFactor,
      collateralUsd,
      debtUsd,
    }));
}
