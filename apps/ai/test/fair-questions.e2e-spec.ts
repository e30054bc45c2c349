import { setTimeout as delay } from 'node:timers/promises';
import { newId, type PositionList, type RiskQaAnswer } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { AiHarness, recorded } from './ai-harness';

const LIST = 'positions GET /v1/positions?include=assets&limit=200';
const CLIENTS = 8;
const QUESTIONS = 10;
/** Shorter than the longest time for which a question gives way. */
const READ_MS = 40;

describe('questions of several accounts', () => {
  let harness: AiHarness;
  const [light, heavy] = [newId('acc'), newId('acc')];
  const { positions } = recorded<PositionList>(LIST);
  const worst = positions.find(({ healthFactor }) => healthFactor !== null);
  const ask = (accountId: string, question: string) =>
    harness.post<RiskQaAnswer>('risk-qa', { question }, { accountId });
  const askOfOne = async (): Promise<void> => {
    const { body } = await ask(light, `What is the health factor of ${worst!.id}?`);
    expect(body).toMatchObject({ answered: true });
  };

  beforeAll(async () => {
    harness = await AiHarness.start();
  }, 60_000);
  afterAll(() => harness?.close());

  it('those of a heavy account begin no read while one of a light account is in progress', async () => {
    const readsOfHeavy = (): number => harness.replay.calls.filter((key) => key === LIST).length;
    const begunBeside: number[] = [];
    harness.replay.overlay = async ({ key }) => {
      if (key === LIST) return undefined;
      const before = readsOfHeavy();
      await delay(READ_MS);
      begunBeside.push(readsOfHeavy() - before);
      return undefined;
    };
    const state = { isOver: false };
    const client = async (): Promise<void> => {
      while (!state.isOver) await ask(heavy, 'What is the health factor of my positions?');
    };
    await askOfOne();
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    await waitFor(() => readsOfHeavy() > CLIENTS, { message: 'the heavy account asks' });
    begunBeside.length = 0;
    for (let asked = 0; asked < QUESTIONS; asked += 1) await askOfOne();
    state.isOver = true;
    await clients;
    expect(begunBeside).toHaveLength(QUESTIONS);
    // A read that was sent before the question may arrive after it.
    expect(begunBeside.filter((count) => count > 1)).toEqual([]);
  }, 60_000);
});
