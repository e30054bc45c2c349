import { readFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import type { DraftAnswer } from '../../apps/ai/src/facts/draft-answer';
import { draftJudge } from '../../apps/ai/src/answers/judge-draft';
import type { Fact } from '../../apps/ai/src/facts/fact';
import {
  type MockDraft,
  type PromptData,
  goodDraft,
  replacedDrafts,
  swappedDrafts,
} from '../../apps/ai/test/mock-model/drafts';
import { type MockModel, startMockModel } from '../../apps/ai/test/mock-model/mock-model';
import type { Recording } from '../../apps/ai/test/replay/recorded-call';
import { AiService } from './ai-service';
import { RECORDING } from './main';
import { marketOf } from './market';
import { OVERLAY } from './overlays';
import { questionsOf } from './questions';

const draftOf = ({ claims, cannotAnswer }: MockDraft): DraftAnswer => ({
  claims: claims.map(({ text, factIds, section }) => ({
    text,
    factIds,
    ...(section !== null && { section }),
  })),
  cannotAnswer,
});

describe('right figures in wrong places', () => {
  const recording = JSON.parse(readFileSync(RECORDING, 'utf8')) as Recording;
  const market = marketOf(recording);
  let database: TestDatabase;
  let mock: MockModel;
  let service: AiService;

  beforeAll(async () => {
    database = await createTestDatabase();
    mock = await startMockModel('answers');
    service = await AiService.start(recording, database.url, {
      AI_PROVIDER: 'openai-compatible',
      AI_MODEL: 'mock',
      AI_BASE_URL: mock.url,
      AI_DEADLINE_MS: 30_000,
      AI_TOKENS_PER_DAY: 1_000_000_000,
      AI_TOKENS_PER_ANSWER: 1_000_000,
    });
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await mock?.close();
    await database?.drop();
  });

  /** The prompts of the model for each of the four kinds of answers. */
  async function prompts(): Promise<PromptData[]> {
    for (const { question, overlay } of questionsOf(market)) {
      service.replay.overlay = overlay ? OVERLAY[overlay] : () => undefined;
      await service.ask(question);
    }
    service.replay.overlay = () => undefined;
    for (const timeframe of ['24h', '7d', '30d']) await service.post('briefing', { timeframe });
    for (const { id } of market.positions) await service.post('suggestions', { positionIds: [id] });
    for (const { id } of market.incidents) await service.post('postmortem', { incidentId: id });
    return mock.calls.map(({ data }) => data);
  }

  it('are rejected in every sentence of every answer, and no true sentence is', async () => {
    const all = await prompts();
    expect(new Set(all.map(({ kind }) => kind))).toEqual(
      new Set(['risk-qa', 'briefing', 'suggestions', 'postmortem']),
    );
    let tried = 0;
    for (const data of all) {
      const facts = new Map(
        data.facts.map((fact): [string, Fact] => [fact.id, { ...fact, source: 'recorded' }]),
      );
      const template = draftOf({ claims: data.template, cannotAnswer: null });
      const judge = draftJudge(template, facts, recording.atMs);
      const complaints = (draft: MockDraft): string[] => judge(draftOf(draft)).complaints;
      expect(complaints(goodDraft(data))).toEqual([]);
      for (const draft of [...swappedDrafts(data), ...replacedDrafts(data)]) {
        tried += 1;
        const left = complaints(draft).length === 0 ? draft.claims.map(({ text }) => text) : null;
        expect(left).toBeNull();
      }
    }
    expect(tried).toBeGreaterThan(4_000);
  }, 300_000);
});
