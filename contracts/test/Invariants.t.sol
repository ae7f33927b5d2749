// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MintVoucher, VitrineToken} from "../src/VitrineToken.sol";
import {Vitrine721} from "../src/Vitrine721.sol";
import {Vitrine1155} from "../src/Vitrine1155.sol";
import {MockERC20, AcceptingReceiver, RejectingAccount} from "./Counterparties.sol";
import {Vm, VitrineTest} from "./VitrineTest.sol";

/// @notice Makes random calls on a collection and records what they should have done. Ids and people are few, so that calls
/// concern the same tokens often.
abstract contract Handler is VitrineTest {
    uint256 internal constant IDS = 8;
    uint256 internal constant NONCES = 24;
    /// @dev The first id. The ids are on both sides of a chunk's bound.
    uint256 internal constant FIRST = 124;
    uint256 internal constant SECOND_KEY = 0xB0B5;

    address[5] public people;
    address public token;
    uint256 public coinToSeller;
    uint256 public coinToPlatform;
    uint256 public erc20ToSeller;
    uint256 public erc20ToPlatform;
    uint256 public cap;
    uint256 internal lowestCap;
    MockERC20 public money = new MockERC20();
    /// @dev The accounts whose roles are set, and the roles that each should have.
    address[5] public roleAccounts;
    mapping(address account => uint256) public roles;
    address public currentOwner;
    /// @dev How often a role or the owner changed.
    uint256 public roleChanges;
    mapping(uint256 nonce => uint256) public timesRedeemed;
    mapping(uint256 nonce => bool) internal cancelled;
    /// @dev How often each nonce of a transfer with a signature was used, and whether it was cancelled.
    mapping(address from => mapping(uint256 nonce => uint256)) public timesTransferred;
    mapping(address from => mapping(uint256 nonce => bool)) public transferCancelled;
    uint256 public signedTransfers;
    bool public violated;

    constructor() {
        people = [alice, bob, outsider, address(new AcceptingReceiver()), address(new RejectingAccount())];
        roleAccounts = [minter, signer, vm.addr(SECOND_KEY), alice, bob];
        (roles[minter], roles[signer], currentOwner) = (1, 2, owner);
    }

    function person(uint256 seed) internal view returns (address) {
        return people[seed % people.length];
    }

    function idFor(uint256 seed) internal pure returns (uint256) {
        return FIRST + seed % IDS;
    }

    /// @dev Mostly the first minter, else an account that may or may not have the role.
    function minterFor(uint256 seed) internal view returns (address) {
        return seed >> 240 & 3 == 0 ? roleAccounts[(seed >> 242) % roleAccounts.length] : minter;
    }

    /// @dev Records a violation when a call succeeded that should have reverted.
    function expectAllowed(bool allowed) internal {
        if (!allowed) violated = true;
    }

    /// @dev Always the same voucher for a nonce, so that it is redeemed and cancelled repeatedly.
    function voucherAt(uint256 nonce) internal view returns (MintVoucher memory voucher) {
        voucher = nonce % 2 == 0 ? voucherOf() : pricedVoucherOf();
        uint256 seed = uint256(keccak256(abi.encode(nonce)));
        (voucher.nonce, voucher.minter, voucher.tokenId) = (nonce, person(seed), idFor(seed >> 8));
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
        vm.deal(outsider, inCoin ? total : 0);
        if (!inCoin) money.mintAndApprove(outsider, total, token);
        vm.prank(outsider);
        try Vitrine721(token).mintWithVoucher{value: inCoin ? total : 0}(voucher, signature) {
            expectAllowed(!cancelled[nonce] && roles[vm.addr(key)] & 2 != 0);
            timesRedeemed[nonce] += 1;
            if (inCoin) {
                coinToPlatform += voucher.initialRecipientAmount;
                coinToSeller += total - voucher.initialRecipientAmount;
            } else {
                erc20ToPlatform += voucher.initialRecipientAmount;
                erc20ToSeller += total - voucher.initialRecipientAmount;
            }
            recordMint(voucher.tokenId, voucher.quantity);
        } catch {}
    }

    function cancel(uint256 seed) external {
        uint256 nonce = seed % NONCES;
        MintVoucher memory voucher = voucherAt(nonce);
        bytes memory signature = sign(token, voucher);
        address caller = seed >> 240 & 1 == 0 ? minter : person(seed >> 8);
        vm.prank(caller);
        try Vitrine721(token).cancelVoucher(voucher, signature) {
            expectAllowed(
                roles[signer] & 2 != 0 && (caller == voucher.minter || roles[caller] != 0 || caller == currentOwner)
            );
            cancelled[nonce] = true;
        } catch {}
    }

    /// @dev Always the same transfer for a holder's nonce, so that it is sent repeatedly.
    function transferAt(address from, uint256 nonce) private view returns (SignedTransfer memory transfer) {
        uint256 seed = uint256(keccak256(abi.encode(from, nonce)));
        (transfer.from, transfer.to, transfer.nonce) = (from, person(seed), nonce);
        (transfer.tokenId, transfer.amount) = (idFor(seed >> 8), (seed >> 16) % maxQuantity() + 1);
        transfer.deadline = NOW + 1 hours;
    }

    /// @dev Sends a transfer of alice or bob with the right signature, with the other's, or to another recipient.
    function sendSigned(uint256 seed) external {
        (address from, uint256 key) = seed & 1 == 0 ? (alice, ALICE_KEY) : (bob, BOB_KEY);
        SignedTransfer memory transfer = transferAt(from, (seed >> 8) % NONCES);
        bool isRight = seed >> 16 & 3 != 0;
        if (!isRight && seed >> 18 & 1 == 0) key = ALICE_KEY + BOB_KEY - key;
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, transferDigestOf(transfer));
        if (!isRight && seed >> 18 & 1 == 1) transfer.to = transfer.to == outsider ? bob : outsider;
        (uint256 before, uint256 beforeTo) = (held(from, transfer.tokenId), held(transfer.to, transfer.tokenId));
        bytes memory data = transferCallOf(transfer, abi.encodePacked(r, s, v));
        vm.prank(person(seed >> 24));
        (bool done,) = token.call(data);
        if (!done) return;
        expectAllowed(isRight && !transferCancelled[from][transfer.nonce]);
        timesTransferred[from][transfer.nonce] += 1;
        ++signedTransfers;
        uint256 moved = transfer.to == from ? 0 : transfer.amount;
        expectAllowed(held(from, transfer.tokenId) == before - moved);
        expectAllowed(held(transfer.to, transfer.tokenId) == beforeTo + moved);
    }

    function cancelTransferNonce(uint256 seed) external {
        address from = person(seed);
        uint256 nonce = (seed >> 8) % NONCES;
        // Not often, so that most are sent.
        if (seed >> 16 & 3 != 0) return;
        vm.prank(from);
        try VitrineToken(token).cancelTransferNonce(nonce) {
            expectAllowed(timesTransferred[from][nonce] == 0 && !transferCancelled[from][nonce]);
            transferCancelled[from][nonce] = true;
        } catch {
            expectAllowed(timesTransferred[from][nonce] != 0 || transferCancelled[from][nonce]);
        }
    }

    /// @dev Whether every nonce was used at most once, and exactly those that were used or cancelled count as used.
    function transferNoncesMatch() external view returns (bool) {
        for (uint256 i; i < people.length; ++i) {
            for (uint256 nonce; nonce < NONCES; ++nonce) {
                uint256 times = timesTransferred[people[i]][nonce] + (transferCancelled[people[i]][nonce] ? 1 : 0);
                if (times > 1) return false;
                if (VitrineToken(token).transferNonceUsed(people[i], nonce) != (times == 1)) return false;
            }
        }
        return true;
    }

    function setMoneyBehaviour(uint256 seed) external {
        money.setBehaviour(MockERC20.Behaviour(seed % 4));
    }

    function setRoles(uint256 seed) external {
        address caller = seed & 3 == 0 ? person(seed >> 2) : currentOwner;
        address account = roleAccounts[(seed >> 8) % roleAccounts.length];
        uint256 given = (seed >> 16) % 5;
        vm.prank(caller);
        try Vitrine721(token).setRoles(account, given) {
            expectAllowed(caller == currentOwner && given < 4);
            roles[account] = given;
            ++roleChanges;
        } catch {}
    }

    function transferOwnership(uint256 seed) external {
        address caller = seed & 1 == 0 ? person(seed >> 2) : currentOwner;
        address next = seed >> 8 & 1 == 0 ? owner : roleAccounts[(seed >> 16) % roleAccounts.length];
        vm.prank(caller);
        try Vitrine721(token).transferOwnership(next) {
            expectAllowed(caller == currentOwner);
            currentOwner = next;
            ++roleChanges;
        } catch {}
    }

    function rolesMatch() external view returns (bool) {
        for (uint256 i; i < roleAccounts.length; ++i) {
            if (VitrineToken(token).rolesOf(roleAccounts[i]) != roles[roleAccounts[i]]) return false;
        }
        for (uint256 i; i < people.length; ++i) {
            if (VitrineToken(token).rolesOf(people[i]) != roles[people[i]]) return false;
        }
        return VitrineToken(token).owner() == currentOwner;
    }

    function lowerMaxSupply(uint256 seed) external {
        uint256 lower = bound(seed, lowestCap, lowestCap + 60);
        address caller = seed >> 240 & 1 == 0 ? currentOwner : person(seed >> 8);
        vm.prank(caller);
        try Vitrine721(token).setMaxSupply(lower) {
            expectAllowed(lower < cap && (caller == currentOwner || roles[caller] & 1 != 0));
            cap = lower;
        } catch {}
    }

    function held(address account, uint256 id) internal view virtual returns (uint256);
    function transferDigestOf(SignedTransfer memory transfer) internal view virtual returns (bytes32);
    function transferCallOf(SignedTransfer memory transfer, bytes memory signature)
        internal
        pure
        virtual
        returns (bytes memory);
    function maxQuantity() internal pure virtual returns (uint256);
    function recordMint(uint256 id, uint256 quantity) internal virtual;
}

contract Handler721 is Handler {
    mapping(uint256 id => uint256) public timesMinted;
    mapping(uint256 id => bool) public burnt;
    uint256 public totalMinted;

    constructor(bool manualIds) {
        Terms memory terms = termsOf();
        terms.manualIds = manualIds;
        // With automatic ids the max supply is the highest id, else the number of tokens.
        if (!manualIds) lowestCap = FIRST;
        cap = terms.maxSupply = uint64(lowestCap + 60);
        token = address(clone721(terms));
    }

    function maxQuantity() internal pure override returns (uint256) {
        return 1;
    }

    function held(address account, uint256 id) internal view override returns (uint256) {
        return ownerOrZero(id) == account ? 1 : 0;
    }

    function transferDigestOf(SignedTransfer memory transfer) internal view override returns (bytes32) {
        return transferDigestOf721(token, transfer);
    }

    function transferCallOf(SignedTransfer memory transfer, bytes memory signature)
        internal
        pure
        override
        returns (bytes memory)
    {
        return callOf721(transfer, signature);
    }

    function recordMint(uint256 id, uint256) internal override {
        timesMinted[id] += 1;
        totalMinted += 1;
        if (burnt[id]) violated = true;
    }

    function mint(uint256 seed) external {
        uint256 id = idFor(seed >> 8);
        address caller = minterFor(seed);
        vm.prank(caller);
        try Vitrine721(token).adminMint(person(seed), id) {
            expectAllowed(roles[caller] & 1 != 0);
            recordMint(id, 1);
        } catch {}
    }

    function mintMany(uint256 seed) external {
        bytes memory packed = hex"01";
        for (uint256 i; i < 4; ++i) {
            packed = abi.encodePacked(packed, person(seed >> (16 * i)), uint8(idFor(seed >> (16 * i + 8))));
        }
        address caller = minterFor(seed);
        vm.recordLogs();
        vm.prank(caller);
        try Vitrine721(token).adminMintMultiple(packed) {
            expectAllowed(roles[caller] & 1 != 0);
        } catch {
            return expectAllowed(roles[caller] & 1 == 0);
        }
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (logs.length != 4) violated = true;
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics.length == 4) recordMint(uint256(logs[i].topics[3]), 1);
        }
    }

    function mintConsecutive(uint256 seed) external {
        uint256 place = seed % IDS;
        uint256 firstId = FIRST + place;
        uint256 length = (seed >> 8) % (IDS - place) + 1;
        bytes memory packed;
        for (uint256 i; i < length; ++i) {
            packed = abi.encodePacked(packed, person(seed >> (24 + 8 * i)));
        }
        address caller = minterFor(seed);
        vm.prank(caller);
        try Vitrine721(token).adminMintRun(firstId, packed) {
            expectAllowed(roles[caller] & 1 != 0);
            for (uint256 i; i < length; ++i) {
                recordMint(firstId + i, 1);
            }
        } catch {}
    }

    function transfer(uint256 seed) external {
        address from = person(seed);
        vm.prank(from);
        try Vitrine721(token).transferFrom(from, person(seed >> 8), idFor(seed >> 16)) {} catch {}
    }

    function burn(uint256 seed) external {
        uint256 id = idFor(seed >> 8);
        vm.prank(person(seed));
        try Vitrine721(token).burn(id) {
            burnt[id] = true;
        } catch {}
    }

    /// @dev Whether every balance is the number of tokens that the account owns.
    function ownersMatchBalances() external view returns (bool) {
        for (uint256 i; i < people.length; ++i) {
            uint256 owned;
            for (uint256 id = FIRST; id < FIRST + IDS; ++id) {
                if (ownerOrZero(id) == people[i]) ++owned;
            }
            if (Vitrine721(token).balanceOf(people[i]) != owned) return false;
        }
        return true;
    }

    /// @dev Whether every id was minted at most once and exists unless it was burnt.
    function eachIdMintedOnce() external view returns (bool) {
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

contract Handler1155 is Handler {
    uint256 public totalMinted;
    mapping(uint256 id => uint256) public unitsMinted;
    mapping(uint256 id => uint256) public unitsBurnt;
    mapping(uint256 requestId => uint256) public timesRequestUsed;

    constructor() {
        Terms memory terms = termsOf();
        terms.maxSupply = 300;
        cap = 300;
        token = address(clone1155(terms));
    }

    function maxQuantity() internal pure override returns (uint256) {
        return 5;
    }

    function held(address account, uint256 id) internal view override returns (uint256) {
        return Vitrine1155(token).balanceOf(account, id);
    }

    function transferDigestOf(SignedTransfer memory transfer) internal view override returns (bytes32) {
        return transferDigestOf1155(token, transfer);
    }

    function transferCallOf(SignedTransfer memory transfer, bytes memory signature)
        internal
        pure
        override
        returns (bytes memory)
    {
        return callOf1155(transfer, signature);
    }

    function recordMint(uint256 id, uint256 quantity) internal override {
        totalMinted += quantity;
        unitsMinted[id] += quantity;
    }

    function mint(uint256 seed) external {
        (uint256 id, uint256 amount, uint256 requestId) = (idFor(seed >> 8), (seed >> 16) % 6, (seed >> 24) % 300);
        address caller = minterFor(seed);
        vm.prank(caller);
        try Vitrine1155(token).adminMint(person(seed), id, amount, requestId) {
            expectAllowed(roles[caller] & 1 != 0);
            timesRequestUsed[requestId] += 1;
            recordMint(id, amount);
        } catch {}
    }

    function mintMany(uint256 seed) external {
        bytes memory packed = hex"010102";
        for (uint256 i; i < 4; ++i) {
            uint256 part = seed >> (48 * i);
            bytes memory numbers =
                abi.encodePacked(uint8(idFor(part >> 8)), uint8((part >> 16) % 6), uint16(part >> 24) % 300);
            packed = abi.encodePacked(packed, person(part), numbers);
        }
        address caller = minterFor(seed >> 8);
        vm.recordLogs();
        vm.prank(caller);
        try Vitrine1155(token).adminMintMultiple(packed) {
            expectAllowed(roles[caller] & 1 != 0);
        } catch {
            return expectAllowed(roles[caller] & 1 == 0);
        }
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 entry;
        for (uint256 i; i < logs.length; ++i) {
            bool isMint = logs[i].topics.length == 4;
            // Forge also records the reverted transfer to people[4], who refuses tokens.
            if (isMint && address(uint160(uint256(logs[i].topics[3]))) == people[4]) continue;
            if (isMint) {
                (uint256 id, uint256 amount) = abi.decode(logs[i].data, (uint256, uint256));
                recordMint(id, amount);
                timesRequestUsed[uint16(seed >> (48 * entry + 24)) % 300] += 1;
            }
            ++entry;
        }
        if (entry != 4) violated = true;
    }

    function transfer(uint256 seed) external {
        address from = person(seed);
        vm.prank(from);
        try Vitrine1155(token).safeTransferFrom(from, person(seed >> 8), idFor(seed >> 16), (seed >> 24) % 4, "") {}
            catch {}
    }

    function burn(uint256 seed) external {
        (address from, uint256 id, uint256 amount) = (person(seed), idFor(seed >> 8), (seed >> 16) % 4);
        vm.prank(from);
        try Vitrine1155(token).burn(from, id, amount) {
            unitsBurnt[id] += amount;
        } catch {}
    }

    /// @dev Whether each id's balances sum up to its units minted less its units burnt, as the contract counted them.
    function balancesMatchMints() external view returns (bool) {
        for (uint256 id = FIRST; id < FIRST + IDS; ++id) {
            uint256 sum;
            for (uint256 i; i < people.length; ++i) {
                sum += Vitrine1155(token).balanceOf(people[i], id);
            }
            if (sum != unitsMinted[id] - unitsBurnt[id]) return false;
            if (Vitrine1155(token).totalMinted(id) != unitsMinted[id]) return false;
        }
        return true;
    }

    /// @dev Whether every number was used at most once, as a request id or as a nonce.
    function eachNumberUsedOnce() external view returns (bool) {
        for (uint256 number; number < 300; ++number) {
            uint256 redeemed = number < NONCES ? timesRedeemed[number] : 0;
            if (timesRequestUsed[number] + redeemed > 1) return false;
        }
        return true;
    }
}

abstract contract InvariantRules is VitrineTest {
    Handler internal handler;

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// @dev Guards against invariants that hold only because every call of the handler reverts.
    function test_the_handler_reaches_payments_and_role_changes() external {
        for (uint256 i; i < 100; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            handler.setMoneyBehaviour(i / 25);
            handler.redeem(seed);
            if (i > 50) handler.setRoles(seed >> 8);
            if (i > 50) handler.transferOwnership(seed >> 8);
        }
        assertTrue(handler.coinToSeller() > 0);
        assertTrue(handler.erc20ToSeller() > 0);
        assertTrue(handler.roleChanges() > 10);
        assertTrue(handler.rolesMatch());
        assertFalse(handler.violated());
    }

    function invariant_no_voucher_is_redeemed_twice_or_after_its_cancellation() external view {
        assertFalse(handler.violated());
        for (uint256 nonce; nonce < 24; ++nonce) {
            assertTrue(handler.timesRedeemed(nonce) <= 1);
        }
    }

    /// @dev Guards against invariants that hold only because every call of the handler reverts.
    function test_the_handler_reaches_signed_transfers() external {
        for (uint256 i; i < 150; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            handler.redeem(seed);
            handler.sendSigned(seed >> 8);
            handler.cancelTransferNonce(seed >> 16);
        }
        assertTrue(handler.signedTransfers() > 2);
        assertTrue(handler.transferNoncesMatch());
        assertFalse(handler.violated());
    }

    function invariant_a_nonce_is_used_once_and_only_what_the_holder_signed_is_transferred() external view {
        assertTrue(handler.transferNoncesMatch());
        assertFalse(handler.violated());
    }

    function invariant_payees_get_everything_that_was_paid_and_the_contract_holds_nothing() external view {
        assertEq(seller.balance, handler.coinToSeller());
        assertEq(platform.balance, handler.coinToPlatform());
        assertEq(handler.token().balance, 0);
        MockERC20 money = handler.money();
        assertEq(money.balanceOf(seller), handler.erc20ToSeller());
        assertEq(money.balanceOf(platform), handler.erc20ToPlatform());
        assertEq(money.balanceOf(handler.token()), 0);
    }

    function invariant_roles_are_what_the_owner_set_and_only_they_give_access() external view {
        assertTrue(handler.rolesMatch());
        assertFalse(handler.violated());
    }

    function invariant_the_max_supply_is_the_last_one_set() external view {
        assertEq(Vitrine721(handler.token()).maxSupply(), handler.cap());
    }
}

contract Vitrine721AutomaticInvariants is InvariantRules {
    function setUp() external {
        handler = new Handler721(false);
    }

    function invariant_every_token_has_one_owner_and_is_minted_once() external view {
        assertTrue(Handler721(address(handler)).ownersMatchBalances());
        assertTrue(Handler721(address(handler)).eachIdMintedOnce());
    }
}

contract Vitrine721ConsecutiveInvariants is VitrineTest {
    function test_the_handler_mints_consecutive_batches() external {
        Handler721 handler = new Handler721(true);
        for (uint256 i; i < 20; ++i) {
            handler.mintConsecutive(uint256(keccak256(abi.encode(i))));
        }
        assertTrue(handler.totalMinted() > 1);
        assertTrue(handler.ownersMatchBalances() && handler.eachIdMintedOnce());
    }
}

contract Vitrine721ManualInvariants is InvariantRules {
    function setUp() external {
        handler = new Handler721(true);
    }

    function invariant_every_token_has_one_owner_and_is_minted_once() external view {
        assertTrue(Handler721(address(handler)).ownersMatchBalances());
        assertTrue(Handler721(address(handler)).eachIdMintedOnce());
    }

    function invariant_no_more_than_the_max_supply_is_ever_minted() external view {
        assertTrue(Handler721(address(handler)).totalMinted() <= handler.cap());
    }
}

contract Vitrine1155Invariants is InvariantRules {
    function setUp() external {
        handler = new Handler1155();
    }

    function invariant_balances_add_up_to_units_minted_less_units_burnt() external view {
        assertTrue(Handler1155(address(handler)).balancesMatchMints());
        assertTrue(Handler1155(address(handler)).totalMinted() <= handler.cap());
    }

    function invariant_a_request_id_or_nonce_is_used_once() external view {
        assertTrue(Handler1155(address(handler)).eachNumberUsedOnce());
    }
}
