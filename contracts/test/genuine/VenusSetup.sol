// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {IComptroller, IVToken} from "../../src/compound/ICompoundV2.sol";
import {Feed} from "../support/Feed.sol";
import {TestToken} from "../support/TestToken.sol";
import {MorphoSetup} from "./MorphoSetup.sol";

interface IVenusComptroller is IComptroller {
    function setPriceOracle(address oracle) external;
    function setCloseFactor(uint256 factor) external;
    function setLiquidationIncentive(uint256 incentive) external;
    function supportMarket(address vToken) external;
    function setMarketSupplyCaps(address[] calldata vTokens, uint256[] calldata caps) external;
    function setMarketBorrowCaps(address[] calldata vTokens, uint256[] calldata caps) external;
    function setCollateralFactor(address vToken, uint256 factor, uint256 threshold) external;
    function enterMarkets(address[] calldata vTokens) external returns (uint256[] memory);
    function initialize(uint256 loopLimit, address accessControl) external;
}

interface IVenusToken is IVToken {
    struct RiskManagementInit {
        address shortfall;
        address payable protocolShareReserve;
    }

    function initialize(
        address underlying,
        address comptroller,
        address rates,
        uint256 exchangeRate,
        string calldata name,
        string calldata symbol,
        uint8 decimals,
        address admin,
        address accessControl,
        RiskManagementInit calldata risk,
        uint256 reserveFactor
    ) external;
    function setReduceReservesBlockDelta(uint256 delta) external;
    function mint(uint256 amount) external returns (uint256);
    function mintBehalf(address minter, uint256 amount) external returns (uint256);
    function borrow(uint256 amount) external returns (uint256);
    function balanceOf(address account) external view returns (uint256);
    function approve(address spender, uint256 amount) external returns (bool);
}

interface IAccessControl {
    function giveCallPermission(address target, string calldata signature, address account) external;
}

interface IVenusFeedOracle {
    function setFeed(address vToken, Feed feed, uint256 scale) external;
}

/// A genuine isolated pool of Venus with markets of WETH (threshold 80 %) and USDC, beside the genuine Morpho Blue.
abstract contract VenusSetup is MorphoSetup {
    IVenusComptroller internal comptroller;
    IVenusToken internal vWeth;
    IVenusToken internal vUsdc;
    IVenusFeedOracle internal venusOracle;
    address private rights;
    address private rates;
    address private beacon;

    function deployVenus() internal {
        rights = deploy("VenusAccessControlManager", "");
        string[7] memory calls = [
            "supportMarket(address)",
            "setCollateralFactor(address,uint256,uint256)",
            "setMarketSupplyCaps(address[],uint256[])",
            "setMarketBorrowCaps(address[],uint256[])",
            "setCloseFactor(uint256)",
            "setLiquidationIncentive(uint256)",
            "setReduceReservesBlockDelta(uint256)"
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            IAccessControl(rights).giveCallPermission(address(0), calls[i], address(this));
        }
        address pools =
            deploy("VenusUpgradeableBeacon", abi.encode(deploy("VenusComptroller", abi.encode(address(this)))));
        beacon = deploy(
            "VenusUpgradeableBeacon", abi.encode(deploy("VenusVToken", abi.encode(true, uint256(0), uint256(5e12))))
        );
        rates = deploy(
            "VenusJumpRateModelV2",
            abi.encode(uint256(0), uint256(0.1e18), uint256(2e18), uint256(0.8e18), rights, true, uint256(0))
        );
        comptroller = IVenusComptroller(
            deploy("VenusBeaconProxy", abi.encode(pools, abi.encodeCall(IVenusComptroller.initialize, (100, rights))))
        );
        venusOracle = IVenusFeedOracle(deploy("VenusVenusFeedOracle", ""));
        comptroller.setPriceOracle(address(venusOracle));
        comptroller.setCloseFactor(0.5e18);
        comptroller.setLiquidationIncentive(1.1e18);
        vWeth = _open(weth, 18, wethFeed);
        vUsdc = _open(usdc, 6, usdcFeed);
    }

    function _open(TestToken token, uint8 decimals, Feed feed) private returns (IVenusToken vToken) {
        bytes memory data = abi.encodeCall(
            IVenusToken.initialize,
            (
                address(token),
                address(comptroller),
                rates,
                10 ** (10 + decimals),
                "Venus",
                "v",
                8,
                address(this),
                rights,
                IVenusToken.RiskManagementInit(address(this), payable(address(this))),
                0.1e18
            )
        );
        vToken = IVenusToken(deploy("VenusBeaconProxy", abi.encode(beacon, data)));
        vToken.setReduceReservesBlockDelta(type(uint256).max);
        comptroller.supportMarket(address(vToken));
        address[] memory vTokens = new address[](1);
        uint256[] memory unlimited = new uint256[](1);
        (vTokens[0], unlimited[0]) = (address(vToken), type(uint256).max);
        comptroller.setMarketSupplyCaps(vTokens, unlimited);
        comptroller.setMarketBorrowCaps(vTokens, unlimited);
        venusOracle.setFeed(address(vToken), feed, 10 ** (28 - decimals));
        comptroller.setCollateralFactor(address(vToken), 0.75e18, 0.8e18);
    }

    /// 10 WETH, entered, and `owed` of USDC.
    function borrowOnVenus(address account, uint256 owed) internal {
        usdc.mint(address(this), 1_000_000e6);
        usdc.approve(address(vUsdc), 1_000_000e6);
        vUsdc.mint(1_000_000e6);
        weth.mint(address(this), 10e18);
        weth.approve(address(vWeth), 10e18);
        vWeth.mintBehalf(account, 10e18);
        address[] memory vTokens = new address[](1);
        vTokens[0] = address(vWeth);
        vm.startPrank(account);
        comptroller.enterMarkets(vTokens);
        eq(vUsdc.borrow(owed), 0, "borrow");
        vm.stopPrank();
    }
}
