import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { unavailable } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import {
  type ByteRange,
  type FileContent,
  type FileFacts,
  type Files,
  type StoredFile,
  UnusableStorage,
} from './files.ts'
import { resumingStream } from './resuming-stream.ts'
import { servedAs } from './served-as.ts'
import { assertFileName, isFileName, urlPath } from './stored-names.ts'
import { WriteProof } from './write-proof.ts'

/** A bucket and the prefix of all names in it: empty, or ending with `/`. */
interface BucketAddress {
  readonly bucket: string
  readonly prefix: string
}

/** The settings of a bucket beyond its address. */
interface BucketOptions {
  /** The base of public URLs. */
  readonly base: string
  /** True when `base` is an address elsewhere. */
  readonly isServedElsewhere?: boolean
  readonly endpoint?: string | undefined
  readonly log: Log
  /** Milliseconds: for connecting, and without any data on a running request. */
  readonly timeouts?: { readonly connect: number; readonly idle: number }
}

/** Parses `s3://bucket/some/prefix`. Throws for anything else. */
export function bucketAddress(text: string): BucketAddress {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]*)(\/[^?#]*)?$/.exec(text) ?? []
  if (bucket === undefined)
    throw new UnusableStorage(`Uploads must be stored in s3://bucket or s3://bucket/prefix, not in “${text}”.`)
  const prefix = path.replace(/^\/+|\/+$/g, '')
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
}

const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
const ATTEMPTS = 3
const TIMEOUTS = { connect: 2_000, idle: 5_000 }
/** No retry starts later than this many milliseconds after the request, since a caller is waiting. */
const RETRY_TIME = 4_000
const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATED = 'public, no-cache'
/** Every slow reader holds one, and must not block the others. */
const MAX_CONNECTIONS = 5_000
/** How many names one request removes. */
const REMOVE_BATCH = 1000

/**
 * Uploads in an S3 bucket, at Amazon or any compatible service. Credentials and region are found as the AWS SDK finds
 * them. A bucket stores an object atomically.
 */
export class BucketFiles implements Files {
  readonly isServedElsewhere: boolean
  readonly #bucket: string
  readonly #prefix: string
  readonly #options: BucketOptions
  readonly #client: S3Client
  readonly #proof = new WriteProof()
  #checking: Promise<void> | null = null

  constructor({ bucket, prefix }: BucketAddress, options: BucketOptions) {
    const { connect, idle } = options.timeouts ?? TIMEOUTS
    const region = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION || (options.endpoint && 'us-east-1')
    this.isServedElsewhere = options.isServedElsewhere ?? false
    this.#bucket = bucket
    this.#prefix = prefix
    this.#options = options
    this.#client = new S3Client({
      ...(region ? { region } : {}),
      ...(options.endpoint ? { endpoint: options.endpoint, forcePathStyle: true } : {}),
      // Not all compatible services know the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // Failures go to our own log; the library would write to the terminal.
      logger: SILENT,
      // Retries are made here, since a stream can be sent only once.
      maxAttempts: 1,
      requestHandler: {
        connectionTimeout: connect,
        socketTimeout: idle,
        httpAgent: { maxSockets: MAX_CONNECTIONS },
        httpsAgent: { maxSockets: MAX_CONNECTIONS },
      },
    })
  }

  async put(name: string, { source, mayChange = false }: FileContent): Promise<void> {
    const at = this.#at(name)
    const { type, disposition } = servedAs(name)
    const length = source instanceof Uint8Array ? source.length : (await stat(source.path)).size
    const command = () =>
      new PutObjectCommand({
        ...at,
        Body: source instanceof Uint8Array ? source : createReadStream(source.path),
        ContentLength: length,
        ContentType: type,
        ContentDisposition: disposition,
        CacheControl: mayChange ? REVALIDATED : IMMUTABLE,
      })
    await this.#proof.of(() => this.#attempt(() => this.#client.send(command())))
  }

  async open(name: string, range?: ByteRange): Promise<StoredFile | null> {
    const got = await this.#get(name, range)
    if (got === null) return null
    const total = Number(/\/(\d+)$/.exec(got.ContentRange ?? '')?.[1] ?? got.ContentLength)
    const start = range?.start ?? 0
    const stream = resumingStream(bodyOf(got), async (read) => {
      const rest = await this.#get(name, { start: start + read, end: range?.end ?? total - 1 }, got.ETag)
      if (rest === null) throw this.#failed(new Error(`${name} is gone.`))
      return bodyOf(rest)
    })
    return { ...factsOf(total, got.ETag), bytes: null, stream }
  }

  async facts(name: string): Promise<FileFacts | null> {
    if (!isFileName(name)) return null
    const head = await this.#attempt(() => this.#client.send(new HeadObjectCommand(this.#at(name))))
    return head && factsOf(head.ContentLength ?? 0, head.ETag)
  }

  async fetch(name: string, path: string): Promise<boolean> {
    const isThere = await this.#attempt(async () => {
      const got = await this.#get(name)
      if (got === null) return false
      await pipeline(bodyOf(got), createWriteStream(path)).catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw error
      })
      return true
    })
    return isThere ?? false
  }

  async remove(names: readonly string[]): Promise<void> {
    for (let from = 0; from < names.length; from += REMOVE_BATCH) {
      const Objects = names.slice(from, from + REMOVE_BATCH).map((name) => ({ Key: this.#at(name).Key }))
      await this.#attempt(async () => {
        const command = new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } })
        const [failed] = (await this.#client.send(command)).Errors ?? []
        if (failed) throw new Error(`${failed.Key} was not removed: ${failed.Code} ${failed.Message}`)
      })
    }
  }

  async *list(prefix: string): AsyncGenerator<string> {
    let after: string | undefined
    do {
      const input = { Bucket: this.#bucket, Prefix: this.#prefix + prefix, ContinuationToken: after }
      const page = await this.#attempt(() => this.#client.send(new ListObjectsV2Command(input)))
      for (const { Key } of page?.Contents ?? []) if (Key) yield Key.slice(this.#prefix.length)
      after = page?.NextContinuationToken
    } while (after !== undefined)
  }

  url(name: string): string {
    return `${this.#options.base}/${urlPath(name)}`
  }

  /** Writes an empty object only until it is known that this works; it may stay. Concurrent callers share a request. */
  check(): Promise<void> {
    this.#checking ??= this.#checkOnce()
      .catch((error: unknown) => {
        throw this.#unavailable(error)
      })
      .finally(() => {
        this.#checking = null
      })
    return this.#checking
  }

  async #checkOnce(): Promise<void> {
    const object = { Bucket: this.#bucket, Key: `${this.#prefix}attachments/ready` }
    // Any answer will do: who may not list objects is refused one that is not there.
    await this.#client.send(new HeadObjectCommand(object)).catch((error: unknown) => {
      if (!isAnswered(error) || isTransient(error)) throw error
    })
    await this.#proof.assert(async () => {
      await this.#client.send(new PutObjectCommand({ ...object, Body: '', ContentLength: 0 }))
      await this.#client
        .send(new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects: [object] } }))
        .catch(() => {})
    })
  }

  async clean(): Promise<void> {}

  async close(): Promise<void> {
    this.#client.destroy()
  }

  /** An object, provided that it has the tag. */
  async #get(name: string, range?: ByteRange, tag?: string): Promise<GetObjectCommandOutput | null> {
    if (!isFileName(name)) return null
    const Range = range && `bytes=${range.start}-${range.end}`
    return this.#attempt(() => this.#client.send(new GetObjectCommand({ ...this.#at(name), Range, IfMatch: tag })))
  }

  #at(name: string): { readonly Bucket: string; readonly Key: string } {
    assertFileName(name)
    return { Bucket: this.#bucket, Key: this.#prefix + name }
  }

  /** Runs a request; null when there is no such object. Other failures are retried, then `unavailable`. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | null> {
    const started = performance.now()
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work()
      } catch (error) {
        if (isMissing(error)) return null
        const isEarly = attempt < ATTEMPTS && performance.now() - started < RETRY_TIME
        if (isEarly && isTransient(error)) await pause(attempt * (100 + Math.random() * 100))
        else throw this.#failed(error)
      }
    }
  }

  #failed(error: unknown): Error {
    const bucket = this.#bucket
    const reason = outsideReason(error)
    this.#options.log.error({ ...(reason === null ? { error } : { reason }), bucket }, 'The uploads bucket fails.')
    return this.#unavailable(error)
  }

  #unavailable(error: unknown): Error {
    const bucket = this.#bucket
    const reason = outsideReason(error)
    const cause = reason === null ? error : new UnusableStorage(`The bucket ${bucket} fails: ${reason}\n${ADVICE}`)
    return unavailable('Uploads cannot be stored or read at the moment. Try again later.', cause)
  }
}

const ADVICE =
  'Check QUIRE_UPLOADS, QUIRE_UPLOADS_ENDPOINT, and the credentials, as in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'

function bodyOf({ Body }: GetObjectCommandOutput): Readable {
  // `as`: on Node.js the body of an object is a stream of Node.js.
  return Body as Readable
}

function factsOf(length: number, tag = ''): FileFacts {
  return { length, tag: `${length.toString(36)}-${tag.replaceAll(/[^\w-]/g, '')}` }
}

/** An error answer of the service, as its library throws it. */
interface Answered extends Error {
  readonly $metadata: { readonly httpStatusCode?: number }
}

/** True when there is no such object. */
function isMissing(error: unknown): boolean {
  return isAnswered(error) && (error.name === 'NoSuchKey' || error.name === 'NotFound')
}

/**
 * The message of the service or the network, or of missing credentials: a stack would say nothing more. Null for any
 * other failure.
 */
function outsideReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  return isAnswered(error) || 'code' in error || isOfCredentials(error) ? `${error.name}: ${error.message}` : null
}

/** True for failures that a retry may cure: no answer, or a failure on the side of the service. */
function isTransient(error: unknown): boolean {
  if (!isAnswered(error)) return !(error instanceof Error && isOfCredentials(error))
  const status = error.$metadata.httpStatusCode ?? 500
  return status >= 500 || status === 429 || status === 408
}

function isAnswered(error: unknown): error is Answered {
  return error instanceof Error && '$metadata' in error
}

function isOfCredentials({ name }: Error): boolean {
  return name.includes('Credentials')
}
