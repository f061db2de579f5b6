import type { Schema } from 'quire-client'
import { languageOf, timesIn } from '../../base/times.ts'
import { placeInWords } from '../../blocks/place-words.ts'
import { useEditor } from '../../data/editor.ts'
import type { Failure } from '../../data/failure.ts'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import type { OpenDocument } from '../../model/form.ts'
import { t } from '../../words/words.ts'

const times = timesIn(languageOf(navigator.languages))

/** Whether what was written is saved. */
export function SaveStatus({ draft }: { readonly draft: OpenDraft }) {
  const { opener, schema } = useEditor()
  const { trouble } = opener().journal
  const { text, isWrong } = sentenceOf(schema.value, draft)
  return (
    <>
      <span role="status" class={isWrong ? 'q-status q-status--wrong' : 'q-status'}>
        {text}
      </span>
      {trouble.value !== null && <span class="q-status q-status--wrong">{t.document[trouble.value]}</span>}
    </>
  )
}

function sentenceOf(schema: Schema, draft: OpenDraft): { text: string; isWrong: boolean } {
  const { saver, savesItself, document, latest } = draft
  const state = saver.state.value
  switch (state.kind) {
    case 'saved':
      // Text typed a moment ago is about to be sent.
      if (document.revision.value > 0 && document.unsaved().length > 0)
        return { text: savesItself ? t.document.saving : t.document.onDeviceOnly, isWrong: false }
      if (latest.value === null) return { text: '', isWrong: false }
      return state.at === null
        ? { text: t.document.saved, isWrong: false }
        : { text: t.document.savedAt(times.short(new Date(state.at).toISOString(), Date.now())), isWrong: false }
    case 'saving':
      return { text: t.document.saving, isWrong: false }
    case 'waiting':
      return { text: t.document.waiting(state.reason), isWrong: true }
    case 'failed':
      return { text: failed(schema, document, state.failure), isWrong: true }
    case 'conflict':
      return { text: t.document.conflictWaits, isWrong: true }
  }
}

/** Of fields that cannot be stored as they are, the others are. */
function failed(schema: Schema, document: OpenDocument, { name, message, problems }: Failure): string {
  const places = problems.map(({ path }) => placeInWords(schema, document, path.split('.')))
  const named = [...new Set(places)].filter((place) => place !== '')
  return name === 'invalid' && named.length > 0 ? t.document.notSavedInFull(named) : t.document.notSaved(message)
}
