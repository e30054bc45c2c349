// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

/// A way to swap. A port holds no balance and no allowance between transactions. It is trusted only with `amountIn`,
/// which the executor sends before the call. The executor measures the received amount itself.
interface ISwapPort {
    /// Swaps `amountIn` of `tokenIn`, which it already has, and sends all of `tokenOut` (and unspent `tokenIn`) to the
    /// caller. Reverts when the output is below `minOut`, or after `deadline`.
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
