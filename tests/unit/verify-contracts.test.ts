import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { decodeAbiParameters } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { vitrine1155Bytecode, vitrine721Bytecode, vitrineFactoryBytecode } from '../../lib/core/contracts/abi.ts'
import { type StandardJson, standardJsonOf } from '../../scripts/standard-json.ts'
import { type Verification, verifyContract } from '../../scripts/verify-contracts.ts'

const ADDRESS = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const PREFIX = 'https://vitrine.example/public/v1/metadata/'
const solc = createRequire(import.meta.url)('solc') as { compile: (input: string) => string; version: () => string }

type ExplorerRequest = { method: string; query: URLSearchParams; form: URLSearchParams }
let server: Server | null = null
afterEach(() => server?.close())

/** A fake explorer that gives these answers in turn and records the requests. */
async function startExplorer(answers: (object | string)[]) {
  const requests: ExplorerRequest[] = []
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url!, 'http://localhost')
    requests.push({
      method: request.method!,
      query: url.searchParams,
      form: new URLSearchParams(Buffer.concat(chunks).toString()),
    })
    const answer = answers[requests.length - 1]!
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/api`
  const verify = (given: Partial<Verification> = {}) =>
    verifyContract({
      networkId: 137,
      contract: 'Vitrine721',
      address: ADDRESS,
      apiUrl,
      apiKey: 'key',
      metadataPrefix: PREFIX,
      pollMs: 1,
      polls: 5,
      ...given,
    })
  return { requests, verify }
}

const ok = (result: string) => ({ status: '1', message: 'OK', result })
const no = (result: string) => ({ status: '0', message: 'NOTOK', result })

test('the standard JSON of each contract compiles to the deployed bytecode', { timeout: 180_000 }, () => {
  const deployed = {
    Vitrine721: vitrine721Bytecode,
    Vitrine1155: vitrine1155Bytecode,
    VitrineFactory: vitrineFactoryBytecode,
  } as const
  for (const [name, bytecode] of Object.entries(deployed)) {
    const output = JSON.parse(solc.compile(JSON.stringify(standardJsonOf(name as keyof typeof deployed))))
    expect(`0x${output.contracts[`contracts/src/${name}.sol`][name].evm.bytecode.object}` === bytecode, name).toBe(true)
  }
})

test('sources, settings and constructor arguments are posted, then the verdict is polled', async () => {
  const { requests, verify } = await startExplorer([ok('guid-1'), no('Pending in queue'), ok('Pass - Verified')])
  expect(await verify()).toBe('Pass - Verified')

  const [posted, ...polls] = requests
  expect(posted!.method).toBe('POST')
  expect(posted!.query.get('chainid')).toBe('137')
  const form = Object.fromEntries(posted!.form)
  expect(form).toMatchObject({
    module: 'contract',
    action: 'verifysourcecode',
    apikey: 'key',
    contractaddress: ADDRESS,
    codeformat: 'solidity-standard-json-input',
    contractname: 'contracts/src/Vitrine721.sol:Vitrine721',
    compilerversion: `v${solc.version().split('.Emscripten')[0]}`,
    licenseType: '3',
  })
  expect((JSON.parse(form.sourceCode!) as StandardJson).settings.evmVersion).toBe(
    standardJsonOf('Vitrine721').settings.evmVersion,
  )
  expect(decodeAbiParameters([{ type: 'string' }], `0x${form.constructorArguements}`)).toEqual([PREFIX])
  expect(
    polls.map(({ method, query }) => [method, query.get('action'), query.get('guid'), query.get('chainid')]),
  ).toEqual([
    ['GET', 'checkverifystatus', 'guid-1', '137'],
    ['GET', 'checkverifystatus', 'guid-1', '137'],
  ])
})

test('the factory is posted without constructor arguments, and Blockscout without a key', async () => {
  const { requests, verify } = await startExplorer([ok('guid-1'), ok('Pass - Verified')])
  await verify({ contract: 'VitrineFactory', apiKey: '' })
  expect(requests[0]!.form.get('constructorArguements')).toBe('')
  expect(requests.every(({ form, query }) => !form.has('apikey') && !query.has('apikey'))).toBe(true)
})

test('a contract that the explorer has verified before counts as verified', async () => {
  const { requests, verify } = await startExplorer([no('Contract source code already verified')])
  expect(await verify()).toBe('Contract source code already verified')
  expect(requests).toHaveLength(1)
})

test('sources are posted again until the explorer has seen the contract', async () => {
  const { requests, verify } = await startExplorer([
    no('Unable to locate ContractCode at 0x5FbD'),
    ok('guid-2'),
    ok('Pass - Verified'),
  ])
  expect(await verify()).toBe('Pass - Verified')
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET'])
})

test.each([
  ['a refused key', [no('Invalid API Key')], 'The explorer did not take the sources of Vitrine721: Invalid API Key.'],
  [
    'other bytecode',
    [ok('guid'), no('Fail - Unable to verify')],
    `The explorer did not verify Vitrine721 at ${ADDRESS}: Fail - Unable to verify.`,
  ],
  [
    'no verdict',
    [ok('guid'), ...Array.from({ length: 5 }, () => no('Pending in queue'))],
    'The explorer has no verdict yet.',
  ],
  ['a page instead of an API', ['<html>'], "answer isn't JSON"],
])('%s is reported', async (_what, answers, message) => {
  const { verify } = await startExplorer(answers)
  await expect(verify()).rejects.toThrow(message)
})
