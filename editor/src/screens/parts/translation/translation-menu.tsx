import { useSignal } from '@preact/signals'
import { useEditor } from '../../../data/editor.ts'
import { Menu } from '../../../ui/menu.tsx'
import { t } from '../../../words/words.ts'
import { later } from '../later.tsx'
import type { OpenList } from '../list/use-list.ts'

const ExportDialog = later(async () => (await import('./export-dialog.tsx')).ExportDialog)
const ImportDialog = later(async () => (await import('./import-dialog.tsx')).ImportDialog)

interface TranslationMenuProps {
  /** The types whose documents the screen shows. */
  readonly types: readonly string[]
  /** The plural name of these documents. */
  readonly plural: string
  /** The list that is on the screen; null where it is none. */
  readonly list: OpenList | null
}

/** Files for translators, and back: for editors, of documents with locales. */
export function TranslationMenu({ types, plural, list }: TranslationMenuProps) {
  const { schema } = useEditor()
  const open = useSignal<'export' | 'import' | null>(null)
  const { caller, site, types: known } = schema.value
  const editable = types.filter((name) => known[name]?.localized && known[name].denied.editDraft === undefined)
  const mayTranslate = caller.role === 'editor' || caller.role === 'admin'
  if (!mayTranslate || editable.length === 0 || Object.keys(site.locales).length < 2) return null
  const close = () => {
    open.value = null
  }
  return (
    <>
      <Menu
        label={t.translation.title}
        items={[
          {
            label: t.translation.export,
            onChoose: () => {
              open.value = 'export'
            },
          },
          {
            label: t.translation.import,
            onChoose: () => {
              open.value = 'import'
            },
          },
        ]}
      />
      {open.value === 'export' && <ExportDialog types={editable} plural={plural} list={list} onClose={close} />}
      {open.value === 'import' && <ImportDialog types={editable} onClose={close} />}
    </>
  )
}
