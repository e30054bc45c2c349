import type { DeliveryDetail, DeliveryItem, DeliveryList } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import type { Instance } from './delivery-fixture';

/** Reads the delivery log of one account as a client. */
export interface LogClient {
  list(webhookId: string, query?: string): Promise<DeliveryList>;
  find(deliveryId: string): Promise<DeliveryDetail['delivery']>;
  /** Returns the first delivery of the endpoint that has or reaches the state. */
  until(webhookId: string, state: DeliveryItem['state']): Promise<DeliveryItem>;
}

export function logClient(service: Instance, accountId: string): LogClient {
  const get = async (path: string): Promise<unknown> => {
    const { status, body } = await service.call('GET', path, { accountId });
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const list: LogClient['list'] = async (webhookId, query = '') =>
    (await get(`/v1/webhooks/${webhookId}/deliveries${query}`)) as DeliveryList;
  return {
    list,
    find: async (deliveryId) => ((await get(`/v1/deliveries/${deliveryId}`)) as DeliveryDetail).delivery,
    until: (webhookId, state) =>
      waitFor(async () => (await list(webhookId, `?state=${state}`)).deliveries[0], {
        message: `a delivery is ${state}`,
      }),
  };
}
