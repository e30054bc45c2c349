import { alertMessage } from './alert-messages';
import { type AlertPublisher, startAlertPublisher } from './publisher';

export interface FloodCommand {
  broker: string;
  partitions: number;
  accountId: string;
  events: number;
}

/** Prepares alerts of one account at the first message and publishes them at the second. */
let prepared: Promise<() => Promise<void>> | undefined;

async function prepare({
  broker,
  partitions,
  accountId,
  events,
}: FloodCommand): Promise<() => Promise<void>> {
  const publisher: AlertPublisher = await startAlertPublisher(broker, partitions);
  const messages = Array.from({ length: events }, () => alertMessage(accountId));
  return async () => {
    await publisher.publish(messages);
    await publisher.close();
  };
}

async function handle(command: FloodCommand | 'publish'): Promise<void> {
  if (command === 'publish') await (await prepared)?.();
  else await (prepared = prepare(command));
  process.send?.('done');
}

process.on('message', (command: FloodCommand | 'publish') => void handle(command));
