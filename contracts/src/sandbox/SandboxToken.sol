// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "solady/tokens/ERC20.sol";

/// @title A token worth nothing, to pay with in a sandbox
/// @notice Anybody mints as much as they like. It never leaves the local chain.
contract SandboxToken is ERC20 {
    function name() public pure override returns (string memory) {
        return "Sandbox USD Coin";
    }

    function symbol() public pure override returns (string memory) {
        return "USDC";
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @notice Gives `amount` of the smallest unit to `to`.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
