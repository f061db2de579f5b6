import type { Log } from '../base/log.ts'
import type { Files } from './files.ts'
import { FolderFiles } from './folder.ts'

/** What says where uploads are kept. */
export interface FilesOptions {
  /** A folder's path, or `s3://bucket/prefix`. */
  readonly address: string
  /** Where the service itself answers for uploads: `/uploads`, below the site's prefix. */
  readonly path: string
  /** What stands in front of names where browsers get them, in place of `path`: a public bucket or a CDN. */
  readonly url?: string | undefined
  /** Of a bucket that is not at Amazon: `https://s3.example.org`. */
  readonly endpoint?: string | undefined
  readonly log: Log
}

/** Opens where uploads are kept. Nothing is asked of a bucket yet, so one that is down keeps nobody from starting. */
export async function openFiles(options: FilesOptions): Promise<Files> {
  const isServedElsewhere = options.url !== undefined
  const base = options.url?.replace(/\/+$/, '') ?? options.path
  if (options.address.startsWith('s3:')) {
    const { BucketFiles, bucketAddress } = await import('./bucket.ts')
    return new BucketFiles(bucketAddress(options.address), { ...options, base, isServedElsewhere })
  }
  const files = new FolderFiles(options.address, base, options.log, isServedElsewhere)
  await files.clean()
  return files
}
