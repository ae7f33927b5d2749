// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC721 as OzERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721} from "solady/tokens/ERC721.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {AcceptingReceiver, RejectingAccount} from "./Counterparties.sol";
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
