import { type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { listPath } from '../../data/document-path.ts'
import { useEditor } from '../../data/editor.ts'
import type { OpenDraft } from '../../data/open-draft.ts'
import { invalidate } from '../../data/query.ts'
import { useLanguage } from '../../data/use-language.ts'
import { DocumentForm } from '../../fields/document-form.tsx'
import { GoTo } from '../../fields/go-to.ts'
import { Tried } from '../../fields/tried.ts'
import type { Path } from '../../model/form.ts'
import { t } from '../../words/words.ts'
import { documentPath } from '../parts/document-path.ts'
import { ScreenTitle } from '../parts/screen-title.tsx'
import { Conflicts } from './conflicts.tsx'
import { DocumentLocales } from './locales/document-locales.tsx'
import { Translation } from './locales/translation.tsx'
import { PageBeside, PageButton } from './page/page-beside.tsx'
import { ProblemList } from './problem-list.tsx'
import { Publishing } from './publishing.tsx'
import { SaveStatus } from './save-status.tsx'
import { useSide } from './side.ts'
import { UndoButtons } from './undo-buttons.tsx'
import './document-editor.css'

/** One document: its form, its page beside it, and the bar that says how it stands. */
export function DocumentEditor({ draft }: { readonly draft: OpenDraft }) {
  const { link, place } = useEditor()
  const { document, type, typeName } = draft
  const goTo: Signal<Path | null> = useSignal(null)
  const isTried = useSignal(false)
  const beside = useSide()
  useOwnAddress(draft)
  useStale(draft)
  useSaveKey(draft)
  const title = useComputed(() => String(document.root.value.value.title || t.document.newOf(type.label)))
  const list = listPath(typeName, type, place.namespace)
  const { dir } = useLanguage()
  const original = useBeside(draft)
  const form = <DocumentForm root={document.root} type={type} typeName={typeName} />
  return (
    <GoTo.Provider value={goTo}>
      <Tried.Provider value={isTried}>
        <div class="q-document">
          {!type.singleton && (
            <a class="q-document-back" href={link(list)}>
              {t.document.back(type.family === 'page' ? t.frame.pages : type.pluralLabel)}
            </a>
          )}
          <ScreenTitle title={title.value}>
            <SaveStatus draft={draft} />
            <UndoButtons document={document} />
            {original.locale === null && <PageButton draft={draft} {...beside} />}
          </ScreenTitle>
          {type.localized && draft.latest.value !== null && <DocumentLocales draft={draft} onBeside={original.show} />}
          <div class="q-document-columns">
            <div
              class="q-document-form"
              dir={type.localized ? dir : undefined}
              onFocusOut={() => {
                if (draft.savesItself && draft.latest.peek() !== null) void draft.saver.flush()
              }}
            >
              <Conflicts document={document} />
              {original.locale === null ? (
                form
              ) : (
                <Translation draft={draft} from={original.locale} onEnd={() => original.show(null)}>
                  {form}
                </Translation>
              )}
            </div>
            {original.locale === null && <PageBeside draft={draft} {...beside} />}
          </div>
          <div class="q-document-bar">
            {(draft.latest.value !== null || isTried.value) && (
              <ProblemList document={document} goTo={goTo} isOpen={isTried.value} />
            )}
            <Publishing
              draft={draft}
              onProblems={(path) => {
                isTried.value = true
                goTo.value = [...path]
              }}
            />
          </div>
        </div>
      </Tried.Provider>
    </GoTo.Provider>
  )
}

/** The locale whose copy stands beside the form: a part of the address. */
function useBeside({ typeName, type, saver }: OpenDraft) {
  const { go, locale, schema } = useEditor()
  const { query } = useLocation()
  const { with: from = '' } = query
  const isKnown = from !== locale.value && Object.hasOwn(schema.value.site.locales, from)
  return {
    locale: type.localized && isKnown ? from : null,
    show: (other: string | null) => {
      const path = documentPath(typeName, type, saver.place.peek().docId)
      go(path, { isReplacing: true, ...(other !== null && { query: { with: other } }) })
    },
  }
}

/** Ctrl S saves a version of its own; on a Mac ⌘ S. */
function useSaveKey({ saver }: OpenDraft): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      void saver.flush({ isVersion: true })
    }
    globalThis.addEventListener('keydown', onKey)
    return () => globalThis.removeEventListener('keydown', onKey)
  }, [saver])
}

/** A new document gets an address of its own once it is made. */
function useOwnAddress({ saver, typeName, type, latest }: OpenDraft): void {
  const { link } = useEditor()
  useSignalEffect(() => {
    const { docId } = saver.place.value
    if (latest.value === null) return
    const address = link(documentPath(typeName, type, docId))
    // Silently: nothing on the screen is to be made anew.
    if (globalThis.location.pathname !== new URL(address, globalThis.location.href).pathname)
      globalThis.history.replaceState(null, '', address)
  })
}

/** What lists say of the document is old once it was saved. */
function useStale({ latest, typeName, type }: OpenDraft): void {
  const first = useRef(latest.peek())
  const isChanged = useSignal(false)
  useSignalEffect(() => {
    if (latest.value !== first.current) isChanged.value = true
  })
  useEffect(
    () => () => {
      if (isChanged.peek()) void invalidate(typeName, 'documents', ...(type.family === 'page' ? ['tree'] : []))
    },
    [typeName, type, isChanged],
  )
}
