import { type SimulationReceipt, numberText } from '@plimsoll/receipts';
import type { SimulationTask } from '@plimsoll/risk-math';
import type { ReceiptKey, VerifyCode } from '@plimsoll/sdk/verify';
import { SIGNED_AT, Signer } from './made-receipts';
import { simulationReceipt, simulationTask } from './made-simulations';
import { type Changed, textOf } from './tamperings';

/** The receipt of a simulation that each verifier must judge in the same way. */
export interface SimulationCase {
  name: string;
  text: string;
  keys: readonly ReceiptKey[];
  code: VerifyCode | null;
}

export type SimulationDraft = Changed<SimulationReceipt['content']>;

export const other = (text: string): string => numberText(Number(text) * 1.01 + 0.001);
const otherHash = (hash: string): string => (hash.startsWith('0') ? '1' : '0') + hash.slice(1);

/** Changes of a dishonest signer, whose signature is valid. */
export const SIGNED_AGAIN: readonly [string, VerifyCode, (content: SimulationDraft) => unknown][] = [
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
  ['a missing part', 'schema_invalid', (content) => delete (content as Partial<SimulationDraft>).outputs],
];

/** Python runs each path again. The first task of each model below has all of them. */
const PATHS_OF_CHANGED = 200;
const PATHS_OF_OTHER = 500;

function withPaths<T extends SimulationTask>(task: T, paths: number): T {
  return { ...task, options: { ...task.options, paths } };
}

/** Simulations that end in different ways. */
function otherTasks(): [string, SimulationTask][] {
  const whole = simulationTask('fhs');
  const task = withPaths(whole, PATHS_OF_OTHER);
  const { position, options } = task;
  const owing = (factor: number): SimulationTask => {
    const debt = position.debt.map((leg) => ({ ...leg, amount: leg.amount * factor }));
    return { ...task, position: { ...position, debt } };
  };
  const running = (over: object): SimulationTask => ({ ...task, options: { ...options, ...over } });
  return [
    ['all paths', whole],
    ['one path', running({ paths: 1 })],
    ['paths that no block holds evenly', running({ paths: 1_237, seed: 7 })],
    ['one day', running({ horizonDays: 1 })],
    ['a year', running({ horizonDays: 365, paths: 200, seed: 2 ** 32 - 1 })],
    ['no path that is liquidated', owing(0.1)],
    ['a position that can be liquidated', owing(2)],
  ];
}

type GbmTask = Extract<SimulationTask, { model: 'gbm' }>;

/** Positions and markets for which the model takes each of its ways. */
function otherGbmTasks(): [string, SimulationTask][] {
  const whole = simulationTask('gbm') as GbmTask;
  const task = withPaths(whole, PATHS_OF_OTHER);
  const { position, options, market } = task;
  const leg = (asset: string, amount: number, priceUsd: number) => {
    return { asset, amount, priceUsd, liquidationThreshold: 0.8, liquidationBonus: 0.05 };
  };
  const ETH = leg('ETH', 10, 3_000);
  const BTC = leg('BTC', 0.2, 60_000);
  const USDC = leg('USDC', 20_000, 1);
  const of = (collateral: GbmTask['position']['collateral'], debt: GbmTask['position']['debt']) => {
    return { ...task, position: { collateral, debt } };
  };
  const at = market.assets.indexOf('USDC');
  const dailyCovariance = market.dailyCovariance.map((row, i) =>
    row.map((value, j) => (i === at || j === at ? 0 : value)),
  );
  const stable = { ...market, dailyCovariance };
  const more = {
    assets: [...market.assets, 'LINK'],
    dailyCovariance: [
      ...market.dailyCovariance.map((row) => [...row, 0]),
      [...market.assets.map(() => 0), 0.003],
    ],
  };
  const running = (over: object): SimulationTask => ({ ...task, options: { ...options, ...over } });
  return [
    ['all paths', whole],
    ['one price against another', of([ETH], [{ ...USDC, amount: 18_000 }])],
    ['one price among constants', { ...of([ETH, { ...USDC, amount: 500 }], [USDC]), market: stable }],
    ['a price that is owed', { ...of([USDC], [{ ...ETH, amount: 4 }]), market: stable }],
    ['a price on both sides', { ...of([ETH, USDC], [{ ...ETH, amount: 1 }, USDC]), market: stable }],
    ['two prices', { ...of([ETH, BTC], [USDC]), market: stable }],
    ['four prices', { ...of([ETH, BTC, leg('LINK', 100, 15)], [USDC]), market: more }],
    [
      'debts that move',
      of([{ ...USDC, amount: 60_000 }, BTC], [{ ...ETH, amount: 16 }, leg('USDC', 1_000, 1)]),
    ],
    [
      'an asset on both sides',
      of(
        [ETH, BTC],
        [
          { ...ETH, amount: 1 },
          { ...USDC, amount: 26_000 },
        ],
      ),
    ],
    ['a growth of each price', { ...task, market: { ...market, dailyDrift: [0.001, -0.002, 0] } }],
    ['one path', running({ paths: 1 })],
    ['paths that no block holds evenly', running({ paths: 1_237, seed: 7 })],
    ['one day', running({ horizonDays: 1 })],
    ['a year', running({ horizonDays: 365, paths: 40, seed: 2 ** 32 - 1 })],
    [
      'a position that can be liquidated',
      {
        ...task,
        position: { ...position, debt: position.debt.map((each) => ({ ...each, amount: 3 * each.amount })) },
      },
    ],
  ];
}

/** Whole receipts of both models, and every change of them. */
export function simulationCases(): SimulationCase[] {
  const signer = new Signer();
  const keys = [signer.key];
  const tasks = { fhs: otherTasks(), gbm: otherGbmTasks() };
  const others = Object.entries(tasks).flatMap(([model, own]) =>
    own.map(([name, task]): SimulationCase => {
      return { name: `${model}: ${name}`, text: textOf(simulationReceipt(signer, task)), keys, code: null };
    }),
  );
  const changed = (['fhs', 'gbm'] as const).flatMap((model): SimulationCase[] => {
    const task = simulationTask(model);
    const receipt = simulationReceipt(signer, withPaths(task, PATHS_OF_CHANGED));
    const { content, data, signature } = receipt;
    const draft = (): SimulationDraft => structuredClone(content) as SimulationDraft;
    const changed = draft();
    changed.parameters.seed += 1;
    const { hash } = signer.sign(changed);
    const { data: _, ...withoutData } = receipt;
    const others: [string, VerifyCode | null, object][] = [
      ['nothing', null, receipt],
      ['content', 'hash_differs', { ...receipt, content: changed }],
      ['content and hash', 'signature_invalid', { ...receipt, content: changed, hash }],
      [
        'the time of signing',
        'signature_invalid',
        { ...receipt, signature: { ...signature, signedAt: SIGNED_AT + 1 } },
      ],
      ['no data', 'schema_invalid', withoutData],
      ['other data', 'schema_invalid', { ...receipt, data: { assets: [] } }],
      [
        'the order of the assets',
        'data_differs',
        { ...receipt, data: { ...data, assets: [...data.assets].reverse() } },
      ],
      ['a stranger as signer', 'signature_invalid', { ...new Signer(signer.id).sign(content), data }],
    ];
    return [
      ...others.map(([name, code, text]) => ({ name: `${model}: ${name}`, text: textOf(text), keys, code })),
      ...SIGNED_AGAIN.map(([name, code, change]) => {
        const copy = draft();
        change(copy);
        const text = textOf({ ...signer.sign(copy), data });
        return { name: `${model}: ${name}, signed again`, text, keys, code };
      }),
    ];
  });
  return [...others, ...changed];
}

/** The next larger number. */
export function nextDouble(text: string): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number(text));
  view.setBigInt64(0, view.getBigInt64(0) + 1n);
  return numberText(view.getFloat64(0));
}
