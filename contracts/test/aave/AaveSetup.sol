// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ExecutorBase} from "../../src/ExecutorBase.sol";
import {AaveV3Executor} from "../../src/aave/AaveV3Executor.sol";
import {Policy, Run, Strategy} from "../../src/IExecutor.sol";
import {AaveMarket} from "../genuine/AaveMarket.sol";
import {ExecutorSetup} from "../support/ExecutorSetup.sol";

/// Alice owes 20,000 USDC on 10 WETH of 3,000 dollars (threshold 82.5 %): a health factor of 1.2375.
abstract contract AaveSetup is AaveMarket, ExecutorSetup {
    uint256 internal constant THRESHOLD_BPS = 8_250;

    AaveV3Executor internal executor;

    function tested() internal view override returns (ExecutorBase) {
        return executor;
    }

    function setUp() public virtual {
        setUpTokens();
        weth.mint(address(port), 1_000_000e18);
        deployAave();
        list(address(weth), 18, 8_000, THRESHOLD_BPS, wethFeed);
        list(address(usdc), 6, 7_500, 7_800, usdcFeed);
        supplyFor(usdc, 10_000_000e6, bob);
        supplyFor(weth, 10_000e18, bob);

        address[] memory markets = new address[](1);
        markets[0] = address(pool);
        executor = new AaveV3Executor(admin, markets, address(0));
        setUpKeeper();

        supplyFor(weth, 10e18, alice);
        vm.prank(alice);
        pool.borrow(address(usdc), 20_000e6, VARIABLE, 0, alice);
    }

    function defaultPolicy() internal view returns (Policy memory policy) {
        policy = Policy({
            market: address(pool),
            marketId: 0,
            collateral: address(weth),
            debt: address(usdc),
            collateralMarket: address(0),
            debtMarket: address(0),
            swapPort: address(port),
            collateralFeed: address(wethFeed),
            debtFeed: address(usdcFeed),
            maxPriceAge: 1 hours,
            expiresAt: uint64(block.timestamp + 30 days),
            triggerHealthFactor: 1.25e18,
            targetHealthFactor: 1.5e18,
            minHealthFactorAfter: 1.3e18,
            maxRepayPerRun: 15_000e6,
            maxRepayPerDay: 20_000e6,
            maxSlippageBps: 50,
            maxFeeBps: 9,
            strategies: 7,
            oneShot: false,
            pinMarketRevision: false
        });
    }

    function repayOnly(Policy memory policy) internal pure returns (Policy memory) {
        policy.strategies = 1;
        (policy.collateral, policy.swapPort, policy.collateralFeed, policy.debtFeed) =
        (address(0), address(0), address(0), address(0));
        policy.maxPriceAge = 0;
        return policy;
    }

    /// Alice's default policy, with allowances of exactly what a test says.
    function setPolicy() internal returns (bytes32) {
        return setPolicy(alice, defaultPolicy());
    }

    function allowCollateral(address account, uint256 amount) internal {
        IERC20 aToken = aTokenOf(address(weth));
        vm.prank(account);
        aToken.approve(address(executor), amount);
    }

    function repayRun(bytes32 id, uint256 amount) internal view returns (Run memory) {
        return runOf(id, Strategy.REPAY_DEBT, amount, 0);
    }

    /// The sale that reaches `target` at a cost of `costBps` (docs/model.md), and what it repays.
    function saleFor(address account, uint256 target, uint256 costBps)
        internal
        view
        returns (uint256 sold, uint256 repaid)
    {
        (uint256 collateral, uint256 debt,,,,) = pool.getUserAccountData(account);
        uint256 short = (target * debt) / WAD - (collateral * THRESHOLD_BPS) / 10_000;
        uint256 slope = (target * (10_000 - costBps)) / 10_000 - (WAD * THRESHOLD_BPS) / 10_000;
        uint256 value = (short * WAD) / slope;
        sold = (value * 1e18) / uint256(wethFeed.latestAnswer());
        repaid = (value * (10_000 - costBps)) / 10_000 / 100;
    }

    /// Nothing of the executor's is left anywhere: no balance, no allowance.
    function leftNothing() internal view {
        eq(weth.balanceOf(address(executor)), 0, "collateral left");
        eq(usdc.balanceOf(address(executor)), 0, "debt left");
        eq(aTokenOf(address(weth)).balanceOf(address(executor)), 0, "aTokens left");
        eq(usdc.allowance(address(executor), address(pool)), 0, "allowance of debt left");
        eq(weth.allowance(address(executor), address(pool)), 0, "allowance of collateral left");
        eq(weth.allowance(address(executor), address(port)), 0, "allowance of the port left");
    }
}
