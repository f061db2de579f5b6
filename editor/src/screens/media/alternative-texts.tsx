import { useSignal } from '@preact/signals'
import type { MediaUploads } from '../../data/uploads/media-uploads.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { AlternativeTextRow } from './alternative-text-row.tsx'
import './alternative-texts.css'

interface AlternativeTextsProps {
  readonly uploads: MediaUploads
  readonly typeName: string
}

/** Asks what the pictures show that were just uploaded, one after the other. */
export function AlternativeTexts({ uploads, typeName }: AlternativeTextsProps) {
  const put = useSignal<ReadonlySet<string>>(new Set())
  const made = uploads.all.value.flatMap(({ id, typeName: name, state: { value: state } }) =>
    state.kind === 'made' && name === typeName && !put.value.has(id) ? [{ id, document: state.document }] : [],
  )
  if (made.length === 0) return null
  return (
    <section class="q-alts" aria-label={t.media.alternativeTexts}>
      <div class="q-uploads-head">
        <div>
          <h2>{t.media.alternativeTexts}</h2>
          <p>{t.media.alternativeTextsHelp}</p>
        </div>
        <Button
          onPress={() => {
            put.value = new Set([...put.value, ...made.map(({ id }) => id)])
          }}
        >
          {t.media.later}
        </Button>
      </div>
      <ul>
        {made.map(({ id, document }) => (
          <AlternativeTextRow key={id} image={document} />
        ))}
      </ul>
    </section>
  )
}
