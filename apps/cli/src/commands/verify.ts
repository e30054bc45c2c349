import {
  type LogRoot,
  type LogVerification,
  NEXT_STEPS,
  type ReceiptKey,
  type Verification,
  leafOf,
  verifyAnchor,
  verifyConsistency,
  verifyInclusion,
  verifyReceipt,
} from '@plimsoll/sdk/verify';
import type { Command } from 'commander';
import type { Context } from '../context';
import { EXIT, Failure } from '../failure';
import { readText } from '../input/read-text';
import { readKeys } from '../input/receipt-keys';
import { printable } from '../output/text';
import { withContext } from './command';

/** Codes that say nothing about the receipt. */
const OF_THE_NODE: ReadonlySet<string> = new Set(['node_failed', 'state_unavailable', 'proof_unavailable']);

export function addVerifyCommand(program: Command): void {
  program
    .command('verify <receipt>')
    .description('verify a receipt on your own node, without trust in the API; - reads standard input')
    .option('--rpc <url>', 'your node; without it, no call is made again')
    .option('--proof', 'read storage with proofs, so that less of the node is trusted; needs --rpc')
    .option('--inclusion', 'check that the log of the server has the receipt; needs a key')
    .option(
      '--anchor [url]',
      'check that the root is on a chain, on your node of that chain; default: --rpc; needs a key',
    )
    .option('--since <root>', 'file of a root that you kept: check that the log only grew since; needs a key')
    .option('--keys <file|url>', 'published keys; default: those of the server')
    .action(withContext(verify));
}

interface VerifyOptions {
  rpc?: string;
  keys?: string;
  proof?: boolean;
  inclusion?: boolean;
  anchor?: string | true;
  since?: string;
}

async function verify(
  context: Context,
  file: string,
  { rpc, keys: source, proof = false, inclusion, anchor, since }: VerifyOptions,
): Promise<void> {
  if (proof && rpc === undefined)
    throw new Failure(EXIT.usage, 'node_missing', 'Proofs are of a node. Name yours with --rpc.');
  const anchorUrl = anchor === true ? rpc : anchor;
  if (anchor === true && anchorUrl === undefined)
    throw new Failure(
      EXIT.usage,
      'node_missing',
      'A root is on a chain. Name your node with --anchor or --rpc.',
    );
  const text = readText(file);
  const keys = await readKeys(source, { server: context.accountUrl, seconds: context.seconds });
  const outcome = await verifyReceipt(text, { keys, proof, ...(rpc !== undefined && { rpcUrl: rpc }) });
  const checks = [
    ...(inclusion || anchorUrl !== undefined ? inclusionChecks(context, text, keys, anchorUrl) : []),
    ...(since === undefined ? [] : [() => checkConsistency(context, since, keys)]),
  ];
  for (const check of checks) {
    if (outcome.code) break;
    const { code, meaning, ...step } = await check();
    outcome.steps.push(step);
    Object.assign(outcome, { code, meaning });
  }
  const { code } = outcome;
  const next = code && NEXT_STEPS[code];
  context.show({ ...outcome, next }, () =>
    [...stepsOf(context, outcome), '', ...resultOf(context, outcome, proof)].join('\n'),
  );
  const isRun = outcome.kind === 'simulation' && outcome.isRecomputed;
  const isEqual =
    isRun ||
    isLogged(outcome) ||
    (outcome.isRead && outcome.isRecomputed && (!proof || outcome.proven.length > 0));
  if (code) process.exitCode = OF_THE_NODE.has(code) ? EXIT.unavailable : EXIT.failed;
  else if (!isEqual) process.exitCode = EXIT.unproved;
}

/** @param anchorUrl node of the chain that has the root. Undefined: the root need not be on a chain */
function inclusionChecks(
  context: Context,
  text: string,
  keys: readonly ReceiptKey[],
  anchorUrl: string | undefined,
): (() => Promise<LogVerification>)[] {
  const isAnchored = anchorUrl !== undefined;
  let root: LogRoot | undefined;
  const inclusion = async (): Promise<LogVerification> => {
    const leaf = await leafOf(text);
    const proof = await context
      .client()
      .receipts.inclusion({ leaf, ...(isAnchored && { anchored: 'true' }) });
    ({ root } = proof);
    return verifyInclusion(text, proof, { keys });
  };
  return isAnchored ? [inclusion, () => verifyAnchor(root, { keys, rpcUrl: anchorUrl })] : [inclusion];
}

async function checkConsistency(
  context: Context,
  file: string,
  keys: readonly ReceiptKey[],
): Promise<LogVerification> {
  const kept = rootOf(file);
  return verifyConsistency(kept, await context.client().receipts.consistency({ earlier: kept.size }), {
    keys,
  });
}

/** @throws Failure for a file that has no root */
function rootOf(file: string): LogRoot {
  try {
    const root = JSON.parse(readText(file)) as LogRoot | null;
    if (Number.isSafeInteger(root?.size)) return root!;
  } catch (error) {
    if (error instanceof Failure) throw error;
  }
  throw new Failure(
    EXIT.usage,
    'root_invalid',
    `${file} has no root. Save one item of roots of GET /v1/receipts/roots.`,
  );
}

/** Whether the log has a forecast, which nothing else shows to be older than its outcome. */
const isLogged = ({ kind, code, steps }: Verification): boolean =>
  kind === 'forecast' && code === null && steps.some(({ name, ok }) => name === 'inclusion' && ok);

function stepsOf({ paint }: Context, { steps }: Verification): string[] {
  const width = Math.max(...steps.map(({ name }) => name.length));
  return steps.map(({ name, ok, detail }) => {
    const mark = ok ? paint('green', 'ok     ') : paint('red', 'differs');
    return `${mark}  ${name.padEnd(width)}  ${printable(detail)}`;
  });
}

function resultOf({ paint }: Context, outcome: Verification, proof: boolean): string[] {
  const { code, meaning, kind, isRead, isRecomputed, proven } = outcome;
  if (code) return [paint('red', code), meaning ?? '', NEXT_STEPS[code]];
  if (kind === 'simulation')
    return [paint('green', 'equal to the bit'), 'The rerun of the simulation gives the same result.'];
  if (isLogged(outcome))
    return [
      paint('green', 'logged before its end'),
      'The forecasts were signed and logged as they are, before the first of them ended.',
    ];
  if (kind === 'forecast')
    return [
      paint('yellow', 'nothing differs, but not everything was verified'),
      'The signature has a time that only the log confirms. Add --inclusion.',
    ];
  const isUnproven = proof && proven.length === 0;
  if (kind === 'crossing' && isRead && isRecomputed && !isUnproven)
    return [
      paint('green', 'equal to the wei'),
      'The formula gives the figures before and after from calls on your node, at both blocks.',
    ];
  if (isRead && isRecomputed && !isUnproven)
    return [
      paint('green', 'equal to the wei'),
      'The calls return the same results on your node, and the formula gives the same figures.',
    ];
  const reasons = [
    ...(isRead ? [] : ['No node made the calls again. Name yours with --rpc.']),
    ...(isRecomputed
      ? []
      : ['No formula gave the figures: the receipt names none, or has no results without a node.']),
    ...(isUnproven
      ? [
          kind === 'crossing'
            ? 'Receipts of crossings have no proofs of storage yet.'
            : 'Storage proved no call: the layout of the contracts is not known.',
        ]
      : []),
  ];
  return [paint('yellow', 'nothing differs, but not everything was verified'), ...reasons];
}
