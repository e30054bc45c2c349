import { type Command, Option } from 'commander';
import { type FollowedEvent, type FollowOptions, PlimsollError } from '@plimsoll/sdk';
import type { Context } from '../context';
import { EXIT, Failure } from '../failure';
import { isSecret, newSecret, signRequest } from '../listen/signed-request';
import { printable, time, toJson } from '../output/text';
import { wholeNumber, withContext } from './command';
import { EVENT_TYPES } from './webhooks';

interface Options {
  forwardTo?: string;
  type?: string;
  since?: string;
  interval: number;
  max?: number;
}

const TIMEOUT_MS = 10_000;
/** No endpoint of the API receives these requests. */
const LOCAL_WEBHOOK = 'wh_0000000000000000000000';

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .summary('receive the events of the account on this machine')
    .description(
      'Follows the events that an endpoint of the account subscribes to, and prints them. With --forward-to, it sends each one to a URL of yours, signed as a webhook. It sends each event once, and does not repeat a failed request.',
    )
    .option('--forward-to <url>', 'send each event to this URL')
    .addOption(new Option('--type <event>', 'only this type').choices(EVENT_TYPES))
    .option('--since <time>', 'begin at an ISO 8601 time; default: now')
    .option('--interval <ms>', 'milliseconds between two requests to the API', wholeNumber, 5_000)
    .option('--max <n>', 'end after so many events', wholeNumber)
    .addHelpText(
      'after',
      '\nThe signing secret is that of PLIMSOLL_WEBHOOK_SECRET, or a new one for this run, which the command prints.',
    )
    .action(withContext(listen));
}

async function listen(context: Context, options: Options): Promise<void> {
  const { forwardTo, type, since, interval, max } = options;
  if (forwardTo !== undefined && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? ''))
    throw new Failure(EXIT.usage, 'url_invalid', 'State an http or https URL with --forward-to.');
  const secret = forwardTo === undefined ? undefined : secretOf(context);
  const endpoints = await context.client().webhooks.list({ limit: 1 });
  if (endpoints.webhooks.length === 0)
    context.note('No endpoint subscribes to events, so there are none. Run plimsoll webhooks create URL.');
  let isReady = false;
  const client = context.client({
    onResponse: ({ status }) => {
      // Until the first response, the start is unknown and events pass.
      if (isReady || status >= 300) return;
      isReady = true;
      if (context.isJson) context.print(toJson({ type: 'ready', ...(secret !== undefined && { secret }) }));
      else context.note(secret === undefined ? 'Ready.' : `Ready. The signing secret is ${secret}`);
    },
  });
  let count = 0;
  const following: FollowOptions = {
    intervalMs: interval,
    ...(type !== undefined && { type: type as FollowedEvent['event'] }),
    ...(since !== undefined && { since }),
  };
  for await (const frame of client.events.follow(following)) {
    if (frame.type === 'gap') {
      context.note(printable(`Events are missing: ${frame.reason}.`));
      continue;
    }
    const outcome =
      forwardTo === undefined || secret === undefined ? null : await forward(frame, forwardTo, secret);
    context.showLine({ ...frame, ...(outcome && { forwarded: outcome }) }, () => {
      const said = outcome ? ` → ${outcome.status ?? outcome.error} (${outcome.durationMs} ms)` : '';
      return printable(`${time(frame.timestamp)} ${frame.event} ${frame.eventId}`) + said;
    });
    count += 1;
    if (count === max) return;
  }
}

function secretOf({ environment: { webhookSecret } }: Context): string {
  if (webhookSecret !== undefined && !isSecret(webhookSecret))
    throw new Failure(
      EXIT.usage,
      'secret_invalid',
      'PLIMSOLL_WEBHOOK_SECRET is no signing secret. It is whsec_ and base64.',
    );
  return webhookSecret ?? newSecret();
}

interface Outcome {
  status?: number;
  error?: string;
  durationMs: number;
}

async function forward(frame: FollowedEvent, url: string, secret: string): Promise<Outcome> {
  const { event, eventId, timestamp, data } = frame;
  const body = toJson({ event, timestamp, webhookId: LOCAL_WEBHOOK, eventId, data });
  const startedAt = performance.now();
  const durationMs = (): number => Math.round(performance.now() - startedAt);
  const { headers } = signRequest(frame, body, secret, Date.now());
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await response.arrayBuffer();
    return { status: response.status, durationMs: durationMs() };
  } catch (error) {
    // The cause of a failed fetch says why, for example ECONNREFUSED.
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return {
      error: error instanceof PlimsollError ? message : (cause?.code ?? message),
      durationMs: durationMs(),
    };
  }
}
