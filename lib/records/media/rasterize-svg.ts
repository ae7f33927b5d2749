import { spawn } from 'node:child_process'

const RASTERIZE_TIMEOUT_MS = 6_000

/**
 * A drawing can ask for more work than any machine can do, and the library that draws it can't be interrupted: so it is drawn by a
 * process of its own, which knows no secret of ours and is ended when it takes too long.
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

/** An SVG as a PNG. Throws what the library says against it, or that it takes too long. */
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
  const [drawn, said]: [Uint8Array[], Uint8Array[]] = [[], []]
  child.stdout.on('data', (chunk: Uint8Array) => drawn.push(chunk))
  child.stderr.on('data', (chunk: Uint8Array) => said.push(chunk))
  child.stdin.on('error', () => undefined) // it may have ended before it has read all
  child.stdin.end(bytes)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(drawn))
      else reject(new Error(signal === 'SIGKILL' ? 'timeout' : Buffer.concat(said).toString('utf8').slice(0, 4000)))
    })
  })
}
