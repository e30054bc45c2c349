import { Injectable } from '@nestjs/common';
import { PeriodicService, Clock } from '@plimsoll/service-kit';
import { AiConfig } from '../config';
import { AnswersRepository } from './answers.repository';

const DAY_MS = 86_400_000;

/** Deletes answers that are older than AUDIT_DAYS. */
@Injectable()
export class AnswerCleaner extends PeriodicService {
  constructor(
    private readonly answers: AnswersRepository,
    private readonly clock: Clock,
    private readonly config: AiConfig,
  ) {
    super({
      name: AnswerCleaner.name,
      everyMs: config.AUDIT_CLEAN_INTERVAL_MS,
      failure: 'old answers could not be deleted; the next round tries again',
      waitsFirst: true,
    });
  }

  protected round(): Promise<boolean> {
    return this.answers.deleteBefore(this.clock.now() - this.config.AUDIT_DAYS * DAY_MS);
  }
}
