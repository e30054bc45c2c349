// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Stand-in for the Ethereum Vault Connector: who owns an account, and which vaults it has enabled.
contract EulerConnector {
    event CollateralStatus(address indexed account, address indexed collateral, bool enabled);
    event ControllerStatus(address indexed account, address indexed controller, bool enabled);

    mapping(bytes19 => address) owners;
    mapping(address => address[]) collaterals;
    mapping(address => address[]) controllers;

    function accountOf(address owner, uint8 number) public pure returns (address) {
        return address(uint160(owner) ^ number);
    }

    function enable(uint8 number, address controller, address[] calldata vaults, address[] calldata users) external {
        for (uint256 i = 0; i < users.length; i++) {
            address account = accountOf(users[i], number);
            owners[bytes19(bytes20(account))] = users[i];
            controllers[account].push(controller);
            emit ControllerStatus(account, controller, true);
            for (uint256 j = 0; j < vaults.length; j++) {
                collaterals[account].push(vaults[j]);
                emit CollateralStatus(account, vaults[j], true);
            }
        }
    }

    function getAccountOwner(address account) external view returns (address) {
        return owners[bytes19(bytes20(account))];
    }

    function getCollaterals(address account) external view returns (address[] memory) {
        return collaterals[account];
    }

    function getControllers(address account) external view returns (address[] memory) {
        return controllers[account];
    }
}

/// Prices with 18 decimals of a vault's shares and of tokens: the mid-point, and apart by a hundredth for selling and buying.
contract EulerOracle {
    mapping(address => uint256) prices;

    function setPrice(address base, uint256 price) external {
        prices[base] = price;
    }

    function getQuote(uint256 amount, address base, address) external view returns (uint256) {
        require(prices[base] > 0, "not supported");
        return (amount * prices[base]) / 1e18;
    }

    function getQuotes(uint256 amount, address base, address) external view returns (uint256 bid, uint256 ask) {
        require(prices[base] > 0, "not supported");
        uint256 middle = amount * prices[base];
        return ((middle - middle / 200) / 1e18, (middle + middle / 200) / 1e18);
    }
}

/// Stand-in for the GenericFactory of EVaults.
contract EulerFactory {
    event ProxyCreated(address indexed proxy, bool upgradeable, address implementation, bytes trailingData);

    address[] vaults;

    function add(address vault) external {
        vaults.push(vault);
        emit ProxyCreated(vault, true, address(0), "");
    }

    function getProxyListLength() external view returns (uint256) {
        return vaults.length;
    }

    function getProxyListSlice(uint256 start, uint256 end) external view returns (address[] memory list) {
        if (end == type(uint256).max) end = vaults.length;
        list = new address[](end - start);
        for (uint256 i = start; i < end; i++) list[i - start] = vaults[i];
    }
}

/// Stand-in for an EVault: accountLiquidityFull as in RiskManager.sol and LiquidityUtils.sol of euler-vault-kit (5b98b420), with
/// setters for many wallets; flows that say what a vault says, and keep no balance.
contract EulerVault {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares);
    event Borrow(address indexed account, uint256 assets);
    event Repay(address indexed account, uint256 assets);
    event PullDebt(address indexed from, address indexed to, uint256 assets);
    event Liquidate(address indexed liquidator, address indexed violator, address collateral, uint256 repayAssets, uint256 yieldBalance);

    EulerConnector immutable connector;
    EulerOracle public immutable oracle;
    address public immutable asset;
    address public immutable unitOfAccount;
    uint16 public constant maxLiquidationDiscount = 1_500;
    uint256 immutable start = block.timestamp;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) owed;
    uint256 totalShares;
    uint256 totalOwed;
    mapping(address => uint16) public LTVLiquidation;

    constructor(EulerConnector connector_, EulerOracle oracle_, address asset_, address unit) {
        connector = connector_;
        oracle = oracle_;
        asset = asset_;
        unitOfAccount = unit;
    }

    function setLtv(address collateral, uint16 ltv) external {
        LTVLiquidation[collateral] = ltv;
    }

    function set(uint8 number, address[] calldata users, uint256[] calldata shares, uint256[] calldata debts) external {
        for (uint256 i = 0; i < users.length; i++) {
            address account = connector.accountOf(users[i], number);
            balanceOf[account] = shares[i];
            owed[account] = debts[i];
            totalShares += shares[i];
            totalOwed += debts[i];
            if (shares[i] > 0) emit Transfer(address(0), account, shares[i]);
        }
    }

    function deposit(uint256 assets, address account) external {
        emit Deposit(msg.sender, account, assets, assets / 2);
    }

    function withdraw(uint256 assets, address receiver, address account) external {
        emit Withdraw(msg.sender, receiver, account, assets, assets / 2);
    }

    function borrow(uint256 assets, address account) external {
        emit Borrow(account, assets);
    }

    function repay(uint256 assets, address account) external {
        emit Repay(account, assets);
    }

    /// The debt with the interest since it was last written down is a little more than what is pulled.
    function pullDebt(uint256 assets, address from, address to) public {
        emit Repay(from, assets - 1);
        emit Borrow(to, assets);
        emit PullDebt(from, to, assets);
    }

    function liquidate(address liquidator, address violator, address collateral, uint256 assets) external {
        emit Repay(violator, assets - 1);
        emit Borrow(liquidator, assets);
        emit Liquidate(liquidator, violator, collateral, assets, assets / 3);
    }

    function index() internal view returns (uint256) {
        return 1e27 + (block.timestamp - start) * 1.9e18;
    }

    function totalAssets() external view returns (uint256) {
        return convertToAssets(totalShares);
    }

    function totalBorrows() external view returns (uint256) {
        return (totalOwed * index() + 1e27 - 1) / 1e27;
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return (shares * (index() / 2 + 0.5e27)) / 1e27;
    }

    /// Rounded up, as toAssetsUp.
    function debtOf(address account) public view returns (uint256) {
        return (owed[account] * index() + 1e27 - 1) / 1e27;
    }

    /// A liquidation counts at the mid-point, a new loan at the ask.
    function liabilityValue(address account, bool liquidation) internal view returns (uint256 value) {
        uint256 assets = debtOf(account);
        if (assets == 0) return 0;
        if (asset == unitOfAccount) return assets;
        if (liquidation) return oracle.getQuote(assets, asset, unitOfAccount);
        (, value) = oracle.getQuotes(assets, asset, unitOfAccount);
    }

    /// A liquidation counts at the mid-point, a new loan at the bid.
    function collateralValue(address account, address collateral, bool liquidation) internal view returns (uint256 value) {
        uint256 balance = EulerVault(collateral).balanceOf(account);
        if (LTVLiquidation[collateral] == 0 || balance == 0) return 0;
        if (liquidation) return oracle.getQuote(balance, collateral, unitOfAccount);
        (value, ) = oracle.getQuotes(balance, collateral, unitOfAccount);
    }

    function accountLiquidityFull(
        address account,
        bool liquidation
    ) external view returns (address[] memory collaterals, uint256[] memory values, uint256 liability) {
        require(connector.getControllers(account)[0] == address(this), "not the controller");
        collaterals = connector.getCollaterals(account);
        values = new uint256[](collaterals.length);
        for (uint256 i = 0; i < values.length; i++)
            values[i] = (collateralValue(account, collaterals[i], liquidation) * LTVLiquidation[collaterals[i]]) / 1e4;
        liability = liabilityValue(account, liquidation);
    }
}
