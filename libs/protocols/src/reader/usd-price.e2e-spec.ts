import { PlanBuilder } from '@plimsoll/evm';
import type { Address } from 'viem';
import { standIns } from '../../test/local-chain';
import { useLocalChain } from '../../test/use-local-chain';
import { addUsdPrice, type UsdOracle } from './usd-price';

const local = useLocalChain();
const WAD = 10n ** 18n;

async function priceOf(oracles: readonly UsdOracle[], token: Address): Promise<bigint | null> {
  const plan = new PlanBuilder(1, 'price');
  const price = addUsdPrice(plan, oracles, token);
  return local().multicall.read(plan.build(price), await local().head());
}

describe('addUsdPrice', () => {
  it('is the price of the first oracle that knows the token, of Aave or of Venus', async () => {
    const { ResilientOracle, Token, UsdOracle: AaveOracle } = standIns();
    const aave = await local().deploy(AaveOracle!);
    const venus = await local().deploy(ResilientOracle!);
    const [usdc, weth, other] = [
      await local().deploy(Token!, ['USDC', 6]),
      await local().deploy(Token!, ['WETH', 18]),
      await local().deploy(Token!, ['OTHER', 18]),
    ];
    await local().send([
      { to: aave, abi: AaveOracle!.abi, name: 'setPrice', args: [weth, 250_000_000_000n] },
      // 0.9998 and 2,400 dollars.
      { to: venus, abi: ResilientOracle!.abi, name: 'setPrice', args: [usdc, 9_998n * 10n ** 26n] },
      { to: venus, abi: ResilientOracle!.abi, name: 'setPrice', args: [weth, 2_400n * WAD] },
    ]);
    const oracles = [aave, { venus }];
    expect(await priceOf(oracles, usdc)).toBe((9_998n * WAD) / 10_000n);
    expect(await priceOf(oracles, weth)).toBe(2_500n * WAD);
    expect(await priceOf([{ venus }], weth)).toBe(2_400n * WAD);
    expect(await priceOf(oracles, other)).toBeNull();
    expect(await priceOf([], weth)).toBeNull();
  });
});
