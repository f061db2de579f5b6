import { type Signal, useComputed, useSignal } from '@preact/signals'
import { listPath } from '../../data/document-path.ts'
import { useEditor } from '../../data/editor.ts'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { useLanguage } from '../../data/use-language.ts'
import { DocumentForm } from '../../fields/document-form.tsx'
import { GoTo } from '../../fields/go-to.ts'
import { Resettable } from '../../fields/reset.tsx'
import { Tried } from '../../fields/tried.ts'
import type { Path } from '../../model/form.ts'
import { OF_DOCUMENTS } from '../../model/style-fields.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { later } from '../parts/later.tsx'
import { ScreenTitle } from '../parts/screen-title.tsx'
import { Conflicts } from './conflicts.tsx'
import { DocumentGone } from './document-gone.tsx'
import { useOwnAddress, useSaveKeys, useStale } from './document-hooks.ts'
import { DocumentProposals } from './document-proposals.tsx'
import { DraftMarks } from './draft-marks.tsx'
import { DocumentLocales } from './locales/document-locales.tsx'
import { Translation } from './locales/translation.tsx'
import { useBeside } from './locales/use-beside.ts'
import { NameDialog } from './name-dialog.tsx'
import { PageBeside, PageButton } from './page/page-beside.tsx'
import { ProblemList } from './problem-list.tsx'
import { Publishing } from './publishing.tsx'
import { SaveStatus } from './save-status.tsx'
import { useSide } from './side.ts'
import { StylesPreview } from './styles-preview.tsx'
import { UndoButtons } from './undo-buttons.tsx'
import './document-editor.css'

const HistoryPanel = later(async () => (await import('./history/history-panel.tsx')).HistoryPanel)

/** One document: its form, its page beside it, and the bar that says how it stands. */
export function DocumentEditor({ draft }: { readonly draft: OpenDraft }) {
  const { link, place } = useEditor()
  const { document, type, typeName } = draft
  const isStyles = typeName === `${place.namespace}/styles`
  const goTo: Signal<Path | null> = useSignal(null)
  const isTried = useSignal(false)
  const panel = useSide()
  useOwnAddress(draft)
  useStale(draft)
  const isNaming = useSignal(false)
  useSaveKeys(draft, () => {
    isNaming.value = true
  })
  const title = useComputed(() =>
    isStyles ? t.frame.styles : String(document.root.value.value.title || t.document.newOf(type.label)),
  )
  const list = listPath(typeName, type, place.namespace)
  const { dir } = useLanguage()
  const original = useBeside(draft)
  const form = (
    <DocumentForm root={document.root} type={type} typeName={typeName} leftOut={isStyles ? OF_DOCUMENTS : []} />
  )
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
            {original.locale === null && !isStyles && <PageButton draft={draft} {...panel} />}
            {type.versions && draft.latest.value !== null && <HistoryButton {...panel} />}
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
              <DocumentGone draft={draft} />
              <Conflicts document={document} />
              <DocumentProposals draft={draft} />
              <DraftMarks draft={draft}>
                <Resettable.Provider value={isStyles}>
                  {original.locale === null ? (
                    form
                  ) : (
                    <Translation draft={draft} from={original.locale} onEnd={() => original.show(null)}>
                      {form}
                    </Translation>
                  )}
                </Resettable.Provider>
              </DraftMarks>
            </div>
            {panel.side.value === 'history' ? (
              <HistoryPanel draft={draft} onClose={() => panel.show(null)} />
            ) : isStyles ? (
              <StylesPreview draft={draft} />
            ) : (
              original.locale === null && <PageBeside draft={draft} {...panel} />
            )}
          </div>
          {isNaming.value && (
            <NameDialog
              draft={draft}
              version={null}
              onClose={() => {
                isNaming.value = false
              }}
            />
          )}
          <div class="q-document-bar">
            {(draft.latest.value !== null || isTried.value) && (
              <ProblemList document={document} goTo={goTo} isOpen={isTried.value} />
            )}
            <Publishing
              draft={draft}
              onName={() => {
                isNaming.value = true
              }}
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

/** Opens and closes the panel *History*. */
function HistoryButton({ side, show }: ReturnType<typeof useSide>) {
  const isOpen = side.value === 'history'
  return (
    <Button onPress={() => show(isOpen ? null : 'history')} attributes={{ 'aria-expanded': isOpen }}>
      {t.history.title}
    </Button>
  )
}
