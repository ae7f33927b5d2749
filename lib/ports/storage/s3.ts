import type { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { assertName, contentTypeOf } from './names.ts'
import { type Storage, StorageUnavailable } from './storage.ts'

export type S3Settings = {
  bucket: string
  region: string
  /** The URL of an S3-compatible server; empty: Amazon's. */
  endpoint: string
  /** Empty: the AWS SDK's default credentials. */
  accessKeyId: string
  secretAccessKey: string
}

/** Objects in one bucket. It needs no public access, since the application serves them. */
export function s3Storage({ bucket, region, endpoint, accessKeyId, secretAccessKey }: S3Settings): Storage {
  let made: S3Client | undefined
  // The SDK is loaded at its first use: it takes 36 MB of memory, which an installation without a bucket never needs.
  const open = async () => {
    const sdk = await import('@aws-sdk/client-s3')
    made ??= new sdk.S3Client({
      region,
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(accessKeyId && { credentials: { accessKeyId, secretAccessKey } }),
      // Not every S3-compatible server supports the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
    return { sdk, client: made }
  }
  const unavailable = (error: unknown): never => {
    const { name, message, $metadata } = error as Partial<S3ServiceException> & Error
    const status = $metadata?.httpStatusCode
    const said = [status && `it answers ${status}`, name, message !== name && message].filter(Boolean).join(', ')
    const toDo =
      status === 507 ? 'it is full: free or add space' : 'see that it runs, and that its key may get, put and delete'
    throw new StorageUnavailable(`The bucket ${bucket} of S3_BUCKET can’t be used: ${toDo} (${said}).`, {
      cause: error,
    })
  }
  return {
    async put(name, bytes, contentType) {
      assertName(name, contentType)
      const { sdk, client } = await open()
      const put = new sdk.PutObjectCommand({
        Bucket: bucket,
        Key: name,
        Body: bytes,
        ContentType: contentType,
        CacheControl: 'public, max-age=31536000, immutable',
      })
      await client.send(put).catch(unavailable)
    },
    async get(name) {
      const contentType = contentTypeOf(name)
      if (!contentType) return null
      const { sdk, client } = await open()
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: name }))
        if (!Body) throw new Error(`The bucket answers ${name} without a body.`)
        return { bytes: await Body.transformToByteArray(), contentType }
      } catch (error) {
        return error instanceof sdk.NoSuchKey ? null : unavailable(error)
      }
    },
    async remove(name) {
      if (!contentTypeOf(name)) return
      const { sdk, client } = await open()
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: name })).catch(unavailable)
    },
  }
}
