// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vitrine721} from "../src/Vitrine721.sol";
import {VitrineFactory} from "../src/VitrineFactory.sol";
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
