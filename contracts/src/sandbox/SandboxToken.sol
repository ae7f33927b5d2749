// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "solady/tokens/ERC20.sol";

/// @title A worthless ERC-20, the currency of a sandbox
/// @notice Anyone may mint any amount. It is deployed to a local chain only.
contract SandboxToken is ERC20 {
    /// @notice The token's name.
    function name() public pure override returns (string memory) {
        return "Sandbox USD Coin";
    }

    /// @notice The token's symbol.
    function symbol() public pure override returns (string memory) {
        return "USDC";
    }

    /// @notice The number of decimals of one unit.
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @notice Mints `amount` of the smallest unit to `to`. For anyone.
    /// @dev Reverts with `TotalSupplyOverflow`. Emits `Transfer`.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
