import fs from 'node:fs'
import path from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { callChain, fundOperator, LOCAL_CHAIN_ID, prepareChain } from '../launcher/chain.ts'
import { startInboxServer } from '../launcher/inbox-server.ts'
import { choosePorts, freePort, freeStackPort } from '../launcher/ports.ts'
import { awaitPostgres, preparePostgres, removePostgres } from '../launcher/postgres.ts'
import { logFile, runToEnd, spawnProgram, stopChild, tailOf, until } from '../launcher/processes.ts'
import { readOrCreateSecrets } from '../launcher/secrets.ts'
import { startBalancer } from './balancer.ts'

/** A checkout of a release: its folder, and the settings that its processes have apart from those of all. */
export type Release = { name: string; root: string; env: NodeJS.ProcessEnv }

export type Stack = Awaited<ReturnType<typeof startStack>>

/** PostgreSQL, a chain, a mail server and a balancer, which processes of several releases share. */
export async function startStack(dataDir: string) {
  const ports = await choosePorts(await freeStackPort())
  const secrets = readOrCreateSecrets(dataDir)
  const postgres = await preparePostgres({ dataDir, port: ports.postgres, password: secrets.DATABASE_PASSWORD })
  const chain = prepareChain(dataDir, ports.chain)
  await chain.prepare?.()
  const started = [
    { child: spawnProgram(postgres.program), signal: postgres.program.stopSignal ?? 'SIGTERM' },
    { child: spawnProgram(chain), signal: 'SIGTERM' as const },
  ]
  const rpcUrl = `http://127.0.0.1:${ports.chain}`
  await awaitPostgres(postgres.url)
  await until('The chain', () => callChain(rpcUrl, 'eth_chainId').then(() => true))
  await fundOperator(rpcUrl, privateKeyToAddress(secrets.OPERATOR_KEYS as `0x${string}`))
  const mailDir = path.join(dataDir, 'mail')
  const inbox = await startInboxServer({ dir: mailDir, port: ports.smtp })
  const balancer = await startBalancer(ports.web)
  const origin = `http://localhost:${ports.web}`
  const runtime = { username: secrets.LOGIN_USER, password: secrets.LOGIN_PASSWORD }
  return {
    origin,
    rpcUrl,
    mailDir,
    balancer,
    ownerUrl: postgres.url,
    runtimeUrl: Object.assign(new URL(postgres.url), runtime).toString(),
    env: {
      ...process.env,
      NODE_ENV: 'production' as const,
      NEXT_TELEMETRY_DISABLED: '1',
      VITRINE_SANDBOX: '1',
      HOST: '127.0.0.1',
      ORIGIN: origin,
      NEXTAUTH_URL: origin,
      SERVER_KEY: secrets.SERVER_KEY,
      NEXTAUTH_SECRET: secrets.NEXTAUTH_SECRET,
      OPERATOR_KEYS: secrets.OPERATOR_KEYS,
      MEDIA_DIR: path.join(dataDir, 'media'),
      DEV_MAIL_DIR: mailDir,
      SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
      RPC_URLS: `${LOCAL_CHAIN_ID}=${rpcUrl}`,
      EGRESS_ALLOW: '127.0.0.0/8',
      // The stories have the same buyers each time, from one address.
      PROOF_OF_WORK: 'off',
      OPEN_INTENTS_PER_BUYER: '0',
      OPEN_INTENTS_PER_CLIENT: '0',
    },
    async stop() {
      balancer.close()
      await inbox.stop()
      for (const { child, signal } of started.reverse()) await stopChild(child, signal)
      removePostgres(dataDir)
    },
  }
}

/** Runs a script of a release to its end, and gives what it printed. */
export const runScript = ({ name, root, env }: Release, script: string, ...args: string[]): Promise<string> =>
  runToEnd(`${script} of ${name}`, process.execPath, [path.join('scripts', script), ...args], env, root)

/** Starts a process of a release. Its output goes to a file of the data folder. */
function startProcess({ name, root, env }: Release, dataDir: string, what: string, script: string) {
  const child = spawnProgram({
    name: `The ${what} of ${name}`,
    command: process.execPath,
    args: [path.join('scripts', script)],
    env,
    cwd: root,
    channel: true,
    output: logFile(dataDir, `${what}-${name}`),
  })
  return { stop: () => stopChild(child, 'SIGTERM', 30_000) }
}

export const startWorker = (release: Release, dataDir: string) => startProcess(release, dataDir, 'worker', 'worker.ts')

/** Starts a web process that the balancer passes requests to until it is stopped. */
export async function startWeb(release: Release, dataDir: string, { balancer }: Stack) {
  const port = await freePort()
  const script = fs.existsSync(path.join(release.root, 'scripts/start.mjs')) ? 'start.mjs' : 'web.ts'
  const env = { ...release.env, PORT: String(port) }
  const web = startProcess({ ...release, env }, dataDir, 'web', script)
  const isLive = () => fetch(`http://127.0.0.1:${port}/health/live`).then(({ status }) => status < 500)
  await until(`The web process of ${release.name}`, isLive, 180_000).catch((error: Error) => {
    throw new Error(`${error.message}\n${tailOf(path.join(dataDir, 'logs', `web-${release.name}.log`))}`)
  })
  balancer.add(port)
  return {
    port,
    async stop() {
      balancer.remove(port)
      await web.stop()
    },
  }
}
