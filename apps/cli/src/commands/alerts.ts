import { type Command, Option } from 'commander';
import type { Input } from '@plimsoll/sdk';
import { type Context, collect, pageOf } from '../context';
import type { Style } from '../output/style';
import { printable, time } from '../output/text';
import { LIMIT, wholeNumber, withContext } from './command';

type Filters = Pick<Input<'listAlerts'>, 'status' | 'severity' | 'wallet' | 'since'>;

const STATUSES = ['active', 'resolved'];
const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'];
const COLOURS: Record<string, Style> = { critical: 'red', high: 'red', medium: 'yellow' };

export function addAlertCommands(program: Command): void {
  const alerts = program.command('alerts').description('alerts of the account');
  alerts
    .command('list', { isDefault: true })
    .description('list alerts, the newest first')
    .addOption(new Option('--status <status>', 'only this status').choices(STATUSES))
    .addOption(new Option('--severity <severity>', 'only this severity').choices(SEVERITIES))
    .option('--wallet <address>', 'only this wallet')
    .option('--since <time>', 'only later ones, ISO 8601')
    .option(...LIMIT)
    .action(withContext(list));
  alerts
    .command('acknowledge <alert>')
    .description('record that you have seen an alert')
    .action(withContext(acknowledge));
  alerts
    .command('snooze <alert>')
    .description('receive no changes of an alert for some time, unless its severity rises')
    .requiredOption('--minutes <minutes>', 'length, at most 7 days', wholeNumber)
    .action(withContext(snooze));
  alerts.command('mute <alert>').description('receive no changes of an alert').action(withContext(mute));
  alerts
    .command('unmute <alert>')
    .description('receive the changes of a muted or snoozed alert again')
    .action(withContext(unmute));
}

async function list(context: Context, options: Filters & { limit: number }): Promise<void> {
  const { limit, status, severity, wallet, since } = options;
  const pages = context.client().alerts.list({
    limit: pageOf(limit),
    ...(status && { status }),
    ...(severity && { severity }),
    ...(wallet && { wallet }),
    ...(since && { since }),
  });
  const found = await collect(pages, 'alerts', limit);
  context.show(found, () =>
    context.table(
      ['time', 'severity', 'status', 'alert', 'wallet', 'message'],
      found.alerts.map((alert) => [
        time(alert.createdAt),
        { text: alert.severity, style: COLOURS[alert.severity] ?? 'plain' },
        [
          alert.status,
          ...(alert.acknowledgedAt ? ['seen'] : []),
          ...(alert.silence ? [alert.silence] : []),
        ].join(', '),
        alert.id,
        alert.walletLabel ?? alert.wallet,
        alert.message,
      ]),
      'There is no such alert.',
    ),
  );
  if (found.hasMore && !context.isJson) context.note('There are more. Use a higher --limit.');
}

async function acknowledge(context: Context, id: string): Promise<void> {
  const answer = await context.client().alerts.acknowledge({ id });
  context.show(answer, () => `${printable(id)} is acknowledged.`);
}

async function snooze(context: Context, id: string, { minutes }: { minutes: number }): Promise<void> {
  const answer = await context.client().alerts.snooze({ id, minutes });
  context.show(answer, () => `${printable(id)} is snoozed until ${time(answer.alert.snoozedUntil!)}.`);
}

async function mute(context: Context, id: string): Promise<void> {
  const answer = await context.client().alerts.mute({ id });
  context.show(answer, () => `${printable(id)} is muted.`);
}

async function unmute(context: Context, id: string): Promise<void> {
  const { alerts } = context.client();
  await alerts.unsnooze({ id });
  const answer = await alerts.unmute({ id });
  context.show(answer, () => `${printable(id)} is not muted.`);
}
