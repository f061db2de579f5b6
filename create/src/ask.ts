import { type Answers, DATABASES, isOneOf, TEMPLATES, USUAL } from './choices.ts'

/** Shows a question; the line that is typed. */
export type Question = (text: string) => Promise<string>

/** Asks for what the command line has left open; Enter takes what is usual. */
export async function ask(
  given: Answers,
  question: Question,
): Promise<Pick<Answers, 'folder' | 'template' | 'database'>> {
  const folder = given.folder ?? ((await question(`Folder of the new site (${USUAL.folder}): `)).trim() || null)
  const template = given.template ?? (await choose(question, 'Template', TEMPLATES))
  const database = given.database ?? (await choose(question, 'Database', DATABASES))
  return { folder, template, database }
}

/** Asks until the answer is the name or the number of a choice; null for the first of them. */
async function choose<Name extends string>(
  question: Question,
  what: string,
  choices: Readonly<Record<Name, string>>,
): Promise<Name | null> {
  // `as`: the names of `choices` are all that it has.
  const names = Object.keys(choices) as Name[]
  const lines = names.map((name, index) => `  ${index + 1}  ${name.padEnd(9)} ${choices[name]}`)
  for (;;) {
    const answer = (await question(`\n${what}:\n${lines.join('\n')}\nName or number (1): `)).trim()
    if (answer === '') return null
    if (isOneOf(choices, answer)) return answer
    const numbered = names[Number(answer) - 1]
    if (numbered !== undefined) return numbered
  }
}
