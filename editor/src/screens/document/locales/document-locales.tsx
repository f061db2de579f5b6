import { useSignal } from '@preact/signals'
import { useEditor } from '../../../data/editor.ts'
import type { LocaleCopy } from '../../../data/locales.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { type State, StateMark } from '../../../ui/state-mark.tsx'
import { t } from '../../../words/words.ts'
import { documentPath } from '../../parts/document-path.ts'
import { later } from '../../parts/later.tsx'
import { type LocaleState, useLocaleStates } from './use-locale-states.ts'
import './locales.css'

const LocalizeDialog = later(async () => (await import('./localize-dialog.tsx')).LocalizeDialog)

interface DocumentLocalesProps {
  readonly draft: OpenDraft
  /** Shows the copy of a locale beside the form; null ends it. */
  readonly onBeside: (locale: string | null) => void
}

/** How the document stands in every locale, with the way there, and to copy it to where it is not. */
export function DocumentLocales({ draft, onBeside }: DocumentLocalesProps) {
  const { locale } = useEditor()
  const { data: states = [] } = useLocaleStates(draft)
  const isLocalizing = useSignal(false)
  const others = states.filter((one) => one.locale !== locale.value)
  const there = others.filter(({ copy }) => copy !== null)
  if (others.length === 0) return null
  return (
    <section class="q-locales" aria-label={t.locales.title}>
      <ul>
        {states.map((state) => (
          <li key={state.locale}>
            <LocaleLink draft={draft} state={state} isHere={state.locale === locale.value} />
          </li>
        ))}
      </ul>
      <Button
        offBecause={draft.type.denied.editDraft ? t.roles.reason(draft.type.denied.editDraft) : null}
        onPress={() => {
          isLocalizing.value = true
        }}
      >
        {t.locales.localize}
      </Button>
      {there.length > 0 && (
        <Menu
          label={t.locales.showBeside}
          items={there.map((one) => ({ label: one.label, onChoose: () => onBeside(one.locale) }))}
        />
      )}
      {isLocalizing.value && (
        <LocalizeDialog
          draft={draft}
          states={others}
          onClose={() => {
            isLocalizing.value = false
          }}
        />
      )}
    </section>
  )
}

interface LocaleLinkProps {
  readonly draft: OpenDraft
  readonly state: LocaleState
  readonly isHere: boolean
}

function LocaleLink({ draft, state: { locale, label, copy }, isHere }: LocaleLinkProps) {
  const { link, schema } = useEditor()
  const [original] = Object.keys(schema.value.site.locales)
  if (copy === null)
    return (
      <span class="q-locale" lang={locale}>
        {label} <small>{t.locales.notThere}</small>
      </span>
    )
  const address = link(documentPath(draft.typeName, draft.type, draft.saver.place.value.docId), { locale })
  return (
    <a class="q-locale" href={address} aria-current={isHere ? 'page' : undefined}>
      <span lang={locale}>{label}</span> <StateMark state={stateOfCopy(copy)} />
      {copy.isOutdated === true && locale !== original && (
        <small>{t.locales.olderThan(schema.value.site.locales[original ?? '']?.label ?? '')}</small>
      )}
    </a>
  )
}

/** The state of a copy: one that was saved after it was published differs from what is public. */
export function stateOfCopy({ archived, lastPublishedAt, updatedAt = '' }: LocaleCopy): State {
  if (archived === true) return 'archived'
  if (!lastPublishedAt) return 'draft'
  return updatedAt > lastPublishedAt ? 'modified' : 'published'
}
