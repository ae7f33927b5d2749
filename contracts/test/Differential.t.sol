// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721 as OzERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "solady/tokens/ERC1155.sol";
import {ERC721} from "solady/tokens/ERC721.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {Vitrine1155} from "../src/Vitrine1155.sol";
import {VitrineToken} from "../src/VitrineToken.sol";
import {AcceptingReceiver, ContractWallet, RejectingAccount} from "./Counterparties.sol";
import {Vm, VitrineTest} from "./VitrineTest.sol";

/// @notice solady's ERC-721 with mints and burns for anyone. A burnt id isn't minted again.
contract SoladyToken is ERC721 {
    mapping(uint256 id => bool) private burnt;

    function name() public pure override returns (string memory) {
        return "Genesis";
    }

    function symbol() public pure override returns (string memory) {
        return "GEN";
    }

    function tokenURI(uint256) public pure override returns (string memory) {
        return "";
    }

    function mint(address to, uint256 id) external {
        require(!burnt[id]);
        _mint(to, id);
    }

    function burn(uint256 id) external {
        _burn(msg.sender, id);
        burnt[id] = true;
    }
}

/// @notice OpenZeppelin's ERC-721 with the same functions.
contract OpenZeppelinToken is OzERC721("Genesis", "GEN") {
    mapping(uint256 id => bool) private burnt;

    function mint(address to, uint256 id) external {
        require(!burnt[id]);
        _mint(to, id);
    }

    function burn(uint256 id) external {
        _update(address(0), id, msg.sender);
        burnt[id] = true;
    }
}

/// @notice Random calls on our token, solady's and OpenZeppelin's succeed or revert alike and emit the same events.
/// Returned data and revert data are solady's to the byte.
contract DifferentialTest is VitrineTest {
    uint256 private constant IDS = 12;
    /// @dev The first id. The ids are on both sides of a chunk's bound.
    uint256 private constant FIRST = 122;

    Vitrine721 private ours;
    SoladyToken private solady;
    OpenZeppelinToken private openZeppelin;
    address[5] private people;

    function setUp() public {
        ours = clone721(termsOf());
        solady = new SoladyToken();
        openZeppelin = new OpenZeppelinToken();
        people = [alice, bob, outsider, address(new AcceptingReceiver()), address(new RejectingAccount())];
    }

    function testFuzz_the_same_calls_have_the_same_results_and_events_on_all_tokens(uint256[12] calldata seeds) public {
        for (uint256 i; i < seeds.length; ++i) {
            callAtRandom(seeds[i]);
            readAtRandom(seeds[i] >> 128);
        }
        for (uint256 id; id < IDS; ++id) {
            bytes memory data = abi.encodeCall(ERC721.ownerOf, (FIRST + id));
            compareRead(data);
            compareRead(abi.encodeCall(ERC721.getApproved, (FIRST + id)));
        }
        for (uint256 i; i < people.length; ++i) {
            compareRead(abi.encodeCall(ERC721.balanceOf, (people[i])));
        }
    }

    /// @dev Makes one random call on all three tokens.
    function callAtRandom(uint256 seed) private {
        uint256 kind = seed % 16;
        address caller = people[(seed >> 8) % 5];
        address other = person(seed >> 16);
        address third = person(seed >> 24);
        uint256 id = FIRST + (seed >> 32) % IDS;
        if (kind < 3) return mintConsecutive(id, seed);
        if (kind == 3) return compareMint(people[(seed >> 16) % 5], id);
        if (kind == 4) return compareCall(caller, abi.encodeCall(SoladyToken.burn, (id)));
        if (kind < 8) return compareCall(caller, abi.encodeCall(ERC721.approve, (other, id)));
        if (kind == 8) {
            // Not the zero address, which OpenZeppelin refuses as an operator.
            bytes memory data =
                abi.encodeCall(ERC721.setApprovalForAll, (people[(seed >> 16) % 5], seed >> 40 & 1 == 0));
            return compareCall(caller, data);
        }
        if (seed >> 41 & 3 != 0) other = ownerOrZero(id);
        if (seed >> 43 & 1 != 0) caller = other;
        if (caller == address(0)) caller = alice;
        if (kind < 13) return compareCall(caller, abi.encodeCall(ERC721.transferFrom, (other, third, id)));
        if (kind < 15) {
            bytes memory data = abi.encodeWithSignature("safeTransferFrom(address,address,uint256)", other, third, id);
            return compareCall(caller, data);
        }
        compareCall(
            caller,
            abi.encodeWithSignature("safeTransferFrom(address,address,uint256,bytes)", other, third, id, hex"1234")
        );
    }

    function readAtRandom(uint256 seed) private view {
        address somebody = person(seed >> 8);
        uint256 id = FIRST + (seed >> 16) % IDS;
        if (seed % 4 == 0) compareRead(abi.encodeCall(ERC721.ownerOf, (id)));
        if (seed % 4 == 1) compareRead(abi.encodeCall(ERC721.balanceOf, (somebody)));
        if (seed % 4 == 2) compareRead(abi.encodeCall(ERC721.getApproved, (id)));
        if (seed % 4 == 3) compareRead(abi.encodeCall(ERC721.isApprovedForAll, (somebody, person(seed >> 24))));
    }

    /// @dev Mints a consecutive batch on ours and, if it succeeds, the same ids one by one on theirs.
    function mintConsecutive(uint256 firstId, uint256 seed) private {
        uint256 length = (seed >> 40) % (FIRST + IDS - firstId) + 1;
        bytes memory packed;
        for (uint256 i; i < length; ++i) {
            packed = abi.encodePacked(packed, people[(seed >> (64 + 4 * i)) % 5]);
        }
        vm.recordLogs();
        vm.prank(minter);
        try ours.adminMintRun(firstId, packed) {}
        catch {
            bool taken;
            for (uint256 i; i < length; ++i) {
                if (ownerOrZero(firstId + i) != address(0) || ours.lowestValidNonce(firstId + i) != 0) taken = true;
            }
            assertTrue(taken);
            return;
        }
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.recordLogs();
        for (uint256 i; i < length; ++i) {
            solady.mint(people[(seed >> (64 + 4 * i)) % 5], firstId + i);
        }
        assertSameLogs(logs, vm.getRecordedLogs());
        for (uint256 i; i < length; ++i) {
            openZeppelin.mint(people[(seed >> (64 + 4 * i)) % 5], firstId + i);
        }
    }

    function compareMint(address to, uint256 id) private {
        bytes memory theirs = abi.encodeCall(SoladyToken.mint, (to, id));
        (bool done,, Vm.Log[] memory logs) =
            callOne(address(ours), minter, abi.encodeCall(Vitrine721.adminMint, (to, id)));
        (bool soladyDone,, Vm.Log[] memory soladyLogs) = callOne(address(solady), minter, theirs);
        (bool openZeppelinDone,, Vm.Log[] memory openZeppelinLogs) = callOne(address(openZeppelin), minter, theirs);
        assertTrue(done == soladyDone && done == openZeppelinDone);
        assertSameLogs(logs, soladyLogs);
        assertSameLogs(logs, openZeppelinLogs);
    }

    function compareCall(address caller, bytes memory data) private {
        (bool done, bytes memory answer, Vm.Log[] memory logs) = callOne(address(ours), caller, data);
        (bool soladyDone, bytes memory soladyAnswer, Vm.Log[] memory soladyLogs) =
            callOne(address(solady), caller, data);
        assertTrue(done == soladyDone);
        assertEq(keccak256(answer), keccak256(soladyAnswer));
        assertSameLogs(logs, soladyLogs);
        (bool openZeppelinDone,, Vm.Log[] memory openZeppelinLogs) = callOne(address(openZeppelin), caller, data);
        assertTrue(done == openZeppelinDone);
        assertSameLogs(logs, openZeppelinLogs);
    }

    function callOne(address token, address caller, bytes memory data)
        private
        returns (bool done, bytes memory answer, Vm.Log[] memory logs)
    {
        vm.recordLogs();
        vm.prank(caller);
        (done, answer) = token.call(data);
        logs = vm.getRecordedLogs();
        // Forge also records the logs of reverted calls.
        if (!done) logs = new Vm.Log[](0);
    }

    function compareRead(bytes memory data) private view {
        (bool done, bytes memory answer) = address(ours).staticcall(data);
        (bool soladyDone, bytes memory soladyAnswer) = address(solady).staticcall(data);
        assertTrue(done == soladyDone);
        assertEq(keccak256(answer), keccak256(soladyAnswer));
        (bool openZeppelinDone, bytes memory openZeppelinAnswer) = address(openZeppelin).staticcall(data);
        assertTrue(done == openZeppelinDone);
        if (done) assertEq(keccak256(answer), keccak256(openZeppelinAnswer));
    }

    function assertSameLogs(Vm.Log[] memory one, Vm.Log[] memory two) private pure {
        assertEq(one.length, two.length);
        for (uint256 i; i < one.length; ++i) {
            assertEq(
                keccak256(abi.encode(one[i].topics, one[i].data)), keccak256(abi.encode(two[i].topics, two[i].data))
            );
        }
    }

    function ownerOrZero(uint256 id) private view returns (address) {
        try solady.ownerOf(id) returns (address holder) {
            return holder;
        } catch {
            return address(0);
        }
    }

    /// @dev One of the people or, one time in eleven, the zero address.
    function person(uint256 seed) private view returns (address) {
        seed = seed % 256 % 11;
        return seed == 10 ? address(0) : people[seed % 5];
    }
}

/// @notice Random calls on a token have the results, errors included, that a plain model of the rules says: transfers with
/// signatures, cancelled nonces, ordinary transfers, approvals and burns.
abstract contract SignedTransfersDifferential is VitrineTest {
    uint256 internal constant IDS = 3;
    uint256 private constant NONCES = 4;

    VitrineToken internal token;
    ContractWallet private wallet = new ContractWallet();
    address[5] internal people;

    // The model.
    mapping(uint256 id => mapping(address account => uint256)) internal unitsOf;
    mapping(address from => mapping(uint256 nonce => bool)) private used;
    bytes32 private walletApproved;

    function digestOf(SignedTransfer memory transfer) internal view virtual returns (bytes32);
    function callOf(SignedTransfer memory transfer, bytes memory signature) internal pure virtual returns (bytes memory);
    /// @dev What the model says of the units alone: the error's selector, or 0.
    function moveError(SignedTransfer memory transfer) internal view virtual returns (bytes4);
    function refusedError() internal pure virtual returns (bytes4);
    function afterMove(SignedTransfer memory transfer) internal virtual;
    /// @dev Another call at random, made on the token and, if it succeeds, in the model.
    function callAtRandom(address caller, uint256 seed) internal virtual;
    function compareToken(uint256 id) internal view virtual;

    function testFuzz_the_same_calls_have_the_same_results_in_a_plain_model(uint256[16] calldata seeds) public {
        people = [alice, bob, address(wallet), address(new AcceptingReceiver()), address(new RejectingAccount())];
        for (uint256 i; i < seeds.length; ++i) {
            uint256 seed = seeds[i];
            if (seed % 8 == 0) callAtRandom(people[(seed >> 8) % 5], seed >> 16);
            else if (seed % 8 == 1) cancelAtRandom(people[(seed >> 8) % 5], seed >> 16);
            else if (seed % 8 == 2) vm.warp(NOW + (seed >> 8) % 4);
            else sendAtRandom(seed >> 8);
        }
        for (uint256 id; id < IDS; ++id) {
            compareToken(id);
        }
        for (uint256 i; i < people.length; ++i) {
            for (uint256 nonce; nonce < NONCES; ++nonce) {
                assertTrue(token.transferNonceUsed(people[i], nonce) == used[people[i]][nonce]);
            }
        }
    }

    function cancelAtRandom(address caller, uint256 seed) private {
        uint256 nonce = seed % NONCES;
        vm.prank(caller);
        (bool done,) = address(token).call(abi.encodeCall(VitrineToken.cancelTransferNonce, (nonce)));
        assertTrue(done != used[caller][nonce]);
        used[caller][nonce] = true;
    }

    function sendAtRandom(uint256 seed) private {
        SignedTransfer memory transfer;
        (transfer.tokenId, transfer.amount) = (seed % IDS, amountFor(seed >> 8));
        (transfer.from, transfer.to) = (people[(seed >> 16) % 4], recipient(seed >> 24));
        (transfer.nonce, transfer.deadline) = ((seed >> 32) % NONCES, NOW + (seed >> 40) % 8);
        (bytes memory signature, bool isSigned) = signAtRandom(transfer, seed >> 48);
        bytes4 expected = errorOf(transfer, isSigned);
        bytes memory data = callOf(transfer, signature);
        vm.prank(people[(seed >> 80) % 5]);
        (bool done, bytes memory answer) = address(token).call(data);
        assertTrue(done == (expected == 0));
        if (!done) {
            assertEq(bytes32(bytes4(answer)), bytes32(expected));
            return;
        }
        used[transfer.from][transfer.nonce] = true;
        unitsOf[transfer.tokenId][transfer.from] -= transfer.amount;
        unitsOf[transfer.tokenId][transfer.to] += transfer.amount;
        afterMove(transfer);
    }

    /// @dev Mostly the signature of `from`, else of somebody else or of another transfer.
    function signAtRandom(SignedTransfer memory transfer, uint256 seed)
        private
        returns (bytes memory signature, bool isSigned)
    {
        bytes32 digest = digestOf(transfer);
        if (seed % 8 == 0) digest = ~digest;
        uint256 key = seed >> 8 & 1 == 0 ? ALICE_KEY : BOB_KEY;
        if (seed >> 16 & 3 != 0) key = transfer.from == bob ? BOB_KEY : ALICE_KEY;
        if (transfer.from == address(wallet)) {
            // The wallet approves it now, or has approved something before.
            if (seed >> 24 & 3 != 0) {
                wallet.approve(digest, "owners");
                walletApproved = digest;
            }
            return ("owners", walletApproved == digestOf(transfer));
        }
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return (abi.encodePacked(r, s, v), vm.addr(key) == transfer.from && seed % 8 != 0);
    }

    function errorOf(SignedTransfer memory transfer, bool isSigned) private view returns (bytes4) {
        if (used[transfer.from][transfer.nonce]) return VitrineToken.TransferNonceIsUsed.selector;
        if (block.timestamp > transfer.deadline) return VitrineToken.TransferIsExpired.selector;
        if (!isSigned) return VitrineToken.TransferIsNotSigned.selector;
        bytes4 selector = moveError(transfer);
        if (selector == 0 && transfer.to == people[4]) return refusedError();
        return selector;
    }

    function amountFor(uint256 seed) internal pure virtual returns (uint256) {
        return seed % 4;
    }

    /// @dev One of the people or, one time in eleven, the zero address.
    function recipient(uint256 seed) private view returns (address) {
        seed = seed % 256 % 11;
        return seed == 10 ? address(0) : people[seed % 5];
    }
}

contract SignedTransfers721Differential is SignedTransfersDifferential {
    mapping(uint256 id => address) private approved;

    function setUp() public {
        Vitrine721 ours = clone721(termsOf());
        token = ours;
        vm.startPrank(minter);
        ours.adminMint(alice, 0);
        ours.adminMint(bob, 1);
        // Its owner is only in a blob until the token is transferred.
        ours.adminMintRun(2, abi.encodePacked(alice));
        vm.stopPrank();
        (unitsOf[0][alice], unitsOf[1][bob], unitsOf[2][alice]) = (1, 1, 1);
    }

    function digestOf(SignedTransfer memory transfer) internal view override returns (bytes32) {
        return transferDigestOf721(address(token), transfer);
    }

    function callOf(SignedTransfer memory transfer, bytes memory signature)
        internal
        pure
        override
        returns (bytes memory)
    {
        return callOf721(transfer, signature);
    }

    function amountFor(uint256) internal pure override returns (uint256) {
        return 1;
    }

    function ownerInModel(uint256 id) private view returns (address) {
        for (uint256 i; i < people.length; ++i) {
            if (unitsOf[id][people[i]] != 0) return people[i];
        }
        return address(0);
    }

    function moveError(SignedTransfer memory transfer) internal view override returns (bytes4) {
        address holder = ownerInModel(transfer.tokenId);
        if (holder == address(0)) return ERC721.TokenDoesNotExist.selector;
        if (holder != transfer.from) return ERC721.TransferFromIncorrectOwner.selector;
        return transfer.to == address(0) ? ERC721.TransferToZeroAddress.selector : bytes4(0);
    }

    function refusedError() internal pure override returns (bytes4) {
        return ERC721.TransferToNonERC721ReceiverImplementer.selector;
    }

    function afterMove(SignedTransfer memory transfer) internal override {
        approved[transfer.tokenId] = address(0);
    }

    function callAtRandom(address caller, uint256 seed) internal override {
        uint256 id = (seed >> 8) % IDS;
        address other = people[(seed >> 16) % 5];
        address holder = ownerInModel(id);
        bool allowed = holder != address(0) && (caller == holder || caller == approved[id]);
        bytes memory data = abi.encodeCall(ERC721.transferFrom, (holder, other, id));
        if (seed % 4 < 2) {
            data = abi.encodeCall(ERC721.approve, (other, id));
            allowed = holder != address(0) && caller == holder;
        } else if (seed % 16 == 3) {
            data = abi.encodeCall(Vitrine721.burn, (id));
        }
        vm.prank(caller);
        (bool done,) = address(token).call(data);
        assertTrue(done == allowed);
        if (!done) return;
        approved[id] = seed % 4 < 2 ? other : address(0);
        if (seed % 4 < 2) return;
        unitsOf[id][holder] = 0;
        if (seed % 16 != 3) unitsOf[id][other] = 1;
    }

    function compareToken(uint256 id) internal view override {
        Vitrine721 ours = Vitrine721(address(token));
        address holder = ownerInModel(id);
        (bool done, bytes memory answer) = address(ours).staticcall(abi.encodeCall(ERC721.ownerOf, (id)));
        assertTrue(done == (holder != address(0)));
        if (!done) return;
        assertEq(abi.decode(answer, (address)), holder);
        assertEq(ours.getApproved(id), approved[id]);
        uint256 owned;
        for (uint256 one; one < IDS; ++one) {
            if (ownerInModel(one) == holder) ++owned;
        }
        assertEq(ours.balanceOf(holder), owned);
    }
}

contract SignedTransfers1155Differential is SignedTransfersDifferential {
    function setUp() public {
        Vitrine1155 ours = clone1155(termsOf());
        token = ours;
        vm.startPrank(minter);
        ours.adminMint(alice, 0, 5, 1);
        ours.adminMint(bob, 1, 5, 2);
        vm.stopPrank();
        (unitsOf[0][alice], unitsOf[1][bob]) = (5, 5);
    }

    function digestOf(SignedTransfer memory transfer) internal view override returns (bytes32) {
        return transferDigestOf1155(address(token), transfer);
    }

    function callOf(SignedTransfer memory transfer, bytes memory signature)
        internal
        pure
        override
        returns (bytes memory)
    {
        return callOf1155(transfer, signature);
    }

    function moveError(SignedTransfer memory transfer) internal view override returns (bytes4) {
        if (transfer.to == address(0)) return ERC1155.TransferToZeroAddress.selector;
        bool isEnough = unitsOf[transfer.tokenId][transfer.from] >= transfer.amount;
        return isEnough ? bytes4(0) : ERC1155.InsufficientBalance.selector;
    }

    function refusedError() internal pure override returns (bytes4) {
        return ERC1155.TransferToNonERC1155ReceiverImplementer.selector;
    }

    function afterMove(SignedTransfer memory) internal override {}

    function callAtRandom(address caller, uint256 seed) internal override {
        (uint256 id, uint256 amount) = ((seed >> 8) % IDS, (seed >> 24) % 4);
        address other = people[(seed >> 16) % 5];
        bool isBurn = seed % 4 == 0;
        bytes memory data = isBurn
            ? abi.encodeCall(Vitrine1155.burn, (caller, id, amount))
            : abi.encodeCall(ERC1155.safeTransferFrom, (caller, other, id, amount, ""));
        vm.prank(caller);
        (bool done,) = address(token).call(data);
        assertTrue(done == (unitsOf[id][caller] >= amount && (isBurn || other != people[4])));
        if (!done) return;
        unitsOf[id][caller] -= amount;
        if (!isBurn) unitsOf[id][other] += amount;
    }

    function compareToken(uint256 id) internal view override {
        for (uint256 i; i < people.length; ++i) {
            assertEq(Vitrine1155(address(token)).balanceOf(people[i], id), unitsOf[id][people[i]]);
        }
    }
}
