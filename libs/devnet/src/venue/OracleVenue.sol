// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

interface IFeed {
    function latestAnswer() external view returns (int256);
}

interface IToken {
    function decimals() external view returns (uint8);
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// FOR LOCAL CHAINS ONLY. Sells exactly what is asked for out of what was given to it: at the price of two feeds, plus
/// what a constant product of the same value on both sides would add, plus a fee.
contract OracleVenue {
    uint256 public constant FEE_BPS = 30;
    uint256 private constant BPS = 10_000;

    address public immutable operator = msg.sender;
    mapping(address token => IFeed) public feeds;

    function list(address token, IFeed feed) external {
        require(msg.sender == operator, "only the operator");
        feeds[token] = feed;
    }

    /// What `amountOut` costs now, its fee included.
    function quoteExactOutput(address tokenIn, address tokenOut, uint256 amountOut)
        public
        view
        returns (uint256 amountIn, uint256 fee)
    {
        uint256 reserve = IToken(tokenOut).balanceOf(address(this));
        require(amountOut < reserve, "too little in the venue");
        uint256 value = amountOut * _price(tokenOut) * 10 ** IToken(tokenIn).decimals();
        uint256 fair = _divideUp(value, _price(tokenIn) * 10 ** IToken(tokenOut).decimals());
        uint256 priced = _divideUp(fair * reserve, reserve - amountOut);
        amountIn = _divideUp(priced * BPS, BPS - FEE_BPS);
        fee = amountIn - priced;
    }

    function swapExactOutput(
        address tokenIn,
        address tokenOut,
        uint256 amountOut,
        uint256 amountInMax,
        address recipient
    ) external returns (uint256 amountIn) {
        (amountIn,) = quoteExactOutput(tokenIn, tokenOut, amountOut);
        require(amountIn <= amountInMax, "above the most that may be paid");
        require(IToken(tokenIn).transferFrom(msg.sender, address(this), amountIn), "not paid");
        require(IToken(tokenOut).transfer(recipient, amountOut), "not delivered");
    }

    function _price(address token) private view returns (uint256) {
        int256 answer = feeds[token].latestAnswer();
        require(answer > 0, "no price");
        return uint256(answer);
    }

    function _divideUp(uint256 numerator, uint256 divisor) private pure returns (uint256) {
        return (numerator + divisor - 1) / divisor;
    }
}
