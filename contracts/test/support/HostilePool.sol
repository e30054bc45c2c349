// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {AaveReserve, IAaveAddressesProvider, IAaveOracle} from "../../src/aave/IAaveV3.sol";
import {TestToken} from "./TestToken.sol";

interface IReceiver {
    function executeOperation(address asset, uint256 amount, uint256 premium, address initiator, bytes calldata params)
        external
        returns (bool);
}

/// Passes a callback on, word for word, from another address.
contract Accomplice {
    function pass(address receiver, bytes calldata data) external {
        (bool done, bytes memory answer) = receiver.call(data);
        if (!done) {
            assembly {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }
}

/// A stand-in for a pool that has turned against its callers: it reads as a pool with one position, and calls back as a
/// test says. (The genuine pool cannot be made to lie.)
contract HostilePool {
    enum Lie {
        NONE,
        NEVER_CALLS_BACK,
        CALLS_BACK_TWICE,
        OTHER_DATA,
        OTHER_AMOUNT,
        OTHER_INITIATOR,
        HIGHER_FEE,
        REENTERS,
        REPAYS_LESS,
        OTHER_CALLER,
        TAKES_LESS
    }

    uint256 public constant POOL_REVISION = 1;
    uint128 public constant FLASHLOAN_PREMIUM_TOTAL = 9;
    TestToken public immutable COLLATERAL;
    TestToken public immutable DEBT;
    TestToken public immutable A_TOKEN = new TestToken("A", 18);
    TestToken public immutable DEBT_TOKEN = new TestToken("V", 6);
    uint256 public healthFactor = 1.2e18;
    Lie public lie;
    bytes public reentry;
    bool public reentered;
    bytes public refusal;

    constructor(TestToken collateral, TestToken debt, address user) {
        (COLLATERAL, DEBT) = (collateral, debt);
        collateral.mint(address(this), 1_000e18);
        debt.mint(address(this), 1_000_000e6);
        A_TOKEN.mint(user, 10e18);
        DEBT_TOKEN.mint(user, 20_000e6);
    }

    function tell(Lie lie_) external {
        lie = lie_;
    }

    function reenterWith(bytes calldata data) external {
        (lie, reentry) = (Lie.REENTERS, data);
    }

    function ADDRESSES_PROVIDER() external view returns (IAaveAddressesProvider) {
        return IAaveAddressesProvider(address(this));
    }

    function getPriceOracle() external view returns (IAaveOracle) {
        return IAaveOracle(address(this));
    }

    function getAssetPrice(address asset) external view returns (uint256) {
        return asset == address(COLLATERAL) ? 3_000e8 : 1e8;
    }

    function getReserveData(address) external view returns (AaveReserve memory reserve) {
        (reserve.aToken, reserve.variableDebtToken) = (address(A_TOKEN), address(DEBT_TOKEN));
    }

    function getUserAccountData(address) external view returns (uint256, uint256, uint256, uint256, uint256, uint256) {
        return (0, 0, 0, 0, 0, healthFactor);
    }

    function repay(address, uint256 amount, uint256, address) external returns (uint256) {
        healthFactor = 1.4e18;
        DEBT.transferFrom(msg.sender, address(this), lie == Lie.REPAYS_LESS ? amount - 1 : amount);
        return amount;
    }

    function withdraw(address, uint256 amount, address to) external returns (uint256) {
        COLLATERAL.transfer(to, amount);
        return amount;
    }

    function flashLoanSimple(address receiver, address asset, uint256 amount, bytes calldata params, uint16) external {
        if (lie == Lie.NEVER_CALLS_BACK) return;
        DEBT.transfer(receiver, amount);
        if (lie == Lie.REENTERS) (reentered, refusal) = msg.sender.call(reentry);
        uint256 fee = (amount * (lie == Lie.HIGHER_FEE ? 10 : 9)) / 10_000;
        bytes memory data = params;
        // The last word of the data: the end of the route, or of the policy.
        if (lie == Lie.OTHER_DATA) data[data.length - 1] = bytes1(uint8(data[data.length - 1]) ^ 1);
        if (lie == Lie.OTHER_CALLER) {
            bytes memory call = abi.encodeCall(IReceiver.executeOperation, (asset, amount, fee, msg.sender, params));
            new Accomplice().pass(receiver, call);
            return;
        }
        uint256 said = lie == Lie.OTHER_AMOUNT ? amount - 1 : amount;
        IReceiver(receiver)
            .executeOperation(asset, said, fee, lie == Lie.OTHER_INITIATOR ? address(1) : msg.sender, data);
        if (lie == Lie.CALLS_BACK_TWICE) {
            IReceiver(receiver).executeOperation(asset, said, fee, msg.sender, data);
        }
        DEBT.transferFrom(receiver, address(this), lie == Lie.TAKES_LESS ? amount : amount + fee);
    }
}
