// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {OwnerBlobs} from "../src/OwnerBlobs.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {VitrineTest} from "./VitrineTest.sol";

/// @notice What a consecutive batch in the last chunk does to a collection of version 2-d389816b, which still takes one:
/// docs/contracts.md says it to owners. The code under test is that version's.
contract LastChunkTest is VitrineTest {
    uint256 private constant CHUNK = 128;
    uint256 private constant LAST_ID = (1 << 63) - 1;
    /// @dev A blob at an address that has one already uses up nearly all gas.
    uint256 private constant GAS = 2_000_000;

    Vitrine721 private token;

    function setUp() public {
        bytes memory code = vm.parseBytes(vm.readLine("contracts/test/earlier/Vitrine721-2-d389816b.hex"));
        code = bytes.concat(code, abi.encode(METADATA));
        address implementation;
        assembly ("memory-safe") {
            implementation := create(0, add(code, 0x20), mload(code))
        }
        implementation721 = Vitrine721(implementation);
        Terms memory terms = termsOf();
        terms.manualIds = true;
        token = clone721(terms);
    }

    function test_where_the_first_chunk_has_a_blob_no_token_in_a_blob_counts_as_minted() public {
        mintRun(0);
        mintRun(5 * CHUNK);
        mintRun(LAST_ID);
        assertEq(config() >> 144, 0);
        assertMintedAgain(0);
        assertMintedAgain(5 * CHUNK);
        assertMintedAgain(LAST_ID);
    }

    function test_otherwise_all_count_as_minted_until_the_next_batch_whose_chunks_then_are_the_only_ones() public {
        mintRun(5 * CHUNK);
        mintRun(7 * CHUNK);
        mintRun(LAST_ID);
        assertNotMintedAgain(5 * CHUNK);
        assertNotMintedAgain(7 * CHUNK);
        assertNotMintedAgain(LAST_ID);
        mintRun(9 * CHUNK);
        assertNotMintedAgain(9 * CHUNK);
        assertMintedAgain(5 * CHUNK);
        assertMintedAgain(7 * CHUNK);
        assertMintedAgain(LAST_ID);
    }

    function test_batches_in_chunks_below_and_above_restore_every_chunk_between_them_but_not_the_last() public {
        mintRun(5 * CHUNK);
        mintRun(7 * CHUNK);
        mintRun(LAST_ID);
        mintRun(4 * CHUNK);
        mintRun(8 * CHUNK);
        assertNotMintedAgain(4 * CHUNK);
        assertNotMintedAgain(5 * CHUNK);
        assertNotMintedAgain(7 * CHUNK);
        assertNotMintedAgain(8 * CHUNK);
        assertMintedAgain(LAST_ID);
    }

    function test_even_a_batch_in_the_chunk_before_the_last_does_not_restore_the_last() public {
        mintRun(5 * CHUNK);
        mintRun(LAST_ID);
        mintRun(LAST_ID - CHUNK);
        mintRun(4 * CHUNK);
        assertNotMintedAgain(5 * CHUNK);
        assertNotMintedAgain(LAST_ID - CHUNK);
        assertMintedAgain(LAST_ID);
    }

    function test_a_chunk_outside_the_range_that_has_a_blob_takes_no_batch_so_the_first_chunk_stays_lost() public {
        mintRun(0);
        mintRun(5 * CHUNK);
        mintRun(LAST_ID);
        expectNotStored(1);
        expectNotStored(5 * CHUNK + 1);
        expectNotStored(LAST_ID - 1);
        mintRun(CHUNK);
        mintRun(6 * CHUNK);
        assertNotMintedAgain(5 * CHUNK);
        expectNotStored(1);
        assertMintedAgain(0);
    }

    function test_owners_can_transfer_and_a_token_that_was_transferred_or_approved_is_safe() public {
        mintRun(0);
        mintRun(2);
        mintRun(4);
        mintRun(LAST_ID);
        vm.startPrank(alice);
        token.transferFrom(alice, bob, 0);
        token.approve(bob, 2);
        token.burn(4);
        token.transferFrom(alice, alice, LAST_ID);
        vm.stopPrank();
        assertEq(token.ownerOf(0), bob);
        assertNotMintedAgain(0);
        assertNotMintedAgain(2);
        assertNotMintedAgain(LAST_ID);
        mintInEveryWay(4);
        assertEq(token.balanceOf(outsider), 0);
    }

    function test_a_max_supply_lowered_to_the_number_minted_ends_every_mint() public {
        mintRun(0);
        mintRun(LAST_ID);
        vm.prank(owner);
        token.setMaxSupply(2);
        assertNotMintedAgain(0);
        assertNotMintedAgain(LAST_ID);
    }

    function test_a_max_supply_of_zero_ends_every_mint_where_ids_are_automatic() public {
        token = clone721(termsOf());
        mintRun(1);
        mintRun(LAST_ID);
        vm.prank(owner);
        token.setMaxSupply(0);
        assertNotMintedAgain(1);
        assertNotMintedAgain(LAST_ID);
    }

    // ---------------------------------------------------------------------------------------------------- helpers

    function config() private view returns (uint256) {
        return uint256(vm.load(address(token), 0));
    }

    /// @dev Mints one token to alice as a consecutive batch.
    function mintRun(uint256 id) private {
        vm.prank(minter);
        token.adminMintRun(id, abi.encodePacked(alice));
    }

    function expectNotStored(uint256 id) private {
        vm.prank(minter);
        vm.expectRevert(OwnerBlobs.BlobNotStored.selector);
        token.adminMintRun{gas: GAS}(id, abi.encodePacked(outsider));
    }

    function mintInEveryWay(uint256 id) private {
        vm.startPrank(minter);
        token.adminMintMultiple(abi.encodePacked(uint8(32), outsider, id));
        (bool done,) = address(token).call(abi.encodeCall(Vitrine721.adminMint, (outsider, id)));
        bytes memory run = abi.encodeCall(Vitrine721.adminMintRun, (id, abi.encodePacked(outsider)));
        (done,) = address(token).call{gas: GAS}(run);
        vm.stopPrank();
    }

    function assertNotMintedAgain(uint256 id) private {
        address holder = token.ownerOf(id);
        uint256 held = token.balanceOf(outsider);
        mintInEveryWay(id);
        assertEq(token.ownerOf(id), holder);
        assertEq(token.balanceOf(outsider), held);
    }

    function assertMintedAgain(uint256 id) private {
        assertEq(token.ownerOf(id), alice);
        mintInEveryWay(id);
        assertEq(token.ownerOf(id), outsider);
    }
}
