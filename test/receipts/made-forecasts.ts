import type { ForecastReceipt } from '@plimsoll/receipts';
import type { VerifyCode } from '@plimsoll/sdk/verify';
import { forecastContent } from '../../apps/simulation/src/track-record/forecast-content';
import { positionState } from '../../apps/simulation/test/position-state';
import { SIGNED_AT, Signer } from './made-receipts';
import { type Changed, type ReceiptCase, otherDigit, textOf } from './tamperings';

export const DAY_MS = 86_400_000;
const MADE_AT = SIGNED_AT - 60_000;
const PROBABILITIES = [
  [1, 0.0012],
  [7, 0.0312],
  [30, 0.125],
] as const;

/** The receipt of the forecasts of a position, as the services make it. */
export function forecastReceipt(signer: Signer): ForecastReceipt {
  const forecasts = PROBABILITIES.map(([horizonDays, probability]) => {
    return { horizonDays, probability, standardError: 0.0021, model: 'fhs', modelVersion: '2' };
  });
  const state = positionState('forecast', 1, { blockTimeMs: MADE_AT - 12_000 });
  return signer.sign(forecastContent(state, MADE_AT, forecasts));
}

type Draft = Changed<ForecastReceipt['content']>;

/** Changes of a dishonest signer, whose signature is valid. */
const SIGNED_AGAIN: readonly [string, VerifyCode | null, (content: Draft) => unknown][] = [
  ['the end of a forecast', 'forecast_time_differs', ({ forecasts: [first] }) => (first!.expiresAt += 1)],
  ['the horizon of a forecast', 'forecast_time_differs', ({ forecasts }) => (forecasts[1]!.horizonDays = 8)],
  ['a time after the signature', 'forecast_time_differs', (content) => moved(content, 120_000)],
  ['a time whose horizon is over', 'forecast_time_differs', (content) => moved(content, -2 * DAY_MS)],
  [
    'a probability above 1',
    'probability_invalid',
    ({ forecasts: [first] }) => (first!.probability = String(10n ** 18n + 1n)),
  ],
  ['no forecast', 'probability_invalid', ({ forecasts }) => forecasts.splice(0)],
  [
    'a probability in another form',
    'schema_invalid',
    ({ forecasts: [first] }) => (first!.probability = '0.1'),
  ],
  ['a horizon above a year', 'schema_invalid', ({ forecasts: [first] }) => (first!.horizonDays = 366)],
  ['an unknown part', 'schema_invalid', (content) => Object.assign(content, { note: 'x' })],
  ['a missing part', 'schema_invalid', (content) => delete (content as Partial<Draft>).model],
  ['the version', 'version_unknown', (content) => ((content as { version: number }).version = 2)],
];

function moved(content: Draft, ms: number): void {
  content.madeAt += ms;
  for (const forecast of content.forecasts) forecast.expiresAt += ms;
}

/** Whole and changed receipts of forecasts. */
export function forecastCases(signer: Signer): ReceiptCase[] {
  const receipt = forecastReceipt(signer);
  const draft = (change: (content: Draft) => unknown): ForecastReceipt['content'] => {
    const copy = structuredClone(receipt.content) as Draft;
    change(copy);
    return copy;
  };
  const improved = draft(({ forecasts: [first] }) => (first!.probability = '0'));
  const others: [string, VerifyCode | null, object][] = [
    ['nothing', null, receipt],
    ['a probability', 'hash_differs', { ...receipt, content: improved }],
    [
      'a probability and the hash',
      'signature_invalid',
      { ...receipt, content: improved, hash: signer.sign(improved).hash },
    ],
    ['the hash', 'hash_differs', { ...receipt, hash: otherDigit(receipt.hash) }],
    ['a stranger as signer', 'signature_invalid', new Signer(signer.id).sign(receipt.content)],
  ];
  const signed = SIGNED_AGAIN.map(([name, code, change]): [string, VerifyCode | null, object] => [
    `${name}, signed again`,
    code,
    signer.sign(draft(change)),
  ]);
  return [...others, ...signed].map(([name, code, changed]) => ({
    name: `forecast: ${name}`,
    text: textOf(changed),
    keys: [signer.key],
    rpcUrl: null,
    code,
    isEqual: false,
  }));
}
