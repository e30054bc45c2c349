// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AaveReserve, IAaveAddressesProvider, IAavePool} from "../../src/aave/IAaveV3.sol";
import {Feed} from "../support/Feed.sol";
import {TestToken} from "../support/TestToken.sol";
import {Genuine} from "./Genuine.sol";

interface IPool is IAavePool {
    function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode) external;
    function borrow(address asset, uint256 amount, uint256 rateMode, uint16 referral, address onBehalfOf) external;
    function setUserEMode(uint8 categoryId) external;
    function setUserUseReserveAsCollateral(address asset, bool useAsCollateral) external;
}

interface IGovernance is IAaveAddressesProvider {
    function setPoolImpl(address implementation) external;
    function setPoolConfiguratorImpl(address implementation) external;
    function setACLAdmin(address admin) external;
    function setACLManager(address manager) external;
    function setPriceOracle(address oracle) external;
    function setPoolDataProvider(address dataProvider) external;
    function getPool() external view returns (address);
    function getPoolConfigurator() external view returns (address);
}

interface IAclManager {
    function addPoolAdmin(address admin) external;
    function addEmergencyAdmin(address admin) external;
}

struct InitReserveInput {
    address aTokenImpl;
    address stableDebtTokenImpl;
    address variableDebtTokenImpl;
    uint8 underlyingAssetDecimals;
    address interestRateStrategyAddress;
    address underlyingAsset;
    address treasury;
    address incentivesController;
    string aTokenName;
    string aTokenSymbol;
    string variableDebtTokenName;
    string variableDebtTokenSymbol;
    string stableDebtTokenName;
    string stableDebtTokenSymbol;
    bytes params;
}

interface IConfigurator {
    function initReserves(InitReserveInput[] calldata input) external;
    function configureReserveAsCollateral(address asset, uint256 ltv, uint256 threshold, uint256 bonus) external;
    function setReserveBorrowing(address asset, bool enabled) external;
    function setReserveFlashLoaning(address asset, bool enabled) external;
    function setReserveFreeze(address asset, bool freeze) external;
    function setReservePause(address asset, bool paused) external;
    function setPoolPause(bool paused) external;
    function setDebtCeiling(address asset, uint256 ceiling) external;
    function setBorrowableInIsolation(address asset, bool borrowable) external;
    function updateFlashloanPremiumTotal(uint128 premium) external;
    function setEModeCategory(
        uint8 categoryId,
        uint16 ltv,
        uint16 threshold,
        uint16 bonus,
        address oracle,
        string calldata label
    ) external;
    function setAssetEModeCategory(address asset, uint8 categoryId) external;
}

interface IPriceOracle {
    function setAssetSources(address[] calldata assets, address[] calldata sources) external;
}

/// A genuine Aave v3.0 market, which this contract governs, with any number of assets.
abstract contract AaveMarket is Genuine {
    uint256 internal constant VARIABLE = 2;
    uint256 private constant RAY = 1e27;

    IPool internal pool;
    IGovernance internal provider;
    IConfigurator internal configurator;
    IPriceOracle internal aaveOracle;

    address private strategy;
    address private treasury = address(0x7ea5);

    function deployAave() internal {
        string[8] memory libraries = [
            "BorrowLogic",
            "BridgeLogic",
            "EModeLogic",
            "LiquidationLogic",
            "PoolLogic",
            "SupplyLogic",
            "ConfiguratorLogic",
            "FlashLoanLogic"
        ];
        for (uint160 i = 0; i < libraries.length; ++i) {
            deployAt(libraries[i], address(0xaa0001 + i));
        }
        provider = IGovernance(deploy("PoolAddressesProvider", abi.encode("test", address(this))));
        provider.setPoolImpl(deploy("Pool", abi.encode(provider)));
        provider.setPoolConfiguratorImpl(deploy("PoolConfigurator", ""));
        provider.setACLAdmin(address(this));
        IAclManager acl = IAclManager(deploy("ACLManager", abi.encode(provider)));
        provider.setACLManager(address(acl));
        acl.addPoolAdmin(address(this));
        acl.addEmergencyAdmin(address(this));
        provider.setPoolDataProvider(deploy("AaveProtocolDataProvider", abi.encode(provider)));
        pool = IPool(provider.getPool());
        vm.label(address(pool), "pool");
        configurator = IConfigurator(provider.getPoolConfigurator());
        address[] memory none = new address[](0);
        aaveOracle =
            IPriceOracle(deploy("AaveOracle", abi.encode(provider, none, none, address(0), address(0), uint256(1e8))));
        provider.setPriceOracle(address(aaveOracle));
        // 80 % optimal, 0 base, then 4 and 75 %: variable; the stable rates are not used.
        strategy = deploy(
            "DefaultReserveInterestRateStrategy",
            abi.encode(
                provider,
                (RAY * 80) / 100,
                uint256(0),
                (RAY * 4) / 100,
                (RAY * 75) / 100,
                RAY / 200,
                (RAY * 75) / 100,
                RAY / 100,
                RAY / 12,
                RAY / 5
            )
        );
        configurator.updateFlashloanPremiumTotal(9);
    }

    /// Lists an asset with its threshold (zero: never collateral) and the feed that prices it.
    function list(address asset, uint8 decimals, uint256 ltvBps, uint256 thresholdBps, Feed feed) internal {
        InitReserveInput[] memory input = new InitReserveInput[](1);
        input[0] = InitReserveInput({
            aTokenImpl: deploy("AToken", abi.encode(pool)),
            stableDebtTokenImpl: deploy("StableDebtToken", abi.encode(pool)),
            variableDebtTokenImpl: deploy("VariableDebtToken", abi.encode(pool)),
            underlyingAssetDecimals: decimals,
            interestRateStrategyAddress: strategy,
            underlyingAsset: asset,
            treasury: treasury,
            incentivesController: address(0),
            aTokenName: "a",
            aTokenSymbol: "a",
            variableDebtTokenName: "v",
            variableDebtTokenSymbol: "v",
            stableDebtTokenName: "s",
            stableDebtTokenSymbol: "s",
            params: "1"
        });
        configurator.initReserves(input);
        if (thresholdBps != 0) configurator.configureReserveAsCollateral(asset, ltvBps, thresholdBps, 10_500);
        configurator.setReserveBorrowing(asset, true);
        configurator.setReserveFlashLoaning(asset, true);
        price(asset, feed);
    }

    function price(address asset, Feed feed) internal {
        address[] memory assets = new address[](1);
        address[] memory sources = new address[](1);
        (assets[0], sources[0]) = (asset, address(feed));
        aaveOracle.setAssetSources(assets, sources);
    }

    function aTokenOf(address asset) internal view returns (IERC20) {
        return IERC20(pool.getReserveData(asset).aToken);
    }

    function debtTokenOf(address asset) internal view returns (IERC20) {
        return IERC20(pool.getReserveData(asset).variableDebtToken);
    }

    function healthFactor(address account) internal view returns (uint256 factor) {
        (,,,,, factor) = pool.getUserAccountData(account);
    }

    /// Mints and supplies for `account`.
    function supplyFor(TestToken token, uint256 amount, address account) internal {
        token.mint(address(this), amount);
        // Some tokens answer this with nothing.
        (bool done,) = address(token).call(abi.encodeCall(token.approve, (address(pool), amount)));
        yes(done, "approve");
        pool.supply(address(token), amount, account, 0);
    }
}
