// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The queue of a timelock, with the functions and events of Compound's. Anyone may use it.
contract QueueTimelock {
    event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    event CancelTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    event ExecuteTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);

    uint256 public constant GRACE_PERIOD = 14 days;
    mapping(bytes32 => bool) public queuedTransactions;

    function queueTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external {
        bytes32 txHash = keccak256(abi.encode(target, value, signature, data, eta));
        queuedTransactions[txHash] = true;
        emit QueueTransaction(txHash, target, value, signature, data, eta);
    }

    function cancelTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external {
        bytes32 txHash = keccak256(abi.encode(target, value, signature, data, eta));
        queuedTransactions[txHash] = false;
        emit CancelTransaction(txHash, target, value, signature, data, eta);
    }

    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external {
        bytes32 txHash = keccak256(abi.encode(target, value, signature, data, eta));
        require(queuedTransactions[txHash] && block.timestamp >= eta && block.timestamp <= eta + GRACE_PERIOD, "not now");
        queuedTransactions[txHash] = false;
        bytes memory call = bytes(signature).length == 0 ? data : abi.encodePacked(bytes4(keccak256(bytes(signature))), data);
        (bool success, ) = target.call{value: value}(call);
        require(success, "reverted");
        emit ExecuteTransaction(txHash, target, value, signature, data, eta);
    }
}

/// Makes the calls of its owner, by delegatecall where the owner wants it.
contract PayloadExecutor {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, bool withDelegatecall)
        external
        payable
        returns (bytes memory)
    {
        require(msg.sender == owner, "not the owner");
        bytes memory call = bytes(signature).length == 0 ? data : abi.encodePacked(bytes4(keccak256(bytes(signature))), data);
        (bool success, bytes memory result) = withDelegatecall ? target.delegatecall(call) : target.call{value: value}(call);
        require(success, "reverted");
        return result;
    }
}

/// The queue of payloads, with the views of the payloads controller of Aave. Anyone may use it.
contract PayloadQueue {
    struct Action {
        address target;
        bool withDelegateCall;
        uint8 accessLevel;
        uint256 value;
        string signature;
        bytes callData;
    }

    struct Payload {
        address creator;
        uint8 maximumAccessLevelRequired;
        uint8 state;
        uint40 createdAt;
        uint40 queuedAt;
        uint40 executedAt;
        uint40 cancelledAt;
        uint40 expirationTime;
        uint40 delay;
        uint40 gracePeriod;
        Action[] actions;
    }

    struct ExecutorConfig {
        address executor;
        uint40 delay;
    }

    uint40 private constant DELAY = 1 days;
    uint40 private constant GRACE = 7 days;
    PayloadExecutor public immutable executor;
    Payload[] private payloads;

    constructor() {
        executor = new PayloadExecutor(address(this));
    }

    function getPayloadsCount() external view returns (uint40) {
        return uint40(payloads.length);
    }

    function getPayloadById(uint40 payloadId) external view returns (Payload memory) {
        return payloads[payloadId];
    }

    function getExecutorSettingsByAccessControl(uint8) external view returns (ExecutorConfig memory) {
        return ExecutorConfig(address(executor), DELAY);
    }

    /// Queues the execution of a payload contract.
    function queue(address payload) external {
        Payload storage added = payloads.push();
        added.state = 2;
        added.queuedAt = uint40(block.timestamp);
        added.delay = DELAY;
        added.gracePeriod = GRACE;
        added.actions.push(Action(payload, true, 1, 0, "execute()", ""));
    }

    function execute(uint40 payloadId) external {
        Payload storage known = payloads[payloadId];
        require(known.state == 2 && block.timestamp > known.queuedAt + known.delay, "not now");
        known.state = 3;
        known.executedAt = uint40(block.timestamp);
        Action memory action = known.actions[0];
        executor.executeTransaction(action.target, action.value, action.signature, action.callData, action.withDelegateCall);
    }

    function cancel(uint40 payloadId) external {
        payloads[payloadId].state = 4;
        payloads[payloadId].cancelledAt = uint40(block.timestamp);
    }
}

interface IConfigurator {
    function configureReserveAsCollateral(address asset, uint256 ltv, uint256 liquidationThreshold, uint256 liquidationBonus) external;
    function setAssetEModeCategory(address asset, uint8 newCategoryId) external;
    function setSupplyCap(address asset, uint256 newSupplyCap) external;
    function setBorrowCap(address asset, uint256 newBorrowCap) external;
}

/// A payload that sets the collateral of one asset of an Aave market.
contract CollateralPayload {
    IConfigurator private immutable configurator;
    address private immutable asset;
    uint256 private immutable ltv;
    uint256 private immutable threshold;
    uint256 private immutable bonus;

    constructor(IConfigurator configurator_, address asset_, uint256 ltv_, uint256 threshold_, uint256 bonus_) {
        configurator = configurator_;
        asset = asset_;
        ltv = ltv_;
        threshold = threshold_;
        bonus = bonus_;
    }

    function execute() external {
        configurator.configureReserveAsCollateral(asset, ltv, threshold, bonus);
    }
}

/// A payload after which an e-mode of an Aave market no longer accepts an asset.
contract EModePayload {
    IConfigurator private immutable configurator;
    address private immutable asset;

    constructor(IConfigurator configurator_, address asset_) {
        configurator = configurator_;
        asset = asset_;
    }

    function execute() external {
        configurator.setAssetEModeCategory(asset, 0);
    }
}

/// A payload that sets the caps of two assets of an Aave market, in whole tokens.
contract CapPayload {
    IConfigurator private immutable configurator;
    address private immutable supplied;
    address private immutable borrowed;
    uint256 private immutable cap;

    constructor(IConfigurator configurator_, address supplied_, address borrowed_, uint256 cap_) {
        configurator = configurator_;
        supplied = supplied_;
        borrowed = borrowed_;
        cap = cap_;
    }

    function execute() external {
        configurator.setSupplyCap(supplied, cap);
        configurator.setBorrowCap(borrowed, cap);
    }
}

/// The LTVs of a vault of Euler, of which one collateral falls with time.
contract RampedVault {
    uint16 public liquidationLTV;
    uint16 public initialLiquidationLTV;
    uint48 public targetTimestamp;

    function setLTV(uint16 from, uint16 to, uint48 until) external {
        (initialLiquidationLTV, liquidationLTV, targetTimestamp) = (from, to, until);
    }

    function LTVFull(address) external view returns (uint16, uint16, uint16, uint48, uint32) {
        return (liquidationLTV, liquidationLTV, initialLiquidationLTV, targetTimestamp, 1 days);
    }
}
