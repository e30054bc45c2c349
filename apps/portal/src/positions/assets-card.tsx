import { riskPosition, unitPriceUsd } from '@plimsoll/risk-math';
import type { ReactNode } from 'react';
import { formatAmount, formatChange, formatExact, formatPrice } from '../design/format';
import { Card } from '../design/layout';
import { CELL, HEAD } from '../design/list';
import { Empty } from '../design/notice';
import { Measure, Usd } from '../design/values';
import { liquidationPriceOf } from './liquidation-price';
import type { Detailed, PositionAsset } from './requests';

const NUMBER = `${CELL} text-right whitespace-nowrap max-lg:flex max-lg:w-full max-lg:justify-between max-lg:gap-4`;
const HEADS = ['Value', 'Amount', 'Price', 'Liquidation price', 'Distance'];

/** The assets that a position supplies and owes, with the price of each asset that would liquidate it. */
export function AssetsCard({
  position,
  link,
}: {
  position: Detailed;
  link: (path: string) => string | undefined;
}): ReactNode {
  const { collateralAssets, debtAssets } = position;
  const legs = [...collateralAssets, ...debtAssets];
  if (legs.length === 0)
    return (
      <Card title="Assets">
        <Empty title="It supplies and owes nothing." />
      </Card>
    );
  const most = Math.max(...legs.map(({ usdValue }) => usdValue));
  const sides = [
    ['Collateral', collateralAssets, 'fill-good'],
    ['Debt', debtAssets, 'fill-warn'],
  ] as const;
  return (
    <Card title="Assets">
      <table aria-label="Assets" className="w-full text-left max-lg:block">
        <thead className="text-xs text-soft max-lg:sr-only">
          <tr className="border-b border-line">
            <th scope="col" className={HEAD}>
              Asset
            </th>
            {HEADS.map((head) => (
              <th key={head} scope="col" className={`${HEAD} text-right`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        {sides.map(([side, assets, fill]) => (
          <tbody key={side} className="max-lg:block">
            <tr className="border-b border-line bg-sunken max-lg:block">
              <th
                scope="rowgroup"
                colSpan={HEADS.length + 1}
                className="px-5 py-1.5 text-xs font-medium text-soft"
              >
                {side}
                {assets.length === 0 && ': none'}
              </th>
            </tr>
            {assets.map((asset) => (
              <AssetRow
                key={asset.address}
                asset={asset}
                side={side}
                position={position}
                share={most === 0 ? 0 : asset.usdValue / most}
                fill={fill}
                explorer={link(`token/${asset.address}`)}
              />
            ))}
          </tbody>
        ))}
      </table>
    </Card>
  );
}

function AssetRow({
  asset,
  side,
  position,
  share,
  fill,
  explorer,
}: {
  asset: PositionAsset;
  side: 'Collateral' | 'Debt';
  position: Detailed;
  /** Its value beside the largest one. */
  share: number;
  fill: string;
  explorer: string | undefined;
}): ReactNode {
  const { asset: symbol, amount, amountRaw, decimals, usdValue, usedAsCollateral } = asset;
  const isCounted = side === 'Debt' || usedAsCollateral !== false;
  const liquidation = isCounted ? liquidationPriceOf(riskPosition(position), asset) : null;
  const price = unitPriceUsd(asset);
  const cells: readonly ReactNode[] = [
    <span className="inline-flex flex-col items-end gap-1">
      <Usd value={usdValue} />
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="h-1 w-24" aria-hidden="true">
        <rect width="100" height="4" className="fill-line" />
        <rect width={share * 100} height="4" className={fill} />
      </svg>
    </span>,
    <span title={formatExact(BigInt(amountRaw), decimals)}>{formatAmount(amount)}</span>,
    price === 0 ? 'unknown' : <Measure value={formatPrice(price)} unit="USD" />,
    liquidation ? <Measure value={formatPrice(liquidation.priceUsd)} unit="USD" /> : 'none',
    liquidation ? formatChange(liquidation.changePercent) : 'none',
  ];
  return (
    <tr className="border-b border-line last:border-0 max-lg:flex max-lg:flex-col max-lg:px-5 max-lg:py-2">
      <th scope="row" className={`${CELL} font-medium`}>
        {explorer ? (
          <a
            href={explorer}
            target="_blank"
            rel="noreferrer"
            className="text-accent underline underline-offset-2"
          >
            {symbol}
          </a>
        ) : (
          symbol
        )}
        {!isCounted && <span className="block text-sm font-normal text-soft">not collateral</span>}
      </th>
      {cells.map((cell, index) => (
        <td key={HEADS[index]} className={NUMBER}>
          <span className="text-soft lg:hidden" aria-hidden="true">
            {HEADS[index]}
          </span>
          {cell}
        </td>
      ))}
    </tr>
  );
}
