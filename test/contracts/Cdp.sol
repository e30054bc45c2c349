// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Token} from "./Token.sol";

/// Stand-in for the TroveManager of Liquity v1, its price feed and its Stability Pool (liquity/dev 39f1f7f8, TroveManager.sol):
/// the read interface, with a setter for many troves. A redistribution adds to every trove by its stake. Flows say what the
/// contract says, and leave the sums of the system as they are.
contract LiquityTroves {
    event TroveUpdated(address indexed _borrower, uint256 _debt, uint256 _coll, uint256 stake, uint8 operation);
    event TroveLiquidated(address indexed _borrower, uint256 _debt, uint256 _coll, uint8 operation);

    LiquityOperations public borrowerOperationsAddress = new LiquityOperations(this);
    mapping(address => uint256) appliedPerStake;

    uint256 public constant MCR = 1.1e18;
    uint256 public constant CCR = 1.5e18;
    Token public lusdToken = new Token("LUSD", 18);
    uint256 price;
    uint256 public getEntireSystemDebt;
    uint256 public getEntireSystemColl;
    uint256 public getTotalLUSDDeposits;
    uint256 debtPerStake;
    mapping(address => uint256) debts;
    mapping(address => uint256) colls;
    mapping(address => uint256) public getTroveStatus;

    constructor(uint256 price_) {
        price = price_;
    }

    function set(address[] calldata users, uint256[] calldata collaterals, uint256[] calldata owed) external {
        for (uint256 i = 0; i < users.length; i++) {
            colls[users[i]] = collaterals[i];
            debts[users[i]] = owed[i];
            getTroveStatus[users[i]] = 1;
            getEntireSystemColl += collaterals[i];
            getEntireSystemDebt += owed[i];
        }
    }

    function close(address user) external {
        getTroveStatus[user] = 2;
    }

    function Troves(address user) external view returns (uint256 debt, uint256 coll, uint256 stake, uint8 status, uint128 arrayIndex) {
        return (debts[user], colls[user], colls[user], uint8(getTroveStatus[user]), 0);
    }

    /// What was redistributed becomes a part of the trove.
    function applyPending(address user) external {
        uint256 pending = (colls[user] * (debtPerStake - appliedPerStake[user])) / 1e18;
        appliedPerStake[user] = debtPerStake;
        if (pending == 0) return;
        debts[user] += pending;
        emit TroveUpdated(user, debts[user], colls[user], colls[user], 0);
    }

    function write(address user, uint256 debt, uint256 coll) external {
        if (debts[user] == 0) appliedPerStake[user] = debtPerStake;
        (debts[user], colls[user]) = (debt, coll);
        getTroveStatus[user] = debt > 0 ? 1 : 2;
    }

    function liquidate(address user) external {
        emit TroveLiquidated(user, debts[user], colls[user], 1);
        emit TroveUpdated(user, 0, 0, 0, 1);
        (debts[user], colls[user], getTroveStatus[user]) = (0, 0, 3);
    }

    /// A part of the debt is redeemed for as much collateral.
    function redeem(address user, uint256 debt, uint256 coll) external {
        debts[user] -= debt;
        colls[user] -= coll;
        emit TroveUpdated(user, debts[user], colls[user], colls[user], 3);
    }

    function stabilityPool() external view returns (address) {
        return address(this);
    }

    function setPrice(uint256 price_) external {
        price = price_;
    }

    function redistribute(uint256 perStake) external {
        debtPerStake += perStake;
        getEntireSystemDebt += (getEntireSystemColl * perStake) / 1e18;
    }

    function priceFeed() external view returns (address) {
        return address(this);
    }

    function fetchPrice() external view returns (uint256) {
        return price;
    }

    function getEntireDebtAndColl(address user) public view returns (uint256 debt, uint256 coll, uint256 pendingDebt, uint256 pendingColl) {
        pendingDebt = (colls[user] * debtPerStake) / 1e18;
        return (debts[user] + pendingDebt, colls[user], pendingDebt, 0);
    }

    function getCurrentICR(address user, uint256 price_) public view returns (uint256) {
        (uint256 debt, uint256 coll, , ) = getEntireDebtAndColl(user);
        return debt > 0 ? (coll * price_) / debt : type(uint256).max;
    }

    function getTCR(uint256 price_) public view returns (uint256) {
        return (getEntireSystemColl * price_) / getEntireSystemDebt;
    }
}

/// Stand-in for BorrowerOperations: what a borrower does, by its ids of operations. Of each debt 200 LUSD are a reserve.
contract LiquityOperations {
    event TroveUpdated(address indexed _borrower, uint256 _debt, uint256 _coll, uint256 stake, uint8 operation);
    event LUSDBorrowingFeePaid(address indexed _borrower, uint256 _LUSDFee);

    LiquityTroves immutable troves;

    constructor(LiquityTroves troves_) {
        troves = troves_;
    }

    function openTrove(uint256 coll, uint256 amount) external {
        uint256 debt = amount + amount / 200 + 200e18;
        troves.write(msg.sender, debt, coll);
        emit TroveUpdated(msg.sender, debt, coll, coll, 0);
        emit LUSDBorrowingFeePaid(msg.sender, amount / 200);
    }

    function adjustTrove(int256 collChange, int256 debtChange) external {
        troves.applyPending(msg.sender);
        (uint256 debt, uint256 coll, , , ) = troves.Troves(msg.sender);
        uint256 fee = debtChange > 0 ? uint256(debtChange) / 200 : 0;
        debt = uint256(int256(debt) + debtChange) + fee;
        coll = uint256(int256(coll) + collChange);
        troves.write(msg.sender, debt, coll);
        emit TroveUpdated(msg.sender, debt, coll, coll, 2);
        emit LUSDBorrowingFeePaid(msg.sender, fee);
    }

    function closeTrove() external {
        troves.applyPending(msg.sender);
        troves.write(msg.sender, 0, 0);
        emit TroveUpdated(msg.sender, 0, 0, 0, 1);
    }
}
