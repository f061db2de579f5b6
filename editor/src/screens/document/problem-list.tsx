import type { Signal } from '@preact/signals'
import { placeInWords } from '../../blocks/place-words.ts'
import { useEditor } from '../../data/editor.ts'
import { wordsOf } from '../../fields/leaf-field.tsx'
import type { OpenDocument, Path } from '../../model/form.ts'
import { t } from '../../words/words.ts'

interface ProblemListProps {
  readonly document: OpenDocument
  readonly goTo: Signal<Path | null>
  /** Whether publishing was tried. */
  readonly isOpen: boolean
}

/** All problems of a document; each leads to its field. */
export function ProblemList({ document, goTo, isOpen }: ProblemListProps) {
  const { schema } = useEditor()
  const problems = document.problems.value
  if (problems.length === 0) return null
  return (
    <details class="q-problems" open={isOpen}>
      <summary>{t.publishing.problems(problems.length)}</summary>
      <ul aria-label={t.document.problems}>
        {problems.map((problem) => (
          <li key={`${problem.path.join('.')} ${problem.name}`}>
            <button
              type="button"
              class="q-button q-button--quiet"
              onClick={() => {
                goTo.value = [...problem.path]
              }}
            >
              {t.document.problemAt(placeInWords(schema.value, document, problem.path), wordsOf([problem])[0] ?? '')}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
