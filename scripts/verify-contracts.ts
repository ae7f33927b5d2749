// npm run verify-contracts -- --network 137 --contract Vitrine721 --address 0x… --api-url https://… --api-key … Submits
// the sources of one of our contracts to an explorer and waits for the result. The API is Etherscan's; Blockscout's
// explorers have it too, at <explorer>/api and without a key.
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { encodeAbiParameters, isAddress } from 'viem'
import { env } from '../lib/core/env.ts'
import { sourcePathOf, standardJsonOf, type Verifiable, VERIFIABLE } from './standard-json.ts'

export type Verification = {
  networkId: number
  contract: Verifiable
  address: string
  apiUrl: string
  apiKey: string
  /** The constructor argument of the implementations; deploy-contracts derives it from ORIGIN. */
  metadataPrefix: string
  /** The milliseconds between two requests for the result, and the most requests. */
  pollMs?: number
  polls?: number
}

type Answer = { status: string; message: string; result: string }

const ALREADY_VERIFIED = /already verified/i
/** The explorer hasn't indexed the contract yet, or is still at work. */
const NOT_YET = /pending|in progress|in queue|unable to locate contractcode|not yet|rate limit/i

/** Returns the explorer's message when the contract is verified, and throws with it when it isn't. */
export async function verifyContract(verification: Verification): Promise<string> {
  const { contract, address, metadataPrefix } = verification
  const arguments_ =
    contract === 'VitrineFactory' ? '' : encodeAbiParameters([{ type: 'string' }], [metadataPrefix]).slice(2)
  const submission = {
    module: 'contract',
    action: 'verifysourcecode',
    contractaddress: address,
    sourceCode: JSON.stringify(standardJsonOf(contract)),
    codeformat: 'solidity-standard-json-input',
    contractname: `${sourcePathOf(contract)}:${contract}`,
    compilerversion: compilerVersion(),
    constructorArguements: arguments_, // the API's own spelling
    constructorArguments: arguments_,
    licenseType: '3', // MIT
  }
  const receipt = await pollUntilFinal(verification, () => callExplorer(verification, 'POST', submission))
  if (ALREADY_VERIFIED.test(receipt.result)) return receipt.result
  if (receipt.status !== '1')
    throw new Error(`The explorer did not take the sources of ${contract}: ${receipt.result || receipt.message}.`)

  const statusRequest = { module: 'contract', action: 'checkverifystatus', guid: receipt.result }
  const verdict = await pollUntilFinal(verification, () => callExplorer(verification, 'GET', statusRequest))
  if (ALREADY_VERIFIED.test(verdict.result) || /^pass/i.test(verdict.result)) return verdict.result
  throw new Error(`The explorer did not verify ${contract} at ${address}: ${verdict.result || verdict.message}.`)
}

async function pollUntilFinal(
  { pollMs = 3_000, polls = 100 }: Verification,
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (let poll = 0; poll < polls; poll += 1) {
    const answer = await call()
    if (!NOT_YET.test(answer.result)) return answer
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  throw new Error(
    'The explorer has no verdict yet. Run this again later: a contract that is verified by then is told as such.',
  )
}

async function callExplorer(
  { apiUrl, apiKey, networkId }: Verification,
  method: 'GET' | 'POST',
  fields: Record<string, string>,
): Promise<Answer> {
  const url = new URL(apiUrl)
  // Version 2 of Etherscan's API has one address for all networks. Other explorers ignore this parameter.
  url.searchParams.set('chainid', String(networkId))
  const form = new URLSearchParams({ ...fields, ...(apiKey ? { apikey: apiKey } : {}) })
  if (method === 'GET') for (const [name, value] of form) url.searchParams.set(name, value)
  const request = fetch(url, {
    method,
    ...(method === 'POST' ? { body: form } : {}),
    signal: AbortSignal.timeout(60_000),
  })
  const response = await request.catch((cause: unknown) => {
    throw new Error(`The explorer at ${url.host} can't be reached.`, { cause })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The explorer answered ${response.status}: ${text.slice(0, 300)}`)
  try {
    const { status, message, result } = JSON.parse(text) as Record<string, unknown>
    return { status: String(status ?? ''), message: String(message ?? ''), result: String(result ?? '') }
  } catch {
    throw new Error(`The explorer's answer isn't JSON. Is ${apiUrl} its API? It begins: ${text.slice(0, 100)}`)
  }
}

/** The version of the compiler that npm installed, in the explorers' format: v0.8.37+commit.…. */
function compilerVersion(): string {
  const { version } = createRequire(import.meta.url)('solc') as { version: () => string }
  return `v${version().replace(/\.Emscripten.*$/, '')}`
}

async function main() {
  const { values } = parseArgs({
    options: {
      network: { type: 'string' },
      contract: { type: 'string' },
      address: { type: 'string' },
      'api-url': { type: 'string' },
      'api-key': { type: 'string', default: '' },
    },
  })
  const contract = VERIFIABLE.find((name) => name === values.contract)
  const networkId = Number(values.network)
  if (!contract) throw new Error(`--contract is one of ${VERIFIABLE.join(', ')}.`)
  if (!Number.isSafeInteger(networkId) || networkId <= 0)
    throw new Error('--network is the network’s id: 1 is Ethereum, 137 Polygon.')
  if (!values.address || !isAddress(values.address))
    throw new Error('--address is where the contract stands; npm run deploy-contracts prints it.')
  if (!values['api-url'] || !URL.canParse(values['api-url']))
    throw new Error(
      '--api-url is the explorer’s API, as https://api.etherscan.io/v2/api or https://<a Blockscout explorer>/api.',
    )
  const message = await verifyContract({
    networkId,
    contract,
    address: values.address,
    apiUrl: values['api-url'],
    apiKey: values['api-key'],
    metadataPrefix: `${env.ORIGIN}/public/v1/metadata/`,
  })
  console.log(`${contract} at ${values.address}: ${message}.`)
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
}
