// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Token} from "./Token.sol";

/// Stand-in for a branch of Liquity v2: its TroveManager, and in one contract with it BorrowerOperations, SortedTroves,
/// TroveNFT and the price feed. Interest as TroveManager accrues it, ratios as LiquityMath; setters for many troves, and flows.
contract LiquityV2Branch {
    struct LatestTroveData {
        uint256 entireDebt;
        uint256 entireColl;
        uint256 redistBoldDebtGain;
        uint256 redistCollGain;
        uint256 accruedInterest;
        uint256 recordedDebt;
        uint256 annualInterestRate;
        uint256 weightedRecordedDebt;
        uint256 accruedBatchManagementFee;
        uint256 lastInterestRateAdjTime;
    }
    struct Trove {
        uint256 coll;
        uint256 debt;
        uint256 rate;
        uint256 since;
    }

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event TroveOperation(
        uint256 indexed _troveId,
        uint8 _operation,
        uint256 _annualInterestRate,
        uint256 _debtIncreaseFromRedist,
        uint256 _debtIncreaseFromUpfrontFee,
        int256 _debtChangeFromOperation,
        uint256 _collIncreaseFromRedist,
        int256 _collChangeFromOperation
    );

    uint256 public immutable MCR;
    uint256 price;
    uint256 public shutdownTime;
    uint256 public lastZombieTroveId;
    uint256 public getLast;
    mapping(uint256 => Trove) troves;
    mapping(uint256 => address) owners;
    uint256[] ids;

    constructor(uint256 minimum, uint256 price_) {
        MCR = minimum;
        price = price_;
    }

    function idOf(address user) public pure returns (uint256) {
        return uint256(keccak256(abi.encode(user)));
    }

    function set(address[] calldata users, uint256[] calldata colls, uint256[] calldata debts) external {
        for (uint256 i = 0; i < users.length; i++) {
            uint256 id = idOf(users[i]);
            troves[id] = Trove(colls[i], debts[i], 0.005e18 + i * 1e15, block.timestamp);
            owners[id] = users[i];
            emit Transfer(address(0), users[i], id);
            getLast = id;
            ids.push(id);
        }
    }

    function openTrove(uint256 id, address owner, uint256 coll, uint256 debt) external {
        troves[id] = Trove(coll, debt + 7, 0.05e18, block.timestamp);
        owners[id] = owner;
        emit Transfer(address(0), owner, id);
        emit TroveOperation(id, 0, 0.05e18, 0, 7, int256(debt), 0, int256(coll));
    }

    function adjustTrove(uint256 id, int256 coll, int256 debt) external {
        troves[id].coll = uint256(int256(troves[id].coll) + coll);
        troves[id].debt = uint256(int256(troves[id].debt) + debt);
        emit TroveOperation(id, 2, 0.05e18, 3, 7, debt, 2, coll);
    }

    function applyPendingDebt(uint256 id) external {
        emit TroveOperation(id, 4, 0.05e18, 5, 0, 0, 0, 0);
    }

    function redeem(uint256 id, uint256 debt, uint256 coll) external {
        troves[id].coll -= coll;
        troves[id].debt -= debt;
        emit TroveOperation(id, 6, 0.05e18, 0, 0, -int256(debt), 0, -int256(coll));
    }

    /// By its owner (1) or by a liquidation (5): the NFT is burnt first.
    function end(uint256 id, uint8 operation) external {
        (uint256 coll, uint256 debt) = (troves[id].coll, troves[id].debt);
        emit Transfer(owners[id], address(0), id);
        delete owners[id];
        delete troves[id];
        emit TroveOperation(id, operation, 0, 0, 0, -int256(debt), 0, -int256(coll));
    }

    function give(uint256 id, address to) external {
        emit Transfer(owners[id], to, id);
        owners[id] = to;
    }

    function close(uint256 id) external {
        emit Transfer(owners[id], address(0), id);
        delete owners[id];
        delete troves[id];
    }

    function shutDown() external {
        shutdownTime = block.timestamp;
    }

    function troveNFT() external view returns (address) {
        return address(this);
    }

    function borrowerOperations() external view returns (address) {
        return address(this);
    }

    function sortedTroves() external view returns (address) {
        return address(this);
    }

    function fetchPrice() external view returns (uint256, bool) {
        return (price, false);
    }

    function getUnbackedPortionPriceAndRedeemability() external view returns (uint256, uint256, bool) {
        return (0, price, true);
    }

    function ownerOf(uint256 id) external view returns (address) {
        require(owners[id] != address(0), "ERC721: invalid token ID");
        return owners[id];
    }

    function getLatestTroveData(uint256 id) public view returns (LatestTroveData memory data) {
        Trove memory own = troves[id];
        data.recordedDebt = own.debt;
        data.annualInterestRate = own.rate;
        data.weightedRecordedDebt = own.debt * own.rate;
        data.accruedInterest = (data.weightedRecordedDebt * (block.timestamp - own.since)) / 365 days / 1e18;
        data.entireDebt = own.debt + data.accruedInterest;
        data.entireColl = own.coll;
    }

    function getEntireBranchColl() external view returns (uint256 total) {
        for (uint256 i = 0; i < ids.length; i++) total += troves[ids[i]].coll;
    }

    function getEntireBranchDebt() external view returns (uint256 total) {
        for (uint256 i = 0; i < ids.length; i++) total += getLatestTroveData(ids[i]).entireDebt;
    }

    function getCurrentICR(uint256 id, uint256 price_) public view returns (uint256) {
        LatestTroveData memory data = getLatestTroveData(id);
        return data.entireDebt > 0 ? (data.entireColl * price_) / data.entireDebt : type(uint256).max;
    }
}

/// Stand-in for the CollateralRegistry.
contract LiquityV2Registry {
    Token public boldToken = new Token("BOLD", 18);
    Token[] tokens;
    LiquityV2Branch[] branches;

    function add(Token token, LiquityV2Branch branch) external {
        tokens.push(token);
        branches.push(branch);
    }

    function totalCollaterals() external view returns (uint256) {
        return tokens.length;
    }

    function getToken(uint256 index) external view returns (Token) {
        return tokens[index];
    }

    function getTroveManager(uint256 index) external view returns (LiquityV2Branch) {
        return branches[index];
    }
}
