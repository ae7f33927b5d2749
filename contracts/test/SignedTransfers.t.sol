// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC1155} from "solady/tokens/ERC1155.sol";
import {ERC721} from "solady/tokens/ERC721.sol";
import {VitrineToken} from "../src/VitrineToken.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {Vitrine1155} from "../src/Vitrine1155.sol";
import {
    AcceptingReceiver,
    ContractWallet,
    GasBurner,
    LongRevertAccount,
    ReentrantAccount,
    RejectingAccount,
    WrongAnswerReceiver
} from "./Counterparties.sol";
import {Vm, VitrineTest} from "./VitrineTest.sol";

/// @notice Tests of transfers with signatures that run on both token contracts. Alice has units of token 1.
abstract contract SignedTransferRules is VitrineTest {
    /// @dev The token contract under test. Both have the same functions but for the transfers themselves.
    VitrineToken internal token;

    function newToken(Terms memory terms) internal virtual returns (address);
    /// @dev The units that `mint` gives.
    function units() internal pure virtual returns (uint256);
    function mint(address to, uint256 id) internal virtual;
    function burn(address from, uint256 id) internal virtual;
    function held(address account, uint256 id) internal view virtual returns (uint256);
    function digestOf(SignedTransfer memory transfer) internal view virtual returns (bytes32);
    function callOf(SignedTransfer memory transfer, bytes memory signature) internal pure virtual returns (bytes memory);
    /// @dev An ordinary transfer of one unit by its owner.
    function moveCall(address from, address to, uint256 id) internal pure virtual returns (bytes memory);
    function burnCall(address from, uint256 id) internal pure virtual returns (bytes memory);
    /// @dev The error for a token that `from` doesn't have.
    function notHeldError() internal pure virtual returns (bytes4);
    /// @dev The error for a token that nobody has.
    function absentError() internal pure virtual returns (bytes4);
    function refusedError() internal pure virtual returns (bytes4);
    /// @dev The topic of the event of a transfer.
    function transferTopic() internal pure virtual returns (bytes32);

    function setUp() public virtual {
        token = VitrineToken(newToken(termsOf()));
        mint(alice, 1);
    }

    // ------------------------------------------------------------------------------------------------- transfers

    function test_anyone_may_send_a_signed_transfer_and_the_signed_recipient_gets_the_token() public {
        SignedTransfer memory transfer = transferOf();
        bytes memory signature = signed(transfer);
        assertFalse(token.transferNonceUsed(alice, 1));
        vm.expectEmit(address(token));
        emit VitrineToken.TransferNonceUsed(alice, 1, 1);
        send(transfer, signature);
        assertEq(held(bob, 1), 1);
        assertEq(held(alice, 1), units() - 1);
        assertEq(held(outsider, 1), 0);
        assertTrue(token.transferNonceUsed(alice, 1));
        assertFalse(token.transferNonceUsed(bob, 1));
        assertFalse(token.transferNonceUsed(outsider, 1));
    }

    function test_the_log_after_that_of_the_nonce_is_the_transfer() public {
        SignedTransfer memory transfer = transferOf();
        transfer.to = address(new AcceptingReceiver());
        bytes memory signature = signed(transfer);
        vm.recordLogs();
        send(transfer, signature);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 2);
        assertEq(logs[0].topics[0], keccak256("TransferNonceUsed(address,uint256,uint256)"));
        assertEq(logs[1].topics[0], transferTopic());
        assertTrue(logs[0].emitter == address(token) && logs[1].emitter == address(token));
    }

    function test_who_sends_it_makes_no_difference_to_the_receiver() public {
        AcceptingReceiver receiver = new AcceptingReceiver();
        SignedTransfer memory transfer = transferOf();
        transfer.to = address(receiver);
        send(transfer, signed(transfer));
        assertEq(receiver.operator(), alice);
        assertEq(receiver.from(), alice);
        assertEq(receiver.id(), 1);
        assertEq(receiver.amount(), 1);
        assertEq(held(address(receiver), 1), 1);
    }

    function test_the_holder_may_send_it_to_itself() public {
        SignedTransfer memory transfer = transferOf();
        transfer.to = alice;
        send(transfer, signed(transfer));
        assertEq(held(alice, 1), units());
        assertTrue(token.transferNonceUsed(alice, 1));
    }

    function test_a_signed_transfer_takes_no_value() public {
        SignedTransfer memory transfer = transferOf();
        bytes memory data = callOf(transfer, signed(transfer));
        vm.deal(outsider, 1);
        vm.prank(outsider);
        (bool done,) = address(token).call{value: 1}(data);
        assertFalse(done);
        assertEq(held(alice, 1), units());
    }

    function test_a_soulbound_token_is_not_transferred() public {
        Terms memory terms = termsOf();
        terms.soulbound = true;
        token = VitrineToken(newToken(terms));
        mint(alice, 1);
        SignedTransfer memory transfer = transferOf();
        expectRefusal(transfer, signed(transfer), VitrineToken.TokenIsSoulbound.selector);
    }

    function test_a_token_that_the_signer_does_not_have_is_not_transferred() public {
        SignedTransfer memory transfer = transferOf();
        transfer.from = bob;
        transfer.to = outsider;
        expectRefusal(transfer, signWithKey(BOB_KEY, transfer), notHeldError());
        (transfer.from, transfer.tokenId) = (alice, 2);
        expectRefusal(transfer, signed(transfer), absentError());
    }

    function test_a_burnt_token_is_not_transferred() public {
        SignedTransfer memory transfer = transferOf();
        bytes memory signature = signed(transfer);
        burn(alice, 1);
        expectRefusal(transfer, signature, absentError());
    }

    function test_nothing_is_transferred_to_or_from_the_zero_address() public {
        SignedTransfer memory transfer = transferOf();
        transfer.to = address(0);
        expectRefusal(transfer, signed(transfer), ERC721.TransferToZeroAddress.selector);
        (transfer.from, transfer.to) = (address(0), bob);
        // A signature of which no key can be recovered.
        bytes memory nobody = abi.encodePacked(bytes32("r"), bytes32("s"), uint8(29));
        expectRefusal(transfer, nobody, VitrineToken.TransferIsNotSigned.selector);
        expectRefusal(transfer, new bytes(65), VitrineToken.TransferIsNotSigned.selector);
        expectRefusal(transfer, new bytes(120), VitrineToken.TransferIsNotSigned.selector);
    }

    function testFuzz_any_signed_transfer_is_made(address to, uint256 id, uint256 nonce, uint64 left, bool short)
        public
    {
        vm.assume(to != address(0) && to.code.length == 0 && id != 1);
        mint(alice, id);
        SignedTransfer memory transfer = transferOf();
        (transfer.to, transfer.tokenId, transfer.nonce, transfer.deadline) = (to, id, nonce, NOW + left);
        send(transfer, short ? signShortly(transfer) : signed(transfer));
        assertEq(held(to, id), to == alice ? units() : 1);
        assertTrue(token.transferNonceUsed(alice, nonce));
    }

    // ------------------------------------------------------------------------------------------- once, in time

    function test_a_nonce_is_used_once() public {
        SignedTransfer memory transfer = transferOf();
        bytes memory signature = signed(transfer);
        send(transfer, signature);
        // Also when alice has the token again, with the signature's other form, and for another transfer.
        move(bob, alice, 1);
        expectRefusal(transfer, signature, VitrineToken.TransferNonceIsUsed.selector);
        expectRefusal(transfer, signShortly(transfer), VitrineToken.TransferNonceIsUsed.selector);
        transfer.to = outsider;
        expectRefusal(transfer, signed(transfer), VitrineToken.TransferNonceIsUsed.selector);
        transfer.nonce = 2;
        send(transfer, signed(transfer));
        assertEq(held(outsider, 1), 1);
    }

    function test_a_used_nonce_is_named_first_whatever_has_changed_since() public {
        SignedTransfer memory transfer = transferOf();
        bytes memory signature = signed(transfer);
        send(transfer, signature);
        vm.warp(transfer.deadline + 1);
        burn(bob, 1);
        expectRefusal(transfer, signature, VitrineToken.TransferNonceIsUsed.selector);
        expectRefusal(transfer, "", VitrineToken.TransferNonceIsUsed.selector);
    }

    function test_nonces_are_used_in_any_order_and_each_holder_has_its_own() public {
        uint256[5] memory nonces = [type(uint256).max, 255, 0, 256, 1 << 255];
        for (uint256 i; i < 5; ++i) {
            (address from, address to) = i % 2 == 0 ? (alice, bob) : (bob, alice);
            SignedTransfer memory transfer = transferOf();
            (transfer.from, transfer.to, transfer.nonce) = (from, to, nonces[i]);
            send(transfer, signWithKey(i % 2 == 0 ? ALICE_KEY : BOB_KEY, transfer));
            for (uint256 j; j < 5; ++j) {
                assertTrue(token.transferNonceUsed(alice, nonces[j]) == (j <= i && j % 2 == 0));
                assertTrue(token.transferNonceUsed(bob, nonces[j]) == (j <= i && j % 2 == 1));
            }
        }
    }

    function testFuzz_a_used_nonce_affects_no_other_nonce_and_no_other_holder(uint256 nonce, uint256 other) public {
        SignedTransfer memory transfer = transferOf();
        transfer.nonce = nonce;
        send(transfer, signed(transfer));
        assertTrue(token.transferNonceUsed(alice, nonce));
        assertTrue(token.transferNonceUsed(alice, other) == (other == nonce));
        assertFalse(token.transferNonceUsed(bob, nonce));
    }

    function test_a_transfer_is_valid_up_to_and_including_its_deadline() public {
        SignedTransfer memory transfer = transferOf();
        bytes memory signature = signed(transfer);
        vm.warp(transfer.deadline + 1);
        expectRefusal(transfer, signature, VitrineToken.TransferIsExpired.selector);
        vm.warp(transfer.deadline);
        send(transfer, signature);
        assertEq(held(bob, 1), 1);
    }

    function test_the_holder_cancels_a_nonce() public {
        SignedTransfer memory transfer = transferOf();
        bytes memory signature = signed(transfer);
        vm.prank(alice);
        vm.expectEmit(address(token));
        emit VitrineToken.TransferNonceCancelled(alice, 1);
        token.cancelTransferNonce(1);
        assertTrue(token.transferNonceUsed(alice, 1));
        expectRefusal(transfer, signature, VitrineToken.TransferNonceIsUsed.selector);
        transfer.nonce = 2;
        send(transfer, signed(transfer));
        vm.prank(alice);
        vm.expectRevert(VitrineToken.TransferNonceIsUsed.selector);
        token.cancelTransferNonce(1);
        vm.prank(alice);
        vm.expectRevert(VitrineToken.TransferNonceIsUsed.selector);
        token.cancelTransferNonce(2);
    }

    function test_nobody_cancels_a_nonce_of_another_holder() public {
        address[4] memory others = [bob, minter, signer, owner];
        for (uint256 i; i < 4; ++i) {
            vm.prank(others[i]);
            token.cancelTransferNonce(1);
        }
        SignedTransfer memory transfer = transferOf();
        send(transfer, signed(transfer));
        assertEq(held(bob, 1), 1);
    }

    // ------------------------------------------------------------------------------------------- signatures of keys

    function test_a_signature_of_64_bytes_is_valid() public {
        SignedTransfer memory transfer = transferOf();
        send(transfer, signShortly(transfer));
        assertEq(held(bob, 1), 1);
    }

    function testFuzz_no_field_of_a_signed_transfer_can_be_changed(uint256 field, uint256 change) public {
        SignedTransfer memory transfer = transferOf();
        bytes memory data = callOf(transfer, signed(transfer));
        field = bound(field, 0, fields() - 1);
        // Also changes bits outside a field's type: an address is 20 of its 32 bytes.
        change = bound(change, 1, type(uint256).max);
        assembly ("memory-safe") {
            let at := add(add(data, 0x24), mul(field, 0x20))
            mstore(at, xor(mload(at), change))
        }
        vm.prank(outsider);
        (bool done,) = address(token).call(data);
        assertFalse(done);
        assertEq(held(alice, 1), units());
        assertFalse(token.transferNonceUsed(alice, 1));
    }

    function testFuzz_a_signature_of_any_other_key_is_refused(uint256 key) public {
        key = bound(key, 1, ORDER - 1);
        vm.assume(key != ALICE_KEY);
        SignedTransfer memory transfer = transferOf();
        expectRefusal(transfer, signWithKey(key, transfer), VitrineToken.TransferIsNotSigned.selector);
    }

    function testFuzz_no_variant_of_a_signature_is_valid(uint64 nonce, bytes32 other, uint8 v) public {
        SignedTransfer memory transfer = transferOf();
        transfer.nonce = nonce;
        (uint8 rightV, bytes32 r, bytes32 s) = vm.sign(ALICE_KEY, digestOf(transfer));
        bytes4 reason = VitrineToken.TransferIsNotSigned.selector;
        expectRefusal(transfer, abi.encodePacked(r, ORDER - uint256(s), uint8(55) - rightV), reason);
        if (v != rightV) expectRefusal(transfer, abi.encodePacked(r, s, v), reason);
        if (other != s) expectRefusal(transfer, abi.encodePacked(r, other, rightV), reason);
        if (other != r) expectRefusal(transfer, abi.encodePacked(other, s, rightV), reason);
        send(transfer, abi.encodePacked(r, s, rightV));
    }

    function test_a_signature_with_high_s_is_refused() public {
        SignedTransfer memory transfer = transferOf();
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(ALICE_KEY, digestOf(transfer));
        bytes memory mirrored = abi.encodePacked(r, ORDER - uint256(s), v == 27 ? uint8(28) : uint8(27));
        expectRefusal(transfer, mirrored, VitrineToken.TransferIsNotSigned.selector);
    }

    function test_signatures_of_other_lengths_are_refused() public {
        SignedTransfer memory transfer = transferOf();
        bytes memory signature = signed(transfer);
        bytes4 reason = VitrineToken.TransferIsNotSigned.selector;
        expectRefusal(transfer, "", reason);
        expectRefusal(transfer, abi.encodePacked(signature, uint8(0)), reason);
        expectRefusal(transfer, abi.encodePacked(alice, signature), reason);
        assembly ("memory-safe") {
            mstore(signature, 63)
        }
        expectRefusal(transfer, signature, reason);
    }

    function test_nobody_else_signs_for_the_holder_neither_operators_nor_roles() public {
        vm.prank(alice);
        Vitrine721(address(token)).setApprovalForAll(bob, true);
        SignedTransfer memory transfer = transferOf();
        bytes4 reason = VitrineToken.TransferIsNotSigned.selector;
        expectRefusal(transfer, signWithKey(BOB_KEY, transfer), reason);
        expectRefusal(transfer, signWithKey(SIGNER_KEY, transfer), reason);
        // And an operator's approval isn't used up.
        send(transfer, signed(transfer));
        assertTrue(Vitrine721(address(token)).isApprovedForAll(alice, bob));
    }

    function test_a_transfer_is_valid_on_one_contract_and_one_chain() public {
        SignedTransfer memory transfer = transferOf();
        bytes memory signature = signed(transfer);
        VitrineToken here = token;
        token = VitrineToken(newToken(termsOf()));
        mint(alice, 1);
        expectRefusal(transfer, signature, VitrineToken.TransferIsNotSigned.selector);

        // The same contract on a fork, where a relayer sends what was made on the first chain.
        token = here;
        uint256 chain = vm.getChainId(); // the optimizer would read `block.chainid` again after it was changed
        vm.chainId(chain + 1);
        expectRefusal(transfer, signature, VitrineToken.TransferIsNotSigned.selector);
        bytes memory onTheFork = signed(transfer);
        vm.chainId(chain);
        expectRefusal(transfer, onTheFork, VitrineToken.TransferIsNotSigned.selector);
        send(transfer, signature);
        assertEq(held(bob, 1), 1);
    }

    // ------------------------------------------------------------------------------------- signatures of contracts

    function test_a_contract_that_holds_a_token_signs_with_erc_1271() public {
        (ContractWallet wallet, SignedTransfer memory transfer) = walletTransfer();
        bytes4 reason = VitrineToken.TransferIsNotSigned.selector;
        bytes[4] memory proofs = [bytes("owners"), new bytes(64), new bytes(65), new bytes(500)];
        for (uint256 i; i < 4; ++i) {
            transfer.nonce = i;
            wallet.approve(digestOf(transfer), proofs[i]);
            expectRefusal(transfer, abi.encodePacked(proofs[i], uint8(1)), reason);
            send(transfer, proofs[i]);
            assertEq(held(bob, 1), 1);
            move(bob, address(wallet), 1);
        }
    }

    function test_a_contract_wallet_that_changes_its_mind_decides_when_the_transfer_is_sent() public {
        (ContractWallet wallet, SignedTransfer memory transfer) = walletTransfer();
        wallet.approve(digestOf(transfer), "owners");
        wallet.approve(0, "");
        expectRefusal(transfer, "owners", VitrineToken.TransferIsNotSigned.selector);
        wallet.approve(digestOf(transfer), "owners");
        send(transfer, "owners");
        assertEq(held(bob, 1), 1);
    }

    function test_a_contract_wallet_that_reverts_or_answers_wrongly_has_not_signed() public {
        (ContractWallet wallet, SignedTransfer memory transfer) = walletTransfer();
        wallet.approve(digestOf(transfer), "owners");
        ContractWallet.Behaviour[3] memory behaviours = [
            ContractWallet.Behaviour.Reverts,
            ContractWallet.Behaviour.AnswersShort,
            ContractWallet.Behaviour.AnswersTrue
        ];
        for (uint256 i; i < 3; ++i) {
            wallet.setBehaviour(behaviours[i]);
            expectRefusal(transfer, "owners", VitrineToken.TransferIsNotSigned.selector);
        }
        wallet.setBehaviour(ContractWallet.Behaviour.Standard);
        send(transfer, "owners");
    }

    function test_a_contract_wallet_is_given_enough_gas_but_not_all() public {
        (ContractWallet wallet, SignedTransfer memory transfer) = walletTransfer();
        wallet.approve(digestOf(transfer), "owners");
        wallet.setBehaviour(ContractWallet.Behaviour.BurnsGas);
        uint256 before = gasleft();
        expectRefusal(transfer, "owners", VitrineToken.TransferIsNotSigned.selector);
        assertTrue(before - gasleft() < 1_000_000); // also without the optimizer, for coverage
        wallet.setBehaviour(ContractWallet.Behaviour.UsesMuchGas);
        send(transfer, "owners");
        assertEq(held(bob, 1), 1);
    }

    function testFuzz_with_any_gas_limit_a_transfer_is_made_completely_or_not_at_all(uint256 gasLimit) public {
        (ContractWallet wallet, SignedTransfer memory transfer) = walletTransfer();
        transfer.to = address(new AcceptingReceiver());
        wallet.approve(digestOf(transfer), "owners");
        bytes memory data = callOf(transfer, "owners");
        vm.prank(outsider);
        (bool done,) = address(token).call{gas: bound(gasLimit, 30_000, 400_000)}(data);
        assertEq(held(transfer.to, 1), done ? 1 : 0);
        assertEq(held(address(wallet), 1), done ? units() - 1 : units());
        assertTrue(token.transferNonceUsed(address(wallet), 1) == done);
    }

    function test_a_contract_wallet_changes_nothing_while_it_is_asked() public {
        (ContractWallet wallet, SignedTransfer memory transfer) = walletTransfer();
        wallet.approve(digestOf(transfer), "owners");
        wallet.setBehaviour(ContractWallet.Behaviour.Reenters);
        wallet.prepare(address(token), moveCall(address(wallet), outsider, 1));
        send(transfer, "owners");
        assertEq(held(bob, 1), 1);
        assertEq(held(outsider, 1), 0);
    }

    function test_a_key_signs_for_its_account_also_when_that_has_delegated_code() public {
        SignedTransfer memory transfer = transferOf();
        bytes memory signature = signed(transfer);
        bytes memory other = signWithKey(BOB_KEY, transfer);
        vm.etch(alice, hex"00");
        expectRefusal(transfer, other, VitrineToken.TransferIsNotSigned.selector);
        send(transfer, signature);
        assertEq(held(bob, 1), 1);
    }

    function test_a_precompile_signs_nothing() public {
        SignedTransfer memory transfer = transferOf();
        for (uint160 i = 1; i < 18; ++i) {
            transfer.from = address(i);
            expectRefusal(transfer, new bytes(64), VitrineToken.TransferIsNotSigned.selector);
            expectRefusal(transfer, hex"1626ba7e", VitrineToken.TransferIsNotSigned.selector);
        }
    }

    // ---------------------------------------------------------------------------------------------------- receivers

    function test_a_receiver_that_refuses_leaves_everything_as_it_was() public {
        address[5] memory receivers = [
            address(new RejectingAccount()),
            address(new LongRevertAccount()),
            address(new WrongAnswerReceiver()),
            address(token),
            address(new ReentrantAccount())
        ];
        ReentrantAccount(payable(receivers[4])).refuse();
        for (uint256 i; i < 5; ++i) {
            SignedTransfer memory transfer = transferOf();
            transfer.to = receivers[i];
            expectRefusal(transfer, signed(transfer), refusedError());
        }
    }

    function test_a_receiver_that_burns_its_gas_reverts_the_transfer() public {
        SignedTransfer memory transfer = transferOf();
        transfer.to = address(new GasBurner());
        bytes memory data = callOf(transfer, signed(transfer));
        vm.prank(outsider);
        (bool done,) = address(token).call{gas: 1_000_000}(data);
        assertFalse(done);
        assertEq(held(alice, 1), units());
        assertFalse(token.transferNonceUsed(alice, 1));
    }

    function test_a_receiver_that_sends_the_same_signature_again_gains_nothing() public {
        ReentrantAccount receiver = new ReentrantAccount();
        SignedTransfer memory transfer = transferOf();
        transfer.to = address(receiver);
        bytes memory signature = signed(transfer);
        receiver.prepare(address(token), callOf(transfer, signature), 0);
        send(transfer, signature);
        assertTrue(receiver.tried());
        assertFalse(receiver.succeeded());
        assertEq(held(address(receiver), 1), 1);
        assertEq(held(alice, 1), units() - 1);
    }

    function test_a_receiver_that_gives_the_token_back_cannot_get_it_again() public {
        ReentrantAccount receiver = new ReentrantAccount();
        SignedTransfer memory transfer = transferOf();
        transfer.to = address(receiver);
        bytes memory signature = signed(transfer);
        receiver.prepare(address(token), moveCall(address(receiver), alice, 1), 0);
        send(transfer, signature);
        assertTrue(receiver.succeeded());
        assertEq(held(alice, 1), units());
        expectRefusal(transfer, signature, VitrineToken.TransferNonceIsUsed.selector);
    }

    function test_balances_are_right_when_a_receiver_burns_or_passes_on_what_it_gets() public {
        ReentrantAccount[2] memory receivers = [new ReentrantAccount(), new ReentrantAccount()];
        receivers[0].prepare(address(token), burnCall(address(receivers[0]), 1), 0);
        receivers[1].prepare(address(token), moveCall(address(receivers[1]), bob, 2), 0);
        mint(alice, 2);
        for (uint256 i; i < 2; ++i) {
            SignedTransfer memory transfer = transferOf();
            (transfer.to, transfer.tokenId, transfer.nonce) = (address(receivers[i]), i + 1, i);
            send(transfer, signed(transfer));
            assertTrue(receivers[i].succeeded());
            assertEq(held(address(receivers[i]), i + 1), 0);
            assertEq(held(alice, i + 1), units() - 1);
        }
        assertEq(held(bob, 1), 0);
        assertEq(held(bob, 2), 1);
    }

    function test_a_receiver_may_send_another_signed_transfer_once() public {
        ReentrantAccount receiver = new ReentrantAccount();
        mint(alice, 2);
        SignedTransfer memory other = transferOf();
        (other.tokenId, other.nonce) = (2, 2);
        bytes memory otherSignature = signed(other);
        receiver.prepare(address(token), callOf(other, otherSignature), 0);
        SignedTransfer memory transfer = transferOf();
        transfer.to = address(receiver);
        send(transfer, signed(transfer));
        assertTrue(receiver.succeeded());
        assertEq(held(address(receiver), 1), 1);
        assertEq(held(bob, 2), 1);
        expectRefusal(other, otherSignature, VitrineToken.TransferNonceIsUsed.selector);
    }

    // ------------------------------------------------------------------------------------------------------ helpers

    /// @dev Of one unit of token 1 from alice to bob.
    function transferOf() internal view returns (SignedTransfer memory transfer) {
        (transfer.tokenId, transfer.amount, transfer.nonce) = (1, 1, 1);
        (transfer.from, transfer.to, transfer.deadline) = (alice, bob, NOW + 1 hours);
    }

    /// @dev A wallet that has units of token 1, and a transfer of one of them to bob.
    function walletTransfer() private returns (ContractWallet wallet, SignedTransfer memory transfer) {
        token = VitrineToken(newToken(termsOf()));
        wallet = new ContractWallet();
        mint(address(wallet), 1);
        transfer = transferOf();
        transfer.from = address(wallet);
    }

    function signed(SignedTransfer memory transfer) internal view returns (bytes memory) {
        return signWithKey(ALICE_KEY, transfer);
    }

    function signWithKey(uint256 key, SignedTransfer memory transfer) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digestOf(transfer));
        return abi.encodePacked(r, s, v);
    }

    /// @dev The 64-byte form (ERC-2098) of alice's signature.
    function signShortly(SignedTransfer memory transfer) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(ALICE_KEY, digestOf(transfer));
        return abi.encodePacked(r, uint256(s) | (uint256(v - 27) << 255));
    }

    function send(SignedTransfer memory transfer, bytes memory signature) internal {
        bytes memory data = callOf(transfer, signature);
        vm.prank(outsider);
        (bool done, bytes memory answer) = address(token).call(data);
        if (!done) {
            assembly {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }

    /// @dev Expects this error, and that balances and nonces are as before.
    function expectRefusal(SignedTransfer memory transfer, bytes memory signature, bytes4 selector) internal {
        bytes memory data = callOf(transfer, signature);
        bool wasUsed = token.transferNonceUsed(transfer.from, transfer.nonce);
        uint256 before = held(transfer.from, transfer.tokenId);
        uint256 beforeTo = held(transfer.to, transfer.tokenId);
        vm.prank(outsider);
        (bool done, bytes memory answer) = address(token).call(data);
        assertFalse(done);
        assertEq(bytes32(bytes4(answer)), bytes32(selector));
        assertEq(held(transfer.from, transfer.tokenId), before);
        assertEq(held(transfer.to, transfer.tokenId), beforeTo);
        assertTrue(token.transferNonceUsed(transfer.from, transfer.nonce) == wasUsed);
    }

    function move(address from, address to, uint256 id) internal {
        bytes memory data = moveCall(from, to, id);
        vm.prank(from);
        (bool done,) = address(token).call(data);
        assertTrue(done);
    }

    function fields() private pure returns (uint256) {
        return units() == 1 ? 5 : 6;
    }
}

contract Vitrine721SignedTransfersTest is SignedTransferRules {
    function newToken(Terms memory terms) internal override returns (address) {
        return address(clone721(terms));
    }

    function units() internal pure override returns (uint256) {
        return 1;
    }

    function mint(address to, uint256 id) internal override {
        vm.prank(minter);
        token721().adminMint(to, id);
    }

    function burn(address from, uint256 id) internal override {
        vm.prank(from);
        token721().burn(id);
    }

    function held(address account, uint256 id) internal view override returns (uint256) {
        try token721().ownerOf(id) returns (address holder) {
            return holder == account ? 1 : 0;
        } catch {
            return 0;
        }
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

    function moveCall(address from, address to, uint256 id) internal pure override returns (bytes memory) {
        return abi.encodeCall(ERC721.transferFrom, (from, to, id));
    }

    function burnCall(address, uint256 id) internal pure override returns (bytes memory) {
        return abi.encodeCall(Vitrine721.burn, (id));
    }

    function notHeldError() internal pure override returns (bytes4) {
        return ERC721.TransferFromIncorrectOwner.selector;
    }

    function absentError() internal pure override returns (bytes4) {
        return ERC721.TokenDoesNotExist.selector;
    }

    function refusedError() internal pure override returns (bytes4) {
        return ERC721.TransferToNonERC721ReceiverImplementer.selector;
    }

    function transferTopic() internal pure override returns (bytes32) {
        return ERC721.Transfer.selector;
    }

    function test_the_approval_of_the_token_is_cleared_and_not_needed() public {
        vm.prank(alice);
        token721().approve(outsider, 1);
        SignedTransfer memory transfer = transferOf();
        send(transfer, signed(transfer));
        assertEq(token721().getApproved(1), address(0));
        vm.prank(outsider);
        vm.expectRevert(ERC721.NotOwnerNorApproved.selector);
        token721().transferFrom(bob, outsider, 1);
        assertEq(token721().ownerOf(1), bob);
        assertEq(token721().balanceOf(alice), 0);
        assertEq(token721().balanceOf(bob), 1);
    }

    function test_a_token_of_a_consecutive_batch_is_transferred() public {
        vm.prank(minter);
        token721().adminMintRun(10, abi.encodePacked(alice, alice, bob));
        SignedTransfer memory transfer = transferOf();
        transfer.tokenId = 11;
        send(transfer, signed(transfer));
        assertEq(token721().ownerOf(11), bob);
        (transfer.tokenId, transfer.nonce) = (12, 2);
        expectRefusal(transfer, signed(transfer), ERC721.TransferFromIncorrectOwner.selector);
        assertEq(token721().balanceOf(alice), 2);
        assertEq(token721().balanceOf(bob), 2);
    }

    function test_the_functions_for_signed_transfers_are_announced() public view {
        bytes4 id = Vitrine721.transferWithSignature.selector ^ VitrineToken.transferNonceUsed.selector
            ^ VitrineToken.cancelTransferNonce.selector;
        assertTrue(token721().supportsInterface(id));
        assertTrue(implementation721.supportsInterface(id));
    }

    function token721() private view returns (Vitrine721) {
        return Vitrine721(address(token));
    }
}

contract Vitrine1155SignedTransfersTest is SignedTransferRules {
    uint256 private requestId;

    function newToken(Terms memory terms) internal override returns (address) {
        return address(clone1155(terms));
    }

    function units() internal pure override returns (uint256) {
        return 10;
    }

    function mint(address to, uint256 id) internal override {
        vm.prank(minter);
        token1155().adminMint(to, id, 10, ++requestId);
    }

    function burn(address from, uint256 id) internal override {
        uint256 amount = held(from, id);
        vm.prank(from);
        token1155().burn(from, id, amount);
    }

    function held(address account, uint256 id) internal view override returns (uint256) {
        return token1155().balanceOf(account, id);
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

    function moveCall(address from, address to, uint256 id) internal pure override returns (bytes memory) {
        return abi.encodeCall(ERC1155.safeTransferFrom, (from, to, id, 1, ""));
    }

    function burnCall(address from, uint256 id) internal pure override returns (bytes memory) {
        return abi.encodeCall(Vitrine1155.burn, (from, id, 1));
    }

    function notHeldError() internal pure override returns (bytes4) {
        return ERC1155.InsufficientBalance.selector;
    }

    function absentError() internal pure override returns (bytes4) {
        return ERC1155.InsufficientBalance.selector;
    }

    function refusedError() internal pure override returns (bytes4) {
        return ERC1155.TransferToNonERC1155ReceiverImplementer.selector;
    }

    function transferTopic() internal pure override returns (bytes32) {
        return ERC1155.TransferSingle.selector;
    }

    function test_the_signed_number_of_units_is_transferred() public {
        uint256[4] memory amounts = [uint256(3), 0, 6, 1];
        uint256 sum;
        for (uint256 i; i < 4; ++i) {
            SignedTransfer memory transfer = transferOf();
            (transfer.amount, transfer.nonce) = (amounts[i], i);
            bytes memory signature = signed(transfer);
            vm.expectEmit(address(token));
            emit ERC1155.TransferSingle(alice, alice, bob, 1, amounts[i]);
            send(transfer, signature);
            sum += amounts[i];
            assertEq(held(bob, 1), sum);
            assertEq(held(alice, 1), 10 - sum);
        }
    }

    function testFuzz_no_more_units_are_transferred_than_the_signer_has(uint256 amount) public {
        SignedTransfer memory transfer = transferOf();
        transfer.amount = amount;
        bytes memory signature = signed(transfer);
        if (amount > 10) expectRefusal(transfer, signature, ERC1155.InsufficientBalance.selector);
        transfer.amount = amount % 11;
        send(transfer, signed(transfer));
        assertEq(held(bob, 1), amount % 11);
        assertEq(held(alice, 1) + held(bob, 1), 10);
    }

    function test_the_functions_for_signed_transfers_are_announced() public view {
        bytes4 id = Vitrine1155.transferWithSignature.selector ^ VitrineToken.transferNonceUsed.selector
            ^ VitrineToken.cancelTransferNonce.selector;
        assertTrue(token1155().supportsInterface(id));
        assertTrue(implementation1155.supportsInterface(id));
    }

    function token1155() private view returns (Vitrine1155) {
        return Vitrine1155(address(token));
    }
}
