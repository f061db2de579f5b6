import { type Command, EditorState, TextSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { TOOLS, type Tool } from '../../../cms/src/model/terms/rich-text-tools.ts'
import { richTextPolicy, sanitize } from '../../../cms/src/model/values/clean-rich-text.ts'
import { fuzzing, seed } from '../../../cms/test/sample.ts'
import { randomNumbers, TextMaker } from '../../test/made-up-texts.ts'
import { setStyle } from './block-commands.ts'
import { docOf } from './from-html.ts'
import { keysOf } from './keys.ts'
import { allowedBy, isToolName } from './policy.ts'
import { htmlOfDoc } from './to-html.ts'
import { commandOf } from './tool-commands.ts'

const styles = [{ tag: 'p', class: 'lead big' }, { tag: 'h2' }, { tag: 'div', class: 'note' }]

test.each([[undefined], [[]], ...TOOLS.map((tool): [Tool[]] => [[tool]]), [[...TOOLS]]])(
  '§2.13 what tools make is what the service keeps: %j',
  (toolbar?: Tool[]) => {
    const policy = richTextPolicy({ toolbar, styles }, [])
    const allowed = allowedBy(toolbar, styles)
    expect([...allowed.tags].sort()).toEqual([...policy.allowedTags].sort())
    for (const tag of new Set([...Object.keys(policy.allowedAttributes), ...Object.keys(allowed.attributes)]))
      expect(allowed.attributes[tag]).toEqual(new Set(policy.allowedAttributes[tag]))
    for (const tag of policy.allowedTags)
      expect(allowed.classes[tag] ?? new Set()).toEqual(new Set(policy.allowedClasses[tag]))
  },
)

test('§2.13 without a declaration the tools and styles are the usual ones', () => {
  const { allowedTags } = richTextPolicy({}, [])
  expect([...allowedBy().tags].sort()).toEqual([...allowedTags].sort())
  expect(allowedBy(['unheard', 'bold', '|']).tools).toEqual(['bold', '|'])
})

test('§4.5 whatever tools and keys do to a text, the service keeps its words', () => {
  const random = randomNumbers(seed)
  const policy = richTextPolicy({ toolbar: [...TOOLS], styles }, null)
  const allowed = allowedBy(TOOLS, styles)
  const commands: readonly Command[] = [
    ...TOOLS.flatMap((tool) => (isToolName(tool) ? [commandOf(tool) ?? (() => false)] : [])),
    ...styles.map(setStyle),
    ...Object.entries(keysOf(allowed)).flatMap(([key, command]) =>
      /^(?:Enter|Shift-Enter|Delete|Tab|Shift-Tab)$/.test(key) ? [command] : [],
    ),
  ]
  for (let count = 0; count < fuzzing(200).numRuns; count += 1) {
    const doc = docOf((sanitize(new TextMaker(policy, random).text(), policy) ?? '').trim())
    let state = EditorState.create({ doc })
    for (let step = 0; step < 5; step += 1) {
      const [from, to] = [random(), random()].map((part) =>
        state.doc.resolve(Math.floor(part * state.doc.content.size)),
      )
      if (from === undefined || to === undefined) continue
      state = state.apply(state.tr.setSelection(TextSelection.between(from, to)))
      commands[Math.floor(random() * commands.length)]?.(state, (tr) => {
        state = state.apply(tr)
      })
    }
    state.doc.check()
    const html = htmlOfDoc(state.doc)
    const stored = sanitize(html, policy) ?? ''
    expect(wordsOf(stored)).toBe(wordsOf(html))
    expect(sanitize(htmlOfDoc(docOf(stored)), policy)).toBe(stored)
  }
})

function wordsOf(html: string): string {
  return html.replaceAll(/<[^>]*>|&quot;|"/g, '')
}
