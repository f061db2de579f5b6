import { useRef } from 'preact/hooks'
import type { ChangeRow, Changes } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { invalidate } from '../../data/query.ts'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import type { Path } from '../../model/form.ts'
import { alarm } from '../../ui/live.tsx'
import { note } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'

/** A document that is named in a check. */
export interface NamedDocument {
  readonly _id: string
  readonly type: string
  readonly title: string
}

/** The effects of publishing (§3.3). */
export interface Check {
  readonly ok: boolean
  readonly problems: readonly { readonly path: string; readonly name: string; readonly message: string }[]
  readonly unpublishedAncestors: readonly NamedDocument[]
  readonly unpublishedRelated: readonly NamedDocument[]
  readonly alsoPublished: readonly (NamedDocument & { readonly problems: readonly object[] })[]
  readonly changes: number
}

export type Verb = 'unpublish' | 'archive' | 'restore' | 'revert-draft-to-published' | 'revert-published-to-previous'

/** Actions on an open document as a whole. */
export interface PublishingActions {
  /** Of the routes of the document. */
  readonly path: string
  publish(options?: PublishOptions): Promise<void>
  /** Publishes the unpublished pages above, from the home page down, then the document with others. */
  publishWith(alsoPublish: readonly string[], ancestors: readonly NamedDocument[]): Promise<void>
  /** `done` says what was done, by the title of the document. */
  change(verb: Verb, done: (title: string) => string): Promise<void>
  /** Sets when the document is published and archived by itself; null cancels. `done` says what was done, by its title. */
  schedule(times: ScheduleTimes, done: (title: string) => string): Promise<void>
}

/** Moments of ISO 8601; what is left out stays as it is. */
export interface ScheduleTimes {
  readonly publishAt?: string | null
  readonly archiveAt?: string | null
}

interface PublishOptions {
  /** Whether the user has seen what AI has written. */
  readonly isAiTold?: boolean
}

interface Callbacks {
  /** AI has written something that nobody touched since: these changes. */
  readonly onAi: (rows: readonly ChangeRow[]) => void
  /** Publishing is refused: the path of the first problem. */
  readonly onProblems: (path: Path) => void
  /** Others would have to be published, too, and somebody must decide which. */
  readonly onAlong: (check: Check) => void
}

/** Actions on an open document: each saves it first, and reads it again afterwards. */
export function usePublishing(draft: OpenDraft, { onProblems, onAi, onAlong }: Callbacks): PublishingActions {
  const { request, locale, place } = useEditor()
  const { document, saver, type, typeName, latest } = draft
  const path = type.family === 'page' ? `${place.namespace}/page` : typeName
  const one = () => `${path}/${saver.place.value.docId}`
  const options = { locale: locale.value, mode: 'draft' } as const
  const isBusy = useRef(false)
  const titleNow = () => String(document.root.value.peek().title || t.list.untitled)
  /** Applies to what is on the screen, not to what somebody else has saved since. */
  const act = (method: string, address: string, body: object) =>
    request(method, address, { ...options, body, ifMatch: saver.etag })

  /** Pressed twice, an action is done once. */
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy.current) return
    isBusy.current = true
    try {
      const state = await saver.flush()
      if (state.kind === 'saved') await finish(work)
    } finally {
      isBusy.current = false
    }
  }

  const finish = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      note(message)
      alarm(message)
    }
    await draft.refresh()
    await invalidate(typeName, 'documents', 'tree')
  }

  /** Returns the changes that AI has written and nobody touched since. */
  const untouched = async (): Promise<readonly ChangeRow[]> => {
    const { rows } = await request<Changes>('GET', `${one()}/changes`, { ...options, query: { whole: 1 } })
    return rows.filter(({ ai }) => ai === 'changed')
  }

  const checkOf = (alsoPublish: readonly string[] = []) =>
    request<Check>('POST', `${one()}/publish`, { ...options, body: { check: true, alsoPublish } })

  /** Throws before anything is published where one of the documents is not complete. */
  const assertComplete = async (alsoPublish: readonly string[]): Promise<void> => {
    const { alsoPublished } = await checkOf(alsoPublish)
    const incomplete = alsoPublished.filter(({ problems }) => problems.length > 0)
    if (incomplete.length > 0)
      throw new Error(t.publishing.incomplete(incomplete.map(({ title }) => title || t.list.untitled)))
  }

  const publishWith = (alsoPublish: readonly string[], ancestors: readonly NamedDocument[]) =>
    attempt(async () => {
      await assertComplete(alsoPublish)
      for (const { _id } of ancestors) await request('POST', `${path}/${_id}/publish`, { ...options, body: {} })
      const body = alsoPublish.length === 0 ? {} : { alsoPublish }
      await act('POST', `${one()}/publish`, body)
      note(t.publishing.published(titleNow()))
    })

  const publish = ({ isAiTold = false }: PublishOptions = {}) =>
    attempt(async () => {
      const check = await checkOf()
      if (check.problems.length > 0) {
        document.serviceProblems.value = check.problems.map((one) => ({ ...one, path: document.pathOf(one.path) }))
        alarm(t.publishing.problems(check.problems.length))
        onProblems(document.pathOf(check.problems[0]?.path ?? ''))
        return
      }
      const byAi = isAiTold ? [] : await untouched()
      if (byAi.length > 0) return onAi(byAi)
      const media = check.unpublishedRelated.filter(({ type }) => type.startsWith(`${place.namespace}/`))
      const isAsked = check.unpublishedAncestors.length > 0 || check.unpublishedRelated.length > media.length
      if (isAsked) return onAlong(check)
      const alsoPublish = media.map(({ _id }) => _id)
      await act('POST', `${one()}/publish`, alsoPublish.length === 0 ? {} : { alsoPublish })
      note(t.publishing.published(titleNow()))
    })

  const change = (verb: Verb, done: (title: string) => string) =>
    attempt(async () => {
      if (type.family === 'page' && (verb === 'archive' || verb === 'restore')) {
        const _targetId = verb === 'archive' ? '_archive' : '_home'
        await act('PATCH', one(), { _targetId, _position: 'lastChild' })
      } else {
        await act('POST', `${one()}/${verb}`, {})
      }
      note(done(titleNow()))
    })

  const schedule = (times: ScheduleTimes, done: (title: string) => string) =>
    attempt(async () => {
      await act('PATCH', one(), times)
      note(done(titleNow()))
    })

  return {
    path,
    publish,
    publishWith,
    change: (verb, done) => (latest.peek() === null ? Promise.resolve() : change(verb, done)),
    schedule,
  }
}
