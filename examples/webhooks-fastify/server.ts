import { WebhookVerificationError, webhooks } from '@plimsoll/sdk';
import { fastify } from 'fastify';

const secrets = (process.env.PLIMSOLL_WEBHOOK_SECRET ?? '').split(' ');
const app = fastify({ bodyLimit: 1_048_576 });

// The parser is for the routes of this plugin only. Other routes receive parsed JSON.
await app.register(async (hooks) => {
  hooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  hooks.post('/plimsoll', async (request, reply) => {
    try {
      const event = await webhooks.verify(request.body as Buffer, request.headers, secrets);
      console.log(event.event, event.eventId);
      return reply.code(204).send();
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(400).send({ code: error.code });
    }
  });
});

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) });
