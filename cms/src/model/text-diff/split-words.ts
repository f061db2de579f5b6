const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** A text in words, spaces and punctuation marks, in any script (§2.5). Joined, they are the text. */
export function splitWords(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
