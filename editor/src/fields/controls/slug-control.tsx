import { useSignal } from '@preact/signals'
import { useContext, useEffect, useRef } from 'preact/hooks'
import type { SlugCheck } from 'quire-client'
import { type Editor, useEditor } from '../../data/editor.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'
import { type ControlProps, inputProps } from '../control.ts'
import { type FormOf, OfDocument } from '../of-document.ts'

const PAUSE_MS = 300

/** The slug of a document: whether it is free, what the service would make of it, and which pages would follow. */
export function SlugControl(props: ControlProps) {
  const { leaf } = props
  const of = useContext(OfDocument)
  const { check, ask } = useSlugCheck(of)
  const value = typeof leaf.value.value === 'string' ? leaf.value.value : ''
  const title = String(of?.root.value.value.title ?? '')
  const take = async (question: Question) => {
    const answer = await ask(question, 0)
    if (answer !== null && !leaf.isLocked) leaf.set(answer.suggestion)
  }
  return (
    <>
      <span class="q-row">
        <Input
          {...inputProps(props)}
          type="text"
          spellcheck={false}
          value={value}
          readOnly={leaf.isLocked}
          onInput={({ currentTarget }) => {
            leaf.set(currentTarget.value)
            void ask({ slug: currentTarget.value }, PAUSE_MS)
          }}
          onChange={({ currentTarget }) => {
            if (currentTarget.value.trim() !== '') void take({ slug: currentTarget.value })
          }}
        />
        {of !== null && !leaf.isLocked && (
          <Button
            kind="quiet"
            offBecause={title.trim() === '' ? t.controls.noTitle : null}
            onPress={() => void take({ title })}
          >
            {t.controls.slugFromTitle}
          </Button>
        )}
      </span>
      <small aria-live="polite">{wordsOf(check, value, of)}</small>
    </>
  )
}

type Question = { readonly slug: string } | { readonly title: string }

function wordsOf(check: SlugCheck | null, value: string, of: FormOf | null): string {
  if (check === null) {
    const isOpen = of?.type.localized && !of.root.value.value.lastPublishedAt
    return isOpen ? t.controls.slugFollows : ''
  }
  const { slug, isTaken, suggestion, carried } = check
  const first = isTaken
    ? t.controls.slugTaken(suggestion)
    : slug === value
      ? t.controls.slugFree
      : t.controls.slugStored(slug)
  return carried === 0 ? first : `${first} ${t.controls.slugCarried(carried)}`
}

/** Asks the service about slugs of a document, the last question only. */
function useSlugCheck(of: FormOf | null) {
  const editor = useEditor()
  const check = useSignal<SlugCheck | null>(null)
  const last = useRef<AbortController>(undefined)
  useEffect(() => () => last.current?.abort(), [])
  const ask = async (question: Question, pause: number): Promise<SlugCheck | null> => {
    last.current?.abort()
    const ending = new AbortController()
    last.current = ending
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (ending.signal.aborted || of === null || ('slug' in question && question.slug.trim() === '')) return null
    try {
      const answer = await checkSlug(editor, of, { question, signal: ending.signal })
      check.value = answer
      return answer
    } catch {
      // The outcome of the save is shown at the field.
      check.value = null
      return null
    }
  }
  return { check: check.value, ask }
}

function checkSlug(
  { request, locale }: Pick<Editor, 'request' | 'locale'>,
  { typeName, type, root }: FormOf,
  { question, signal }: { readonly question: Question; readonly signal: AbortSignal },
): Promise<SlugCheck> {
  const { aposDocId } = root.value.peek()
  const body = { ...question, ...(typeof aposDocId === 'string' && { _id: aposDocId }) }
  const copy = type.localized ? ({ mode: 'draft', locale: locale.value } as const) : {}
  return request('POST', `${type.family === 'page' ? '@cms/page' : typeName}/slug`, { body, signal, ...copy })
}
