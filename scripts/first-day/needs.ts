import fs from 'node:fs'
import path from 'node:path'
import { callChain, fundOperator, LOCAL_CHAIN_ID, prepareChain } from '../launcher/chain.ts'
import { startInboxServer } from '../launcher/inbox-server.ts'
import { freePort } from '../launcher/ports.ts'
import { awaitPostgres, preparePostgres } from '../launcher/postgres.ts'
import { spawnProgram, stopChild, until } from '../launcher/processes.ts'

/** The surroundings of an installation on its first day: an empty database, a chain, a mail server. */
export type Needs = {
  ownerUrl: string
  rpcUrls: string
  smtpUrl: string
  mailFolder: string
  /** Gives an operator coins for gas. */
  fund: (operator: string) => Promise<void>
  stop: () => Promise<void>
}

/** Starts them with their data in `folder`, which is emptied before. */
export async function startNeeds(folder: string): Promise<Needs> {
  const ending: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of ending.reverse()) await end()
  }
  try {
    for (const name of ['postgres', 'chain', 'mail'])
      fs.rmSync(path.join(folder, name), { recursive: true, force: true })
    const mailFolder = path.join(folder, 'mail')
    fs.mkdirSync(mailFolder, { recursive: true })
    const [database, chain] = [await freePort(), await freePort()]
    const postgres = await preparePostgres({ dataDir: folder, port: database, password: 'of-the-owner' })
    for (const program of [postgres.program, prepareChain(folder, chain)]) {
      await program.prepare?.()
      const child = spawnProgram(program)
      ending.push(() => stopChild(child, program.stopSignal ?? 'SIGTERM'))
    }
    await awaitPostgres(postgres.url)
    const rpcUrl = `http://127.0.0.1:${chain}`
    await until('The chain', () => callChain(rpcUrl, 'eth_chainId').then(() => true))
    const inbox = await startInboxServer({ dir: mailFolder, port: 0 })
    ending.push(() => inbox.stop())
    return {
      ownerUrl: postgres.url,
      rpcUrls: `${LOCAL_CHAIN_ID}=${rpcUrl}`,
      smtpUrl: `smtp://127.0.0.1:${inbox.port}`,
      mailFolder,
      fund: (operator) => fundOperator(rpcUrl, operator),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
