// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Takes nothing: neither coin nor tokens.
contract Refuser {
    bytes private secret = "no";

    function sizeOfSecret() external view returns (uint256) {
        return secret.length;
    }
}

/// @notice Burns all the gas it is given.
contract GasBurner {
    fallback() external payable {
        while (true) {}
    }
}

/// @notice Refuses with an answer so long that copying it would cost more than the call.
contract Rambler {
    fallback() external payable {
        assembly {
            revert(0x00, 100000)
        }
    }
}

/// @notice Answers a receiver's question with another question's answer.
contract Confused {
    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return 0x150b7a02;
    }
}

/// @notice Takes every token, and remembers what it was told.
contract Receiver {
    address public operator;
    address public from;
    uint256 public id;
    uint256 public amount;

    function onERC1155Received(address operator_, address from_, uint256 id_, uint256 amount_, bytes calldata)
        external
        returns (bytes4)
    {
        (operator, from, id, amount) = (operator_, from_, id_, amount_);
        return 0xf23a6e61;
    }

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return 0x150b7a02;
    }

    receive() external payable {}
}

/// @notice Whenever it is paid or given a token, calls back once with what it was prepared to call.
contract Reentrant {
    address private target;
    bytes private data;
    uint256 private value;
    bool private refuses;
    bool public tried;
    bool public succeeded;

    function prepare(address target_, bytes calldata data_, uint256 value_) external payable {
        (target, data, value) = (target_, data_, value_);
    }

    /// @dev Refuses whatever tokens it is given, once it has called back.
    function refuse() external {
        refuses = true;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4) {
        callBack();
        return refuses ? bytes4(0) : bytes4(0xf23a6e61);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4) {
        callBack();
        return refuses ? bytes4(0) : bytes4(0x150b7a02);
    }

    function transferFrom(address, address, uint256) external returns (bool) {
        callBack();
        return true;
    }

    receive() external payable {
        callBack();
    }

    function callBack() private {
        if (tried || target == address(0)) return;
        tried = true;
        (succeeded,) = target.call{value: value}(data);
    }
}

/// @notice A contract that signs (ERC-1271) whatever its one approved digest is.
contract ContractSigner {
    bytes32 private approved;
    bytes private proof;

    function approve(bytes32 digest, bytes calldata proof_) external {
        (approved, proof) = (digest, proof_);
    }

    function isValidSignature(bytes32 digest, bytes calldata proof_) external view returns (bytes4) {
        return digest == approved && keccak256(proof_) == keccak256(proof) ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// @notice An ERC-20 that misbehaves on request.
contract Money {
    enum Manner {
        Proper,
        Silent, // returns nothing, as some old tokens do
        False, // returns false instead of reverting
        Reverting
    }

    Manner public manner;
    address public refused;
    /// @dev What it keeps of each transfer, in percent.
    uint256 public fee;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function give(address to, uint256 amount, address spender) external {
        balanceOf[to] += amount;
        allowance[to][spender] += amount;
    }

    function behave(Manner manner_) external {
        manner = manner_;
    }

    function charge(uint256 fee_) external {
        fee = fee_;
    }

    function refuse(address payee) external {
        refused = payee;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        if (manner == Manner.False) answer(0);
        require(manner != Manner.Reverting && to != refused, "refused");
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - amount * fee / 100;
        if (manner == Manner.Proper) answer(1);
    }

    function answer(uint256 word) private pure {
        assembly {
            mstore(0x00, word)
            return(0x00, 0x20)
        }
    }
}
