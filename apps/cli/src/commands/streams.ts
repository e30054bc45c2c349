import { Argument, type Command } from 'commander';
import type { Plimsoll } from '@plimsoll/sdk';
import type { Context } from '../context';
import { colourOf, healthBar, healthText } from '../output/health';
import { printable, time, usd } from '../output/text';
import { repeated, wholeNumber, withContext } from './command';

const NAMES = ['positions', 'alerts', 'whales'] as const;
type Name = (typeof NAMES)[number];

interface Options {
  since?: string;
  wallet?: string[];
  max?: number;
}

export function addStreamCommands(program: Command): void {
  const streams = program.command('streams').description('streams of the account (enterprise tier)');
  streams
    .command('tail')
    .description('print every change as it happens; it continues after interruptions')
    .addArgument(new Argument('[stream]', 'which stream').choices(NAMES).default('positions'))
    .option('--since <cursor>', 'continue after the event with this cursor')
    .option('--wallet <address>', 'only this wallet, may be repeated', repeated)
    .option('--max <n>', 'end after so many events', wholeNumber)
    .action(withContext(tail));
}

async function tail(context: Context, name: Name, { since, wallet, max }: Options): Promise<void> {
  const frames = open(context.client(), name, {
    ...(since !== undefined && { since }),
    ...(wallet && { filter: { wallets: wallet } }),
  });
  let count = 0;
  for await (const frame of frames) {
    if (frame.type === 'gap')
      context.showLine(frame, () => printable(`Events are missing: ${frame.reason}.`));
    if (frame.type === 'snapshot')
      context.showLine(frame, () => frame.data.map((each) => `now ${describe(context, each)}`).join('\n'));
    if (frame.type !== 'event') continue;
    context.showLine(frame, () => `${time(frame.timestamp)} ${describe(context, frame.data)}`);
    count += 1;
    if (count === max) return;
  }
}

type Open = Parameters<Plimsoll['streams']['positions']>[0];

const open = (client: Plimsoll, name: Name, options: Open) => client.streams[name](options);

type Data = { id: string } & Partial<
  Record<
    'healthFactor' | 'riskLevel' | 'protocol' | 'message' | 'severity' | 'action' | 'usdValue' | 'wallet',
    unknown
  >
>;

/** One line for a change of a position, an alert or the activity of a whale. */
function describe(context: Context, data: unknown): string {
  const { id, healthFactor, riskLevel, protocol, wallet, message, severity, action, usdValue } = data as Data;
  const words = (...each: unknown[]): string =>
    printable(each.filter((word) => word !== null && word !== undefined).join(' '));
  if (typeof riskLevel === 'string') {
    const factor = healthFactor as number | null;
    const health = context.paint(colourOf(riskLevel), `${healthBar(factor)} ${healthText(factor)}`);
    return `${health} ${words(riskLevel, protocol, wallet, id)}`;
  }
  if (message !== undefined) return words(severity, id, message);
  return words(action, protocol, typeof usdValue === 'number' ? `${usd(usdValue)} USD` : null, wallet, id);
}
