// npm run deploy-contracts [-- network ids]: deploys the contracts that are missing to every network of RPC_URLS, or to
// those given, and prints the CONTRACTS setting. On a local chain it also deploys a worthless ERC-20 and prints
// PAYMENT_TOKENS. It can be repeated: the addresses depend on the code alone, so contracts that exist are skipped.
import {
  concat,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  getCreate2Address,
  type Hex,
  http,
  keccak256,
  padHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  sandboxTokenAbi,
  sandboxTokenBytecode,
  vitrine1155Abi,
  vitrine1155Bytecode,
  vitrine721Abi,
  vitrine721Bytecode,
  vitrineFactoryAbi,
  vitrineFactoryBytecode,
} from '../lib/core/contracts/abi.ts'
import { networksFromEnv } from '../lib/ports/chain/networks.ts'
import { env } from '../lib/core/env.ts'
import { until } from './launcher/processes.ts'

// Arachnid's CREATE2 deployer has this address on nearly every chain
// (https://github.com/Arachnid/deterministic-deployment-proxy).
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const SALT = padHex('0x', { size: 32 })
const LOCAL_CHAIN_ID = 31337

const prefix = `${env.ORIGIN}/public/v1/metadata/`
const codes: [string, Hex][] = [
  ['factory', encodeDeployData({ abi: vitrineFactoryAbi, bytecode: vitrineFactoryBytecode })],
  ['ERC-721 implementation', encodeDeployData({ abi: vitrine721Abi, bytecode: vitrine721Bytecode, args: [prefix] })],
  ['ERC-1155 implementation', encodeDeployData({ abi: vitrine1155Abi, bytecode: vitrine1155Bytecode, args: [prefix] })],
]

const sandboxToken: [string, Hex] = [
  'token to pay with',
  encodeDeployData({ abi: sandboxTokenAbi, bytecode: sandboxTokenBytecode }),
]

const addressOf = (code: Hex): Hex => getCreate2Address({ from: DEPLOYER, salt: SALT, bytecodeHash: keccak256(code) })

async function deployOn(id: number, name: string, rpcUrl: string): Promise<string> {
  const chain = defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl)
  const client = createPublicClient({ chain, transport })
  if (!(await client.getCode({ address: DEPLOYER })))
    throw new Error(`${name} has no deployer contract at ${DEPLOYER}. Put it there first.`)
  const sender = createWalletClient({ chain, transport })
  // The node's own account pays on a local chain, so that the operator's nonces stay as the sandbox's database has
  // them.
  const account = id === LOCAL_CHAIN_ID ? (await sender.getAddresses())[0] : undefined
  const operator = account ?? privateKeyToAccount(env.OPERATOR_KEYS[0] as Hex)
  const contracts = codes.map(([what, code]) => ({ what, code, address: addressOf(code) }))
  const extras =
    id === LOCAL_CHAIN_ID ? [{ what: sandboxToken[0], code: sandboxToken[1], address: addressOf(sandboxToken[1]) }] : []
  const sent: { what: string; address: Hex; hash: Hex }[] = []
  for (const { what, code, address } of [...contracts, ...extras]) {
    if (await client.getCode({ address })) continue
    const hash = await sender.sendTransaction({ account: operator, chain, to: DEPLOYER, data: concat([SALT, code]) })
    sent.push({ what, address, hash })
  }
  for (const { what, address, hash } of sent) {
    // viem's waitForTransactionReceipt asks again only for a new block. A local chain makes none, and may have the
    // block before the receipt.
    await until(`${what} on ${name}`, async () => Boolean(await client.getTransactionReceipt({ hash })), 180_000)
    if (!(await client.getCode({ address }))) throw new Error(`The ${what} did not arrive at ${address} on ${name}.`)
    console.log(`${name}: ${what} at ${address}`)
  }
  return `${id}=${contracts.map(({ address }) => address).join(',')}`
}

const wanted = process.argv.slice(2).map(Number)
const networks = networksFromEnv(env.RPC_URLS, '').filter(
  ({ network }) => wanted.length === 0 || wanted.includes(network.id),
)
if (networks.length === 0 || env.OPERATOR_KEYS.length === 0) {
  console.error('Set RPC_URLS to the networks that the contracts go to, and OPERATOR_KEYS to the account that pays.')
  process.exit(1)
}
const settings: string[] = []
for (const { network, rpcUrls } of networks) settings.push(await deployOn(network.id, network.name, rpcUrls[0]!))
if (networks.some(({ network }) => network.id === LOCAL_CHAIN_ID))
  console.log(`PAYMENT_TOKENS=${LOCAL_CHAIN_ID}=${addressOf(sandboxToken[1])}:USDC:6:Sandbox USD Coin`)
console.log(`CONTRACTS=${settings.join(';')}`)
