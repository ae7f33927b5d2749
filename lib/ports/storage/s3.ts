import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { assertName, contentTypeOf } from './names.ts'
import type { Storage } from './storage.ts'

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
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(accessKeyId && { credentials: { accessKeyId, secretAccessKey } }),
    // Not every S3-compatible server supports the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    async put(name, bytes, contentType) {
      assertName(name, contentType)
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: name,
          Body: bytes,
          ContentType: contentType,
          CacheControl: 'public, max-age=31536000, immutable',
        }),
      )
    },
    async get(name) {
      const contentType = contentTypeOf(name)
      if (!contentType) return null
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: name }))
        if (!Body) throw new Error(`The bucket answers ${name} without a body.`)
        return { bytes: await Body.transformToByteArray(), contentType }
      } catch (error) {
        if (error instanceof NoSuchKey) return null
        throw error
      }
    },
    async remove(name) {
      if (contentTypeOf(name)) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: name }))
    },
  }
}
