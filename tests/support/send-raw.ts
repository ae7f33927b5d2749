import { connect } from 'node:net'

/**
 * Sends text as it is, then pieces for as long as the server takes them, and gives everything it answers until it
 * closes its side. `stubborn`: goes on sending until the connection breaks.
 */
export function sendRaw(
  port: number,
  head: string,
  pieces: Iterable<Uint8Array> = [],
  stubborn = false,
): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const rest = pieces[Symbol.iterator]()
  let answer = ''
  const pump = () => {
    for (let next = rest.next(); !next.done; next = rest.next()) if (!socket.write(next.value)) return
  }
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')))
  socket.on('drain', pump)
  if (!stubborn) socket.on('end', () => socket.destroy())
  socket.on('error', () => undefined) // the server closes while we send
  return new Promise((resolve) => {
    socket.on('close', () => resolve(answer))
    socket.write(head, pump)
  })
}

/**
 * The pieces of a chunked body of `bytes` bytes, with its end: 64 KiB each, in one chunk or in many of `size` bytes.
 */
export function* chunks(bytes: number, size = 64 * 1024): Generator<Uint8Array> {
  const data = Buffer.alloc(size, 'x')
  const chunk = Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])
  const piece = Buffer.concat(Array.from({ length: (64 * 1024) / size }, () => chunk))
  for (let sent = 0; sent < bytes; sent += 64 * 1024) yield piece
  yield Buffer.from('0\r\n\r\n')
}
