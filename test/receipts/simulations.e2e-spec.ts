import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { type SimulationReceipt, numberText } from '@plimsoll/receipts';
import { MODEL_VERSIONS, type SimulationTask, simulate } from '@plimsoll/risk-math';
import { type VerifyCode, verifyReceipt } from '@plimsoll/sdk/verify';
import { SIGNED_AT, Signer } from './made-receipts';
import { simulationReceipt, simulationTask } from './made-simulations';
import { textOf } from './tamperings';

type Changed<T> = {
  -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? Changed<I>[] : Changed<T[K]>;
};
type Content = Changed<SimulationReceipt['content']>;
type History = Changed<Extract<SimulationReceipt['data'], { close: unknown }>>;

const SCHEMA = path.join(__dirname, '../../docs/simulation-receipt.schema.json');
const signer = new Signer();
const other = (text: string): string => numberText(Number(text) * 1.01 + 0.001);
const otherHash = (hash: string): string => (hash.startsWith('0') ? '1' : '0') + hash.slice(1);

/** Changes of a dishonest signer, whose signature is valid. */
const SIGNED_AGAIN: readonly [string, VerifyCode, (content: Content) => unknown][] = [
  ['the seed', 'rerun_differs', ({ parameters }) => (parameters.seed += 1)],
  ['the number of paths', 'rerun_differs', ({ parameters }) => (parameters.paths += 1)],
  ['no paths', 'rerun_differs', ({ parameters }) => (parameters.paths = 0)],
  ['the horizon', 'rerun_differs', ({ parameters }) => (parameters.horizonDays += 1)],
  ['the drift', 'rerun_differs', ({ parameters }) => (parameters.drift[0] = '0.5')],
  ['the version of the model', 'model_unknown', ({ model }) => (model.version = '0')],
  ['the model', 'model_unknown', ({ model }) => (model.name = model.name === 'fhs' ? 'gbm' : 'fhs')],
  ['a model that is none', 'schema_invalid', ({ model }) => ((model as { name: string }).name = 'x')],
  ['the hash of the data', 'data_differs', ({ data }) => (data.hash = otherHash(data.hash))],
  ['an amount', 'rerun_differs', ({ inputs: { debt } }) => (debt[0]!.amount = other(debt[0]!.amount))],
  [
    'a threshold',
    'rerun_differs',
    ({ inputs: { collateral } }) => (collateral[0]!.liquidationThreshold = '0.5'),
  ],
  ['an asset without prices', 'rerun_differs', ({ inputs: { debt } }) => (debt[0]!.asset = 'OTHER')],
  [
    'the probability, by its last bit',
    'rerun_differs',
    ({ outputs }) => (outputs.liquidationProbability = nextDouble(outputs.liquidationProbability)),
  ],
  ['the error', 'rerun_differs', ({ outputs }) => (outputs.standardError = other(outputs.standardError))],
  [
    'a percentile, by its last bit',
    'rerun_differs',
    ({ outputs: { percentiles } }) => (percentiles!.p50 = nextDouble(percentiles!.p50)),
  ],
  ['no percentiles', 'rerun_differs', ({ outputs }) => (outputs.percentiles = null)],
  ['the bound', 'rerun_differs', ({ outputs }) => (outputs.upperBound95 = '1')],
  [
    'a probability in another form',
    'schema_invalid',
    ({ outputs }) => (outputs.liquidationProbability += '0'),
  ],
  ['more paths than a simulation has', 'schema_invalid', ({ parameters }) => (parameters.paths = 100_001)],
  ['the version', 'version_unknown', (content) => ((content as { version: number }).version = 2)],
  ['the kind', 'schema_invalid', (content) => ((content as { kind: string }).kind = 'position')],
  ['an unknown part', 'schema_invalid', (content) => Object.assign(content, { note: 'x' })],
  ['a missing part', 'schema_invalid', (content) => delete (content as Partial<Content>).outputs],
];

describe.each(['fhs', 'gbm'] as const)('the receipt of a simulation with %s', (model) => {
  const receipt = simulationReceipt(signer, simulationTask(model));

  async function codeOf(text: string): Promise<VerifyCode | null> {
    const outcome = await verifyReceipt(text, { keys: [signer.key] });
    expect(outcome.isRecomputed).toBe(outcome.code === null);
    return outcome.code;
  }

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

  it.each(SIGNED_AGAIN)('of which %s was changed and signed again has %s', async (_, code, change) => {
    const content = structuredClone(receipt.content) as Content;
    change(content);
    expect(await codeOf(textOf({ ...signer.sign(content), data: receipt.data }))).toBe(code);
  });

  it('names what was changed without a new signature', async () => {
    const content = structuredClone(receipt.content) as Content;
    content.parameters.seed += 1;
    expect(await codeOf(textOf({ ...receipt, content }))).toBe('hash_differs');
    const { hash } = signer.sign(content);
    expect(await codeOf(textOf({ ...receipt, content, hash }))).toBe('signature_invalid');
    const signature = { ...receipt.signature, signedAt: SIGNED_AT + 1 };
    expect(await codeOf(textOf({ ...receipt, signature }))).toBe('signature_invalid');
    const { data: _, ...withoutData } = receipt;
    expect(await codeOf(textOf(withoutData))).toBe('schema_invalid');
    expect(await codeOf(textOf({ ...receipt, data: { assets: [] } }))).toBe('schema_invalid');
  });
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

function nextDouble(text: string): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number(text));
  view.setBigInt64(0, view.getBigInt64(0) + 1n);
  return numberText(view.getFloat64(0));
}
