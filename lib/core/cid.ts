import { importer } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { balanced } from 'ipfs-unixfs-importer/layout'
import type { CID } from 'multiformats/cid'

/** Bytes of one leaf block, as in `ipfs add --cid-version 1`. */
export const CHUNK_BYTES = 262_144
/**
 * The UnixFS layout of `ipfs add --cid-version 1`: raw leaves, a balanced tree of at most 174 links a node, a single
 * leaf is its own root.
 */
const layout = () =>
  ({
    cidVersion: 1,
    rawLeaves: true,
    reduceSingleLeafToSelf: true,
    wrapWithDirectory: false,
    chunker: fixedSize({ chunkSize: CHUNK_BYTES }),
    layout: balanced({ maxChildrenPerNode: 174 }),
  }) as const

type OnBlock = (cid: CID, block: Uint8Array) => void

async function rootOf(bytes: Uint8Array, onBlock: OnBlock): Promise<CID> {
  const put = async (cid: CID, block: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => {
    const pieces: Uint8Array[] = []
    if (block instanceof Uint8Array) pieces.push(block)
    else for await (const piece of block) pieces.push(piece)
    onBlock(cid, Buffer.concat(pieces))
    return cid
  }
  for await (const { cid } of importer([{ content: bytes }], { put }, layout())) return cid
  throw new Error('A file without a root.')
}

/** A file's CID (version 1, base32), equal to what `ipfs add --cid-version 1` of a Kubo node gives. */
export const cidOf = async (bytes: Uint8Array): Promise<string> => (await rootOf(bytes, () => undefined)).toString()

/** A file's blocks as one CARv1 archive. A service that imports it stores exactly these blocks, and so the same CID. */
export async function archiveOf(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const sections = new Map<string, Uint8Array>()
  const root = await rootOf(bytes, (cid, block) => void sections.set(cid.toString(), framed(cid.bytes, block)))
  return new Uint8Array(Buffer.concat([framed(headerOf(root)), ...sections.values()]))
}

/** `{roots: [cid], version: 1}` in DAG-CBOR: a link is tag 42 around a zero byte and the CID's bytes. */
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

/** A CAR section: its length as an unsigned LEB128, then its bytes. */
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
