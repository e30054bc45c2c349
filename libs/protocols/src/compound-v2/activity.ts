import { planOf, contractOf, lowerCase, optionalContractOf } from '@plimsoll/evm';
import { parseAbi, toEventSelector, zeroAddress, type Address } from 'viem';
import { WAD } from '../fixed-point/math';
import { addToken } from '../reader/tokens';
import type { Activity } from '../activity/activity';
import type { ActivityFamily } from '../activity/activity-family';
import { type EventReadings, EventTable } from '../activity/event-table';

const abi = parseAbi([
  'function getAllMarkets() view returns (address[])',
  'function oracle() view returns (address)',
  'function underlying() view returns (address)',
  'function getUnderlyingPrice(address token) view returns (uint256)',
]);
const MARKET_LISTED = toEventSelector('MarketListed(address)');
const NATIVE_DECIMALS = 18;

const EMITTER = { of: 'emitter' } as const;
const mint = { action: 'supply', wallet: 'minter', amount: 'mintAmount', token: EMITTER } as const;
const redeem = { action: 'withdraw', wallet: 'redeemer', amount: 'redeemAmount', token: EMITTER } as const;
const borrow = { action: 'borrow', wallet: 'borrower', amount: 'borrowAmount', token: EMITTER } as const;
const repay = {
  action: 'repay',
  wallet: 'borrower',
  counterparty: 'payer',
  amount: 'repayAmount',
  token: EMITTER,
} as const;
const liquidation = { ...repay, action: 'liquidation', counterparty: 'liquidator' } as const;

/** No argument is indexed. */
const COMPOUND: EventReadings = {
  'event Mint(address minter, uint256 mintAmount, uint256 mintTokens)': mint,
  'event Redeem(address redeemer, uint256 redeemAmount, uint256 redeemTokens)': redeem,
  'event Borrow(address borrower, uint256 borrowAmount, uint256 accountBorrows, uint256 totalBorrows)':
    borrow,
  'event RepayBorrow(address payer, address borrower, uint256 repayAmount, uint256 accountBorrows, uint256 totalBorrows)':
    repay,
  'event LiquidateBorrow(address liquidator, address borrower, uint256 repayAmount, address cTokenCollateral, uint256 seizeTokens)':
    liquidation,
};
const mintBehalf = { ...mint, wallet: 'receiver', counterparty: 'payer' } as const;
/** Newer tokens log the balance too. Older ones are Compound's own, with supplies for others. */
const VENUS_CORE: EventReadings = {
  ...COMPOUND,
  'event MintBehalf(address payer, address receiver, uint256 mintAmount, uint256 mintTokens)': mintBehalf,
  'event Mint(address minter, uint256 mintAmount, uint256 mintTokens, uint256 totalSupply)': mint,
  'event MintBehalf(address payer, address receiver, uint256 mintAmount, uint256 mintTokens, uint256 totalSupply)':
    mintBehalf,
  'event Redeem(address redeemer, uint256 redeemAmount, uint256 redeemTokens, uint256 totalSupply)': redeem,
};
/** The same hashes, with the wallets indexed. */
const VENUS_ISOLATED: EventReadings = {
  'event Mint(address indexed minter, uint256 mintAmount, uint256 mintTokens, uint256 accountBalance)': mint,
  'event Redeem(address indexed redeemer, uint256 redeemAmount, uint256 redeemTokens, uint256 accountBalance)':
    redeem,
  'event Borrow(address indexed borrower, uint256 borrowAmount, uint256 accountBorrows, uint256 totalBorrows)':
    borrow,
  'event RepayBorrow(address indexed payer, address indexed borrower, uint256 repayAmount, uint256 accountBorrows, uint256 totalBorrows)':
    repay,
  'event LiquidateBorrow(address indexed liquidator, address indexed borrower, uint256 repayAmount, address indexed vTokenCollateral, uint256 seizeTokens)':
    liquidation,
  'event HealBorrow(address indexed payer, address indexed borrower, uint256 repayAmount)': {
    ...liquidation,
    counterparty: 'payer',
  },
};

/** A comptroller with its tokens, and the underlying of each. Zero address: the chain's own coin. */
interface Comptroller {
  comptroller: Address;
  oracle: Address;
  assetOf: ReadonlyMap<Address, Address>;
}

function compoundLike(readings: EventReadings): ActivityFamily<Comptroller> {
  const readSource: ActivityFamily<Comptroller>['readSource'] = async ({ row, multicall }, block) => {
    const comptroller = contractOf(row, 'comptroller');
    const entry = planOf(row, 'comptroller');
    const marketsSlot = entry.call(comptroller, abi, 'getAllMarkets', []);
    const oracleSlot = entry.call(comptroller, abi, 'oracle', []);
    const { markets, oracle } = await multicall.read(
      entry.build(({ value }) => ({ markets: value(marketsSlot).map(lowerCase), oracle: value(oracleSlot) })),
      block,
    );
    const plan = planOf(row, 'tokens');
    const slots = markets.map((market) => plan.call(market, abi, 'underlying', []));
    // Only this market has no underlying(). Any other market without one has failed, and has no activity.
    const nativeMarket = optionalContractOf(row.contracts, 'nativeMarket');
    const assetOf = await multicall.read(
      plan.build(({ outcome }) => {
        const assets = markets.flatMap((market, at): [Address, Address][] => {
          if (market === nativeMarket) return [[market, zeroAddress]];
          const result = outcome(slots[at]!);
          return result.ok ? [[market, lowerCase(result.value)]] : [];
        });
        return new Map(assets);
      }),
      block,
    );
    return { comptroller, oracle: lowerCase(oracle), assetOf };
  };
  return {
    events: new EventTable(readings),
    noticeTopics: [MARKET_LISTED],
    readSource,
    addressesOf: ({ comptroller, assetOf }) => [comptroller, ...assetOf.keys()],
    learn: (scope, source, logs, block) => {
      const isListed = logs.some(
        ({ address, topics }) => topics[0] === MARKET_LISTED && lowerCase(address) === source.comptroller,
      );
      return isListed ? readSource(scope, block) : Promise.resolve(source);
    },
    tokenOf: ({ assetOf }, _of, log) => assetOf.get(lowerCase(log.address)) ?? null,
    settle: (_source, activities) =>
      activities.filter((each) => !isPaidByLiquidator(each, activities) && !isWrittenOff(each)),
    addUsdPrice: (plan, _scope, { oracle, assetOf }, token) => {
      const market = [...assetOf].find(([, asset]) => asset === token)?.[0];
      if (!market) return () => null;
      const price = plan.call(oracle, abi, 'getUnderlyingPrice', [market]);
      const decimals = token === zeroAddress ? () => NATIVE_DECIMALS : decimalsOf(addToken(plan, token));
      return (results) => {
        const result = results.outcome(price);
        // Dollars for the smallest unit, times 1e36.
        const known = decimals(results);
        if (known === undefined || !result.ok || result.value === 0n) return null;
        return (result.value * 10n ** BigInt(known)) / WAD;
      };
    },
  };
}

function decimalsOf(
  token: ReturnType<typeof addToken>,
): (results: Parameters<typeof token>[0]) => number | undefined {
  return (results) => token(results)?.decimals;
}

/** A liquidation also logs the repayment by the liquidator: it is counted once, as the liquidation. */
function isPaidByLiquidator(activity: Activity, activities: readonly Activity[]): boolean {
  return (
    activity.action === 'repay' &&
    activities.some(
      ({ action, wallet, counterparty, amountRaw, log }) =>
        action === 'liquidation' &&
        wallet === activity.wallet &&
        counterparty === activity.counterparty &&
        amountRaw === activity.amountRaw &&
        log.address === activity.log.address,
    )
  );
}

/** An isolated pool of Venus logs the debt that it writes off as a repayment by the market itself (VToken.healBorrow). */
function isWrittenOff({ action, counterparty, log }: Activity): boolean {
  return action === 'repay' && counterparty === lowerCase(log.address);
}

/** Compound v2, Moonwell, Benqi. */
export const compoundV2Activity = compoundLike(COMPOUND);
/** Venus's core pool. */
export const venusCoreActivity = compoundLike(VENUS_CORE);
/** Venus's isolated pools. */
export const venusIsolatedActivity = compoundLike(VENUS_ISOLATED);
