// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ISwapPort} from "../src/ISwapPort.sol";
import {IPriceFeed} from "../src/Prices.sol";

/// FOR LOCAL CHAINS AND TESTS ONLY. Swaps at the price of two feeds less a spread, out of what was given to it: there is
/// no market on the devnet whose depth could be told.
contract DevnetSwapPool is ISwapPort {
    using SafeERC20 for IERC20;

    error TooLate(uint256 deadline);
    error TooLittle(uint256 amountOut, uint256 minOut);
    error NoFeed(address token);

    uint256 private constant BPS = 10_000;
    address public immutable OPERATOR = msg.sender;
    uint256 public spreadBps;
    mapping(address token => IPriceFeed) public feeds;

    constructor(uint256 spreadBps_) {
        spreadBps = spreadBps_;
    }

    function setSpread(uint256 spreadBps_) external {
        require(msg.sender == OPERATOR, "only the operator");
        spreadBps = spreadBps_;
    }

    function setFeed(address token, IPriceFeed feed) external {
        require(msg.sender == OPERATOR, "only the operator");
        feeds[token] = feed;
    }

    /// @inheritdoc ISwapPort
    /// @dev `route` is empty: there is one way only.
    function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minOut, uint256 deadline, bytes calldata)
        external
    {
        if (block.timestamp > deadline) revert TooLate(deadline);
        uint256 amountOut = quote(tokenIn, tokenOut, amountIn);
        if (amountOut < minOut) revert TooLittle(amountOut, minOut);
        IERC20(tokenOut).safeTransfer(msg.sender, amountOut);
    }

    /// What `amountIn` brings now, in units of `tokenOut`.
    function quote(address tokenIn, address tokenOut, uint256 amountIn) public view returns (uint256) {
        uint256 fair = Math.mulDiv(amountIn, _unitPrice(tokenIn), _unitPrice(tokenOut));
        return (fair * (BPS - spreadBps)) / BPS;
    }

    /// Of the smallest unit, scaled so that nothing is lost with up to 36 decimals of token and feed together.
    function _unitPrice(address token) private view returns (uint256) {
        IPriceFeed feed = feeds[token];
        if (address(feed) == address(0)) revert NoFeed(token);
        // slither-disable-next-line unused-return
        (, int256 answer,,,) = feed.latestRoundData();
        return uint256(answer) * 10 ** (48 - feed.decimals() - IERC20Metadata(token).decimals());
    }
}
