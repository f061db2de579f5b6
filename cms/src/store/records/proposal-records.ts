import type { JsonObject } from '../../base/json.ts'
import type { StoredValues } from '../../model/terms/document.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { Role } from '../../model/terms/roles.ts'
import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { allOf, assigned, columns, inserted, joined, type Sql, sql } from '../database/sql.ts'
import type { StoredForm } from '../terms/stored-form.ts'

/** How far a proposal is decided: `partial` when some rows were accepted and the others refused. */
export type ProposalState = 'open' | 'accepted' | 'partial' | 'refused'

/** The decision about one row of a proposal; `assisted`: accepted with another value. */
export interface RowDecision {
  readonly result: 'accepted' | 'assisted' | 'refused'
  /** The name of the person, as it was then. */
  readonly by: string
  /** ISO 8601. */
  readonly at: string
  /** Why it was refused; empty where nobody said. */
  readonly reason: string
}

/** The decisions about rows, by the key of the row. */
export type RowDecisions = Readonly<Record<string, RowDecision>>

/** Who made a proposal, with the role that they had. */
export interface ProposalMaker {
  readonly kind: 'user' | 'key'
  readonly id: string
  readonly name: string
  readonly role: Role
}

/** Changes of one draft that wait for a person (§4.9), without the contents that they lie between. */
export interface Proposal {
  readonly id: string
  readonly docId: DocId
  readonly locale: Locale
  /** The type that the draft had. */
  readonly type: string
  readonly title: string
  readonly reason: string
  readonly state: ProposalState
  readonly maker: ProposalMaker
  /** Whether AI wrote it. */
  readonly ai: boolean
  /** The revision of the draft that it was made from. */
  readonly revision: number
  readonly decisions: RowDecisions
  readonly createdAt: string
  readonly decidedAt: string | null
  readonly expiresAt: string
}

/** The top-level values of a draft that a proposal changes, before and after. */
export interface ProposedContents {
  readonly base: StoredValues
  readonly proposed: StoredValues
}

/** Selects proposals: all given properties must hold. */
export interface ProposalQuery {
  readonly now: string
  readonly docId?: DocId | undefined
  readonly locale?: Locale | undefined
  readonly type?: string | undefined
  readonly state?: ProposalState | undefined
  readonly makerId?: string | undefined
  /** Only those that are seen; null for all. */
  readonly seen: SeenProposals | null
}

/** Selects proposals of drafts by the type that the draft has now; where it is gone, by the one that it had. */
export interface SeenProposals {
  readonly types: readonly string[]
  readonly locales: readonly Locale[]
  /** Whose proposals are seen in other locales and of other types, too; null for nobody. */
  readonly maker: Pick<ProposalMaker, 'kind' | 'id'> | null
  /** But never of these. */
  readonly hiddenTypes: readonly string[]
}

interface Row extends Omit<Proposal, 'maker' | 'ai' | 'decisions'> {
  readonly makerKind: ProposalMaker['kind']
  readonly makerId: string
  readonly makerName: string
  readonly makerRole: Role
  readonly ai: number
  readonly decisions: string
}

const PROPOSAL = joined([
  columns<Row>('id', 'docId', 'locale', 'type', 'title', 'reason', 'state', 'makerKind', 'makerId', 'makerName'),
  columns<Row>('makerRole', 'ai', 'revision', 'decisions', 'createdAt', 'decidedAt', 'expiresAt'),
])

/** Proposals, with the values that they would change. */
export class ProposalRecords<Connected extends Connection> extends Repository<Connected> {
  readonly #form: StoredForm

  constructor(connection: Connected, form: StoredForm) {
    super(connection)
    this.#form = form
  }

  /** Null for one that has expired. */
  async get(id: string, now: string): Promise<Proposal | null> {
    const row = await this.firstRow<Row>(
      sql`select ${PROPOSAL} from proposals where id = ${id} and expires_at > ${now}`,
    )
    return row && toProposal(row)
  }

  /** The contents of a proposal, as their type is declared now. Throws for one that does not exist. */
  async contents({ id, type }: Pick<Proposal, 'id' | 'type'>): Promise<ProposedContents> {
    const row = await this.firstRow<{ base: string; proposed: string }>(
      sql`select base, proposed from proposals where id = ${id}`,
    )
    if (row === null) throw new Error('There is no such proposal.')
    const read = (text: string) => this.#form.read(type, JSON.parse(text))
    return { base: read(row.base), proposed: read(row.proposed) }
  }

  /** Newest first; `before` is the id of the last one of the page before. */
  async list(
    query: ProposalQuery,
    { limit, before }: { readonly limit: number; readonly before: string | null },
  ): Promise<Proposal[]> {
    const older =
      before === null
        ? sql``
        : sql`and (created_at, id) < (select b.created_at, b.id from proposals b where b.id = ${before})`
    const rows = await this.connection.all<Row>(
      sql`select ${PROPOSAL} from proposals where ${this.#testsOf(query)} ${older}
        order by created_at desc, id desc limit ${limit}`,
    )
    return rows.map(toProposal)
  }

  count(query: ProposalQuery): Promise<number> {
    return this.countOf(sql`select count(*) as count from proposals where ${this.#testsOf(query)}`)
  }

  /** Lets each of several transactions that add proposals wait for the one before it. Call it first. */
  lockAll(this: ProposalRecords<Transaction>): Promise<void> {
    return this.waitForOthers('proposals')
  }

  /** A proposal, locked until the transaction ends; null for one that has expired. */
  async lock(this: ProposalRecords<Transaction>, id: string, now: string): Promise<Proposal | null> {
    const row = await this.firstRow<Row>(
      sql`select ${PROPOSAL} from proposals where id = ${id} and expires_at > ${now}
        ${this.dialect.forUpdate}`,
    )
    return row && toProposal(row)
  }

  async add(
    this: ProposalRecords<Transaction>,
    { maker, decisions, ai, ...proposal }: Proposal,
    { base, proposed }: { readonly base: JsonObject; readonly proposed: JsonObject },
  ): Promise<void> {
    const { kind: makerKind, id: makerId, name: makerName, role: makerRole } = maker
    const stored = (values: JsonObject) => JSON.stringify(this.#form.write({ ...values }))
    const contents = { decisions: JSON.stringify(decisions), base: stored(base), proposed: stored(proposed) }
    const row = { ...proposal, makerKind, makerId, makerName, makerRole, ai, ...contents }
    await this.connection.all(sql`insert into proposals ${inserted(row)}`)
  }

  /** Records what was decided. */
  async decide(
    this: ProposalRecords<Transaction>,
    id: string,
    { decisions, ...decided }: Pick<Proposal, 'state' | 'decisions' | 'decidedAt' | 'expiresAt'>,
  ): Promise<void> {
    const values = assigned({ ...decided, decisions: JSON.stringify(decisions) })
    await this.connection.all(sql`update proposals set ${values} where id = ${id}`)
  }

  /** False when there is none. */
  remove(this: ProposalRecords<Transaction>, id: string): Promise<boolean> {
    return this.hasRows(sql`delete from proposals where id = ${id} returning id`)
  }

  async removeExpired(this: ProposalRecords<Transaction>, now: string): Promise<void> {
    await this.connection.all(sql`delete from proposals where expires_at <= ${now}`)
  }

  #testsOf({ now, docId, locale, type, state, makerId, seen }: ProposalQuery): Sql {
    return allOf(
      sql`expires_at > ${now}`,
      docId !== undefined && sql`doc_id = ${docId}`,
      locale !== undefined && sql`locale = ${locale}`,
      type !== undefined && sql`type = ${type}`,
      state !== undefined && sql`state = ${state}`,
      makerId !== undefined && sql`maker_id = ${makerId}`,
      seen !== null && this.#isSeen(seen),
    )
  }

  #isSeen({ types, locales, maker, hiddenTypes }: SeenProposals): Sql {
    const isOneOf = (column: Sql, names: readonly string[]) => this.dialect.oneOf(column, names, 'text')
    const own = maker === null ? sql`` : sql`or maker_kind = ${maker.kind} and maker_id = ${maker.id}`
    return allOf(
      sql`(${isOneOf(TYPE_NOW, types)} and ${isOneOf(sql`locale`, locales)} ${own})`,
      hiddenTypes.length > 0 && sql`not ${isOneOf(TYPE_NOW, hiddenTypes)}`,
    )
  }
}

/** A page may have become one of another type since a proposal was made. */
const TYPE_NOW = sql`coalesce((select d.type from documents d
  where d.doc_id = proposals.doc_id and d.locale = proposals.locale and d.mode = 'draft'), proposals.type)`

function toProposal({ makerKind, makerId, makerName, makerRole, ai, decisions, ...row }: Row): Proposal {
  const maker = { kind: makerKind, id: makerId, name: makerName, role: makerRole }
  return { ...row, maker, ai: ai === 1, decisions: JSON.parse(decisions) }
}
