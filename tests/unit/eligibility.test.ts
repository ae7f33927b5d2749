import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eligibilityOf, type Standing } from '../../lib/offers/listings/eligibility.ts'
import { remainingOf, statusOf } from '../../lib/offers/listings/listing-state.ts'
import { LISTING_STATUSES, POLICY_TYPES } from '../../lib/platform/api/listing-record.ts'
const now = new Date('2026-11-20T12:00:00Z')
const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

const time = fc.option(fc.integer({ min: -100, max: 100 }).map(at))
const offers = fc
  .record({
    status: fc.constantFrom(...LISTING_STATUSES),
    startsAt: time,
    endsAt: time,
    policyType: fc.constantFrom(...POLICY_TYPES),
    maxPerUser: fc.option(fc.bigInt({ min: 1n, max: 20n })),
    quantityListed: fc.bigInt({ min: 1n, max: 50n }),
    open: fc.bigInt({ min: 0n, max: 50n }),
    confirmed: fc.bigInt({ min: 0n, max: 50n }),
  })
  .filter(({ quantityListed, open, confirmed }) => open + confirmed <= quantityListed)
  .map(({ open, confirmed, ...offer }) => ({
    ...offer,
    quantityOpen: open,
    quantityConfirmed: confirmed,
    suspended: false,
    obstacle: null,
  }))
const standing: fc.Arbitrary<Standing> = fc.record({
  kind: fc.constantFrom('ADDRESS' as const, 'EMAIL' as const),
  listed: fc.boolean(),
  claimed: fc.bigInt({ min: 0n, max: 30n }),
})
const buyers = fc.array(standing, { maxLength: 2 })

describe('eligibility', () => {
  test('there is a reason exactly when the buyer is not eligible', () =>
    fc.assert(
      fc.property(offers, buyers, (offer, buyer) => {
        const { eligible, reason } = eligibilityOf(offer, buyer, now)
        expect(eligible).toBe(reason === null)
      }),
    ))

  test('eligible means: an active listing with units left, a buyer on its list and below its limit', () =>
    fc.assert(
      fc.property(offers, buyers, (offer, buyer) => {
        const { eligible, allowed, claimed } = eligibilityOf(offer, buyer, now)
        const listed = offer.policyType === 'FCFS' || buyer.length === 0 || buyer.some((standing) => standing.listed)
        const limit = offer.maxPerUser ?? offer.quantityListed
        expect(eligible).toBe(
          statusOf(offer, now) === 'ACTIVE' &&
            remainingOf(offer) > 0n &&
            listed &&
            buyer.every((standing) => standing.claimed < limit),
        )
        expect(allowed).toBe(listed ? limit : 0n)
        expect(claimed).toBe(buyer.reduce((most, standing) => (standing.claimed > most ? standing.claimed : most), 0n))
      }),
    ))

  test('a buyer never becomes eligible by buying more', () =>
    fc.assert(
      fc.property(offers, standing, fc.bigInt({ min: 1n, max: 10n }), (offer, buyer, more) => {
        const before = eligibilityOf(offer, [buyer], now).eligible
        const after = eligibilityOf(offer, [{ ...buyer, claimed: buyer.claimed + more }], now).eligible
        expect(after && !before).toBe(false)
      }),
    ))

  test.each([
    [{ status: 'ACTIVE', startsAt: at(1) }, 'NOT_STARTED'],
    [{ status: 'SCHEDULED', startsAt: at(-1) }, null],
    [{ status: 'DRAFT' }, 'NOT_STARTED'],
    [{ status: 'ACTIVE', endsAt: at(0) }, 'ENDED'],
    [{ status: 'PAUSED', endsAt: at(-1) }, 'ENDED'],
    [{ status: 'PAUSED' }, 'PAUSED'],
    [{ status: 'CANCELLED' }, 'CANCELLED'],
    [{ status: 'COMPLETE' }, 'SOLD_OUT'],
    [{ status: 'ACTIVE', quantityOpen: 5n }, 'SOLD_OUT'],
    [{ status: 'COMPLETE', policyType: 'ALLOW_LIST' }, 'SOLD_OUT'],
    [{ status: 'ACTIVE', quantityOpen: 5n, policyType: 'ALLOW_LIST' }, 'SOLD_OUT'],
    [{ status: 'ACTIVE', policyType: 'ALLOW_LIST' }, 'NOT_ON_LIST'],
    [{ status: 'ACTIVE', policyType: 'SNAPSHOT' }, 'NOT_ON_LIST'],
    [{ status: 'ACTIVE', maxPerUser: 2n }, 'LIMIT_REACHED'],
    [{ status: 'ACTIVE', suspended: true }, 'SUSPENDED'],
    [{ status: 'ACTIVE', obstacle: 'PAYOUT_ADDRESS_MISSING' }, 'PAYOUT_ADDRESS_MISSING'],
    [{ status: 'PAUSED', obstacle: 'PAYOUT_ADDRESS_MISSING' }, 'PAYOUT_ADDRESS_MISSING'],
    [{ status: 'CANCELLED', obstacle: 'PAYOUT_ADDRESS_MISSING' }, 'CANCELLED'],
    [{ status: 'ACTIVE', obstacle: 'PROVIDER_NOT_CONFIGURED' }, 'PROVIDER_NOT_CONFIGURED'],
    [{ status: 'ACTIVE' }, null],
  ] as const)('%o has the reason %s', (more, reason) => {
    const offer = {
      startsAt: null,
      endsAt: null,
      policyType: 'FCFS' as const,
      maxPerUser: null,
      quantityListed: 5n,
      quantityOpen: 0n,
      quantityConfirmed: 0n,
      suspended: false,
      obstacle: null,
      ...more,
    }
    expect(eligibilityOf(offer, [{ kind: 'EMAIL', listed: false, claimed: 2n }], now).reason).toBe(reason)
  })
})
