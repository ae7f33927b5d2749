import { spawn } from 'node:child_process'

const RASTERIZE_TIMEOUT_MS = 6_000

/**
 * An SVG can demand unbounded work, and the library that renders it can't be interrupted. So a separate process renders
 * it, which gets none of our settings and is killed after a timeout.
 */
const RASTERIZER = `
  import sharp from 'sharp'
  const [longest, pixels] = process.argv.slice(1).map(Number)
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const size = { width: longest, height: longest, fit: 'inside', withoutEnlargement: true }
  const drawing = sharp(Buffer.concat(chunks), { limitInputPixels: pixels, failOn: 'error', density: 144 })
  process.stdout.write(await drawing.resize(size).png({ compressionLevel: 2 }).toBuffer())
`

/** An SVG as a PNG. Rejects with the library's own message, or with `timeout`. */
export function rasterizeSvg(
  bytes: Uint8Array,
  { longest, pixels }: { longest: number; pixels: number },
): Promise<Uint8Array> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', RASTERIZER, String(longest), String(pixels)],
    {
      env: { NODE_ENV: 'production', PATH: '/usr/bin:/bin' },
      timeout: RASTERIZE_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    },
  )
  const [png, errors]: [Uint8Array[], Uint8Array[]] = [[], []]
  child.stdout.on('data', (chunk: Uint8Array) => png.push(chunk))
  child.stderr.on('data', (chunk: Uint8Array) => errors.push(chunk))
  child.stdin.on('error', () => undefined) // the process may end before it has read everything
  child.stdin.end(bytes)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(png))
      else reject(new Error(signal === 'SIGKILL' ? 'timeout' : Buffer.concat(errors).toString('utf8').slice(0, 4000)))
    })
  })
}
