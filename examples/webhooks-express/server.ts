import { WebhookVerificationError, webhooks } from '@plimsoll/sdk';
import express from 'express';

const secrets = (process.env.PLIMSOLL_WEBHOOK_SECRET ?? '').split(' ');
const app = express();

// express.json() on this route would replace the bytes that the signature covers.
app.post('/plimsoll', express.raw({ type: '*/*', limit: '1mb' }), async (request, response) => {
  try {
    const event = await webhooks.verify(request.body as Buffer, request.headers, secrets);
    console.log(event.event, event.eventId);
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).json({ code: error.code });
  }
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
