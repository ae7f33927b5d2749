import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { env } from '../../lib/core/env.ts'

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
const text = (bytes: Buffer) => bytes.toString('base64url')

const [USER_PRESENT, USER_VERIFIED, ATTESTED] = [0x01, 0x04, 0x40]

/** What an authenticator says instead of the truth. */
export type Lies = {
  challenge?: string
  origin?: string
  rpId?: string
  userVerified?: boolean
  counter?: number
  type?: string
  userHandle?: string
  /** Answers with this credential's id. */
  credentialId?: string
}

/** A passkey in software: an ES256 key, which signs as WebAuthn says (Web Authentication Level 3, 6.1 and 6.5). */
export function makeAuthenticator({ credentialId = text(randomBytes(16)) } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
  let counter = 0
  let userHandle: string | undefined

  const clientDataOf = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? env.ORIGIN,
        crossOrigin: false,
      }),
    )

  function authenticatorDataOf(lies: Lies, attested?: Buffer): Buffer {
    counter++
    const head = Buffer.alloc(5)
    head[0] = USER_PRESENT | (lies.userVerified === false ? 0 : USER_VERIFIED) | (attested ? ATTESTED : 0)
    head.writeUInt32BE(lies.counter ?? counter, 1)
    return Buffer.concat([sha256(lies.rpId ?? new URL(env.ORIGIN).hostname), head, attested ?? Buffer.alloc(0)])
  }

  /** A COSE key (RFC 9053): EC2, ES256, P-256. */
  const coseKey = () =>
    Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])

  const answer = (response: object, id = credentialId) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    credentialId,
    /** Answers `navigator.credentials.create`. */
    register({ challenge, user }: { challenge: string; user: { id: string } }, lies: Lies = {}) {
      userHandle = user.id
      const id = Buffer.from(credentialId, 'base64url')
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = authenticatorDataOf(lies, Buffer.concat([Buffer.alloc(16), length, id, coseKey()]))
      const size = Buffer.alloc(2)
      size.writeUInt16BE(data.length)
      // {fmt: "none", attStmt: {}, authData: …} in CBOR
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x59]),
        size,
        data,
      ])
      return answer({
        clientDataJSON: text(clientDataOf('webauthn.create', challenge, lies)),
        attestationObject: text(attestation),
        transports: ['internal'],
      })
    },
    /** Answers `navigator.credentials.get`. */
    signIn({ challenge }: { challenge: string }, lies: Lies = {}) {
      const clientData = clientDataOf('webauthn.get', challenge, lies)
      const data = authenticatorDataOf(lies)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)
      return answer(
        {
          clientDataJSON: text(clientData),
          authenticatorData: text(data),
          signature: text(signature),
          userHandle: lies.userHandle ?? userHandle,
        },
        lies.credentialId,
      )
    },
  }
}

export type Authenticator = ReturnType<typeof makeAuthenticator>
