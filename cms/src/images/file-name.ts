import { cutText, slugify, sortText } from '../base/text.ts'
import { canonicalExtension } from './group-of-extension.ts'

/** A sent file name, taken apart (§2.3). */
export interface FileName {
  /** Slugified, without the extension; never empty. */
  readonly name: string
  /** As lists sort it, without the extension. */
  readonly title: string
  /** The extension, which the bytes may contradict: lower case, `jpg` for `jpeg`, or empty. */
  readonly extension: string
}

const NAME_LENGTH = 100
/** Stored names also hold an id, a crop and a size, and may have 255 bytes in all. */
const NAME_BYTES = 150
const DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/

/**
 * Takes a sent file name apart (§4.3): folders, control characters and direction marks are dropped, the rest is
 * slugified and cut to 100 characters and 150 bytes. Reserved device names of Windows get the prefix `file-`.
 */
export function readFileName(sent: string): FileName {
  const last = sent.toWellFormed().replace(/\p{C}/gu, '').split(/[/\\]/).at(-1) ?? ''
  const [, stem = '', ending = ''] = /^(.*?)(?:\.([A-Za-z0-9]{1,10}))?$/s.exec(last.trimEnd()) ?? []
  const name = shortened(slugify(cutText(stem, NAME_LENGTH))) || 'file'
  return {
    name: DEVICES.test(name) ? `file-${name}` : name,
    title: sortText(stem) || 'file',
    extension: canonicalExtension(ending),
  }
}

function shortened(name: string): string {
  let short = name
  for (let length = NAME_LENGTH; Buffer.byteLength(short) > NAME_BYTES; length -= 1) short = cutText(name, length)
  return short.replace(/-+$/, '')
}
