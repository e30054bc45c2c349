import { Injectable } from '@nestjs/common';
import { isTestAccount } from '@plimsoll/contracts';
import { removeTopics } from '@plimsoll/event-bus';
import { kafkaSettings, within } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { SandboxConfig } from '../config';
import { topicPrefix } from './place';

const DEADLINE_MS = 10_000;

/** The topics and consumer groups of the test markets of this platform. */
@Injectable()
export class SandboxTopics {
  constructor(
    private readonly config: SandboxConfig,
    private readonly logger: PinoLogger,
  ) {}

  /** @throws when Kafka does not delete all in time; call it again later */
  async remove(isRemoved: (accountId: string, generation: number) => boolean): Promise<void> {
    const options = { ...kafkaSettings(this.config), clientId: 'sandbox', logger: this.logger };
    const prefix = topicPrefix(this.config);
    const fits = (name: string): boolean => {
      if (!name.startsWith(prefix)) return false;
      const [accountId = '', generation] = name.slice(prefix.length).split('.');
      return isTestAccount(accountId) && isRemoved(accountId, Number(generation));
    };
    const late = (): Error => new Error(`topics of test markets were not deleted within ${DEADLINE_MS} ms`);
    await within(DEADLINE_MS, removeTopics(options, fits), late);
  }
}
