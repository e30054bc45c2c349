import {
  NotCanonical,
  canonicalJson,
  parseCanonical,
  signedText,
  wrongCrossingPart,
  wrongForecastPart,
  wrongPart,
  wrongSimulationPart,
  type CrossingReceipt,
  type ForecastReceipt,
  type FullReceipt,
  type Json,
  type Receipt,
  type SimulationReceipt,
} from '@plimsoll/receipts';
import { bytesOf, hexOf, sha256, utf8 } from './bytes';
import type { Header } from './header';
import { checkLiquidation } from './liquidation';
import { Node } from './node';
import { type ReceiptKey, checkSigned } from './signatures';
import { Difference, type MakeStep, type Step, type Verification } from './steps';

export interface VerifyReceiptOptions {
  /** The published keys. */
  keys: readonly ReceiptKey[];
  /**
   * The node that makes the calls again. Absent: the results of a full receipt are used, which proves that the figures
   * follow from the calls, and not that a chain gives their results.
   */
  rpcUrl?: string;
  /**
   * Whether storage is read with proofs, so that the node is trusted for the hash of the block alone where a result follows from
   * storage. Needs `rpcUrl`.
   */
  proof?: boolean;
  fetch?: typeof fetch;
}

/**
 * Verifies a receipt, step by step, up to the first difference. It never throws for a receipt or a node.
 * @param text the receipt exactly as it was received; a receipt inside a response becomes its text by canonicalJson
 */
export async function verifyReceipt(text: string, options: VerifyReceiptOptions): Promise<Verification> {
  const outcome: Verification = {
    steps: [],
    code: null,
    meaning: null,
    isRead: false,
    isRecomputed: false,
    kind: null,
    proven: [],
  };
  let name: Step['name'] = 'form';
  const step: MakeStep = async (of, work, detail) => {
    name = of;
    const value = await work();
    outcome.steps.push({ name, ok: true, detail: detail(value) });
    return value;
  };
  try {
    const receipt = await step(
      'form',
      () => parseReceipt(text),
      () => 'canonical, and of the published schema',
    );
    outcome.kind = receipt.content.kind;
    await step(
      'hash',
      () => checkHash(receipt),
      () => receipt.hash,
    );
    await step(
      'signature',
      () => checkSignature(receipt, options.keys),
      () => `by the key ${receipt.signature.keyId}`,
    );
    if ('data' in receipt) {
      await verifySimulation(receipt, step);
      outcome.isRecomputed = true;
      return outcome;
    }
    const { rpcUrl, fetch: send = fetch } = options;
    const node = rpcUrl === undefined ? null : new Node(rpcUrl, send);
    if (isCrossing(receipt)) {
      const { verifyCrossing } = await import('./crossing');
      outcome.isRead = outcome.isRecomputed = await verifyCrossing(receipt.content, node, step);
      return outcome;
    }
    if (isForecast(receipt)) {
      outcome.isRead = await verifyForecast(receipt, node, step);
      return outcome;
    }
    const { content } = receipt;
    let header: Header | null = null;
    if (node) {
      const { chainId, block } = content;
      header = await step(
        'block',
        () => node.checkBlock(content),
        () => `block ${block.number} of chain ${chainId}, ${block.hash}`,
      );
    }
    const known = node
      ? await step('calls', () => callsOf(node, receipt), sizeOf)
      : await step('calls', () => storedCalls(receipt), sizeOf);
    outcome.isRead = node !== null;
    const { formula, outputs } = content;
    if (known) {
      // Loaded here, because a verification without results needs no formula.
      const { checkFigures, reader } = await import('./figures');
      await step(
        'figures',
        () => checkFigures(content, reader(content, known)),
        () =>
          formula
            ? `health factor ${outputs.healthFactor ?? 'none'} by ${formula.name} version ${formula.version}`
            : 'not recomputed: no formula is published for this position',
      );
    }
    await step(
      'liquidation',
      () => checkLiquidation(content),
      (count) => `${count} liquidation price${count === 1 ? '' : 's'}, and the level ${outputs.level}`,
    );
    if (!known) return outcome;
    outcome.isRecomputed = formula !== null;
    if (!node || !header || options.proof !== true) return outcome;
    const stated = header;
    // Loaded here, because most verifications read no proofs.
    const { proveCalls } = await import('./proof');
    const proven = await step(
      'proof',
      () => proveCalls(node, stated, content, known),
      (places) =>
        places
          ? `${places.length} of ${known.length} calls follow from storage with proofs`
          : `not made: no layout of the storage of ${content.position.family} is known`,
    );
    outcome.proven = proven ?? [];
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    outcome.steps.push({ name, ok: false, detail: error.message });
    outcome.code = error.code;
    outcome.meaning = error.meaning;
  }
  return outcome;
}

const sizeOf = (results: readonly unknown[] | null): string =>
  results ? `${results.length} calls have the same results` : 'not made: no node was given';

type AnyReceipt = Receipt & Partial<Pick<FullReceipt, 'results'>>;
type ParsedReceipt = AnyReceipt | CrossingReceipt | ForecastReceipt | SimulationReceipt;

/** The parser of each kind. A value of no kind is judged as a receipt of a position. */
const WRONG_PART = {
  position: wrongPart,
  crossing: wrongCrossingPart,
  simulation: wrongSimulationPart,
  forecast: wrongForecastPart,
};

const hasKind = (kind: unknown): kind is keyof typeof WRONG_PART =>
  typeof kind === 'string' && Object.hasOwn(WRONG_PART, kind);

function isCrossing(receipt: ParsedReceipt): receipt is CrossingReceipt {
  return receipt.content.kind === 'crossing';
}

export function isForecast(receipt: ParsedReceipt): receipt is ForecastReceipt {
  return receipt.content.kind === 'forecast';
}

/** Forecasts have no figures that follow from a block. @returns whether a node has the block */
async function verifyForecast(receipt: ForecastReceipt, node: Node | null, step: MakeStep): Promise<boolean> {
  const { content } = receipt;
  const { block, chainId } = content;
  // Loaded here, because most receipts are of positions.
  const { checkForecasts, forecastText } = await import('./forecast');
  if (node)
    await step(
      'block',
      () => node.checkBlock(content),
      () => `block ${block.number} of chain ${chainId}, ${block.hash}`,
    );
  await step(
    'forecast',
    () => checkForecasts(receipt),
    () => forecastText(content),
  );
  return node !== null;
}

/** Runs the simulation again. It needs no node. */
async function verifySimulation(receipt: SimulationReceipt, step: MakeStep): Promise<void> {
  const { model, parameters, data, outputs } = receipt.content;
  await step(
    'data',
    () => checkData(receipt),
    () => `prices from ${data.from} to ${data.to}, ${data.hash}`,
  );
  // Loaded here, because most receipts are of positions and the models are large.
  const { checkModel, checkRerun } = await import('./rerun');
  await step(
    'model',
    () => checkModel(receipt.content),
    () => `${model.name} version ${model.version}`,
  );
  await step(
    'rerun',
    () => checkRerun(receipt),
    () =>
      `${parameters.paths} paths with seed ${parameters.seed} give probability ${outputs.liquidationProbability}`,
  );
}

/** @throws Difference for a text that is no receipt */
export function parseReceipt(text: string): ParsedReceipt {
  const value = canonical(text);
  const content = (value as { content?: { version?: Json; kind?: Json } } | null)?.content;
  const version = content?.version;
  if (typeof version === 'number' && version !== 1)
    throw new Difference('version_unknown', `version ${version}`);
  const kind = content?.kind;
  const wrong = WRONG_PART[hasKind(kind) ? kind : 'position'](value);
  if (wrong !== null) throw new Difference('schema_invalid', wrong);
  return value as unknown as ParsedReceipt;
}

function canonical(text: string): Json {
  try {
    return parseCanonical(text);
  } catch (error) {
    if (error instanceof NotCanonical) throw new Difference(error.code, error.message);
    throw error;
  }
}

async function checkHash({ content, hash }: Pick<Receipt, 'hash'> & { content: object }): Promise<void> {
  const own = await hashOf(content);
  if (own !== hash)
    throw new Difference('hash_differs', `the content has ${own}, the receipt states ${hash}`);
}

async function checkData({ content, data }: SimulationReceipt): Promise<void> {
  const own = await hashOf(data);
  if (own !== content.data.hash)
    throw new Difference('data_differs', `the data have ${own}, the receipt states ${content.data.hash}`);
}

async function hashOf(value: object): Promise<string> {
  return hexOf(await sha256(utf8(canonicalJson(value as Json))));
}

function checkSignature(
  { hash, signature }: Pick<Receipt, 'hash' | 'signature'>,
  keys: readonly ReceiptKey[],
): Promise<void> {
  const { keyId, signedAt } = signature;
  return checkSigned(signedText(hash, keyId, signedAt), signature, keys);
}

async function callsOf(node: Node, { content }: Receipt): Promise<(string | null)[]> {
  const results = await node.results(content);
  await compareResults(content, results);
  return results;
}

async function storedCalls({ content, results }: AnyReceipt): Promise<(string | null)[] | null> {
  if (!results) return null;
  if (results.length !== content.calls.length)
    throw new Difference('result_differs', `${results.length} results of ${content.calls.length} calls`);
  const known = results.map((result, index) => (content.calls[index]!.ok ? result : null));
  await compareResults(content, known);
  return known;
}

async function compareResults(
  { calls }: Receipt['content'],
  results: readonly (string | null)[],
): Promise<void> {
  for (const [index, { to, data, ok, resultHash }] of calls.entries()) {
    const result = results[index] ?? null;
    const own = hexOf(await sha256(bytesOf((result ?? '0x').slice(2))));
    const isSame = ok === (result !== null) && own === resultHash;
    if (!isSame) throw new Difference('result_differs', `call ${index}: ${data} of ${to}`);
  }
}
