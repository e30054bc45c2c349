// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.27;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Permit, Strategy} from "../../src/IExecutor.sol";
import {AaveSetup} from "./AaveSetup.sol";

/// A wallet with code, as a Safe is: it owns a position, and calls what its owner tells it to.
contract ContractWallet {
    address private immutable OWNER = msg.sender;

    function run(address target, bytes calldata data) external returns (bytes memory) {
        require(msg.sender == OWNER, "only the owner");
        (bool done, bytes memory answer) = target.call(data);
        require(done, string(answer));
        return answer;
    }
}

/// The code that an account may be given under EIP-7702: it refuses every call that brings no ether.
contract RefusingCode {
    fallback() external payable {
        revert("no");
    }
}

/// Users who are not plain accounts, and users who permit by signature.
contract AaveWalletsTest is AaveSetup {
    function test_user_with_a_contract_wallet() public {
        ContractWallet wallet = new ContractWallet();
        supplyFor(weth, 10e18, address(wallet));
        wallet.run(address(pool), abi.encodeCall(pool.borrow, (address(usdc), 20_000e6, VARIABLE, 0, address(wallet))));
        wallet.run(
            address(aTokenOf(address(weth))), abi.encodeCall(weth.approve, (address(executor), type(uint256).max))
        );
        bytes memory answer = wallet.run(address(executor), abi.encodeCall(executor.setPolicy, (defaultPolicy())));
        (bytes32 id,) = abi.decode(answer, (bytes32, bytes32));
        execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 5_000e6, 1.675e18));
        near(healthFactor(address(wallet)), 1.37e18, 0.01e18, "after");
        wallet.run(address(executor), abi.encodeCall(executor.revokePolicy, (id)));
        yes(!executor.stateOf(id).active, "revoked");
    }

    function test_user_with_eip_7702_code() public {
        bytes32 id = setPolicy();
        allowCollateral(alice, type(uint256).max);
        allowDebt(alice, 3_000e6);
        vm.etch(alice, address(new RefusingCode()).code);
        // Nothing of ours calls the user: code at its address is as good as none.
        uint256 saved = vm.snapshotState();
        execute(runOf(id, Strategy.FLASH_LOAN_UNWIND, 4_000e6, 1.34e18));
        vm.revertToState(saved);
        execute(repayRun(id, 3_000e6));
    }

    function test_permit_with_the_policy() public {
        usdc.mint(alice, 3_000e6);
        Permit[] memory permits = new Permit[](1);
        permits[0] = _permit(3_000e6);
        vm.prank(alice);
        (bytes32 id,) = executor.setPolicyWithPermits(repayOnly(defaultPolicy()), permits);
        eq(usdc.allowance(alice, address(executor)), 3_000e6, "allowance");
        execute(repayRun(id, 3_000e6));
    }

    function test_permit_front_run_does_not_stop_the_policy() public {
        usdc.mint(alice, 3_000e6);
        Permit[] memory permits = new Permit[](1);
        permits[0] = _permit(3_000e6);
        vm.prank(bob);
        usdc.permit(alice, address(executor), 3_000e6, permits[0].deadline, permits[0].v, permits[0].r, permits[0].s);
        vm.prank(alice);
        (bytes32 id,) = executor.setPolicyWithPermits(repayOnly(defaultPolicy()), permits);
        execute(repayRun(id, 3_000e6));
    }

    /// A permit that somebody else signed gives the caller nothing.
    function test_permit_of_another_is_of_no_use() public {
        Permit[] memory permits = new Permit[](1);
        permits[0] = _permit(3_000e6);
        vm.prank(bob);
        executor.setPolicyWithPermits(repayOnly(defaultPolicy()), permits);
        eq(usdc.allowance(alice, address(executor)), 0, "of alice");
        eq(usdc.allowance(bob, address(executor)), 0, "of bob");
    }

    function test_ownership_is_handed_over_in_two_steps() public {
        vm.prank(admin);
        executor.transferOwnership(bob);
        eq(executor.owner(), admin, "not yet");
        vm.prank(keeper);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        executor.acceptOwnership();
        vm.prank(bob);
        executor.acceptOwnership();
        eq(executor.owner(), bob, "taken");
    }

    function _permit(uint256 value) private view returns (Permit memory permit) {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        uint256 deadline = block.timestamp + 1 hours;
        bytes32 content = keccak256(abi.encode(typeHash, alice, address(executor), value, usdc.nonces(alice), deadline));
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(ALICE_KEY, keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), content)));
        permit = Permit(address(usdc), value, deadline, v, r, s);
    }
}
