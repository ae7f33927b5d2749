// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MintVoucher} from "../src/VitrineToken.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {Vitrine1155} from "../src/Vitrine1155.sol";
import {Receiver, Refuser} from "./Strangers.sol";
import {Vm, VitrineTest} from "./VitrineTest.sol";

/// @notice Does at random what people do to a collection, few ids and people so that they meet, and keeps its own books.
abstract contract Crowd is VitrineTest {
    uint256 internal constant IDS = 8;
    uint256 internal constant NONCES = 24;

    address[5] public people;
    address public token;
    uint256 public paidToSeller;
    uint256 public paidToPlatform;
    uint256 public cap;
    mapping(uint256 nonce => uint256) public timesRedeemed;
    mapping(uint256 nonce => bool) internal cancelled;
    bool public broken;

    constructor() {
        people = [alice, bob, stranger, address(new Receiver()), address(new Refuser())];
    }

    function person(uint256 seed) internal view returns (address) {
        return people[seed % people.length];
    }

    /// @dev One voucher for each nonce, so that redeeming and cancelling meet the same one again.
    function voucherAt(uint256 nonce) internal view returns (MintVoucher memory voucher) {
        voucher = nonce % 2 == 0 ? voucherOf() : pricedVoucherOf();
        uint256 seed = uint256(keccak256(abi.encode(nonce)));
        (voucher.nonce, voucher.minter, voucher.tokenId) = (nonce, person(seed), (seed >> 8) % IDS);
        voucher.quantity = maxQuantity() == 1 ? 1 : (seed >> 16) % maxQuantity() + 1;
    }

    function redeem(uint256 seed) external {
        uint256 nonce = seed % NONCES;
        MintVoucher memory voucher = voucherAt(nonce);
        uint256 total = voucher.price * voucher.quantity;
        bytes memory signature = sign(token, voucher);
        vm.deal(stranger, total);
        vm.prank(stranger);
        try Vitrine721(token).mintWithVoucher{value: total}(voucher, signature) {
            if (cancelled[nonce]) broken = true;
            timesRedeemed[nonce] += 1;
            paidToPlatform += voucher.initialRecipientAmount;
            paidToSeller += total - voucher.initialRecipientAmount;
            minted(voucher.tokenId, voucher.quantity);
        } catch {}
    }

    function cancel(uint256 seed) external {
        uint256 nonce = seed % NONCES;
        MintVoucher memory voucher = voucherAt(nonce);
        bytes memory signature = sign(token, voucher);
        vm.prank(minter);
        try Vitrine721(token).cancelVoucher(voucher, signature) {
            cancelled[nonce] = true;
        } catch {}
    }

    function lowerMaxSupply(uint256 seed) external {
        uint256 lower = bound(seed, 0, 60);
        vm.prank(owner);
        try Vitrine721(token).setMaxSupply(lower) {
            if (lower >= cap) broken = true;
            cap = lower;
        } catch {}
    }

    function maxQuantity() internal pure virtual returns (uint256);
    function minted(uint256 id, uint256 quantity) internal virtual;
}

contract Crowd721 is Crowd {
    mapping(uint256 id => uint256) public timesMinted;
    mapping(uint256 id => bool) public burnt;
    uint256 public mintedInAll;

    constructor(bool manualIds) {
        Terms memory terms = termsOf();
        (terms.maxSupply, terms.manualIds) = (60, manualIds);
        cap = 60;
        token = address(clone721(terms));
    }

    function maxQuantity() internal pure override returns (uint256) {
        return 1;
    }

    function minted(uint256 id, uint256) internal override {
        timesMinted[id] += 1;
        mintedInAll += 1;
        if (burnt[id]) broken = true;
    }

    function mint(uint256 seed) external {
        uint256 id = (seed >> 8) % IDS;
        vm.prank(minter);
        try Vitrine721(token).adminMint(person(seed), id) {
            minted(id, 1);
        } catch {}
    }

    function mintMany(uint256 seed) external {
        bytes memory packed = hex"01";
        for (uint256 i; i < 4; ++i) {
            packed = abi.encodePacked(packed, person(seed >> (16 * i)), uint8((seed >> (16 * i + 8)) % IDS));
        }
        vm.recordLogs();
        vm.prank(minter);
        Vitrine721(token).adminMintMultiple(packed);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (logs.length != 4) broken = true;
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics.length == 4) minted(uint256(logs[i].topics[3]), 1);
        }
    }

    function transfer(uint256 seed) external {
        address from = person(seed);
        vm.prank(from);
        try Vitrine721(token).transferFrom(from, person(seed >> 8), (seed >> 16) % IDS) {} catch {}
    }

    function burn(uint256 seed) external {
        uint256 id = (seed >> 8) % IDS;
        vm.prank(person(seed));
        try Vitrine721(token).burn(id) {
            burnt[id] = true;
        } catch {}
    }

    /// @dev Every token has one owner, and everybody's balance is the number of tokens that name them.
    function ownersAgree() external view returns (bool) {
        for (uint256 i; i < people.length; ++i) {
            uint256 owned;
            for (uint256 id; id < IDS; ++id) {
                if (ownerOrZero(id) == people[i]) ++owned;
            }
            if (Vitrine721(token).balanceOf(people[i]) != owned) return false;
        }
        return true;
    }

    /// @dev An id was minted at most once in its life, and stands unless it was burnt.
    function mintedOnce() external view returns (bool) {
        for (uint256 id; id < IDS; ++id) {
            if (timesMinted[id] > 1) return false;
            if ((ownerOrZero(id) != address(0)) != (timesMinted[id] == 1 && !burnt[id])) return false;
        }
        return true;
    }

    function ownerOrZero(uint256 id) private view returns (address) {
        try Vitrine721(token).ownerOf(id) returns (address holder) {
            return holder;
        } catch {
            return address(0);
        }
    }
}

contract Crowd1155 is Crowd {
    uint256 public mintedInAll;
    mapping(uint256 id => uint256) public mintedOf;
    mapping(uint256 id => uint256) public burntOf;
    mapping(uint256 requestId => uint256) public timesCarriedOut;

    constructor() {
        Terms memory terms = termsOf();
        terms.maxSupply = 300;
        cap = 300;
        token = address(clone1155(terms));
    }

    function maxQuantity() internal pure override returns (uint256) {
        return 5;
    }

    function minted(uint256 id, uint256 quantity) internal override {
        mintedInAll += quantity;
        mintedOf[id] += quantity;
    }

    function mint(uint256 seed) external {
        (uint256 id, uint256 amount, uint256 requestId) = ((seed >> 8) % IDS, (seed >> 16) % 6, (seed >> 24) % 300);
        vm.prank(minter);
        try Vitrine1155(token).adminMint(person(seed), id, amount, requestId) {
            timesCarriedOut[requestId] += 1;
            minted(id, amount);
        } catch {}
    }

    function mintMany(uint256 seed) external {
        bytes memory packed = hex"010102";
        for (uint256 i; i < 4; ++i) {
            uint256 part = seed >> (48 * i);
            bytes memory numbers =
                abi.encodePacked(uint8((part >> 8) % IDS), uint8((part >> 16) % 6), uint16(part >> 24) % 300);
            packed = abi.encodePacked(packed, person(part), numbers);
        }
        vm.recordLogs();
        vm.prank(minter);
        Vitrine1155(token).adminMintMultiple(packed);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 entry;
        for (uint256 i; i < logs.length; ++i) {
            bool minted_ = logs[i].topics.length == 4;
            // Recorded although it was undone: the one person who refuses tokens.
            if (minted_ && address(uint160(uint256(logs[i].topics[3]))) == people[4]) continue;
            if (minted_) {
                (uint256 id, uint256 amount) = abi.decode(logs[i].data, (uint256, uint256));
                minted(id, amount);
                timesCarriedOut[uint16(seed >> (48 * entry + 24)) % 300] += 1;
            }
            ++entry;
        }
        if (entry != 4) broken = true;
    }

    function transfer(uint256 seed) external {
        address from = person(seed);
        vm.prank(from);
        try Vitrine1155(token).safeTransferFrom(from, person(seed >> 8), (seed >> 16) % IDS, (seed >> 24) % 4, "") {}
            catch {}
    }

    function burn(uint256 seed) external {
        (address from, uint256 id, uint256 amount) = (person(seed), (seed >> 8) % IDS, (seed >> 16) % 4);
        vm.prank(from);
        try Vitrine1155(token).burn(from, id, amount) {
            burntOf[id] += amount;
        } catch {}
    }

    /// @dev Everybody's balances together are what was minted less what was burnt, and the contract counted the same.
    function balancesAgree() external view returns (bool) {
        for (uint256 id; id < IDS; ++id) {
            uint256 sum;
            for (uint256 i; i < people.length; ++i) {
                sum += Vitrine1155(token).balanceOf(people[i], id);
            }
            if (sum != mintedOf[id] - burntOf[id]) return false;
            if (Vitrine1155(token).totalMinted(id) != mintedOf[id]) return false;
        }
        return true;
    }

    /// @dev A number was used once, be it as a request id or as a nonce.
    function numbersUsedOnce() external view returns (bool) {
        for (uint256 number; number < 300; ++number) {
            uint256 redeemed = number < NONCES ? timesRedeemed[number] : 0;
            if (timesCarriedOut[number] + redeemed > 1) return false;
        }
        return true;
    }
}

abstract contract CrowdRules is VitrineTest {
    Crowd internal crowd;

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(crowd);
    }

    function invariant_no_voucher_works_twice_or_after_its_cancellation() external view {
        assertFalse(crowd.broken());
        for (uint256 nonce; nonce < 24; ++nonce) {
            assertTrue(crowd.timesRedeemed(nonce) <= 1);
        }
    }

    function invariant_payees_have_what_was_paid_and_the_contract_nothing() external view {
        assertEq(seller.balance, crowd.paidToSeller());
        assertEq(platform.balance, crowd.paidToPlatform());
        assertEq(crowd.token().balance, 0);
    }

    function invariant_the_max_supply_is_what_it_was_last_lowered_to() external view {
        assertEq(Vitrine721(crowd.token()).maxSupply(), crowd.cap());
    }
}

contract Vitrine721AutomaticInvariants is CrowdRules {
    function setUp() external {
        crowd = new Crowd721(false);
    }

    function invariant_one_token_one_owner() external view {
        assertTrue(Crowd721(address(crowd)).ownersAgree());
        assertTrue(Crowd721(address(crowd)).mintedOnce());
    }
}

contract Vitrine721ManualInvariants is CrowdRules {
    function setUp() external {
        crowd = new Crowd721(true);
    }

    function invariant_one_token_one_owner() external view {
        assertTrue(Crowd721(address(crowd)).ownersAgree());
        assertTrue(Crowd721(address(crowd)).mintedOnce());
    }

    function invariant_no_more_than_the_max_supply_was_ever_minted() external view {
        assertTrue(Crowd721(address(crowd)).mintedInAll() <= crowd.cap());
    }
}

contract Vitrine1155Invariants is CrowdRules {
    function setUp() external {
        crowd = new Crowd1155();
    }

    function invariant_units_add_up() external view {
        assertTrue(Crowd1155(address(crowd)).balancesAgree());
        assertTrue(Crowd1155(address(crowd)).mintedInAll() <= crowd.cap());
    }

    function invariant_a_number_is_used_once() external view {
        assertTrue(Crowd1155(address(crowd)).numbersUsedOnce());
    }
}
