import { NEXT_STEPS, type Verification, verifyReceipt } from '@plimsoll/sdk/verify';
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
    .option('--keys <file|url>', 'published keys; default: those of the server')
    .action(withContext(verify));
}

async function verify(
  context: Context,
  file: string,
  { rpc, keys: source, proof = false }: { rpc?: string; keys?: string; proof?: boolean },
): Promise<void> {
  if (proof && rpc === undefined)
    throw new Failure(EXIT.usage, 'node_missing', 'Proofs are of a node. Name yours with --rpc.');
  const text = readText(file);
  const keys = await readKeys(source, { server: context.accountUrl, seconds: context.seconds });
  const outcome = await verifyReceipt(text, { keys, proof, ...(rpc !== undefined && { rpcUrl: rpc }) });
  const { code } = outcome;
  const next = code && NEXT_STEPS[code];
  context.show({ ...outcome, next }, () =>
    [...stepsOf(context, outcome), '', ...resultOf(context, outcome, proof)].join('\n'),
  );
  const isEqual = outcome.isRead && outcome.isRecomputed && (!proof || outcome.proven.length > 0);
  if (code) process.exitCode = OF_THE_NODE.has(code) ? EXIT.unavailable : EXIT.failed;
  else if (!isEqual) process.exitCode = EXIT.unproved;
}

function stepsOf({ paint }: Context, { steps }: Verification): string[] {
  return steps.map(({ name, ok, detail }) => {
    const mark = ok ? paint('green', 'ok     ') : paint('red', 'differs');
    return `${mark}  ${name.padEnd('signature'.length)}  ${printable(detail)}`;
  });
}

function resultOf(
  { paint }: Context,
  { code, meaning, isRead, isRecomputed, proven }: Verification,
  proof: boolean,
): string[] {
  if (code) return [paint('red', code), meaning ?? '', NEXT_STEPS[code]];
  const isUnproven = proof && proven.length === 0;
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
    ...(isUnproven ? ['Storage proved no call: the layout of the contracts is not known.'] : []),
  ];
  return [paint('yellow', 'nothing differs, but not everything was verified'), ...reasons];
}
