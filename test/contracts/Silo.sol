// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Token} from "./Token.sol";

/// Shares of a silo: what is protected, collateral or owed.
contract SiloShares {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        totalSupply += value;
        emit Transfer(address(0), to, value);
    }
}

/// An oracle that does not name its currency.
contract SiloPlainOracle {
    mapping(address => uint256) prices;

    function setPrice(address token, uint256 price) external {
        prices[token] = price;
    }

    /// By a price with 18 decimals between the smallest units.
    function quote(uint256 amount, address token) external view returns (uint256) {
        return (amount * prices[token]) / 1e18;
    }
}

contract SiloOracle is SiloPlainOracle {
    address public immutable quoteToken;

    constructor(address quoteToken_) {
        quoteToken = quoteToken_;
    }
}

interface SolvencyLike {
    function isSolvent(address borrower) external view returns (bool);
}

/// Stand-in for one silo: totals with interest as Silo answers them, setters for many wallets; flows that say what a silo says,
/// and keep no balance.
contract Silo {
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares);
    event DepositProtected(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event WithdrawProtected(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares);
    event Borrow(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares);
    event Repay(address indexed sender, address indexed owner, uint256 assets, uint256 shares);

    uint256 immutable start = block.timestamp;
    SiloShares public immutable protectedShares = new SiloShares();
    SiloShares public immutable collateralShares = new SiloShares();
    SiloShares public immutable debtShares = new SiloShares();
    Token public immutable token;
    SiloOracle public immutable oracle;
    uint256 public immutable lt;
    uint256 protectedAssets;
    uint256 collateralAssets;
    uint256 debtAssets;
    SolvencyLike market;

    constructor(Token token_, SiloOracle oracle_, uint256 threshold) {
        token = token_;
        oracle = oracle_;
        lt = threshold;
    }

    /// Its market introduces itself.
    function join() external {
        market = SolvencyLike(msg.sender);
    }

    function isSolvent(address borrower) external view returns (bool) {
        return market.isSolvent(borrower);
    }

    /// Shares for a thousandth of an asset each, a little less for what is owed.
    function set(address[] calldata users, uint256[] calldata secured, uint256[] calldata lent, uint256[] calldata owed) external {
        for (uint256 i = 0; i < users.length; i++) {
            if (secured[i] > 0) protectedShares.mint(users[i], secured[i] * 1000);
            if (lent[i] > 0) collateralShares.mint(users[i], lent[i] * 1000);
            if (owed[i] > 0) debtShares.mint(users[i], owed[i]);
            protectedAssets += secured[i];
            collateralAssets += lent[i] + lent[i] / 11;
            debtAssets += owed[i] + owed[i] / 13;
        }
    }

    function deposit(uint256 assets, address receiver, bool isProtected) external {
        if (isProtected) emit DepositProtected(msg.sender, receiver, assets, assets * 1000);
        else emit Deposit(msg.sender, receiver, assets, assets * 1000);
    }

    function withdraw(uint256 assets, address receiver, address owner, bool isProtected) external {
        if (isProtected) emit WithdrawProtected(msg.sender, receiver, owner, assets, assets * 1000);
        else emit Withdraw(msg.sender, receiver, owner, assets, assets * 1000);
    }

    function borrow(uint256 assets, address receiver, address borrower) external {
        emit Borrow(msg.sender, receiver, borrower, assets, assets);
    }

    function repay(uint256 assets, address borrower) external {
        emit Repay(msg.sender, borrower, assets, assets);
    }

    function withInterest(uint256 assets, uint256 perSecond) internal view returns (uint256) {
        return assets + (assets * perSecond * (block.timestamp - start)) / 1e18;
    }

    function getTotalAssetsStorage(uint8 assetType) external view returns (uint256) {
        require(assetType == 0, "protected only");
        return protectedAssets;
    }

    function getCollateralAssets() public view returns (uint256) {
        return withInterest(collateralAssets, 7e8);
    }

    function getDebtAssets() public view returns (uint256) {
        return withInterest(debtAssets, 19e8);
    }

    function convert(SiloShares shares, address user, uint256 assets) internal view returns (uint256) {
        return (shares.balanceOf(user) * ((shares.totalSupply() == 0 ? 0 : assets) + 1)) / (shares.totalSupply() + 1000);
    }

    function depositOf(address user) public view returns (uint256) {
        return convert(protectedShares, user, protectedAssets) + convert(collateralShares, user, getCollateralAssets());
    }

    function debtOf(address user) public view returns (uint256) {
        uint256 supply = debtShares.totalSupply();
        uint256 own = debtShares.balanceOf(user);
        return supply == 0 ? own : (own * getDebtAssets() + supply - 1) / supply;
    }

    function valueOf(uint256 amount) public view returns (uint256) {
        return amount == 0 || address(oracle) == address(0) ? amount : oracle.quote(amount, address(token));
    }
}

/// Stand-in for the PartialLiquidation hook of a market.
contract SiloHook {
    event LiquidationCall(
        address indexed liquidator,
        address indexed silo,
        address indexed borrower,
        uint256 repayDebtAssets,
        uint256 withdrawCollateral,
        bool receiveSToken
    );

    function liquidationCall(Silo owing, Silo securing, address borrower, uint256 debt, uint256 collateral) external {
        owing.repay(debt, borrower);
        securing.withdraw(collateral, msg.sender, address(this), false);
        emit LiquidationCall(msg.sender, address(owing), borrower, debt, collateral, false);
    }
}

/// Stand-in for the SiloConfig of a market; its LTV is that of SiloSolvencyLib.
contract SiloMarket {
    struct ConfigData {
        uint256 daoFee;
        uint256 deployerFee;
        address silo;
        address token;
        address protectedShareToken;
        address collateralShareToken;
        address debtShareToken;
        address solvencyOracle;
        address maxLtvOracle;
        address interestRateModel;
        uint256 maxLtv;
        uint256 lt;
        uint256 liquidationTargetLtv;
        uint256 liquidationFee;
        uint256 flashloanFee;
        address hookReceiver;
        bool callBeforeQuote;
    }

    Silo immutable silo0;
    Silo immutable silo1;
    address public immutable hook = address(new SiloHook());
    mapping(address => Silo) public borrowerCollateralSilo;

    constructor(Silo silo0_, Silo silo1_) {
        silo0 = silo0_;
        silo1 = silo1_;
        silo0_.join();
        silo1_.join();
    }

    /// The LTV is not above the threshold.
    function isSolvent(address borrower) external view returns (bool) {
        Silo owing = debtSilo(borrower);
        if (address(owing) == address(0)) return true;
        Silo securing = borrowerCollateralSilo[borrower];
        (uint256 collateral, uint256 debt) = (securing.depositOf(borrower), owing.debtOf(borrower));
        if (securing != owing) (collateral, debt) = (securing.valueOf(collateral), owing.valueOf(debt));
        return collateral > 0 && (debt * 1e18 + collateral - 1) / collateral <= securing.lt();
    }

    function secure(Silo collateral, address[] calldata users) external {
        for (uint256 i = 0; i < users.length; i++) borrowerCollateralSilo[users[i]] = collateral;
    }

    function getSilos() external view returns (Silo, Silo) {
        return (silo0, silo1);
    }

    function getConfig(Silo silo) public view returns (ConfigData memory data) {
        data.silo = address(silo);
        data.token = address(silo.token());
        data.protectedShareToken = address(silo.protectedShares());
        data.collateralShareToken = address(silo.collateralShares());
        data.debtShareToken = address(silo.debtShares());
        data.solvencyOracle = address(silo.oracle());
        data.lt = silo.lt();
        data.liquidationFee = 0.06e18;
        data.hookReceiver = hook;
    }

    function debtSilo(address borrower) internal view returns (Silo) {
        if (silo0.debtShares().balanceOf(borrower) > 0) return silo0;
        return silo1.debtShares().balanceOf(borrower) > 0 ? silo1 : Silo(address(0));
    }

    function getConfigsForSolvency(address borrower) public view returns (ConfigData memory collateral, ConfigData memory debt) {
        Silo owing = debtSilo(borrower);
        if (address(owing) == address(0)) return (collateral, debt);
        return (getConfig(borrowerCollateralSilo[borrower]), getConfig(owing));
    }
}

/// Stand-in for the SiloFactory (silo-contracts-v2 340a49b8, SiloFactory.sol): ids start at 100.
contract SiloFactory {
    event NewSilo(
        address indexed implementation,
        address indexed token0,
        address indexed token1,
        address silo0,
        address silo1,
        address siloConfig
    );

    uint256 constant FIRST_ID = 100;
    SiloMarket[] markets;

    function add(SiloMarket market) external {
        (Silo silo0, Silo silo1) = market.getSilos();
        markets.push(market);
        emit NewSilo(address(0), address(silo0.token()), address(silo1.token()), address(silo0), address(silo1), address(market));
    }

    function getNextSiloId() external view returns (uint256) {
        return FIRST_ID + markets.length;
    }

    function idToSiloConfig(uint256 id) public view returns (SiloMarket) {
        return id < FIRST_ID ? SiloMarket(address(0)) : markets[id - FIRST_ID];
    }
}
