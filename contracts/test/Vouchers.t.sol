// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721} from "solady/tokens/ERC721.sol";
import {MintVoucher, VitrineToken} from "../src/VitrineToken.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {Vitrine1155} from "../src/Vitrine1155.sol";
import {ContractSigner, GasBurner, Money, Rambler, Receiver, Reentrant, Refuser} from "./Counterparties.sol";
import {VitrineTest} from "./VitrineTest.sol";

/// @notice What holds for vouchers on both token contracts.
abstract contract VoucherRules is VitrineTest {
    bytes4 internal constant TRANSFER_FROM_FAILED = bytes4(keccak256("TransferFromFailed()"));

    /// @dev The token contract under test; both have the same functions for vouchers.
    Vitrine721 internal token;

    function newToken(Terms memory terms) internal virtual returns (address);
    function held(address account, uint256 id) internal view virtual returns (uint256);
    /// @dev The error of a voucher that was used before.
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
        assertEq(held(stranger, 1), 0);
    }

    function test_the_digest_is_eip_712s() public {
        MintVoucher memory voucher = pricedVoucherOf();
        assertEq(token.voucherDigest(voucher), digestOf(address(token), voucher));
        vm.chainId(5);
        assertEq(token.voucherDigest(voucher), digestOf(address(token), voucher));
    }

    function testFuzz_any_voucher_that_was_signed_is_good(
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
        // Bits outside a field's type are changed as well: an address is 20 of its 32 bytes.
        change = bound(change, 1, type(uint256).max);
        assembly ("memory-safe") {
            let at := add(add(data, 0x24), mul(field, 0x20))
            mstore(at, xor(mload(at), change))
        }
        vm.deal(stranger, 1 ether);
        vm.prank(stranger);
        (bool succeeded,) = address(token).call(data);
        assertFalse(succeeded);
        assertEq(held(alice, 1), 0);
    }

    function testFuzz_nobody_elses_signature_is_good(uint256 key) public {
        key = bound(key, 1, ORDER - 1);
        vm.assume(key != SIGNER_KEY);
        MintVoucher memory voucher = voucherOf();
        refuse(voucher, signWith(key, address(token), voucher), 0, VitrineToken.InvalidSignature.selector);
    }

    function test_a_voucher_is_for_one_contract_and_one_chain() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(newToken(termsOf()), voucher);
        refuse(voucher, signature, 0, VitrineToken.InvalidSignature.selector);
        signature = sign(address(token), voucher);
        vm.chainId(5);
        refuse(voucher, signature, 0, VitrineToken.InvalidSignature.selector);
    }

    function test_a_voucher_of_another_contract_or_chain_cancels_nothing() public {
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

    function test_the_second_form_of_a_signature_is_refused() public {
        MintVoucher memory voucher = voucherOf();
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(SIGNER_KEY, digestOf(address(token), voucher));
        bytes memory mirrored = abi.encodePacked(r, ORDER - uint256(s), v == 27 ? uint8(28) : uint8(27));
        refuse(voucher, mirrored, 0, VitrineToken.InvalidSignature.selector);
    }

    function testFuzz_a_signature_cannot_be_turned_into_another(uint64 nonce, bytes32 other, uint8 v) public {
        MintVoucher memory voucher = voucherOf();
        voucher.nonce = nonce;
        (uint8 rightV, bytes32 r, bytes32 s) = vm.sign(SIGNER_KEY, digestOf(address(token), voucher));
        bytes4 reason = VitrineToken.InvalidSignature.selector;
        refuse(voucher, abi.encodePacked(r, ORDER - uint256(s), uint8(55) - rightV), 0, reason);
        if (v != rightV) refuse(voucher, abi.encodePacked(r, s, v), 0, reason);
        if (other != s) refuse(voucher, abi.encodePacked(r, other, rightV), 0, reason);
        if (other != r) refuse(voucher, abi.encodePacked(other, s, rightV), 0, reason);
        redeem(voucher, abi.encodePacked(r, s, rightV), 0);
    }

    function test_the_zero_address_signs_nothing() public {
        signer = address(0);
        token = Vitrine721(newToken(termsOf()));
        MintVoucher memory voucher = voucherOf();
        bytes[4] memory signatures =
            [new bytes(64), new bytes(65), abi.encodePacked(bytes32("r"), bytes32("s"), uint8(29)), new bytes(120)];
        for (uint256 i; i < 8; ++i) {
            refuse(voucher, signatures[i % 4], 0, VitrineToken.InvalidSignature.selector);
            vm.prank(owner);
            token.setRoles(address(0), 3);
        }
    }

    function test_signatures_of_other_lengths_are_refused() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        refuse(voucher, "", 0, VitrineToken.InvalidSignature.selector);
        refuse(voucher, abi.encodePacked(signature, uint8(0)), 0, VitrineToken.InvalidSignature.selector);
        assembly ("memory-safe") {
            mstore(signature, 63)
        }
        refuse(voucher, signature, 0, VitrineToken.InvalidSignature.selector);
        refuse(voucher, new bytes(64), 0, VitrineToken.InvalidSignature.selector);
        refuse(voucher, new bytes(65), 0, VitrineToken.InvalidSignature.selector);
        refuse(voucher, new bytes(200), 0, VitrineToken.InvalidSignature.selector);
    }

    function test_a_contract_that_holds_the_role_signs() public {
        ContractSigner safe = new ContractSigner();
        MintVoucher memory voucher = voucherOf();
        bytes memory proof = new bytes(130);
        safe.approve(digestOf(address(token), voucher), proof);
        bytes memory signature = abi.encodePacked(address(safe), proof);
        refuse(voucher, signature, 0, VitrineToken.InvalidSignature.selector);

        vm.prank(owner);
        token.setRoles(address(safe), 2);
        refuse(voucher, abi.encodePacked(signature, uint8(0)), 0, VitrineToken.InvalidSignature.selector);
        redeem(voucher, signature, 0);
        assertEq(held(alice, 1), 1);
    }

    function test_an_account_without_code_signs_nothing_as_a_contract() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = abi.encodePacked(signer, sign(address(token), voucher));
        refuse(voucher, signature, 0, VitrineToken.InvalidSignature.selector);
    }

    // --------------------------------------------------------------------------------------------- once, in time

    function test_a_voucher_works_once() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        redeem(voucher, signature, 0);
        refuse(voucher, signature, 0, usedError());
        refuse(voucher, signShort(address(token), voucher), 0, usedError());
    }

    function test_a_token_that_was_burnt_does_not_come_back_by_its_voucher() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        redeem(voucher, signature, 0);
        burn(alice, 1);
        vm.expectRevert();
        token.mintWithVoucher(voucher, signature);
        assertEq(held(alice, 1), 0);
    }

    function test_a_voucher_works_up_to_its_last_second() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        vm.warp(voucher.expiry + 1);
        refuse(voucher, signature, 0, VitrineToken.VoucherIsExpired.selector);
        vm.warp(voucher.expiry);
        redeem(voucher, signature, 0);
    }

    function test_vouchers_can_be_paused_while_other_mints_go_on() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        vm.prank(minter);
        token.setVouchersPaused(true);
        assertTrue(token.vouchersPaused());
        refuse(voucher, signature, 0, VitrineToken.VouchersArePaused.selector);
        mint(bob, 2);
        vm.prank(owner);
        token.setVouchersPaused(false);
        redeem(voucher, signature, 0);
    }

    function test_a_voucher_keeps_to_the_max_supply() public {
        Terms memory terms = termsOf();
        terms.maxSupply = 1;
        terms.manualIds = true;
        token = Vitrine721(newToken(terms));
        MintVoucher memory voucher = voucherOf();
        redeem(voucher, sign(address(token), voucher), 0);
        (voucher.tokenId, voucher.nonce) = (2, 2);
        refuse(voucher, sign(address(token), voucher), 0, VitrineToken.MaxSupplyReached.selector);
    }

    function test_of_two_who_race_for_the_last_unit_one_gets_it_and_the_other_keeps_the_money() public {
        Terms memory terms = termsOf();
        (terms.maxSupply, terms.manualIds) = (1, true);
        MintVoucher[2] memory vouchers = [pricedVoucherOf(), pricedVoucherOf()];
        (vouchers[1].minter, vouchers[1].nonce, vouchers[1].tokenId) = (bob, 2, 2);
        for (uint256 first; first < 2; ++first) {
            token = Vitrine721(newToken(terms));
            MintVoucher memory late = vouchers[1 - first];
            redeem(vouchers[first], sign(address(token), vouchers[first]), 1_000);
            refuse(late, sign(address(token), late), 1_000, VitrineToken.MaxSupplyReached.selector);
            assertEq(stranger.balance, 1_000);
            assertEq(held(vouchers[first].minter, vouchers[first].tokenId), 1);
            assertEq(held(late.minter, late.tokenId), 0);
        }
        assertEq(seller.balance + platform.balance, 2_000);
    }

    function test_a_max_supply_lowered_meanwhile_holds_for_vouchers_signed_before() public {
        Terms memory terms = termsOf();
        terms.manualIds = true;
        token = Vitrine721(newToken(terms));
        MintVoucher memory voucher = pricedVoucherOf();
        bytes memory signature = sign(address(token), voucher);
        mint(bob, 2);
        vm.prank(owner);
        token.setMaxSupply(1);
        refuse(voucher, signature, 1_000, VitrineToken.MaxSupplyReached.selector);
        burn(bob, 2);
        refuse(voucher, signature, 1_000, VitrineToken.MaxSupplyReached.selector);
    }

    function test_nothing_is_minted_to_the_zero_address() public {
        MintVoucher memory voucher = voucherOf();
        voucher.minter = address(0);
        refuse(voucher, sign(address(token), voucher), 0, bytes4(keccak256("TransferToZeroAddress()")));
    }

    // ------------------------------------------------------------------------------------------------ cancelling

    function test_those_concerned_cancel() public {
        address[4] memory concerned = [alice, minter, signer, owner];
        for (uint256 i; i < 4; ++i) {
            MintVoucher memory voucher = voucherOf();
            (voucher.nonce, voucher.tokenId) = (i + 1, i + 1);
            bytes memory signature = sign(address(token), voucher);
            vm.prank(concerned[i]);
            vm.expectEmit(address(token));
            emit VitrineToken.VoucherCancelled(i + 1, i + 1);
            token.cancelVoucher(voucher, signature);
            refuse(voucher, signature, 0, cancelledError());
        }
    }

    function test_nobody_cancels_anothers_voucher() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        vm.prank(stranger);
        vm.expectRevert(VitrineToken.Unauthorized.selector);
        token.cancelVoucher(voucher, signature);

        MintVoucher memory forged = voucherOf();
        (forged.minter, forged.nonce) = (stranger, 100);
        vm.prank(stranger);
        vm.expectRevert(VitrineToken.InvalidSignature.selector);
        token.cancelVoucher(forged, signature);
        redeem(voucher, signature, 0);
    }

    function test_a_used_or_cancelled_voucher_is_not_cancelled_again() public {
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

    function test_what_was_cancelled_can_still_be_minted_otherwise() public {
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
            vm.deal(stranger, value);
            vm.prank(stranger);
            vm.expectRevert(abi.encodeWithSelector(VitrineToken.WrongPayment.selector, 1_000));
            token.mintWithVoucher{value: value}(voucher, signature);
        }
        redeem(voucher, signature, 1_000);
        assertEq(seller.balance, 975);
        assertEq(platform.balance, 25);
    }

    function test_a_free_voucher_takes_and_pays_nothing() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(address(token), voucher);
        vm.deal(stranger, 1);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(VitrineToken.WrongPayment.selector, 0));
        token.mintWithVoucher{value: 1}(voucher, signature);
        redeem(voucher, signature, 0);
    }

    function test_the_fee_cannot_exceed_the_total() public {
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.initialRecipientAmount = 1_001;
        refuse(voucher, sign(address(token), voucher), 1_000, VitrineToken.InitialRecipientAmountTooHigh.selector);
    }

    function test_all_or_nothing_can_go_to_either_payee() public {
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.initialRecipientAmount, voucher.netRecipient) = (1_000, address(0));
        redeem(voucher, sign(address(token), voucher), 1_000);
        assertEq(platform.balance, 1_000);
        (voucher.netRecipient, voucher.initialRecipient, voucher.initialRecipientAmount) = (seller, address(0), 0);
        (voucher.nonce, voucher.tokenId) = (2, 2);
        redeem(voucher, sign(address(token), voucher), 1_000);
        assertEq(seller.balance, 1_000);
    }

    function test_nobody_is_paid_at_the_zero_address_or_here() public {
        address[2] memory payees = [address(0), address(token)];
        for (uint256 i; i < 2; ++i) {
            MintVoucher memory voucher = pricedVoucherOf();
            voucher.netRecipient = payees[i];
            refuse(voucher, sign(address(token), voucher), 1_000, VitrineToken.WrongPayee.selector);
            (voucher.netRecipient, voucher.initialRecipient) = (seller, payees[i]);
            refuse(voucher, sign(address(token), voucher), 1_000, VitrineToken.WrongPayee.selector);
        }
    }

    function test_a_price_too_large_to_multiply_is_refused() public {
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.price, voucher.quantity) = (type(uint256).max, 2);
        bytes memory signature = sign(address(token), voucher);
        vm.expectRevert();
        token.mintWithVoucher(voucher, signature);
    }

    function test_no_payee_can_block_a_sale() public {
        address[3] memory payees = [address(new Refuser()), address(new GasBurner()), address(new Rambler())];
        for (uint256 i; i < 3; ++i) {
            MintVoucher memory voucher = pricedVoucherOf();
            (voucher.netRecipient, voucher.nonce, voucher.tokenId) = (payees[i], i + 1, i + 1);
            redeem(voucher, sign(address(token), voucher), 1_000);
            assertEq(payees[i].balance, 975);
            assertEq(held(alice, i + 1), 1);
        }
        assertEq(address(token).balance, 0);
    }

    function test_two_payees_that_refuse_are_both_paid() public {
        address[3] memory payees = [address(new Refuser()), address(new GasBurner()), address(new Rambler())];
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

    function testFuzz_with_any_gas_both_are_paid_or_nothing_happens(uint256 gasLimit) public {
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.netRecipient, voucher.initialRecipient) = (address(new GasBurner()), address(new Refuser()));
        bytes memory data = abi.encodeCall(token.mintWithVoucher, (voucher, sign(address(token), voucher)));
        vm.deal(stranger, 1_000);
        vm.prank(stranger);
        (bool done,) = address(token).call{value: 1_000, gas: bound(gasLimit, 30_000, 500_000)}(data);
        assertEq(held(alice, 1), done ? 1 : 0);
        assertEq(voucher.netRecipient.balance, done ? 975 : 0);
        assertEq(voucher.initialRecipient.balance, done ? 25 : 0);
        assertEq(stranger.balance, done ? 0 : 1_000);
        assertEq(address(token).balance, 0);
    }

    function test_a_payee_that_calls_back_gets_nothing_twice() public {
        Reentrant payee = new Reentrant();
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

    function test_a_payee_may_redeem_another_voucher_while_it_is_paid() public {
        Reentrant payee = new Reentrant();
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

    function test_an_erc_20_goes_from_sender_to_payees() public {
        Money.Manner[2] memory manners = [Money.Manner.Proper, Money.Manner.Silent];
        for (uint256 i; i < 2; ++i) {
            Money money = new Money();
            money.behave(manners[i]);
            MintVoucher memory voucher = pricedVoucherOf();
            (voucher.currency, voucher.nonce, voucher.tokenId) = (address(money), i + 1, i + 1);
            money.give(stranger, 1_000, address(token));
            redeem(voucher, sign(address(token), voucher), 0);
            assertEq(money.balanceOf(seller), 975);
            assertEq(money.balanceOf(platform), 25);
            assertEq(money.balanceOf(address(token)), 0);
        }
    }

    function test_an_erc_20_that_returns_nothing_pays() public {
        Money money = new Money();
        money.behave(Money.Manner.Silent);
        money.give(stranger, 1_000, address(token));
        (bool done, bytes memory answer) =
            address(money).call(abi.encodeCall(money.transferFrom, (address(this), address(this), 0)));
        assertTrue(done);
        assertEq(answer.length, 0);
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = address(money);
        redeem(voucher, sign(address(token), voucher), 0);
        assertEq(money.balanceOf(seller) + money.balanceOf(platform), 1_000);
    }

    function test_an_erc_20_that_takes_a_fee_takes_it_from_the_payees_and_leaves_nothing_here() public {
        Money money = new Money();
        money.charge(20);
        money.give(stranger, 1_000, address(token));
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = address(money);
        redeem(voucher, sign(address(token), voucher), 0);
        assertEq(money.balanceOf(stranger), 0);
        assertEq(money.balanceOf(seller), 780);
        assertEq(money.balanceOf(platform), 20);
        assertEq(money.balanceOf(address(token)), 0);
        assertEq(held(alice, 1), 1);
    }

    function test_an_erc_20_that_calls_back_may_redeem_another_voucher() public {
        Reentrant money = new Reentrant();
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

    function test_with_an_erc_20_no_value_is_taken() public {
        Money money = new Money();
        money.give(stranger, 1_000, address(token));
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = address(money);
        bytes memory signature = sign(address(token), voucher);
        vm.deal(stranger, 1_000);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(VitrineToken.WrongPayment.selector, 0));
        token.mintWithVoucher{value: 1_000}(voucher, signature);
    }

    function test_an_erc_20_that_does_not_pay_fails_its_voucher_alone() public {
        Money money = new Money();
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = address(money);
        bytes memory signature = sign(address(token), voucher);
        refuse(voucher, signature, 0, TRANSFER_FROM_FAILED); // no allowance
        money.give(stranger, 1_000, address(token));
        money.behave(Money.Manner.False);
        refuse(voucher, signature, 0, TRANSFER_FROM_FAILED);
        money.behave(Money.Manner.Reverting);
        refuse(voucher, signature, 0, TRANSFER_FROM_FAILED);
        money.behave(Money.Manner.Proper);
        money.refuse(seller);
        refuse(voucher, signature, 0, TRANSFER_FROM_FAILED);
        assertEq(money.balanceOf(stranger), 1_000);
        assertEq(held(alice, 1), 0);
        money.refuse(address(0));
        redeem(voucher, signature, 0);
    }

    function test_an_erc_20_without_code_pays_nothing() public {
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.currency = bob;
        refuse(voucher, sign(address(token), voucher), 0, TRANSFER_FROM_FAILED);
    }

    function test_an_erc_20_that_calls_back_mints_nothing_twice() public {
        Reentrant money = new Reentrant();
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
        vm.deal(stranger, value);
        vm.prank(stranger);
        token.mintWithVoucher{value: value}(voucher, signature);
    }

    function refuse(MintVoucher memory voucher, bytes memory signature, uint256 value, bytes4 selector) internal {
        vm.deal(stranger, value);
        vm.prank(stranger);
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

    function test_a_unique_item_has_quantity_1() public {
        MintVoucher memory voucher = voucherOf();
        voucher.quantity = 2;
        refuse(voucher, sign(address(token), voucher), 0, Vitrine721.WrongQuantity.selector);
        voucher.quantity = 0;
        refuse(voucher, sign(address(token), voucher), 0, Vitrine721.WrongQuantity.selector);
    }

    function test_cancelling_voids_older_vouchers_of_the_token_and_no_newer_ones() public {
        MintVoucher memory voucher = voucherOf();
        voucher.nonce = 5;
        bytes memory signature = sign(address(token), voucher);
        vm.prank(minter);
        token.cancelVoucher(voucher, signature);
        assertEq(token.lowestValidNonce(1), 6);
        voucher.nonce = 4;
        refuse(voucher, sign(address(token), voucher), 0, Vitrine721.VoucherIsCancelled.selector);
        voucher.nonce = 6;
        redeem(voucher, sign(address(token), voucher), 0);
    }

    function test_what_was_cancelled_can_be_minted_by_the_minter_and_moves_freely() public {
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

    function test_a_nonce_too_large_to_remember_is_refused() public {
        MintVoucher memory voucher = voucherOf();
        voucher.nonce = (1 << 95) - 1;
        bytes memory signature = sign(address(token), voucher);
        refuse(voucher, signature, 0, Vitrine721.WrongNonce.selector);
        vm.prank(minter);
        vm.expectRevert(Vitrine721.WrongNonce.selector);
        token.cancelVoucher(voucher, signature);

        voucher.nonce = (1 << 95) - 2;
        signature = sign(address(token), voucher);
        vm.prank(minter);
        token.cancelVoucher(voucher, signature);
        mint(alice, 1);
    }

    function test_a_voucher_keeps_to_the_bound_on_automatic_ids() public {
        Terms memory terms = termsOf();
        terms.maxSupply = 5;
        token = Vitrine721(newToken(terms));
        MintVoucher memory voucher = voucherOf();
        voucher.tokenId = 6;
        refuse(voucher, sign(address(token), voucher), 0, VitrineToken.MaxSupplyReached.selector);
        voucher.tokenId = 0;
        refuse(voucher, sign(address(token), voucher), 0, VitrineToken.MaxSupplyReached.selector);
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

    function test_a_request_and_a_voucher_cannot_share_a_number() public {
        MintVoucher memory voucher = voucherOf();
        redeem(voucher, sign(address(token), voucher), 0);
        vm.prank(minter);
        vm.expectRevert(Vitrine1155.RequestIsUsed.selector);
        token1155().adminMint(bob, 1, 1, voucher.nonce);

        vm.prank(minter);
        token1155().adminMint(bob, 1, 1, 2);
        voucher.nonce = 2;
        refuse(voucher, sign(address(token), voucher), 0, Vitrine1155.VoucherIsUsed.selector);
    }

    function testFuzz_the_price_is_for_each_unit(uint64 quantity, uint64 price, uint256 split) public {
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.quantity, voucher.price) = (bound(quantity, 1, type(uint64).max - 1), price);
        uint256 total = voucher.quantity * voucher.price;
        voucher.initialRecipientAmount = bound(split, 0, total);
        vm.expectEmit(address(token));
        emit Vitrine1155.VoucherRedeemed(voucher.nonce);
        bytes memory signature = sign(address(token), voucher);
        vm.deal(stranger, total);
        vm.prank(stranger);
        token.mintWithVoucher{value: total}(voucher, signature);
        assertEq(held(alice, 1), voucher.quantity);
        assertEq(seller.balance + platform.balance, total);
        assertEq(platform.balance, voucher.initialRecipientAmount);
    }

    function testFuzz_no_price_times_quantity_wraps_around(uint256 price, uint256 quantity) public {
        MintVoucher memory voucher = pricedVoucherOf();
        voucher.quantity = bound(quantity, 2, type(uint256).max);
        voucher.price = bound(price, type(uint256).max / voucher.quantity + 1, type(uint256).max);
        uint256 wrapped;
        unchecked {
            wrapped = voucher.price * voucher.quantity;
        }
        voucher.initialRecipientAmount = 0;
        bytes memory signature = sign(address(token), voucher);
        vm.deal(stranger, wrapped);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        token.mintWithVoucher{value: wrapped}(voucher, signature);
    }

    function test_a_price_times_quantity_that_would_wrap_to_nothing_is_refused() public {
        MintVoucher memory voucher = pricedVoucherOf();
        (voucher.price, voucher.quantity, voucher.initialRecipientAmount) = (1 << 255, 2, 0);
        bytes memory signature = sign(address(token), voucher);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        token.mintWithVoucher(voucher, signature);
        assertEq(held(alice, 1), 0);
    }

    function test_a_voucher_for_nothing_is_refused() public {
        MintVoucher memory voucher = voucherOf();
        voucher.quantity = 0;
        refuse(voucher, sign(address(token), voucher), 0, Vitrine1155.AmountIsZero.selector);
    }

    function test_a_minter_that_is_a_contract_is_asked() public {
        MintVoucher memory voucher = voucherOf();
        voucher.minter = address(new Refuser());
        bytes memory signature = sign(address(token), voucher);
        vm.expectRevert();
        token.mintWithVoucher(voucher, signature);
        assertFalse(token1155().isUsed(voucher.nonce));

        Receiver receiver = new Receiver();
        voucher.minter = address(receiver);
        redeem(voucher, sign(address(token), voucher), 0);
        assertEq(receiver.operator(), stranger);
        assertEq(receiver.from(), address(0));
        assertEq(receiver.amount(), 1);
    }

    function test_a_minter_that_calls_back_gets_nothing_twice() public {
        Reentrant buyer = new Reentrant();
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
