// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IExecutor} from "./IExecutor.sol";

/// Chainlink's AggregatorV3Interface, as far as it is read.
interface IPriceFeed {
    function decimals() external view returns (uint8);
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
}

/// Prices are units of debt for one unit of collateral (smallest units both), times SCALE.
library Prices {
    uint256 internal constant SCALE = 1e36;
    uint256 internal constant BPS = 10_000;
    /// How long after a sequencer's return prices are not trusted yet.
    uint256 internal constant SEQUENCER_GRACE_SECONDS = 1 hours;

    /// The price of two feeds in the same currency; refused when an answer is old or no price.
    function ofFeeds(address collateral, address debt, address collateralFeed, address debtFeed, uint256 maxAge)
        internal
        view
        returns (uint256)
    {
        return ratio(
            collateral,
            debt,
            freshAnswer(collateralFeed, maxAge) * 10 ** IPriceFeed(debtFeed).decimals(),
            freshAnswer(debtFeed, maxAge) * 10 ** IPriceFeed(collateralFeed).decimals()
        );
    }

    /// The price from what one whole token of each is worth, in the same currency and decimals.
    function ratio(address collateral, address debt, uint256 collateralValue, uint256 debtValue)
        internal
        view
        returns (uint256)
    {
        return Math.mulDiv(
            collateralValue * 10 ** IERC20Metadata(debt).decimals(),
            SCALE,
            debtValue * 10 ** IERC20Metadata(collateral).decimals()
        );
    }

    function freshAnswer(address feed, uint256 maxAge) internal view returns (uint256) {
        // The rest of what it answers is not wanted.
        // slither-disable-next-line unused-return
        (, int256 answer,, uint256 updatedAt,) = IPriceFeed(feed).latestRoundData();
        if (answer <= 0) revert IExecutor.BadPrice(feed);
        // A time of the future is no time either.
        if (updatedAt > block.timestamp || block.timestamp - updatedAt > maxAge) {
            revert IExecutor.StalePrice(feed, updatedAt);
        }
        return uint256(answer);
    }

    /// On a rollup: its sequencer is up, and has been for long enough. Zero for a chain that has none.
    function requireSequencer(address feed) internal view {
        if (feed == address(0)) return;
        // The rest of what it answers is not wanted.
        // slither-disable-next-line unused-return
        (, int256 answer, uint256 startedAt,,) = IPriceFeed(feed).latestRoundData();
        if (answer != 0 || startedAt == 0 || block.timestamp - startedAt <= SEQUENCER_GRACE_SECONDS) {
            revert IExecutor.SequencerDown();
        }
    }

    /// The least that selling `amount` may bring, rounded up.
    function minimumFor(uint256 amount, uint256 price, uint256 slippageBps) internal pure returns (uint256) {
        uint256 fair = Math.mulDiv(amount, price, SCALE, Math.Rounding.Ceil);
        return Math.mulDiv(fair, BPS - slippageBps, BPS, Math.Rounding.Ceil);
    }

    /// The most that may be sold to raise `amount`: what raises it at the worst price allowed, rounded up.
    function mostFor(uint256 amount, uint256 price, uint256 slippageBps) internal pure returns (uint256) {
        uint256 gross = Math.mulDiv(amount, BPS, BPS - slippageBps, Math.Rounding.Ceil);
        return Math.mulDiv(gross, SCALE, price, Math.Rounding.Ceil);
    }
}
