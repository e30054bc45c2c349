// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IFeed {
    function latestAnswer() external view returns (int256);
}

/// What a Morpho market asks for its price, answered by two of the devnet's feeds, which have the same decimals.
contract FeedOracle {
    IFeed immutable collateral;
    IFeed immutable loan;
    uint256 immutable scale;

    /// @param scale_ 10 ** (36 + decimals of the loan token - decimals of the collateral token)
    constructor(IFeed collateral_, IFeed loan_, uint256 scale_) {
        collateral = collateral_;
        loan = loan_;
        scale = scale_;
    }

    /// Loan units for one collateral unit, times 1e36.
    function price() external view returns (uint256) {
        return (uint256(collateral.latestAnswer()) * scale) / uint256(loan.latestAnswer());
    }
}
