import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '../../scripts/launcher/ports.ts'
import { stopChild } from '../../scripts/launcher/processes.ts'
import { sendGift } from './support/gift.ts'
import { stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

/** The settings that the launcher gave to the web process of all tests, in the manner of Linux. */
function settingsOf(pid: number): NodeJS.ProcessEnv {
  const lines = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
  const entries = lines.map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)])
  const settings = Object.fromEntries(entries) as NodeJS.ProcessEnv
  delete settings.NODE_CHANNEL_FD // the launcher's channel to it
  return settings
}

test('the web process runs on the files of the image alone', async () => {
  test.setTimeout(480_000)
  const image = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-image-'))
  const port = await freePort()
  const gift = await sendGift()
  try {
    const copied = spawnSync(process.execPath, ['scripts/image/files.ts', '--to', image], { encoding: 'utf8' })
    expect(copied.status, copied.stderr).toBe(0)
    const web = spawn(process.execPath, ['scripts/image/run.mjs', 'web'], {
      cwd: image,
      env: { ...settingsOf(stack().pids.web), PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    try {
      const statusOf = (page: string) =>
        fetch(`http://127.0.0.1:${port}${page}`, { redirect: 'manual' }).then(
          ({ status }) => status,
          () => 0,
        )
      await expect.poll(() => statusOf('/health/ready'), { timeout: 60_000 }).toBe(200)
      for (const page of [new URL(gift.url).pathname, '/docs', '/sign-in', '/openapi/public.json'])
        expect(await statusOf(page), page).toBe(200)
    } finally {
      await stopChild(web, 'SIGTERM')
    }
  } finally {
    fs.rmSync(image, { recursive: true, force: true })
  }
})
