/** Text that looks like text: the same for the same seed, in words as unevenly frequent as those of a language. */
export interface Prose {
  /** A whole number from 0 up to, not including, `end`. */
  number(end: number): number
  word(): string
  /** Words of which none is among the most frequent ones. */
  title(): string
  /** One paragraph of about `bytes`, as HTML that a rich text widget keeps. */
  paragraph(bytes: number): string
}

const SYLLABLES =
  'ba be co da den do el en far ga hel in ka la len lin lo ma mer mi na nor o pa per ra rin ro sa ser si so sta ta ter ti tor u va ven vi wa wen zo'.split(
    ' ',
  )
const VOCABULARY = 20_000
const FREQUENT = 200

/** Prose from a seed. The word of rank n comes up 1/n as often as the first one. */
export function prose(seed: number): Prose {
  const random = randomNumbers(seed)
  const number = (end: number) => Math.floor(random() * end)
  const ranked = (from: number) => wordOfRank(Math.floor(from * (VOCABULARY / from) ** random()))
  const word = () => ranked(1)
  const sentence = () => capitalized(Array.from({ length: 6 + number(12) }, word).join(' '))
  return {
    number,
    word,
    title: () => capitalized(Array.from({ length: 3 + number(4) }, () => ranked(FREQUENT)).join(' ')),
    paragraph(bytes) {
      const sentences: string[] = []
      for (let length = 0; length < bytes; length += (sentences.at(-1)?.length ?? 0) + 2) sentences.push(sentence())
      return `<p>${sentences.join('. ')}.</p>`
    },
  }
}

/** Each rank has one word, longer for rarer ones, as in languages. */
function wordOfRank(rank: number): string {
  let text = ''
  for (let rest = rank; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text = (SYLLABLES[rest % SYLLABLES.length] ?? '') + text
  }
  return text
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Mulberry32: 32 bits of state are plenty for filling a database. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
