// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC1155} from "solady/tokens/ERC1155.sol";
import {MintVoucher, VitrineToken} from "../src/VitrineToken.sol";
import {Vitrine1155} from "../src/Vitrine1155.sol";
import {
    WrongAnswerReceiver,
    GasBurner,
    LongRevertAccount,
    AcceptingReceiver,
    CostlyReceiver,
    ReentrantAccount,
    RejectingAccount
} from "./Counterparties.sol";
import {Vm, VitrineTest} from "./VitrineTest.sol";

contract Vitrine1155Test is VitrineTest {
    struct Entry {
        address to;
        uint256 id;
        uint256 amount;
        uint256 requestId;
    }

    struct Refusal {
        uint256 requestId;
        bytes4 reason;
    }

    bytes4 private constant RECEIVER_REFUSES = ERC1155.TransferToNonERC1155ReceiverImplementer.selector;

    Vitrine1155 private token;

    function setUp() public {
        token = clone1155(termsOf());
    }

    // ----------------------------------------------------------------------------------------------------- terms

    function test_name_symbol_and_metadata_uris_follow_the_terms_and_the_base_uri() public {
        assertEq(token.name(), "Genesis");
        assertEq(token.symbol(), "GEN");
        assertEq(token.contractURI(), COLLECTION_URI);
        assertEq(token.uri(12), string.concat(COLLECTION_URI, "/12"));
        vm.prank(minter);
        token.setBaseURI("ipfs://cid/");
        assertEq(token.uri(12), "ipfs://cid/12");
    }

    function test_refreshing_metadata_emits_a_uri_for_each_token() public {
        vm.startPrank(minter);
        vm.recordLogs();
        token.refreshMetadata(3, 5);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 3);
        for (uint256 i; i < 3; ++i) {
            assertEq(logs[i].topics[0], ERC1155.URI.selector);
            assertEq(uint256(logs[i].topics[1]), 3 + i);
            assertEq(abi.decode(logs[i].data, (string)), token.uri(3 + i));
        }
        vm.expectEmit(address(token));
        emit ERC1155.URI(token.uri(7), 7);
        token.refreshMetadata(7, 7);
        vm.expectRevert(VitrineToken.WrongRange.selector);
        token.refreshMetadata(5, 3);
        vm.expectRevert(VitrineToken.WrongRange.selector);
        token.refreshMetadata(type(uint256).max, type(uint256).max);
    }

    function test_the_implemented_interfaces_are_announced() public view {
        bytes4[5] memory ids = [bytes4(0x01ffc9a7), 0xd9b67a26, 0x0e89341c, 0x2a55205a, 0x7f5828d0];
        for (uint256 i; i < 5; ++i) {
            assertTrue(token.supportsInterface(ids[i]));
        }
        bytes4[4] memory others = [bytes4(0xffffffff), 0x80ac58cd, 0x49064906, 0xb45a3c0e];
        for (uint256 i; i < 4; ++i) {
            assertFalse(token.supportsInterface(others[i]));
        }
    }

    // --------------------------------------------------------------------------------------------------- minting

    function test_the_minter_mints() public {
        vm.expectEmit(address(token));
        emit ERC1155.TransferSingle(minter, address(0), alice, 7, 3);
        mint(alice, 7, 3, 1);
        assertEq(token.balanceOf(alice, 7), 3);
        assertEq(token.totalMinted(7), 3);
        assertTrue(token.isUsed(1));
    }

    function test_only_the_minter_mints() public {
        address[3] memory others = [owner, signer, outsider];
        for (uint256 i; i < 3; ++i) {
            vm.startPrank(others[i]);
            vm.expectRevert(VitrineToken.Unauthorized.selector);
            token.adminMint(alice, 1, 1, 1);
            vm.expectRevert(VitrineToken.Unauthorized.selector);
            token.adminMintMultiple(hex"010101");
            vm.stopPrank();
        }
        vm.prank(minter);
        vm.expectRevert(VitrineToken.Unauthorized.selector);
        token.giveToReceiver(minter, alice, 1, 1);
    }

    function testFuzz_a_request_id_is_used_once(uint256 requestId, uint256 other) public {
        vm.assume(requestId != other);
        mint(alice, 1, 1, requestId);
        vm.expectRevert(Vitrine1155.RequestIsUsed.selector);
        mint(bob, 2, 1, requestId);
        mint(bob, 2, 1, other);
        assertEq(token.balanceOf(bob, 2), 1);
    }

    function test_mints_to_the_zero_address_and_mints_of_zero_units_are_refused() public {
        vm.expectRevert(ERC1155.TransferToZeroAddress.selector);
        mint(address(0), 1, 1, 1);
        vm.expectRevert(Vitrine1155.AmountIsZero.selector);
        mint(alice, 1, 0, 1);
        assertFalse(token.isUsed(1));
    }

    function test_a_receiving_contract_is_called_and_may_refuse() public {
        AcceptingReceiver receiver = new AcceptingReceiver();
        mint(address(receiver), 7, 3, 1);
        assertEq(receiver.operator(), minter);
        assertEq(receiver.from(), address(0));
        assertEq(receiver.id(), 7);
        assertEq(receiver.amount(), 3);
        address[4] memory refusing = [
            address(new RejectingAccount()),
            address(new WrongAnswerReceiver()),
            address(new LongRevertAccount()),
            address(token)
        ];
        for (uint256 i; i < 4; ++i) {
            vm.expectRevert(RECEIVER_REFUSES);
            mint(refusing[i], 7, 3, 2);
        }
        assertEq(token.totalMinted(7), 3);
    }

    // --------------------------------------------------------------------------------------------------- batches

    function test_entries_that_cannot_be_minted_are_left_out_of_a_batch() public {
        vm.prank(minter);
        token.setTokenMaxSupply(9, 1);
        mint(alice, 1, 1, 300);
        AcceptingReceiver receiver = new AcceptingReceiver();
        Entry[] memory entries = new Entry[](12);
        entries[0] = Entry(alice, 1, 1, 300); // used before
        entries[1] = Entry(address(new RejectingAccount()), 1, 1, 1);
        entries[2] = Entry(alice, 1, 2, 2);
        entries[3] = Entry(address(0), 1, 1, 3);
        entries[4] = Entry(address(receiver), 1, 4, 4);
        entries[5] = Entry(alice, 1, 0, 5);
        entries[6] = Entry(alice, 9, 2, 6); // above the token's max supply
        entries[7] = Entry(alice, 9, 1, 6); // the refused entry didn't use it up
        entries[8] = Entry(address(new GasBurner()), 1, 1, 7);
        entries[9] = Entry(address(new LongRevertAccount()), 1, 1, 8);
        entries[10] = Entry(bob, 1, 8, 2); // used in this batch
        entries[11] = Entry(bob, 1, 16, 301);
        Refusal[] memory refusals = mintMany(entries);
        assertEq(refusals.length, 8);
        assertRefusal(refusals[0], 300, Vitrine1155.RequestIsUsed.selector);
        assertRefusal(refusals[1], 1, RECEIVER_REFUSES);
        assertRefusal(refusals[2], 3, ERC1155.TransferToZeroAddress.selector);
        assertRefusal(refusals[3], 5, Vitrine1155.AmountIsZero.selector);
        assertRefusal(refusals[4], 6, VitrineToken.MaxSupplyReached.selector);
        assertRefusal(refusals[5], 7, RECEIVER_REFUSES);
        assertRefusal(refusals[6], 8, RECEIVER_REFUSES);
        assertRefusal(refusals[7], 2, Vitrine1155.RequestIsUsed.selector);
        assertEq(token.balanceOf(alice, 1), 3);
        assertEq(token.balanceOf(address(receiver), 1), 4);
        assertEq(receiver.operator(), minter);
        assertEq(token.balanceOf(bob, 1), 16);
        assertEq(token.balanceOf(alice, 9), 1);
        assertEq(token.totalMinted(1), 1 + 2 + 4 + 16);
        for (uint256 i = 1; i <= 8; ++i) {
            assertTrue(token.isUsed(i) == (i == 2 || i == 4 || i == 6));
        }
        // The collection counted every unit once.
        vm.startPrank(minter);
        vm.expectRevert(VitrineToken.MaxSupplyBelowMinted.selector);
        token.setMaxSupply(23);
        token.setMaxSupply(24);
    }

    function testFuzz_a_batch_has_the_same_effect_as_its_entries_minted_one_by_one(
        uint8[10] memory to,
        uint8[10] memory ids,
        uint16[10] memory amounts,
        uint16[10] memory requests
    ) public {
        Vitrine1155 single = clone1155(termsOf());
        Entry[] memory entries = new Entry[](10);
        address[4] memory people = [alice, bob, address(new AcceptingReceiver()), address(new RejectingAccount())];
        for (uint256 i; i < 10; ++i) {
            entries[i] = Entry(people[to[i] % 4], ids[i] % 3, amounts[i], requests[i] % 600);
            Entry memory entry = entries[i];
            vm.prank(minter);
            try single.adminMint(entry.to, entry.id, entry.amount, entry.requestId) {} catch {}
        }
        mintMany(entries);
        for (uint256 i; i < 10; ++i) {
            Entry memory entry = entries[i];
            assertEq(token.balanceOf(entry.to, entry.id), single.balanceOf(entry.to, entry.id));
            assertEq(token.totalMinted(entry.id), single.totalMinted(entry.id));
            assertTrue(token.isUsed(entry.requestId) == single.isUsed(entry.requestId));
        }
    }

    function test_a_batch_of_a_hundred_receivers_that_burn_their_gas_fits_into_one_transaction() public {
        address burner = address(new GasBurner());
        Entry[] memory entries = new Entry[](100);
        for (uint256 i; i < 100; ++i) {
            entries[i] = Entry(burner, 1, 1, i);
        }
        bytes memory packed = pack(entries);
        vm.prank(minter);
        (bool succeeded,) = address(token).call{gas: 16_600_000}(abi.encodeCall(token.adminMintMultiple, (packed)));
        assertTrue(succeeded);
        assertEq(token.totalMinted(1), 0);
    }

    function test_a_receiver_that_accepts_is_never_left_out_for_lack_of_gas() public {
        CostlyReceiver receiver = new CostlyReceiver();
        Entry[] memory entries = new Entry[](1);
        entries[0] = Entry(address(receiver), 1, 1, 1);
        bytes memory packed = pack(entries);
        // The most that the receiver may cost and still be given its units.
        uint256 start = vm.snapshotState();
        for (uint256 cost = 150_000; token.balanceOf(address(receiver), 1) == 0; cost -= 500) {
            assertTrue(vm.revertToState(start));
            receiver.setCost(cost);
            start = vm.snapshotState();
            vm.prank(minter);
            token.adminMintMultiple(packed);
        }
        uint256 accepted;
        for (uint256 gas_ = 20_000; gas_ < 300_000; gas_ += 100) {
            assertTrue(vm.revertToState(start));
            vm.prank(minter);
            try token.adminMintMultiple{gas: gas_}(packed) {
                assertEq(token.balanceOf(address(receiver), 1), 1);
                ++accepted;
            } catch {}
        }
        assertTrue(accepted > 0 && accepted < 2_800);
    }

    function test_counts_are_right_when_a_receiver_redeems_a_voucher_during_a_batch() public {
        ReentrantAccount receiver = redeemingReceiver(5, 2);
        Entry[] memory entries = new Entry[](4);
        entries[0] = Entry(alice, 1, 1, 1);
        entries[1] = Entry(address(receiver), 1, 1, 3);
        entries[2] = Entry(bob, 1, 1, 2); // used by the voucher
        entries[3] = Entry(bob, 1, 1, 4);
        Refusal[] memory refusals = mintMany(entries);
        assertTrue(receiver.succeeded());
        assertEq(refusals.length, 1);
        assertRefusal(refusals[0], 2, Vitrine1155.RequestIsUsed.selector);
        assertEq(token.balanceOf(alice, 1), 6);
        assertEq(token.totalMinted(1), 8);
        vm.prank(minter);
        token.setMaxSupply(8);
    }

    function test_a_receiver_with_the_minter_role_cannot_use_a_request_id_twice() public {
        ReentrantAccount receiver = new ReentrantAccount();
        vm.prank(owner);
        token.setRoles(address(receiver), 1);
        receiver.prepare(address(token), abi.encodeCall(token.adminMint, (alice, 1, 1, 1)), 0);
        mint(address(receiver), 1, 1, 1);
        assertTrue(receiver.tried());
        assertFalse(receiver.succeeded());

        ReentrantAccount second = new ReentrantAccount();
        vm.prank(owner);
        token.setRoles(address(second), 1);
        Entry[] memory entries = new Entry[](2);
        entries[0] = Entry(address(second), 1, 1, 2);
        entries[1] = Entry(bob, 1, 1, 3);
        second.prepare(address(token), abi.encodeCall(token.adminMintMultiple, (pack(entries))), 0);
        Refusal[] memory refusals = mintMany(entries);
        // The inner batch minted the second entry, so the outer one finds it used. The first was used before the call.
        assertTrue(second.succeeded());
        assertEq(refusals.length, 2);
        assertRefusal(refusals[0], 2, Vitrine1155.RequestIsUsed.selector);
        assertRefusal(refusals[1], 3, Vitrine1155.RequestIsUsed.selector);
        assertEq(token.balanceOf(address(second), 1), 1);
        assertEq(token.balanceOf(bob, 1), 1);
        assertEq(token.balanceOf(alice, 1), 0);
        assertEq(token.totalMinted(1), 3);
    }

    function test_an_entry_is_left_out_when_a_receiver_has_taken_the_last_units_during_the_batch() public {
        Terms memory terms = termsOf();
        terms.maxSupply = 7;
        token = clone1155(terms);
        ReentrantAccount receiver = redeemingReceiver(5, 2);
        Entry[] memory entries = new Entry[](3);
        entries[0] = Entry(alice, 1, 1, 1);
        entries[1] = Entry(address(receiver), 1, 1, 3);
        entries[2] = Entry(bob, 1, 1, 4);
        Refusal[] memory refusals = mintMany(entries);
        assertEq(refusals.length, 1);
        assertRefusal(refusals[0], 4, VitrineToken.MaxSupplyReached.selector);
        assertEq(token.totalMinted(1), 7);
    }

    function test_what_a_receiver_did_before_it_refused_is_reverted() public {
        ReentrantAccount receiver = redeemingReceiver(5, 2);
        receiver.refuse();
        Entry[] memory entries = new Entry[](2);
        entries[0] = Entry(address(receiver), 1, 1, 3);
        entries[1] = Entry(bob, 1, 1, 4);
        Refusal[] memory refusals = mintMany(entries);
        assertEq(refusals.length, 1);
        assertRefusal(refusals[0], 3, RECEIVER_REFUSES);
        assertFalse(token.isUsed(2) || token.isUsed(3));
        assertEq(token.totalMinted(1), 1);
        assertEq(token.balanceOf(alice, 1), 0);
        vm.prank(minter);
        token.setMaxSupply(1);
    }

    function test_a_receiver_cannot_call_give_to_receiver() public {
        ReentrantAccount receiver = new ReentrantAccount();
        receiver.prepare(address(token), abi.encodeCall(token.giveToReceiver, (minter, address(receiver), 1, 9)), 0);
        Entry[] memory entries = new Entry[](1);
        entries[0] = Entry(address(receiver), 1, 1, 1);
        mintMany(entries);
        assertTrue(receiver.tried());
        assertFalse(receiver.succeeded());
        assertEq(token.balanceOf(address(receiver), 1), 1);
    }

    function test_balances_are_right_when_a_receiver_burns_units_during_a_transfer() public {
        ReentrantAccount receiver = new ReentrantAccount();
        receiver.prepare(address(token), abi.encodeCall(token.burn, (address(receiver), 1, 2)), 0);
        mint(alice, 1, 5, 1);
        vm.prank(alice);
        token.safeTransferFrom(alice, address(receiver), 1, 3, "");
        assertTrue(receiver.succeeded());
        assertEq(token.balanceOf(alice, 1), 2);
        assertEq(token.balanceOf(address(receiver), 1), 1);
        assertEq(token.totalMinted(1), 5);
    }

    function test_a_batch_packed_wrongly_is_refused() public {
        bytes[6] memory packed = [
            bytes(""),
            hex"0101",
            hex"000101",
            hex"012101",
            abi.encodePacked(hex"010101", alice, uint16(0)),
            abi.encodePacked(hex"010101", alice, uint32(0))
        ];
        for (uint256 i; i < 6; ++i) {
            vm.prank(minter);
            vm.expectRevert(VitrineToken.WrongPacking.selector);
            token.adminMintMultiple(packed[i]);
        }
        assertEq(mintMany(new Entry[](0)).length, 0);
    }

    // ---------------------------------------------------------------------------------------------------- supply

    function test_the_max_supply_counts_units_of_all_tokens_including_burnt_ones() public {
        Terms memory terms = termsOf();
        terms.maxSupply = 10;
        token = clone1155(terms);
        mint(alice, 1, 4, 1);
        mint(alice, 2, 6, 2);
        vm.prank(alice);
        token.burn(alice, 2, 6);
        vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
        mint(alice, 3, 1, 3);
    }

    function testFuzz_a_token_has_a_max_supply_of_its_own(uint64 cap, uint64 first, uint256 second) public {
        vm.prank(minter);
        token.setTokenMaxSupply(1, cap);
        first = uint64(bound(first, 0, cap));
        if (first > 0 && first < UNLIMITED) mint(alice, 1, first, 1);
        else first = 0;
        uint256 room = uint256(cap) - first;
        vm.expectRevert();
        mint(alice, 1, bound(second, room + 1, type(uint256).max), 2);
        assertEq(token.totalMinted(1), first);
        assertEq(token.tokenMaxSupply(1), cap);
    }

    function test_the_max_supply_of_a_token_can_only_be_lowered_and_not_below_the_units_minted() public {
        mint(alice, 1, 5, 1);
        assertEq(token.tokenMaxSupply(1), type(uint128).max);
        vm.startPrank(owner);
        token.setTokenMaxSupply(1, 8);
        assertEq(token.tokenMaxSupply(1), 8);
        vm.expectRevert(VitrineToken.MaxSupplyNotLower.selector);
        token.setTokenMaxSupply(1, 8);
        vm.expectRevert(VitrineToken.MaxSupplyBelowMinted.selector);
        token.setTokenMaxSupply(1, 4);
        token.setTokenMaxSupply(1, 5);
        vm.stopPrank();
        assertEq(token.totalMinted(1), 5);
        vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
        mint(alice, 1, 1, 2);
        vm.prank(outsider);
        vm.expectRevert(VitrineToken.Unauthorized.selector);
        token.setTokenMaxSupply(1, 0);
    }

    function test_amounts_that_would_overflow_are_refused() public {
        mint(alice, 1, 1, 1);
        uint256[4] memory amounts = [type(uint256).max, 1 << 255, 1 << 128, 1 << 64];
        for (uint256 i; i < 4; ++i) {
            vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
            mint(alice, 1, amounts[i], 2);
        }
    }

    // ------------------------------------------------------------------------------------- soulbound, burning

    function test_soulbound_units_cannot_be_transferred_or_approved() public {
        Terms memory terms = termsOf();
        terms.soulbound = true;
        token = clone1155(terms);
        mint(alice, 1, 5, 1);
        uint256[] memory list = new uint256[](1);
        list[0] = 1;
        vm.startPrank(alice);
        vm.expectRevert(VitrineToken.TokenIsSoulbound.selector);
        token.safeTransferFrom(alice, bob, 1, 1, "");
        vm.expectRevert(VitrineToken.TokenIsSoulbound.selector);
        token.safeBatchTransferFrom(alice, bob, list, list, "");
        vm.expectRevert(VitrineToken.TokenIsSoulbound.selector);
        token.setApprovalForAll(bob, true);
        token.burn(alice, 1, 5);
    }

    function test_no_call_by_anyone_gives_soulbound_units_to_another_account() public {
        Terms memory terms = termsOf();
        terms.soulbound = true;
        token = clone1155(terms);
        mint(alice, 1, 5, 1);
        uint256[] memory list = new uint256[](1);
        list[0] = 1;
        bytes[5] memory calls = [
            abi.encodeCall(token.setApprovalForAll, (bob, true)),
            abi.encodeCall(token.safeTransferFrom, (alice, bob, 1, 1, "")),
            abi.encodeCall(token.safeBatchTransferFrom, (alice, bob, list, list, "")),
            abi.encodeCall(token.giveToReceiver, (alice, bob, 1, 1)),
            abi.encodeCall(token.burn, (alice, 1, 1))
        ];
        address[5] memory callers = [alice, bob, minter, signer, owner];
        for (uint256 i; i < 5; ++i) {
            for (uint256 j; j < 5; ++j) {
                vm.prank(callers[j]);
                (bool done,) = address(token).call(calls[i]);
                // Only the owner may act, and only burn, whatever was tried before.
                assertTrue(done == (i == 4 && j == 0));
            }
        }
        assertFalse(token.isApprovedForAll(alice, bob));
        assertEq(token.balanceOf(bob, 1), 0);
        // A burnt unit's request id stays used.
        vm.expectRevert(Vitrine1155.RequestIsUsed.selector);
        mint(bob, 1, 5, 1);
    }

    function test_only_owners_and_their_operators_transfer_and_burn_units() public {
        mint(alice, 1, 5, 1);
        address[3] memory others = [minter, owner, outsider];
        for (uint256 i; i < 3; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(ERC1155.NotOwnerNorApproved.selector);
            token.burn(alice, 1, 1);
        }
        vm.startPrank(alice);
        token.safeTransferFrom(alice, bob, 1, 2, "");
        token.setApprovalForAll(outsider, true);
        vm.expectRevert(ERC1155.InsufficientBalance.selector);
        token.burn(alice, 1, 4);
        vm.stopPrank();
        vm.prank(outsider);
        token.burn(alice, 1, 3);
        assertEq(token.balanceOf(alice, 1), 0);
        assertEq(token.balanceOf(bob, 1), 2);
        assertEq(token.totalMinted(1), 5);
    }

    function test_units_of_several_tokens_are_transferred_all_or_none() public {
        mint(alice, 1, 5, 1);
        mint(alice, 2, 3, 2);
        uint256[] memory ids = new uint256[](2);
        uint256[] memory amounts = new uint256[](2);
        (ids[0], ids[1], amounts[0], amounts[1]) = (1, 2, 4, 3);
        vm.prank(outsider);
        vm.expectRevert(ERC1155.NotOwnerNorApproved.selector);
        token.safeBatchTransferFrom(alice, outsider, ids, amounts, "");
        vm.startPrank(alice);
        token.safeBatchTransferFrom(alice, bob, ids, amounts, "");
        vm.expectRevert(ERC1155.InsufficientBalance.selector);
        token.safeBatchTransferFrom(alice, bob, ids, amounts, "");
        vm.stopPrank();
        assertEq(token.balanceOf(alice, 1), 1);
        assertEq(token.balanceOf(alice, 2), 0);
        assertEq(token.balanceOf(bob, 1), 4);
        assertEq(token.balanceOf(bob, 2), 3);
    }

    // --------------------------------------------------------------------------------------------------- helpers

    function mint(address to, uint256 id, uint256 amount, uint256 requestId) private {
        vm.prank(minter);
        token.adminMint(to, id, amount, requestId);
    }

    function mintMany(Entry[] memory entries) private returns (Refusal[] memory refusals) {
        bytes memory packed = pack(entries);
        vm.recordLogs();
        vm.prank(minter);
        token.adminMintMultiple(packed);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        refusals = new Refusal[](logs.length);
        uint256 count;
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] != Vitrine1155.MintRefused.selector) continue;
            refusals[count++] = Refusal(uint256(logs[i].topics[1]), abi.decode(logs[i].data, (bytes4)));
        }
        assembly ("memory-safe") {
            mstore(refusals, count)
        }
    }

    /// @dev Ids in 1 byte, amounts in 3, request ids in 2.
    function pack(Entry[] memory entries) private pure returns (bytes memory packed) {
        packed = hex"010302";
        for (uint256 i; i < entries.length; ++i) {
            Entry memory entry = entries[i];
            bytes memory numbers = abi.encodePacked(uint8(entry.id), uint24(entry.amount), uint16(entry.requestId));
            packed = abi.encodePacked(packed, entry.to, numbers);
        }
    }

    /// @dev A receiver that redeems alice's free voucher for token 1 when it gets units.
    function redeemingReceiver(uint256 quantity, uint256 nonce) private returns (ReentrantAccount receiver) {
        receiver = new ReentrantAccount();
        MintVoucher memory voucher = voucherOf();
        (voucher.quantity, voucher.nonce) = (quantity, nonce);
        bytes memory signature = sign(address(token), voucher);
        receiver.prepare(address(token), abi.encodeCall(token.mintWithVoucher, (voucher, signature)), 0);
    }

    function assertRefusal(Refusal memory refusal, uint256 requestId, bytes4 reason) private pure {
        assertEq(refusal.requestId, requestId);
        assertEq(bytes32(refusal.reason), bytes32(reason));
    }
}
