import { useEditor } from '../../data/editor.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { t } from '../../words/words.ts'
import { later } from '../parts/later.tsx'
import { Archiving } from '../parts/uses/archiving.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { NewPageDialog } from './new-page-dialog.tsx'
import { type PageActions, subjectOf } from './page-actions.ts'
import type { PageRequests } from './page-requests.ts'

const UsesBefore = later(async () => (await import('../parts/uses/uses-before.tsx')).UsesBefore)

interface PageDialogsProps {
  readonly actions: PageActions
  readonly requests: PageRequests
}

/** The dialog about a page that is open, if any. */
export function PageDialogs({ actions, requests }: PageDialogsProps) {
  const editor = useEditor()
  const { value: asking } = actions.asking
  if (asking === null) return <Archiving asking={actions.archiving.asking} />
  const { kind, page } = asking
  const close = () => {
    actions.asking.value = null
  }
  if (kind === 'create') return <NewPageDialog above={page} requests={requests} onClose={close} onMade={actions.edit} />
  if (kind === 'move')
    return (
      <MoveDialog
        page={page}
        requests={requests}
        onClose={close}
        onMove={(target) => {
          close()
          void actions.move(page, target)
        }}
      />
    )
  return (
    <Dialog
      title={t.tree.removeTitle(page.title)}
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t.frame.cancel}</Button>
          <Button
            kind="danger"
            onPress={() => {
              close()
              void actions.remove(page)
            }}
          >
            {t.tree.remove}
          </Button>
        </>
      }
    >
      <p>{t.tree.removeHelp}</p>
      <UsesBefore of={subjectOf(editor, page)} />
    </Dialog>
  )
}
