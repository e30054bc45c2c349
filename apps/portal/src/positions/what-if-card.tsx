import { priceSymbol, unitPriceUsd } from '@plimsoll/risk-math';
import { PlimsollError } from '@plimsoll/sdk';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { type Schema, plimsoll, sessionQuery } from '../api/client';
import { Button } from '../design/button';
import { formatChange, formatCount, formatPrice } from '../design/format';
import { HealthGauge, type HealthThresholds } from '../design/gauge';
import { Card } from '../design/layout';
import { type Level, healthText } from '../design/levels';
import { LINK } from '../design/link';
import { ErrorNotice, Notice } from '../design/notice';
import { RiskLevel } from '../design/risk';
import { Slider } from '../design/slider';
import { Measure, Usd } from '../design/values';
import { type Changes, symbolsOf } from './held';
import { type Detailed, HIGHEST_CHANGE, LOWEST_CHANGE, positionQuery } from './requests';
import { isSame, modelOf } from './what-if';

/** Blocks may follow faster than two requests, so a pair of them is sent again. */
const ATTEMPTS = 6;
/** A step for all collateral, in percent. */
const STEP = -10;

/** Prices of a position by their symbol, each once. USD. */
function pricesOf({ collateralAssets, debtAssets }: Detailed): Map<string, number> {
  const legs = [...collateralAssets, ...debtAssets];
  return new Map(legs.map((leg) => [priceSymbol(leg.asset), unitPriceUsd(leg)]));
}

/** A position at other prices: computed here while a slider moves, and by the API when it rests. */
export function WhatIfCard({ position }: { position: Detailed }): ReactNode {
  const { prices: stored = {} } = useSearch({ from: '/signed-in/positions/$id' });
  const navigate = useNavigate({ from: '/positions/$id' });
  const tier = useQuery(sessionQuery).data?.account.tier ?? 'open';
  const [changes, setChanges] = useState<Changes>(stored);
  const prices = pricesOf(position);
  const model = useMemo(() => modelOf(position), [position]);
  const before = model({});
  const after = model(changes);
  const keep = (next: Changes): void => {
    const moved = Object.entries(next).filter(([symbol, percent]) => percent !== 0 && prices.has(symbol));
    void navigate({
      search: (before) => ({ ...before, prices: moved.length > 0 ? Object.fromEntries(moved) : undefined }),
      replace: true,
      resetScroll: false,
    });
  };
  const set = (next: Changes): void => {
    setChanges(next);
    keep(next);
  };
  const collateral = new Set(position.collateralAssets.map(({ asset }) => priceSymbol(asset)));
  const hasDebt = position.totalDebtUsd > 0;
  const isMoved = Object.values(changes).some((percent) => percent !== 0);
  return (
    <Card
      title="What if prices change"
      aside={
        <span className="flex flex-wrap gap-2">
          <Button
            size="small"
            onPress={() => {
              const next = { ...changes };
              for (const symbol of collateral)
                next[symbol] = Math.max(LOWEST_CHANGE, (changes[symbol] ?? 0) + STEP);
              set(next);
            }}
          >
            All collateral −{-STEP} %
          </Button>
          <Button size="small" kind="quiet" isDisabled={!isMoved} onPress={() => set({})}>
            Reset
          </Button>
        </span>
      }
    >
      <div className="grid gap-x-10 gap-y-6 p-5 lg:grid-cols-2">
        <div className="flex flex-col gap-4">
          {[...prices].map(([symbol, price]) => {
            const percent = changes[symbol] ?? 0;
            return (
              <Slider
                key={symbol}
                label={symbol}
                value={percent}
                min={LOWEST_CHANGE}
                max={HIGHEST_CHANGE}
                text={formatChange(percent)}
                detail={<Measure value={formatPrice(price * (1 + percent / 100))} unit="USD" />}
                onChange={(next) => setChanges({ ...changes, [symbol]: next })}
                onRelease={(next) => keep({ ...changes, [symbol]: next })}
              />
            );
          })}
        </div>
        <div className="flex flex-col gap-3">
          <HealthGauge
            healthFactor={after.healthFactor}
            level={levelOf(after.healthFactor, position.riskThresholds.healthFactor)}
            thresholds={position.riskThresholds.healthFactor}
            hasDebt={hasDebt}
          />
          <table aria-label="Before and after" className="w-full text-left">
            <thead className="text-xs text-soft">
              <tr className="border-b border-line">
                <th scope="col" className="py-1.5 font-medium">
                  Figure
                </th>
                <th scope="col" className="py-1.5 text-right font-medium">
                  Now
                </th>
                <th scope="col" className="py-1.5 text-right font-medium">
                  Then
                </th>
              </tr>
            </thead>
            <tbody>
              <Row
                name="Health factor"
                now={healthText(before.healthFactor, hasDebt)}
                then={<strong>{healthText(after.healthFactor, hasDebt)}</strong>}
              />
              <Row
                name="Supplied"
                now={<Usd value={before.collateralUsd} />}
                then={<Usd value={after.collateralUsd} />}
              />
              <Row name="Debt" now={<Usd value={before.debtUsd} />} then={<Usd value={after.debtUsd} />} />
              <Row name="Change of net worth" now="none" then={<Usd value={after.changeUsd} />} />
            </tbody>
          </table>
          <Confirmation position={position} changes={stored} tier={tier} />
        </div>
      </div>
    </Card>
  );
}

function Row({ name, now, then }: { name: string; now: ReactNode; then: ReactNode }): ReactNode {
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="py-1.5 pr-2 font-normal text-soft">
        {name}
      </th>
      <td className="py-1.5 text-right">{now}</td>
      <td className="py-1.5 pl-4 text-right">{then}</td>
    </tr>
  );
}

/** The level that a health factor alone decides. */
function levelOf(
  healthFactor: number | null,
  { liquidatable, critical, high, moderate }: HealthThresholds,
): Level {
  if (healthFactor === null) return 'none';
  if (healthFactor < liquidatable) return 'liquidatable';
  if (healthFactor < critical) return 'critical';
  if (healthFactor < high) return 'high';
  return healthFactor < moderate ? 'moderate' : 'low';
}

interface Confirmed {
  position: Detailed;
  answer: Schema<'WhatIfAnswer'>;
}

const blockOf = ({
  chainId,
  block,
  asOfBlock,
  blockHash,
}: Pick<Detailed, 'chainId' | 'block' | 'asOfBlock' | 'blockHash'>): string =>
  `${block ?? asOfBlock[chainId]} ${blockHash[chainId]}`;

/** The position and the result of the API for it at one block. */
const confirmationQuery = (id: string, changes: Changes, symbols: readonly string[]) =>
  queryOptions({
    queryKey: ['what-if', id, changes],
    queryFn: async ({ signal }): Promise<Confirmed> => {
      // Every price is named. A staking token would follow its underlying asset otherwise.
      const scenarios = symbols.map((asset) => ({ asset, priceChangePercent: changes[asset] ?? 0 }));
      let position: Detailed = await plimsoll.positions.get({ id }, { signal });
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const answer = await plimsoll.simulate.whatIf({ positionId: id, scenarios }, { signal });
        const hasBlockOf = (read: Detailed): boolean =>
          blockOf(read) === blockOf({ ...answer, chainId: read.chainId });
        if (hasBlockOf(position)) return { position, answer };
        position = await plimsoll.positions.get({ id }, { signal });
        if (hasBlockOf(position)) return { position, answer };
      }
      throw new PlimsollError('block_changed', 'The block changed between the requests. Try again.');
    },
    staleTime: 'static',
  });

function Confirmation({
  position: { id, collateralAssets, debtAssets },
  changes,
  tier,
}: {
  position: Detailed;
  changes: Changes;
  tier: string;
}): ReactNode {
  const queries = useQueryClient();
  const symbols = symbolsOf({ collateralAssets, debtAssets });
  const isMoved = Object.keys(changes).length > 0;
  const check = useQuery({
    ...confirmationQuery(id, changes, symbols),
    enabled: isMoved && tier !== 'open',
  });
  const confirmed = isMoved ? check.data : undefined;
  useEffect(() => {
    // The page shows the block that was confirmed.
    if (confirmed) queries.setQueryData(positionQuery(id, tier).queryKey, confirmed.position);
  }, [confirmed, id, tier, queries]);
  if (!isMoved)
    return (
      <p className="min-h-6 text-sm text-soft">Move a price. The API confirms the result when it rests.</p>
    );
  if (tier === 'open')
    return (
      <p className="min-h-6 text-sm text-soft">
        Computed in this browser. The API confirms it from the pro plan on.{' '}
        <Link to="/account" search={{ dialog: 'plan' }} className={LINK}>
          Change plan
        </Link>
      </p>
    );
  if (check.isError) return <ErrorNotice error={check.error} onRetry={() => void check.refetch()} />;
  if (!confirmed)
    return (
      <p role="status" className="min-h-6 text-sm text-soft">
        The API computes it.
      </p>
    );
  const { position, answer } = confirmed;
  const { newHealthFactor, liquidationRisk, estimatedLoss } = answer.combined;
  const own = modelOf(position)(changes).healthFactor;
  const block = formatCount(position.block ?? position.asOfBlock[position.chainId] ?? 0);
  if (!isSame(own, newHealthFactor))
    return (
      <Notice tone="bad" title="This browser and the API differ">
        <p>
          Health factor {own ?? 'none'} here and {newHealthFactor ?? 'none'} from the API, at block {block}.
          Act on neither, and report both figures.
        </p>
      </Notice>
    );
  return (
    <p role="status" className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="font-medium text-good">Confirmed by the API</span>
      <span className="text-soft">at block {block}:</span>
      <RiskLevel level={liquidationRisk} hasDebt />
      <span className="text-soft">
        estimated loss <Usd value={estimatedLoss} />
      </span>
    </p>
  );
}
