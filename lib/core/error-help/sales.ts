import type { ErrorHelp } from '../errors.ts'

/** Of listings, purchases and email claims. */
export const SALE_ERRORS = {
  sold_out: {
    cause: 'Fewer units are free than were asked for; the others are minted, listed, claimed or being bought.',
    remedy:
      'Ask for fewer, or wait: unpaid purchases return their units. ' +
      'GET /v1/items/{item_id}/holds shows who holds what.',
    detail: 'Not enough units of this item are left.',
  },
  claim_not_active: {
    cause: 'The claim has expired, was revoked, or its link was replaced by a newer one.',
    remedy: 'Ask the sender for a new link. Senders send the claim again.',
    detail: 'This link has expired. Ask the sender for a new one.',
  },
  claim_locked: {
    cause: 'Too many wrong PINs were typed.',
    remedy: 'The sender sends the claim again, which unlocks it; after 50 wrong PINs with `new_link` true.',
    detail:
      'The PIN was typed wrongly too often, so this link is locked. Ask the sender to send it again: that unlocks it.',
  },
  claim_already_claimed: {
    cause: 'The claim was redeemed before. It never mints twice.',
    remedy: 'Read the delivery in `claim`, which has the body of GET /public/v1/email-claims/{claim_token}.',
    detail: 'This was redeemed already.',
  },
  voucher_out: {
    cause: 'The recipient or buyer holds a mint voucher that may still be sent.',
    remedy: 'Revoke the claim: the voucher is cancelled on the chain first, which takes some minutes.',
    detail: 'The recipient at the old address holds a mint voucher already. Revoke this claim and make a new one.',
  },
  voucher_running_out: {
    cause: 'The earlier voucher’s time ends right now, and the chain decides whether it was used.',
    remedy: 'Try again in a minute.',
    detail: 'The earlier voucher is just running out on the chain. Try again in a minute.',
  },
  pin_required: {
    cause:
      'The claim is redeemed with the PIN that is mailed to its address, and there is none, ' +
      'or what was sent doesn’t have its six digits. No try was used up.',
    remedy: 'Ask for a PIN with `POST /public/v1/email-claims/{claim_token}/verify`, then send it as `pin`.',
    detail: 'Type the PIN that we mailed to you.',
    field: 'pin',
  },
  pin_wrong: {
    cause: 'The PIN isn’t the one in the latest mail.',
    remedy: 'Use the newest PIN. `tries_left` says how often it can be tried.',
    detail: 'This is not the PIN. 4 tries are left.',
    field: 'pin',
    more: { tries_left: 4 },
  },
  pin_expired: {
    cause: 'A PIN works for ten minutes, once, and until a newer one is sent.',
    remedy: 'Ask for a new one with `POST /public/v1/email-claims/{claim_token}/verify`.',
    detail: 'There is no PIN that still works. Ask for a new one.',
    field: 'pin',
  },
  address_required: {
    cause: 'Redeeming needs the address that gets the token. No try was used up.',
    remedy: 'Send it as `address`.',
    detail: 'Say where it should go.',
    field: 'address',
  },
  address_cannot_receive: {
    cause: 'The address is a contract that refuses the token, or the zero address.',
    remedy: 'Give an address of a person, or a contract that takes ERC-721 or ERC-1155 tokens.',
    detail: 'This address belongs to a contract that refuses the item. Choose another one.',
    field: 'address',
  },
  voucher_unsupported: {
    cause: 'Mint vouchers work with our own contracts, for tokens that aren’t minted.',
    remedy: 'Use `tx_payer` SELLER and another payment provider than MINT_VOUCHER.',
    detail: 'This collection’s contract is not one of ours and takes no mint vouchers. Use SELLER.',
    field: 'tx_payer',
  },
  voucher_refused: {
    cause: 'The relay takes only transactions that mint with a voucher at a collection deployed here.',
    remedy: 'Send anything else through the wallet’s own node.',
    detail: 'Only a mint with a voucher is sent here.',
  },
  listing_not_active: {
    cause: 'The listing hasn’t begun, is paused, cancelled, complete or past its end. `listing_status` says which.',
    remedy: 'Read the listing; buy while its status is ACTIVE.',
    detail: 'This listing is paused.',
    more: { listing_status: 'PAUSED' },
  },
  listing_over: {
    cause: 'The listing is complete, cancelled or past its end.',
    remedy: 'Create a new listing.',
    detail: 'This listing is COMPLETE: it can’t be changed any more. Make a new one.',
  },
  limit_reached: {
    cause: 'The buyer has as many units as the listing’s `max_per_user` allows, open purchases included.',
    remedy: 'Ask for fewer, or let an open purchase expire.',
    detail: 'One buyer can have 2 of this listing in all.',
  },
  snapshot_not_ready: {
    cause: 'The snapshot’s block isn’t final or indexed yet.',
    remedy: 'Wait until its status is READY.',
    detail: 'This snapshot has not been taken yet.',
    field: 'policy.snapshot_id',
  },
  not_eligible: {
    cause: 'Neither the buyer’s address nor email is on the listing’s allow list or in its snapshot.',
    remedy: 'Ask with redemption-eligibility before buying. Sellers add entries to the allow list.',
    detail: 'This listing is for those on its list.',
  },
  payout_address_missing: {
    cause: 'The organization has no address for the proceeds of crypto sales.',
    remedy: 'Set `payout_address` with PATCH /v1/organizations/{organization_id}.',
    detail: 'Set the organization’s payout address first: it gets what is paid with mint vouchers.',
  },
  provider_not_configured: {
    cause: 'The payment provider isn’t set up for this organization or installation.',
    remedy: 'Connect a card account of the listing’s mode, or use another provider.',
    detail: 'Connect the card provider first: there is no active TEST payment integration.',
    field: 'payment_providers',
  },
  currency_invalid: {
    cause: 'The currency is unknown on the network, or doesn’t go with the payment provider.',
    remedy: 'Cards take USD, EUR, GBP and JPY; vouchers take what GET /public/v1/payment-tokens lists.',
    detail: 'A listing is all fiat or all crypto: CARD_PROVIDER and MINT_VOUCHER need two listings.',
    field: 'currency',
  },
  price_invalid: {
    cause: 'The price is too low or too high for its provider. It is in minor units: cents, wei.',
    remedy: 'Free providers need 0; of cards the least and the most are named. 15 euros are `1500`.',
    detail: 'Cards can’t be charged with less than 50 minor units of EUR.',
    field: 'price',
  },
  quantity_invalid: {
    cause: 'More units were asked for than can be bought at once.',
    remedy: 'Buy at most `max_quantity_per_tx` at once.',
    detail: 'At most 1 of this listing can be bought at once.',
    field: 'quantity',
  },
  provider_required: {
    cause: 'The listing can be paid in several ways, and the request names none.',
    remedy: 'Send one of its `payment_providers` as `provider`.',
    detail: 'Say how it is to be paid. This listing offers CARD_PROVIDER, EMAIL_CLAIM.',
    field: 'provider',
  },
  provider_not_offered: {
    cause: 'The listing can’t be paid by this provider.',
    remedy: 'Send one of its `payment_providers`.',
    detail: 'This listing doesn’t offer MINT_VOUCHER. This listing offers CARD_PROVIDER.',
    field: 'provider',
  },
  buyer_invalid: {
    cause: 'The provider needs an email address, an Ethereum address or both of the buyer.',
    remedy: 'Add the field that `errors` names.',
    detail: 'Give the email that the item is to be sent to.',
    field: 'buyer.email',
  },
  proof_required: {
    cause: 'Many purchases are open at this listing or by this client, so that a proof of work is asked for.',
    remedy: 'Get a challenge with GET /public/v1/listings/{listing_id}/challenge, solve it and send it as `proof`.',
    detail: 'Solve the challenge and send the result as proof.',
    field: 'proof',
    fieldCode: 'required',
  },
  signature_invalid: {
    cause:
      'The signature isn’t by the purchase’s or the wallet’s address, or its challenge or proof is used up or over.',
    remedy: 'Get a new challenge and sign it with that address.',
    detail: 'This is not the signature of the purchase’s address.',
  },
  purchase_open: {
    cause: 'The address has an open voucher purchase of another quantity. `purchase_intent_id` names it.',
    remedy: 'Pay it, let it expire, or close it with a signature of the address.',
    detail:
      'A purchase of another quantity is open for this address. Pay it, let it expire, ' +
      'or close it with a signature of the address.',
    more: { purchase_intent_id: '0198c2f0-0000-7000-8000-000000000000' },
  },
  purchases_open: {
    cause:
      'As many purchases of the buyer, or of the client at this listing, are open and unpaid as may be. ' +
      '`open_purchases` says when each of them ends.',
    remedy:
      'Pay or give up one of them, or wait until the first one ends. There is no `Retry-After`: ' +
      'a repeat alone doesn’t help.',
    detail: 'You have 3 purchases open that aren’t paid. Pay or give up one of them first.',
    more: { open_purchases: [{ expires_at: '2026-11-20T12:15:00.000Z' }] },
  },
  purchase_confirmed: {
    cause: 'The purchase was paid meanwhile.',
    remedy: 'Read its state. The seller can refund it.',
    detail: 'This purchase is made: it can’t be given up any more.',
  },
  not_refundable: {
    cause: 'Free purchases, voucher purchases and what was refunded before have no card payment to return.',
    remedy: 'Read the purchase’s `payment` and `refundable`.',
    detail: 'There is no card payment here that could be refunded.',
  },
  mint_in_flight: {
    cause: 'A mint of this purchase was sent to the chain and can’t be stopped.',
    remedy: 'Ask again once the chain has decided, usually within minutes.',
    detail: 'Its mint was sent to the chain a moment ago. Ask again when the chain has decided.',
  },
  not_unresolved: {
    cause: 'The purchase isn’t UNRESOLVED, or this outcome doesn’t go with its payment.',
    remedy: 'Read its status; only an UNRESOLVED purchase is decided by hand.',
    detail: 'This purchase needs no decision.',
  },
  amount_invalid: {
    cause: 'The whole purchase is below or above what a card can be charged with.',
    remedy: 'Buy another quantity, or pay in another way.',
    detail: 'The least a card can be charged with is 0.50 EUR.',
  },
} as const satisfies Record<string, ErrorHelp>
