import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** What a name server says of a name: its TXT records, that there are none, that it fails, or nothing at all. */
export type DnsAnswer = readonly string[] | 'no such name' | 'failure' | 'silence'

const RCODES = { 'no such name': 3, failure: 2 } as const

/** A name server for TXT records on a port of its own, until the test ends. `asked`: the names, in order. */
export async function startDnsServer(
  answerOf: (name: string) => DnsAnswer,
): Promise<{ address: string; asked: string[] }> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (; query[at]! > 0; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    const name = labels.join('.').toLowerCase()
    asked.push(name)
    const answer = answerOf(name)
    if (answer === 'silence') return
    const records = typeof answer === 'string' ? [] : answer.map(recordOf)
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (typeof answer === 'string' ? RCODES[answer] : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

/** A TXT record of the name that was asked for, in parts of at most 255 bytes. */
function recordOf(text: string): Buffer {
  const parts = (text.match(/[^]{1,255}/g) ?? ['']).map((part) => Buffer.from(part, 'latin1'))
  const data = Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), part]))
  const head = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 0, data.length >> 8, data.length & 255])
  return Buffer.concat([head, data])
}
