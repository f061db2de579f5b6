import type { ProblemName, ProblemParams } from '../../model/checking/checks.ts'

type Sentences = { readonly [Name in ProblemName]: (params: ProblemParams[Name]) => string }

const sentences: Sentences = {
  required: () => 'This is required.',
  minLength: ({ min }) => `At least ${min} characters.`,
  maxLength: ({ max, length }) => `At most ${max} characters; these are ${length}.`,
  min: ({ min }) => (typeof min === 'number' ? `At least ${min}.` : `Not before ${min}.`),
  max: ({ max }) => (typeof max === 'number' ? `At most ${max}.` : `Not after ${max}.`),
  minCount: ({ min, count }) => `At least ${min} of them; there ${are(count)}.`,
  maxCount: ({ max, count }) => `At most ${max} of them; there ${are(count)}.`,
  pattern: () => 'This does not have the form that is asked for.',
  text: () => 'A text.',
  integer: () => 'A whole number, such as 12.',
  number: () => 'A number, such as 1.5.',
  date: () => 'A date, such as 2026-12-31.',
  time: () => 'A time, such as 14:30.',
  dateAndTime: () => 'A date and a time.',
  email: () => 'An e-mail address, such as ann@example.org.',
  url: () => 'An address, such as https://example.org.',
  color: () => 'A colour, such as #336699.',
  choice: () => 'One of the choices.',
  slug: () => 'Letters, digits and hyphens, at least one of the first two.',
}

function are(count: number): string {
  return count === 1 ? 'is 1' : `are ${count}`
}

/** Problems of values. */
export const problems = {
  of(name: string, params: Readonly<Record<string, string | number>>): string {
    // `as`: the checks give each problem the parameters that stand beside its name.
    const sentence = Object.hasOwn(sentences, name) ? (sentences[name as ProblemName] as Sentence) : null
    return sentence?.(params) ?? 'This is not right.'
  },
}

type Sentence = (params: Readonly<Record<string, string | number>>) => string
