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

/// Stand-in for DolomiteMargin: the read interface, and the arithmetic of its account values (dolomite-margin f4b12fda,
/// Storage.sol, getAccountValues, isCollateralized and getAccountRiskOverride), with a setter for many accounts and flows. Only what a wallet does is logged.
contract DolomiteMargin {
    struct Info {
        address owner;
        uint256 number;
    }
    struct Value {
        uint256 value;
    }
    struct Par {
        bool sign;
        uint128 value;
    }
    struct Wei {
        bool sign;
        uint256 value;
    }
    struct Update {
        Wei deltaWei;
        Par newPar;
    }

    event LogDeposit(address indexed accountOwner, uint256 accountNumber, uint256 market, Update update, address from);
    event LogTransfer(
        address indexed accountOneOwner,
        uint256 accountOneNumber,
        address indexed accountTwoOwner,
        uint256 accountTwoNumber,
        uint256 market,
        Update updateOne,
        Update updateTwo
    );

    struct Index {
        uint96 borrow;
        uint96 supply;
        uint32 lastUpdate;
    }

    event LogIndexUpdate(uint256 indexed market, Index index);
    event LogWithdraw(address indexed accountOwner, uint256 accountNumber, uint256 market, Update update, address to);
    event LogLiquidate(
        address indexed solidAccountOwner,
        uint256 solidAccountNumber,
        address indexed liquidAccountOwner,
        uint256 liquidAccountNumber,
        uint256 heldMarket,
        uint256 owedMarket,
        Update solidHeldUpdate,
        Update solidOwedUpdate,
        Update liquidHeldUpdate,
        Update liquidOwedUpdate
    );

    event LogBuy(
        address indexed accountOwner,
        uint256 accountNumber,
        uint256 takerMarket,
        uint256 makerMarket,
        Update takerUpdate,
        Update makerUpdate,
        address exchangeWrapper
    );
    event LogSell(
        address indexed accountOwner,
        uint256 accountNumber,
        uint256 takerMarket,
        uint256 makerMarket,
        Update takerUpdate,
        Update makerUpdate,
        address exchangeWrapper
    );
    event LogTrade(
        address indexed takerAccountOwner,
        uint256 takerAccountNumber,
        address indexed makerAccountOwner,
        uint256 makerAccountNumber,
        uint256 inputMarket,
        uint256 outputMarket,
        Update takerInputUpdate,
        Update takerOutputUpdate,
        Update makerInputUpdate,
        Update makerOutputUpdate,
        address autoTrader
    );

    uint256 immutable start = block.timestamp;
    address[] tokens;
    mapping(uint256 => uint256) prices;
    mapping(uint256 => uint256) premiums;
    mapping(uint256 => uint256) public suppliedPar;
    mapping(uint256 => uint256) public borrowedPar;
    mapping(address => mapping(uint256 => mapping(uint256 => Par))) pars;
    mapping(address => mapping(uint256 => uint256)) overrides;

    function list(address token, uint256 price, uint256 premium) external {
        prices[tokens.length] = price;
        premiums[tokens.length] = premium;
        tokens.push(token);
    }

    function set(uint256 number, uint256 market, address[] calldata users, uint128[] calldata supplied, uint128[] calldata owed) external {
        Update memory none;
        for (uint256 i = 0; i < users.length; i++) {
            if (supplied[i] + owed[i] == 0) continue;
            pars[users[i]][number][market] = Par(owed[i] == 0, owed[i] == 0 ? supplied[i] : owed[i]);
            if (owed[i] == 0) suppliedPar[market] += supplied[i];
            else borrowedPar[market] += owed[i];
            if (number == 0) emit LogDeposit(users[i], number, market, none, msg.sender);
            else emit LogTransfer(users[i], 0, users[i], number, market, none, none);
        }
    }

    function indexOf(bool isSupply) internal view returns (uint256) {
        return 1e18 + (block.timestamp - start) * (isSupply ? 7e8 : 13e8);
    }

    /// The balance after a change, by the indices of now.
    function change(address owner, uint256 number, uint256 market, int256 delta) internal returns (Update memory update) {
        Par storage par = pars[owner][number][market];
        int256 balance = (par.sign ? int256(1) : int256(-1)) * int256(weiOf(par)) + delta;
        uint256 size = uint256(balance < 0 ? -balance : balance);
        par.sign = balance > 0;
        par.value = uint128((size * 1e18 + (balance > 0 ? 0 : indexOf(false) - 1)) / indexOf(balance > 0));
        update = Update(Wei(delta > 0, uint256(delta < 0 ? -delta : delta)), par);
    }

    function sayIndex(uint256 market) internal {
        emit LogIndexUpdate(market, Index(uint96(indexOf(false)), uint96(indexOf(true)), uint32(block.timestamp)));
    }

    function deposit(uint256 number, uint256 market, uint256 amount) external {
        sayIndex(market);
        emit LogDeposit(msg.sender, number, market, change(msg.sender, number, market, int256(amount)), msg.sender);
    }

    function withdraw(uint256 number, uint256 market, uint256 amount, address to) external {
        sayIndex(market);
        emit LogWithdraw(msg.sender, number, market, change(msg.sender, number, market, -int256(amount)), to);
    }

    function transfer(uint256 number, address to, uint256 toNumber, uint256 market, uint256 amount) external {
        sayIndex(market);
        Update memory one = change(msg.sender, number, market, -int256(amount));
        emit LogTransfer(msg.sender, number, to, toNumber, market, one, change(to, toNumber, market, int256(amount)));
    }

    function liquidate(address owner, uint256 number, uint256 held, uint256 owed, uint256 taken, uint256 paid) external {
        sayIndex(held);
        sayIndex(owed);
        Update memory solidHeld = change(msg.sender, 0, held, int256(taken));
        Update memory solidOwed = change(msg.sender, 0, owed, -int256(paid));
        Update memory liquidHeld = change(owner, number, held, -int256(taken));
        Update memory liquidOwed = change(owner, number, owed, int256(paid));
        emit LogLiquidate(msg.sender, 0, owner, number, held, owed, solidHeld, solidOwed, liquidHeld, liquidOwed);
    }

    /// A swap at an exchange: the taker's market goes out, the maker's comes in. Buying: the account takes the maker's.
    function swap(bool isSell, uint256 number, uint256 taker, uint256 maker, uint256 given, uint256 got) external {
        sayIndex(taker);
        sayIndex(maker);
        uint256 incoming = isSell ? maker : taker;
        Update memory inUpdate = change(msg.sender, number, incoming, int256(got));
        Update memory outUpdate = change(msg.sender, number, isSell ? taker : maker, -int256(given));
        if (isSell) emit LogSell(msg.sender, number, taker, maker, outUpdate, inUpdate, address(this));
        else emit LogBuy(msg.sender, number, taker, maker, inUpdate, outUpdate, address(this));
    }

    /// Between two accounts: the taker gives of the output market and gets of the input market.
    function trade(address other, uint256 input, uint256 output, uint256 got, uint256 given) external {
        sayIndex(input);
        sayIndex(output);
        Update memory takerIn = change(msg.sender, 0, input, int256(got));
        Update memory takerOut = change(msg.sender, 0, output, -int256(given));
        Update memory makerIn = change(other, 0, input, -int256(got));
        Update memory makerOut = change(other, 0, output, int256(given));
        emit LogTrade(msg.sender, 0, other, 0, input, output, takerIn, takerOut, makerIn, makerOut, address(this));
    }

    function getNumMarkets() external view returns (uint256) {
        return tokens.length;
    }

    function getMarketTokenAddress(uint256 market) external view returns (address) {
        return tokens[market];
    }

    function getMarketTotalPar(uint256 market) external view returns (uint128 borrow, uint128 supply) {
        return (uint128(borrowedPar[market]), uint128(suppliedPar[market]));
    }

    function getMarketCurrentIndex(uint256) external view returns (Index memory) {
        return Index(uint96(indexOf(false)), uint96(indexOf(true)), uint32(block.timestamp));
    }

    function getMarketPrice(uint256 market) public view returns (Value memory) {
        require(prices[market] != 0, "Price cannot be zero");
        return Value(prices[market]);
    }

    function getMarketMarginPremium(uint256 market) external view returns (Value memory) {
        return Value(premiums[market]);
    }

    function getMarginRatio() public pure returns (Value memory) {
        return Value(0.15e18);
    }

    function getDefaultAccountRiskOverrideSetter() external view returns (address) {
        return address(this);
    }

    function setOverride(address owner, uint256 number, uint256 ratio) external {
        overrides[owner][number] = ratio;
    }

    function getMarginRatioOverrideByAccount(Info calldata account) external view returns (Value memory) {
        return Value(overrides[account.owner][account.number]);
    }

    function getMarginRatioForAccount(Info calldata account) external view returns (Value memory) {
        uint256 own = overrides[account.owner][account.number];
        return own == 0 ? getMarginRatio() : Value(own);
    }

    function weiOf(Par memory par) internal view returns (uint256) {
        uint256 elapsed = block.timestamp - start;
        uint256 index = 1e18 + elapsed * (par.sign ? 7e8 : 13e8);
        return par.sign ? (par.value * index) / 1e18 : (par.value * index + 1e18 - 1) / 1e18;
    }

    function getAccountBalances(
        Info calldata account
    ) external view returns (uint256[] memory ids, address[] memory held, Par[] memory own, Wei[] memory weis) {
        uint256 count;
        for (uint256 i = 0; i < tokens.length; i++) if (pars[account.owner][account.number][i].value > 0) count++;
        ids = new uint256[](count);
        held = new address[](count);
        own = new Par[](count);
        weis = new Wei[](count);
        for (uint256 i = tokens.length; i > 0; i--) {
            Par memory par = pars[account.owner][account.number][i - 1];
            if (par.value == 0) continue;
            count--;
            (ids[count], held[count], own[count], weis[count]) = (i - 1, tokens[i - 1], par, Wei(par.sign, weiOf(par)));
        }
    }

    function valuesOf(address owner, uint256 number, bool adjust) internal view returns (uint256 supply, uint256 borrow) {
        for (uint256 i = 0; i < tokens.length; i++) {
            Par memory par = pars[owner][number][i];
            if (par.value == 0) continue;
            uint256 value = weiOf(par) * getMarketPrice(i).value;
            uint256 factor = adjust ? 1e18 + premiums[i] : 1e18;
            if (par.sign) supply += (value * 1e18) / factor;
            else borrow += (value * factor) / 1e18;
        }
    }

    /// No premiums for an account with an override.
    function getAdjustedAccountValues(Info calldata account) external view returns (Value memory, Value memory) {
        bool adjust = overrides[account.owner][account.number] == 0;
        (uint256 supply, uint256 borrow) = valuesOf(account.owner, account.number, adjust);
        return (Value(supply), Value(borrow));
    }
}
