// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vitrine1155} from "../src/Vitrine1155.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {VitrineFactory} from "../src/VitrineFactory.sol";
import {MintVoucher, VitrineToken} from "../src/VitrineToken.sol";
import {VitrineTest} from "./VitrineTest.sol";

contract VitrineFactoryTest is VitrineTest {
    VitrineFactory private factory = new VitrineFactory();
    address private implementation = address(new Vitrine721(METADATA));

    function test_a_clone_stands_at_its_predicted_address() public {
        bytes memory args = argsOf(termsOf());
        address predicted = factory.predict(implementation, "salt", args);
        vm.expectEmit(address(factory));
        emit VitrineFactory.Created(predicted, implementation, "salt");
        assertEq(factory.create(implementation, "salt", args), predicted);
        assertEq(Vitrine721(predicted).owner(), owner);
        bytes memory code =
            abi.encodePacked(hex"363d3d373d3d3d363d73", implementation, hex"5af43d82803e903d91602b57fd5bf3", args);
        assertEq(keccak256(predicted.code), keccak256(code));
    }

    function test_creating_again_finds_the_clone_whoever_asks() public {
        bytes memory args = argsOf(termsOf());
        vm.prank(stranger);
        Vitrine721 first = Vitrine721(factory.create(implementation, "salt", args));
        vm.prank(minter);
        first.adminMint(alice, 1);
        vm.recordLogs();
        assertEq(factory.create(implementation, "salt", args), address(first));
        assertEq(vm.getRecordedLogs().length, 0);
        assertEq(first.ownerOf(1), alice);
    }

    function test_a_clone_cannot_be_initialised_again() public {
        Vitrine721 clone = Vitrine721(factory.create(implementation, "salt", argsOf(termsOf())));
        bytes32 code = keccak256(address(clone).code);
        bytes[5] memory calls = [
            abi.encodeWithSignature("initialize()"),
            abi.encodeWithSignature("initialize(address)", stranger),
            abi.encodeWithSignature("initialize(bytes)", argsOf(termsOf())),
            abi.encodeWithSignature("init(address,address)", stranger, stranger),
            abi.encodeWithSignature("upgradeToAndCall(address,bytes)", stranger, "")
        ];
        for (uint256 i; i < calls.length; ++i) {
            vm.prank(stranger);
            (bool done,) = address(clone).call(calls[i]);
            assertFalse(done);
        }
        Terms memory terms = termsOf();
        (owner, minter, signer) = (stranger, stranger, stranger);
        assertTrue(factory.create(implementation, "salt", argsOf(terms)) != address(clone));
        assertEq(clone.rolesOf(stranger), 0);
        assertTrue(clone.owner() != stranger);
        assertEq(keccak256(address(clone).code), code);
    }

    function test_an_implementation_taken_over_harms_no_clone() public {
        address[2] memory implementations = [implementation, address(new Vitrine1155(METADATA))];
        for (uint256 i; i < 2; ++i) {
            Vitrine721 origin = Vitrine721(implementations[i]);
            Vitrine721 clone = Vitrine721(factory.create(address(origin), "salt", argsOf(termsOf())));
            bytes32 code = keccak256(address(origin).code);
            // As if its owner, an address that is some bytes of its code, had a key.
            vm.startPrank(origin.owner());
            origin.setRoles(stranger, 3);
            origin.transferOwnership(stranger);
            vm.stopPrank();
            vm.startPrank(stranger);
            origin.setBaseURI("ipfs://other/");
            origin.lockBaseURI();
            origin.setDefaultRoyalty(stranger, 10_000);
            origin.setVouchersPaused(true);
            origin.setMaxSupply(0);
            vm.stopPrank();

            assertEq(origin.owner(), stranger);
            assertEq(clone.owner(), owner);
            assertEq(clone.rolesOf(stranger), 0);
            assertEq(clone.contractURI(), COLLECTION_URI);
            assertEq(clone.maxSupply(), UNLIMITED);
            assertFalse(clone.vouchersPaused() || clone.baseURILocked());
            (address receiver, uint256 royalty) = clone.royaltyInfo(1, 10_000);
            assertTrue(receiver == address(0) && royalty == 0);
            MintVoucher memory voucher = voucherOf();
            clone.mintWithVoucher(voucher, sign(address(clone), voucher));
            uint256 held = i == 0 ? clone.balanceOf(alice) : Vitrine1155(address(clone)).balanceOf(alice, 1);
            assertEq(held, 1);
            assertEq(keccak256(address(origin).code), code);
        }
    }

    function test_a_voucher_of_a_clone_is_no_voucher_of_its_implementation() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(factory.create(implementation, "salt", argsOf(termsOf())), voucher);
        vm.expectRevert(VitrineToken.InvalidSignature.selector);
        Vitrine721(implementation).mintWithVoucher(voucher, signature);
        signature = sign(implementation, voucher);
        vm.expectRevert(VitrineToken.InvalidSignature.selector);
        Vitrine721(implementation).mintWithVoucher(voucher, signature);
    }

    function test_no_implementation_can_destroy_itself_or_run_anothers_code() public {
        bytes[2] memory codes = [implementation.code, address(new Vitrine1155(METADATA)).code];
        for (uint256 i; i < 2; ++i) {
            for (uint256 place; place < codes[i].length; ++place) {
                uint8 instruction = uint8(codes[i][place]);
                // SELFDESTRUCT, DELEGATECALL, CALLCODE.
                assertFalse(instruction == 0xff || instruction == 0xf4 || instruction == 0xf2);
                // What PUSH1 to PUSH32 put on the stack is no instruction.
                if (instruction >= 0x60 && instruction <= 0x7f) place += instruction - 0x5f;
            }
        }
    }

    function test_an_implementation_without_code_is_refused() public {
        vm.expectRevert(VitrineFactory.ImplementationMissing.selector);
        factory.create(stranger, "salt", "");
    }

    function testFuzz_other_terms_live_elsewhere(bytes32 salt, bytes calldata args, bytes calldata otherArgs) public {
        vm.assume(keccak256(args) != keccak256(otherArgs));
        address one = factory.create(implementation, salt, args);
        assertEq(one, factory.predict(implementation, salt, args));
        assertTrue(one != factory.create(implementation, salt, otherArgs));
        assertTrue(one != factory.create(implementation, ~salt, args));
    }
}
