// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721} from "solady/tokens/ERC721.sol";
import {OwnerBlobs} from "../src/OwnerBlobs.sol";
import {MintVoucher, VitrineToken} from "../src/VitrineToken.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {Vitrine1155} from "../src/Vitrine1155.sol";
import {VitrineTest} from "./VitrineTest.sol";

/// @notice Every packed field of both contracts has its last value, and still no token of a holder is minted again.
/// Values that no test can reach by calls are written to storage.
contract LastValues721Test is VitrineTest {
    uint256 private constant LIMIT = (1 << 63) - 128;
    uint256 private constant CHUNK_RANGE_SHIFT = 144;

    Vitrine721 private token;

    function setUp() public {
        Terms memory terms = termsOf();
        terms.manualIds = true;
        token = clone721(terms);
    }

    // ------------------------------------------------------------------------------------------------- chunk range

    function test_the_last_chunk_with_blobs_ends_the_chunk_range_at_its_last_value() public {
        mintRun(0, alice, 1);
        mintRun(LIMIT - 20, bob, 20);
        assertEq(config() >> 200, (1 << 56) - 1);
        assertEq((config() >> CHUNK_RANGE_SHIFT) & ((1 << 56) - 1), 0);
        assertNotMintedAgain(0, alice);
        assertNotMintedAgain(LIMIT - 1, bob);
        assertNotMintedAgain(LIMIT - 20, bob);
        mintRun(1, bob, 1);
        assertNotMintedAgain(0, alice);
        assertNotMintedAgain(LIMIT - 1, bob);
    }

    function test_ids_beyond_the_blobs_are_minted_once() public {
        mintRun(0, alice, 1);
        mintRun(LIMIT - 1, alice, 1);
        uint256[5] memory ids = [LIMIT, (1 << 63) - 1, 1 << 63, (1 << 63) + 127, type(uint256).max];
        for (uint256 i; i < ids.length; ++i) {
            vm.prank(minter);
            token.adminMint(bob, ids[i]);
            assertNotMintedAgain(ids[i], bob);
        }
        assertNotMintedAgain(0, alice);
        assertNotMintedAgain(LIMIT - 1, alice);
    }

    function testFuzz_runs_anywhere_leave_no_token_that_can_be_minted_again(uint256[4] memory seeds) public {
        uint256[4] memory firstIds;
        for (uint256 i; i < seeds.length; ++i) {
            // Near the first chunk, near the last one, or anywhere.
            uint256 place = seeds[i] >> 8;
            uint256 first = [place % 300, LIMIT - 1 - place % 300, place % LIMIT][seeds[i] % 3];
            uint256 length = bound(place >> 64, 1, 150);
            bytes memory packed = packedOwners(alice, length);
            vm.prank(minter);
            (bool done,) = address(token).call(abi.encodeCall(Vitrine721.adminMintRun, (first, packed)));
            firstIds[i] = done ? first : type(uint256).max;
            for (uint256 j; j <= i; ++j) {
                if (firstIds[j] != type(uint256).max) assertNotMintedAgain(firstIds[j], alice);
            }
        }
    }

    // ------------------------------------------------------------------------------------- chunks, offsets, layers

    function test_the_last_id_of_a_full_chunk_of_one_blob_is_minted_once() public {
        mintRun(LIMIT - 128, alice, 128);
        assertNotMintedAgain(LIMIT - 128, alice);
        assertNotMintedAgain(LIMIT - 1, alice);
    }

    function test_tokens_of_the_last_layer_are_minted_once() public {
        for (uint256 layer; layer < 8; ++layer) {
            mintRun(LIMIT - 1 - layer, alice, 1);
        }
        for (uint256 layer; layer < 8; ++layer) {
            assertNotMintedAgain(LIMIT - 1 - layer, alice);
        }
        vm.prank(minter);
        vm.expectRevert(OwnerBlobs.ChunkIsFull.selector);
        token.adminMintRun(LIMIT - 9, packedOwners(bob, 1));
    }

    // ------------------------------------------------------------------------------------------------ ownership word

    function test_a_token_whose_every_lower_voucher_is_cancelled_is_minted_once() public {
        MintVoucher memory voucher = voucherOf();
        voucher.nonce = (1 << 95) - 2;
        bytes memory signature = sign(address(token), voucher);
        vm.prank(minter);
        token.cancelVoucher(voucher, signature);
        assertEq(token.lowestValidNonce(1), (1 << 95) - 1);
        vm.expectRevert(Vitrine721.VoucherIsCancelled.selector);
        token.mintWithVoucher(voucher, signature);
        vm.prank(minter);
        token.adminMint(alice, 1);

        // With the bit of an approval, all of the extra data's bits are ones, as those of a burnt token.
        vm.prank(alice);
        token.approve(bob, 1);
        assertEq(token.getApproved(1), bob);
        assertEq(token.lowestValidNonce(1), (1 << 95) - 1);
        assertNotMintedAgain(1, alice);
        vm.prank(bob);
        token.transferFrom(alice, bob, 1);
        assertEq(token.lowestValidNonce(1), (1 << 95) - 1);
        assertNotMintedAgain(1, bob);
        vm.prank(bob);
        token.burn(1);
        assertEq(token.lowestValidNonce(1), type(uint96).max);
        assertUnmintable(1);
    }

    function test_the_same_holds_for_a_token_whose_owner_is_in_a_blob() public {
        MintVoucher memory voucher = voucherOf();
        voucher.nonce = (1 << 95) - 2;
        bytes memory signature = sign(address(token), voucher);
        vm.prank(minter);
        token.cancelVoucher(voucher, signature);
        mintRun(1, alice, 1);
        assertNotMintedAgain(1, alice);
        vm.prank(alice);
        token.approve(bob, 1);
        assertNotMintedAgain(1, alice);
        vm.prank(bob);
        token.transferFrom(alice, bob, 1);
        assertNotMintedAgain(1, bob);
    }

    function test_a_nonce_above_the_last_one_is_refused() public {
        MintVoucher memory voucher = voucherOf();
        for (uint256 i; i < 2; ++i) {
            voucher.nonce = i == 0 ? (1 << 95) - 1 : type(uint256).max;
            bytes memory signature = sign(address(token), voucher);
            vm.expectRevert(Vitrine721.WrongNonce.selector);
            token.mintWithVoucher(voucher, signature);
            vm.prank(minter);
            vm.expectRevert(Vitrine721.WrongNonce.selector);
            token.cancelVoucher(voucher, signature);
        }
    }

    // -------------------------------------------------------------------------------------------------- balance word

    function test_an_owner_with_the_most_tokens_gets_no_other_and_loses_none() public {
        mintRun(1, bob, 1);
        mintRun(2, bob, 1);
        uint256 most = (7 << 32) | type(uint32).max;
        vm.store(address(token), balanceSlot(bob), bytes32(most));
        assertEq(token.balanceOf(bob), type(uint32).max);
        MintVoucher memory voucher = voucherOf();
        (voucher.minter, voucher.tokenId) = (bob, 9);
        bytes memory signature = sign(address(token), voucher);
        bytes4 reason = ERC721.AccountBalanceOverflow.selector;
        vm.startPrank(minter);
        vm.expectRevert(reason);
        token.adminMint(bob, 9);
        vm.expectRevert(reason);
        token.adminMintMultiple(abi.encodePacked(uint8(1), bob, uint8(9)));
        vm.expectRevert(reason);
        token.adminMintRun(9, packedOwners(bob, 1));
        token.adminMint(alice, 9);
        vm.stopPrank();
        voucher.tokenId = 10;
        signature = sign(address(token), voucher);
        vm.expectRevert(reason);
        token.mintWithVoucher(voucher, signature);
        vm.prank(alice);
        vm.expectRevert(reason);
        token.transferFrom(alice, bob, 9);
        assertEq(uint256(vm.load(address(token), balanceSlot(bob))), most);
        assertNotMintedAgain(1, bob);
        assertNotMintedAgain(2, bob);
        vm.prank(bob);
        token.transferFrom(bob, alice, 1);
        assertEq(token.balanceOf(bob), type(uint32).max - 1);
        assertEq(token.ownerOf(2), bob);
    }

    // ---------------------------------------------------------------------------------------------------- supply

    function test_a_full_counter_of_mints_refuses_every_mint_and_changes_no_other_field() public {
        mintRun(LIMIT - 1, alice, 1);
        uint256 flags = 1 << 4;
        vm.prank(minter);
        token.lockBaseURI();
        setConfig(config() + ((uint256(type(uint64).max) - 2) << 16));
        mintRun(5, alice, 1);
        uint256 full = config();
        assertEq((full >> 16) & type(uint64).max, type(uint64).max);
        assertEq(full & type(uint16).max, flags);
        assertEq((full >> 80) & type(uint64).max, 0);
        assertEq(full >> 200, (1 << 56) - 1);
        assertUnmintable(77);
        assertNotMintedAgain(5, alice);
        assertNotMintedAgain(LIMIT - 1, alice);
        assertEq(config(), full);
    }

    function test_the_max_supply_takes_its_highest_and_its_lowest_value_once() public {
        assertEq(token.maxSupply(), UNLIMITED);
        mintRun(LIMIT - 1, alice, 1);
        vm.startPrank(minter);
        vm.expectRevert(VitrineToken.MaxSupplyNotLower.selector);
        token.setMaxSupply(UNLIMITED);
        token.setMaxSupply(UNLIMITED - 1);
        assertEq(token.maxSupply(), UNLIMITED - 1);
        vm.expectRevert(VitrineToken.MaxSupplyBelowMinted.selector);
        token.setMaxSupply(0);
        token.setMaxSupply(1);
        vm.stopPrank();
        assertEq(token.maxSupply(), 1);
        assertUnmintable(77);
        assertNotMintedAgain(LIMIT - 1, alice);
    }

    function test_with_automatic_ids_the_highest_id_is_minted_once_and_none_above_it() public {
        Terms memory terms = termsOf();
        terms.maxSupply = UNLIMITED - 1;
        token = clone721(terms);
        vm.prank(minter);
        token.adminMint(alice, UNLIMITED - 1);
        assertNotMintedAgain(UNLIMITED - 1, alice);
        assertUnmintable(UNLIMITED);
        assertUnmintable(type(uint256).max);
        assertUnmintable(0);
        vm.prank(minter);
        token.setMaxSupply(0);
        assertUnmintable(1);
        assertNotMintedAgain(UNLIMITED - 1, alice);
    }

    // --------------------------------------------------------------------------------------------------- transfers

    function test_the_last_nonce_of_a_signed_transfer_is_used_once() public {
        mintRun(LIMIT - 1, alice, 1);
        SignedTransfer memory transfer = SignedTransfer(LIMIT - 1, 1, alice, bob, type(uint256).max, type(uint256).max);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(ALICE_KEY, transferDigestOf721(address(token), transfer));
        bytes memory call = callOf721(transfer, abi.encodePacked(r, s, v));
        (bool done,) = address(token).call(call);
        assertTrue(done);
        assertTrue(token.transferNonceUsed(alice, type(uint256).max));
        assertFalse(token.transferNonceUsed(alice, 0));
        vm.prank(bob);
        token.transferFrom(bob, alice, LIMIT - 1);
        (done,) = address(token).call(call);
        assertFalse(done);
        assertNotMintedAgain(LIMIT - 1, alice);
    }

    // --------------------------------------------------------------------------------------------------- royalties

    function test_royalties_at_their_last_values_change_no_owner() public {
        mintRun(LIMIT - 1, alice, 1);
        address last = address(type(uint160).max);
        vm.startPrank(minter);
        token.setDefaultRoyalty(last, 10_000);
        token.setTokenRoyalty(type(uint256).max, last, 10_000);
        vm.stopPrank();
        (address receiver, uint256 amount) = token.royaltyInfo(type(uint256).max, type(uint256).max);
        assertEq(receiver, last);
        assertEq(amount, type(uint256).max);
        (receiver, amount) = token.royaltyInfo(LIMIT - 1, 7);
        assertEq(receiver, last);
        assertEq(amount, 7);
        assertNotMintedAgain(LIMIT - 1, alice);
    }

    // ---------------------------------------------------------------------------------------------------- helpers

    function config() private view returns (uint256) {
        return uint256(vm.load(address(token), 0));
    }

    function setConfig(uint256 word) private {
        vm.store(address(token), 0, bytes32(word));
    }

    function balanceSlot(address account) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(account, bytes8(0x0a5a2e7a00000000)));
    }

    function packedOwners(address to, uint256 count) private pure returns (bytes memory packed) {
        for (uint256 i; i < count; ++i) {
            packed = abi.encodePacked(packed, to);
        }
    }

    function mintRun(uint256 firstId, address to, uint256 count) private {
        vm.prank(minter);
        token.adminMintRun(firstId, packedOwners(to, count));
    }

    /// @dev The token has this owner, whichever way another account tries to mint it.
    function assertNotMintedAgain(uint256 id, address holder) private {
        assertEq(token.ownerOf(id), holder);
        assertUnmintable(id);
        assertEq(token.ownerOf(id), holder);
    }

    /// @dev No way to mint token `id` to the outsider succeeds.
    function assertUnmintable(uint256 id) private {
        MintVoucher memory voucher = voucherOf();
        (voucher.minter, voucher.tokenId, voucher.nonce) = (outsider, id, (1 << 95) - 2);
        bytes memory signature = sign(address(token), voucher);
        (bool done,) = address(token).call(abi.encodeCall(Vitrine721.mintWithVoucher, (voucher, signature)));
        assertFalse(done);
        vm.startPrank(minter);
        (done,) = address(token).call(abi.encodeCall(Vitrine721.adminMint, (outsider, id)));
        assertFalse(done);
        (done,) = address(token).call(abi.encodeCall(Vitrine721.adminMintRun, (id, abi.encodePacked(outsider))));
        assertFalse(done);
        token.adminMintMultiple(abi.encodePacked(uint8(32), outsider, id));
        vm.stopPrank();
        assertEq(token.balanceOf(outsider), 0);
    }
}

/// @notice The same of the ERC-1155 contract: no request is carried out twice, and no supply is exceeded.
contract LastValues1155Test is VitrineTest {
    uint256 private constant LAST = type(uint256).max;

    Vitrine1155 private token;

    function setUp() public {
        token = clone1155(termsOf());
    }

    function test_the_last_request_id_is_used_once_in_whichever_way() public {
        uint256 snapshot = vm.snapshotState();
        for (uint256 way; way < 4; ++way) {
            MintVoucher memory voucher = voucherOf();
            voucher.nonce = LAST;
            bytes memory signature = sign(address(token), voucher);
            if (way == 0) {
                vm.prank(minter);
                token.adminMint(alice, 1, 1, LAST);
            } else if (way == 1) {
                vm.prank(minter);
                token.adminMintMultiple(entry(alice, 1, 1, LAST));
            } else if (way == 2) {
                token.mintWithVoucher(voucher, signature);
            } else {
                vm.prank(minter);
                token.cancelVoucher(voucher, signature);
            }
            assertTrue(token.isUsed(LAST));
            assertFalse(token.isUsed(LAST - 1));
            assertFalse(token.isUsed(0));
            uint256 minted = token.totalMinted(1);
            vm.expectRevert(Vitrine1155.VoucherIsUsed.selector);
            token.mintWithVoucher(voucher, signature);
            vm.startPrank(minter);
            vm.expectRevert(Vitrine1155.RequestIsUsed.selector);
            token.adminMint(outsider, 1, 1, LAST);
            token.adminMintMultiple(bytes.concat(entry(outsider, 1, 1, LAST), entryOnly(outsider, 1, 1, LAST)));
            vm.stopPrank();
            assertEq(token.totalMinted(1), minted);
            assertEq(token.balanceOf(outsider, 1), 0);
            assertTrue(vm.revertToState(snapshot));
            snapshot = vm.snapshotState();
        }
    }

    function test_a_batch_over_the_last_bucket_uses_each_request_id_once() public {
        bytes memory packed = hex"202020";
        for (uint256 i; i < 6; ++i) {
            // The last two ids of the last bucket, then those of the first, then the first two again.
            uint256 requestId = i % 4 < 2 ? LAST - i % 2 : i % 2;
            packed = bytes.concat(packed, entryOnly(alice, LAST, 1, requestId));
        }
        vm.prank(minter);
        token.adminMintMultiple(packed);
        assertEq(token.balanceOf(alice, LAST), 4);
        assertEq(token.totalMinted(LAST), 4);
    }

    function test_a_collection_with_the_most_units_takes_no_other() public {
        uint256 most = type(uint64).max;
        vm.startPrank(minter);
        vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
        token.adminMint(alice, 1, most + 1, 1);
        token.adminMint(alice, 1, most - 1, 1);
        token.adminMint(alice, LAST, 1, 2);
        vm.stopPrank();
        assertEq(uint256(vm.load(address(token), 0)), most << 16);
        assertFull(1);
        assertFull(LAST);
        assertEq(token.balanceOf(alice, 1), most - 1);
        assertEq(token.balanceOf(alice, LAST), 1);
        assertEq(uint256(vm.load(address(token), 0)), most << 16);
        vm.prank(alice);
        token.burn(alice, 1, most - 1);
        assertEq(token.totalMinted(1), most - 1);
        assertFull(1);
    }

    function test_the_max_supplies_take_their_highest_and_their_lowest_values_once() public {
        assertEq(token.tokenMaxSupply(1), type(uint128).max);
        vm.startPrank(minter);
        vm.expectRevert(VitrineToken.MaxSupplyNotLower.selector);
        token.setTokenMaxSupply(1, type(uint128).max);
        token.setTokenMaxSupply(1, type(uint128).max - 1);
        assertEq(token.tokenMaxSupply(1), type(uint128).max - 1);
        token.setMaxSupply(UNLIMITED - 1);
        vm.expectRevert(VitrineToken.MaxSupplyReached.selector);
        token.adminMint(alice, 1, UNLIMITED, 1);
        token.adminMint(alice, 1, 5, 1);
        vm.expectRevert(VitrineToken.MaxSupplyBelowMinted.selector);
        token.setTokenMaxSupply(1, 4);
        token.setTokenMaxSupply(1, 5);
        token.setTokenMaxSupply(2, 0);
        vm.stopPrank();
        assertFull(1);
        assertFull(2);
        vm.startPrank(minter);
        vm.expectRevert(VitrineToken.MaxSupplyBelowMinted.selector);
        token.setMaxSupply(4);
        token.setMaxSupply(5);
        vm.stopPrank();
        assertFull(3);
        assertEq(token.balanceOf(alice, 1), 5);
    }

    function test_the_last_nonce_of_a_signed_transfer_is_used_once() public {
        vm.prank(minter);
        token.adminMint(alice, LAST, 2, 1);
        SignedTransfer memory transfer = SignedTransfer(LAST, 1, alice, bob, LAST, LAST);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(ALICE_KEY, transferDigestOf1155(address(token), transfer));
        bytes memory call = callOf1155(transfer, abi.encodePacked(r, s, v));
        (bool done,) = address(token).call(call);
        assertTrue(done);
        (done,) = address(token).call(call);
        assertFalse(done);
        assertEq(token.balanceOf(alice, LAST), 1);
        assertEq(token.balanceOf(bob, LAST), 1);
    }

    // ---------------------------------------------------------------------------------------------------- helpers

    /// @dev No way to mint units of token `id` succeeds, for one unit and for amounts that wrap a counter.
    function assertFull(uint256 id) private {
        uint256[6] memory amounts = [1, type(uint64).max, 1 << 64, type(uint128).max, 1 << 128, LAST];
        uint256 minted = token.totalMinted(id);
        for (uint256 i; i < amounts.length; ++i) {
            MintVoucher memory voucher = voucherOf();
            (voucher.minter, voucher.tokenId, voucher.quantity, voucher.nonce) = (outsider, id, amounts[i], 100 + i);
            bytes memory signature = sign(address(token), voucher);
            (bool done,) = address(token).call(abi.encodeCall(Vitrine1155.mintWithVoucher, (voucher, signature)));
            assertFalse(done);
            vm.startPrank(minter);
            (done,) = address(token).call(abi.encodeCall(Vitrine1155.adminMint, (outsider, id, amounts[i], 200 + i)));
            assertFalse(done);
            token.adminMintMultiple(
                bytes.concat(entry(outsider, id, amounts[i], 300 + i), entryOnly(outsider, id, amounts[i], 400 + i))
            );
            vm.stopPrank();
        }
        assertEq(token.totalMinted(id), minted);
        assertEq(token.balanceOf(outsider, id), 0);
    }

    function entryOnly(address to, uint256 id, uint256 amount, uint256 requestId) private pure returns (bytes memory) {
        return abi.encodePacked(to, id, amount, requestId);
    }

    /// @dev A batch of this entry, in its greatest widths.
    function entry(address to, uint256 id, uint256 amount, uint256 requestId) private pure returns (bytes memory) {
        return bytes.concat(hex"202020", entryOnly(to, id, amount, requestId));
    }
}
