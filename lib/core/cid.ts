import { importer } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { balanced } from 'ipfs-unixfs-importer/layout'
import type { CID } from 'multiformats/cid'

/** How `ipfs add --cid-version 1` lays a file out: raw leaves of 256 KiB, a balanced tree of at most 174 links a node, one leaf standing for itself. */
export const CHUNK_BYTES = 262_144
const layout = () =>
  ({
    cidVersion: 1,
    rawLeaves: true,
    reduceSingleLeafToSelf: true,
    wrapWithDirectory: false,
    chunker: fixedSize({ chunkSize: CHUNK_BYTES }),
    layout: balanced({ maxChildrenPerNode: 174 }),
  }) as const

type Keep = (cid: CID, block: Uint8Array) => void

async function rootOf(bytes: Uint8Array, keep: Keep): Promise<CID> {
  const put = async (cid: CID, block: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => {
    const pieces: Uint8Array[] = []
    if (block instanceof Uint8Array) pieces.push(block)
    else for await (const piece of block) pieces.push(piece)
    keep(cid, Buffer.concat(pieces))
    return cid
  }
  for await (const { cid } of importer([{ content: bytes }], { put }, layout())) return cid
  throw new Error('A file without a root.')
}

/** A file's CID, the same that a Kubo node answers for it. */
export const cidOf = async (bytes: Uint8Array): Promise<string> => (await rootOf(bytes, () => undefined)).toString()

/** A file's whole tree as one archive (CAR, version 1): whoever takes it in holds exactly these blocks, and so this CID. */
export async function archiveOf(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const sections = new Map<string, Uint8Array>()
  const root = await rootOf(bytes, (cid, block) => void sections.set(cid.toString(), framed(cid.bytes, block)))
  return new Uint8Array(Buffer.concat([framed(headerOf(root)), ...sections.values()]))
}

/** `{roots: [cid], version: 1}` in DAG-CBOR: a link is tag 42 around the CID's bytes with a zero before them. */
const headerOf = ({ bytes }: CID): Uint8Array =>
  Buffer.concat([
    Buffer.from([0xa2, 0x65]),
    Buffer.from('roots'),
    Buffer.from([0x81, 0xd8, 0x2a, 0x58, bytes.length + 1, 0x00]),
    bytes,
    Buffer.from([0x67]),
    Buffer.from('version'),
    Buffer.from([0x01]),
  ])

/** A section with its length before it, as an unsigned LEB128. */
function framed(...parts: Uint8Array[]): Uint8Array {
  const section = Buffer.concat(parts)
  const length: number[] = []
  for (let rest = section.length; ; rest >>>= 7) {
    if (rest < 0x80) {
      length.push(rest)
      return Buffer.concat([Buffer.from(length), section])
    }
    length.push((rest & 0x7f) | 0x80)
  }
}
