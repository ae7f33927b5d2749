// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibClone} from "solady/utils/LibClone.sol";

/// @title The factory that clones a token contract for each collection
/// @notice A clone's whole beginning is in its immutable arguments, and they are part of its address: whoever sends
/// `create` first, and however often, the same contract stands at the same address. So there is nothing to protect here,
/// and nobody owns this contract.
contract VitrineFactory {
    /// @notice A collection's contract came into being.
    event Created(address indexed collection, address indexed implementation, bytes32 indexed salt);

    /// @notice The implementation has no code: its clones would accept every call and do nothing.
    error ImplementationMissing();

    /// @notice Clones `implementation` with `args`, or finds the clone that is there already.
    /// @param salt Tells apart collections with equal arguments.
    /// @param args The packed arguments that the implementation reads from its clone's code.
    function create(address implementation, bytes32 salt, bytes calldata args) external returns (address collection) {
        if (implementation.code.length == 0) revert ImplementationMissing();
        bool existed;
        (existed, collection) = LibClone.createDeterministicClone(implementation, args, salt);
        if (!existed) emit Created(collection, implementation, salt);
    }

    /// @notice The address at which `create` with the same arguments puts its clone.
    function predict(address implementation, bytes32 salt, bytes calldata args) external view returns (address) {
        return LibClone.predictDeterministicAddress(implementation, args, salt, address(this));
    }
}
