import { markMetadata } from '../../lib/catalog/items/mark-metadata.ts'
import { openMetadataReader } from '../../lib/catalog/items/read-foreign-metadata.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'

/** Reads all metadata of foreign tokens that is due. Returns how many tokens were read. */
export async function readMetadata(): Promise<number> {
  const worker = () => systemContext('test')
  while ((await markMetadata(worker())) > 0);
  const reader = openMetadataReader(worker)
  let count = 0
  for (let begun = await reader.begin(); begun > 0; begun = await reader.begin()) {
    count += begun
    await reader.idle()
  }
  return count
}
