// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Stand-in for Fluid's vault resolver with its vaults and NFTs: the structs as far as they are read, amounts by
/// exchange prices as positionByNftId makes them, ticks and liquidations (fluid-contracts-public a9949b48:
/// resolvers/vault/main.sol, vaultTypesCommon/coreModule/main.sol, libraries/tickMath.sol), setters for many positions. It is
/// the factory of NFTs too.
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
        uint96 dust;
        address vault;
        int24 tick;
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
        if (raws.length == 0) raws.push(Raw(address(0), 0, address(0), 0, 0, 0));
        if (id == 0) {
            id = raws.length;
            raws.push(Raw(owner, 0, msg.sender, 0, 0, 0));
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
            (int24 tick, uint96 dust) = owed[i] == 0 ? (int24(0), 0) : placed(supplied[i], owed[i]);
            raws.push(Raw(users[i], dust, vault, tick, supplied[i], owed[i]));
            suppliedTo[vault] += supplied[i];
            borrowedFrom[vault] += owed[i] + dust;
        }
    }

    /// 1 / 1.0015^(2^i), with 128 fractional bits.
    function factors() internal pure returns (uint128[15] memory) {
        return [
            uint128(0xff9dd7de423466c20352b1246ce4856f),
            0xff3bd55f4488ad277531fa1c725a66d0,
            0xfe78410fd6498b73cb96a6917f853259,
            0xfcf2d9987c9be178ad5bfeffaa123273,
            0xf9ef02c4529258b057769680fc6601b3,
            0xf402d288133a85a17784a411f7aba082,
            0xe895615b5beb6386553757b0352bda90,
            0xd34f17a00ffa00a8309940a15930391a,
            0xae6b7961714e20548d88ea5123f9a0ff,
            0x76d6461f27082d74e0feed3b388c0ca1,
            0x372a3bfe0745d8b6b19d985d9a8b85bb,
            0xbe32cbee48979763cf7247dd7bb539d,
            0x8d4f70c9ff4924dac37612d1e2921e,
            0x4e009ae5519380809a02ca7aec77,
            0x17c45e641b6e95dee056ff10
        ];
    }

    function ratioOf(uint128[15] memory factor, int24 tick) internal pure returns (uint256 ratio) {
        uint256 size = uint24(tick < 0 ? -tick : tick);
        uint256 inverse = 1 << 128;
        for (uint256 i = 0; i < 15; i++) if ((size >> i) & 1 == 1) inverse = (inverse * factor[i]) >> 128;
        if (tick < 0) return inverse >> 32;
        ratio = type(uint256).max / inverse;
        ratio = (ratio >> 32) + (ratio % (1 << 32) == 0 ? 0 : 1);
    }

    function ratioAt(int24 tick) public pure returns (uint256) {
        return ratioOf(factors(), tick);
    }

    /// The highest tick whose ratio is not above.
    function tickAt(uint256 ratio) public pure returns (int24 low) {
        uint128[15] memory factor = factors();
        int24 high = 32767;
        low = -32767;
        while (low < high) {
            int24 middle = low + (high - low + 1) / 2;
            if (ratioOf(factor, middle) <= ratio) low = middle;
            else high = middle - 1;
        }
    }

    /// A debt is rounded up to the next tick.
    function placed(uint256 supply, uint256 borrow) internal pure returns (int24 tick, uint96 dust) {
        tick = tickAt((borrow << 96) / supply) + 1;
        uint256 rounded = (ratioAt(tick) * supply) >> 96;
        while (rounded < borrow) rounded = (ratioAt(++tick) * supply) >> 96;
        require(rounded - borrow <= type(uint96).max, "dust");
        dust = uint96(rounded - borrow);
    }

    /// The NFT of a vault for a wallet that did not ask for it.
    function give(address vault, address owner, uint256 supply) external {
        ids[owner].push(raws.length);
        raws.push(Raw(owner, 0, vault, 0, supply, 0));
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
        position.tick = own.tick;
        position.dustBorrow = (uint256(own.dust) * data.exchangePrices.vaultBorrow) / 1e12;
        position.supply = (own.supply * data.exchangePrices.vaultSupply) / 1e12;
        position.borrow = (own.borrow * data.exchangePrices.vaultBorrow) / 1e12;
    }

    function rawOf(uint256 id) external view returns (uint256 supply, uint256 borrow) {
        return (raws[id].supply, raws[id].borrow + raws[id].dust);
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
