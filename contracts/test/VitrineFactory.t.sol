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

    function test_a_clone_is_created_at_its_predicted_address() public {
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

    function test_creating_a_clone_again_returns_the_existing_one_to_anyone() public {
        bytes memory args = argsOf(termsOf());
        vm.prank(outsider);
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
            abi.encodeWithSignature("initialize(address)", outsider),
            abi.encodeWithSignature("initialize(bytes)", argsOf(termsOf())),
            abi.encodeWithSignature("init(address,address)", outsider, outsider),
            abi.encodeWithSignature("upgradeToAndCall(address,bytes)", outsider, "")
        ];
        for (uint256 i; i < calls.length; ++i) {
            vm.prank(outsider);
            (bool done,) = address(clone).call(calls[i]);
            assertFalse(done);
        }
        Terms memory terms = termsOf();
        (owner, minter, signer) = (outsider, outsider, outsider);
        assertTrue(factory.create(implementation, "salt", argsOf(terms)) != address(clone));
        assertEq(clone.rolesOf(outsider), 0);
        assertTrue(clone.owner() != outsider);
        assertEq(keccak256(address(clone).code), code);
    }

    function test_taking_over_an_implementation_does_not_affect_its_clones() public {
        address[2] memory implementations = [implementation, address(new Vitrine1155(METADATA))];
        for (uint256 i; i < 2; ++i) {
            Vitrine721 origin = Vitrine721(implementations[i]);
            Vitrine721 clone = Vitrine721(factory.create(address(origin), "salt", argsOf(termsOf())));
            bytes32 code = keccak256(address(origin).code);
            // The implementation's owner is an address made of bytes of its code. Here somebody has its key.
            vm.startPrank(origin.owner());
            origin.setRoles(outsider, 3);
            origin.transferOwnership(outsider);
            vm.stopPrank();
            vm.startPrank(outsider);
            origin.setBaseURI("ipfs://other/");
            origin.lockBaseURI();
            origin.setDefaultRoyalty(outsider, 10_000);
            origin.setVouchersPaused(true);
            origin.setMaxSupply(0);
            vm.stopPrank();

            assertEq(origin.owner(), outsider);
            assertEq(clone.owner(), owner);
            assertEq(clone.rolesOf(outsider), 0);
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

    function test_a_voucher_for_a_clone_is_invalid_on_its_implementation_and_the_reverse() public {
        MintVoucher memory voucher = voucherOf();
        bytes memory signature = sign(factory.create(implementation, "salt", argsOf(termsOf())), voucher);
        vm.expectRevert(VitrineToken.InvalidSignature.selector);
        Vitrine721(implementation).mintWithVoucher(voucher, signature);
        signature = sign(implementation, voucher);
        vm.expectRevert(VitrineToken.InvalidSignature.selector);
        Vitrine721(implementation).mintWithVoucher(voucher, signature);
    }

    function test_no_implementation_has_selfdestruct_delegatecall_or_callcode() public {
        bytes[2] memory codes = [implementation.code, address(new Vitrine1155(METADATA)).code];
        for (uint256 i; i < 2; ++i) {
            for (uint256 place; place < codes[i].length; ++place) {
                uint8 instruction = uint8(codes[i][place]);
                // SELFDESTRUCT, DELEGATECALL, CALLCODE.
                assertFalse(instruction == 0xff || instruction == 0xf4 || instruction == 0xf2);
                // Skips the data of PUSH1 to PUSH32.
                if (instruction >= 0x60 && instruction <= 0x7f) place += instruction - 0x5f;
            }
        }
    }

    function test_an_implementation_without_code_is_refused() public {
        vm.expectRevert(VitrineFactory.ImplementationMissing.selector);
        factory.create(outsider, "salt", "");
    }

    function testFuzz_other_terms_or_another_salt_give_another_address(
        bytes32 salt,
        bytes calldata args,
        bytes calldata otherArgs
    ) public {
        vm.assume(keccak256(args) != keccak256(otherArgs));
        address one = factory.create(implementation, salt, args);
        assertEq(one, factory.predict(implementation, salt, args));
        assertTrue(one != factory.create(implementation, salt, otherArgs));
        assertTrue(one != factory.create(implementation, ~salt, args));
    }
}
