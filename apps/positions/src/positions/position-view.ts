import {
  checksumAddress,
  isDust,
  type BlockStamp,
  type PositionAsset,
  type PositionAssets,
  type PositionEMode,
  type PositionListItem,
  type ReadState,
} from '@plimsoll/contracts';
import type { EModeChoice, RawLeg, RawPosition } from '@plimsoll/protocols';
import type { Figure, FiguresRead } from '../figures/figures-reader';
import { idOf } from '../figures/position-key';
import { rateOf } from '../amounts/leg-rate';
import { marketPriceOf } from '../amounts/market-price';
import { type TotalsInUsd, isValued, totalsInUsd } from '../amounts/totals-in-usd';
import { healthFactorNumber, toDouble, toUsd } from '../amounts/units';

/** List form. `block` is set if the figures are from another block than the response. */
export function listItem({ position, level }: Figure, blocks: FiguresRead['blocks']): PositionListItem {
  const isCurrent = blocks.get(position.chainId)?.hash === position.blockHash;
  return {
    id: idOf(position),
    protocol: position.protocol,
    chainId: position.chainId,
    market: position.market,
    ...(position.subId !== '' && { subId: position.subId }),
    wallet: checksumAddress(position.wallet),
    ...(position.proxy && {
      proxy: { kind: position.proxy.kind, address: checksumAddress(position.proxy.address) },
    }),
    healthFactor: healthFactorNumber(position.healthFactorRaw),
    healthFactorRaw: position.healthFactorRaw?.toString() ?? null,
    ...usdAmountsOf(position),
    ...(position.verification && { verification: position.verification }),
    ...level,
    flags: [...position.flags],
    ...(!isCurrent && { block: Number(position.blockNumber) }),
  };
}

type UsdAmounts = TotalsInUsd & Pick<PositionListItem, 'isDust'>;

/** Cached for positions in memory, which change once a block: requests for a wallet are more frequent. */
const views = new WeakMap<RawPosition, PositionAssets>();
const usdAmounts = new WeakMap<RawPosition, UsdAmounts>();

function usdAmountsOf(position: RawPosition): Readonly<UsdAmounts> {
  const known = usdAmounts.get(position);
  if (known) return known;
  const totals = totalsInUsd([position]);
  const { totalSuppliedUsd, totalDebtUsd } = totals;
  const amounts = { ...totals, isDust: isValued(position) && isDust(totalSuppliedUsd, totalDebtUsd) };
  usdAmounts.set(position, amounts);
  return amounts;
}

/** The fields of the detail form beyond the list form. The same position returns the same object. */
export function positionAssets(position: RawPosition): Readonly<PositionAssets> {
  const known = views.get(position);
  if (known) return known;
  const view = assetsView(position);
  views.set(position, view);
  return view;
}

function assetsView(position: RawPosition): PositionAssets {
  return {
    collateralAssets: assetsOf(position, 'collateral'),
    debtAssets: assetsOf(position, 'debt'),
    usdPerBaseRaw: String(position.usdPerBaseRaw),
    ...(position.eModes && { eModes: position.eModes.map(eModeView) }),
    updatedAt: new Date(Number(position.blockTimestamp) * 1_000).toISOString(),
  };
}

function eModeView({ id, label, healthFactorRaw, collateral }: EModeChoice): PositionEMode {
  return {
    id,
    label,
    healthFactor: healthFactorNumber(healthFactorRaw)!,
    healthFactorRaw: healthFactorRaw.toString(),
    collateral: collateral.map(({ address, liquidationThresholdBps }) => ({
      address: checksumAddress(address),
      liquidationThresholdBps: Number(liquidationThresholdBps),
    })),
  };
}

/** The assets of one side, in the spelling of the registry. */
export function assetsOf(position: RawPosition, side: RawLeg['side']): PositionAsset[] {
  return position.legs
    .filter((leg) => leg.side === side)
    .map((leg) => ({
      asset: leg.symbol,
      amount: toDouble(leg.amountRaw, leg.decimals),
      usdValue: toUsd(leg.amountRaw * leg.priceRaw, leg.decimals + leg.priceDecimals, position),
      address: checksumAddress(leg.address),
      amountRaw: leg.amountRaw.toString(),
      decimals: leg.decimals,
      priceRaw: leg.priceRaw.toString(),
      priceDecimals: leg.priceDecimals,
      priceUsd: toUsd(leg.priceRaw, leg.priceDecimals, position),
      oracle: checksumAddress(leg.oracle),
      ...marketPriceOf(leg),
      ...(side === 'collateral' && {
        liquidationThresholdBps: Number(leg.liquidationThresholdBps),
        usedAsCollateral: leg.usedAsCollateral,
        ...(leg.liquidationBonusBps !== undefined && {
          liquidationBonusBps: Number(leg.liquidationBonusBps),
        }),
      }),
      ...rateOf(leg),
    }));
}

/** The blocks of a response, and its missing parts. */
export function readStamp({ blocks, unreadable, chainStatus }: FiguresRead): BlockStamp & ReadState {
  const entries = [...blocks];
  return {
    asOfBlock: Object.fromEntries(entries.map(([chainId, { number }]) => [chainId, Number(number)])),
    blockHash: Object.fromEntries(entries.map(([chainId, { hash }]) => [chainId, hash])),
    unreadable,
    chainStatus,
  };
}
