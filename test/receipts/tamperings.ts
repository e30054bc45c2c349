import { type Json, type Receipt, type ReceiptContent, canonicalJson } from '@plimsoll/receipts';
import type { ReceiptKey, VerifyCode } from '@plimsoll/sdk/verify';
import { type MadeReceipt, SIGNED_AT, Signer } from './made-receipts';

/** A text that each verifier must judge in the same way. */
export interface ReceiptCase {
  name: string;
  text: string;
  keys: readonly ReceiptKey[];
  /** Null: without a node. */
  rpcUrl: string | null;
  /** The code that each verifier must name. */
  code: VerifyCode | null;
  /** Whether node and formula give every figure. */
  isEqual: boolean;
}

/** A draft of a value. */
export type Changed<T> = {
  -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? Changed<I>[] : Changed<T[K]>;
};
type Content = Changed<ReceiptContent>;

export const textOf = (receipt: object): string => canonicalJson(receipt as Json);
export const otherDigit = (hex: string): string => hex.slice(0, -1) + (hex.endsWith('0') ? '1' : '0');
const plusOne = (digits: string | null): string => String(BigInt(digits ?? 0) + 1n);
const otherFamily = (family: string): string => (family === 'comet' ? 'morpho-blue' : 'comet');

/** Changes of a dishonest signer, whose signature is valid. */
const SIGNED_AGAIN: readonly [string, VerifyCode | null, (content: Content) => void][] = [
  [
    'an amount, by one unit',
    'input_differs',
    ({ inputs }) => (inputs[0]!.amount = plusOne(inputs[0]!.amount)),
  ],
  [
    'a mark of collateral',
    'input_differs',
    ({ inputs: [first] }) => (first!.usedAsCollateral = !first!.usedAsCollateral),
  ],
  ['the decimals of an amount', 'input_differs', ({ inputs: [first] }) => (first!.decimals += 1)],
  ['a threshold', 'input_differs', ({ inputs: [first] }) => (first!.liquidationThresholdBps = '1')],
  [
    'the side of an asset',
    'input_differs',
    ({ inputs: [first] }) => (first!.side = first!.side === 'debt' ? 'collateral' : 'debt'),
  ],
  [
    'the asset of an input',
    'input_differs',
    ({ inputs: [first] }) => (first!.asset = otherDigit(first!.asset)),
  ],
  ['a missing input', 'input_differs', ({ inputs }) => inputs.pop()],
  ['an input a second time', 'input_differs', ({ inputs }) => inputs.push(inputs[0]!)],
  ['inputs in another order', 'input_differs', ({ inputs }) => inputs.reverse()],
  ['a price, by one unit', 'price_differs', ({ prices: [first] }) => (first!.price = plusOne(first!.price))],
  ['an oracle', 'price_differs', ({ prices: [first] }) => (first!.oracle = otherDigit(first!.oracle))],
  ['the decimals of a price', 'price_differs', ({ prices: [first] }) => (first!.decimals += 1)],
  ['a missing price', 'price_differs', ({ prices }) => prices.pop()],
  [
    'the health factor, by one unit',
    'output_differs',
    ({ outputs }) => (outputs.healthFactor = plusOne(outputs.healthFactor)),
  ],
  ['no health factor', 'output_differs', ({ outputs }) => (outputs.healthFactor = null)],
  [
    'the collateral',
    'output_differs',
    ({ outputs }) => (outputs.totalCollateral = plusOne(outputs.totalCollateral)),
  ],
  ['the debt', 'output_differs', ({ outputs }) => (outputs.totalDebt = '0')],
  [
    'a liquidation price, by one unit',
    'liquidation_price_differs',
    ({
      outputs: {
        liquidationPrices: [first],
      },
    }) => (first!.price = plusOne(first!.price)),
  ],
  [
    'a liquidation price as none, or none as one',
    'liquidation_price_differs',
    ({
      outputs: {
        liquidationPrices: [, second],
      },
    }) => (second!.price = second!.price === null ? '1' : null),
  ],
  [
    'the asset of a liquidation price',
    'liquidation_price_differs',
    ({
      outputs: {
        liquidationPrices: [first],
      },
    }) => (first!.asset = otherDigit(first!.asset)),
  ],
  [
    'a missing liquidation price',
    'liquidation_price_differs',
    ({ outputs }) => outputs.liquidationPrices.pop(),
  ],
  [
    'the level',
    'level_differs',
    ({ outputs }) => (outputs.level = outputs.level === 'critical' ? 'low' : 'critical'),
  ],
  [
    'a word that is no level',
    'schema_invalid',
    ({ outputs }) => ((outputs as { level: string }).level = 'safe'),
  ],
  ['the block number', 'block_number_differs', ({ block }) => (block.number += 1)],
  ['the block hash', 'block_unknown', ({ block }) => (block.hash = otherDigit(block.hash))],
  ['the block time', 'block_timestamp_differs', ({ block }) => (block.timestamp += 1)],
  ['the chain', 'chain_differs', (content) => (content.chainId += 1)],
  [
    'the hash of a result',
    'result_differs',
    ({ calls: [first] }) => (first!.resultHash = otherDigit(first!.resultHash)),
  ],
  ['a call marked as reverted', 'result_differs', ({ calls: [first] }) => (first!.ok = false)],
  ['the contract of a call', 'result_differs', ({ calls: [first] }) => (first!.to = otherDigit(first!.to))],
  [
    'the data of a call',
    'result_differs',
    ({ calls: [first] }) => (first!.data = `0xdeadbeef${first!.data.slice(10)}`),
  ],
  ['a missing call', 'call_missing', ({ calls }) => calls.pop()],
  ['no calls', 'call_missing', (content) => (content.calls = [])],
  [
    'other contracts',
    'call_missing',
    (content) =>
      (content.contracts = Object.fromEntries(
        Object.keys(content.contracts).map((name) => [name, content.position.wallet]),
      )),
  ],
  ['no contracts', 'contract_missing', (content) => (content.contracts = {})],
  ['the formula version', 'formula_unknown', ({ formula }) => (formula!.version = 2)],
  ['the formula version 0', 'formula_unknown', ({ formula }) => (formula!.version = 0)],
  ['the formula name', 'formula_unknown', ({ formula }) => (formula!.name = 'constructor')],
  [
    'the formula of another family',
    'formula_unknown',
    ({ formula, position }) => (formula!.name = otherFamily(position.family)),
  ],
  [
    'another family',
    'contract_missing',
    ({ formula, position }) => (position.family = formula!.name = otherFamily(position.family)),
  ],
  ['the version', 'version_unknown', (content) => ((content as { version: number }).version = 2)],
  ['the kind', 'schema_invalid', (content) => ((content as { kind: string }).kind = 'alert')],
  ['an unknown part', 'schema_invalid', (content) => Object.assign(content, { note: 'x' })],
  ['a missing part', 'schema_invalid', (content) => delete (content as Partial<Content>).outputs],
  ['a number as text', 'schema_invalid', ({ block }) => ((block as { number: unknown }).number = '1')],
  ['a negative number', 'schema_invalid', ({ block }) => (block.number = -1)],
  [
    'an amount with zeros in front',
    'schema_invalid',
    ({ inputs: [first] }) => (first!.amount = `0${first!.amount}`),
  ],
  ['a negative amount', 'schema_invalid', ({ inputs: [first] }) => (first!.amount = '-1')],
  [
    'an address in upper case',
    'schema_invalid',
    ({ calls: [first] }) => (first!.to = first!.to.toUpperCase()),
  ],
  ['an address with a line break', 'schema_invalid', ({ position }) => (position.wallet += '\n')],
  ['half a byte', 'schema_invalid', ({ calls: [first] }) => (first!.data += '0')],
  // Labels are names of the service, and results do not depend on the sender: the guide says so.
  ['the label of a protocol', null, ({ position }) => (position.protocol = 'other')],
  ['the symbol of an asset', null, ({ prices: [first] }) => (first!.symbol = '金')],
  ['the release', null, (content) => (content.build = '0.0.0')],
];

/** Where the calls of a receipt show that another wallet does not have the position. Elsewhere they are missing. */
export const NOT_OF_WALLET: ReadonlySet<string> = new Set(['liquity-v2']);
/** Families with several positions of a wallet: how another one is named, and its code. */
const OTHER_SUB_ID: Readonly<Record<string, [VerifyCode, (subId: string) => string]>> = {
  dolomite: ['call_missing', plusOne],
  'euler-v2': ['call_missing', (subId) => String(BigInt(subId) ^ 1n)],
  fluid: ['input_differs', () => '999999'],
  fraxlend: ['input_differs', otherDigit],
  'liquity-v2': ['call_missing', otherDigit],
  llamma: ['call_missing', otherDigit],
  'llamma-second': ['call_missing', otherDigit],
  maker: ['call_missing', () => '999999'],
  'morpho-blue': ['call_missing', otherDigit],
  'silo-v2': ['call_missing', plusOne],
};

/** Every tampering with a receipt that has collateral and debt, and the receipt itself. */
export function tamperings({ name, receipt, results, rpcUrl }: MadeReceipt, signer: Signer): ReceiptCase[] {
  const { content, hash, signature } = receipt;
  const text = textOf(receipt);
  const cases: ReceiptCase[] = [];
  const add = (
    what: string,
    code: VerifyCode | null,
    changed: string,
    over: Partial<ReceiptCase> = {},
  ): unknown =>
    cases.push({
      name: `${name}: ${what}`,
      text: changed,
      keys: [signer.key],
      rpcUrl,
      code,
      isEqual: code === null,
      ...over,
    });
  const changedBy = (change: (content: Content) => unknown): ReceiptContent => {
    const copy = structuredClone(content) as unknown as Content;
    change(copy);
    return copy as unknown as ReceiptContent;
  };
  const withSignature = (over: Partial<Receipt['signature']>): string =>
    textOf({ ...receipt, signature: { ...signature, ...over } });

  add('nothing', null, text);
  for (const [what, code, change] of SIGNED_AGAIN)
    add(`${what}, signed again`, code, textOf(signer.sign(changedBy(change))));
  const { family, wallet } = content.position;
  add(
    'the wallet, signed again',
    NOT_OF_WALLET.has(family) ? 'input_differs' : 'call_missing',
    textOf(signer.sign(changedBy(({ position }) => (position.wallet = otherDigit(wallet))))),
  );
  const [code = null, other] = OTHER_SUB_ID[family] ?? [];
  if (other) {
    const elsewhere = changedBy(({ position }) => (position.subId = other(position.subId)));
    add('the sub-id, signed again', code, textOf(signer.sign(elsewhere)));
    const nowhere = changedBy(({ position }) => (position.subId = '1_0'));
    add('a sub-id that is none, signed again', 'contract_missing', textOf(signer.sign(nowhere)));
  }
  const withoutFormula = signer.sign(changedBy((copy) => (copy.formula = null)));
  add('no formula, signed again', null, textOf(withoutFormula), { isEqual: false });

  const poorer = changedBy(({ outputs }) => (outputs.totalDebt = plusOne(outputs.totalDebt)));
  add('content', 'hash_differs', textOf({ ...receipt, content: poorer }));
  add('hash', 'hash_differs', textOf({ ...receipt, hash: otherDigit(hash) }));
  const { hash: newHash } = signer.sign(poorer);
  add('content and hash', 'signature_invalid', textOf({ ...receipt, content: poorer, hash: newHash }));
  add(
    'signature',
    'signature_invalid',
    withSignature({ value: `${signature.value.startsWith('A') ? 'B' : 'A'}${signature.value.slice(1)}` }),
  );
  add('time of signing', 'signature_invalid', withSignature({ signedAt: SIGNED_AT + 1 }));
  add('no signature', 'schema_invalid', withSignature({ value: '' }));
  const stranger = new Signer(signer.id);
  add('key of a stranger', 'signature_invalid', textOf(stranger.sign(content)));
  add('unknown key', 'key_unknown', withSignature({ keyId: 'other' }));
  const keyed = (what: string, code: VerifyCode, over: Partial<ReceiptKey>): unknown =>
    add(what, code, text, { keys: [{ ...signer.key, ...over }] });
  keyed('key that ended', 'key_expired', { untilMs: SIGNED_AT - 1 });
  keyed('key that begins later', 'key_not_yet_valid', { fromMs: SIGNED_AT + 1 });
  keyed('other public key', 'signature_invalid', { publicKey: stranger.key.publicKey });
  add('no keys', 'key_unknown', text, { keys: [] });

  add('line break at the end', 'whitespace', `${text}\n`);
  add('indentation', 'whitespace', JSON.stringify(receipt, null, 1));
  add('mark of byte order', 'not_json', `\ufeff${text}`);
  add('order of names', 'key_order', JSON.stringify({ hash, content, signature }));
  add('name a second time', 'duplicate_key', text.replace('"build":', '"build":"0","build":'));
  const chainId = `"chainId":${content.chainId}`;
  add('number with a fraction', 'number_form', text.replace(chainId, `${chainId}.0`));
  add('number with an exponent', 'number_form', text.replace(chainId, `${chainId}e0`));
  add('number that is too large', 'number_form', text.replace(chainId, '"chainId":9007199254740993'));
  add('escaped letter', 'string_form', text.replace('"kind":"position"', String.raw`"kind":"\u0070osition"`));
  add('half a pair', 'string_form', text.replace('"kind":"position"', String.raw`"kind":"\ud800"`));
  add('cut off', 'not_json', text.slice(0, -1));
  add('text after it', 'not_json', `${text}{}`);
  add('nothing at all', 'not_json', '');
  add('a page', 'not_json', '<html></html>');
  add('another value', 'schema_invalid', '[]');
  add('unreachable node', 'node_failed', text, { rpcUrl: 'http://127.0.0.1:1' });

  const offline = { rpcUrl: null, isEqual: false };
  add('without a node', null, text, offline);
  add('with results, without a node', null, textOf({ ...receipt, results }), offline);
  add('a missing result', 'result_differs', textOf({ ...receipt, results: results.slice(1) }), offline);
  const [first = '0x', ...others] = results;
  add('a result', 'result_differs', textOf({ ...receipt, results: [otherDigit(first), ...others] }), offline);
  return cases;
}

/** Texts with random changes of single characters. The first verifier states the codes. */
export function damagedTexts({ receipt, results }: MadeReceipt, seed: number, count: number): string[] {
  const text = textOf({ ...receipt, results: results.slice(0, 1) });
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const letters = [
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ' ',
    '0',
    '1',
    '-',
    '.',
    'e',
    'a',
    'A',
    '\u00e9',
    '\u2028',
    '\ud800',
    '\u0001',
    '\u00a0',
  ];
  return Array.from({ length: count }, () => {
    const at = next(text.length);
    const letter = letters[next(letters.length)]!;
    return text.slice(0, at) + letter + text.slice(at + next(3));
  });
}
