// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

/// One way to swap. A port holds no balance and no allowance between transactions and is trusted with nothing but
/// `amountIn`, which the executor has sent to it before the call: the executor measures itself what it got.
interface ISwapPort {
    /// Swaps `amountIn` of `tokenIn`, already here, and sends all of `tokenOut` (and any unspent `tokenIn`) to the
    /// caller. Reverts when that is below `minOut`, or after `deadline`.
    /// @param route in the port's own form; it names pools, never a recipient or a limit
    function swap(
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        uint256 minOut,
        uint256 deadline,
        bytes calldata route
    ) external;
}
