import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { type CmsError, invalid } from '../../base/errors.ts'
import { mediaType } from './body.ts'
import type { UploadLimits } from './multipart-upload.ts'
import type { Upload, UploadedFile } from './route.ts'
import { fileTooLarge, watchSender } from './sender-watch.ts'

/** A file that is the body of a request itself, as `curl -T` sends it: without a name. */
export class BytesUpload implements Upload {
  readonly #request: IncomingMessage
  readonly #limits: UploadLimits
  readonly #ask: () => void
  readonly #output = new PassThrough()
  #watch: NodeJS.Timeout | undefined

  /** `ask` is called when the body is wanted. */
  constructor(request: IncomingMessage, limits: UploadLimits, ask: () => void) {
    this.#request = request
    this.#limits = limits
    this.#ask = ask
    // A reader learns of the failure even when it happened before there was a listener.
    this.#output.on('error', () => {})
  }

  async file(mostBytes = this.#limits.maxBytes): Promise<UploadedFile> {
    const { headers } = this.#request
    const most = Math.min(mostBytes, this.#limits.maxBytes)
    const refuse = () => fileTooLarge(most)
    if (Number(headers['content-length'] ?? 0) > most) throw refuse()
    const watched = { mostBytes: most, pauseMs: this.#limits.pauseMs, tooLarge: refuse }
    this.#watch = watchSender(this.#request, watched, (error) => this.#end(error))
    this.#ask()
    this.#request.pipe(this.#output)
    return { name: '', type: mediaType(headers), stream: this.#output }
  }

  /** Reads no further. */
  stop(): void {
    if (!this.#output.writableFinished) this.#end(invalid('The upload was not read to its end.'))
    clearInterval(this.#watch)
  }

  #end(error: CmsError): void {
    clearInterval(this.#watch)
    this.#request.unpipe(this.#output)
    if (!this.#request.complete) this.#request.pause()
    this.#output.destroy(error)
  }
}
