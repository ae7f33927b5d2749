// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibClone} from "solady/utils/LibClone.sol";

/// @title The factory that clones a token contract for each collection
/// @notice A clone's initial state is its immutable arguments, and its address depends on them. `create` therefore
/// gives the same contract at the same address, whoever calls it and however often. So there is nothing to protect
/// here, and nobody owns this contract.
contract VitrineFactory {
    /// @notice Emitted when a clone is created, not when `create` finds an existing one.
    event Created(address indexed collection, address indexed implementation, bytes32 indexed salt);

    /// @notice Thrown when the implementation has no code: its clones would accept every call and do nothing.
    error ImplementationMissing();

    /// @notice Clones `implementation` with `args`, or finds the clone that exists already. For anyone.
    /// @dev Reverts with `ImplementationMissing`. Emits `Created` when the clone is new.
    /// @param salt Distinguishes collections with equal arguments.
    /// @param args The packed arguments that the implementation reads from its clone's code (see `VitrineToken`).
    /// @return collection The clone's address.
    function create(address implementation, bytes32 salt, bytes calldata args) external returns (address collection) {
        if (implementation.code.length == 0) revert ImplementationMissing();
        bool existed;
        (existed, collection) = LibClone.createDeterministicClone(implementation, args, salt);
        if (!existed) emit Created(collection, implementation, salt);
    }

    /// @notice The address of the clone that `create` makes with the same arguments, whether or not it exists.
    function predict(address implementation, bytes32 salt, bytes calldata args) external view returns (address) {
        return LibClone.predictDeterministicAddress(implementation, args, salt, address(this));
    }
}
