import type { IncomingMessage } from 'node:http'
import { type CmsError, invalid, tooLarge } from '../../base/errors.ts'

/** How much of a body may come, and how slowly. */
interface BodyWatch {
  readonly mostBytes: number
  /** Milliseconds without a byte after which it is given up. */
  readonly pauseMs: number
  /** Refuses what is too long. */
  tooLarge(): CmsError
}

/** Ends uploads that stall or send too much, but not those that wait for this service. The timer is cleared by the caller. */
export function watchSender(
  request: IncomingMessage,
  { mostBytes, pauseMs, tooLarge }: BodyWatch,
  end: (error: CmsError) => void,
): NodeJS.Timeout {
  let latest = Date.now()
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    latest = Date.now()
    bytes += chunk.length
    if (bytes > mostBytes) end(tooLarge())
  })
  const onBroken = () => end(invalid('The request was broken off.'))
  request.on('error', onBroken).on('close', () => {
    if (!request.complete) onBroken()
  })
  const look = () => {
    if (request.isPaused()) latest = Date.now()
    else if (Date.now() - latest > pauseMs) end(invalid('The upload stalled for too long.'))
  }
  return setInterval(look, pauseMs / 4).unref()
}

/** The refusal of a file that is larger than it may be. */
export function fileTooLarge(mostBytes: number): CmsError {
  return tooLarge(`The file is larger than the ${sizeInWords(mostBytes)} that this service takes.`)
}

function sizeInWords(bytes: number): string {
  const megabytes = bytes / (1024 * 1024)
  return megabytes >= 1 ? `${Math.floor(megabytes * 10) / 10} MB` : `${bytes} bytes`
}
