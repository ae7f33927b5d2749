// npm run verify-contracts -- --network 137 --contract Vitrine721 --address 0x… --api-url https://… --api-key …
// Gives an explorer the sources of one of our contracts and waits for what it says. The API is Etherscan's; Blockscout's
// explorers speak it too, at <explorer>/api and without a key.
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
  /** What the implementations were deployed with; deploy-contracts makes it from ORIGIN. */
  metadataPrefix: string
  /** How often the verdict is asked for, and how many times. */
  pollMs?: number
  polls?: number
}

type Answer = { status: string; message: string; result: string }

const ALREADY = /already verified/i
/** The explorer hasn't read the chain that far, or is at work. */
const LATER = /pending|in progress|in queue|unable to locate contractcode|not yet|rate limit/i

/** Answers the explorer's words when the contract is verified, and throws with them when it isn't. */
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
  const receipt = await untilSettled(verification, () => ask(verification, 'POST', submission))
  if (ALREADY.test(receipt.result)) return receipt.result
  if (receipt.status !== '1')
    throw new Error(`The explorer did not take the sources of ${contract}: ${receipt.result || receipt.message}.`)

  const question = { module: 'contract', action: 'checkverifystatus', guid: receipt.result }
  const verdict = await untilSettled(verification, () => ask(verification, 'GET', question))
  if (ALREADY.test(verdict.result) || /^pass/i.test(verdict.result)) return verdict.result
  throw new Error(`The explorer did not verify ${contract} at ${address}: ${verdict.result || verdict.message}.`)
}

async function untilSettled(
  { pollMs = 3_000, polls = 100 }: Verification,
  question: () => Promise<Answer>,
): Promise<Answer> {
  for (let asked = 0; asked < polls; asked += 1) {
    const answer = await question()
    if (!LATER.test(answer.result)) return answer
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  throw new Error(
    'The explorer has no verdict yet. Run this again later: a contract that is verified by then is told as such.',
  )
}

async function ask(
  { apiUrl, apiKey, networkId }: Verification,
  method: 'GET' | 'POST',
  fields: Record<string, string>,
): Promise<Answer> {
  const url = new URL(apiUrl)
  // Etherscan's second version serves all networks at one address; the others read past this.
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

/** As explorers name compilers: v0.8.37+commit.…, of the one npm installed. */
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
  const said = await verifyContract({
    networkId,
    contract,
    address: values.address,
    apiUrl: values['api-url'],
    apiKey: values['api-key'],
    metadataPrefix: `${env.ORIGIN}/public/v1/metadata/`,
  })
  console.log(`${contract} at ${values.address}: ${said}.`)
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
}
