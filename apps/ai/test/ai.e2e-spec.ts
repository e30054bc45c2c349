import type {
  AiSuggestions,
  BriefingAnswer,
  IncidentList,
  PositionList,
  PostmortemAnswer,
  RiskQaAnswer,
} from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { AiHarness, RECORDING, recorded } from './ai-harness';

const UNKNOWN_POSITION = 'pos_0000000000000000000000';
const DAY_MS = 86_400_000;

describe('ai', () => {
  let harness: AiHarness;
  const { positions } = recorded<PositionList>('positions GET /v1/positions?include=assets&limit=200');
  const worst = positions.find(({ healthFactor }) => healthFactor !== null);
  const [incident] = recorded<IncidentList>('alerts GET /v1/incidents?limit=200&status=open').incidents;

  beforeAll(async () => {
    harness = await AiHarness.start({ AUDIT_CLEAN_INTERVAL_MS: 100 });
  }, 60_000);
  afterAll(() => harness?.close());
  beforeEach(() => {
    harness.replay.overlay = () => undefined;
    harness.replay.unrecorded = () => undefined;
  });

  describe('POST /v1/ai/risk-qa', () => {
    const ask = (question: unknown, as = {}) => harness.post<RiskQaAnswer>('risk-qa', { question }, as);

    it('200 with the figure, its facts and its author: a template or the model', async () => {
      const { status, headers, body } = await ask(`What is the health factor of ${worst!.id}?`);
      expect(status).toBe(200);
      expect(headers.get('x-answer-generator')).toBe('template');
      expect(body).toMatchObject({ answered: true, confidence: 1, missing: [] });
      expect(body.answer).toContain(worst!.healthFactor!.toFixed(4));
      expect(body.sources).toEqual([`GET /v1/positions/${worst!.id}`]);
      expect(body.facts.find(({ id }) => id === `position.${worst!.id}.healthFactor`)).toMatchObject({
        unit: 'ratio',
        value: expect.closeTo(worst!.healthFactor!, 4),
      });
    });

    it('200 with a refusal if the facts contain no answer', async () => {
      for (const question of [
        'Will ETH rise tomorrow?',
        'Write a poem.',
        `How much does ${UNKNOWN_POSITION} owe?`,
      ]) {
        const { status, body } = await ask(question);
        expect(status).toBe(200);
        expect(body).toMatchObject({ answered: false, facts: [], sources: [] });
      }
    });

    it('names a service that is down, and the scope that a key lacks', async () => {
      harness.replay.overlay = ({ key }) => (key.startsWith('simulation ') ? null : undefined);
      const away = await ask(`What is the risk score of ${worst!.id}?`);
      expect(away.body).toMatchObject({
        answered: false,
        missing: [{ source: `GET /v1/positions/${worst!.id}/risk-score` }],
      });
      const { body } = await ask('How many active alerts do I have?', { scopes: ['analytics:read'] });
      expect(body.missing).toEqual([
        { source: 'GET /v1/alerts', reason: 'The key lacks the scope alerts:read.' },
      ]);
      const whales = await ask('What was the largest whale move?', { tier: 'pro' });
      expect(whales.body.missing[0]?.reason).toContain('business');
    });

    describe('while positions cannot be read', () => {
      const unreadable = [{ protocol: 'aave-v3', chainId: 1, reason: 'rpc_unavailable' }];
      /** Aave v3 cannot be read, and `left` are the positions that could be. */
      const lose = (left: PositionList['positions']): void => {
        const metrics = { var95Usd: null, cvar95Usd: null, portfolioVolatility: null, priceTime: null };
        harness.replay.unrecorded = (key) =>
          key.startsWith('simulation GET /v1/risk/metrics')
            ? { key, status: 200, body: { ...metrics, unreadable, positions: left.length } }
            : undefined;
        harness.replay.overlay = (call) =>
          call.key.startsWith('positions GET /v1/positions?')
            ? { ...call, body: { ...(call.body as PositionList), positions: left, unreadable } }
            : undefined;
      };
      const inMorpho = positions.slice(0, 3).map((each) => ({ ...each, protocol: 'morpho-blue' }));

      it.each([
        'How many positions do I have?',
        'How much do I owe altogether?',
        'Which of my positions is riskiest?',
        'How many of my positions are at risk?',
        'What happens to my positions if ETH falls 20%?',
        'What is the value at risk of my portfolio?',
      ])('%s: refuses, and never claims that there are none', async (question) => {
        lose([]);
        const { body } = await ask(question);
        expect(body).toMatchObject({ answered: false, facts: [] });
        expect(body.answer).toContain('could not be read');
        expect(body.answer).not.toMatch(/no position|watches no wallet|owes nothing/i);
        expect(body.missing.length).toBeGreaterThan(0);
      });

      it('a missing match among the readable positions proves nothing about the others', async () => {
        lose(inMorpho);
        const { body } = await ask('How much do I owe on Aave v3?');
        expect(body.answered).toBe(false);
        expect(body.answer).toContain('could not be read');
      });

      it('of two named positions one is read and has no debt: the answer does not claim it for both', async () => {
        const free = positions.find(({ healthFactor }) => healthFactor === null)!;
        harness.replay.overlay = ({ key }) =>
          key === `positions GET /v1/positions/${worst!.id}` ? null : undefined;
        const { body } = await ask(`Which is riskiest, ${free.id} or ${worst!.id}?`);
        expect(body.answered).toBe(false);
        expect(body.answer).toContain('could not be read');
        expect(body.answer).not.toContain('owes nothing');
      });

      it('suggestions list missing sources, and a briefing states them in words', async () => {
        lose([]);
        const { body: suggested } = await harness.post<AiSuggestions>('suggestions', {});
        expect(suggested).toMatchObject({ count: 0, positionsAnalyzed: 0 });
        expect(suggested.missing.length).toBeGreaterThan(0);
        const { body } = await harness.post<BriefingAnswer>('briefing', { timeframe: '24h' });
        expect(body.briefing).not.toContain('have no positions');
        expect(body.briefing).toContain('could not be read now');
        expect(body.missing.length).toBeGreaterThan(0);
      });

      it('a briefing on some of the positions states that others are missing', async () => {
        lose(inMorpho);
        const { body } = await harness.post<BriefingAnswer>('briefing', { timeframe: '24h' });
        expect(body.briefing).toContain('Not all positions of the watched wallets could be read now');
      });
    });

    it('400 without a question, with one that is too long, and with more than a question', async () => {
      expect((await ask('')).status).toBe(400);
      expect((await ask('a'.repeat(2_001))).status).toBe(400);
      const { status, body } = await harness.post('risk-qa', { question: 'HF?', model: 'x' });
      expect([status, body.errors?.[0]?.field]).toEqual([400, 'model']);
    });

    it('keeps the answer with its question and facts, and no secret', async () => {
      const { body } = await ask(
        `What is the health factor of ${worst!.id}? psk_live_0123456789abcdefghijABCDEFGHIJ01`,
      );
      const rows = await harness.query<{ question: string; facts: object[]; answer: RiskQaAnswer }>(
        'SELECT * FROM ai.answers WHERE id = $1 AND account_id = $2',
        [body.answerId, harness.accountId],
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({ kind: 'risk-qa', generator: 'template', prompt: null });
      expect(rows[0]!.question).toContain('[removed]');
      expect(rows[0]!.answer.answer).toBe(body.answer);
      expect(rows[0]!.facts.length).toBeGreaterThan(0);
    });

    it('deletes answers older than their retention, and nothing else', async () => {
      const { body } = await ask('What is the risk index?');
      await harness.query(
        `INSERT INTO ai.answers SELECT 'ans_old', account_id, kind, request_id, question, facts, answer, prompt, generator,
           confidence, $2 FROM ai.answers WHERE id = $1`,
        [body.answerId, new Date(RECORDING.atMs - 31 * DAY_MS)],
      );
      const ids = async (): Promise<string[]> =>
        (await harness.query<{ id: string }>('SELECT id FROM ai.answers')).map(({ id }) => id);
      await waitFor(async () => !(await ids()).includes('ans_old'), { message: 'the old answer is deleted' });
      expect(await ids()).toContain(body.answerId);
    });
  });

  describe('POST /v1/ai/suggestions', () => {
    it('200 with suggestions that a simulation confirmed, most urgent first', async () => {
      const { status, headers, body } = await harness.post<AiSuggestions>('suggestions', { maxCount: 20 });
      expect(status).toBe(200);
      expect(headers.get('x-answer-generator')).toBe('template');
      expect(body.count).toBeGreaterThan(3);
      expect(body.positionsAnalyzed).toBeGreaterThan(1);
      for (const { type, target, figures } of body.suggestions) {
        if (type === 'repay_debt' || type === 'add_collateral') {
          expect(Math.abs(figures.healthFactorAfter! - target.value)).toBeLessThanOrEqual(1e-6);
          expect(figures.liquidationProbability30dAfter!).toBeLessThan(
            figures.liquidationProbability30dBefore!,
          );
          const { standardErrorBefore, standardErrorAfter, upperBound95Before, upperBound95After } = figures;
          expect([standardErrorBefore, standardErrorAfter]).toEqual([expect.any(Number), expect.any(Number)]);
          expect([upperBound95Before, upperBound95After]).toEqual([null, null]);
        }
      }
      const ranks = body.suggestions.map(({ severity }) => ['critical', 'warning', 'info'].indexOf(severity));
      expect(ranks).toEqual(ranks.toSorted());
    });

    it('enters an e-mode first, if the simulation confirms its health factor, and otherwise not at all', async () => {
      const promised = Math.round(worst!.healthFactor! * 1.2 * 1e6) / 1e6;
      const eMode = {
        id: 3,
        label: 'ETH correlated',
        healthFactor: promised,
        healthFactorRaw: `${BigInt(Math.round(promised * 1e6))}${'0'.repeat(12)}`,
        collateral: [],
      };
      harness.replay.overlay = (call) => {
        if (!call.key.startsWith('positions GET /v1/positions?include=assets')) return undefined;
        const body = structuredClone(call.body) as PositionList;
        body.positions.find(({ id }) => id === worst!.id)!.eModes = [eMode];
        return { ...call, body };
      };
      const simulated = (changedHealthFactor: number) => (key: string) => {
        const [path, sent = ''] = key.split(/(?=\{)/);
        if (!path!.startsWith('simulation POST /v1/simulate/monte-carlo') || !sent.includes('"eMode":3'))
          return undefined;
        const today = key.replace(',"eMode":3', '');
        const body = { ...recorded<object>(today), changedHealthFactor, liquidationProbability: 0.25 };
        return { key, status: 200, body };
      };
      const suggest = async () => {
        const { body } = await harness.post<AiSuggestions>('suggestions', { maxCount: 20 });
        return body.suggestions.filter(({ positionId }) => positionId === worst!.id);
      };
      harness.replay.unrecorded = simulated(promised);
      const [first] = await suggest();
      expect(first).toMatchObject({
        type: 'move_to_emode',
        action: { usd: null, changes: [], eMode: 3 },
        target: { kind: 'health_factor', value: promised },
        figures: { healthFactorAfter: promised, liquidationProbability30dAfter: 0.25 },
      });
      expect(first!.description).toContain(`"ETH correlated"`);
      expect(first!.description).toContain(`to ${promised.toFixed(4)}`);

      harness.replay.unrecorded = simulated(promised + 1e-5);
      expect((await suggest()).map(({ type }) => type)).not.toContain('move_to_emode');
    });

    it('404 for an unknown position, 400 for an invalid wallet', async () => {
      const unknown = await harness.post('suggestions', { positionIds: [UNKNOWN_POSITION] });
      expect(unknown.body.code).toBe('not_found');
      expect((await harness.post('suggestions', { wallet: '0x12' })).status).toBe(400);
      const mistyped = worst!.wallet.replace(/[a-f]/, (letter) => letter.toUpperCase());
      const refused = await harness.post('suggestions', { wallet: mistyped });
      expect(refused.body.errors).toEqual([expect.objectContaining({ code: 'invalid_checksum' })]);
      expect((await harness.post('suggestions', { maxCount: 21 })).status).toBe(400);
    });
  });

  describe('POST /v1/ai/briefing', () => {
    it.each(['24h', '7d', '30d'])('200 for %s, in Markdown', async (timeframe) => {
      const { status, body } = await harness.post<BriefingAnswer>('briefing', { timeframe });
      expect(status).toBe(200);
      expect(body.briefing).toMatch(/^# Risk briefing\n\n## Positions\n/);
      expect(body.briefing).toContain(worst!.id);
      expect(body.topRisks[0]).toContain(worst!.id);
      expect(body.alerts).toBeGreaterThan(0);
      expect(body.missing).toEqual([]);
    });

    it('400 for another timeframe', async () => {
      expect((await harness.post('briefing', { timeframe: '1y' })).body.errors?.[0]?.field).toBe('timeframe');
    });
  });

  describe('POST /v1/ai/postmortem', () => {
    it('200 with timeline, cause and recommendations', async () => {
      const { status, body } = await harness.post<PostmortemAnswer>('postmortem', {
        incidentId: incident!.id,
      });
      expect(status).toBe(200);
      expect(body.timeline.length).toBeGreaterThan(0);
      expect(body.summary).toContain(incident!.openedAt);
      expect(body.rootCause).not.toBe('');
      expect(body.recommendations.length).toBeGreaterThan(1);
    });

    it('404 for another account’s incident', async () => {
      const { body } = await harness.post('postmortem', { incidentId: 'inc_0000000000000000000000' });
      expect(body.code).toBe('not_found');
    });
  });
});
