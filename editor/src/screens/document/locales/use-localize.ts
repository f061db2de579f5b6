import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { JsonObject } from 'quire-client'
import { useEditor } from '../../../data/editor.ts'
import { requestPath } from '../../../data/locales.ts'
import { invalidate } from '../../../data/query.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { announce } from '../../../ui/live.tsx'
import { t } from '../../../words/words.ts'
import type { LocaleState } from './use-locale-states.ts'

export type Related = 'media' | 'all' | 'none'

/** The documents that come along with a copy. */
export interface LocalizeOptions {
  readonly related: Related
  readonly subtree: boolean
  readonly publish: boolean
}

/** The copies that somebody has seen before they are overwritten: when each was saved, by locale. */
export type ShownCopies = ReadonlyMap<string, string>

/** The outcome of the copy to one locale. */
export interface Localized {
  readonly locale: string
  readonly label: string
  /** How many documents came along. */
  readonly others: number
  /** Why it was refused; null where it was made. */
  readonly message: string | null
}

/** Copies an open document to locales, one after the other; each is made or refused by itself. */
export function useLocalize(draft: OpenDraft) {
  const editor = useEditor()
  const results = useSignal<readonly Localized[] | null>(null)
  const isBusy = useSignal(false)
  /** Whether the copy there is still the one that was shown. */
  const isAsShown = async (locale: string, shownAt: string | undefined): Promise<boolean> => {
    const query = { archived: 'any', project: { updatedAt: 1 } }
    const there = { locale, mode: 'draft', query } as const
    const { updatedAt } = await editor.request<JsonObject>('GET', requestPath(draft, editor), there)
    return updatedAt === shownAt
  }
  const copyTo = async (
    { locale, label, copy }: LocaleState,
    options: LocalizeOptions,
    shown: ShownCopies,
  ): Promise<Localized> => {
    try {
      if (copy !== null && !(await isAsShown(locale, shown.get(locale))))
        return { locale, label, others: 0, message: t.locales.changedMeanwhile }
      const body = { toLocale: locale, ...bodyOf(options, copy !== null) }
      const address = `${requestPath(draft, editor)}/localize`
      const sent = { locale: editor.locale.peek(), mode: 'draft', body } as const
      const { localized } = await editor.request<JsonObject>('POST', address, sent)
      return { locale, label, others: Array.isArray(localized) ? localized.length : 0, message: null }
    } catch (error) {
      return { locale, label, others: 0, message: error instanceof Error ? error.message : String(error) }
    }
  }
  const localize = async (
    states: readonly LocaleState[],
    options: LocalizeOptions,
    shown: ShownCopies,
  ): Promise<void> => {
    isBusy.value = true
    const { kind } = await draft.saver.flush()
    const made: Localized[] = []
    if (kind === 'saved') for (const state of states) made.push(await copyTo(state, options, shown))
    isBusy.value = false
    results.value = made
    announce(made.map(({ label, others, message }) => wordsOf(label, others, message)).join(' '))
    await invalidate(draft.typeName, 'documents', 'tree')
  }
  return { localize, results: results as ReadonlySignal<readonly Localized[] | null>, isBusy }
}

function wordsOf(label: string, others: number, message: string | null): string {
  return message === null ? t.locales.localized(label, others) : t.locales.failed(label, message)
}

/**
 * Pictures and files come along unless something else is said (§3.4). Pages below a page that is there already do not: they
 * would be overwritten, too, and nobody has seen them.
 */
function bodyOf({ related, subtree, publish }: LocalizeOptions, isThere: boolean): JsonObject {
  return {
    ...(related !== 'media' && { related: related === 'all' }),
    ...(isThere ? { update: true } : subtree && { subtree }),
    ...(publish && { publish }),
  }
}
