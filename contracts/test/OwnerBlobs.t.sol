// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721} from "solady/tokens/ERC721.sol";
import {OwnerBlobs} from "../src/OwnerBlobs.sol";
import {MintVoucher, VitrineToken} from "../src/VitrineToken.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {AcceptingReceiver, RejectingAccount} from "./Counterparties.sol";
import {Vm, VitrineTest} from "./VitrineTest.sol";

/// @notice Tokens of consecutive batches, whose owners are contract code, behave as other tokens do.
contract OwnerBlobsTest is VitrineTest {
    Vitrine721 private token;

    function setUp() public {
        token = clone721(termsOf());
    }

    // --------------------------------------------------------------------------------------------------- minting

    function test_a_consecutive_batch_mints_consecutive_ids_with_a_transfer_event_each() public {
        vm.recordLogs();
        mintConsecutive(100, owners(60));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 60);
        for (uint256 i; i < 60; ++i) {
            assertEq(logs[i].topics[0], ERC721.Transfer.selector);
            assertEq(logs[i].topics[1], 0);
            assertEq(logs[i].topics[2], bytes32(uint256(uint160(person(i)))));
            assertEq(uint256(logs[i].topics[3]), 100 + i);
            assertEq(logs[i].data.length, 0);
            assertEq(token.ownerOf(100 + i), person(i));
            assertEq(token.balanceOf(person(i)), 1);
            assertEq(token.getApproved(100 + i), address(0));
            assertEq(token.lowestValidNonce(100 + i), 0);
        }
        assertEq(token.tokenURI(159), string.concat(COLLECTION_URI, "/159"));
        assertFalse(token.locked(100));
        assertUnknown(99);
        assertUnknown(160);
    }

    function testFuzz_a_consecutive_batch_of_any_length_starts_at_any_id(uint256 firstId, uint256 length) public {
        token = clone721(manualIdTerms());
        firstId = bound(firstId, 0, (1 << 63) - 128 - 300);
        length = bound(length, 1, 300);
        mintConsecutive(firstId, owners(length));
        for (uint256 i; i < length; i += i % 7 + 1) {
            assertEq(token.ownerOf(firstId + i), person(i));
        }
        assertEq(token.ownerOf(firstId + length - 1), person(length - 1));
        assertUnknown(firstId + length);
        if (firstId != 0) assertUnknown(firstId - 1);
    }

    function test_one_owner_may_have_many_tokens_of_a_consecutive_batch() public {
        bytes memory packed;
        for (uint256 i; i < 30; ++i) {
            packed = abi.encodePacked(packed, i % 3 == 0 ? alice : bob);
        }
        mintConsecutive(1, packed);
        assertEq(token.balanceOf(alice), 10);
        assertEq(token.balanceOf(bob), 20);
    }

    function test_only_the_minter_mints_a_consecutive_batch() public {
        bytes memory packed = owners(3);
        address[3] memory others = [owner, signer, outsider];
        for (uint256 i; i < 3; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(VitrineToken.Unauthorized.selector);
            token.adminMintRun(1, packed);
        }
    }

    function test_a_receiving_contract_is_not_called() public {
        RejectingAccount refuser = new RejectingAccount();
        mintConsecutive(1, abi.encodePacked(alice, refuser));
        assertEq(token.ownerOf(2), address(refuser));
    }

    function test_a_consecutive_batch_packed_wrongly_or_too_long_is_refused() public {
        expectConsecutiveRefusal(1, "", VitrineToken.WrongPacking.selector);
        expectConsecutiveRefusal(1, abi.encodePacked(alice, uint8(1)), VitrineToken.WrongPacking.selector);
        expectConsecutiveRefusal(1, owners(501), VitrineToken.WrongPacking.selector);
        mintConsecutive(1, owners(500));
    }

    function test_the_longest_consecutive_batch_fits_into_one_transaction() public {
        bytes memory packed = owners(500);
        vm.prank(minter);
        uint256 before = gasleft();
        token.adminMintRun(127, packed);
        // A transaction also pays 21,000, and 16 for each byte of its data.
        assertTrue(before - gasleft() + 21_000 + 16 * (packed.length + 100) < 1 << 24);
    }

    function test_a_consecutive_batch_is_minted_completely_or_not_at_all() public {
        mint(alice, 5);
        vm.prank(alice);
        token.burn(5);
        mint(alice, 7);
        expectConsecutiveRefusal(1, owners(5), Vitrine721.TokenIsBurnt.selector);
        expectConsecutiveRefusal(7, owners(3), ERC721.TokenAlreadyExists.selector);
        expectConsecutiveRefusal(6, abi.encodePacked(alice, bob), ERC721.TokenAlreadyExists.selector);
        expectConsecutiveRefusal(8, abi.encodePacked(alice, address(0)), ERC721.TransferToZeroAddress.selector);
        assertEq(token.balanceOf(alice), 1);
        assertEq(token.balanceOf(person(0)), 0);
        assertUnknown(1);
        assertUnknown(8);
        mintConsecutive(1, owners(4));
    }

    function test_a_consecutive_batch_with_ids_of_the_last_chunk_or_beyond_is_refused() public {
        token = clone721(manualIdTerms());
        uint256 limit = token.BLOB_ID_LIMIT();
        assertEq(limit, (1 << 63) - 128);
        expectConsecutiveRefusal(limit - 1, owners(2), VitrineToken.WrongRange.selector);
        expectConsecutiveRefusal(limit, owners(1), VitrineToken.WrongRange.selector);
        expectConsecutiveRefusal((1 << 63) - 1, owners(1), VitrineToken.WrongRange.selector);
        expectConsecutiveRefusal(type(uint256).max, owners(1), VitrineToken.WrongRange.selector);
        mintConsecutive(limit - 2, owners(2));
        assertEq(token.ownerOf(limit - 1), person(1));
        mint(alice, limit);
        assertUnknown(limit + 1);
    }

    function test_with_automatic_ids_the_max_supply_is_the_highest_id_of_a_consecutive_batch() public {
        Terms memory terms = termsOf();
        terms.maxSupply = 10;
        token = clone721(terms);
        expectConsecutiveRefusal(0, owners(2), VitrineToken.MaxSupplyReached.selector);
        expectConsecutiveRefusal(8, owners(4), VitrineToken.MaxSupplyReached.selector);
        mintConsecutive(8, owners(3));
        mintConsecutive(1, owners(7));
    }

    function test_with_ids_by_hand_a_consecutive_batch_counts_towards_the_max_supply() public {
        Terms memory terms = manualIdTerms();
        terms.maxSupply = 10;
        token = clone721(terms);
        mintConsecutive(1_000, owners(6));
        expectConsecutiveRefusal(5, owners(5), VitrineToken.MaxSupplyReached.selector);
        vm.prank(owner);
        vm.expectRevert(VitrineToken.MaxSupplyBelowMinted.selector);
        token.setMaxSupply(5);
        mint(alice, 0);
        mintConsecutive(5, owners(3));
        vm.prank(minter);
        vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
        token.adminMint(alice, 77);
    }

    function test_tokens_of_a_soulbound_consecutive_batch_are_locked_and_cannot_be_transferred() public {
        Terms memory terms = termsOf();
        terms.soulbound = true;
        token = clone721(terms);
        vm.recordLogs();
        mintConsecutive(1, abi.encodePacked(alice, bob));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 4);
        for (uint256 i; i < 2; ++i) {
            assertEq(logs[2 * i].topics[0], ERC721.Transfer.selector);
            assertEq(logs[2 * i + 1].topics[0], Vitrine721.Locked.selector);
            assertEq(abi.decode(logs[2 * i + 1].data, (uint256)), i + 1);
        }
        assertTrue(token.locked(1));
        vm.startPrank(alice);
        vm.expectRevert(VitrineToken.TokenIsSoulbound.selector);
        token.transferFrom(alice, bob, 1);
        vm.expectRevert(VitrineToken.TokenIsSoulbound.selector);
        token.approve(bob, 1);
        token.burn(1);
        vm.stopPrank();
        assertEq(token.balanceOf(alice), 0);
    }

    // ------------------------------------------------------------------------------------------- other ways to mint

    function test_an_id_of_a_consecutive_batch_cannot_be_minted_in_another_way() public {
        mintConsecutive(100, owners(60));
        MintVoucher memory voucher = voucherOf();
        voucher.tokenId = 130;
        bytes memory signature = sign(address(token), voucher);
        expectEveryMintRefused(voucher, signature, ERC721.TokenAlreadyExists.selector);
        vm.prank(minter);
        vm.expectRevert(ERC721.TokenAlreadyExists.selector);
        token.cancelVoucher(voucher, signature);

        vm.prank(person(30));
        token.transferFrom(person(30), bob, 130);
        expectEveryMintRefused(voucher, signature, ERC721.TokenAlreadyExists.selector);

        vm.prank(bob);
        token.burn(130);
        assertUnknown(130);
        assertEq(token.lowestValidNonce(130), type(uint96).max);
        vm.prank(minter);
        vm.expectRevert(Vitrine721.TokenIsBurnt.selector);
        token.adminMint(alice, 130);
        expectConsecutiveRefusal(130, owners(1), ERC721.TokenAlreadyExists.selector);
        vm.expectRevert(Vitrine721.TokenIsBurnt.selector);
        token.mintWithVoucher(voucher, signature);
        assertUnknown(130);
    }

    function test_an_id_of_a_consecutive_batch_beyond_the_first_chunk_cannot_be_minted_in_another_way() public {
        mintConsecutive(1_000, owners(10));
        MintVoucher memory voucher = voucherOf();
        voucher.tokenId = 1_005;
        expectEveryMintRefused(voucher, sign(address(token), voucher), ERC721.TokenAlreadyExists.selector);
        assertEq(token.ownerOf(1_005), person(5));
    }

    function test_a_token_whose_owner_is_only_in_a_blob_is_burnt_permanently() public {
        mintConsecutive(1, owners(20));
        vm.prank(person(2));
        token.burn(3);
        assertUnknown(3);
        assertEq(token.balanceOf(person(2)), 0);
        vm.prank(minter);
        vm.expectRevert(Vitrine721.TokenIsBurnt.selector);
        token.adminMint(alice, 3);
        vm.prank(person(2));
        vm.expectRevert(ERC721.TokenDoesNotExist.selector);
        token.transferFrom(person(2), bob, 3);
        vm.prank(person(2));
        vm.expectRevert(ERC721.TokenDoesNotExist.selector);
        token.approve(bob, 3);
        assertEq(token.ownerOf(4), person(3));
    }

    function test_ids_between_and_around_consecutive_batches_can_be_minted() public {
        mintConsecutive(10, owners(10));
        mintConsecutive(2_000, owners(10));
        mint(alice, 9);
        mint(alice, 20);
        mint(alice, 500);
        mint(alice, 2_010);
        mint(alice, 5_000);
        vm.prank(minter);
        token.adminMintMultiple(
            abi.encodePacked(uint8(2), bob, uint16(21), bob, uint16(15), bob, uint16(700), bob, uint16(2_005))
        );
        assertEq(token.balanceOf(alice), 5);
        assertEq(token.balanceOf(bob), 2);
        assertEq(token.ownerOf(15), person(5));
        assertEq(token.ownerOf(2_005), person(5));
    }

    function test_a_cancelled_voucher_does_not_affect_the_owner_and_stays_cancelled() public {
        MintVoucher memory voucher = voucherOf();
        voucher.nonce = 41;
        bytes memory signature = sign(address(token), voucher);
        vm.prank(alice);
        token.cancelVoucher(voucher, signature);
        mintConsecutive(1, owners(20));
        assertEq(token.ownerOf(1), person(0));
        assertEq(token.lowestValidNonce(1), 42);
        vm.expectRevert(ERC721.TokenAlreadyExists.selector);
        token.mintWithVoucher(voucher, signature);
        vm.prank(person(0));
        token.approve(bob, 1);
        assertEq(token.lowestValidNonce(1), 42);
        vm.prank(bob);
        token.transferFrom(person(0), bob, 1);
        assertEq(token.ownerOf(1), bob);
        assertEq(token.getApproved(1), address(0));
        assertEq(token.lowestValidNonce(1), 42);
    }

    // --------------------------------------------------------------------------------------------------- layers

    function test_a_chunk_takes_eight_consecutive_batches_and_refuses_a_ninth() public {
        for (uint256 i; i < 8; ++i) {
            // Not in ascending order of ids.
            mintConsecutive(128 + 10 * (i * 3 % 8), owners(10));
        }
        expectConsecutiveRefusal(210, owners(1), OwnerBlobs.ChunkIsFull.selector);
        expectConsecutiveRefusal(100, owners(120), ERC721.TokenAlreadyExists.selector);
        for (uint256 id = 128; id < 208; ++id) {
            assertEq(token.ownerOf(id), person((id - 128) % 10));
        }
        assertUnknown(208);
        mint(alice, 208);
        mintConsecutive(256, owners(1));
        mintConsecutive(127, owners(1));
    }

    function testFuzz_consecutive_batches_never_have_an_id_in_common(uint256[6] memory seeds) public {
        bool[128] memory taken;
        token = clone721(manualIdTerms());
        for (uint256 i; i < 6; ++i) {
            uint256 start = seeds[i] % 128;
            uint256 length = (seeds[i] >> 8) % (128 - start) + 1;
            bool free = true;
            for (uint256 id = start; id < start + length; ++id) {
                if (taken[id]) free = false;
            }
            bytes memory packed = owners(length);
            vm.prank(minter);
            if (!free) vm.expectRevert(ERC721.TokenAlreadyExists.selector);
            token.adminMintRun(start, packed);
            for (uint256 id = start; free && id < start + length; ++id) {
                taken[id] = true;
            }
        }
        uint256 held;
        for (uint256 id; id < 128; ++id) {
            if (taken[id]) token.ownerOf(id);
            else assertUnknown(id);
            held += token.balanceOf(person(id));
        }
        for (uint256 id; id < 128; ++id) {
            if (taken[id]) --held;
        }
        assertEq(held, 0);
    }

    function test_a_token_is_found_in_every_layer_whatever_the_owners_layer_hint() public {
        // One token in each of 8 layers for the same eight people; then a token in a chunk with one layer.
        for (uint256 i; i < 8; ++i) {
            mintConsecutive(128 + 10 * i, owners(8));
        }
        mintConsecutive(512, owners(1));
        mint(person(1), 600);
        for (uint256 i; i < 8; ++i) {
            // From the first layer to the last, or the reverse.
            for (uint256 layer; layer < 8; ++layer) {
                uint256 id = 128 + 10 * (i % 2 == 0 ? layer : 7 - layer) + i;
                vm.prank(person(i));
                token.transferFrom(person(i), alice, id);
                assertEq(token.ownerOf(id), alice);
            }
        }
        assertEq(token.balanceOf(person(0)), 1);
        assertEq(token.balanceOf(person(1)), 1);
        assertEq(token.balanceOf(person(2)), 0);
        assertEq(token.balanceOf(alice), 64);
        vm.prank(person(0));
        token.transferFrom(person(0), alice, 512);
        assertUnknown(513);
        vm.prank(person(0));
        vm.expectRevert(ERC721.TokenDoesNotExist.selector);
        token.transferFrom(person(0), alice, 513);
    }

    function test_a_token_is_found_when_the_hinted_layer_does_not_exist_in_its_chunk() public {
        mintConsecutive(512, owners(1));
        mintConsecutive(128, owners(1));
        mintConsecutive(138, owners(1));
        mintConsecutive(148, owners(1));
        vm.prank(person(0));
        token.transferFrom(person(0), alice, 512);
        assertEq(token.ownerOf(512), alice);
        vm.prank(person(0));
        vm.expectRevert(ERC721.TokenDoesNotExist.selector);
        token.transferFrom(person(0), alice, 1_000);
        vm.prank(person(0));
        vm.expectRevert(ERC721.TokenDoesNotExist.selector);
        token.transferFrom(person(0), alice, 1 << 63);
    }

    function test_the_balance_word_is_zero_after_the_last_token_is_transferred() public {
        mintConsecutive(1, owners(1));
        mintConsecutive(11, owners(2));
        assertEq(balanceWord(person(0)), (1 << 32) | 2);
        assertEq(balanceWord(person(1)), (1 << 32) | 1);
        vm.prank(person(0));
        token.transferFrom(person(0), alice, 1);
        assertEq(balanceWord(person(0)), (1 << 32) | 1);
        vm.prank(person(0));
        token.transferFrom(person(0), alice, 11);
        assertEq(balanceWord(person(0)), 0);
        assertEq(balanceWord(alice), 2);
        assertEq(token.balanceOf(person(1)), 1);
    }

    function testFuzz_every_owner_can_transfer_every_token_of_random_consecutive_batches(
        uint256[8] memory seeds,
        uint256 order
    ) public {
        uint256[] memory ids = new uint256[](8 * 16);
        address[] memory holders = new address[](8 * 16);
        uint256 count;
        for (uint256 i; i < 8; ++i) {
            // Twelve places in three chunks, up to 16 tokens each. A taken place refuses.
            uint256 start = 32 * (seeds[i] % 12);
            uint256 length = (seeds[i] >> 8) % 16 + 1;
            bytes memory packed = owners(length);
            vm.prank(minter);
            (bool done,) = address(token).call(abi.encodeCall(Vitrine721.adminMintRun, (start, packed)));
            for (uint256 j; done && j < length; ++j) {
                (ids[count], holders[count++]) = (start + j, person(j));
            }
        }
        for (uint256 left = count; left > 0; --left) {
            uint256 chosen = uint256(keccak256(abi.encode(order, left))) % left;
            vm.prank(holders[chosen]);
            token.transferFrom(holders[chosen], alice, ids[chosen]);
            assertEq(token.ownerOf(ids[chosen]), alice);
            (ids[chosen], holders[chosen]) = (ids[left - 1], holders[left - 1]);
        }
        assertEq(token.balanceOf(alice), count);
        for (uint256 i; i < 16; ++i) {
            assertEq(balanceWord(person(i)), 0);
        }
    }

    function test_a_consecutive_batch_reverts_when_a_blob_cannot_be_stored() public {
        bytes memory packed = owners(128);
        // From far too little gas up to enough, so that every step runs out of gas at least once.
        for (uint256 gasLimit = 50_000; gasLimit < 4_200_000; gasLimit += 83_000) {
            vm.prank(minter);
            (bool done,) = address(token).call{gas: gasLimit}(abi.encodeCall(Vitrine721.adminMintRun, (128, packed)));
            if (done) {
                assertEq(token.ownerOf(255), person(127));
                return;
            }
            assertUnknown(128);
            assertEq(token.balanceOf(person(0)), 0);
        }
        assertTrue(false);
    }

    function test_without_a_consecutive_batch_blob_in_creation_returns_nothing() public {
        (bool done, bytes memory answer) = address(token).call(abi.encodeCall(OwnerBlobs.blobInCreation, ()));
        assertTrue(done);
        // A test is one transaction, and transient storage lasts for it, so nothing is minted here before.
        assertEq(answer.length, 0);
    }

    // ------------------------------------------------------------------------------------------------- approvals

    function test_an_approved_account_transfers_a_token_of_a_consecutive_batch_once() public {
        mintConsecutive(1, owners(5));
        vm.prank(outsider);
        vm.expectRevert(ERC721.NotOwnerNorApproved.selector);
        token.approve(outsider, 2);
        assertCannotTransfer(outsider, 2);
        vm.prank(person(1));
        token.approve(bob, 2);
        assertEq(token.getApproved(2), bob);
        vm.prank(bob);
        token.transferFrom(person(1), alice, 2);
        assertEq(token.getApproved(2), address(0));
        assertCannotTransfer(bob, 3);
        vm.prank(bob);
        vm.expectRevert(ERC721.NotOwnerNorApproved.selector);
        token.transferFrom(alice, bob, 2);
    }

    function test_a_withdrawn_approval_gives_no_access() public {
        mintConsecutive(1, owners(5));
        vm.prank(person(1));
        token.approve(bob, 2);
        vm.prank(person(1));
        token.approve(address(0), 2);
        vm.prank(bob);
        vm.expectRevert(ERC721.NotOwnerNorApproved.selector);
        token.transferFrom(person(1), bob, 2);
    }

    function test_an_operator_transfers_tokens_of_a_consecutive_batch() public {
        mintConsecutive(1, owners(5));
        vm.prank(person(1));
        token.setApprovalForAll(bob, true);
        vm.prank(bob);
        token.safeTransferFrom(person(1), alice, 2);
        assertEq(token.ownerOf(2), alice);
        assertEq(token.balanceOf(alice), 1);
        assertEq(token.balanceOf(person(1)), 0);
    }

    function test_a_token_is_transferred_from_its_owner_only_and_not_to_the_zero_address() public {
        mintConsecutive(1, owners(5));
        vm.prank(person(1));
        vm.expectRevert(ERC721.TransferFromIncorrectOwner.selector);
        token.transferFrom(person(2), person(1), 2);
        vm.prank(person(1));
        vm.expectRevert(ERC721.TransferToZeroAddress.selector);
        token.transferFrom(person(1), address(0), 2);
    }

    // --------------------------------------------------------------------------------------------------- helpers

    /// @dev The account may not transfer token `id`, whose owner is only in the blob.
    function assertCannotTransfer(address account, uint256 id) private {
        vm.prank(account);
        vm.expectRevert(ERC721.NotOwnerNorApproved.selector);
        token.transferFrom(person(id - 1), account, id);
    }

    function manualIdTerms() private pure returns (Terms memory terms) {
        terms = termsOf();
        terms.manualIds = true;
    }

    /// @dev The storage word of an owner's balance and, above it, the layer hint.
    function balanceWord(address account) private view returns (uint256) {
        return uint256(vm.load(address(token), keccak256(abi.encodePacked(account, bytes8(0x0a5a2e7a00000000)))));
    }

    function person(uint256 index) private pure returns (address) {
        return address(uint160(0xfACE000000000000000000000000000000000000) + uint160(index));
    }

    function owners(uint256 count) private pure returns (bytes memory packed) {
        packed = new bytes(20 * count);
        for (uint256 i; i < count; ++i) {
            address to = person(i);
            assembly ("memory-safe") {
                mstore(add(add(packed, 20), mul(20, i)), or(mload(add(add(packed, 20), mul(20, i))), to))
            }
        }
    }

    function mintConsecutive(uint256 firstId, bytes memory packed) private {
        vm.prank(minter);
        token.adminMintRun(firstId, packed);
    }

    function expectConsecutiveRefusal(uint256 firstId, bytes memory packed, bytes4 reason) private {
        vm.prank(minter);
        vm.expectRevert(reason);
        token.adminMintRun(firstId, packed);
    }

    function mint(address to, uint256 id) private {
        vm.prank(minter);
        token.adminMint(to, id);
        assertEq(token.ownerOf(id), to);
    }

    function expectEveryMintRefused(MintVoucher memory voucher, bytes memory signature, bytes4 reason) private {
        uint256 id = voucher.tokenId;
        vm.prank(minter);
        vm.expectRevert(reason);
        token.adminMint(alice, id);
        vm.expectEmit(address(token));
        emit Vitrine721.MintSkipped(id);
        vm.prank(minter);
        token.adminMintMultiple(abi.encodePacked(uint8(2), alice, uint16(id)));
        expectConsecutiveRefusal(id, owners(1), reason);
        expectConsecutiveRefusal(id - 1, owners(3), reason);
        vm.expectRevert(reason);
        token.mintWithVoucher(voucher, signature);
    }

    function assertUnknown(uint256 id) private {
        vm.expectRevert(ERC721.TokenDoesNotExist.selector);
        token.ownerOf(id);
        vm.expectRevert(ERC721.TokenDoesNotExist.selector);
        token.getApproved(id);
    }
}
