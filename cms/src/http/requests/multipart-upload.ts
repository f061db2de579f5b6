import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { type CmsError, invalid } from '../../base/errors.ts'
import { mediaType } from './body.ts'
import type { Upload, UploadedFile } from './route.ts'
import { fileTooLarge, watchSender } from './sender-watch.ts'

/** How much, and how slowly, may be sent. */
export interface UploadLimits {
  /** Bytes of the file. */
  readonly maxBytes: number
  /** Milliseconds without a byte after which an upload is aborted. */
  readonly pauseMs: number
}

/** Bytes that a body may have in addition to its file. */
const OTHER_BYTES = 1024 * 1024
const MAX_NAME = 10_000
/** Other fields are allowed, few and small, and ignored. */
const LIMITS = { fields: 50, fieldSize: 64 * 1024, parts: 60, headerPairs: 50, headerSize: 16 * 1024 }

const NO_FILE = 'Send the file as multipart/form-data, in a part named "file".'

/** Reads the file out of a request's body while it comes. */
export class MultipartUpload implements Upload {
  readonly #request: IncomingMessage
  #limits: UploadLimits
  readonly #ask: () => void
  #parser: BusboyInstance | null = null
  #output: Transform | null = null
  #watch: NodeJS.Timeout | undefined
  #isOver = false
  /** Rejects because no file came; set while one is awaited. */
  #refuse: (error: CmsError) => void = () => {}
  /** Lets the output end; set when the file is through before the body is. */
  #release: () => void = () => {}

  /** `ask` is called when the body is wanted. */
  constructor(request: IncomingMessage, limits: UploadLimits, ask: () => void) {
    this.#request = request
    this.#limits = limits
    this.#ask = ask
  }

  async file(mostBytes = this.#limits.maxBytes): Promise<UploadedFile> {
    const { headers } = this.#request
    this.#limits = { ...this.#limits, maxBytes: Math.min(mostBytes, this.#limits.maxBytes) }
    if (mediaType(headers) !== 'multipart/form-data') throw invalid(NO_FILE)
    if (Number(headers['content-length'] ?? 0) > this.#limits.maxBytes + OTHER_BYTES) throw this.#tooLarge()
    if (this.#parser !== null) throw new Error('An upload was asked for its file twice.')
    this.#parser = await newParser(headers)
    return new Promise((resolve, reject) => {
      this.#refuse = reject
      this.#read(resolve)
    })
  }

  /** Reads no further, whatever was begun. */
  stop(): void {
    this.#end(invalid('The upload was not read to its end.'))
  }

  #read(found: (file: UploadedFile) => void): void {
    const request = this.#request
    const parser = this.#parser
    if (parser === null) return
    parser.on('file', (field, source, name, _encoding, type) => this.#take(found, field, source, name ?? '', type))
    parser.on('field', (field) => {
      if (field === 'file') this.#end(invalid('The part named "file" is not a file: it has no file name.'))
    })
    const tooMany = () => this.#end(invalid('The body has too many parts. Send one, named "file".'))
    parser.on('fieldsLimit', tooMany).on('partsLimit', tooMany)
    parser.on('error', () => this.#end(invalid('The multipart body is malformed, or ends before its last boundary.')))
    parser.on('finish', () => this.#finish())
    const { pauseMs, maxBytes } = this.#limits
    const watched = { pauseMs, mostBytes: maxBytes + OTHER_BYTES, tooLarge: () => this.#tooLarge() }
    this.#watch = watchSender(request, watched, (error) => this.#end(error))
    this.#ask()
    request.pipe(parser)
  }

  #take(
    found: (file: UploadedFile) => void,
    field: string | undefined,
    source: BusboyFileStream,
    name: string,
    type: string,
  ): void {
    source.on('error', () => this.#end(invalid('The multipart body ends in the middle of its file.')))
    const problem = this.#problemOf(field, name)
    if (problem !== null || this.#isOver) {
      source.resume()
      if (problem !== null) this.#end(invalid(problem))
      return
    }
    const output = this.#newOutput()
    this.#output = output
    source.pipe(output)
    found({ name, type, stream: output })
  }

  #problemOf(field: string | undefined, name: string): string | null {
    if (field !== 'file') return 'A file came in a part that is not named "file".'
    if (this.#output !== null) return 'There are two parts named "file". Send one file at a time.'
    return name.length > MAX_NAME ? 'The name of the file is too long.' : null
  }

  #newOutput(): Transform {
    let bytes = 0
    const output = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length
        if (bytes > this.#limits.maxBytes) this.#end(this.#tooLarge())
        else done(null, chunk)
      },
      flush: (done) => {
        if (this.#isOver) done()
        else this.#release = done
      },
    })
    // A reader learns of the failure even when it happened before there was a listener.
    output.on('error', () => {})
    output.on('close', () => this.stop())
    return output
  }

  /** The body was read to its end, and in order. */
  #finish(): void {
    if (this.#isOver) return
    if (this.#output === null) {
      this.#end(invalid(NO_FILE))
      return
    }
    this.#isOver = true
    clearInterval(this.#watch)
    this.#release()
  }

  #end(error: CmsError): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#watch)
    if (this.#parser !== null) this.#request.unpipe(this.#parser).pause()
    this.#output?.destroy(error)
    this.#refuse(error)
  }

  #tooLarge(): CmsError {
    return fileTooLarge(this.#limits.maxBytes)
  }
}

function newParser(headers: IncomingMessage['headers']): BusboyInstance {
  try {
    // `as`: there is a Content-Type, since it was just looked at.
    return new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS })
  } catch {
    throw invalid('The Content-Type multipart/form-data names no boundary.')
  }
}
