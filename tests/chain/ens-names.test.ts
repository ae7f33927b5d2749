import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { concatHex, createWalletClient, encodeAbiParameters, http, keccak256, parseAbi, toHex, type Hex } from 'viem'
import { foundry, mainnet } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ensNames } from '../../lib/ports/names/ens-names.ts'
import { guardedFetcher } from '../../lib/ports/storage/guarded-fetcher.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { compiled } from '../support/foreign-contract.ts'
import { receiptOf } from '../support/receipt-of.ts'

/**
 * Answers as ENS's universal resolver does, for names that each do something else. The key of a name's owner is a word
 * that both know.
 */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;
contract Resolver {
  error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
  address constant ALICE = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;
  string public gateway;
  function setGateway(string calldata url) external { gateway = url; }
  function is_(bytes calldata name, string memory word) internal pure returns (bool) {
    return keccak256(name[1:1 + uint8(name[0])]) == keccak256(bytes(word));
  }
  function resolveWithGateways(bytes calldata name, bytes calldata, string[] calldata) external view returns (bytes memory, address) {
    if (is_(name, "alice")) return (abi.encode(ALICE), address(this));
    if (is_(name, "nobody")) return (abi.encode(address(0)), address(this));
    if (is_(name, "inside")) lookUp("http://10.0.0.1/{sender}/{data}", "inside");
    if (is_(name, "file")) lookUp("file:///etc/passwd", "file");
    if (is_(name, "posted")) lookUp(string.concat(gateway, "/posted"), "posted");
    if (is_(name, "forever")) lookUp(string.concat(gateway, "/honest/{sender}/{data}"), "forever");
    if (is_(name, "lied")) lookUp(string.concat(gateway, "/lied/{sender}/{data}"), "lied");
    if (is_(name, "broken")) lookUp(string.concat(gateway, "/broken/{sender}/{data}"), "broken");
    if (is_(name, "offchain")) lookUp(string.concat(gateway, "/honest/{sender}/{data}"), "offchain");
    revert("No such name.");
  }
  function lookUp(string memory url, string memory word) internal view {
    string[] memory urls = new string[](1);
    urls[0] = url;
    revert OffchainLookup(address(this), urls, bytes(word), this.answered.selector, bytes(word));
  }
  function answered(bytes calldata response, bytes calldata word) external view returns (bytes memory, address) {
    if (keccak256(word) == keccak256("forever")) lookUp(string.concat(gateway, "/honest/{sender}/{data}"), "forever");
    (address who, bytes32 proof) = abi.decode(response, (address, bytes32));
    require(proof == keccak256(abi.encodePacked(who, "owner")), "The gateway lied.");
    return (abi.encode(who), address(this));
  }
}`

const UNIVERSAL_RESOLVER = mainnet.contracts.ensUniversalResolver.address
const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const EVE = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const abi = parseAbi(['function setGateway(string url)'])

let chain: TestChain
let ask: (name: string) => Promise<Hex | null>
let asked: string[] = []

const signed = (who: Hex, signer: Hex = who) =>
  encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [who, keccak256(concatHex([signer, toHex('owner')]))])

async function answer(request: IncomingMessage, response: ServerResponse) {
  asked.push(`${request.method} ${request.url} ${await text(request)}`)
  const [, what] = request.url!.split('/')
  response.setHeader('content-type', 'application/json')
  if (what === 'broken') return response.end('{"data":"no hex"}')
  // It names itself in place of the owner's choice, with the proof of that one.
  response.end(JSON.stringify({ data: what === 'lied' ? signed(EVE, BOB) : signed(BOB) }))
}
const gateway = createServer((request, response) => void answer(request, response))

beforeAll(async () => {
  chain = await startChain()
  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  await chain.node.setCode({
    address: UNIVERSAL_RESOLVER,
    bytecode: compiled('Resolver', SOURCE, 'deployedBytecode'),
  })
  const wallet = createWalletClient({ account: chain.operator, chain: foundry, transport: http(chain.rpcUrl) })
  const hash = await wallet.writeContract({ address: UNIVERSAL_RESOLVER, abi, functionName: 'setGateway', args: [url] })
  await receiptOf(chain.client, hash)
  const names = ensNames(chain.chain, guardedFetcher(['127.0.0.1/32']))
  ask = (name) => names.addressOf(name)
})
afterAll(() => gateway.close())
beforeEach(() => {
  asked = []
})

test('a name gives its address, however it is written', async () => {
  expect(await ask('alice.eth')).toBe(ALICE)
  expect(await ask('ALICE.eth')).toBe(ALICE)
})

test('a name without an address, an unknown one and what isn’t a name give none', async () => {
  for (const name of ['nobody.eth', 'unknown.eth', 'alice', '', 'a..eth', 'al ice.eth', `${'a'.repeat(300)}.eth`])
    expect([name, await ask(name)]).toEqual([name, null])
})

test('a name that is kept off-chain is asked for at its gateway, by GET and by POST', async () => {
  expect(await ask('offchain.eth')).toBe(BOB)
  expect(await ask('posted.eth')).toBe(BOB)
  const sender = UNIVERSAL_RESOLVER.toLowerCase()
  expect(asked).toEqual([
    `GET /honest/${sender}/${toHex('offchain')} `,
    `POST /posted {"data":"${toHex('posted')}","sender":"${sender}"}`,
  ])
})

test('a gateway that lies, or answers with something else, gives no address', async () => {
  expect(await ask('lied.eth')).toBeNull()
  expect(await ask('broken.eth')).toBeNull()
  expect(asked).toHaveLength(2)
})

test('a gateway at a private address, or of another scheme, is not asked', async () => {
  expect(await ask('inside.eth')).toBeNull()
  expect(await ask('file.eth')).toBeNull()
  const strict = ensNames(chain.chain, guardedFetcher([]))
  expect(await strict.addressOf('offchain.eth')).toBeNull()
  expect(asked).toEqual([])
})

test('a contract that never stops asking is left after a few answers', async () => {
  expect(await ask('forever.eth')).toBeNull()
  expect(asked.length).toBeLessThanOrEqual(6)
})
