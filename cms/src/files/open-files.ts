import type { Log } from '../base/log.ts'
import { hasCode } from '../base/thrown.ts'
import { type Files, UnusableStorage } from './files.ts'
import { FolderFiles } from './folder.ts'
import { assertUsable } from './folder-access.ts'

const LIBRARY = '@aws-sdk/client-s3'

/** Where uploads are stored. */
interface FilesOptions {
  /** A folder's path, or `s3://bucket/prefix`. */
  readonly address: string
  /** The path at which the service serves uploads: `/uploads`, below the site's prefix. */
  readonly path: string
  /** The base of public URLs, in place of `path`: a public bucket or a CDN. */
  readonly url?: string | undefined
  /** The endpoint of a bucket outside Amazon: `https://s3.example.org`. */
  readonly endpoint?: string | undefined
  readonly log: Log
  /** Whether the log says at the start where nothing can be stored; true when left out. */
  readonly tells?: boolean | undefined
}

/** Opens the storage of uploads. A bucket is not contacted yet, so one that is down does not prevent the start. */
export async function openFiles(options: FilesOptions): Promise<Files> {
  const isServedElsewhere = options.url !== undefined
  const base = options.url?.replace(/\/+$/, '') ?? options.path
  if (options.address.startsWith('s3:')) {
    const { BucketFiles, bucketAddress } = await import('./bucket.ts').catch(explainMissing)
    return new BucketFiles(bucketAddress(options.address), { ...options, base, isServedElsewhere })
  }
  const files = new FolderFiles(options.address, base, options.log, isServedElsewhere)
  await files.clean()
  if (options.tells !== false) {
    await assertUsable(options.address).catch((error) => {
      options.log.warn({ folder: options.address, reason: String(error) }, NOT_WRITABLE)
    })
  }
  return files
}

const NOT_WRITABLE = 'Uploads cannot be stored in this folder. Check QUIRE_UPLOADS, and who may write there.'

/** A site that stores its uploads in a folder need not install what speaks to buckets. */
function explainMissing(error: unknown): never {
  if (!hasCode(error, 'ERR_MODULE_NOT_FOUND') || !error.message.includes(LIBRARY)) throw error
  throw new UnusableStorage(`Storing uploads in a bucket needs the package ${LIBRARY}. Run: npm install ${LIBRARY}`)
}
