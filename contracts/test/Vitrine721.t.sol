// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721} from "solady/tokens/ERC721.sol";
import {LibClone} from "solady/utils/LibClone.sol";
import {MintVoucher, VitrineToken} from "../src/VitrineToken.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {ReentrantAccount, RejectingAccount} from "./Counterparties.sol";
import {Vm, VitrineTest} from "./VitrineTest.sol";

contract Vitrine721Test is VitrineTest {
    Vitrine721 private token;

    function setUp() public {
        token = clone721(termsOf());
    }

    // ----------------------------------------------------------------------------------------------------- terms

    function test_the_terms_are_read_from_the_code_of_the_clone() public {
        Terms memory terms = termsOf();
        (terms.maxSupply, terms.royaltyReceiver, terms.royaltyBps) = (500, seller, 750);
        token = clone721(terms);
        assertEq(token.name(), "Genesis");
        assertEq(token.symbol(), "GEN");
        assertEq(token.owner(), owner);
        assertEq(token.rolesOf(minter), token.MINTER());
        assertEq(token.rolesOf(signer), token.SIGNER());
        assertEq(token.rolesOf(owner), 0);
        assertEq(token.maxSupply(), 500);
        assertEq(bytes32(token.collectionId()), bytes32(COLLECTION));
        (address receiver, uint256 amount) = token.royaltyInfo(1, 10_000);
        assertEq(receiver, seller);
        assertEq(amount, 750);
    }

    function testFuzz_names_and_symbols_have_any_length(string memory name, string memory symbol) public {
        bytes memory start = abi.encodePacked(uint8(0), minter, UNLIMITED, signer, owner, COLLECTION, seller, uint16(1));
        bytes memory args = abi.encodePacked(start, uint16(bytes(name).length), name, symbol);
        token = Vitrine721(LibClone.clone(address(implementation721), args));
        assertEq(token.name(), name);
        assertEq(token.symbol(), symbol);
    }

    function test_the_implemented_interfaces_are_announced() public {
        bytes4[7] memory ids =
            [bytes4(0x01ffc9a7), 0x80ac58cd, 0x5b5e139f, 0x2a55205a, 0x49064906, 0x7f5828d0, 0xb45a3c0e];
        for (uint256 i; i < 6; ++i) {
            assertTrue(token.supportsInterface(ids[i]));
        }
        assertFalse(token.supportsInterface(0xb45a3c0e));
        assertFalse(token.supportsInterface(0xffffffff));
        assertTrue(soulboundToken().supportsInterface(0xb45a3c0e));
    }

    // --------------------------------------------------------------------------------------------------- minting

    function test_the_minter_mints() public {
        vm.expectEmit(address(token));
        emit ERC721.Transfer(address(0), alice, 7);
        mint(alice, 7);
        assertEq(token.ownerOf(7), alice);
        assertEq(token.balanceOf(alice), 1);
    }

    function test_only_the_minter_mints() public {
        address[3] memory others = [owner, signer, outsider];
        for (uint256 i; i < 3; ++i) {
            vm.startPrank(others[i]);
            vm.expectRevert(VitrineToken.Unauthorized.selector);
            token.adminMint(alice, 1);
            vm.expectRevert(VitrineToken.Unauthorized.selector);
            token.adminMintMultiple(pack(1, alice, 1));
            vm.stopPrank();
        }
    }

    function test_an_id_is_minted_once() public {
        mint(alice, 1);
        vm.expectRevert(ERC721.TokenAlreadyExists.selector);
        mint(bob, 1);
    }

    function test_a_burnt_id_is_never_minted_again() public {
        mint(alice, 1);
        vm.prank(alice);
        token.burn(1);
        assertEq(token.balanceOf(alice), 0);
        vm.expectRevert(Vitrine721.TokenIsBurnt.selector);
        mint(alice, 1);
    }

    function test_nothing_is_minted_to_the_zero_address() public {
        vm.expectRevert(ERC721.TransferToZeroAddress.selector);
        mint(address(0), 1);
    }

    function test_a_receiving_contract_is_not_called() public {
        address refuser = address(new RejectingAccount());
        mint(refuser, 1);
        assertEq(token.ownerOf(1), refuser);
    }

    function test_entries_that_cannot_be_minted_are_left_out_of_a_batch() public {
        token = clone721(capped(9, false));
        mint(alice, 1);
        mint(alice, 2);
        vm.prank(alice);
        token.burn(2);
        bytes memory packed =
            abi.encodePacked(uint8(1), bob, uint8(1), bob, uint8(2), address(0), uint8(3), bob, uint8(0));
        packed = abi.encodePacked(packed, bob, uint8(10), bob, uint8(4), alice, uint8(4), alice, uint8(9));
        uint8[6] memory skipped = [1, 2, 3, 0, 10, 4];
        vm.recordLogs();
        vm.prank(minter);
        token.adminMintMultiple(packed);
        uint256[] memory ids = skippedIds();
        assertEq(ids.length, 6);
        for (uint256 i; i < 6; ++i) {
            assertEq(ids[i], skipped[i]);
        }
        assertEq(token.ownerOf(4), bob);
        assertEq(token.ownerOf(9), alice);
        assertEq(token.balanceOf(alice), 2);
    }

    function test_a_batch_with_automatic_ids_writes_owners_and_balances_only() public {
        vm.record();
        vm.prank(minter);
        token.adminMintMultiple(abi.encodePacked(uint8(1), alice, uint8(1), bob, uint8(2)));
        (, bytes32[] memory writes) = vm.accesses(address(token));
        assertEq(writes.length, 4);
    }

    function testFuzz_a_batch_mints_each_id_to_its_recipient(uint8 width, address[8] memory to, uint256[8] memory ids)
        public
    {
        width = uint8(bound(width, 1, 32));
        bytes memory packed = abi.encodePacked(width);
        for (uint256 i; i < 8; ++i) {
            ids[i] = ids[i] >> (256 - 8 * uint256(width));
            packed = abi.encodePacked(packed, to[i], cut(ids[i], width));
        }
        vm.prank(minter);
        token.adminMintMultiple(packed);
        for (uint256 i; i < 8; ++i) {
            address expected;
            for (uint256 j; j < 8 && expected == address(0); ++j) {
                if (ids[j] == ids[i]) expected = to[j];
            }
            if (expected != address(0)) assertEq(token.ownerOf(ids[i]), expected);
        }
    }

    function test_a_batch_packed_wrongly_is_refused() public {
        bytes[5] memory packed = [
            bytes(""),
            abi.encodePacked(uint8(0)),
            abi.encodePacked(uint8(33), alice, bytes32(0), uint8(0)),
            abi.encodePacked(uint8(1), alice),
            abi.encodePacked(uint8(1), alice, uint16(1))
        ];
        for (uint256 i; i < 5; ++i) {
            vm.prank(minter);
            vm.expectRevert(VitrineToken.WrongPacking.selector);
            token.adminMintMultiple(packed[i]);
        }
    }

    // ---------------------------------------------------------------------------------------------------- supply

    function test_with_automatic_ids_the_max_supply_is_the_highest_id() public {
        token = clone721(capped(3, false));
        mint(alice, 1);
        mint(alice, 3);
        vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
        mint(alice, 0);
        vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
        mint(alice, 4);
    }

    function test_with_ids_by_hand_the_max_supply_counts_mints_including_burnt_tokens() public {
        token = clone721(capped(2, true));
        mint(alice, type(uint256).max);
        vm.prank(alice);
        token.burn(type(uint256).max);
        mint(alice, 0);
        vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
        mint(alice, 5);
    }

    function test_a_batch_with_ids_by_hand_stops_at_the_max_supply() public {
        token = clone721(capped(3, true));
        mint(alice, 10);
        vm.recordLogs();
        bytes memory packed = abi.encodePacked(uint8(1), bob, uint8(10), bob, uint8(20), bob, uint8(30), bob, uint8(40));
        vm.prank(minter);
        token.adminMintMultiple(packed);
        uint256[] memory ids = skippedIds();
        assertEq(ids.length, 2);
        assertEq(ids[0], 10);
        assertEq(ids[1], 40);
        assertEq(token.balanceOf(bob), 2);
        vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
        mint(alice, 50);
    }

    function test_with_a_max_supply_of_zero_nothing_is_minted() public {
        for (uint256 i; i < 2; ++i) {
            token = clone721(capped(0, i == 1));
            vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
            mint(alice, 1);
            vm.recordLogs();
            vm.startPrank(minter);
            token.adminMintMultiple(abi.encodePacked(uint8(1), alice, uint8(0), alice, uint8(1)));
            assertEq(skippedIds().length, 2);
            vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
            token.adminMintRun(1, abi.encodePacked(alice));
            vm.stopPrank();
        }
    }

    function testFuzz_the_max_supply_can_only_be_lowered(uint64 first, uint256 second, uint256 third) public {
        first = uint64(bound(first, 0, UNLIMITED - 1));
        token = clone721(capped(first, false));
        vm.startPrank(minter);
        if (second >= first) {
            vm.expectRevert(VitrineToken.MaxSupplyNotLower.selector);
            token.setMaxSupply(second);
            assertEq(token.maxSupply(), first);
            return;
        }
        token.setMaxSupply(second);
        assertEq(token.maxSupply(), second);
        if (third >= second) vm.expectRevert(VitrineToken.MaxSupplyNotLower.selector);
        token.setMaxSupply(third);
    }

    function test_a_max_supply_that_is_not_lower_is_refused() public {
        token = clone721(capped(8, false));
        vm.startPrank(owner);
        vm.expectRevert(VitrineToken.MaxSupplyNotLower.selector);
        token.setMaxSupply(9);
        vm.expectRevert(VitrineToken.MaxSupplyNotLower.selector);
        token.setMaxSupply(8);
        token.setMaxSupply(7);
        assertEq(token.maxSupply(), 7);
        vm.expectRevert(VitrineToken.MaxSupplyNotLower.selector);
        token.setMaxSupply(8);
        vm.stopPrank();
    }

    function test_with_ids_by_hand_the_max_supply_cannot_be_lowered_below_the_number_minted() public {
        Terms memory terms = termsOf();
        terms.manualIds = true;
        token = clone721(terms);
        mint(alice, 10);
        mint(alice, 20);
        vm.startPrank(owner);
        vm.expectRevert(VitrineToken.MaxSupplyBelowMinted.selector);
        token.setMaxSupply(1);
        token.setMaxSupply(2);
        vm.stopPrank();
        vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
        mint(alice, 30);
    }

    // ----------------------------------------------------------------------------------------- soulbound, burning

    function test_a_soulbound_token_cannot_be_transferred_or_approved() public {
        token = soulboundToken();
        vm.expectEmit(address(token));
        emit Vitrine721.Locked(1);
        mint(alice, 1);
        assertTrue(token.locked(1));
        vm.startPrank(alice);
        vm.expectRevert(VitrineToken.TokenIsSoulbound.selector);
        token.transferFrom(alice, bob, 1);
        vm.expectRevert(VitrineToken.TokenIsSoulbound.selector);
        token.safeTransferFrom(alice, bob, 1);
        vm.expectRevert(VitrineToken.TokenIsSoulbound.selector);
        token.safeTransferFrom(alice, bob, 1, "data");
        vm.expectRevert(VitrineToken.TokenIsSoulbound.selector);
        token.approve(bob, 1);
        vm.expectRevert(VitrineToken.TokenIsSoulbound.selector);
        token.setApprovalForAll(bob, true);
        token.burn(1);
    }

    function test_no_call_by_anyone_gives_a_soulbound_token_to_another_account() public {
        token = soulboundToken();
        mint(alice, 1);
        bytes[6] memory calls = [
            abi.encodeCall(token.approve, (bob, 1)),
            abi.encodeCall(token.setApprovalForAll, (bob, true)),
            abi.encodeCall(token.transferFrom, (alice, bob, 1)),
            abi.encodeWithSignature("safeTransferFrom(address,address,uint256)", alice, bob, 1),
            abi.encodeWithSignature("safeTransferFrom(address,address,uint256,bytes)", alice, bob, 1, ""),
            abi.encodeCall(token.burn, (1))
        ];
        address[4] memory others = [bob, minter, signer, owner];
        // Only the owner may act, and only burn, whatever was tried before.
        for (uint256 i; i < 5; ++i) {
            assertFalse(callAs(alice, calls[i]));
        }
        for (uint256 i; i < calls.length; ++i) {
            for (uint256 j; j < 4; ++j) {
                assertFalse(callAs(others[j], calls[i]));
            }
        }
        assertEq(token.getApproved(1), address(0));
        assertFalse(token.isApprovedForAll(alice, bob));
        assertEq(token.ownerOf(1), alice);
    }

    function test_a_burnt_soulbound_token_is_never_minted_to_another_account() public {
        token = soulboundToken();
        mint(alice, 1);
        vm.prank(alice);
        token.burn(1);
        vm.expectRevert(Vitrine721.TokenIsBurnt.selector);
        mint(bob, 1);
        MintVoucher memory voucher = voucherOf();
        voucher.minter = bob;
        bytes memory signature = sign(address(token), voucher);
        vm.expectRevert(Vitrine721.TokenIsBurnt.selector);
        token.mintWithVoucher(voucher, signature);
        vm.prank(minter);
        token.adminMintMultiple(pack(1, bob, 1));
        vm.prank(minter);
        vm.expectRevert(Vitrine721.TokenIsBurnt.selector);
        token.adminMintRun(1, abi.encodePacked(bob));
        assertEq(token.balanceOf(bob), 0);
    }

    // ------------------------------------------------------------------------------------------------ reentrancy

    function test_balances_are_right_when_a_receiver_burns_or_transfers_the_token_it_receives() public {
        ReentrantAccount[2] memory receivers = [new ReentrantAccount(), new ReentrantAccount()];
        receivers[0].prepare(address(token), abi.encodeCall(token.burn, (1)), 0);
        receivers[1].prepare(address(token), abi.encodeCall(token.transferFrom, (address(receivers[1]), bob, 2)), 0);
        mint(alice, 1);
        mint(alice, 2);
        vm.startPrank(alice);
        token.safeTransferFrom(alice, address(receivers[0]), 1);
        token.safeTransferFrom(alice, address(receivers[1]), 2);
        vm.stopPrank();
        assertTrue(receivers[0].succeeded() && receivers[1].succeeded());
        assertEq(token.balanceOf(alice) + token.balanceOf(address(receivers[0])), 0);
        assertEq(token.balanceOf(address(receivers[1])), 0);
        assertEq(token.balanceOf(bob), 1);
        assertEq(token.ownerOf(2), bob);
        vm.expectRevert(Vitrine721.TokenIsBurnt.selector);
        mint(alice, 1);
    }

    function test_a_receiver_that_was_approved_cannot_transfer_another_token() public {
        ReentrantAccount receiver = new ReentrantAccount();
        bytes memory call = abi.encodeCall(token.transferFrom, (alice, address(receiver), 2));
        receiver.prepare(address(token), call, 0);
        mint(alice, 1);
        mint(alice, 2);
        vm.startPrank(alice);
        token.approve(address(receiver), 1);
        token.safeTransferFrom(alice, address(receiver), 1);
        assertFalse(receiver.succeeded());
        assertEq(token.ownerOf(2), alice);
        assertEq(token.getApproved(1), address(0));
    }

    function test_a_refused_transfer_is_reverted_with_everything_the_receiver_did() public {
        ReentrantAccount receiver = new ReentrantAccount();
        receiver.prepare(address(token), abi.encodeCall(token.transferFrom, (address(receiver), bob, 1)), 0);
        receiver.refuse();
        mint(alice, 1);
        vm.prank(alice);
        vm.expectRevert(ERC721.TransferToNonERC721ReceiverImplementer.selector);
        token.safeTransferFrom(alice, address(receiver), 1);
        assertEq(token.ownerOf(1), alice);
        assertEq(token.balanceOf(bob), 0);
    }

    // --------------------------------------------------------------------------------------------------- burning

    function test_locked_is_false_without_soulbound_and_reverts_for_an_unknown_token() public {
        mint(alice, 1);
        assertFalse(token.locked(1));
        vm.expectRevert(ERC721.TokenDoesNotExist.selector);
        token.locked(2);
    }

    function test_only_the_owner_and_approved_accounts_burn() public {
        mint(alice, 1);
        mint(alice, 2);
        address[3] memory others = [minter, owner, outsider];
        for (uint256 i; i < 3; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(ERC721.NotOwnerNorApproved.selector);
            token.burn(1);
        }
        vm.prank(alice);
        token.approve(bob, 2);
        vm.prank(bob);
        token.burn(2);
        assertEq(token.lowestValidNonce(2), type(uint96).max);
        vm.expectRevert(ERC721.TokenDoesNotExist.selector);
        token.ownerOf(2);
    }

    function test_transfers_and_approvals_refuse_value() public {
        mint(alice, 1);
        vm.deal(alice, 3);
        vm.startPrank(alice);
        vm.expectRevert(Vitrine721.ValueNotAccepted.selector);
        token.transferFrom{value: 1}(alice, bob, 1);
        vm.expectRevert(Vitrine721.ValueNotAccepted.selector);
        token.safeTransferFrom{value: 1}(alice, bob, 1);
        vm.expectRevert(Vitrine721.ValueNotAccepted.selector);
        token.approve{value: 1}(bob, 1);
        (bool sent,) = address(token).call{value: 1}("");
        assertFalse(sent);
    }

    function testFuzz_transfers_keep_the_sum_of_balances(uint256 seed) public {
        address[3] memory people = [alice, bob, outsider];
        for (uint256 id = 1; id <= 6; ++id) {
            mint(people[id % 3], id);
        }
        for (uint256 i; i < 12; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 id = (seed % 6) + 1;
            address from = token.ownerOf(id);
            vm.prank(from);
            token.transferFrom(from, people[(seed >> 8) % 3], id);
            assertEq(token.ownerOf(id), people[(seed >> 8) % 3]);
        }
        assertEq(token.balanceOf(alice) + token.balanceOf(bob) + token.balanceOf(outsider), 6);
    }

    // --------------------------------------------------------------------------------------------------- metadata

    function test_metadata_uris_follow_the_base_uri() public {
        mint(alice, 12);
        assertEq(token.contractURI(), COLLECTION_URI);
        assertEq(token.tokenURI(12), string.concat(COLLECTION_URI, "/12"));
        vm.expectRevert(ERC721.TokenDoesNotExist.selector);
        token.tokenURI(13);

        vm.startPrank(minter);
        vm.expectEmit(address(token));
        emit Vitrine721.BatchMetadataUpdate(0, type(uint256).max);
        token.setBaseURI("ipfs://cid/");
        assertEq(token.tokenURI(12), "ipfs://cid/12");
        assertEq(token.contractURI(), "ipfs://cid");
        token.setBaseURI("ipfs://cid?id=");
        assertEq(token.contractURI(), "ipfs://cid?id=");
        token.setBaseURI("");
        assertEq(token.contractURI(), COLLECTION_URI);
    }

    function test_a_locked_base_uri_cannot_be_changed() public {
        vm.startPrank(owner);
        token.setBaseURI("ipfs://cid/");
        assertFalse(token.baseURILocked());
        token.lockBaseURI();
        assertTrue(token.baseURILocked());
        vm.expectRevert(VitrineToken.BaseURIIsLocked.selector);
        token.setBaseURI("ipfs://other/");
        vm.stopPrank();
        assertEq(token.baseURI(), "ipfs://cid/");
    }

    function test_refreshing_metadata_emits_erc_4906_events() public {
        vm.startPrank(minter);
        vm.expectEmit(address(token));
        emit Vitrine721.MetadataUpdate(5);
        token.refreshMetadata(5, 5);
        vm.expectEmit(address(token));
        emit Vitrine721.BatchMetadataUpdate(5, 9);
        token.refreshMetadata(5, 9);
        vm.expectRevert(VitrineToken.WrongRange.selector);
        token.refreshMetadata(9, 5);
    }

    // -------------------------------------------------------------------------------------------------- royalties

    function test_a_token_royalty_takes_precedence_over_the_collections() public {
        vm.startPrank(minter);
        token.setDefaultRoyalty(seller, 500);
        token.setTokenRoyalty(7, platform, 0);
        token.setTokenRoyalty(8, platform, 10_000);
        vm.stopPrank();
        assertRoyalty(1, 1_000, seller, 50);
        assertRoyalty(7, 1_000, platform, 0);
        assertRoyalty(8, 1_000, platform, 1_000);
        vm.startPrank(owner);
        token.setTokenRoyalty(8, address(0), 0);
        assertRoyalty(8, 1_000, seller, 50);
        token.setDefaultRoyalty(address(0), 0);
        assertRoyalty(8, 1_000, address(0), 0);
    }

    function test_a_royalty_without_receiver_or_above_the_price_is_refused() public {
        vm.startPrank(minter);
        vm.expectRevert(VitrineToken.RoyaltyTooHigh.selector);
        token.setDefaultRoyalty(seller, 10_001);
        vm.expectRevert(VitrineToken.RoyaltyReceiverMissing.selector);
        token.setTokenRoyalty(1, address(0), 1);
    }

    function testFuzz_a_royalty_is_right_for_any_price(uint256 price, uint256 basisPoints) public {
        basisPoints = bound(basisPoints, 0, 10_000);
        vm.prank(minter);
        token.setDefaultRoyalty(seller, basisPoints);
        (, uint256 amount) = token.royaltyInfo(1, price);
        assertTrue(amount <= price);
        if (price < type(uint256).max / 10_000) assertEq(amount, price * basisPoints / 10_000);
    }

    // ------------------------------------------------------------------------------------------------------ roles

    function test_only_owner_and_minter_change_settings() public {
        bytes[8] memory calls = [
            abi.encodeCall(token.setDefaultRoyalty, (seller, 1)),
            abi.encodeCall(token.setTokenRoyalty, (1, seller, 1)),
            abi.encodeCall(token.setBaseURI, ("x")),
            abi.encodeCall(token.refreshMetadata, (1, 2)),
            abi.encodeCall(token.setVouchersPaused, (true)),
            abi.encodeCall(token.setVouchersPaused, (false)),
            abi.encodeCall(token.setMaxSupply, (0)),
            abi.encodeCall(token.lockBaseURI, ())
        ];
        for (uint256 i; i < calls.length; ++i) {
            assertFalse(callAs(outsider, calls[i]));
            assertFalse(callAs(signer, calls[i]));
        }
        Vitrine721 second = clone721(termsOf());
        for (uint256 i; i < calls.length; ++i) {
            assertTrue(callAs(minter, calls[i]));
        }
        token = second;
        for (uint256 i; i < calls.length; ++i) {
            assertTrue(callAs(owner, calls[i]));
        }
    }

    function test_roles_can_be_replaced_and_the_first_change_keeps_the_others() public {
        uint256 both = token.MINTER() | token.SIGNER();
        vm.prank(owner);
        token.setRoles(bob, both);
        assertEq(token.rolesOf(bob), both);
        assertEq(token.rolesOf(minter), 1);
        assertEq(token.rolesOf(signer), 2);
        mint(alice, 1);
        vm.prank(bob);
        token.adminMint(alice, 2);

        vm.startPrank(owner);
        token.setRoles(minter, 0);
        token.setRoles(signer, 0);
        vm.stopPrank();
        vm.expectRevert(VitrineToken.Unauthorized.selector);
        mint(alice, 3);
        MintVoucher memory voucher = voucherOf();
        voucher.tokenId = 9;
        bytes memory signature = sign(address(token), voucher);
        vm.expectRevert(VitrineToken.InvalidSignature.selector);
        token.mintWithVoucher(voucher, signature);
    }

    function test_a_voucher_signed_by_a_new_signer_is_valid() public {
        vm.prank(owner);
        token.setRoles(vm.addr(77), 2);
        MintVoucher memory voucher = voucherOf();
        token.mintWithVoucher(voucher, signWith(77, address(token), voucher));
        assertEq(token.ownerOf(1), alice);
    }

    function test_only_the_owner_sets_roles_and_unknown_roles_are_refused() public {
        vm.expectRevert(VitrineToken.Unauthorized.selector);
        vm.prank(minter);
        token.setRoles(minter, 3);
        vm.expectRevert(VitrineToken.UnknownRole.selector);
        vm.prank(owner);
        token.setRoles(minter, 4);
    }

    function test_ownership_can_be_transferred_and_renounced() public {
        vm.startPrank(owner);
        vm.expectRevert(VitrineToken.OwnerIsZeroAddress.selector);
        token.transferOwnership(address(0));
        vm.expectEmit(address(token));
        emit VitrineToken.OwnershipTransferred(owner, bob);
        token.transferOwnership(bob);
        bytes[3] memory calls = [
            abi.encodeCall(token.setRoles, (alice, 1)),
            abi.encodeCall(token.transferOwnership, (owner)),
            abi.encodeCall(token.renounceOwnership, ())
        ];
        vm.stopPrank();
        for (uint256 i; i < 3; ++i) {
            assertFalse(callAs(owner, calls[i]));
            assertFalse(callAs(minter, calls[i]));
        }
        assertEq(token.owner(), bob);
        vm.prank(bob);
        token.renounceOwnership();
        assertEq(token.owner(), address(0));
        mint(alice, 1);
    }

    // ---------------------------------------------------------------------------------------------------- helpers

    /// @dev The ids of the recorded `MintSkipped` events.
    function skippedIds() private returns (uint256[] memory ids) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 count;
        ids = new uint256[](logs.length);
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] == Vitrine721.MintSkipped.selector) {
                ids[count++] = abi.decode(logs[i].data, (uint256));
            }
        }
        assembly ("memory-safe") {
            mstore(ids, count)
        }
    }

    function mint(address to, uint256 id) private {
        vm.prank(minter);
        token.adminMint(to, id);
    }

    function soulboundToken() private returns (Vitrine721) {
        Terms memory terms = termsOf();
        terms.soulbound = true;
        return clone721(terms);
    }

    function capped(uint64 maxSupply, bool manualIds) private pure returns (Terms memory terms) {
        (terms.maxSupply, terms.manualIds) = (maxSupply, manualIds);
    }

    function assertRoyalty(uint256 id, uint256 price, address receiver, uint256 amount) private view {
        (address actualReceiver, uint256 actualAmount) = token.royaltyInfo(id, price);
        assertEq(actualReceiver, receiver);
        assertEq(actualAmount, amount);
    }

    function callAs(address sender, bytes memory data) private returns (bool succeeded) {
        vm.prank(sender);
        (succeeded,) = address(token).call(data);
    }

    function pack(uint8 width, address to, uint256 id) private pure returns (bytes memory) {
        return abi.encodePacked(width, to, cut(id, width));
    }

    /// @dev The lowest `width` bytes of `value`.
    function cut(uint256 value, uint8 width) private pure returns (bytes memory short) {
        short = new bytes(width);
        for (uint256 i; i < width; ++i) {
            short[i] = bytes1(uint8(value >> (8 * (width - 1 - i))));
        }
    }

    function test_locking_the_base_uri_is_logged() public {
        vm.startPrank(owner);
        token.setBaseURI("ipfs://cid/");
        vm.expectEmit(address(token));
        emit VitrineToken.BaseURILocked("ipfs://cid/");
        token.lockBaseURI();
    }
}
