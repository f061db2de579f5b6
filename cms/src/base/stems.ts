import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'

type Stemmer = (word: string) => string

const STEMMERS: ReadonlyMap<string, Stemmer> = new Map([
  ...Object.entries({ da: danish, de: german, en: english, es: spanish, fi: finnish, fr: french, hu: hungarian }),
  ...Object.entries({ it: italian, nb: norwegian, nl: dutch, nn: norwegian, no: norwegian, pt: portuguese }),
  ...Object.entries({ ro: romanian, ru: russian, sv: swedish, tr: turkish }),
])

/** The languages whose words have stems. */
export const STEMMED_LANGUAGES: readonly string[] = [...STEMMERS.keys()]

/** Shorter stems are not used: `or` is that of `ore`. */
const SHORTEST = 3
/** Stems that were made lately: texts repeat their words, and a stem takes microseconds. */
const MOST_KEPT = 20_000
const kept = new Map<string, Map<string, string>>()

/** The stem of a folded word (`searchWords`) in a language, `gardens` → `garden`; the word itself in other languages. */
export function stemOf(word: string, language: string): string {
  const stemmer = STEMMERS.get(language)
  if (stemmer === undefined) return word
  const stems = kept.get(language) ?? new Map<string, string>()
  kept.set(language, stems)
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MOST_KEPT) stems.clear()
  const made = stemmer(word).toLowerCase()
  const stem = made.length < SHORTEST ? word : made
  stems.set(word, stem)
  return stem
}
