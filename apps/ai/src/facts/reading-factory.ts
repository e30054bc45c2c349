import { Injectable } from '@nestjs/common';
import { signalWithin } from '@plimsoll/service-kit';

import { AiConfig } from '../config';
import type { Asker } from './asker';
import { FactSheet } from './fact-sheet';
import type { Reading } from './reading';

/** Starts to collect the facts of one answer, with their deadline. */
@Injectable()
export class ReadingFactory {
  constructor(private readonly config: AiConfig) {}

  open({ caller, identity, left }: Asker): Reading {
    const signal = signalWithin(this.config.FACTS_DEADLINE_MS, left);
    return { caller, identity, signal, sheet: new FactSheet() };
  }
}
