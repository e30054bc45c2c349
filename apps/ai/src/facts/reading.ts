import type { Identity } from '@plimsoll/contracts';
import { signalWithin, type Caller } from '@plimsoll/service-kit';
import { Injectable } from '@nestjs/common';
import { AiConfig } from '../config';
import { FactSheet } from './fact-sheet';

/** The group of all requests that write an answer. Each account has its own limit of them. */
export const ANSWERS = 'answers';
/** Answers in progress in a process. Most of their time they wait for other services or for the model. */
export const ANSWER_SLOTS = { total: 1_000 };

/** The account that asks, and whether its request is still open. */
export interface Asker {
  identity: Identity;
  caller: Caller;
  /** Aborted when the client disconnects. */
  left: AbortSignal;
}

/** Collects the facts of one answer, with the identity of the caller. */
export interface Reading {
  caller: Caller;
  identity: Identity;
  /** Aborted when the client disconnects or the deadline of the facts passes. */
  signal: AbortSignal;
  sheet: FactSheet;
}

/** Starts to collect the facts of one answer, with their deadline. */
@Injectable()
export class ReadingFactory {
  constructor(private readonly config: AiConfig) {}

  open({ caller, identity, left }: Asker): Reading {
    const signal = signalWithin(this.config.FACTS_DEADLINE_MS, left);
    return { caller, identity, signal, sheet: new FactSheet() };
  }
}
