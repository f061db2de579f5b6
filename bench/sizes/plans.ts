import { Client } from 'pg'

/** A statement as it was sent to PostgreSQL. */
export interface Sent {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A node of a plan, as `explain (format json)` answers it. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Plan Rows': number
  readonly 'Sort Key'?: readonly string[]
  readonly Plans?: readonly PlanNode[]
}

/** The tables that grow with the documents; positions of pages are not among them: whoever asks for the whole tree reads all. */
const TABLES = ['documents', 'entries', 'contents', 'search', 'versions', 'unique_values', 'version_attachments']

/** What runs while `work` does, each text once. */
export async function statementsOf(work: () => Promise<unknown>): Promise<readonly Sent[]> {
  const sent = new Map<string, Sent>()
  const query = Client.prototype.query
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    const [first] = given
    // `as`: what the driver takes.
    const { text, values = [] } = (typeof first === 'string' ? { text: first } : first) as Partial<Sent> & {
      text: string
    }
    sent.set(text, { text, values })
    return Reflect.apply(query, this, given)
  }
  try {
    await work()
  } finally {
    Client.prototype.query = query
  }
  return [...sent.values()].filter(({ text }) => !text.includes('; ') && /^(select|with)\b/i.test(text.trim()))
}

/** How a statement would read a growing table from its beginning to its end, or sort more than `most` rows; null: it would not. */
export async function problemOfPlan(client: Client, { text, values }: Sent, most: number): Promise<string | null> {
  const { rows } = await client.query(`explain (format json) ${text}`, [...values])
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
  const scan = nodes.find((node) => node['Node Type'] === 'Seq Scan' && TABLES.includes(node['Relation Name'] ?? ''))
  if (scan !== undefined) return `reads all of ${scan['Relation Name']}`
  const sort = nodes.find((node) => node['Node Type'] === 'Sort' && !isOfNumbers(node) && node['Plan Rows'] > most)
  return sort === undefined ? null : `sorts ${sort['Plan Rows']} rows`
}

/** Row numbers alone are sorted in a moment, once for a list, and then kept. */
function isOfNumbers({ 'Sort Key': keys = [] }: PlanNode): boolean {
  return keys.length === 1 && /^\w+\.n( DESC)?$/.test(keys[0] ?? '')
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
