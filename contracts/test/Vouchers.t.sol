// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721} from "solady/tokens/ERC721.sol";
import {MintVoucher, VitrineToken} from "../src/VitrineToken.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {Vitrine1155} from "../src/Vitrine1155.sol";
import {
    ContractSigner,
    GasBurner,
    MockERC20,
    LongRevertAccount,
    AcceptingReceiver,
    ReentrantAccount,
    RejectingAccount
} from "./Counterparties.sol";
import {VitrineTest} from "./VitrineTest.sol";

/// @notice Tests of vouchers that run on both token contracts.
abstract contract VoucherRules is VitrineTest {
    bytes4 internal constant TRANSFER_FROM_FAILED = bytes4(keccak256("TransferFromFailed()"));

    /// @dev The token contract under test. Both have the same functions for vouchers.
    Vitrine721 internal token;

    function newToken(Terms memory terms) internal virtual returns (address);
    function held(address account, uint256 id) internal view virtual returns (uint256);
    /// @dev The error that a used voucher reverts with.
    function usedError() internal pure virtual returns (bytes4);
    function cancelledError() internal pure virtual returns (bytes4);
    function mint(address to, uint256 id) internal virtual;
    function burn(address from, uint256 id) internal virtual;

    function setUp() public virtual {
        token = Vitrine721(newToken(termsOf()));
    }

    // ------------------------------------------------------------------------------------------------- signatures

    function test_anyone_may_send_a_voucher_and_its_minter_gets_the_token() public {
        MintVoucher memory voucher = voucherOf();
        redeem(voucher, sign(address(token), voucher), 0);
        assertEq(held(alice, 1), 1);
        assertEq(held(outsider, 1), 0);
    }

    function test_the_digest_follows_eip_712() public {
        MintVoucher memory voucher = pricedVoucherOf();
        assertEq(token.voucherDigest(voucher), digestOf(address(token), voucher));
        vm.chainId(5);
        assertEq(token.voucherDigest(voucher), digestOf(address(token), voucher));
    }

    function testFuzz_any_signed_voucher_is_valid(
        address to,
        uint256 id,
        uint256 nonce,
        uint64 secondsLeft,
        uint96 price,
        uint256 split,
        bool short
    ) public {
        vm.assume(to != address(0) && to.code.length == 0);
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.minter, voucher.tokenId, voucher.expiry) = (to, id, NOW + secondsLeft);
        (voucher.nonce, voucher.price) = (bound(nonce, 0, 2 ** 53), price);
        voucher.initialRecipientAmount = bound(split, 0, price);
        redeem(voucher, short ? signShort(address(token), voucher) : sign(address(token), voucher), price);
        assertEq(held(to, id), 1);
        assertEq(platform.balance, voucher.initialRecipientAmount);
        assertEq(seller.balance, price - voucher.initialRecipientAmount);
        assertEq(address(token).balance, 0);
    }

    function testFuzz_no_field_of_a_signed_voucher_can_be_changed(uint256 field, uint256 change) public {
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.price, voucher.initialRecipientAmount) = (0, 0);
        bytes memory signature = sign(address(token), voucher);
        field = bound(field, 0, 9);
        bytes memory data = abi.encodeCall(token.mintWithVoucher, (voucher, signature));
        // Also changes bits outside a field's type: an address is 20 of its 32 bytes.
        change = bound(change, 1, type(uint256).max);
        assembly ("memory-safe") {
            let at := add(add(data, 0x24), mul(field, 0x20))
            mstore(at, xor(mload(at), change))
        }
        vm.deal(outsider, 1 ether);
        vm.prank(outsider);
        (bool succeeded,) = address(token).call(data);
        assertFalse(succeeded);
        assertEq(held(alice, 1), 0);
    }

    function testFuzz_a_signature_of_any_other_key_is_refused(uint256 key) public {
        key = bound(key, 1, ORDER - 1);
        vm.assume(key != SIGNER_KEY);
        MintVoucher memory voucher = voucherOf();
        expectRefusal(voucher, signWith(key, address(token), voucher), 0, VitrineToken.InvalidSignature.selector);
    }

    function test_a_voucher_is_valid_on_one_contract_and_one_chain() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(newToken(termsOf()), voucher);
        expectRefusal(voucher, signature, 0, VitrineToken.InvalidSignature.selector);
        signature = sign(address(token), voucher);
        vm.chainId(5);
        expectRefusal(voucher, signature, 0, VitrineToken.InvalidSignature.selector);
    }

    function test_a_voucher_for_another_contract_or_chain_cannot_be_cancelled() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory elsewhere = sign(newToken(termsOf()), voucher);
        bytes memory signature = sign(address(token), voucher);
        vm.startPrank(alice);
        vm.expectRevert(VitrineToken.InvalidSignature.selector);
        token.cancelVoucher(voucher, elsewhere);
        vm.chainId(5);
        vm.expectRevert(VitrineToken.InvalidSignature.selector);
        token.cancelVoucher(voucher, signature);
        vm.stopPrank();
        redeem(voucher, sign(address(token), voucher), 0);
    }

    function test_a_signature_with_high_s_is_refused() public {
        MintVoucher memory voucher = voucherOf();
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(SIGNER_KEY, digestOf(address(token), voucher));
        bytes memory mirrored = abi.encodePacked(r, ORDER - uint256(s), v == 27 ? uint8(28) : uint8(27));
        expectRefusal(voucher, mirrored, 0, VitrineToken.InvalidSignature.selector);
    }

    function testFuzz_no_variant_of_a_signature_is_valid(uint64 nonce, bytes32 other, uint8 v) public {
        MintVoucher memory voucher = voucherOf();
        voucher.nonce = nonce;
        (uint8 rightV, bytes32 r, bytes32 s) = vm.sign(SIGNER_KEY, digestOf(address(token), voucher));
        bytes4 reason = VitrineToken.InvalidSignature.selector;
        expectRefusal(voucher, abi.encodePacked(r, ORDER - uint256(s), uint8(55) - rightV), 0, reason);
        if (v != rightV) expectRefusal(voucher, abi.encodePacked(r, s, v), 0, reason);
        if (other != s) expectRefusal(voucher, abi.encodePacked(r, other, rightV), 0, reason);
        if (other != r) expectRefusal(voucher, abi.encodePacked(other, s, rightV), 0, reason);
        redeem(voucher, abi.encodePacked(r, s, rightV), 0);
    }

    function test_no_signature_is_valid_when_the_signer_is_the_zero_address() public {
        signer = address(0);
        token = Vitrine721(newToken(termsOf()));
        MintVoucher memory voucher = voucherOf();
        bytes[4] memory signatures =
            [new bytes(64), new bytes(65), abi.encodePacked(bytes32("r"), bytes32("s"), uint8(29)), new bytes(120)];
        for (uint256 i; i < 8; ++i) {
            expectRefusal(voucher, signatures[i % 4], 0, VitrineToken.InvalidSignature.selector);
            vm.prank(owner);
            token.setRoles(address(0), 3);
        }
    }

    function test_signatures_of_other_lengths_are_refused() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        expectRefusal(voucher, "", 0, VitrineToken.InvalidSignature.selector);
        expectRefusal(voucher, abi.encodePacked(signature, uint8(0)), 0, VitrineToken.InvalidSignature.selector);
        assembly ("memory-safe") {
            mstore(signature, 63)
        }
        expectRefusal(voucher, signature, 0, VitrineToken.InvalidSignature.selector);
        expectRefusal(voucher, new bytes(64), 0, VitrineToken.InvalidSignature.selector);
        expectRefusal(voucher, new bytes(65), 0, VitrineToken.InvalidSignature.selector);
        expectRefusal(voucher, new bytes(200), 0, VitrineToken.InvalidSignature.selector);
    }

    function test_a_contract_that_has_the_signer_role_signs_with_erc_1271() public {
        ContractSigner safe = new ContractSigner();
        MintVoucher memory voucher = voucherOf();
        bytes memory proof = new bytes(130);
        safe.approve(digestOf(address(token), voucher), proof);
        bytes memory signature = abi.encodePacked(address(safe), proof);
        expectRefusal(voucher, signature, 0, VitrineToken.InvalidSignature.selector);

        vm.prank(owner);
        token.setRoles(address(safe), 2);
        expectRefusal(voucher, abi.encodePacked(signature, uint8(0)), 0, VitrineToken.InvalidSignature.selector);
        redeem(voucher, signature, 0);
        assertEq(held(alice, 1), 1);
    }

    function test_an_account_without_code_cannot_sign_as_a_contract() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = abi.encodePacked(signer, sign(address(token), voucher));
        expectRefusal(voucher, signature, 0, VitrineToken.InvalidSignature.selector);
    }

    // --------------------------------------------------------------------------------------------- once, in time

    function test_a_voucher_is_redeemed_once() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        redeem(voucher, signature, 0);
        expectRefusal(voucher, signature, 0, usedError());
        expectRefusal(voucher, signShort(address(token), voucher), 0, usedError());
    }

    function test_a_burnt_token_cannot_be_minted_again_with_its_voucher() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        redeem(voucher, signature, 0);
        burn(alice, 1);
        vm.expectRevert();
        token.mintWithVoucher(voucher, signature);
        assertEq(held(alice, 1), 0);
    }

    function test_a_voucher_is_valid_up_to_and_including_its_expiry() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        vm.warp(voucher.expiry + 1);
        expectRefusal(voucher, signature, 0, VitrineToken.VoucherIsExpired.selector);
        vm.warp(voucher.expiry);
        redeem(voucher, signature, 0);
    }

    function test_vouchers_can_be_paused_while_other_mints_go_on() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        vm.prank(minter);
        token.setVouchersPaused(true);
        assertTrue(token.vouchersPaused());
        expectRefusal(voucher, signature, 0, VitrineToken.VouchersArePaused.selector);
        mint(bob, 2);
        vm.prank(owner);
        token.setVouchersPaused(false);
        redeem(voucher, signature, 0);
    }

    function test_a_voucher_beyond_the_max_supply_is_refused() public {
        Terms memory terms = termsOf();
        terms.maxSupply = 1;
        terms.manualIds = true;
        token = Vitrine721(newToken(terms));
        MintVoucher memory voucher = voucherOf();
        redeem(voucher, sign(address(token), voucher), 0);
        (voucher.tokenId, voucher.nonce) = (2, 2);
        expectRefusal(voucher, sign(address(token), voucher), 0, VitrineToken.MaxSupplyReached.selector);
    }

    function test_of_two_vouchers_for_the_last_unit_one_is_redeemed_and_the_other_reverts_with_its_payment() public {
        Terms memory terms = termsOf();
        (terms.maxSupply, terms.manualIds) = (1, true);
        MintVoucher[2] memory vouchers = [pricedVoucherOf(), pricedVoucherOf()];
        (vouchers[1].minter, vouchers[1].nonce, vouchers[1].tokenId) = (bob, 2, 2);
        for (uint256 first; first < 2; ++first) {
            token = Vitrine721(newToken(terms));
            MintVoucher memory late = vouchers[1 - first];
            redeem(vouchers[first], sign(address(token), vouchers[first]), 1_000);
            expectRefusal(late, sign(address(token), late), 1_000, VitrineToken.MaxSupplyReached.selector);
            assertEq(outsider.balance, 1_000);
            assertEq(held(vouchers[first].minter, vouchers[first].tokenId), 1);
            assertEq(held(late.minter, late.tokenId), 0);
        }
        assertEq(seller.balance + platform.balance, 2_000);
    }

    function test_a_lowered_max_supply_applies_to_vouchers_signed_before() public {
        Terms memory terms = termsOf();
        terms.manualIds = true;
        token = Vitrine721(newToken(terms));
        MintVoucher memory voucher = pricedVoucherOf();
        bytes memory signature = sign(address(token), voucher);
        mint(bob, 2);
        vm.prank(owner);
        token.setMaxSupply(1);
        expectRefusal(voucher, signature, 1_000, VitrineToken.MaxSupplyReached.selector);
        burn(bob, 2);
        expectRefusal(voucher, signature, 1_000, VitrineToken.MaxSupplyReached.selector);
    }

    function test_nothing_is_minted_to_the_zero_address() public {
        MintVoucher memory voucher = voucherOf();
        voucher.minter = address(0);
        expectRefusal(voucher, sign(address(token), voucher), 0, bytes4(keccak256("TransferToZeroAddress()")));
    }

    // ------------------------------------------------------------------------------------------------ cancelling

    function test_the_voucher_minter_the_minter_the_signer_and_the_owner_can_cancel() public {
        address[4] memory concerned = [alice, minter, signer, owner];
        for (uint256 i; i < 4; ++i) {
            MintVoucher memory voucher = voucherOf();
            (voucher.nonce, voucher.tokenId) = (i + 1, i + 1);
            bytes memory signature = sign(address(token), voucher);
            vm.prank(concerned[i]);
            vm.expectEmit(address(token));
            emit VitrineToken.VoucherCancelled(i + 1, i + 1);
            token.cancelVoucher(voucher, signature);
            expectRefusal(voucher, signature, 0, cancelledError());
        }
    }

    function test_no_other_account_can_cancel_a_voucher() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        vm.prank(outsider);
        vm.expectRevert(VitrineToken.Unauthorized.selector);
        token.cancelVoucher(voucher, signature);

        MintVoucher memory forged = voucherOf();
        (forged.minter, forged.nonce) = (outsider, 100);
        vm.prank(outsider);
        vm.expectRevert(VitrineToken.InvalidSignature.selector);
        token.cancelVoucher(forged, signature);
        redeem(voucher, signature, 0);
    }

    function test_a_used_or_cancelled_voucher_cannot_be_cancelled() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        redeem(voucher, signature, 0);
        vm.startPrank(alice);
        vm.expectRevert(usedError());
        token.cancelVoucher(voucher, signature);
        (voucher.tokenId, voucher.nonce) = (2, 2);
        signature = sign(address(token), voucher);
        token.cancelVoucher(voucher, signature);
        vm.expectRevert(cancelledError());
        token.cancelVoucher(voucher, signature);
    }

    function test_the_token_of_a_cancelled_voucher_can_be_minted_with_a_newer_voucher() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        vm.prank(alice);
        token.cancelVoucher(voucher, signature);
        voucher.nonce = 2;
        redeem(voucher, sign(address(token), voucher), 0);
        assertEq(held(alice, 1), 1);
    }

    // -------------------------------------------------------------------------------------------------- payments

    function testFuzz_the_payment_must_be_exact(uint256 value) public {
        MintVoucher memory voucher = pricedVoucherOf();
        value = bound(value, 0, 2_000);
        bytes memory signature = sign(address(token), voucher);
        if (value != 1_000) {
            vm.deal(outsider, value);
            vm.prank(outsider);
            vm.expectRevert(abi.encodeWithSelector(VitrineToken.WrongPayment.selector, 1_000));
            token.mintWithVoucher{value: value}(voucher, signature);
        }
        redeem(voucher, signature, 1_000);
        assertEq(seller.balance, 975);
        assertEq(platform.balance, 25);
    }

    function test_a_free_voucher_refuses_value() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        vm.deal(outsider, 1);
        vm.prank(outsider);
        vm.expectRevert(abi.encodeWithSelector(VitrineToken.WrongPayment.selector, 0));
        token.mintWithVoucher{value: 1}(voucher, signature);
        redeem(voucher, signature, 0);
    }

    function test_an_initial_recipient_amount_above_the_total_is_refused() public {
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.initialRecipientAmount = 1_001;
        expectRefusal(
            voucher, sign(address(token), voucher), 1_000, VitrineToken.InitialRecipientAmountTooHigh.selector
        );
    }

    function test_one_payee_can_get_all_and_the_other_then_needs_no_address() public {
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.initialRecipientAmount, voucher.netRecipient) = (1_000, address(0));
        redeem(voucher, sign(address(token), voucher), 1_000);
        assertEq(platform.balance, 1_000);
        (voucher.netRecipient, voucher.initialRecipient, voucher.initialRecipientAmount) = (seller, address(0), 0);
        (voucher.nonce, voucher.tokenId) = (2, 2);
        redeem(voucher, sign(address(token), voucher), 1_000);
        assertEq(seller.balance, 1_000);
    }

    function test_a_payee_that_is_the_zero_address_or_the_contract_is_refused() public {
        address[2] memory payees = [address(0), address(token)];
        for (uint256 i; i < 2; ++i) {
            MintVoucher memory voucher = pricedVoucherOf();
            voucher.netRecipient = payees[i];
            expectRefusal(voucher, sign(address(token), voucher), 1_000, VitrineToken.WrongPayee.selector);
            (voucher.netRecipient, voucher.initialRecipient) = (seller, payees[i]);
            expectRefusal(voucher, sign(address(token), voucher), 1_000, VitrineToken.WrongPayee.selector);
        }
    }

    function test_a_price_times_quantity_that_overflows_is_refused() public {
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.price, voucher.quantity) = (type(uint256).max, 2);
        bytes memory signature = sign(address(token), voucher);
        vm.expectRevert();
        token.mintWithVoucher(voucher, signature);
    }

    function test_no_payee_can_block_a_sale() public {
        address[3] memory payees =
            [address(new RejectingAccount()), address(new GasBurner()), address(new LongRevertAccount())];
        for (uint256 i; i < 3; ++i) {
            MintVoucher memory voucher = pricedVoucherOf();
            (voucher.netRecipient, voucher.nonce, voucher.tokenId) = (payees[i], i + 1, i + 1);
            redeem(voucher, sign(address(token), voucher), 1_000);
            assertEq(payees[i].balance, 975);
            assertEq(held(alice, i + 1), 1);
        }
        assertEq(address(token).balance, 0);
    }

    function test_two_payees_that_refuse_payment_are_both_paid() public {
        address[3] memory payees =
            [address(new RejectingAccount()), address(new GasBurner()), address(new LongRevertAccount())];
        for (uint256 i; i < 3; ++i) {
            MintVoucher memory voucher = pricedVoucherOf();
            (voucher.netRecipient, voucher.initialRecipient) = (payees[i], payees[(i + 1) % 3]);
            (voucher.nonce, voucher.tokenId) = (i + 1, i + 1);
            redeem(voucher, sign(address(token), voucher), 1_000);
        }
        for (uint256 i; i < 3; ++i) {
            assertEq(payees[i].balance, 1_000);
        }
        assertEq(address(token).balance, 0);
    }

    function testFuzz_with_any_gas_limit_both_payees_are_paid_or_everything_reverts(uint256 gasLimit) public {
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.netRecipient, voucher.initialRecipient) = (address(new GasBurner()), address(new RejectingAccount()));
        bytes memory data = abi.encodeCall(token.mintWithVoucher, (voucher, sign(address(token), voucher)));
        vm.deal(outsider, 1_000);
        vm.prank(outsider);
        (bool done,) = address(token).call{value: 1_000, gas: bound(gasLimit, 30_000, 500_000)}(data);
        assertEq(held(alice, 1), done ? 1 : 0);
        assertEq(voucher.netRecipient.balance, done ? 975 : 0);
        assertEq(voucher.initialRecipient.balance, done ? 25 : 0);
        assertEq(outsider.balance, done ? 0 : 1_000);
        assertEq(address(token).balance, 0);
    }

    function test_a_payee_that_reenters_cannot_redeem_the_voucher_twice() public {
        ReentrantAccount payee = new ReentrantAccount();
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.netRecipient = address(payee);
        bytes memory signature = sign(address(token), voucher);
        payee.prepare(address(token), abi.encodeCall(token.mintWithVoucher, (voucher, signature)), 1_000);
        vm.deal(address(payee), 10_000);
        redeem(voucher, signature, 1_000);
        assertTrue(payee.tried());
        assertFalse(payee.succeeded());
        assertEq(held(alice, 1), 1);
        assertEq(address(token).balance, 0);
    }

    function test_a_payee_that_reenters_can_redeem_another_voucher() public {
        ReentrantAccount payee = new ReentrantAccount();
        MintVoucher memory other = voucherOf();
        (other.nonce, other.tokenId) = (2, 2);
        payee.prepare(address(token), abi.encodeCall(token.mintWithVoucher, (other, sign(address(token), other))), 0);
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.initialRecipient = address(payee);
        redeem(voucher, sign(address(token), voucher), 1_000);
        assertTrue(payee.succeeded());
        assertEq(held(alice, 1), 1);
        assertEq(held(alice, 2), 1);
        assertEq(seller.balance, 975);
        assertEq(address(payee).balance, 25);
        assertEq(address(token).balance, 0);
    }

    // ---------------------------------------------------------------------------------------------------- ERC-20

    function test_an_erc_20_is_transferred_from_the_sender_to_the_payees() public {
        MockERC20.Behaviour[2] memory behaviours = [MockERC20.Behaviour.Standard, MockERC20.Behaviour.NoReturnValue];
        for (uint256 i; i < 2; ++i) {
            MockERC20 money = new MockERC20();
            money.setBehaviour(behaviours[i]);
            MintVoucher memory voucher = pricedVoucherOf();
            (voucher.currency, voucher.nonce, voucher.tokenId) = (address(money), i + 1, i + 1);
            money.mintAndApprove(outsider, 1_000, address(token));
            redeem(voucher, sign(address(token), voucher), 0);
            assertEq(money.balanceOf(seller), 975);
            assertEq(money.balanceOf(platform), 25);
            assertEq(money.balanceOf(address(token)), 0);
        }
    }

    function test_an_erc_20_that_returns_nothing_is_accepted() public {
        MockERC20 money = new MockERC20();
        money.setBehaviour(MockERC20.Behaviour.NoReturnValue);
        money.mintAndApprove(outsider, 1_000, address(token));
        (bool done, bytes memory answer) =
            address(money).call(abi.encodeCall(money.transferFrom, (address(this), address(this), 0)));
        assertTrue(done);
        assertEq(answer.length, 0);
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = address(money);
        redeem(voucher, sign(address(token), voucher), 0);
        assertEq(money.balanceOf(seller) + money.balanceOf(platform), 1_000);
    }

    function test_an_erc_20_with_a_transfer_fee_takes_it_from_the_payees_and_leaves_nothing_in_the_contract() public {
        MockERC20 money = new MockERC20();
        money.setFeePercent(20);
        money.mintAndApprove(outsider, 1_000, address(token));
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = address(money);
        redeem(voucher, sign(address(token), voucher), 0);
        assertEq(money.balanceOf(outsider), 0);
        assertEq(money.balanceOf(seller), 780);
        assertEq(money.balanceOf(platform), 20);
        assertEq(money.balanceOf(address(token)), 0);
        assertEq(held(alice, 1), 1);
    }

    function test_an_erc_20_that_reenters_can_redeem_another_voucher() public {
        ReentrantAccount money = new ReentrantAccount();
        MintVoucher memory other = pricedVoucherOf();
        (other.nonce, other.tokenId) = (2, 2);
        bytes memory call = abi.encodeCall(token.mintWithVoucher, (other, sign(address(token), other)));
        money.prepare(address(token), call, 1_000);
        vm.deal(address(money), 1_000);
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = address(money);
        redeem(voucher, sign(address(token), voucher), 0);
        assertTrue(money.succeeded());
        assertEq(held(alice, 1), 1);
        assertEq(held(alice, 2), 1);
        assertEq(seller.balance, 975);
        assertEq(platform.balance, 25);
        assertEq(address(token).balance, 0);
    }

    function test_a_voucher_in_an_erc_20_refuses_value() public {
        MockERC20 money = new MockERC20();
        money.mintAndApprove(outsider, 1_000, address(token));
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = address(money);
        bytes memory signature = sign(address(token), voucher);
        vm.deal(outsider, 1_000);
        vm.prank(outsider);
        vm.expectRevert(abi.encodeWithSelector(VitrineToken.WrongPayment.selector, 0));
        token.mintWithVoucher{value: 1_000}(voucher, signature);
    }

    function test_a_voucher_reverts_when_its_erc_20_does_not_pay_and_is_valid_afterwards() public {
        MockERC20 money = new MockERC20();
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = address(money);
        bytes memory signature = sign(address(token), voucher);
        expectRefusal(voucher, signature, 0, TRANSFER_FROM_FAILED); // no allowance
        money.mintAndApprove(outsider, 1_000, address(token));
        money.setBehaviour(MockERC20.Behaviour.ReturnsFalse);
        expectRefusal(voucher, signature, 0, TRANSFER_FROM_FAILED);
        money.setBehaviour(MockERC20.Behaviour.Reverts);
        expectRefusal(voucher, signature, 0, TRANSFER_FROM_FAILED);
        money.setBehaviour(MockERC20.Behaviour.Standard);
        money.blockPayee(seller);
        expectRefusal(voucher, signature, 0, TRANSFER_FROM_FAILED);
        assertEq(money.balanceOf(outsider), 1_000);
        assertEq(held(alice, 1), 0);
        money.blockPayee(address(0));
        redeem(voucher, signature, 0);
    }

    function test_an_erc_20_without_code_is_refused() public {
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = bob;
        expectRefusal(voucher, sign(address(token), voucher), 0, TRANSFER_FROM_FAILED);
    }

    function test_an_erc_20_that_reenters_cannot_redeem_the_voucher_twice() public {
        ReentrantAccount money = new ReentrantAccount();
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = address(money);
        bytes memory signature = sign(address(token), voucher);
        money.prepare(address(token), abi.encodeCall(token.mintWithVoucher, (voucher, signature)), 0);
        redeem(voucher, signature, 0);
        assertTrue(money.tried());
        assertFalse(money.succeeded());
        assertEq(held(alice, 1), 1);
    }

    // --------------------------------------------------------------------------------------------------- helpers

    function redeem(MintVoucher memory voucher, bytes memory signature, uint256 value) internal {
        vm.deal(outsider, value);
        vm.prank(outsider);
        token.mintWithVoucher{value: value}(voucher, signature);
    }

    function expectRefusal(MintVoucher memory voucher, bytes memory signature, uint256 value, bytes4 selector)
        internal
    {
        vm.deal(outsider, value);
        vm.prank(outsider);
        vm.expectRevert(selector);
        token.mintWithVoucher{value: value}(voucher, signature);
    }
}

contract Vitrine721VouchersTest is VoucherRules {
    function newToken(Terms memory terms) internal override returns (address) {
        return address(clone721(terms));
    }

    function held(address account, uint256 id) internal view override returns (uint256) {
        try token.ownerOf(id) returns (address holder) {
            return holder == account ? 1 : 0;
        } catch {
            return 0;
        }
    }

    function usedError() internal pure override returns (bytes4) {
        return ERC721.TokenAlreadyExists.selector;
    }

    function cancelledError() internal pure override returns (bytes4) {
        return Vitrine721.VoucherIsCancelled.selector;
    }

    function mint(address to, uint256 id) internal override {
        vm.prank(minter);
        token.adminMint(to, id);
    }

    function burn(address from, uint256 id) internal override {
        vm.prank(from);
        token.burn(id);
    }

    function test_a_quantity_other_than_1_is_refused() public {
        MintVoucher memory voucher = voucherOf();
        voucher.quantity = 2;
        expectRefusal(voucher, sign(address(token), voucher), 0, Vitrine721.WrongQuantity.selector);
        voucher.quantity = 0;
        expectRefusal(voucher, sign(address(token), voucher), 0, Vitrine721.WrongQuantity.selector);
    }

    function test_a_cancellation_cancels_vouchers_of_the_token_with_lower_nonces_and_no_others() public {
        MintVoucher memory voucher = voucherOf();
        voucher.nonce = 5;
        bytes memory signature = sign(address(token), voucher);
        vm.prank(minter);
        token.cancelVoucher(voucher, signature);
        assertEq(token.lowestValidNonce(1), 6);
        voucher.nonce = 4;
        expectRefusal(voucher, sign(address(token), voucher), 0, Vitrine721.VoucherIsCancelled.selector);
        voucher.nonce = 6;
        redeem(voucher, sign(address(token), voucher), 0);
    }

    function test_the_token_of_a_cancelled_voucher_can_be_minted_transferred_and_burnt() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        vm.prank(minter);
        token.cancelVoucher(voucher, signature);
        mint(alice, 1);
        vm.prank(alice);
        token.transferFrom(alice, bob, 1);
        assertEq(token.ownerOf(1), bob);
        assertEq(token.balanceOf(bob), 1);
        assertEq(token.lowestValidNonce(1), 2);
        vm.prank(bob);
        token.burn(1);
        vm.prank(alice);
        vm.expectRevert(Vitrine721.TokenIsBurnt.selector);
        token.cancelVoucher(voucher, signature);
    }

    function test_a_nonce_above_2_to_the_95_less_2_is_refused() public {
        MintVoucher memory voucher = voucherOf();
        voucher.nonce = (1 << 95) - 1;
        bytes memory signature = sign(address(token), voucher);
        expectRefusal(voucher, signature, 0, Vitrine721.WrongNonce.selector);
        vm.prank(minter);
        vm.expectRevert(Vitrine721.WrongNonce.selector);
        token.cancelVoucher(voucher, signature);

        voucher.nonce = (1 << 95) - 2;
        signature = sign(address(token), voucher);
        vm.prank(minter);
        token.cancelVoucher(voucher, signature);
        mint(alice, 1);
    }

    function test_with_automatic_ids_a_voucher_beyond_the_highest_id_is_refused() public {
        Terms memory terms = termsOf();
        terms.maxSupply = 5;
        token = Vitrine721(newToken(terms));
        MintVoucher memory voucher = voucherOf();
        voucher.tokenId = 6;
        expectRefusal(voucher, sign(address(token), voucher), 0, VitrineToken.MaxSupplyReached.selector);
        voucher.tokenId = 0;
        expectRefusal(voucher, sign(address(token), voucher), 0, VitrineToken.MaxSupplyReached.selector);
    }
}

contract Vitrine1155VouchersTest is VoucherRules {
    function newToken(Terms memory terms) internal override returns (address) {
        return address(clone1155(terms));
    }

    function held(address account, uint256 id) internal view override returns (uint256) {
        return token1155().balanceOf(account, id);
    }

    function usedError() internal pure override returns (bytes4) {
        return Vitrine1155.VoucherIsUsed.selector;
    }

    function cancelledError() internal pure override returns (bytes4) {
        return Vitrine1155.VoucherIsUsed.selector;
    }

    function mint(address to, uint256 id) internal override {
        vm.prank(minter);
        token1155().adminMint(to, id, 1, 1_000 + id);
    }

    function burn(address from, uint256 id) internal override {
        vm.prank(from);
        token1155().burn(from, id, 1);
    }

    function test_a_request_and_a_voucher_cannot_use_the_same_number() public {
        MintVoucher memory voucher = voucherOf();
        redeem(voucher, sign(address(token), voucher), 0);
        vm.prank(minter);
        vm.expectRevert(Vitrine1155.RequestIsUsed.selector);
        token1155().adminMint(bob, 1, 1, voucher.nonce);

        vm.prank(minter);
        token1155().adminMint(bob, 1, 1, 2);
        voucher.nonce = 2;
        expectRefusal(voucher, sign(address(token), voucher), 0, Vitrine1155.VoucherIsUsed.selector);
    }

    function testFuzz_the_total_is_price_times_quantity(uint64 quantity, uint64 price, uint256 split) public {
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.quantity, voucher.price) = (bound(quantity, 1, type(uint64).max - 1), price);
        uint256 total = voucher.quantity * voucher.price;
        voucher.initialRecipientAmount = bound(split, 0, total);
        vm.expectEmit(address(token));
        emit Vitrine1155.VoucherRedeemed(voucher.nonce);
        bytes memory signature = sign(address(token), voucher);
        vm.deal(outsider, total);
        vm.prank(outsider);
        token.mintWithVoucher{value: total}(voucher, signature);
        assertEq(held(alice, 1), voucher.quantity);
        assertEq(seller.balance + platform.balance, total);
        assertEq(platform.balance, voucher.initialRecipientAmount);
    }

    function testFuzz_no_price_times_quantity_overflows_silently(uint256 price, uint256 quantity) public {
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.quantity = bound(quantity, 2, type(uint256).max);
        voucher.price = bound(price, type(uint256).max / voucher.quantity + 1, type(uint256).max);
        uint256 wrapped;
        unchecked {
            wrapped = voucher.price * voucher.quantity;
        }
        voucher.initialRecipientAmount = 0;
        bytes memory signature = sign(address(token), voucher);
        vm.deal(outsider, wrapped);
        vm.prank(outsider);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        token.mintWithVoucher{value: wrapped}(voucher, signature);
    }

    function test_a_price_times_quantity_that_would_overflow_to_zero_is_refused() public {
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.price, voucher.quantity, voucher.initialRecipientAmount) = (1 << 255, 2, 0);
        bytes memory signature = sign(address(token), voucher);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        token.mintWithVoucher(voucher, signature);
        assertEq(held(alice, 1), 0);
    }

    function test_a_voucher_for_zero_units_is_refused() public {
        MintVoucher memory voucher = voucherOf();
        voucher.quantity = 0;
        expectRefusal(voucher, sign(address(token), voucher), 0, Vitrine1155.AmountIsZero.selector);
    }

    function test_a_voucher_minter_that_is_a_contract_is_called_and_may_refuse() public {
        MintVoucher memory voucher = voucherOf();
        voucher.minter = address(new RejectingAccount());
        bytes memory signature = sign(address(token), voucher);
        vm.expectRevert();
        token.mintWithVoucher(voucher, signature);
        assertFalse(token1155().isUsed(voucher.nonce));

        AcceptingReceiver receiver = new AcceptingReceiver();
        voucher.minter = address(receiver);
        redeem(voucher, sign(address(token), voucher), 0);
        assertEq(receiver.operator(), outsider);
        assertEq(receiver.from(), address(0));
        assertEq(receiver.amount(), 1);
    }

    function test_a_voucher_minter_that_reenters_cannot_redeem_the_voucher_twice() public {
        ReentrantAccount buyer = new ReentrantAccount();
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.minter = address(buyer);
        bytes memory signature = sign(address(token), voucher);
        buyer.prepare(address(token), abi.encodeCall(token.mintWithVoucher, (voucher, signature)), 1_000);
        vm.deal(address(buyer), 1_000);
        redeem(voucher, signature, 1_000);
        assertTrue(buyer.tried());
        assertFalse(buyer.succeeded());
        assertEq(held(address(buyer), 1), 1);
        assertEq(seller.balance, 975);
    }

    function token1155() private view returns (Vitrine1155) {
        return Vitrine1155(address(token));
    }
}
