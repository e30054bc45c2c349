// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Outcome, Policy, Strategy} from "../../src/IExecutor.sol";
import {MorphoSetup} from "../genuine/MorphoSetup.sol";

/// What a run of a family is held to: Alice owes 20,000 USDC on 10 WETH.
struct Figures {
    /// As the report of gas calls it.
    string family;
    /// Whom the executor may have allowed something.
    address spender;
    uint256 thresholdBps;
    uint256 healthFactor;
    /// Of USDC, brings the health factor to 1.5.
    uint256 repaid;
    /// A sale without a flash loan reaches it.
    uint256 saleTarget;
    /// By which a sale may take less than was asked for: some take whole market tokens alone.
    uint256 soldWithin;
    /// By which a flash loan is less than its sale brings.
    uint256 dust;
    /// Targets from which to which an unwind reaches.
    uint256 lowest;
    uint256 highest;
}

/// The runs that every family beside Aave is held to.
abstract contract FamilyRuns is MorphoSetup {
    bytes32 internal id;

    function figures() internal view virtual returns (Figures memory);
    function familyPolicy() internal view virtual returns (Policy memory);

    /// What else of a family must not stay with its executor.
    function nothingElseLeft() internal view virtual {}

    function test_repay_debt() public {
        Figures memory f = figures();
        Outcome memory outcome = execute(runOf(id, Strategy.REPAY_DEBT, f.repaid, 0));
        measure(f.family, "repay_debt");
        eq(outcome.repaid, f.repaid, "repaid");
        near(outcome.healthFactorBefore, f.healthFactor, 1e12, "before");
        near(outcome.healthFactorAfter, 1.5e18, 1e15, "after");
        leftNothing(f.spender);
        nothingElseLeft();
    }

    function test_sell_collateral() public {
        Figures memory f = figures();
        (uint256 sold, uint256 repaid) = saleFor(30_000, 20_000, f.thresholdBps, f.saleTarget);
        Outcome memory outcome = execute(runOf(id, Strategy.SELL_COLLATERAL, repaid + 10e6, sold));
        measure(f.family, "sell_collateral");
        near(outcome.sold, sold, f.soldWithin, "sold");
        yes(outcome.sold <= sold, "never more");
        near(outcome.healthFactorAfter, f.saleTarget, 1e13, "after");
        leftNothing(f.spender);
        nothingElseLeft();
    }

    function test_flash_loan_unwind() public {
        Figures memory f = figures();
        (uint256 sold, uint256 repaid) = saleFor(30_000, 20_000, f.thresholdBps, 1.5e18);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, repaid - f.dust, sold));
        measure(f.family, "flash_loan_unwind");
        eq(outcome.repaid, repaid - f.dust, "repaid");
        eq(outcome.flashFee, 0, "Morpho lends for nothing");
        near(outcome.healthFactorAfter, 1.5e18, 1e13, "after");
        leftNothing(f.spender);
        nothingElseLeft();
        leftNothing(address(morpho));
    }

    function testFuzz_flash_loan_unwind_reaches_any_target(uint256 seed) public {
        Figures memory f = figures();
        uint256 target = between(seed, f.lowest, f.highest);
        Policy memory policy = familyPolicy();
        policy.targetHealthFactor = uint96(target);
        (policy.maxRepayPerRun, policy.maxRepayPerDay) = (20_000e6, 20_000e6);
        setPolicy(alice, policy);
        (uint256 sold, uint256 repaid) = saleFor(30_000, 20_000, f.thresholdBps, target);
        Outcome memory outcome = execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, repaid - f.dust, sold));
        near(outcome.healthFactorAfter, target, target / 1_000, "within 0.1 %");
        leftNothing(f.spender);
        nothingElseLeft();
        leftNothing(address(morpho));
    }
}
