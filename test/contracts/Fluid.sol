// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Stand-in for Fluid's vault resolver with its vaults and NFTs: the structs as far as they are read, amounts by
/// exchange prices as positionByNftId makes them, setters for many positions. It is the factory of NFTs too.
contract FluidVaults {
    struct Tokens {
        address token0;
        address token1;
    }
    struct Constants {
        address[8] contracts;
        Tokens supplyToken;
        Tokens borrowToken;
        uint256 vaultId;
        uint256 vaultType;
        bytes32[4] slots;
    }
    struct Configs {
        uint16[3] rates;
        uint16 liquidationThreshold;
        uint16[4] limits;
        address oracle;
        uint256 oraclePriceOperate;
        uint256 oraclePriceLiquidate;
        address rebalancer;
        uint256 lastUpdateTimestamp;
    }
    struct ExchangePrices {
        uint256[6] others;
        uint256 vaultSupply;
        uint256 vaultBorrow;
        uint256[6] rates;
    }
    struct Totals {
        uint256 totalSupplyVault;
        uint256 totalBorrowVault;
        uint256[4] others;
    }
    struct VaultData {
        address vault;
        bool isSmartCol;
        bool isSmartDebt;
        Constants constants;
        Configs configs;
        ExchangePrices exchangePrices;
        Totals totals;
        uint256[28] more;
    }
    struct Position {
        uint256 nftId;
        address owner;
        bool isLiquidated;
        bool isSupplyPosition;
        int256 tick;
        uint256 tickId;
        uint256[3] before;
        uint256 supply;
        uint256 borrow;
        uint256 dustBorrow;
    }
    struct DexState {
        uint256[9] prices;
        bool isSwapAndArbitragePaused;
        bool[3] active;
        uint256[13] shifts;
        uint256 token0PerSupplyShare;
        uint256 token1PerSupplyShare;
        uint256 token0PerBorrowShare;
        uint256 token1PerBorrowShare;
    }
    struct Vault {
        Tokens supplyToken;
        Tokens borrowToken;
        uint16 threshold;
        uint256 price;
    }
    struct Raw {
        address owner;
        address vault;
        uint256 supply;
        uint256 borrow;
    }

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event VaultDeployed(address indexed vault, uint256 indexed vaultId);

    uint256 immutable start = block.timestamp;
    uint256 public getTotalVaults;
    address[] all;
    mapping(address => Vault) vaults;
    mapping(address => uint256[]) ids;
    Raw[] raws;
    mapping(address => uint256) suppliedTo;
    mapping(address => uint256) borrowedFrom;
    mapping(address => uint256[4]) perShareOf;

    function list(address vault, Tokens calldata supplyToken, Tokens calldata borrowToken, uint16 threshold, uint256 price) external {
        vaults[vault] = Vault(supplyToken, borrowToken, threshold, price);
        getTotalVaults++;
        all.push(vault);
        emit VaultDeployed(vault, getTotalVaults);
    }

    /// What 1e18 shares of a DEX stand for: of each token per supplied share, then per borrowed one.
    function setShares(address dex, uint256[4] calldata perShare) external {
        perShareOf[dex] = perShare;
    }

    /// As the resolver of the DEXes answers it.
    function getDexState(address dex) external view returns (DexState memory state) {
        uint256[4] storage perShare = perShareOf[dex];
        require(perShare[0] + perShare[2] > 0, "no such dex");
        (state.token0PerSupplyShare, state.token1PerSupplyShare) = (perShare[0], perShare[1]);
        (state.token0PerBorrowShare, state.token1PerBorrowShare) = (perShare[2], perShare[3]);
        for (uint256 i = 0; i < 13; i++) state.shifts[i] = i + 1;
    }

    function getAllVaultsAddresses() external view returns (address[] memory) {
        return all;
    }

    /// Called by a vault; id 0 makes a position.
    function write(uint256 id, address owner, int256 supply, int256 borrow) external returns (uint256) {
        if (raws.length == 0) raws.push(Raw(address(0), address(0), 0, 0));
        if (id == 0) {
            id = raws.length;
            raws.push(Raw(owner, msg.sender, 0, 0));
            ids[owner].push(id);
            emit Transfer(address(0), owner, id);
        }
        raws[id].supply = uint256(int256(raws[id].supply) + supply);
        raws[id].borrow = uint256(int256(raws[id].borrow) + borrow);
        return id;
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(raws[id].owner == from, "not the owner");
        raws[id].owner = to;
        emit Transfer(from, to, id);
    }

    function ownerOf(uint256 id) external view returns (address) {
        return raws[id].owner;
    }

    function set(address vault, address[] calldata users, uint256[] calldata supplied, uint256[] calldata owed) external {
        for (uint256 i = 0; i < users.length; i++) {
            if (supplied[i] + owed[i] == 0) continue;
            ids[users[i]].push(raws.length);
            raws.push(Raw(users[i], vault, supplied[i], owed[i]));
            suppliedTo[vault] += supplied[i];
            borrowedFrom[vault] += owed[i];
        }
    }

    function exchangePrices() public view returns (uint256 supply, uint256 borrow) {
        uint256 elapsed = block.timestamp - start;
        return (1.0123e12 + elapsed * 700, 1.0456e12 + elapsed * 1900);
    }

    function getVaultEntireData(address vault) public view returns (VaultData memory data) {
        Vault storage own = vaults[vault];
        require(own.price > 0, "no such vault");
        data.vault = vault;
        data.isSmartCol = own.supplyToken.token1 != address(0);
        data.isSmartDebt = own.borrowToken.token1 != address(0);
        data.constants.supplyToken = own.supplyToken;
        data.constants.borrowToken = own.borrowToken;
        for (uint256 i = 0; i < 8; i++) data.constants.contracts[i] = vault;
        data.configs.liquidationThreshold = own.threshold;
        data.configs.limits = [uint16(9_500), 500, 300, 0];
        data.configs.oracle = address(this);
        data.configs.oraclePriceOperate = own.price - own.price / 100;
        data.configs.oraclePriceLiquidate = own.price;
        (data.exchangePrices.vaultSupply, data.exchangePrices.vaultBorrow) = exchangePrices();
        data.totals.totalSupplyVault = (suppliedTo[vault] * data.exchangePrices.vaultSupply) / 1e12;
        data.totals.totalBorrowVault = (borrowedFrom[vault] * data.exchangePrices.vaultBorrow) / 1e12;
    }

    function positionsNftIdOfUser(address user) external view returns (uint256[] memory) {
        return ids[user];
    }

    function vaultByNftId(uint256 id) external view returns (address) {
        return raws[id].vault;
    }

    function positionByNftId(uint256 id) public view returns (Position memory position, VaultData memory data) {
        Raw storage own = raws[id];
        data = getVaultEntireData(own.vault);
        position.nftId = id;
        position.owner = own.owner;
        position.isSupplyPosition = own.borrow == 0;
        position.supply = (own.supply * data.exchangePrices.vaultSupply) / 1e12;
        position.borrow = (own.borrow * data.exchangePrices.vaultBorrow) / 1e12;
    }

    function rawOf(uint256 id) external view returns (uint256 supply, uint256 borrow) {
        return (raws[id].supply, raws[id].borrow);
    }

    function figures(uint256 id) external view returns (uint256 collateral, uint256 debt, uint256 healthFactor) {
        (Position memory position, VaultData memory data) = positionByNftId(id);
        collateral = (position.supply * data.configs.oraclePriceLiquidate) / 1e27;
        debt = position.borrow;
        healthFactor = debt == 0 ? type(uint256).max : (collateral * data.configs.liquidationThreshold * 1e18) / (debt * 1e4);
    }
}

/// Stand-in for a vault: what its operate and its liquidate say.
contract FluidVault {
    event LogOperate(address user_, uint256 nftId_, int256 colAmt_, int256 debtAmt_, address to_);

    event LogLiquidate(address liquidator_, uint256 colAmt_, uint256 debtAmt_, address to_);

    FluidVaults immutable vaults;

    constructor(FluidVaults vaults_) {
        vaults = vaults_;
    }

    function operate(uint256 nftId, int256 collateral, int256 debt, address to) external {
        nftId = vaults.write(nftId, msg.sender, collateral, debt);
        emit LogOperate(msg.sender, nftId, collateral, debt, to);
    }

    function liquidate(uint256 collateral, uint256 debt, address to) external {
        emit LogLiquidate(msg.sender, collateral, debt, to);
    }
}
