import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { resumingStream } from './resuming-stream.ts'

const TEXT = Buffer.from('0123456789')

/** The text from a byte on, which breaks after some bytes. */
function breaking(from: number, after: number): Readable {
  return Readable.from(
    (async function* () {
      if (after > 0) yield TEXT.subarray(from, from + after)
      if (from + after < TEXT.length) throw new Error(`Broken at ${from + after}.`)
    })(),
    { objectMode: false },
  )
}

async function textOf(stream: Readable): Promise<string> {
  return Buffer.concat(await stream.toArray()).toString()
}

describe('a stream that lasts', () => {
  test('§4.3 a resuming stream continues where it broke', async () => {
    const opened: number[] = []
    const stream = resumingStream(breaking(0, 3), async (read) => {
      opened.push(read)
      return breaking(read, 4)
    })
    expect(await textOf(stream)).toBe('0123456789')
    expect(opened).toEqual([3, 7])
  })

  test('§4.3 a resuming stream fails when it makes no progress or cannot be reopened', async () => {
    await expect(textOf(resumingStream(breaking(0, 3), async (read) => breaking(read, 0)))).rejects.toThrow(
      'Broken at 3.',
    )
    const gone = resumingStream(breaking(0, 3), async () => {
      throw new Error('Gone.')
    })
    await expect(textOf(gone)).rejects.toThrow('Gone.')
  })

  test('§4.3 a resuming stream releases its source when its reader leaves, and survives breaking unread', async () => {
    const first = breaking(0, 3)
    const stream = resumingStream(first, async (read) => breaking(read, 4))
    first.destroy(new Error('Broken unread.'))
    await pause(0)
    stream.destroy()
    await expect.poll(() => first.destroyed).toBe(true)
  })
})
