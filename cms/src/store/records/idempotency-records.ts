import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { assigned, columns, inserted, replaced, sql } from '../database/sql.ts'

/** A request that is carried out once, however often it is sent (§0.9). */
export interface IdempotentRequest {
  /** Identifies the caller, the method, the path and the key. */
  readonly id: string
  /** A digest of the body: the same key stands for one body. */
  readonly body: string
  /** Until when the process that carries it out is presumed alive, in milliseconds since 1970. */
  readonly until: number
}

/** A request, and when a process claimed it: claims follow each other, so that this says whose it is. */
type Claim = Pick<RequestState, 'id' | 'since'>

/** The recorded state of such a request. */
interface RequestState extends IdempotentRequest {
  readonly since: number
  /** True once any of its work is committed. */
  readonly isCommitted: boolean
  /** The answer as text; null while there is none. */
  readonly answer: string | null
}

interface Row extends Omit<RequestState, 'isCommitted'> {
  readonly committed: number
}

const REQUEST = columns<Row>('id', 'body', 'since', 'until', 'committed', 'answer')

/** Requests that are carried out once. */
export class IdempotencyRecords<Connected extends Connection> extends Repository<Connected> {
  async get(id: string): Promise<RequestState | null> {
    const row = await this.firstRow<Row>(sql`select ${REQUEST} from idempotency where id = ${id}`)
    if (row === null) return null
    const { committed, ...state } = row
    return { ...state, isCommitted: committed === 1 }
  }

  /**
   * Claims a request for this process: true when it is new, older than `oldest`, or was abandoned before any of it was
   * committed.
   */
  claim(
    this: IdempotencyRecords<Transaction>,
    request: IdempotentRequest,
    now: number,
    oldest: number,
  ): Promise<boolean> {
    return this.hasRows(
      sql`insert into idempotency ${inserted({ ...request, since: now, committed: false, answer: null })}
        on conflict (id) do update set ${replaced('body', 'since', 'until', 'committed', 'answer')}
        where idempotency.since < ${oldest}
          or (idempotency.answer is null and idempotency.committed = 0 and idempotency.until < ${now})
        returning id`,
    )
  }

  async extend(this: IdempotencyRecords<Transaction>, { id, since }: Claim, until: number): Promise<void> {
    await this.connection.all(
      sql`update idempotency set until = ${until} where id = ${id} and since = ${since} and answer is null`,
    )
  }

  /**
   * Records, in the transaction of the request itself, that its work is committed. False when another process has
   * claimed the request meanwhile: then nothing may be committed.
   */
  commit(this: IdempotencyRecords<Transaction>, { id, since }: Claim): Promise<boolean> {
    return this.hasRows(sql`update idempotency set committed = 1 where id = ${id} and since = ${since} returning id`)
  }

  /** Stores the answer; null for one that cannot be stored. */
  async finish(this: IdempotencyRecords<Transaction>, { id, since }: Claim, answer: string | null): Promise<void> {
    const values = assigned({ answer, committed: true, until: 0 })
    await this.connection.all(sql`update idempotency set ${values} where id = ${id} and since = ${since}`)
  }

  /** Deletes a request whose work was never committed. */
  async abandon(this: IdempotencyRecords<Transaction>, { id, since }: Claim): Promise<void> {
    await this.connection.all(sql`delete from idempotency where id = ${id} and since = ${since} and committed = 0`)
    await this.connection.all(sql`update idempotency set until = 0 where id = ${id} and since = ${since}`)
  }

  async removeBefore(this: IdempotencyRecords<Transaction>, time: number): Promise<void> {
    await this.connection.all(sql`delete from idempotency where since < ${time}`)
  }
}
