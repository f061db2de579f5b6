const WORDS_PER_MINUTE = 200

/** How long texts take to read, in whole minutes, at least one. Tags in them are not read. */
export function readingMinutes(texts: readonly string[]): number {
  const words = texts.flatMap((text) => text.replace(/<[^>]*>/g, ' ').match(/\p{L}+/gu) ?? [])
  return Math.max(1, Math.round(words.length / WORDS_PER_MINUTE))
}
