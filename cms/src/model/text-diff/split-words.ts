/** Characters of scripts that are written without spaces between words: those that ICU segments by dictionary. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u
/**
 * Pieces that can be segmented one by one: the cost of those scripts grows faster than the length of what is segmented.
 */
const PIECES = /\s+|[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]+|[^\s\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]{1,1000}/gu
const SPACE = /^\s+$/

let segmenter: Intl.Segmenter | null = null

/** Created on first use, because it loads dictionaries. */
function wordSegmenter(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  return segmenter
}

/** A text in words, runs of space and punctuation marks, in any script (§2.5). Joined, they are the text. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  for (const piece of UNSPACED.test(text) ? (text.match(PIECES) ?? []) : [text]) addWords(words, piece)
  return words
}

function addWords(words: string[], piece: string): void {
  let space = ''
  for (const { segment } of wordSegmenter().segment(piece)) {
    if (SPACE.test(segment)) {
      space += segment
      continue
    }
    if (space !== '') words.push(space)
    space = ''
    words.push(segment)
  }
  if (space !== '') words.push(space)
}
