import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The facts of a running sandbox, as the launcher writes them. */
export type Sandbox = {
  origin: string
  rpc_url: string
  chain_id: number
  /** The owner’s. */
  database_url: string
  /** That of web and worker; 0.1.0 has only the owner’s. */
  runtime_database_url: string
  organization_id: string
  api_key: string
  sign_in_url: string
  /** Makes names and addresses of this run differ from those of an earlier one. */
  mark: string
  /** Processes of 0.1.0 may answer, in tables of this version. */
  isBesideFirst?: boolean
}

export function readSandbox(dataDir: string): Sandbox {
  // Both files exist exactly while a sandbox runs.
  for (const name of ['processes.json', 'up.json'])
    if (!fs.existsSync(path.join(dataDir, name))) throw new Error(`No sandbox runs in ${dataDir}. Start it first.`)
  const facts = JSON.parse(fs.readFileSync(path.join(dataDir, 'up.json'), 'utf8')) as Omit<Sandbox, 'mark'>
  return { ...facts, mark: Date.now().toString(36) }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- read as it is on the wire, whatever the release sends
export type Answer = any
export type Api = ReturnType<typeof apiOf>

/** Calls of one key, or of nobody. Waits where it asks too often; any other refusal throws. */
export function apiOf(origin: string, key?: string) {
  const send = async (
    method: string,
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${origin}${url}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status === 429 && text.includes('"rate_limited"')) {
      await pause(Number(response.headers.get('retry-after') ?? 1) * 1_000)
      return send(method, url, body, headers)
    }
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  return {
    get: (url: string) => send('GET', url),
    post: (url: string, body: unknown = {}, headers?: Record<string, string>) => send('POST', url, body, headers),
    patch: (url: string, body: unknown) => send('PATCH', url, body),
    put: (url: string, body: unknown) => send('PUT', url, body),
    delete: (url: string) => send('DELETE', url),
  }
}

/** Asks again until the answer is as wanted, for two minutes: a block of the sandbox's chain is final after one. */
export async function until<T>(what: string, ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + 120_000; ; await pause(200)) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    if (Date.now() > deadline) throw new Error(`${what} took longer than two minutes: ${JSON.stringify(answer)}`)
  }
}

/** The newest PIN in a mailbox of the sandbox. */
export async function pinFor(origin: string, email: string): Promise<string> {
  const url = `${origin}/dev/mail.json?to=${encodeURIComponent(email)}`
  type Mail = { subject: string; text: string }
  const pins = await until(
    `A PIN for ${email}`,
    async () => {
      const mails = (await (await fetch(url)).json()) as Mail[]
      const about = mails.filter(({ subject }) => /\b(PIN|code)\b/i.test(subject))
      return about.flatMap(({ subject, text }) => /\b\d{6}\b/.exec(`${subject}\n${text}`) ?? [])
    },
    (found) => found.length > 0,
  )
  return pins[0]!
}
