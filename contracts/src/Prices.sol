// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IExecutor} from "./IExecutor.sol";

/// The used part of Chainlink's AggregatorV3Interface.
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
    /// The time after a sequencer's return during which prices are not trusted.
    uint256 internal constant SEQUENCER_GRACE_SECONDS = 1 hours;

    /// The price of two feeds in the same currency. Reverts when an answer is too old or not a price.
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

    /// The price from the prices of one whole token of each, in the same currency and decimals.
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
        // The other return values are not needed.
        // slither-disable-next-line unused-return
        (, int256 answer,, uint256 updatedAt,) = IPriceFeed(feed).latestRoundData();
        if (answer <= 0) revert IExecutor.BadPrice(feed);
        // A time in the future is invalid too.
        if (updatedAt > block.timestamp || block.timestamp - updatedAt > maxAge) {
            revert IExecutor.StalePrice(feed, updatedAt);
        }
        return uint256(answer);
    }

    /// On a rollup: whether its sequencer is up, and has been for long enough. Zero for a chain without one.
    function requireSequencer(address feed) internal view {
        if (feed == address(0)) return;
        // The other return values are not needed.
        // slither-disable-next-line unused-return
        (, int256 answer, uint256 startedAt,,) = IPriceFeed(feed).latestRoundData();
        if (answer != 0 || startedAt == 0 || block.timestamp - startedAt <= SEQUENCER_GRACE_SECONDS) {
            revert IExecutor.SequencerDown();
        }
    }

    /// The least proceeds of selling `amount`, rounded up.
    function minimumFor(uint256 amount, uint256 price, uint256 slippageBps) internal pure returns (uint256) {
        uint256 fair = Math.mulDiv(amount, price, SCALE, Math.Rounding.Ceil);
        return Math.mulDiv(fair, BPS - slippageBps, BPS, Math.Rounding.Ceil);
    }

    /// The largest sale that raises `amount`: the sale at the worst permitted price, rounded up.
    function mostFor(uint256 amount, uint256 price, uint256 slippageBps) internal pure returns (uint256) {
        uint256 gross = Math.mulDiv(amount, BPS, BPS - slippageBps, Math.Rounding.Ceil);
        return Math.mulDiv(gross, SCALE, price, Math.Rounding.Ceil);
    }
}
