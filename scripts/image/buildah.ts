import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Buildah without an engine: each file a copy, each process in a chroot, everything in `folder`. */
const BARE = ['--storage-driver', 'vfs']

export type Store = { folder: string }
const storeOf = ({ folder }: Store): string[] => [
  '--root',
  path.join(folder, 'storage'),
  '--runroot',
  path.join(folder, 'run'),
  ...BARE,
]

/**
 * Runs a command to its end, with its output on this terminal's standard error, and gives what it prints. Throws an
 * Error when it fails.
 */
function run(command: string, args: string[], input?: string): string {
  const done = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 64_000_000,
    ...(input !== undefined && { input }),
  })
  if (done.status === 0) return done.stdout.trim()
  throw new Error(
    `${command} ${args.slice(0, 6).join(' ')} failed: ${done.error?.message ?? `exit code ${done.status}`}`,
  )
}

export const buildah = (store: Store, ...args: string[]): string => run('buildah', [...storeOf(store), ...args])

/**
 * A stand-in for node:24-bookworm-slim, which can't be downloaded everywhere: Debian by debootstrap, with the Node.js
 * of our packages and this machine's npm.
 */
export function importBase(store: Store, name: string, root: string): void {
  const tree = path.join(store.folder, 'base')
  if (!fs.existsSync(path.join(tree, 'etc/os-release'))) {
    fs.rmSync(tree, { recursive: true, force: true })
    run('debootstrap', [
      '--variant=minbase',
      '--include=ca-certificates',
      'bookworm',
      tree,
      'http://deb.debian.org/debian',
    ])
    for (const unused of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale'])
      fs.rmSync(path.join(tree, unused), { recursive: true, force: true })
  }
  const npm = path.resolve(fs.realpathSync(run('which', ['npm'])), '../..')
  fs.copyFileSync(path.join(root, 'node_modules/node/bin/node'), path.join(tree, 'usr/local/bin/node'))
  fs.cpSync(npm, path.join(tree, 'usr/local/lib/node_modules/npm'), { recursive: true })
  for (const command of ['npm', 'npx']) {
    const link = path.join(tree, 'usr/local/bin', command)
    fs.rmSync(link, { force: true })
    fs.symlinkSync(`../lib/node_modules/npm/bin/${command}-cli.js`, link)
  }
  const container = buildah(store, 'from', 'scratch')
  buildah(store, 'add', '--quiet', container, tree, '/')
  buildah(store, 'commit', '--quiet', container, name)
  buildah(store, 'rm', container)
}

/** The machine's settings of npm and its certificates are lent to the build, and aren't in the image. */
export function build(store: Store, { root, base, name }: { root: string; base: string; name: string }): void {
  const lent = [path.join(os.homedir(), '.npmrc'), '/usr/etc/npmrc', '/etc/ssl/certs/ca-certificates.crt'].filter(
    (file) => fs.existsSync(file),
  )
  const inBuild = (file: string) =>
    file === '/usr/etc/npmrc' ? '/usr/local/etc/npmrc' : file.replace(os.homedir(), '/root')
  const volumes = lent.flatMap((file) => ['--volume', `${file}:${inBuild(file)}:ro`])
  buildah(
    store,
    'build',
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--ulimit',
    'nofile=16384:16384', // a chroot has a process's few, and npm opens more
    ...volumes,
    '--build-arg',
    `BASE=${base}`,
    '--tag',
    name,
    root,
  )
}

export type Container = {
  id: string
  files: string
  start: (command: string[], settings: Record<string, string>, output: fs.WriteStream) => ChildProcess
  remove: () => void
}

/** A container of the image: the user, folder and settings are the image's, network and host are this machine's. */
export function makeContainer(store: Store, image: string, volumes: Record<string, string>): Container {
  const id = buildah(store, 'from', '--pull-never', image)
  const files = buildah(store, 'mount', id)
  return {
    id,
    files,
    start(command, settings, output) {
      const { entrypoint } = configOf(store, image)
      const env = Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`])
      const mounts = Object.entries(volumes).flatMap(([at, folder]) => ['--volume', `${folder}:${at}`])
      const child = spawn(
        'buildah',
        [...storeOf(store), 'run', '--isolation', 'chroot', ...env, ...mounts, id, '--', ...entrypoint, ...command],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      )
      child.stdout.pipe(output, { end: false })
      child.stderr.pipe(output, { end: false })
      return child
    },
    remove: () => void buildah(store, 'rm', id),
  }
}

export type ImageConfig = {
  entrypoint: string[]
  command: string[]
  user: string
  settings: string[]
  hasHealthCheck: boolean
}

export function configOf(store: Store, image: string): ImageConfig {
  const { Docker } = JSON.parse(buildah(store, 'inspect', '--type', 'image', image)) as {
    Docker: { config: { Entrypoint: string[]; Cmd: string[]; User: string; Env: string[]; Healthcheck?: object } }
  }
  const { Entrypoint, Cmd, User, Env, Healthcheck } = Docker.config
  return { entrypoint: Entrypoint, command: Cmd, user: User, settings: Env, hasHealthCheck: Healthcheck !== undefined }
}
