import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { testDatabases } from '../../cms/test/databases.ts'
import { beginAnthropic } from './anthropic-conversation.ts'
import { resultsText, type TaskResult } from './evaluation-results.ts'
import type { Begin, ModelAddress, Tokens } from './language-model.ts'
import { type ModelWork, workOf } from './model-worker.ts'
import { type Newsroom, prepareNewsrooms } from './newsroom.ts'
import { beginOpenAi } from './openai-conversation.ts'
import type { Task } from './task.ts'
import { TASKS } from './tasks.ts'
import { trial } from './trial.ts'

/** A run of the tasks as a command asks for it. */
interface Command {
  readonly model: ModelAddress
  readonly begin: Begin
  readonly tasks: readonly Task[]
  readonly mostSteps: number
  readonly prices: Tokens | null
  readonly out: string | undefined
}

const OPTIONS = {
  model: { type: 'string' },
  url: { type: 'string' },
  protocol: { type: 'string', default: 'openai' },
  tasks: { type: 'string' },
  steps: { type: 'string', default: '100' },
  'price-in': { type: 'string' },
  'price-out': { type: 'string' },
  out: { type: 'string' },
} as const

const PROTOCOLS: ReadonlyMap<string, Begin> = new Map([
  ['openai', beginOpenAi],
  ['anthropic', beginAnthropic],
])

/**
 * Lets a model do the tasks, and writes down what came of it: into `results/`, or the file `--out`. Returns that file.
 * Throws, and writes nothing, for wrong options and where the endpoint refuses.
 */
export async function evaluate(
  args: string[],
  key: string | undefined,
  print: (line: string) => void,
): Promise<string> {
  const command = commandOf(args, key)
  const [databases] = testDatabases
  if (databases === undefined) throw new Error('There is a kind of database.')
  const open = await prepareNewsrooms(databases)
  const results: TaskResult[] = []
  for (const task of command.tasks) {
    const result = await resultOf(task, open, command)
    results.push(result)
    print([result.differences.length === 0 ? 'passed' : 'failed', task.id, ...result.differences].join('\n  '))
  }
  return writeResults(command, results)
}

function commandOf(args: string[], key: string | undefined): Command {
  const { values } = parseArgs({ args, options: OPTIONS })
  const { model: name, url, protocol, out, 'price-in': priceIn, 'price-out': priceOut } = values
  const begin = PROTOCOLS.get(protocol)
  if (name === undefined || url === undefined)
    throw new Error('Say which model, and where: --model NAME --url https://…')
  if (begin === undefined) throw new Error(`--protocol is ${[...PROTOCOLS.keys()].join(' or ')}, not “${protocol}”.`)
  const hasPrices = priceIn !== undefined && priceOut !== undefined
  return {
    model: { name, url: url.replace(/\/$/, ''), key },
    begin,
    tasks: tasksOf(values.tasks),
    mostSteps: numberOf('steps', values.steps),
    prices: hasPrices ? { input: numberOf('price-in', priceIn), output: numberOf('price-out', priceOut) } : null,
    out,
  }
}

function numberOf(name: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`--${name} is a number, not “${text}”.`)
  return Number(text)
}

function tasksOf(list: string | undefined): readonly Task[] {
  const ids = list?.split(',') ?? TASKS.map(({ id }) => id)
  return ids.map((id) => {
    const task = TASKS.find((one) => one.id === id)
    if (task === undefined)
      throw new Error(`There is no task ${id}. There are: ${TASKS.map(({ id }) => id).join(', ')}.`)
    return task
  })
}

async function resultOf(task: Task, open: () => Promise<Newsroom>, command: Command): Promise<TaskResult> {
  let work: ModelWork = { answer: '', tokens: { input: 0, output: 0 }, steps: 0 }
  const differences = await trial(task, open, async (_, tools) => {
    work = await workOf(command, task, tools)
    return work.answer
  })
  return { id: task.id, differences, tokens: work.tokens, steps: work.steps }
}

async function writeResults(
  { model: { name }, prices, out }: Command,
  results: readonly TaskResult[],
): Promise<string> {
  const date = new Date().toISOString().slice(0, 10)
  const file = out ?? join(import.meta.dirname, 'results', `${date}-${name.replaceAll(/[^\w.-]+/g, '-')}.md`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, resultsText({ date, model: name, results, prices }))
  return file
}
