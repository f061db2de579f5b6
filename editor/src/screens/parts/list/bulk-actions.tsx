import { type Signal, useSignal } from '@preact/signals'
import type { TypeInfo } from 'quire-client'
import { useEditor } from '../../../data/editor.ts'
import { failureOf } from '../../../data/failure.ts'
import { invalidate } from '../../../data/query.ts'
import { readAiMarks } from '../../../data/written-by-ai.ts'
import { Button } from '../../../ui/button.tsx'
import { note } from '../../../ui/toast.tsx'
import { t } from '../../../words/words.ts'
import { Archiving, useArchiving } from '../uses/archiving.tsx'
import { ByAiDialog } from './by-ai-dialog.tsx'
import { type Failed, FailedDialog } from './failed-dialog.tsx'
import './bulk-actions.css'

const AT_ONCE = 50

type Chosen = ReadonlyMap<string, string>

interface BulkActionsProps {
  readonly name: string
  readonly type: TypeInfo
  /** Titles by `_id`. */
  readonly chosen: Signal<Chosen>
  readonly isArchive: boolean
}

type Change = 'publish' | 'archive' | 'restore'

interface Outcome {
  readonly _id: string
  readonly ok: boolean
  readonly error?: { readonly message: string }
}

/** Publishes, archives and restores what is chosen, fifty at a time, and lists what failed and why. */
export function BulkActions({ name, type, chosen, isArchive }: BulkActionsProps) {
  const editor = useEditor()
  const { request } = editor
  const progress = useSignal<{ readonly done: number; readonly all: number } | null>(null)
  const failed = useSignal<{ readonly change: Change; readonly rows: readonly Failed[] } | null>(null)
  const byAi = useSignal<Chosen | null>(null)
  const archiving = useArchiving()
  /** Says which texts AI has written and nobody has touched, before they are published. */
  const publish = async (titles: Chosen) => {
    try {
      const marks = await readAiMarks(editor, [...titles.keys()], new AbortController().signal)
      const untouched = [...titles].filter(([id]) => marks.get(id.split(':')[0] ?? '') === 'changed')
      if (untouched.length === 0) await apply('publish', titles)
      else byAi.value = new Map(untouched)
    } catch (error) {
      note(failureOf(error).message)
    }
  }
  const apply = async (change: Change, titles: Chosen) => {
    // Pressed twice, it is done once.
    if (progress.peek() !== null) return
    const ids = [...titles.keys()]
    const rows: Failed[] = []
    for (let done = 0; done < ids.length; done += AT_ONCE) {
      progress.value = { done, all: ids.length }
      rows.push(...(await applyTo(ids.slice(done, done + AT_ONCE), change, titles)))
    }
    progress.value = null
    failed.value = rows.length > 0 ? { change, rows } : null
    if (ids.length > rows.length) note(t.list.done(ids.length - rows.length))
    chosen.value = new Map()
    await invalidate(name)
  }
  const applyTo = async (ids: readonly string[], change: Change, titles: Chosen) => {
    const titled = (id: string, message: string) => ({ id, title: titles.get(id) ?? id, message })
    try {
      const { results } = await request<{ results: readonly Outcome[] }>('POST', `${name}/${change}`, {
        body: { _ids: ids },
      })
      return results.flatMap(({ _id, ok, error }) => (ok ? [] : [titled(_id, error?.message ?? '')]))
    } catch (error) {
      return ids.map((id) => titled(id, error instanceof Error ? error.message : String(error)))
    }
  }
  const archive = (titles: Chosen) => {
    const asked = [...titles].map(([id, title]) => ({ path: name, docId: id.split(':')[0] ?? '', title }))
    return archiving.archive(asked, () => void apply('archive', titles))
  }
  const start = { publish, archive, restore: (titles: Chosen) => apply('restore', titles) }
  const button = (change: Change, label: string) => {
    const reason = type.denied[change === 'restore' ? 'archive' : change]
    return (
      <Button onPress={() => void start[change](chosen.value)} offBecause={reason ? t.roles.reason(reason) : null}>
        {label}
      </Button>
    )
  }
  return (
    <>
      {chosen.value.size > 0 && (
        <fieldset class="q-bulk" aria-label={t.list.selected(chosen.value.size)}>
          <span>
            {progress.value === null
              ? t.list.selected(chosen.value.size)
              : t.list.working(progress.value.done, progress.value.all)}
          </span>
          {isArchive ? (
            button('restore', t.list.restore)
          ) : (
            <>
              {type.localized && button('publish', t.list.publish)}
              {button('archive', t.list.archive)}
            </>
          )}
        </fieldset>
      )}
      <Archiving asking={archiving.asking} />
      {byAi.value && (
        <ByAiDialog
          titles={[...byAi.value.values()]}
          onClose={() => {
            byAi.value = null
          }}
          onPublish={() => {
            byAi.value = null
            void apply('publish', chosen.value)
          }}
        />
      )}
      {failed.value && (
        <FailedDialog
          rows={failed.value.rows}
          onClose={() => {
            failed.value = null
          }}
          onRetry={() => {
            const again = failed.value
            failed.value = null
            if (again) void apply(again.change, new Map(again.rows.map(({ id, title }) => [id, title])))
          }}
        />
      )}
    </>
  )
}
