import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Version, VersionList } from 'quire-client'
import { useEditor } from '../../../data/editor.ts'
import type { OpenDraft } from '../../../data/open-draft.ts'
import { type Answered, useQuery } from '../../../data/query.ts'
import { readVersions, type VersionFilter } from '../../../data/versions.ts'

/** The versions of an open document, as far as somebody has asked for them. */
export interface OpenHistory {
  readonly filter: ReadonlySignal<VersionFilter>
  readonly answered: Answered<FoundVersions>
  narrow(filter: VersionFilter): void
  showMore(): void
}

interface FoundVersions {
  readonly versions: readonly Version[]
  readonly hasMore: boolean
}

/** Reads the first versions in one request, older ones when they are asked for, and all of them again after a save. */
export function useVersions({ typeName, latest, saver }: OpenDraft): OpenHistory {
  const editor = useEditor()
  const filter = useSignal<VersionFilter>({ only: 'all', authorId: '' })
  const wanted = useSignal(1)
  const kept = useRef<{ of: string; pages: VersionList[] }>({ of: '', pages: [] })
  const { docId } = saver.place.value
  const of = JSON.stringify([docId, latest.value?.updatedAt, latest.value?.lastPublishedAt, filter.value])
  const load = async (signal: AbortSignal): Promise<FoundVersions> => {
    if (kept.current.of !== of) kept.current = { of, pages: [] }
    const { pages } = kept.current
    while (pages.length < wanted.peek()) {
      const before = pages.at(-1)?.next ?? null
      if (before === null && pages.length > 0) break
      pages.push(await readVersions(editor, docId, filter.peek(), { before, signal }))
    }
    return { versions: pages.flatMap(({ results }) => results), hasMore: pages.at(-1)?.next != null }
  }
  const answered = useQuery([typeName, 'versions', of, wanted.value], load)
  return {
    filter,
    answered,
    narrow: (next) => {
      wanted.value = 1
      filter.value = next
    },
    showMore: () => {
      wanted.value += 1
    },
  }
}
