import type { CrossingContent, CrossingReceipt, ReceiptContent } from '@plimsoll/receipts';
import { levelOf } from '@plimsoll/receipts';
import type { VerifyCode } from '@plimsoll/sdk/verify';
import type { MadeReceipt, Signer } from './made-receipts';
import { NOT_OF_WALLET, type ReceiptCase, otherDigit, textOf } from './tamperings';

/** The receipt of a crossing of a real position. */
export interface MadeCrossing {
  name: string;
  content: CrossingContent;
  rpcUrl: string;
}

type Changed<T> = {
  -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? Changed<I>[] : Changed<T[K]>;
};
type Reading = CrossingContent['after'];

/** A reading as the first one of its position. */
export function firstReading({ name, receipt, rpcUrl }: MadeReceipt): MadeCrossing {
  const {
    calls: _calls,
    caller: _caller,
    kind: _kind,
    block,
    prices,
    inputs,
    outputs,
    ...same
  } = receipt.content;
  return {
    name: `${name}, first`,
    content: {
      ...same,
      kind: 'crossing',
      before: null,
      after: readingOf({ block, prices, inputs, outputs }),
    },
    rpcUrl,
  };
}

/** Two readings of a position at two blocks of a chain. */
export function crossingOf(before: MadeReceipt, after: MadeReceipt): MadeCrossing {
  const { content, rpcUrl } = firstReading(after);
  return {
    name: `${after.name}, twice`,
    content: { ...content, before: firstReading(before).content.after },
    rpcUrl,
  };
}

function readingOf(figures: Pick<ReceiptContent, 'block' | 'prices' | 'inputs' | 'outputs'>): Reading {
  const { totalCollateral, totalDebt, healthFactor } = figures.outputs;
  return {
    ...figures,
    outputs: { totalCollateral, totalDebt, healthFactor },
    level: levelOf(healthFactor === null ? null : BigInt(healthFactor), null),
    probability7d: null,
  };
}

const plusOne = (digits: string | null): string => String(BigInt(digits ?? 0) + 1n);

/** Changes of one reading by a dishonest signer, whose signature is valid. */
const OF_A_READING: readonly [string, VerifyCode | null, (reading: Changed<Reading>) => unknown][] = [
  ['amount', 'input_differs', ({ inputs: [first] }) => (first!.amount = plusOne(first!.amount))],
  ['inputs', 'input_differs', ({ inputs }) => inputs.pop()],
  ['price', 'price_differs', ({ prices: [first] }) => (first!.price = plusOne(first!.price))],
  ['oracle', 'price_differs', ({ prices: [first] }) => (first!.oracle = otherDigit(first!.oracle))],
  [
    'health factor',
    'output_differs',
    ({ outputs }) => (outputs.healthFactor = plusOne(outputs.healthFactor)),
  ],
  ['debt', 'output_differs', ({ outputs }) => (outputs.totalDebt = plusOne(outputs.totalDebt))],
  ['no health factor', 'output_differs', ({ outputs }) => (outputs.healthFactor = null)],
  ['block number', 'block_number_differs', ({ block }) => (block.number += 1)],
  ['block hash', 'block_unknown', ({ block }) => (block.hash = otherDigit(block.hash))],
  ['block time', 'block_timestamp_differs', ({ block }) => (block.timestamp += 1)],
  [
    'level',
    'level_differs',
    (reading) => (reading.level = reading.level === 'critical' ? 'high' : 'critical'),
  ],
  ['word for a level', 'schema_invalid', (reading) => ((reading as { level: string }).level = 'safe')],
  ['symbol', null, ({ prices: [first] }) => (first!.symbol = '金')],
];

const OF_THE_RECEIPT: readonly [string, VerifyCode | null, (content: Changed<CrossingContent>) => unknown][] =
  [
    ['the chain', 'chain_differs', (content) => (content.chainId += 1)],
    ['no contracts', 'contract_missing', (content) => (content.contracts = {})],
    [
      'other contracts',
      'call_missing',
      (content) =>
        (content.contracts = Object.fromEntries(
          Object.keys(content.contracts).map((name) => [name, content.position.wallet]),
        )),
    ],
    ['the formula version', 'formula_unknown', ({ formula }) => (formula!.version = 2)],
    ['the formula name', 'formula_unknown', ({ formula }) => (formula!.name = 'constructor')],
    ['the version', 'version_unknown', (content) => ((content as { version: number }).version = 2)],
    ['the kind', 'schema_invalid', (content) => ((content as { kind: string }).kind = 'position')],
    ['calls', 'schema_invalid', (content) => Object.assign(content, { calls: [] })],
    ['no reading after', 'schema_invalid', (content) => ((content as { after: unknown }).after = null)],
    ['the release', null, (content) => (content.build = '0.0.0')],
  ];

/** Every tampering with a crossing, and the crossing itself. */
export function crossingCases({ name, content, rpcUrl }: MadeCrossing, signer: Signer): ReceiptCase[] {
  const cases: ReceiptCase[] = [];
  const add = (
    what: string,
    code: VerifyCode | null,
    receipt: object,
    over: Partial<ReceiptCase> = {},
  ): unknown =>
    cases.push({
      name: `${name}: ${what}`,
      text: textOf(receipt),
      keys: [signer.key],
      rpcUrl,
      code,
      isEqual: code === null,
      ...over,
    });
  const changed = (change: (content: Changed<CrossingContent>) => unknown): CrossingContent => {
    const copy = structuredClone(content) as unknown as Changed<CrossingContent>;
    change(copy);
    return copy as unknown as CrossingContent;
  };
  const receipt: CrossingReceipt = signer.sign(content);
  const offline = { rpcUrl: null, isEqual: false };
  add('nothing', null, receipt);
  add('without a node', null, receipt, offline);
  const stranger = changed(({ position }) => (position.wallet = `0x${'1'.repeat(40)}`));
  // A recorded chain has no calls of another wallet.
  const isKnown = name.startsWith('chain') || NOT_OF_WALLET.has(content.position.family);
  add('the wallet', isKnown ? 'input_differs' : 'call_missing', signer.sign(stranger));
  for (const [what, code, change] of OF_THE_RECEIPT) add(what, code, signer.sign(changed(change)));
  for (const side of ['before', 'after'] as const) {
    if (content[side] === null) continue;
    for (const [what, code, change] of OF_A_READING)
      add(`${what} ${side}`, code, signer.sign(changed((copy) => change(copy[side]!))));
    const stated = signer.sign(changed((copy) => (copy[side]!.level = 'none')));
    add(`level ${side}, without a node`, 'level_differs', stated, offline);
  }
  const { before } = content;
  if (before) {
    add(
      'readings in another order',
      'order_differs',
      signer.sign({ ...content, before: content.after, after: before }),
    );
    add('one reading twice', 'order_differs', signer.sign({ ...content, after: before }));
  }
  const withoutFormula = signer.sign({ ...content, formula: null });
  add('no formula', null, withoutFormula, { isEqual: false });
  const other = changed(({ after }) => (after.outputs.totalDebt = plusOne(after.outputs.totalDebt)));
  add('content', 'hash_differs', { ...receipt, content: other });
  add('content and hash', 'signature_invalid', { ...receipt, content: other, hash: signer.sign(other).hash });
  add('results', 'schema_invalid', { ...receipt, results: [] });
  add('probability', null, signer.sign(changed(({ after }) => (after.probability7d = '10000000000000000'))), {
    // It decides only at 1 and above, and the level that it gives is another one.
    ...(levelOf(BigInt(content.after.outputs.healthFactor ?? 0), 10n ** 16n) !== content.after.level && {
      code: 'level_differs' as const,
      isEqual: false,
    }),
  });
  return cases;
}
