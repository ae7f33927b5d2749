import { encodeDeployData, encodeFunctionData } from 'viem'
import { plainErc721Abi, plainErc721Bytecode } from '../support/foreign-contract.ts'
import { expectAccessible } from './support/axe.ts'
import { chain } from './support/gift.ts'
import { makeNewcomer, signIn } from './support/newcomer.ts'
import { buyer } from './support/selling.ts'
import { expect, test } from './support/test.ts'

async function send(call: { to?: string; data: string }): Promise<{ contractAddress: string | null }> {
  const hash = await chain<string>('eth_sendTransaction', [{ from: buyer, gas: '0x7a1200', ...call }])
  const receipt = () =>
    chain<{ contractAddress: string | null; status: string } | null>('eth_getTransactionReceipt', [hash])
  await expect.poll(async () => (await receipt())?.status, { message: 'it is mined' }).toBe('0x1')
  return (await receipt())!
}

test('a foreign contract is connected: its tokens appear, and the page says that we cannot mint', async ({ page }) => {
  test.setTimeout(120_000)
  const { contractAddress: contract } = await send({
    data: encodeDeployData({ abi: plainErc721Abi, bytecode: plainErc721Bytecode() }),
  })
  for (const id of [1n, 2n])
    await send({
      to: contract!,
      data: encodeFunctionData({ abi: plainErc721Abi, functionName: 'mint', args: [buyer, id] }),
    })
  const { email } = await makeNewcomer()
  await signIn(page, email)

  await page.goto('/dashboard/collections')
  await page.getByRole('link', { name: 'Connect a contract' }).first().click()
  await page.getByLabel('Name').fill(`Their birds ${Date.now()}`)
  await page.getByLabel('Contract address').fill(buyer)
  await page.getByRole('button', { name: 'Connect the contract' }).click()
  await expect(page.getByLabel('Contract address')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await page.getByLabel('Contract address').fill(contract!)
  await page.getByRole('button', { name: 'Connect the contract' }).click()
  await expect(page.getByText('It doesn’t let us mint, so nothing of it can be sold or sent from here.')).toBeVisible()

  await expect(async () => {
    await page.reload()
    await expect(page.getByText('Plain one')).toBeVisible({ timeout: 1_000 })
    await expect(page.getByText('Plain two')).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Ask it' }).click()
  await expect(page.getByText('It doesn’t let us mint.', { exact: true })).toBeVisible()

  await page.getByText('Plain one').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Plain one' })).toBeVisible()
  await expectAccessible(page)

  // Their owner has them in the wallet, as tokens of our own collections.
  await page.goto(`/wallet?address=${buyer}`)
  const theirs = page.getByRole('list', { name: /Their birds/ })
  await expect(theirs.getByRole('link')).toHaveCount(2)
  await expectAccessible(page)
  await theirs.getByRole('link', { name: 'Plain one' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Plain one' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^Made/ })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: contract!.slice(2, 6) })).toBeVisible()
})
