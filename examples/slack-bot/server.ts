import { createServer } from 'node:http';
import { type WebhookEvent, WebhookVerificationError, webhooks } from '@plimsoll/sdk';

const secrets = (process.env.PLIMSOLL_WEBHOOK_SECRET ?? '').split(' ');
const slackUrl = process.env.SLACK_WEBHOOK_URL ?? '';
const MOST_BYTES = 1_000_000;
const DEADLINE_MS = 10_000;
/** Events that were sent, so that a repeated delivery is one message. A database survives a restart. */
const sent = new Set<string>();
const MOST_REMEMBERED = 10_000;

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return void response.writeHead(413).end();
    chunks.push(chunk);
  }
  try {
    const event = await webhooks.verify(Buffer.concat(chunks), request.headers, secrets);
    if (!sent.has(event.eventId)) await send(event);
    remember(event.eventId);
    console.log(event.event, event.eventId);
    response.writeHead(204).end();
  } catch (error) {
    if (error instanceof WebhookVerificationError)
      return void response.writeHead(400).end(JSON.stringify({ code: error.code }));
    // Plimsoll sends the event again.
    console.error(error);
    response.writeHead(502).end();
  }
}).listen(Number(process.env.PORT ?? 3000), '127.0.0.1');

function remember(eventId: string): void {
  sent.add(eventId);
  const [oldest] = sent;
  if (sent.size > MOST_REMEMBERED && oldest !== undefined) sent.delete(oldest);
}

async function send(event: WebhookEvent): Promise<void> {
  const text = textOf(event);
  if (text === null) return;
  const body = JSON.stringify({ text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] });
  const response = await fetch(slackUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  if (!response.ok) throw new Error(`Slack responds with ${response.status}.`);
}

/** Null: the channel needs no message. */
function textOf(event: WebhookEvent): string | null {
  switch (event.event) {
    case 'alert.created':
    case 'alert.escalated': {
      const { title, message, level, wallet, walletLabel, protocolName, healthFactor } = event.data;
      const place = [walletLabel ?? wallet, protocolName].filter((each) => each !== null).join(' · ');
      const factor = healthFactor?.now == null ? '' : ` · health factor ${healthFactor.now.toFixed(3)}`;
      return `*${escaped(title)}* (${level})\n${escaped(message)}\n${escaped(place)}${factor}`;
    }
    case 'alert.resolved':
      return `Resolved: ${escaped(event.data.title)} (${event.data.resolveReason})`;
    case 'alert.group':
      return `*${escaped(event.data.title)}*: ${event.data.count} alerts, ${Math.round(event.data.usdAtStake)} USD at stake`;
    case 'test.ping':
      return 'Plimsoll can reach this channel.';
    default:
      return null;
  }
}

/** Names of wallets are text of others: without this, one could mention the channel or hide a link. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
