import { randomBytes } from 'node:crypto';
import type { CreatedWebhook, RotatedSecret, WebhookEventType } from '@plimsoll/contracts';
import { newId } from '@plimsoll/contracts';
import { findFreePort } from '@plimsoll/local-parts';
import {
  createTestDatabase,
  createTestFolder,
  identityHeaders,
  startReceiver,
  testIdentityKeys,
  testKafka,
  type ReceivedRequest,
} from '@plimsoll/testing';
import { startService } from '../platform/service-process';

/** One endpoint of one account, on the built service in a separate process. */
export interface WebhookService {
  secret: string;
  /** The received request of an event. */
  deliver(event: WebhookEventType): Promise<ReceivedRequest>;
  /** Returns the next secret, whose overlap begins. */
  rotate(): Promise<string>;
  stop(): Promise<void>;
}

export async function startWebhookService(): Promise<WebhookService> {
  const [database, folder, receiver] = await Promise.all([
    createTestDatabase(),
    createTestFolder(),
    startReceiver(),
  ]);
  const { brokers, topicPrefix } = testKafka();
  const identityKeys = testIdentityKeys();
  const context = {
    databaseUrl: database.url,
    redisUrl: '',
    kafkaBrokers: brokers.join(','),
    rpcUrls: new Map(),
    registryOverlay: '',
    ports: new Map([['webhook-delivery' as const, await findFreePort()]]),
    secrets: { identityKeys, webhookSecretKeys: `test:${randomBytes(32).toString('base64')}` },
  };
  const service = await startService('webhook-delivery', context, folder.path, {
    KAFKA_TOPIC_PREFIX: topicPrefix,
  });
  const accountId = newId('acc');
  const post = async (path: string, body: object): Promise<unknown> => {
    const request = { service: 'webhook-delivery', method: 'POST', path };
    const response = await fetch(service.url + path, {
      method: request.method,
      headers: { ...identityHeaders(identityKeys, request, accountId), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const created = await post('/v1/webhooks', { url: `${receiver.url}/hook`, events: ['test.ping'] });
  const { id, secret } = (created as CreatedWebhook).webhook;
  return {
    secret,
    deliver: async (event) => {
      const seen = receiver.requests.length;
      await post(`/v1/webhooks/${id}/test`, { event });
      const request = receiver.requests[seen];
      if (!request) throw new Error('the test call succeeded, but no request arrived');
      return request;
    },
    rotate: async () => {
      const { webhook } = (await post(`/v1/webhooks/${id}/rotate-secret`, {})) as RotatedSecret;
      return webhook.secret ?? '';
    },
    stop: async () => {
      await service.stop();
      await receiver.close();
      await database.drop();
      await folder.remove();
    },
  };
}
