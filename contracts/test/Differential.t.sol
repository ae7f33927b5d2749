// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721 as OzERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721} from "solady/tokens/ERC721.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {Receiver, Refuser} from "./Counterparties.sol";
import {Vm, VitrineTest} from "./VitrineTest.sol";

/// @notice solady's ERC-721 with mints and burns open to everybody. What was burnt doesn't come back.
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

/// @notice The same of OpenZeppelin's.
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

/// @notice Whatever people do, our token answers as solady's and OpenZeppelin's do, word for word where solady answers, and
/// tells of the same events, however the tokens came to be.
contract DifferentialTest is VitrineTest {
    uint256 private constant IDS = 12;
    /// @dev Ids on both sides of a chunk's bound.
    uint256 private constant FIRST = 122;

    Vitrine721 private ours;
    SoladyToken private solady;
    OpenZeppelinToken private openZeppelin;
    address[5] private people;

    function setUp() public {
        ours = clone721(termsOf());
        solady = new SoladyToken();
        openZeppelin = new OpenZeppelinToken();
        people = [alice, bob, stranger, address(new Receiver()), address(new Refuser())];
    }

    function testFuzz_the_same_calls_have_the_same_answers_and_events(uint256[12] calldata seeds) public {
        for (uint256 i; i < seeds.length; ++i) {
            act(seeds[i]);
            look(seeds[i] >> 128);
        }
        for (uint256 id; id < IDS; ++id) {
            bytes memory question = abi.encodeCall(ERC721.ownerOf, (FIRST + id));
            ask(question);
            ask(abi.encodeCall(ERC721.getApproved, (FIRST + id)));
        }
        for (uint256 i; i < people.length; ++i) {
            ask(abi.encodeCall(ERC721.balanceOf, (people[i])));
        }
    }

    /// @dev Does one thing to all three.
    function act(uint256 seed) private {
        uint256 kind = seed % 16;
        address caller = people[(seed >> 8) % 5];
        address other = person(seed >> 16);
        address third = person(seed >> 24);
        uint256 id = FIRST + (seed >> 32) % IDS;
        if (kind < 3) return mintRun(id, seed);
        if (kind == 3) return mintOne(people[(seed >> 16) % 5], id);
        if (kind == 4) return call(caller, abi.encodeCall(SoladyToken.burn, (id)));
        if (kind < 8) return call(caller, abi.encodeCall(ERC721.approve, (other, id)));
        if (kind == 8) {
            // OpenZeppelin refuses to have the zero address as an operator.
            bytes memory data =
                abi.encodeCall(ERC721.setApprovalForAll, (people[(seed >> 16) % 5], seed >> 40 & 1 == 0));
            return call(caller, data);
        }
        if (seed >> 41 & 3 != 0) other = ownerOrZero(id);
        if (seed >> 43 & 1 != 0) caller = other;
        if (caller == address(0)) caller = alice;
        if (kind < 13) return call(caller, abi.encodeCall(ERC721.transferFrom, (other, third, id)));
        if (kind < 15) {
            return call(caller, abi.encodeWithSignature("safeTransferFrom(address,address,uint256)", other, third, id));
        }
        call(
            caller,
            abi.encodeWithSignature("safeTransferFrom(address,address,uint256,bytes)", other, third, id, hex"1234")
        );
    }

    function look(uint256 seed) private view {
        address somebody = person(seed >> 8);
        uint256 id = FIRST + (seed >> 16) % IDS;
        if (seed % 4 == 0) ask(abi.encodeCall(ERC721.ownerOf, (id)));
        if (seed % 4 == 1) ask(abi.encodeCall(ERC721.balanceOf, (somebody)));
        if (seed % 4 == 2) ask(abi.encodeCall(ERC721.getApproved, (id)));
        if (seed % 4 == 3) ask(abi.encodeCall(ERC721.isApprovedForAll, (somebody, person(seed >> 24))));
    }

    /// @dev A run of ours is one mint after the other of theirs, all or nothing.
    function mintRun(uint256 firstId, uint256 seed) private {
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
        Vm.Log[] memory told = vm.getRecordedLogs();
        vm.recordLogs();
        for (uint256 i; i < length; ++i) {
            solady.mint(people[(seed >> (64 + 4 * i)) % 5], firstId + i);
        }
        same(told, vm.getRecordedLogs());
        for (uint256 i; i < length; ++i) {
            openZeppelin.mint(people[(seed >> (64 + 4 * i)) % 5], firstId + i);
        }
    }

    function mintOne(address to, uint256 id) private {
        bytes memory theirs = abi.encodeCall(SoladyToken.mint, (to, id));
        (bool done,, Vm.Log[] memory told) =
            callOne(address(ours), minter, abi.encodeCall(Vitrine721.adminMint, (to, id)));
        (bool soladyDone,, Vm.Log[] memory soladyTold) = callOne(address(solady), minter, theirs);
        (bool openZeppelinDone,, Vm.Log[] memory openZeppelinTold) = callOne(address(openZeppelin), minter, theirs);
        assertTrue(done == soladyDone && done == openZeppelinDone);
        same(told, soladyTold);
        same(told, openZeppelinTold);
    }

    function call(address caller, bytes memory data) private {
        (bool done, bytes memory answer, Vm.Log[] memory told) = callOne(address(ours), caller, data);
        (bool soladyDone, bytes memory soladyAnswer, Vm.Log[] memory soladyTold) =
            callOne(address(solady), caller, data);
        assertTrue(done == soladyDone);
        assertEq(keccak256(answer), keccak256(soladyAnswer));
        same(told, soladyTold);
        (bool openZeppelinDone,, Vm.Log[] memory openZeppelinTold) = callOne(address(openZeppelin), caller, data);
        assertTrue(done == openZeppelinDone);
        same(told, openZeppelinTold);
    }

    function callOne(address token, address caller, bytes memory data)
        private
        returns (bool done, bytes memory answer, Vm.Log[] memory told)
    {
        vm.recordLogs();
        vm.prank(caller);
        (done, answer) = token.call(data);
        told = vm.getRecordedLogs();
        // Forge also records what was undone.
        if (!done) told = new Vm.Log[](0);
    }

    function ask(bytes memory question) private view {
        (bool done, bytes memory answer) = address(ours).staticcall(question);
        (bool soladyDone, bytes memory soladyAnswer) = address(solady).staticcall(question);
        assertTrue(done == soladyDone);
        assertEq(keccak256(answer), keccak256(soladyAnswer));
        (bool openZeppelinDone, bytes memory openZeppelinAnswer) = address(openZeppelin).staticcall(question);
        assertTrue(done == openZeppelinDone);
        if (done) assertEq(keccak256(answer), keccak256(openZeppelinAnswer));
    }

    function same(Vm.Log[] memory one, Vm.Log[] memory two) private pure {
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

    /// @dev One of the people or, one time in eleven, nobody.
    function person(uint256 seed) private view returns (address) {
        seed = seed % 256 % 11;
        return seed == 10 ? address(0) : people[seed % 5];
    }
}
