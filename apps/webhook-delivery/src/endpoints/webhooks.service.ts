import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { tierWithMore } from '@plimsoll/access';
import {
  type CreateWebhookBody,
  type CreatedWebhook,
  type Identity,
  Problem,
  type UpdateWebhookBody,
  type WebhookItem,
  newId,
  notFound,
} from '@plimsoll/contracts';
import { Clock, SecretBox } from '@plimsoll/service-kit';
import type { Commit, Committed } from '@plimsoll/service-kit';
import { TargetGuard } from '../outgoing/target-guard';
import { generateSecret } from '../secrets/webhook-secret';
import { WebhooksRepository } from './webhooks.repository';

@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly targets: TargetGuard,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Newest first. `beforeId` is the last item of the previous page. */
  list(accountId: string, beforeId: string | null, limit: number): Promise<WebhookItem[]> {
    return this.webhooks.list(accountId, beforeId, limit);
  }

  /** Only this response contains the secret. */
  async create(
    { accountId, tier, limits: { webhooks: cap } }: Identity,
    { url, events, severities = [], protocols = [], chainIds = [], walletGroupIds = [] }: CreateWebhookBody,
    commit: Commit,
  ): Promise<Committed<CreatedWebhook>> {
    await this.#checkUrl(url);
    const id = newId('wh');
    const secret = generateSecret(randomBytes);
    const createdAt = new Date(this.clock.now());
    const filter = { severities, protocols, chainIds, walletGroupIds };
    const webhook = { id, accountId, url, events, ...filter, createdAt, ...this.secrets.seal(secret, id) };
    return commit(async (tx) => {
      if (!(await this.webhooks.insert(tx, webhook, cap))) {
        const requiredTier = tierWithMore(tier, 'webhooks');
        throw new Problem(
          'quota_reached',
          `This account may have ${cap} webhook endpoints. Delete one, or move to a higher tier.`,
          { ...(requiredTier && { requiredTier }) },
        );
      }
      const shown = { id, url, events, ...filter, isEnabled: true, createdAt: createdAt.toISOString() };
      return { status: 201, body: { webhook: { ...shown, secret } } };
    });
  }

  /** @throws not_found, unsafe_url; quota_reached for enabling an endpoint above the tier's cap */
  async update(accountId: string, id: string, body: UpdateWebhookBody): Promise<WebhookItem> {
    const { url = null, events = null, isEnabled = null } = body;
    const { severities = null, protocols = null, chainIds = null, walletGroupIds = null } = body;
    const found = await this.webhooks.find(accountId, id);
    if (!found) throw notFound('webhook');
    if (url !== null) await this.#checkUrl(url);
    if (isEnabled && found.disabledReason === 'tier_cap') {
      throw new Problem(
        'quota_reached',
        'This endpoint is above the endpoint limit of this tier. Delete an older one, or move to a higher tier.',
      );
    }
    await this.webhooks.update(accountId, id, {
      url,
      events,
      isEnabled,
      severities,
      protocols,
      chainIds,
      walletGroupIds,
    });
    const updated = await this.webhooks.find(accountId, id);
    if (!updated) throw notFound('webhook');
    return updated;
  }

  /** @throws not_found, also for another account's endpoint */
  async delete(accountId: string, id: string): Promise<void> {
    if (!(await this.webhooks.delete(accountId, id, this.clock.now()))) throw notFound('webhook');
  }

  async #checkUrl(url: string): Promise<void> {
    const refused = await this.targets.refusedUrl(url);
    if (refused === null) return;
    throw new Problem(
      'unsafe_url',
      `The URL is refused (${refused}). Use https, a public name or address, a port for HTTP, and no user info.`,
      {
        errors: [{ field: 'url', code: refused, message: 'Webhooks go to public HTTPS addresses only.' }],
      },
    );
  }
}
