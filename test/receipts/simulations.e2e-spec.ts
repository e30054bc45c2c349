import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { SimulationReceipt } from '@plimsoll/receipts';
import { MODEL_VERSIONS, type SimulationTask, simulate } from '@plimsoll/risk-math';
import { verifyReceipt } from '@plimsoll/sdk/verify';
import { Signer } from './made-receipts';
import { simulationReceipt, simulationTask } from './made-simulations';
import { nextDouble, other, simulationCases } from './simulation-tamperings';
import { type Changed, textOf } from './tamperings';

const SCHEMA = path.join(__dirname, '../../docs/simulation-receipt.schema.json');
const signer = new Signer();

type History = Changed<Extract<SimulationReceipt['data'], { close: unknown }>>;

describe.each(['fhs', 'gbm'] as const)('the receipt of a simulation with %s', (model) => {
  const receipt = simulationReceipt(signer, simulationTask(model));

  it('runs again to the same bits', async () => {
    const outcome = await verifyReceipt(textOf(receipt), { keys: [signer.key] });
    expect(outcome).toMatchObject({ code: null, kind: 'simulation', isRead: false, isRecomputed: true });
    expect(outcome.steps.map(({ name }) => name)).toEqual([
      'form',
      'hash',
      'signature',
      'data',
      'model',
      'rerun',
    ]);
  });

  it('has the published form', () => {
    const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as Parameters<
      AjvJsonSchemaValidator['getValidator']
    >[0];
    const isValid = new AjvJsonSchemaValidator().getValidator(schema);
    expect(isValid(receipt)).toMatchObject({ valid: true });
    expect(isValid({ ...receipt, note: 1 }).valid).toBe(false);
  });
});

it.each(simulationCases())('names $code: $name', async ({ text, keys, code }) => {
  const outcome = await verifyReceipt(text, { keys });
  expect([outcome.code, outcome.isRecomputed]).toEqual([code, code === null]);
});

describe('the prices of a simulation', () => {
  const receipt = simulationReceipt(signer, simulationTask('fhs'));
  const changed = (change: (data: History) => unknown): History => {
    const data = structuredClone(receipt.data) as History;
    change(data);
    return data;
  };

  it.each<[string, (data: History) => unknown]>([
    ['a close', ({ close }) => (close[0]![7] = other(close[0]![7]!))],
    ['a low, by its last bit', ({ low }) => (low[0]![7] = nextDouble(low[0]![7]!))],
    [
      'a missing day',
      ({ close, low, high }) => [close, low, high].map((rows) => rows.map((row) => row.pop())),
    ],
    ['the order of the assets', ({ assets }) => assets.reverse()],
  ])('are not those of the receipt after a change of %s', async (_, change) => {
    const text = textOf({ ...receipt, data: changed(change) });
    expect((await verifyReceipt(text, { keys: [signer.key] })).code).toBe('data_differs');
  });

  it('give another result after a change that was signed again', async () => {
    const task = simulationTask('fhs') as Extract<SimulationTask, { model: 'fhs' }>;
    const close = task.history.close.map((row) =>
      Array.from(row, (price, day) => (day === 7 ? price * 1.1 : price)),
    );
    const { content, data } = simulationReceipt(signer, { ...task, history: { ...task.history, close } });
    const text = textOf({ ...signer.sign({ ...content, outputs: receipt.content.outputs }), data });
    expect((await verifyReceipt(text, { keys: [signer.key] })).code).toBe('rerun_differs');
  });
});

/** The outputs of each version: a change of the bits needs a new version of the model. */
describe('the versions of the models', () => {
  it.each(['fhs', 'gbm'] as const)('of %s gives the same bits as ever', (model) => {
    expect([MODEL_VERSIONS[model], simulate(simulationTask(model))]).toMatchSnapshot();
  });
});
