// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Stand-in for the flows of a market of Aave v2: they say what pool and tokens say, and keep no balance. Its positions are
// proved on the protocol's own bytecode.

contract AaveV2Token {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event BalanceTransfer(address indexed from, address indexed to, uint256 value, uint256 index);

    function say(address from, address to, uint256 value) public {
        emit Transfer(from, to, value);
        if (from != address(0) && to != address(0)) emit BalanceTransfer(from, to, value, 1e27);
    }

    function transfer(address to, uint256 value) external {
        say(msg.sender, to, value);
    }
}

/// Addresses provider, lending pool and oracle in one. The oracle counts in ether, and does not say so: as on mainnet.
contract AaveV2Market {
    struct ReserveData {
        uint256 configuration;
        uint128 liquidityIndex;
        uint128 variableBorrowIndex;
        uint128 currentLiquidityRate;
        uint128 currentVariableBorrowRate;
        uint128 currentStableBorrowRate;
        uint40 lastUpdateTimestamp;
        address aTokenAddress;
        address stableDebtTokenAddress;
        address variableDebtTokenAddress;
        address interestRateStrategyAddress;
        uint8 id;
    }

    address[] reserves;
    mapping(address => ReserveData) data;
    mapping(address => uint256) public getAssetPrice;

    event Deposit(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referral);
    event Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount);
    event Borrow(
        address indexed reserve,
        address user,
        address indexed onBehalfOf,
        uint256 amount,
        uint256 borrowRateMode,
        uint256 borrowRate,
        uint16 indexed referral
    );
    event Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount);
    event LiquidationCall(
        address indexed collateralAsset,
        address indexed debtAsset,
        address indexed user,
        uint256 debtToCover,
        uint256 liquidatedCollateralAmount,
        address liquidator,
        bool receiveAToken
    );

    function tokenOf(address asset) internal view returns (AaveV2Token) {
        return AaveV2Token(data[asset].aTokenAddress);
    }

    function deposit(address asset, uint256 amount, address onBehalfOf, uint16 referral) external {
        tokenOf(asset).say(address(0), onBehalfOf, amount);
        emit Deposit(asset, msg.sender, onBehalfOf, amount, referral);
    }

    function withdraw(address asset, uint256 amount, address to) external {
        tokenOf(asset).say(msg.sender, address(0), amount);
        emit Withdraw(asset, msg.sender, to, amount);
    }

    function borrow(address asset, uint256 amount, uint256 mode, uint16 referral, address onBehalfOf) external {
        emit Borrow(asset, msg.sender, onBehalfOf, amount, mode, 5e25, referral);
    }

    function repay(address asset, uint256 amount, uint256, address onBehalfOf) external {
        emit Repay(asset, onBehalfOf, msg.sender, amount);
    }

    function liquidationCall(address collateral, address debt, address user, uint256 debtToCover, bool receiveAToken) external {
        tokenOf(collateral).say(user, receiveAToken ? msg.sender : address(0), debtToCover / 3);
        emit LiquidationCall(collateral, debt, user, debtToCover, debtToCover / 3, msg.sender, receiveAToken);
    }

    function getLendingPool() external view returns (address) {
        return address(this);
    }

    function getPriceOracle() external view returns (address) {
        return address(this);
    }

    function getSourceOfAsset(address) external view returns (address) {
        return address(this);
    }

    function getReservesList() external view returns (address[] memory) {
        return reserves;
    }

    function getReserveData(address asset) external view returns (ReserveData memory) {
        return data[asset];
    }

    function list(address asset, uint256 threshold, uint256 decimals, uint256 price) external {
        uint8 id = uint8(reserves.length);
        data[asset] = ReserveData(
            (threshold - 300) | (threshold << 16) | (10500 << 32) | (decimals << 48) | (1 << 56),
            1e27,
            1e27,
            0,
            0,
            0,
            uint40(block.timestamp),
            address(new AaveV2Token()),
            address(0),
            address(new AaveV2Token()),
            address(0),
            id
        );
        getAssetPrice[asset] = price;
        reserves.push(asset);
    }
}
