import { ApiError } from '@plimsoll/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sessionQuery } from '../api/client';
import { registryQuery } from '../api/registry';
import { formatCount } from '../design/format';
import { HealthGauge } from '../design/gauge';
import { Card, Facts, PageHeader } from '../design/layout';
import { fallToLiquidation, healthText } from '../design/levels';
import { LINK } from '../design/link';
import { Empty, ErrorNotice, Loading, Notice } from '../design/notice';
import { RiskLevel } from '../design/risk';
import { Address, Changing, Id, Time, Usd } from '../design/values';
import { AssetsCard } from './assets-card';
import { DeleverageCard } from './deleverage-card';
import { ForecastCard } from './forecast-card';
import { HistoryCard } from './history-card';
import { useLivePosition } from './live';
import { MonteCarloCard } from './monte-carlo-card';
import { FLAGS, marketOf } from './position-cells';
import { StressCard } from './stress-card';
import { VerifyCard } from './verify-card';
import { WhatIfCard } from './what-if-card';
import { type Detailed, chainQuery, positionQuery, walletsQuery } from './requests';

export function PositionPage(): ReactNode {
  const { id } = useParams({ from: '/signed-in/positions/$id' });
  const tier = useQuery(sessionQuery).data?.account.tier ?? 'open';
  const restMs = useLivePosition(id);
  const read = useQuery({ ...positionQuery(id, tier), refetchInterval: restMs });
  const position = read.data;
  const isMissing =
    position === null || (!position && read.error instanceof ApiError && read.error.status === 404);
  return (
    <>
      <p className="mb-2 text-sm text-soft">
        <Link to="/positions" className="font-medium text-accent hover:underline">
          Positions
        </Link>{' '}
        / position
      </p>
      {!position && <PageHeader title="Position" />}
      {read.isPending && (
        <Card>
          <Loading rows={6} />
        </Card>
      )}
      {isMissing && (
        <Empty title="There is no such open position.">
          <p className="text-soft">
            {tier === 'open'
              ? 'It was closed, or its wallet is not among those that this account watches.'
              : 'It was closed, or the address is wrong.'}
          </p>
          <Link to="/positions" className={LINK}>
            All positions
          </Link>
        </Empty>
      )}
      {read.isError && !isMissing && (
        <div className="mb-6">
          <ErrorNotice error={read.error} onRetry={() => void read.refetch()} />
        </div>
      )}
      {position && <Position position={position} />}
    </>
  );
}

function Position({ position }: { position: Detailed }): ReactNode {
  const { wallet, chainId, unreadable } = position;
  const names = useQuery(registryQuery).data;
  const label = useQuery(walletsQuery).data?.get(wallet.toLowerCase());
  const explorer = useQuery(chainQuery(chainId)).data?.blockExplorer;
  const link = (path: string): string | undefined => (explorer ? `https://${explorer}/${path}` : undefined);
  const title = marketOf(position, names);
  return (
    <>
      <PageHeader title={title}>
        <Address
          value={wallet}
          label={label ?? null}
          {...(explorer && { explorer: `https://${explorer}/address/${wallet}` })}
        />
      </PageHeader>
      <div className="flex flex-col gap-6">
        {unreadable.length > 0 && (
          <Notice tone="warn" title="Some figures could not be read">
            {unreadable.map(({ reason }) => (
              <p key={reason}>{reason}</p>
            ))}
          </Notice>
        )}
        <div className="grid gap-6 lg:grid-cols-2">
          <HealthCard position={position} />
          <FactsCard position={position} link={link} />
        </div>
        <AssetsCard position={position} link={link} />
        <WhatIfCard position={position} />
        <MonteCarloCard position={position} />
        <StressCard position={position} />
        <ForecastCard position={position} />
        <DeleverageCard position={position} />
        <HistoryCard position={position} />
        <VerifyCard position={position} />
      </div>
    </>
  );
}

function HealthCard({ position }: { position: Detailed }): ReactNode {
  const { healthFactor, riskLevel, riskLevelReason, riskThresholds, totalDebtUsd } = position;
  const hasDebt = totalDebtUsd > 0;
  const fall = fallToLiquidation(healthFactor);
  return (
    <Card title="Health factor">
      <div className="flex flex-col gap-4 p-5">
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <span className="text-3xl font-semibold">
            <Changing value={healthFactor}>{healthText(healthFactor, hasDebt)}</Changing>
          </span>
          <RiskLevel level={riskLevel} hasDebt={hasDebt} />
        </p>
        <HealthGauge
          healthFactor={healthFactor}
          level={riskLevel}
          thresholds={riskThresholds.healthFactor}
          hasDebt={hasDebt}
        />
        <p className="text-sm text-soft">
          {riskLevelReason}
          {fall !== null && <> A fall of all collateral by {fall.toFixed(1)}&nbsp;% reaches liquidation.</>}
        </p>
      </div>
    </Card>
  );
}

/** Smaller differences are those of doubles. USD. */
const CENT = 0.01;

const VERIFIED = {
  contract: 'stated by the contract',
  recomputed: 'computed with the arithmetic of the contract',
  approximate: 'approximate',
};

function FactsCard({
  position,
  link,
}: {
  position: Detailed;
  link: (path: string) => string | undefined;
}): ReactNode {
  const { chainId, asOfBlock, updatedAt, market, subId, proxy, verification, flags } = position;
  const block = position.block ?? asOfBlock[chainId];
  const blockLink = block === undefined ? undefined : link(`block/${block}`);
  const number = block === undefined ? 'unknown' : formatCount(block);
  return (
    <Card title="Figures">
      <Facts
        facts={[
          ['Collateral', <Usd value={position.totalCollateralUsd} />],
          ['Debt', <Usd value={position.totalDebtUsd} />],
          ['Net worth', <Usd value={position.netWorthUsd} />],
          ...(Math.abs(position.totalSuppliedUsd - position.totalCollateralUsd) < CENT
            ? []
            : [['Supplied', <Usd value={position.totalSuppliedUsd} />] as const]),
          [
            'Block',
            <span>
              {blockLink ? (
                <a href={blockLink} target="_blank" rel="noreferrer" className={LINK}>
                  {number}
                </a>
              ) : (
                number
              )}
              , <Time at={updatedAt} />
            </span>,
          ],
          ['Market', [market, subId].filter(Boolean).join(' ')],
          ...(proxy ? [['Held by', <Address value={proxy.address} label={proxy.kind} />] as const] : []),
          ...(verification ? [['Basis', VERIFIED[verification]] as const] : []),
          ...(flags && flags.length > 0
            ? [['State', flags.map((flag) => FLAGS[flag]).join(', ')] as const]
            : []),
          ['Id', <Id value={position.id} />],
        ]}
      />
    </Card>
  );
}
