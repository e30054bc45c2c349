import { WebhookVerificationError, webhooks } from '@plimsoll/sdk';

/** The fields that this handler reads of an event of a function URL or an HTTP API (payload format 2.0). */
interface HttpEvent {
  headers: Record<string, string | undefined>;
  body?: string;
  isBase64Encoded: boolean;
}
interface HttpResult {
  statusCode: number;
  body?: string;
}

const secrets = (process.env.PLIMSOLL_WEBHOOK_SECRET ?? '').split(' ');

export async function handler({ headers, body = '', isBase64Encoded }: HttpEvent): Promise<HttpResult> {
  try {
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    const event = await webhooks.verify(bytes, headers, secrets);
    console.log(event.event, event.eventId);
    return { statusCode: 204 };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { statusCode: 400, body: JSON.stringify({ code: error.code }) };
  }
}
