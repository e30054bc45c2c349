import { Injectable } from '@nestjs/common';
import type { BriefingAnswer, BriefingBody, Timeframe } from '@plimsoll/contracts';
import { AnswerComposer } from '../answers/answer-composer';
import { draftOf } from '../answers/cannot-answer';
import { AnswerStore, type StoredAnswer } from '../audit/answer-store';
import { ReadingFactory, type Asker, type Reading } from '../facts/reading';
import { derivedFact, sumFact } from '../facts/derived-fact';
import type { Fact } from '../facts/fact';
import { FactReaders } from '../facts/fact-readers';
import type { PositionFacts } from '../facts/position-facts';
import {
  briefingClaims,
  heldSymbols,
  markdown,
  topRisks,
  type BriefingFacts,
  type PriceSpan,
} from './briefing-claims';

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<Timeframe, number>> = { '24h': 1, '7d': 7, '30d': 30 };
const QUESTION =
  'What happened to the risk of the watched wallets within the timeframe, and what is most severe now?';

@Injectable()
export class BriefingService {
  constructor(
    private readonly readers: FactReaders,
    private readonly readings: ReadingFactory,
    private readonly composer: AnswerComposer,
    private readonly keeper: AnswerStore,
  ) {}

  async write(asker: Asker, { timeframe }: BriefingBody): Promise<StoredAnswer<BriefingAnswer>> {
    const reading = this.readings.open(asker);
    const facts = await this.gather(reading, DAYS[timeframe]);
    const task = { kind: 'briefing', question: QUESTION, asker } as const;
    const composed = await this.composer.compose(task, reading.sheet, () =>
      draftOf(...briefingClaims(facts)),
    );
    const risks = topRisks(facts);
    const used = [...new Set([...composed.facts, ...this.composer.factsOf(risks, reading.sheet)])];
    const kept = { kind: 'briefing', question: timeframe, reading, composed } as const;
    return this.keeper.store(asker, kept, (answerId) => ({
      briefing: markdown(composed.draft.claims),
      alerts: facts.alerts?.items.length ?? 0,
      topRisks: risks.map(({ text }) => text),
      timeframe,
      generatedAt: new Date(this.readers.clock.now()).toISOString(),
      answerId,
      confidence: composed.confidence,
      facts: used,
      sources: [...new Set(used.map(({ source }) => source))],
      missing: reading.sheet.missing,
    }));
  }

  private async gather(reading: Reading, days: number): Promise<BriefingFacts> {
    const { positions, market, alerts, whales, clock } = this.readers;
    const sinceMs = clock.now() - days * DAY_MS;
    const since = new Date(sinceMs).toISOString();
    const reads = positions.read(reading, { positionIds: [], wallets: [] });
    const [held, prices, index, history, opened, incidents, openIncidents, moves] = await Promise.all([
      reads,
      // Starts as soon as the holdings are known. The other reads may take longer.
      reads.then((read) => this.prices(reading, heldSymbols(read?.positions ?? []), days)),
      market.index(reading),
      market.indexHistory(reading, days),
      alerts.alerts(reading, null, sinceMs),
      alerts.incidents(reading, null, sinceMs),
      alerts.incidents(reading, 'open'),
      whales.moves(reading, since, null),
    ]);
    const [top] = (moves ?? []).toSorted((a, b) => b.raw.usdValue - a.raw.usdValue);
    const count =
      moves &&
      reading.sheet.add('moves.count', 'number of large moves', moves.length, 'count', {
        time: new Date(clock.now()).toISOString(),
        source: 'GET /v1/whales/activity',
      });
    return {
      positions: held && {
        ...held,
        collateralUsd: this.sum(reading, held.positions, 'collateralUsd'),
        debtUsd: this.sum(reading, held.positions, 'debtUsd'),
        isPartial: reading.sheet.isPartial,
      },
      index,
      indexThen: history.at(-1)?.gri ?? null,
      alerts: opened,
      incidents,
      openIncidents,
      ...prices,
      moves: count && { count, top: top ?? null },
    };
  }

  /** The current prices of the symbols, and for more than a day the prices at its beginning. */
  private async prices(
    reading: Reading,
    symbols: readonly string[],
    days: number,
  ): Promise<Pick<BriefingFacts, 'prices' | 'spans'>> {
    if (symbols.length === 0) return { prices: [], spans: [] };
    const [read, spans] = await Promise.all([
      this.readers.market.prices(reading, symbols),
      days > 1 ? Promise.all(symbols.map((symbol) => this.span(reading, symbol, days))) : [],
    ]);
    return { prices: read?.prices ?? [], spans: spans.flatMap((span) => span ?? []) };
  }

  private sum(reading: Reading, positions: PositionFacts[], key: 'collateralUsd' | 'debtUsd'): Fact {
    const facts = positions.map((position) => position[key]);
    return sumFact(reading.sheet, `positions.${key}.sum`, `${key} of all positions`, facts);
  }

  /** First and last close of the days. Null if there are not two. */
  private async span(reading: Reading, symbol: string, days: number): Promise<PriceSpan | null> {
    const history = await this.readers.market.history(reading, symbol, days);
    const closes = (history?.bars ?? []).filter(({ close }) => close !== null);
    const [first, last] = [closes[0], closes.at(-1)];
    if (!first || !last || first === last) return null;
    const source = 'GET /v1/prices/history';
    const name = `history.${symbol.replace(/[^A-Za-z0-9_.-]/g, '_')}`;
    const close = (bar: typeof first, when: string) =>
      reading.sheet.add(`${name}.${when}`, 'close of a day', bar.close, 'usd', {
        time: `${bar.day}T00:00:00.000Z`,
        source,
      });
    const at = { time: `${last.day}T00:00:00.000Z`, source };
    const [before, after] = [close(first, 'first'), close(last, 'last')];
    const percent = (Number(after.value) / Number(before.value) - 1) * 100;
    return {
      symbol: reading.sheet.add(`${name}.symbol`, 'symbol of an asset', symbol, 'text', at),
      before,
      after,
      changePercent: derivedFact(
        reading.sheet,
        `${name}.changePercent`,
        'change of a price',
        percent,
        [before, after],
        'percent',
      ),
    };
  }
}
