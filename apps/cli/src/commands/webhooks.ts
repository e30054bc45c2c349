import { type Command, Option } from 'commander';
import type { Input, Plimsoll } from '@plimsoll/sdk';
import { type Context, collect, pageOf } from '../context';
import { EXIT, Failure } from '../failure';
import type { Style } from '../output/style';
import { printable, time } from '../output/text';
import { LIMIT, repeated, withContext } from './command';

type EventType = Input<'createWebhook'>['events'][number];
type DeliveryState = NonNullable<Input<'listDeliveries'>['state']>;

/** Every type, so that a type of a later API fails to compile until it is listed. */
const EVENT_TYPE_SET: Record<EventType, true> = {
  'alert.created': true,
  'alert.escalated': true,
  'alert.updated': true,
  'alert.resolved': true,
  'alert.group': true,
  'position.updated': true,
  'position.liquidation_risk': true,
  'test.ping': true,
};
export const EVENT_TYPES = Object.keys(EVENT_TYPE_SET) as EventType[];
const STATE_SET: Record<DeliveryState, true> = {
  pending: true,
  retrying: true,
  delivered: true,
  failed: true,
  skipped: true,
};
const STATES = Object.keys(STATE_SET);
const COLOURS: Record<string, Style> = { delivered: 'green', failed: 'red', retrying: 'yellow' };

export function addWebhookCommands(program: Command): void {
  const webhooks = program.command('webhooks').description('endpoints that receive events');
  webhooks
    .command('list', { isDefault: true })
    .description('list the endpoints')
    .option(...LIMIT)
    .action(withContext(list));
  webhooks
    .command('create <url>')
    .description('create an endpoint; prints its signing secret, once')
    .option('--event <type>', 'an event type, may be repeated; default: all', repeated)
    .action(withContext(create));
  webhooks.command('delete <webhook>').description('delete an endpoint').action(withContext(remove));

  program
    .command('trigger [event]')
    .description('send a test event to an endpoint of yours')
    .option('--webhook <id>', 'the endpoint; default: the only one of the account')
    .action(withContext(trigger))
    .addHelpText(
      'after',
      `\nEvents: ${EVENT_TYPES.join(', ')}. The default is test.ping.\nThe ids and the wallet in a test event are zeros.`,
    );

  const deliveries = program.command('deliveries').description('deliveries of events to endpoints');
  deliveries
    .command('list', { isDefault: true })
    .description('list deliveries, the newest first')
    .option('--webhook <id>', 'only this endpoint; default: all')
    .addOption(new Option('--state <state>', 'only this state').choices(STATES))
    .option(...LIMIT)
    .action(withContext(listDeliveries));
  deliveries
    .command('show <delivery>')
    .description('one delivery with its attempts and its body')
    .action(withContext(show));
  deliveries
    .command('retry <delivery>')
    .description('send a failed or skipped delivery once more')
    .action(withContext(retry));
}

async function list(context: Context, { limit }: { limit: number }): Promise<void> {
  const found = await collect(context.client().webhooks.list({ limit: pageOf(limit) }), 'webhooks', limit);
  context.show(found, () =>
    context.table(
      ['endpoint', 'state', 'url', 'events'],
      found.webhooks.map(({ id, url, events, isEnabled, disabledReason }) => [
        id,
        isEnabled ? 'on' : `off${disabledReason ? ` (${disabledReason})` : ''}`,
        url,
        events.length === EVENT_TYPES.length ? 'all' : events.join(' '),
      ]),
      'There is no endpoint. Run plimsoll webhooks create URL.',
    ),
  );
}

async function create(context: Context, url: string, { event }: { event?: string[] }): Promise<void> {
  // The API knows the types and refuses others.
  const events = (event ?? [...EVENT_TYPES]) as EventType[];
  const { webhook } = await context.client().webhooks.create({ url, events });
  context.show(
    { webhook },
    () => `${webhook.id} is created. Store its signing secret now, it is not shown again:\n${webhook.secret}`,
  );
}

async function remove(context: Context, id: string): Promise<void> {
  await context.client().webhooks.delete({ id });
  context.show({ deleted: id }, () => `${printable(id)} is deleted.`);
}

async function trigger(
  context: Context,
  event: string | undefined,
  options: { webhook?: string },
): Promise<void> {
  const client = context.client();
  const id = options.webhook ?? (await onlyWebhook(client));
  const result = await client.webhooks.test({
    id,
    ...(event !== undefined && { event: event as EventType }),
  });
  const { success, statusCode, responseTime, deliveryId, error } = result;
  context.show(result, () =>
    printable(
      success
        ? `${event ?? 'test.ping'} is delivered: ${statusCode} in ${responseTime} ms (${deliveryId}).`
        : `The endpoint did not accept it: ${error ?? `status ${statusCode}`} (${deliveryId}).`,
    ),
  );
  if (!success) process.exitCode = EXIT.failed;
}

/** @throws Failure unless the account has exactly one endpoint */
async function onlyWebhook(client: Plimsoll): Promise<string> {
  const [only, second] = await client.webhooks.list({ limit: 2 }).take(2);
  if (only && !second) return only.id;
  throw new Failure(
    EXIT.usage,
    'webhook_unknown',
    only
      ? 'The account has several endpoints. State one with --webhook. plimsoll webhooks lists them.'
      : 'The account has no endpoint. Run plimsoll webhooks create URL.',
  );
}

interface DeliveryOptions {
  webhook?: string;
  state?: DeliveryState;
  limit: number;
}

async function listDeliveries(context: Context, { webhook, state, limit }: DeliveryOptions): Promise<void> {
  const client = context.client();
  const ids = webhook === undefined ? [] : [webhook];
  if (webhook === undefined) for await (const { id } of client.webhooks.list()) ids.push(id);
  const each = [];
  for (const id of ids) {
    const pages = client.webhooks.deliveries({ id, limit: pageOf(limit), ...(state && { state }) });
    each.push(await collect(pages, 'deliveries', limit));
  }
  const all = each
    .flatMap(({ deliveries }) => deliveries)
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  const hasMore = all.length > limit || each.some((found) => found.hasMore);
  const deliveries = all.slice(0, limit);
  context.show({ deliveries, hasMore }, () =>
    context.table(
      ['time', 'state', 'event', { title: 'attempts', align: 'right' }, 'response', 'delivery', 'endpoint'],
      deliveries.map(({ createdAt, state: now, event, isTest, attempts, id, webhookId }) => {
        const last = attempts.at(-1);
        return [
          time(createdAt),
          { text: now, style: COLOURS[now] ?? 'plain' },
          isTest ? `${event} (test)` : event,
          attempts.length,
          last?.statusCode ?? last?.error,
          id,
          webhookId,
        ];
      }),
      'There is no such delivery.',
    ),
  );
}

async function show(context: Context, id: string): Promise<void> {
  const { delivery } = await context.client().deliveries.get({ id });
  context.show({ delivery }, () => {
    const { event, eventId, state, webhookId, createdAt, nextAttemptAt, attempts, body } = delivery;
    const next = nextAttemptAt === null ? '' : `, next attempt ${time(nextAttemptAt)}`;
    return [
      printable(`${event} ${eventId} to ${webhookId}, created ${time(createdAt)}`),
      context.paint(COLOURS[state] ?? 'plain', printable(state)) + next,
      '',
      context.table(
        [
          { title: 'attempt', align: 'right' },
          'time',
          { title: 'ms', align: 'right' },
          'status',
          'error',
          'response',
        ],
        attempts.map(({ attempt, startedAt, durationMs, statusCode, error, responseHead }) => [
          attempt,
          time(startedAt),
          Math.round(durationMs),
          statusCode,
          error,
          responseHead,
        ]),
        'No attempt yet.',
      ),
      '',
      printable(body),
    ].join('\n');
  });
}

async function retry(context: Context, id: string): Promise<void> {
  const { delivery } = await context.client().deliveries.retry({ id });
  context.show({ delivery }, () => printable(`${delivery.id} is ${delivery.state}.`));
}
