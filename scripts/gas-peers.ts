// Measures the gas of the same operations with other projects' contracts (contracts/bench), each as its authors build
// it.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  type Abi,
  type Address,
  encodeFunctionData,
  type Hex,
  type Log,
  parseAbi,
  parseEventLogs,
  stringToHex,
  keccak256,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { GasChain } from './gas-chain.ts'

/** Gas by operation, with the names of our own figures. */
export type PeerFigures = { peer: string; gas: Record<string, number> }

type Artifact = { abi: Abi; bytecode: Hex }
type Solc = {
  compile: (input: string, callbacks: { import: (path: string) => { contents: string } | { error: string } }) => string
  version: () => string
}
type Settings = { optimizer: { enabled: boolean; runs: number }; viaIR?: boolean; evmVersion: string }

const root = join(import.meta.dirname, '../contracts/bench')
const packages = join(root, 'node_modules')
const require = createRequire(join(root, 'package.json'))

const PRICE = 10n ** 16n
const DEADLINE = 4_102_444_799n
const COIN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const URI = 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPN/17'
const FOLDER = 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPN/'
const signer = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a')
const transferAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
  'function transferFrom(address from, address to, uint256 id)',
])

/** Every peer's figures. The payees' accounts exist already, as with ours. */
export async function measurePeers(chain: GasChain): Promise<PeerFigures[]> {
  const payees = { seller: chain.newAddress(), platform: chain.newAddress() }
  for (const payee of Object.values(payees)) await chain.send(chain.payer, payee, '0x', 1n)
  const libraries = await measureLibraries(chain, payees)
  return [...libraries, ...(await measureThirdweb(chain, payees)), await measureManifold(chain)]
}

type Payees = { seller: Address; platform: Address }

// -------------------------------------------------------------------------------------------------------- libraries

/**
 * Each figure is the lower of two builds: with the settings of the library's repository, and with the optimizer's
 * highest.
 */
async function measureLibraries(chain: GasChain, payees: Payees): Promise<PeerFigures[]> {
  const highest: Settings = { optimizer: { enabled: true, runs: 1_000_000 }, viaIR: true, evmVersion: 'cancun' }
  const peers = [
    { peer: 'OpenZeppelin 5.7', runs: 200, token: 'OzToken', units: 'OzUnits' },
    { peer: 'ERC721A 4.3', runs: 800, token: 'AToken' },
    { peer: 'solady 0.1', runs: 1_000, token: 'SoladyToken', units: 'SoladyUnits' },
  ]
  const figures: PeerFigures[] = []
  for (const { peer, runs, token, units } of peers) {
    const builds = [{ optimizer: { enabled: true, runs }, evmVersion: 'cancun' }, highest].map((settings) =>
      compileLibraries(settings),
    )
    const measured: Record<string, number>[] = []
    for (const build of builds) {
      measured.push({
        ...(await measureLibrary(chain, build[token]!, payees)),
        ...(units ? await measureUnits(chain, build[units]!) : {}),
      })
    }
    figures.push({ peer, gas: cheapest(measured) })
  }
  const bare = await chain.deploy(...creationOf(compileLibraries(highest).SoladyBare!))
  const call = callsOf(chain, compileLibraries(highest).SoladyBare!.abi)
  await call(chain.admin, bare.contract, 'mint', [chain.newAddress(), 1n])
  figures.push({
    peer: 'solady, bare',
    gas: { 'admin mint, one': (await call(chain.admin, bare.contract, 'mint', [chain.newAddress(), 2n])).gas },
  })
  return figures
}

function compileLibraries(settings: Settings): Record<string, Artifact> {
  return compile(
    'solc',
    { 'contracts/Libraries.sol': readFileSync(join(root, 'contracts/Libraries.sol'), 'utf8') },
    settings,
    [packages],
  )
}

async function measureLibrary(
  chain: GasChain,
  artifact: Artifact,
  { seller, platform }: Payees,
): Promise<Record<string, number>> {
  const { admin, buyer, newAddress } = chain
  const { gas: deployed, contract: token } = await chain.deploy(...creationOf(artifact), [
    signer.address,
    seller,
    platform,
  ])
  const call = callsOf(chain, artifact.abi)
  const mint = async (to: Address, quantity: bigint) => (await call(admin, token, 'mint', [to, quantity])).gas
  await mint(newAddress(), 1n)
  const one = await mint(newAddress(), 1n)
  const hundred = (await call(admin, token, 'airdrop', [Array.from({ length: 100 }, newAddress)])).gas
  let nonce = 0n
  const redeem = async (price: bigint, platformShare: bigint) => {
    const voucher = { to: newAddress(), price, platformShare, nonce: (nonce += 1n), deadline: DEADLINE }
    const signature = await signer.signTypedData({
      domain: { name: 'Vouchers', version: '1', chainId: 31337, verifyingContract: token },
      types: { Voucher: typesOf('address to,uint256 price,uint256 platformShare,uint256 nonce,uint256 deadline') },
      primaryType: 'Voucher',
      message: voucher,
    })
    return (await call(buyer, token, 'redeem', [voucher, signature], price)).gas
  }
  await redeem(0n, 0n)
  const [free, onePayee, twoPayees] = [await redeem(0n, 0n), await redeem(PRICE, 0n), await redeem(PRICE, PRICE / 40n)]
  await mint(buyer, 5n)
  const transfer = await transferLast(chain, token, buyer)
  return {
    'deploy a collection': deployed,
    'admin mint, one': one,
    '100 recipients, any ids': hundred,
    '100 recipients, consecutive ids': hundred,
    'voucher mint, free': free,
    'voucher mint, one payee': onePayee,
    'voucher mint, two payees': twoPayees,
    transfer,
  }
}

async function measureUnits(chain: GasChain, artifact: Artifact): Promise<Record<string, number>> {
  const { contract } = await chain.deploy(...creationOf(artifact))
  const call = callsOf(chain, artifact.abi)
  await call(chain.admin, contract, 'mint', [chain.newAddress()])
  return {
    'ERC-1155 admin mint, one': (await call(chain.admin, contract, 'mint', [chain.newAddress()])).gas,
    'ERC-1155, 100 recipients': (
      await call(chain.admin, contract, 'airdrop', [Array.from({ length: 100 }, chain.newAddress)])
    ).gas,
  }
}

// --------------------------------------------------------------------------------------------------------- thirdweb

const initializeAbi = parseAbi([
  'function initialize(address,string,string,string,address[],address,address,uint128,uint128,address)',
])
const proxyAbi = parseAbi([
  'event ProxyDeployed(address indexed implementation, address proxy, address indexed deployer)',
])

/**
 * Through the cheaper of its factories, which records nothing. The signed requests have a URI where the contract stores
 * one.
 */
async function measureThirdweb(chain: GasChain, { seller, platform }: Payees): Promise<PeerFigures[]> {
  const { admin, buyer, newAddress } = chain
  const own = join(packages, '@thirdweb-dev/contracts')
  const files = [
    'prebuilts/token/TokenERC721.sol',
    'prebuilts/token/TokenERC1155.sol',
    'prebuilts/signature-drop/SignatureDrop.sol',
    'prebuilts/drop/DropERC721.sol',
    'infra/TWStatelessFactory.sol',
  ]
  const sources = Object.fromEntries(
    files.map((file) => [`@thirdweb-dev/contracts/${file}`, readFileSync(join(own, file), 'utf8')]),
  )
  const built = compile('solc-0.8.23', sources, { optimizer: { enabled: true, runs: 20 }, evmVersion: 'london' }, [
    join(own, 'node_modules'),
    packages,
  ])
  const forwarder = newAddress()
  const factory = await chain.deploy(...creationOf(built.TWStatelessFactory!), [forwarder])

  const create = async (name: string) => {
    const artifact = built[name]!
    const implementation = await chain.deploy(...creationOf(artifact))
    const args = [admin, 'Genesis', 'GEN', `${FOLDER}0`, [forwarder], seller, seller, 500n, 0n, platform] as const
    const init = encodeFunctionData({ abi: initializeAbi, functionName: 'initialize', args })
    const made = await callsOf(chain, built.TWStatelessFactory!.abi)(
      admin,
      factory.contract,
      'deployProxyByImplementation',
      [implementation.contract, init, keccak256(stringToHex(name))],
    )
    const { proxy: token } = parseEventLogs({ abi: proxyAbi, logs: made.logs })[0]!.args
    const calls = callsOf(chain, artifact.abi)
    const call = (from: Address, name: string, args: readonly unknown[], value = 0n) =>
      calls(from, token, name, args, value)
    await call(admin, 'grantRole', [keccak256(stringToHex('MINTER_ROLE')), signer.address])
    const many = (name: string, args: (to: Address) => readonly unknown[]) =>
      call(admin, 'multicall', [
        Array.from({ length: 100 }, () =>
          encodeFunctionData({ abi: artifact.abi, functionName: name, args: args(newAddress()) }),
        ),
      ])
    return { token, gas: made.gas, call, many }
  }
  /**
   * Measures a free signed request (the contract's second), one that pays the seller, and one that also pays the
   * platform.
   */
  const redeemThrice = async (
    { token, call }: Awaited<ReturnType<typeof create>>,
    domain: string,
    fields: string,
    request: (price: bigint) => Record<string, unknown>,
  ) => {
    let uids = 0
    const redeem = async (price: bigint, to: Address = newAddress()) => {
      const message = {
        to,
        royaltyRecipient: zeroAddress,
        royaltyBps: 0n,
        primarySaleRecipient: zeroAddress,
        currency: COIN,
        validityStartTimestamp: 1n,
        validityEndTimestamp: DEADLINE,
        uid: keccak256(toHex((uids += 1))),
        ...request(price),
      }
      const types = { MintRequest: typesOf(fields) }
      const signature = await signer.signTypedData({
        domain: { name: domain, version: '1', chainId: 31337, verifyingContract: token },
        types,
        primaryType: 'MintRequest',
        message,
      })
      return (await call(buyer, 'mintWithSignature', [message, signature], price)).gas
    }
    await redeem(0n)
    const free = await redeem(0n)
    const onePayee = await redeem(PRICE)
    await call(admin, 'setPlatformFeeInfo', [platform, 250n])
    const twoPayees = await redeem(PRICE)
    for (let held = 0; held < 5; held += 1) await redeem(0n, buyer)
    return {
      'voucher mint, free': free,
      'voucher mint, one payee': onePayee,
      'voucher mint, two payees': twoPayees,
      transfer: await transferLast(chain, token, buyer),
    }
  }
  const shared = 'address to,address royaltyRecipient,uint256 royaltyBps,address primarySaleRecipient,string uri'
  const validity = 'address currency,uint128 validityStartTimestamp,uint128 validityEndTimestamp,bytes32 uid'

  const token = await create('TokenERC721')
  await token.call(admin, 'mintTo', [newAddress(), URI])
  const tokenMint = (await token.call(admin, 'mintTo', [newAddress(), URI])).gas
  const tokenMany = (await token.many('mintTo', (to) => [to, URI])).gas
  const units = await create('TokenERC1155')
  await units.call(admin, 'mintTo', [newAddress(), 2n ** 256n - 1n, URI, 1n])
  const unitsOne = (await units.call(admin, 'mintTo', [newAddress(), 0n, '', 1n])).gas
  const unitsMany = (await units.many('mintTo', (to) => [to, 0n, '', 1n])).gas

  const drop = await create('SignatureDrop')
  await drop.call(admin, 'lazyMint', [100_000n, FOLDER, '0x'])

  const claims = await create('DropERC721')
  await claims.call(admin, 'lazyMint', [100_000n, FOLDER, '0x'])
  const open = (price: bigint) => [1n, 100_000n, 0n, 1_000n, zeroHash, price, COIN, '']
  const claimOf = (to: Address, price: bigint) => [to, 1n, COIN, price, [[], 0n, 2n ** 256n - 1n, zeroAddress], '0x']
  const claim = async (price: bigint, to = newAddress()) =>
    (await claims.call(buyer, 'claim', claimOf(to, price), price)).gas
  await claims.call(admin, 'setClaimConditions', [[open(0n)], false])
  await claim(0n)
  const claimFree = await claim(0n)
  await claims.call(admin, 'claim', claimOf(newAddress(), 0n))
  const claimMany = (await claims.many('claim', (to) => claimOf(to, 0n))).gas
  for (let held = 0; held < 5; held += 1) await claim(0n, buyer)
  const claimTransfer = await transferLast(chain, claims.token, buyer)
  await claims.call(admin, 'setClaimConditions', [[open(PRICE)], false])
  await claim(PRICE)
  const claimPriced = await claim(PRICE)
  await claims.call(admin, 'setPlatformFeeInfo', [platform, 250n])
  const claimTwo = await claim(PRICE)

  return [
    {
      peer: 'thirdweb TokenERC721',
      gas: {
        'deploy a collection': token.gas,
        'admin mint, one': tokenMint,
        '100 recipients, any ids': tokenMany,
        '100 recipients, consecutive ids': tokenMany,
        ...(await redeemThrice(token, 'TokenERC721', `${shared},uint256 price,${validity}`, (price) => ({
          uri: URI,
          price,
        }))),
        'ERC-1155 admin mint, one': unitsOne,
        'ERC-1155, 100 recipients': unitsMany,
      },
    },
    {
      peer: 'thirdweb SignatureDrop',
      gas: {
        'deploy a collection': drop.gas,
        ...(await redeemThrice(
          drop,
          'SignatureMintERC721',
          `${shared},uint256 quantity,uint256 pricePerToken,${validity}`,
          (price) => ({ uri: '', quantity: 1n, pricePerToken: price }),
        )),
      },
    },
    {
      peer: 'thirdweb DropERC721',
      gas: {
        'deploy a collection': claims.gas,
        '100 recipients, any ids': claimMany,
        '100 recipients, consecutive ids': claimMany,
        'voucher mint, free': claimFree,
        'voucher mint, one payee': claimPriced,
        'voucher mint, two payees': claimTwo,
        transfer: claimTransfer,
      },
    },
  ]
}

// --------------------------------------------------------------------------------------------------------- Manifold

/** The package has the bytecode that its authors compiled, but neither their proxy nor the claim page's contract. */
async function measureManifold(chain: GasChain): Promise<PeerFigures> {
  const { admin, buyer, newAddress } = chain
  const published = (name: string) =>
    JSON.parse(
      readFileSync(join(packages, `@manifoldxyz/creator-core-solidity/build/contracts/${name}.json`), 'utf8'),
    ) as Artifact
  const ours = compile(
    'solc',
    { 'contracts/Manifold.sol': readFileSync(join(root, 'contracts/Manifold.sol'), 'utf8') },
    { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
    [packages],
  )
  const factory = await chain.deploy(...creationOf(ours.ManifoldFactory!))
  const create = async (name: string) => {
    const artifact = published(name)
    const implementation = await chain.deploy(...creationOf(artifact))
    const made = await callsOf(chain, ours.ManifoldFactory!.abi)(admin, factory.contract, 'create', [
      implementation.contract,
      keccak256(stringToHex(name)),
    ])
    const { collection } = parseEventLogs({ abi: parseAbi(['event Created(address collection)']), logs: made.logs })[0]!
      .args
    return { collection, gas: made.gas, call: callsOf(chain, artifact.abi) }
  }

  const { collection, gas, call } = await create('ERC721CreatorImplementation')
  await call(admin, collection, 'mintBase', [newAddress()])
  const one = (await call(admin, collection, 'mintBase', [newAddress()])).gas
  const airdrop = await chain.deploy(...creationOf(ours.ManifoldAirdrop!))
  await call(admin, collection, 'registerExtension', [airdrop.contract, ''])
  const give = (count: number) =>
    callsOf(chain, ours.ManifoldAirdrop!.abi)(admin, airdrop.contract, 'airdrop', [
      collection,
      Array.from({ length: count }, newAddress),
    ])
  await give(1)
  const hundred = (await give(100)).gas
  for (let held = 0; held < 5; held += 1) await call(admin, collection, 'mintBase', [buyer])
  const transfer = await transferLast(chain, collection, buyer)

  const units = await create('ERC1155CreatorImplementation')
  await units.call(admin, units.collection, 'mintBaseNew', [[newAddress()], [1n], []])
  const more = (to: Address[]) => units.call(admin, units.collection, 'mintBaseExisting', [to, [1n], [1n]])
  return {
    peer: 'Manifold 3.0',
    gas: {
      'deploy a collection': gas,
      'admin mint, one': one,
      '100 recipients, any ids': hundred,
      '100 recipients, consecutive ids': hundred,
      transfer,
      'ERC-1155 admin mint, one': (await more([newAddress()])).gas,
      'ERC-1155, 100 recipients': (await more(Array.from({ length: 100 }, newAddress))).gas,
    },
  }
}

// ------------------------------------------------------------------------------------------------------------ tools

/**
 * Transfers `owner`'s last token to a new address. It is the cheapest one where the owner is stored once for a range of
 * ids.
 */
async function transferLast(chain: GasChain, token: Address, owner: Address): Promise<number> {
  const logs = await chain.client.getLogs({
    address: token,
    event: transferAbi[0],
    args: { to: owner },
    fromBlock: 0n,
  })
  const id = logs.at(-1)!.args.id!
  return (await callsOf(chain, transferAbi)(owner, token, 'transferFrom', [owner, chain.newAddress(), id])).gas
}

function callsOf(chain: GasChain, abi: Abi | typeof transferAbi) {
  return async (
    from: Address,
    to: Address,
    functionName: string,
    args: readonly unknown[],
    value = 0n,
  ): Promise<{ gas: number; logs: Log[] }> => {
    try {
      return await chain.send(from, to, encodeFunctionData({ abi, functionName, args }), value)
    } catch (error) {
      throw new Error(`${functionName}: ${String(error)}`, { cause: error })
    }
  }
}

const creationOf = ({ abi, bytecode }: Artifact): [Abi, Hex] => [abi, bytecode]

const typesOf = (fields: string) =>
  fields.split(',').map((field) => ({ type: field.split(' ')[0]!, name: field.split(' ')[1]! }))

function cheapest(measured: Record<string, number>[]): Record<string, number> {
  return Object.fromEntries(
    Object.keys(measured[0]!).map((operation) => [operation, Math.min(...measured.map((one) => one[operation]!))]),
  )
}

/** Compiles, or reads the result from the cache. Imports are resolved in the first of `folders` that has them. */
function compile(
  compiler: 'solc' | 'solc-0.8.23',
  sources: Record<string, string>,
  settings: Settings,
  folders: string[],
): Record<string, Artifact> {
  const input = JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings: {
      ...settings,
      metadata: { bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  })
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const cached = join(
    root,
    '.cache',
    `${createHash('sha256').update(`${compiler}\0${lock}\0${input}`).digest('hex').slice(0, 24)}.json`,
  )
  if (existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8')) as Record<string, Artifact>

  const find = (path: string) => {
    const file = folders.map((folder) => join(folder, path)).find((candidate) => existsSync(candidate))
    return file ? { contents: readFileSync(file, 'utf8') } : { error: `${path} is not installed.` }
  }
  const output = JSON.parse((require(compiler) as Solc).compile(input, { import: find })) as {
    errors?: { severity: string; formattedMessage: string }[]
    contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
  }
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const artifacts: Record<string, Artifact> = {}
  for (const path of Object.keys(sources)) {
    for (const [name, { abi, evm }] of Object.entries(output.contracts[path] ?? {}))
      artifacts[name] = { abi, bytecode: `0x${evm.bytecode.object}` }
  }
  mkdirSync(join(root, '.cache'), { recursive: true })
  writeFileSync(cached, JSON.stringify(artifacts))
  return artifacts
}
