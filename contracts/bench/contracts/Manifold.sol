// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

interface ICreator {
    function initialize(string calldata name, string calldata symbol) external;
    function transferOwnership(address owner) external;
    function mintExtension(address to) external returns (uint256);
}

/// Creates minimal clones and initialises them, because Manifold's package has no proxy of its own.
contract ManifoldFactory {
    event Created(address collection);

    function create(address implementation, bytes32 salt) external {
        address collection = Clones.cloneDeterministic(implementation, salt);
        ICreator(collection).initialize("Genesis", "GEN");
        ICreator(collection).transferOwnership(msg.sender);
        emit Created(collection);
    }
}

/// The minimal extension that mints to many recipients, as Manifold's airdrop app does with one.
contract ManifoldAirdrop {
    address internal immutable owner = msg.sender;

    function airdrop(ICreator creator, address[] calldata to) external {
        require(msg.sender == owner);
        for (uint256 i; i < to.length; ++i) {
            creator.mintExtension(to[i]);
        }
    }
}
