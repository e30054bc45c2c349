// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Token} from "./Token.sol";

/// Fixture with the interface of the TroveManager of Liquity v1, its price feed and its Stability Pool (liquity/dev 39f1f7f8, TroveManager.sol),
/// for tests of what stands around a reader: proxies, currencies, receipts. Recordings prove the reader.
contract LiquityTroves {
    LiquityOperations public borrowerOperationsAddress = new LiquityOperations(this);

    uint256 public constant MCR = 1.1e18;
    uint256 public constant CCR = 1.5e18;
    Token public lusdToken = new Token("LUSD", 18);
    uint256 public fetchPrice;
    uint256 public getEntireSystemDebt;
    uint256 public getEntireSystemColl;
    uint256 public getTotalLUSDDeposits;
    mapping(address => uint256) debts;
    mapping(address => uint256) colls;
    mapping(address => uint256) public getTroveStatus;

    constructor(uint256 price_) {
        fetchPrice = price_;
    }

    function set(address[] calldata users, uint256[] calldata collaterals, uint256[] calldata owed) external {
        for (uint256 i = 0; i < users.length; i++) write(users[i], owed[i], collaterals[i]);
    }

    function write(address user, uint256 debt, uint256 coll) public {
        (debts[user], colls[user], getTroveStatus[user]) = (debt, coll, 1);
        getEntireSystemColl += coll;
        getEntireSystemDebt += debt;
    }

    function setPrice(uint256 price_) external {
        fetchPrice = price_;
    }

    function stabilityPool() external view returns (address) {
        return address(this);
    }

    function priceFeed() external view returns (address) {
        return address(this);
    }

    function getEntireDebtAndColl(address user) external view returns (uint256 debt, uint256 coll, uint256 pendingDebt, uint256 pendingColl) {
        return (debts[user], colls[user], 0, 0);
    }

    function getCurrentICR(address user, uint256 price_) external view returns (uint256) {
        return debts[user] > 0 ? (colls[user] * price_) / debts[user] : type(uint256).max;
    }

    function getTCR(uint256 price_) external view returns (uint256) {
        return (getEntireSystemColl * price_) / getEntireSystemDebt;
    }
}

/// Fixture with the interface of BorrowerOperations: its log of a trove that is opened.
contract LiquityOperations {
    event TroveUpdated(address indexed _borrower, uint256 _debt, uint256 _coll, uint256 stake, uint8 operation);

    LiquityTroves immutable troves;

    constructor(LiquityTroves troves_) {
        troves = troves_;
    }

    function openTrove(uint256 coll, uint256 debt) external {
        troves.write(msg.sender, debt, coll);
        emit TroveUpdated(msg.sender, debt, coll, coll, 0);
    }
}
