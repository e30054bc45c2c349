// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Fixtures for tests of what stands around a reader, no proof of what they list: the read interfaces and logs of contracts that list
/// the proxies of a wallet, with setters. Genuine contracts are in test/listings, and DSProxies in the recording of Maker.

/// ProxyRegistry of Maker. A proxy that is given away stays in it.
contract DsProxyRegistry {
    mapping(address => address) public proxies;

    function build(address owner) external {
        proxies[owner] = address(new DsProxy(owner));
    }
}

contract DsProxy {
    address public owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function setOwner(address owner_) external {
        owner = owner_;
    }
}

/// The resolver of Instadapp over the accounts of its list.
contract InstadappResolver {
    mapping(address => address[]) accounts;

    function addAuth(address authority, address account) external {
        accounts[authority].push(account);
    }

    function getAuthorityAccounts(address authority) external view returns (address[] memory) {
        return accounts[authority];
    }
}

/// AccountGuard of Summer.fi.
contract SummerGuard {
    mapping(address => address) public owners;

    event ProxyOwnershipTransferred(address indexed newOwner, address indexed oldAddress, address indexed proxy);

    function create(address owner, address proxy) external {
        owners[proxy] = owner;
    }

    function changeOwner(address newOwner, address proxy) external {
        emit ProxyOwnershipTransferred(newOwner, owners[proxy], proxy);
        owners[proxy] = newOwner;
    }
}

/// AccountFactory of Summer.fi.
contract SummerFactory {
    SummerGuard immutable guard;
    uint256 count;

    event AccountCreated(address indexed proxy, address indexed user, uint256 indexed vaultId);

    constructor(SummerGuard guard_) {
        guard = guard_;
    }

    function createAccount(address user, address proxy) external {
        guard.create(user, proxy);
        emit AccountCreated(proxy, user, ++count);
    }
}
