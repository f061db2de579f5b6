import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useEditor } from '../../data/editor.ts'
import { failureOf } from '../../data/failure.ts'
import { acceptRows, type Proposal, type ProposedRow, refuseRows } from '../../data/proposals.ts'
import { Button } from '../../ui/button.tsx'
import { note } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { ChangeList } from '../parts/changes/change-list.tsx'
import { AcceptDialog } from './accept-dialog.tsx'
import { RefuseDialog } from './refuse-dialog.tsx'
import { RowActions } from './row-actions.tsx'

/** The changes of a proposal, each with *Accept* and *Refuse*, and what is done with all of them. */
export function ProposalRows({ proposal }: { readonly proposal: Proposal }) {
  const { rows, _accept } = proposal
  const { isBusy, changed, decide, place, ...editor } = useDecisions(proposal)
  const isRefusing = useSignal(false)
  const open = rows.filter(({ state }) => state === 'open')
  const fitting = open.filter(({ changedMeanwhile }) => changedMeanwhile === undefined)
  return (
    <section class="q-proposal-rows" aria-label={t.proposals.changes} ref={place}>
      {open.length > 0 && _accept && (
        <div class="q-proposal-all">
          <Button
            kind="primary"
            offBecause={isBusy.value ? t.frame.loading : fitting.length === 0 ? t.proposals.nothingFits : null}
            onPress={() => void decide(() => acceptRows(editor, proposal, {}))}
          >
            {t.proposals.acceptAll}
          </Button>
          <Button
            onPress={() => {
              isRefusing.value = true
            }}
          >
            {t.proposals.refuseAll}
          </Button>
        </div>
      )}
      {open.length > 0 && !_accept && !proposal.obstacle && <p>{t.proposals.mayNot}</p>}
      {rows.length === 0 && <p>{t.proposals.noRows}</p>}
      <ChangeList
        rows={rows}
        actions={(row) => (
          <RowActions
            row={row}
            mayDecide={_accept}
            onAccept={() => void decide(() => acceptRows(editor, proposal, { rows: [row.key] }), row)}
            onRefuse={() => void decide(() => refuseRows(editor, proposal, { rows: [row.key] }), row)}
            onChange={() => {
              changed.value = row
            }}
          />
        )}
      />
      {isRefusing.value && (
        <RefuseDialog
          onClose={() => {
            isRefusing.value = false
          }}
          onRefuse={(reason) => decide(() => refuseRows(editor, proposal, { reason }))}
        />
      )}
      {changed.value && (
        <AcceptDialog
          row={changed.value}
          onClose={() => {
            changed.value = null
          }}
          onAccept={(value) => {
            const { key } = changed.peek() ?? { key: '' }
            return decide(() => acceptRows(editor, proposal, { rows: [key], values: { [key]: value } }), changed.peek())
          }}
        />
      )}
    </section>
  )
}

/** Decides one thing at a time, and goes on to the next change that is open. */
function useDecisions({ rows }: Proposal) {
  const { request } = useEditor()
  const isBusy = useSignal(false)
  const changed = useSignal<ProposedRow | null>(null)
  const place = useRef<HTMLElement>(null)
  const next = useRef<number | null>(null)
  useEffect(() => {
    if (next.current === null) return
    goOn(place.current, next.current)
    next.current = null
  }, [rows])
  /** Whether it was done; else a note says why not. */
  const decide = async (work: () => Promise<Proposal>, row: ProposedRow | null = null): Promise<boolean> => {
    if (isBusy.peek()) return false
    isBusy.value = true
    try {
      next.current = row === null ? 0 : rows.indexOf(row)
      tell(await work(), row === null)
      return true
    } catch (error) {
      note(failureOf(error).message)
      return false
    } finally {
      isBusy.value = false
    }
  }
  return { request, isBusy, changed, place, decide }
}

function tell({ rows }: Proposal, isAll: boolean): void {
  const open = rows.filter(({ state }) => state === 'open').length
  if (open === 0) note(t.proposals.done)
  else if (isAll) note(t.proposals.left(open))
}

/** Puts the focus on the first change from here on that can be decided, or where there is none, on the title. */
function goOn(place: HTMLElement | null, from: number): void {
  const items = [...(place?.querySelectorAll('.q-changes > li') ?? [])]
  const button = (item: Element) => item.querySelector<HTMLElement>('.q-proposal-actions button')
  const found = [...items.slice(from), ...items].find((item) => button(item) !== null)
  const target = found ? button(found) : document.querySelector<HTMLElement>('h1')
  target?.focus()
}
