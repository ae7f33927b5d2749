// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MintVoucher, VitrineToken} from "../src/VitrineToken.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {Vitrine1155} from "../src/Vitrine1155.sol";
import {Money, Receiver, Refuser} from "./Counterparties.sol";
import {Vm, VitrineTest} from "./VitrineTest.sol";

/// @notice Does at random what people do to a collection, few ids and people so that they meet, and keeps its own books.
abstract contract Crowd is VitrineTest {
    uint256 internal constant IDS = 8;
    uint256 internal constant NONCES = 24;
    /// @dev Ids on both sides of a chunk's bound.
    uint256 internal constant FIRST = 124;
    uint256 internal constant SECOND_KEY = 0xB0B5;

    address[5] public people;
    address public token;
    uint256 public paidToSeller;
    uint256 public paidToPlatform;
    uint256 public moneyToSeller;
    uint256 public moneyToPlatform;
    uint256 public cap;
    uint256 internal lowestCap;
    Money public money = new Money();
    /// @dev Whom roles are given to and taken from, and who has which by these books.
    address[5] public officials;
    mapping(address official => uint256) public roles;
    address public ownerNow;
    /// @dev How often roles or the owner changed.
    uint256 public changes;
    mapping(uint256 nonce => uint256) public timesRedeemed;
    mapping(uint256 nonce => bool) internal cancelled;
    bool public broken;

    constructor() {
        people = [alice, bob, stranger, address(new Receiver()), address(new Refuser())];
        officials = [minter, signer, vm.addr(SECOND_KEY), alice, bob];
        (roles[minter], roles[signer], ownerNow) = (1, 2, owner);
    }

    function person(uint256 seed) internal view returns (address) {
        return people[seed % people.length];
    }

    function idBy(uint256 seed) internal pure returns (uint256) {
        return FIRST + seed % IDS;
    }

    /// @dev Mostly the first minter, otherwise somebody who may or may not have the role.
    function minterBy(uint256 seed) internal view returns (address) {
        return seed >> 240 & 3 == 0 ? officials[(seed >> 242) % officials.length] : minter;
    }

    /// @dev Whoever minted, cancelled or changed something had the right to.
    function allowedIf(bool allowed) internal {
        if (!allowed) broken = true;
    }

    /// @dev One voucher for each nonce, so that redeeming and cancelling meet the same one again.
    function voucherAt(uint256 nonce) internal view returns (MintVoucher memory voucher) {
        voucher = nonce % 2 == 0 ? voucherOf() : pricedVoucherOf();
        uint256 seed = uint256(keccak256(abi.encode(nonce)));
        (voucher.nonce, voucher.minter, voucher.tokenId) = (nonce, person(seed), idBy(seed >> 8));
        if (nonce % 4 == 3) voucher.currency = address(money);
        voucher.quantity = maxQuantity() == 1 ? 1 : (seed >> 16) % maxQuantity() + 1;
    }

    function redeem(uint256 seed) external {
        uint256 nonce = seed % NONCES;
        MintVoucher memory voucher = voucherAt(nonce);
        uint256 total = voucher.price * voucher.quantity;
        uint256 key = seed >> 240 & 1 == 0 ? SIGNER_KEY : SECOND_KEY;
        bytes memory signature = signWith(key, token, voucher);
        bool inCoin = voucher.currency == address(0);
        vm.deal(stranger, inCoin ? total : 0);
        if (!inCoin) money.give(stranger, total, token);
        vm.prank(stranger);
        try Vitrine721(token).mintWithVoucher{value: inCoin ? total : 0}(voucher, signature) {
            allowedIf(!cancelled[nonce] && roles[vm.addr(key)] & 2 != 0);
            timesRedeemed[nonce] += 1;
            if (inCoin) {
                paidToPlatform += voucher.initialRecipientAmount;
                paidToSeller += total - voucher.initialRecipientAmount;
            } else {
                moneyToPlatform += voucher.initialRecipientAmount;
                moneyToSeller += total - voucher.initialRecipientAmount;
            }
            minted(voucher.tokenId, voucher.quantity);
        } catch {}
    }

    function cancel(uint256 seed) external {
        uint256 nonce = seed % NONCES;
        MintVoucher memory voucher = voucherAt(nonce);
        bytes memory signature = sign(token, voucher);
        address caller = seed >> 240 & 1 == 0 ? minter : person(seed >> 8);
        vm.prank(caller);
        try Vitrine721(token).cancelVoucher(voucher, signature) {
            allowedIf(roles[signer] & 2 != 0 && (caller == voucher.minter || roles[caller] != 0 || caller == ownerNow));
            cancelled[nonce] = true;
        } catch {}
    }

    function behave(uint256 seed) external {
        money.behave(Money.Manner(seed % 4));
    }

    function giveRoles(uint256 seed) external {
        address caller = seed & 3 == 0 ? person(seed >> 2) : ownerNow;
        address official = officials[(seed >> 8) % officials.length];
        uint256 given = (seed >> 16) % 5;
        vm.prank(caller);
        try Vitrine721(token).setRoles(official, given) {
            allowedIf(caller == ownerNow && given < 4);
            roles[official] = given;
            ++changes;
        } catch {}
    }

    function handOver(uint256 seed) external {
        address caller = seed & 1 == 0 ? person(seed >> 2) : ownerNow;
        address next = seed >> 8 & 1 == 0 ? owner : officials[(seed >> 16) % officials.length];
        vm.prank(caller);
        try Vitrine721(token).transferOwnership(next) {
            allowedIf(caller == ownerNow);
            ownerNow = next;
            ++changes;
        } catch {}
    }

    function rolesAgree() external view returns (bool) {
        for (uint256 i; i < officials.length; ++i) {
            if (VitrineToken(token).rolesOf(officials[i]) != roles[officials[i]]) return false;
        }
        for (uint256 i; i < people.length; ++i) {
            if (VitrineToken(token).rolesOf(people[i]) != roles[people[i]]) return false;
        }
        return VitrineToken(token).owner() == ownerNow;
    }

    function lowerMaxSupply(uint256 seed) external {
        uint256 lower = bound(seed, lowestCap, lowestCap + 60);
        address caller = seed >> 240 & 1 == 0 ? ownerNow : person(seed >> 8);
        vm.prank(caller);
        try Vitrine721(token).setMaxSupply(lower) {
            allowedIf(lower < cap && (caller == ownerNow || roles[caller] & 1 != 0));
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
        terms.manualIds = manualIds;
        // Where ids are counted up, it bounds them; else how many there are.
        if (!manualIds) lowestCap = FIRST;
        cap = terms.maxSupply = uint64(lowestCap + 60);
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
        uint256 id = idBy(seed >> 8);
        address caller = minterBy(seed);
        vm.prank(caller);
        try Vitrine721(token).adminMint(person(seed), id) {
            allowedIf(roles[caller] & 1 != 0);
            minted(id, 1);
        } catch {}
    }

    function mintMany(uint256 seed) external {
        bytes memory packed = hex"01";
        for (uint256 i; i < 4; ++i) {
            packed = abi.encodePacked(packed, person(seed >> (16 * i)), uint8(idBy(seed >> (16 * i + 8))));
        }
        address caller = minterBy(seed);
        vm.recordLogs();
        vm.prank(caller);
        try Vitrine721(token).adminMintMultiple(packed) {
            allowedIf(roles[caller] & 1 != 0);
        } catch {
            return allowedIf(roles[caller] & 1 == 0);
        }
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (logs.length != 4) broken = true;
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics.length == 4) minted(uint256(logs[i].topics[3]), 1);
        }
    }

    function mintRun(uint256 seed) external {
        uint256 place = seed % IDS;
        uint256 firstId = FIRST + place;
        uint256 length = (seed >> 8) % (IDS - place) + 1;
        bytes memory packed;
        for (uint256 i; i < length; ++i) {
            packed = abi.encodePacked(packed, person(seed >> (24 + 8 * i)));
        }
        address caller = minterBy(seed);
        vm.prank(caller);
        try Vitrine721(token).adminMintRun(firstId, packed) {
            allowedIf(roles[caller] & 1 != 0);
            for (uint256 i; i < length; ++i) {
                minted(firstId + i, 1);
            }
        } catch {}
    }

    function transfer(uint256 seed) external {
        address from = person(seed);
        vm.prank(from);
        try Vitrine721(token).transferFrom(from, person(seed >> 8), idBy(seed >> 16)) {} catch {}
    }

    function burn(uint256 seed) external {
        uint256 id = idBy(seed >> 8);
        vm.prank(person(seed));
        try Vitrine721(token).burn(id) {
            burnt[id] = true;
        } catch {}
    }

    /// @dev Every token has one owner, and everybody's balance is the number of tokens that name them.
    function ownersAgree() external view returns (bool) {
        for (uint256 i; i < people.length; ++i) {
            uint256 owned;
            for (uint256 id = FIRST; id < FIRST + IDS; ++id) {
                if (ownerOrZero(id) == people[i]) ++owned;
            }
            if (Vitrine721(token).balanceOf(people[i]) != owned) return false;
        }
        return true;
    }

    /// @dev An id was minted at most once in its life, and stands unless it was burnt.
    function mintedOnce() external view returns (bool) {
        for (uint256 id = FIRST; id < FIRST + IDS; ++id) {
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
        (uint256 id, uint256 amount, uint256 requestId) = (idBy(seed >> 8), (seed >> 16) % 6, (seed >> 24) % 300);
        address caller = minterBy(seed);
        vm.prank(caller);
        try Vitrine1155(token).adminMint(person(seed), id, amount, requestId) {
            allowedIf(roles[caller] & 1 != 0);
            timesCarriedOut[requestId] += 1;
            minted(id, amount);
        } catch {}
    }

    function mintMany(uint256 seed) external {
        bytes memory packed = hex"010102";
        for (uint256 i; i < 4; ++i) {
            uint256 part = seed >> (48 * i);
            bytes memory numbers =
                abi.encodePacked(uint8(idBy(part >> 8)), uint8((part >> 16) % 6), uint16(part >> 24) % 300);
            packed = abi.encodePacked(packed, person(part), numbers);
        }
        address caller = minterBy(seed >> 8);
        vm.recordLogs();
        vm.prank(caller);
        try Vitrine1155(token).adminMintMultiple(packed) {
            allowedIf(roles[caller] & 1 != 0);
        } catch {
            return allowedIf(roles[caller] & 1 == 0);
        }
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
        try Vitrine1155(token).safeTransferFrom(from, person(seed >> 8), idBy(seed >> 16), (seed >> 24) % 4, "") {}
            catch {}
    }

    function burn(uint256 seed) external {
        (address from, uint256 id, uint256 amount) = (person(seed), idBy(seed >> 8), (seed >> 16) % 4);
        vm.prank(from);
        try Vitrine1155(token).burn(from, id, amount) {
            burntOf[id] += amount;
        } catch {}
    }

    /// @dev Everybody's balances together are what was minted less what was burnt, and the contract counted the same.
    function balancesAgree() external view returns (bool) {
        for (uint256 id = FIRST; id < FIRST + IDS; ++id) {
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

    /// @dev Rules that hold because nothing ever happens would be worth nothing.
    function test_the_crowd_gets_something_done() external {
        for (uint256 i; i < 100; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            crowd.behave(i / 25);
            crowd.redeem(seed);
            if (i > 50) crowd.giveRoles(seed >> 8);
            if (i > 50) crowd.handOver(seed >> 8);
        }
        assertTrue(crowd.paidToSeller() > 0);
        assertTrue(crowd.moneyToSeller() > 0);
        assertTrue(crowd.changes() > 10);
        assertTrue(crowd.rolesAgree());
        assertFalse(crowd.broken());
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
        Money money = crowd.money();
        assertEq(money.balanceOf(seller), crowd.moneyToSeller());
        assertEq(money.balanceOf(platform), crowd.moneyToPlatform());
        assertEq(money.balanceOf(crowd.token()), 0);
    }

    function invariant_roles_are_what_an_owner_gave_and_only_they_open_doors() external view {
        assertTrue(crowd.rolesAgree());
        assertFalse(crowd.broken());
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

contract Vitrine721RunsInvariants is VitrineTest {
    function test_the_crowd_mints_runs() external {
        Crowd721 crowd = new Crowd721(true);
        for (uint256 i; i < 20; ++i) {
            crowd.mintRun(uint256(keccak256(abi.encode(i))));
        }
        assertTrue(crowd.mintedInAll() > 1);
        assertTrue(crowd.ownersAgree() && crowd.mintedOnce());
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
