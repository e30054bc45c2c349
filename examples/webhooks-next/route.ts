import { WebhookVerificationError, webhooks } from '@plimsoll/sdk';

const secrets = (process.env.PLIMSOLL_WEBHOOK_SECRET ?? '').split(' ');

/** Copy this file to app/api/plimsoll/route.ts. */
export async function POST(request: Request): Promise<Response> {
  // request.json() would lose the bytes that the signature covers.
  const body = new Uint8Array(await request.arrayBuffer());
  try {
    const event = await webhooks.verify(body, request.headers, secrets);
    console.log(event.event, event.eventId);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return Response.json({ code: error.code }, { status: 400 });
  }
}
