import type { PositionV1 } from '@plimsoll/contracts';
import type { ForecastContent } from '@plimsoll/receipts';
import { version } from '../../../../package.json';
import type { RecordedProbability } from './forecast-model';

const DAY_MS = 86_400_000;
const MS_PER_SECOND = 1_000;

/** A forecast of one position over one horizon. */
export interface NewForecast extends RecordedProbability {
  horizonDays: number;
  model: string;
  modelVersion: string;
}

/** The content of the receipt of the forecasts of one state. */
export function forecastContent(
  { id, protocol, market, subId, wallet, chainId, block, blockHash, blockTime, healthFactorRaw }: PositionV1,
  madeAt: number,
  forecasts: readonly NewForecast[],
): ForecastContent {
  const { model, modelVersion } = forecasts[0]!;
  return {
    version: 1,
    kind: 'forecast',
    build: version,
    chainId,
    position: { id, protocol, market, subId, wallet: wallet.toLowerCase() },
    block: { number: block, hash: blockHash, timestamp: Math.floor(Date.parse(blockTime) / MS_PER_SECOND) },
    healthFactor: healthFactorRaw ?? '0',
    model: { name: model, version: modelVersion },
    madeAt,
    forecasts: forecasts.map(({ horizonDays, probability, standardError }) => ({
      horizonDays,
      expiresAt: madeAt + horizonDays * DAY_MS,
      probability: wadText(probability),
      standardError: wadText(standardError),
    })),
  };
}

/** With 18 decimals, because receipts have whole numbers only. */
const wadText = (value: number): string => String(BigInt(Math.round(value * 1e18)));
