import { mountRichText, type RichText, type RichTextOptions } from '../src/rich-text/index.ts'
import { richTextEnglish } from '../src/words/rich-text-en.ts'

// A page with one rich text, for tests: `page.evaluate(() => testPage.mount(…))`.

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(html: string): string }): { createHTML(html: string): string }
}

/** What a test looks at, and can do. */
export interface TestPage {
  readonly changes: string[]
  readonly messages: string[]
  text: RichText | null
  /** Ends the editing. */
  readonly ending: AbortController
  /** Opens a text, types a word at its `place`th piece of words (counted round and round), and gives what would be saved. */
  typeInto(html: string, word: string, place: number): Promise<string | undefined>
  paste(type: string, data: string | File): void
  /** Opens a text and pastes a file. */
  pastePicture(canUpload: boolean): void
  mount(options: Pick<RichTextOptions, 'html' | 'toolbar' | 'styles' | 'uploadImage'>): void
}

declare global {
  var testPage: TestPage
  var trustedTypes: TrustedTypes | undefined
}

const trusted = globalThis.trustedTypes?.createPolicy('quire', { createHTML: (html) => html })

globalThis.testPage = {
  changes: [],
  messages: [],
  text: null,
  ending: new AbortController(),
  async typeInto(html, word, place) {
    this.mount({ html, toolbar: ['bold'] })
    this.text?.focus('end')
    const words = document.createTreeWalker(document.querySelector('[role=textbox]') ?? document, NodeFilter.SHOW_TEXT)
    const found: Node[] = []
    while (words.nextNode()) if (isEditable(words.currentNode)) found.push(words.currentNode)
    const node = found[place % found.length]
    if (node) document.getSelection()?.collapse(node, place % ((node.textContent?.length ?? 0) + 1))
    document.execCommand('insertText', false, word)
    await new Promise((resolve) => setTimeout(resolve))
    return this.changes.at(-1)
  },
  paste(type, data) {
    const clipboardData = new DataTransfer()
    if (typeof data === 'string') clipboardData.setData(type, data)
    else clipboardData.items.add(data)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.querySelector('[role=textbox]')?.dispatchEvent(event)
  },
  pastePicture(canUpload) {
    const uploadImage = canUpload ? async () => ({ src: '/uploaded.png', alt: '' }) : undefined
    this.mount({ html: '<p></p>', toolbar: ['image'], uploadImage })
    this.paste('image/png', new File(['x'], 'a.png', { type: 'image/png' }))
  },
  mount(given) {
    this.text?.destroy()
    this.changes.length = 0
    this.messages.length = 0
    const host = document.getElementById('host')
    if (host === null) throw new Error('The page has no place for a text.')
    this.text = mountRichText(host, {
      ...given,
      label: 'Body',
      direction: 'ltr',
      language: 'en',
      t: richTextEnglish,
      onChange: (html) => this.changes.push(html),
      onLeave: () => this.messages.push('left'),
      onRefused: (message) => this.messages.push(message),
      pickDocument: async (query) => (query.includes('boat') ? [{ id: 'boat1', title: 'A boat', detail: 'Page' }] : []),
      titleOf: async (id) => (id === 'boat1' ? 'A boat' : null),
      signal: this.ending.signal,
      trustedHtml: (html) => trusted?.createHTML(html) ?? html,
      pickImage: async () => ({ src: '/api/v1/@apostrophecms/image/abc/src', alt: 'A boat' }),
    })
  },
}

function isEditable({ parentElement, textContent }: Node): boolean {
  return parentElement?.closest('.q-kept, [contenteditable=false]') === null && /\w/.test(textContent ?? '')
}
