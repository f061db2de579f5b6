import { effect, untracked } from '@preact/signals'
import { machineClock } from '../../../base/clock.ts'
import { createDelay } from '../../../base/delay.ts'
import { createQueue } from '../../../base/queue.ts'
import type { PageAnswer } from '../../../data/page-drawing.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import type { FromEditor } from '../../../inside/protocol.ts'
import type { Operation } from '../../../model/form.ts'
import { blockAt } from '../../../model/page-parts.ts'

/** Milliseconds after a key until what it wrote is drawn; and until it is saved, where only that is shown. */
const TIMES = { quiet: 50, latest: 150 }
const SAVING_TIMES = { quiet: 400, latest: 2000 }

/** The page that is kept up to date with a form. */
export interface PageLink {
  /** True for a page that shows what is saved alone, and is kept up to date with that. */
  showsSaved(): boolean
  /** The HTML of a block as it is in the form; null where it cannot be drawn. */
  draw(block: Block, signal: AbortSignal): Promise<string | null>
  /** The part of the page that can be put in again. */
  read(signal: AbortSignal): Promise<PageAnswer>
  send(message: FromEditor): void
  reload(): void
}

export type Block = NonNullable<ReturnType<typeof blockAt>>

/** Keeps a page as the form is. */
export interface Follower {
  /** Draws what is not saved yet, in a page that was just loaded. */
  begin(): void
  /** Puts in what was saved. */
  refresh(): void
}

/** Draws the blocks that are written in, one request after the other, until the signal ends it. */
export function followForm(
  { document, saver, savesItself, latest }: OpenDraft,
  page: PageLink,
  end: AbortSignal,
): Follower {
  const queue = createQueue(1)
  const changed = new Set<string>()
  const run = (work: () => Promise<void>) =>
    void queue.add(work, end).catch((error) => {
      if (!end.aborted) throw error
    })
  const delay = createDelay(machineClock, TIMES, () => run(drawChanged))
  const save = () => {
    if (savesItself && latest.peek() !== null) void saver.flush()
  }
  const saving = createDelay(machineClock, SAVING_TIMES, save)
  const paths = new Map<string, Operation['path']>()
  const blockWith = (id: string) => {
    const path = paths.get(id)
    return path === undefined ? null : blockAt(document.root, path)
  }
  const note = (operations: readonly Operation[]) => {
    for (const { path } of operations) {
      const block = blockAt(document.root, path)
      if (block === null) continue
      paths.set(block.id, block.path)
      changed.add(block.id)
    }
  }
  /** Draws the changed blocks, as messages. */
  const drawings = async (): Promise<readonly FromEditor[]> => {
    const ids = [...changed]
    changed.clear()
    const drawn = ids.map(async (widgetId): Promise<readonly FromEditor[]> => {
      const block = blockWith(widgetId)
      const html = block?.id === widgetId ? await page.draw(block, end) : null
      return html === null ? [] : [{ kind: 'widget', widgetId, html }]
    })
    return (await Promise.all(drawn)).flat()
  }
  const drawChanged = async () => {
    for (const message of await drawings()) page.send(message)
  }
  const putIn = async () => {
    const { status, html } = await page.read(end)
    // Text written since that save is drawn first, so that it does not vanish for a moment.
    note(document.unsaved())
    const messages = await drawings()
    if (end.aborted) return
    if (status !== 200) page.reload()
    else for (const message of [{ kind: 'refresh', html } as const, ...messages]) page.send(message)
  }

  let seen = document.revision.peek()
  const follow = (revision: number) => {
    const since = document.operationsSince(seen)
    seen = revision
    note(since)
    if (changed.size > 0) delay.touch()
    // Blocks that came, went or moved are drawn with the whole page: it shows what is saved.
    const isOther = since.some(({ kind }) => kind !== 'set')
    if (isOther) queueMicrotask(save)
    else if (since.length > 0 && page.showsSaved()) saving.touch()
  }
  const stop = effect(() => {
    const { value: revision } = document.revision
    untracked(() => follow(revision))
  })
  end.addEventListener('abort', () => {
    stop()
    delay.cancel()
    saving.cancel()
  })
  return {
    begin() {
      note(document.unsaved())
      if (changed.size > 0) delay.touch()
    },
    refresh: () => run(putIn),
  }
}
