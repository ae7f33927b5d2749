// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Accepts neither coin nor tokens.
contract RejectingAccount {
    bytes private secret = "no";

    function sizeOfSecret() external view returns (uint256) {
        return secret.length;
    }
}

/// @notice Burns all the gas it gets.
contract GasBurner {
    fallback() external payable {
        while (true) {}
    }
}

/// @notice Reverts with data so long that copying it would cost more than the call.
contract LongRevertAccount {
    fallback() external payable {
        assembly {
            revert(0x00, 100000)
        }
    }
}

/// @notice Answers `onERC1155Received` with the selector of `onERC721Received`.
contract WrongAnswerReceiver {
    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return 0x150b7a02;
    }
}

/// @notice Accepts every token, and records the arguments of the last call.
contract AcceptingReceiver {
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

    function onERC721Received(address operator_, address from_, uint256 id_, bytes calldata) external returns (bytes4) {
        (operator, from, id, amount) = (operator_, from_, id_, 1);
        return 0x150b7a02;
    }

    receive() external payable {}
}

/// @notice Accepts every token, after it has used a certain amount of gas.
contract CostlyReceiver {
    uint256 private cost;

    function setCost(uint256 cost_) external {
        cost = cost_;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external view returns (bytes4) {
        uint256 start = gasleft();
        uint256 cost_ = cost;
        while (start - gasleft() < cost_) {}
        return 0xf23a6e61;
    }
}

/// @notice Makes its prepared call once, the first time that it gets coin or a token or is called as an ERC-20.
contract ReentrantAccount {
    address private target;
    bytes private data;
    uint256 private value;
    bool private refuses;
    bool public tried;
    bool public succeeded;

    function prepare(address target_, bytes calldata data_, uint256 value_) external payable {
        (target, data, value) = (target_, data_, value_);
    }

    /// @dev Makes it refuse tokens, after its call.
    function refuse() external {
        refuses = true;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4) {
        reenter();
        return refuses ? bytes4(0) : bytes4(0xf23a6e61);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4) {
        reenter();
        return refuses ? bytes4(0) : bytes4(0x150b7a02);
    }

    function transferFrom(address, address, uint256) external returns (bool) {
        reenter();
        return true;
    }

    receive() external payable {
        reenter();
    }

    function reenter() private {
        if (tried || target == address(0)) return;
        tried = true;
        (succeeded,) = target.call{value: value}(data);
    }
}

/// @notice A contract whose only valid ERC-1271 signature is the approved proof of the approved digest.
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

/// @notice A wallet that is a contract, whose behaviour when it is asked for a signature (ERC-1271) can be set.
contract ContractWallet is AcceptingReceiver {
    enum Behaviour {
        Standard,
        UsesMuchGas, // before the right answer
        BurnsGas,
        Reverts,
        AnswersShort, // the right four bytes, and nothing after them
        AnswersTrue, // instead of the four bytes
        Reenters // with its prepared call, before the right answer
    }

    Behaviour private behaviour;
    bytes32 private approved;
    bytes private proof;
    address private target;
    bytes private data;

    function setBehaviour(Behaviour behaviour_) external {
        behaviour = behaviour_;
    }

    /// @dev Makes `proof_` the only valid signature, of this digest.
    function approve(bytes32 digest, bytes calldata proof_) external {
        (approved, proof) = (digest, proof_);
    }

    function prepare(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function isValidSignature(bytes32 digest, bytes calldata proof_) external returns (bytes4) {
        if (behaviour == Behaviour.UsesMuchGas) {
            uint256 start = gasleft();
            while (start - gasleft() < 400_000) {}
        }
        if (behaviour == Behaviour.BurnsGas) {
            while (true) {}
        }
        require(behaviour != Behaviour.Reverts);
        if (behaviour == Behaviour.AnswersShort) {
            assembly {
                mstore(0x00, shl(224, 0x1626ba7e))
                return(0x00, 0x04)
            }
        }
        if (behaviour == Behaviour.AnswersTrue) return 0x00000001;
        if (behaviour == Behaviour.Reenters) {
            (bool done,) = target.call(data);
            require(!done);
        }
        return digest == approved && keccak256(proof_) == keccak256(proof) ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// @notice An ERC-20 whose misbehaviour can be set.
contract MockERC20 {
    enum Behaviour {
        Standard,
        NoReturnValue, // as some old tokens
        ReturnsFalse, // instead of reverting
        Reverts
    }

    Behaviour public behaviour;
    address public blocked;
    /// @dev The fee that each transfer loses, in percent.
    uint256 public fee;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mintAndApprove(address to, uint256 amount, address spender) external {
        balanceOf[to] += amount;
        allowance[to][spender] += amount;
    }

    function setBehaviour(Behaviour behaviour_) external {
        behaviour = behaviour_;
    }

    function setFeePercent(uint256 fee_) external {
        fee = fee_;
    }

    /// @dev Makes transfers to `payee` revert; the zero address unblocks.
    function blockPayee(address payee) external {
        blocked = payee;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        if (behaviour == Behaviour.ReturnsFalse) returnWord(0);
        require(behaviour != Behaviour.Reverts && to != blocked, "blocked");
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - amount * fee / 100;
        if (behaviour == Behaviour.Standard) returnWord(1);
    }

    function returnWord(uint256 word) private pure {
        assembly {
            mstore(0x00, word)
            return(0x00, 0x20)
        }
    }
}
