import { generateKeyPairSync } from 'node:crypto';
import { type Json, type Receipt, canonicalJson } from '@plimsoll/receipts';
import { type ReceiptKey, type VerifyCode, verifyReceipt } from '@plimsoll/sdk/verify';
import type { Address } from 'viem';
import { receiptContent } from '../src/receipts/receipt-content';
import { signReceipt } from '../src/receipt-signing/sign-receipt';
import { type ChainFixture, startChain } from './chain-fixture';
import { recordedPositions } from './recorded-positions';

const KEY = 'receipts-test-0';
const SIGNED_AT = 1_800_000_000_000;
const { privateKey: signing, publicKey } = generateKeyPairSync('ed25519');
const key: ReceiptKey = {
  id: KEY,
  publicKey: publicKey.export({ format: 'jwk' }).x!,
  fromMs: 0,
  untilMs: null,
};

type Content = Receipt['content'];
type Changed = { -readonly [K in keyof Content]: Content[K] extends readonly (infer I)[] ? I[] : Content[K] };
const textOf = (receipt: object): string => canonicalJson(receipt as Json);
const last = (hex: string): string => hex.slice(0, -1) + (hex.endsWith('0') ? '1' : '0');

describe('a receipt of a position', () => {
  let chain: ChainFixture;
  let receipt: Receipt;
  let results: string[];

  beforeAll(async () => {
    chain = await startChain(31_337);
    ({ receipt, results } = await readReceipt(chain.wallets[0]!.address));
  }, 240_000);
  afterAll(() => chain?.close());

  async function readReceipt(wallet: Address) {
    const [position] = await recordedPositions(chain, wallet);
    const made = receiptContent(position!);
    return { receipt: signReceipt(made.content, { id: KEY, signing }, SIGNED_AT), results: made.results };
  }

  const verify = (text: string, over: Partial<Parameters<typeof verifyReceipt>[1]> = {}) =>
    verifyReceipt(text, { keys: [key], rpcUrl: chain.node.url, ...over });

  it('is equal to the wei on a node', async () => {
    expect(receipt.content.formula).toEqual({ name: 'aave-v3', version: 1 });
    const outcome = await verify(textOf(receipt));
    expect(outcome).toMatchObject({ code: null, isRead: true, isRecomputed: true });
    expect(outcome.steps.map(({ name }) => name)).toEqual([
      'form',
      'hash',
      'signature',
      'block',
      'calls',
      'figures',
      'liquidation',
    ]);
  });

  it('of every seeded wallet is equal', async () => {
    for (const { address } of chain.wallets) {
      const { receipt: own } = await readReceipt(address);
      expect(await verify(textOf(own))).toMatchObject({ code: null, isRecomputed: true });
    }
  }, 240_000);

  it('with its results is recomputed without a node', async () => {
    const outcome = await verifyReceipt(textOf({ ...receipt, results }), { keys: [key] });
    expect(outcome).toMatchObject({ code: null, isRead: false, isRecomputed: true });
  });

  /** Changes of a dishonest signer, whose signature is valid. */
  const signedAgain: [string, VerifyCode, (content: Changed) => void][] = [
    [
      'an amount',
      'input_differs',
      ({ inputs }) => (inputs[0] = { ...inputs[0]!, amount: `${inputs[0]!.amount}0` }),
    ],
    ['a mark', 'input_differs', ({ inputs }) => (inputs[0] = { ...inputs[0]!, usedAsCollateral: false })],
    [
      'a threshold',
      'input_differs',
      ({ inputs }) => (inputs[0] = { ...inputs[0]!, liquidationThresholdBps: '1' }),
    ],
    ['a missing input', 'input_differs', ({ inputs }) => inputs.pop()],
    [
      'a price',
      'price_differs',
      ({ prices }) => (prices[0] = { ...prices[0]!, price: `${prices[0]!.price}1` }),
    ],
    ['an oracle', 'price_differs', ({ prices }) => (prices[0] = { ...prices[0]!, oracle: prices[0]!.asset })],
    [
      'the decimals of a price',
      'price_differs',
      ({ prices }) => (prices[0] = { ...prices[0]!, decimals: 7 }),
    ],
    [
      'the health factor',
      'output_differs',
      ({ outputs }) => (outputs.healthFactor = `${outputs.healthFactor}1`),
    ],
    ['no health factor', 'output_differs', ({ outputs }) => (outputs.healthFactor = null)],
    ['a total', 'output_differs', ({ outputs }) => (outputs.totalDebt = '1')],
    ['the block number', 'block_number_differs', ({ block }) => (block.number -= 1)],
    ['the block hash', 'block_unknown', ({ block }) => (block.hash = last(block.hash))],
    ['the block time', 'block_timestamp_differs', ({ block }) => (block.timestamp += 1)],
    ['the chain', 'chain_differs', (content) => (content.chainId = 1)],
    [
      'a result',
      'result_differs',
      ({ calls }) => (calls[0] = { ...calls[0]!, resultHash: last(calls[0]!.resultHash) }),
    ],
    ['a call marked as reverted', 'result_differs', ({ calls }) => (calls[0] = { ...calls[0]!, ok: false })],
    ['a missing call', 'call_missing', ({ calls }) => calls.pop()],
    ['the wallet', 'call_missing', ({ position }) => (position.wallet = last(position.wallet))],
    ['the formula version', 'formula_unknown', ({ formula }) => (formula!.version = 2)],
    ['the formula name', 'formula_unknown', ({ formula }) => (formula!.name = 'comet')],
    ['no contracts', 'contract_missing', (content) => (content.contracts = {})],
    ['the version', 'version_unknown', (content) => (content.version = 2 as 1)],
    ['an unknown part', 'schema_invalid', (content) => Object.assign(content, { note: 'x' })],
    [
      'a call to upper-case letters',
      'schema_invalid',
      ({ calls }) => (calls[0] = { ...calls[0]!, to: calls[0]!.to.toUpperCase() }),
    ],
  ];

  it.each(signedAgain)('with %s and a new signature has %s', async (_, code, change) => {
    const content = structuredClone(receipt.content) as unknown as Changed;
    change(content);
    const signed = signReceipt(content as Content, { id: KEY, signing }, SIGNED_AT);
    expect((await verify(textOf(signed))).code).toBe(code);
  });

  it.each(['to', 'data'] as const)('with another %s of a call and a new signature is named', async (part) => {
    const content = structuredClone(receipt.content) as unknown as Changed;
    content.calls[0] = { ...content.calls[0]!, [part]: last(content.calls[0]![part]) };
    const signed = signReceipt(content as Content, { id: KEY, signing }, SIGNED_AT);
    expect(['result_differs', 'call_missing']).toContain((await verify(textOf(signed))).code);
  });

  it('with a changed content has hash_differs, and with a new hash signature_invalid', async () => {
    const content = { ...receipt.content, outputs: { ...receipt.content.outputs, totalDebt: '1' } };
    expect((await verify(textOf({ ...receipt, content }))).code).toBe('hash_differs');
    const { hash } = signReceipt(content, { id: KEY, signing }, SIGNED_AT);
    expect((await verify(textOf({ ...receipt, content, hash }))).code).toBe('signature_invalid');
  });

  it('names what is wrong with its key and time', async () => {
    const text = textOf(receipt);
    const codeWith = async (over: Partial<ReceiptKey>) =>
      (await verify(text, { keys: [{ ...key, ...over }] })).code;
    expect(await codeWith({ id: 'other' })).toBe('key_unknown');
    expect(await codeWith({ untilMs: SIGNED_AT - 1 })).toBe('key_expired');
    expect(await codeWith({ fromMs: SIGNED_AT + 1 })).toBe('key_not_yet_valid');
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x!;
    expect(await codeWith({ publicKey: other })).toBe('signature_invalid');
    const later = { ...receipt, signature: { ...receipt.signature, signedAt: SIGNED_AT + 1 } };
    expect((await verify(textOf(later))).code).toBe('signature_invalid');
  });

  it('names another form of the same JSON', async () => {
    const text = textOf(receipt);
    const { content, hash, signature } = receipt;
    const cases: [VerifyCode, string][] = [
      ['whitespace', `${text}\n`],
      ['whitespace', JSON.stringify(receipt, null, 1)],
      ['key_order', JSON.stringify({ hash, content, signature })],
      ['duplicate_key', text.replace('"build":', '"build":"0","build":')],
      ['number_form', text.replace('"chainId":31337', '"chainId":31337.0')],
      ['number_form', text.replace('"chainId":31337', '"chainId":3.1337e4')],
      ['string_form', text.replace('"kind":"position"', String.raw`"kind":"\u0070osition"`)],
      ['not_json', text.slice(0, -1)],
    ];
    for (const [code, changed] of cases) expect([code, (await verify(changed)).code]).toEqual([code, code]);
    expect(content.chainId).toBe(31_337);
  });

  it('names a node that does not respond', async () => {
    expect((await verify(textOf(receipt), { rpcUrl: 'http://127.0.0.1:1' })).code).toBe('node_failed');
  });
});
