import { createWriteStream, type WriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import type { Json } from '../../base/json.ts'
import { messageOf } from '../../base/thrown.ts'
import { UsageError } from '../command/failure.ts'
import { assertReplaceable, beginsLike } from '../command/replaceable.ts'

/** Something that did not fit. */
interface ImportIssue {
  /** The kind of problem, in a few words: issues are counted by it. */
  readonly what: string
  /** The type of the document, or what else it is about. */
  readonly type: string
  readonly id: string
  readonly path?: string
  /** Why, and what was done instead. */
  readonly message: string
  /** The part that was not imported. */
  readonly value?: Json
}

/** How often something did not fit, with the first of its kind. */
interface IssueCount {
  readonly what: string
  readonly type: string
  readonly field: string
  readonly count: number
  readonly example: ImportIssue
}

/** Counts the problems of an import, and writes them to a file, which is made with the first of them. */
export class ImportReport {
  readonly #file: string
  readonly #counts = new Map<string, { count: number; readonly example: ImportIssue }>()
  #stream: WriteStream | null = null

  constructor(file: string) {
    this.#file = file
  }

  /** Throws `UsageError` where the file cannot be written, or is something else: before an import, not after it. */
  async begin(): Promise<void> {
    await assertReplaceable(this.#file, beginsLike(/^\{"what":/))
    try {
      await (await open(this.#file, 'a', 0o600)).close()
    } catch (error) {
      const reason = messageOf(error)
      throw new UsageError(`The report cannot be written: ${reason}. Name another file for it with --report.`)
    }
  }

  /** Adds an entry: a line of the file. */
  add(issue: ImportIssue): void {
    this.#stream ??= this.#open()
    this.#stream.write(`${JSON.stringify(issue)}\n`)
    const key = keyOf({ ...issue, field: fieldOf(issue) })
    const known = this.#counts.get(key)
    if (known === undefined) this.#counts.set(key, { count: 1, example: issue })
    else known.count += 1
  }

  /** All entries, the most frequent first, then by kind. */
  counts(): IssueCount[] {
    return [...this.#counts.values()]
      .map(({ count, example }) => ({
        what: example.what,
        type: example.type,
        field: fieldOf(example),
        count,
        example,
      }))
      .toSorted((one, other) => other.count - one.count || (keyOf(one) < keyOf(other) ? -1 : 1))
  }

  #open(): WriteStream {
    // Errors are thrown by `close`: the import itself goes on.
    return createWriteStream(this.#file, { mode: 0o600 }).on('error', () => {})
  }

  /** Resolves when the file is written; one of an earlier import is removed where there is nothing to write. */
  async close(): Promise<void> {
    if (this.#stream === null) return rm(this.#file, { force: true })
    this.#stream.end()
    await finished(this.#stream)
  }
}

function keyOf({ what, type, field }: Pick<IssueCount, 'what' | 'type' | 'field'>): string {
  return JSON.stringify([what, type, field])
}

/** The names of the path, without ids and numbers. */
function fieldOf({ path = '' }: ImportIssue): string {
  return path
    .split('.')
    .filter((step) => !/^\d+$/.test(step) && !/^[a-z0-9]{20,}$/i.test(step))
    .join('.')
}
