import { Injectable } from '@nestjs/common';
import {
  checksumAddress,
  invalidRequest,
  notFound,
  type AiSuggestion,
  type AiSuggestions,
  type SuggestionsBody,
} from '@plimsoll/contracts';
import { healthFactor, type RiskPosition } from '@plimsoll/risk-math';
import { riskPosition, type EModePosition } from '@plimsoll/risk-position';
import type { Claim } from '../facts/draft-answer';
import { AnswerComposer, sectionText } from '../answers/answer-composer';
import { draftOf } from '../answers/cannot-answer';
import { AnswerStore, type StoredAnswer } from '../audit/answer-store';
import { ReadingFactory, type Asker, type Reading } from '../facts/reading';
import type { PositionFacts } from '../facts/position-facts';
import { PositionsReader } from '../facts/positions.reader';
import type { Plan } from './plan';
import { plansFor } from './plans-for';
import { bySeverity, isSettled, severityOf } from './severity';
import { Prover, type Proof } from './prover';
import { proofFacts } from './proof-facts';
import { TITLES, suggestionText } from './suggestion-texts';

/** Positions of one answer, those of the lowest health factor: each costs several simulations. */
const ANALYZED = 8;
const QUESTION = 'What makes these positions safer, and what comes of it?';

/** A suggestion before and with its words. The figures of both are the same facts. */
interface Suggested {
  suggestion: Omit<AiSuggestion, 'description'>;
  claim: Claim;
}

interface Candidate {
  facts: PositionFacts;
  held: EModePosition & { id: string };
  position: RiskPosition;
  health: number;
  /** At least one. */
  plans: readonly Plan[];
}

@Injectable()
export class SuggestionsService {
  constructor(
    private readonly positions: PositionsReader,
    private readonly prover: Prover,
    private readonly readings: ReadingFactory,
    private readonly composer: AnswerComposer,
    private readonly keeper: AnswerStore,
  ) {}

  async suggest(asker: Asker, body: SuggestionsBody): Promise<StoredAnswer<AiSuggestions>> {
    const reading = this.readings.open(asker);
    const analyzed = await this.analyzed(reading, body);
    const best = await this.best(reading, analyzed.flatMap(candidate), body.maxCount);
    const task = { kind: 'suggestions', question: QUESTION, asker } as const;
    const composed = await this.composer.compose(task, reading.sheet, () =>
      draftOf(...best.map(({ claim }) => claim)),
    );
    const kept = { kind: 'suggestions', question: JSON.stringify(body), reading, composed } as const;
    return this.keeper.store(asker, kept, (answerId) => ({
      suggestions: best.map(({ suggestion, claim }) => ({
        ...suggestion,
        description: sectionText(composed.draft.claims, claim.section),
      })),
      count: best.length,
      positionsAnalyzed: analyzed.length,
      answerId,
      confidence: composed.confidence,
      facts: composed.facts,
      sources: composed.sources,
      missing: reading.sheet.missing,
    }));
  }

  /** @throws not_found for a named position that does not exist; invalid_request for a mistyped wallet */
  private async analyzed(reading: Reading, body: SuggestionsBody): Promise<PositionFacts[]> {
    const { positionIds = [], wallet } = body;
    if (wallet !== undefined) refuseMistyped(wallet);
    const wallets = wallet === undefined ? [] : [wallet];
    const read = await this.positions.read(reading, { positionIds, wallets });
    if (read === null) return [];
    if (read.unknown.length > 0) throw notFound('position');
    return read.positions
      .filter(({ raw }) => raw.healthFactor !== null && (wallet === undefined || isOf(raw.wallet, wallet)))
      .slice(0, ANALYZED);
  }

  /**
   * The most severe suggestions, of the worst positions first. Candidates that cannot be among them are not
   * simulated.
   */
  private async best(
    reading: Reading,
    candidates: readonly Candidate[],
    maxCount: number,
  ): Promise<Suggested[]> {
    const found: Suggested[] = [];
    for (const [at, { facts, held, position, health, plans }] of candidates.entries()) {
      const severities = found.map(({ suggestion }) => suggestion.severity);
      if (isSettled(severities, candidates.slice(at), maxCount)) break;
      const proofs = await this.prover.prove(reading, held, position, plans);
      found.push(...proofs.filter(lowersRisk).map((proof) => suggested(reading, facts, health, proof)));
    }
    return found
      .toSorted((a, b) => bySeverity(a.suggestion.severity, b.suggestion.severity))
      .slice(0, maxCount);
  }
}

/** A position with its possible suggestions. None without debt. */
function candidate(facts: PositionFacts): Candidate[] {
  const { raw } = facts;
  const { collateralAssets = [], debtAssets = [] } = raw;
  const held = { ...raw, collateralAssets, debtAssets };
  const position = riskPosition(held);
  const health = healthFactor(position);
  const plans = plansFor(position, raw.eModes);
  return health === null || plans.length === 0 ? [] : [{ facts, held, position, health, plans }];
}

/** The mixed case of an address is its checksum (EIP-55). */
function refuseMistyped(wallet: string): void {
  const digits = wallet.slice(2);
  const hasOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (hasOneCase || checksumAddress(wallet) === wallet) return;
  const message = 'The capitals of the address do not fit its checksum. Check it, or send it in lower case.';
  throw invalidRequest([{ field: 'wallet', code: 'invalid_checksum', message }]);
}

function isOf(holder: string, wallet: string): boolean {
  return holder.toLowerCase() === wallet.toLowerCase();
}

/** A plan that only moves risk must lower it. */
function lowersRisk({ plan, before, after }: Proof): boolean {
  if (plan.type !== 'reduce_volatility' && plan.type !== 'diversify_debt') return true;
  return before !== null && after !== null && after.probability < before.probability;
}

function suggested(reading: Reading, position: PositionFacts, health: number, proof: Proof): Suggested {
  const { plan, healthFactorAfter, before, after } = proof;
  const facts = proofFacts(reading.sheet, position, proof);
  const title = TITLES[plan.type];
  return {
    suggestion: {
      type: plan.type,
      severity: severityOf(health, plan),
      title,
      positionId: position.raw.id,
      protocol: position.raw.protocol,
      action: { usd: plan.usd, changes: plan.changes, ...(plan.eMode && { eMode: plan.eMode.id }) },
      target: plan.aim,
      figures: {
        healthFactorBefore: health,
        healthFactorAfter,
        liquidationProbability30dBefore: before?.probability ?? null,
        standardErrorBefore: before?.standardError ?? null,
        upperBound95Before: before?.upperBound95 ?? null,
        liquidationProbability30dAfter: after?.probability ?? null,
        standardErrorAfter: after?.standardError ?? null,
        upperBound95After: after?.upperBound95 ?? null,
      },
    },
    claim: { ...suggestionText(plan.type, position, facts), section: `${title} (${position.raw.id})` },
  };
}
