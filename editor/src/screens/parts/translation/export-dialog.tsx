import { useSignal } from '@preact/signals'
import { useEditor } from '../../../data/editor.ts'
import { downloadTexts, idsOf } from '../../../data/translation.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { t } from '../../../words/words.ts'
import { isNarrowed, requestOf } from '../list/list-view.ts'
import type { OpenList } from '../list/use-list.ts'
import { LoadFailure } from '../load-failure.tsx'
import { useTask } from './use-task.ts'
import './translation.css'

interface ExportDialogProps {
  readonly types: readonly string[]
  readonly plural: string
  readonly list: OpenList | null
  readonly onClose: () => void
}

/** The documents that go out: those that are selected, those that the list finds, or all. */
type Which = 'selected' | 'filtered' | 'all'

/** Asks for two languages, and downloads the texts of documents for translators. */
export function ExportDialog({ types, plural, list, onClose }: ExportDialogProps) {
  const editor = useEditor()
  const { locales, limits } = editor.schema.value.site
  const names = Object.keys(locales)
  const { run, step } = useTask<string>()
  const kinds = kindsOf(list, plural)
  const which = useSignal<Which>(kinds[0]?.[0] ?? 'all')
  const from = useSignal(originalOf(editor))
  const to = useSignal(
    names.find((name) => name !== from.peek() && name === editor.locale.peek()) ?? otherOf(names, from.peek()),
  )
  const isOpenOnly = useSignal(false)
  const count = which.value === 'selected' ? (list?.chosen.value.size ?? 0) : (list?.answered.data?.total ?? 0)
  const tooMany = which.value !== 'all' && count > limits.perPage
  const choices = names.map((value) => ({ value, label: locales[value]?.label ?? value }))
  const send = async (signal: AbortSignal) => {
    const ids = await namedIds()
    const wanted = { from: from.value, to: to.value, types, untranslated: isOpenOnly.value, ...(ids && { ids }) }
    return downloadTexts(editor, wanted, signal)
  }
  const namedIds = async () => {
    if (list === null || which.value === 'all') return null
    if (which.value === 'selected') return [...list.chosen.value.keys()]
    const request = { ...requestOf(list.view, list.type), locale: editor.locale.value }
    return idsOf(editor, list.name, request, limits.perPage)
  }
  const offBecause =
    from.value === to.value ? t.translation.twoLanguages : tooMany ? t.translation.tooMany(limits.perPage) : null
  return (
    <Dialog
      title={t.translation.exportTitle}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{step.value.kind === 'done' ? t.frame.close : t.frame.cancel}</Button>
          <Button kind="primary" offBecause={offBecause} onPress={() => void run(send)}>
            {t.translation.download}
          </Button>
        </>
      }
    >
      <div class="q-translation">
        <p>{t.translation.howItWorks}</p>
        <div class="q-translation-languages">
          <Choice
            label={t.translation.from}
            chosen={from.value}
            choices={choices}
            onChoose={(name) => {
              from.value = name
            }}
          />
          <Choice
            label={t.translation.to}
            chosen={to.value}
            choices={choices}
            onChoose={(name) => {
              to.value = name
            }}
          />
        </div>
        {kinds.length > 1 && (
          <fieldset>
            <legend>{t.translation.which}</legend>
            {kinds.map(([kind, label]) => (
              <label key={kind} class="q-choice">
                <input
                  type="radio"
                  name="which"
                  checked={which.value === kind}
                  onChange={() => {
                    which.value = kind
                  }}
                />
                {label}
              </label>
            ))}
          </fieldset>
        )}
        <label class="q-choice">
          <input
            type="checkbox"
            checked={isOpenOnly.value}
            onChange={() => {
              isOpenOnly.value = !isOpenOnly.value
            }}
          />
          {t.translation.untranslated}
        </label>
        <p role="status">
          {step.value.kind === 'busy' && t.translation.downloading}
          {step.value.kind === 'done' && t.translation.downloaded(step.value.result)}
        </p>
        {step.value.kind === 'failed' && <LoadFailure error={step.value.error} />}
      </div>
    </Dialog>
  )
}

function kindsOf(list: OpenList | null, plural: string): readonly (readonly [Which, string])[] {
  const all = ['all', t.translation.all(plural)] as const
  if (list === null) return [all]
  const { chosen, view, answered } = list
  const total = answered.data?.total ?? 0
  return [
    ...(chosen.value.size > 0 ? [['selected', t.translation.selected(chosen.value.size)] as const] : []),
    ...(isNarrowed(view) && total > 0 ? [['filtered', t.translation.filtered(total)] as const] : []),
    all,
  ]
}

/** The language that most translations begin with. */
function originalOf({ schema }: ReturnType<typeof useEditor>): string {
  return schema.peek().site.defaultLocale
}

function otherOf(names: readonly string[], from: string): string {
  return names.find((name) => name !== from) ?? from
}
