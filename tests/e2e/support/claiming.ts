import type { Page } from '@playwright/test'
import { ownersOf, pinFor } from './gift.ts'
import type { Gift } from './gift.ts'
import { BY_CHAIN } from './stack.ts'
import { expect } from './test.ts'

/** Opens the link and asks for its PIN; gives the PIN from the mailbox. */
export async function askForPin(page: Page, { url, email }: Gift): Promise<string> {
  const asked = new Date()
  await page.goto(url)
  await page.getByRole('button', { name: 'Send me my PIN' }).click()
  await expect(page.getByLabel('PIN', { exact: true })).toBeFocused()
  return pinFor(email, asked)
}

/** It is sent by itself once it is complete. */
export const typePin = (page: Page, pin: string): Promise<void> => page.getByLabel('PIN', { exact: true }).fill(pin)

/** As far as the step that asks where the item goes. */
export async function toDestination(page: Page, gift: Gift): Promise<void> {
  await typePin(page, await askForPin(page, gift))
  await expect(page.getByRole('heading', { name: 'Where should it go?' })).toBeFocused()
}

export const arrived = (page: Page, { title }: Gift) =>
  expect(page.getByRole('heading', { name: `${title} is yours` })).toBeVisible({ timeout: 60_000 })
export const expectOwner = (gift: Gift, address: string) =>
  expect.poll(() => ownersOf(gift.itemId), BY_CHAIN).toEqual([address])

/** Claims it to a typed address. */
export async function claimTo(page: Page, gift: Gift, address: string): Promise<void> {
  await toDestination(page, gift)
  await page.getByRole('button', { name: /Paste an address/ }).click()
  await page.getByLabel('Address', { exact: true }).fill(address)
  await page.getByRole('button', { name: 'Send it there' }).click()
  await arrived(page, gift)
}
