import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '@plimsoll/service-kit';
import { Clock } from '../clock';
import { AiConfig } from '../config';
import { AnswersRepository } from './answers.repository';

const DAY_MS = 86_400_000;

/** Deletes answers that are older than AUDIT_DAYS. */
@Injectable()
export class AnswerCleaner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(responses: AnswersRepository, clock: Clock, { AUDIT_DAYS, AUDIT_CLEAN_INTERVAL_MS }: AiConfig) {
    this.task = new PeriodicTask({
      name: AnswerCleaner.name,
      everyMs: AUDIT_CLEAN_INTERVAL_MS,
      round: () => responses.deleteBefore(clock.now() - AUDIT_DAYS * DAY_MS),
      failure: 'old answers could not be deleted; the next round tries again',
      waitsFirst: true,
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }
}
