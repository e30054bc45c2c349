import { type Receiver, startReceiver } from '@plimsoll/testing';
import { DeliveryFixture, type Instance } from './delivery-fixture';

/**
 * One instance of the service and a receiver, from the first test of the surrounding `describe` to its last.
 */
export interface DeliveryScene {
  fixture: DeliveryFixture;
  service: Instance;
  receiver: Receiver;
}

export function deliveryScene(): DeliveryScene {
  const scene = {} as DeliveryScene;
  beforeAll(async () => {
    scene.fixture = await DeliveryFixture.create();
    scene.service = await scene.fixture.startInstance();
    scene.receiver = await startReceiver();
  }, 60_000);
  afterAll(async () => {
    await scene.fixture.close();
    await scene.receiver.close();
  });
  return scene;
}
