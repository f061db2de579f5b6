import type { JsonObject } from 'quire-client'
import { newId } from '../../base/ids.ts'
import type { Path, Problem, Saveable } from '../../model/form.ts'
import { type Failure, failureOf, mayBeStored } from '../failure.ts'
import { touches } from './compact.ts'
import type { DocumentPlace } from './document-place.ts'
import type { Creation } from './journal.ts'
import type { Keeping } from './keeping.ts'
import type { Stored, Target } from './target.ts'

/** Browsers let requests with longer bodies not outlive their page. */
export const KEEPALIVE_BYTES = 60_000
/** How often others may save between our reading and our saving, before we wait a while. */
const ROUNDS = 5

export interface SendOptions {
  /** The save becomes a version of its own. */
  readonly isVersion?: boolean
  /** The page may be about to go. */
  readonly isLeaving?: boolean
}

/** Brings an open document and the stored one together, one request after the other. */
export interface Exchange {
  /**
   * Saves what is not stored, and merges what others saved. The failure for which something is not stored; null where
   * all of it is.
   */
  save(options: SendOptions): Promise<Failure | null>
  /** Merges what is stored now, unless it is known. */
  pull(): Promise<void>
  /** The revision up to which everything was sent and answered. */
  readonly covered: number
  /** Of what is stored, as far as we know; null before the document is made. */
  readonly etag: string | null
  readonly place: DocumentPlace
}

export interface ExchangeOptions {
  readonly document: Saveable
  readonly target: Target
  readonly keeping: Keeping
  readonly place: DocumentPlace
  /** The stored document, as far as we know; null before the document is made. */
  readonly stored: Stored | null
  /** A request that may have made the document. */
  readonly creation: Creation | null
  /** One of the saves up to these revisions may have been stored. */
  readonly sent: readonly number[]
  /** The whole of a new document, as the body of POST. */
  readonly whole: () => JsonObject
}

/** A save on its way. */
interface Sent {
  readonly body: JsonObject
  readonly upTo: number
  /** Where it makes the document. */
  readonly key: string | null
}

export function createExchange({ document, target, keeping, whole, ...start }: ExchangeOptions): Exchange {
  let { place, stored } = start
  let covered = 0
  /** As long as it is unknown what became of a save, it is sent again as it was: then there is one that may be stored. */
  let unanswered: Sent | null = start.creation && { ...start.creation, upTo: start.sent.at(-1) ?? 0 }
  /**
   * The revisions that were sent for what is stored as far as we know. The service takes one of these saves at most,
   * perhaps one of which we only heard that it failed: browsers send a request again by themselves.
   */
  let sentUpTo = start.sent
  /** Fields that the service refused, and how. */
  let leftOut: readonly Path[] = []
  let refusal: Failure | null = null

  const next = (isVersion: boolean): Sent | null => {
    const { body: changes, upTo } = document.patch(leftOut)
    if (changes === null) return null
    const key = stored === null ? newId() : null
    const body = stored === null ? without(whole(), leftOut) : changes
    return { body: isVersion ? body : { ...body, _autosave: true }, upTo, key }
  }

  const send = async ({ body, upTo, key }: Sent, isLeaving: boolean): Promise<Stored> => {
    const keepalive = isLeaving && new TextEncoder().encode(JSON.stringify(body)).length < KEEPALIVE_BYTES
    sentUpTo = [...sentUpTo.filter((one) => one < upTo), upTo]
    const isKept = keeping.sending(sentUpTo, key === null ? null : { key, body })
    // A tab that is closed before that is written would not know its own save again.
    if (!isLeaving) await isKept
    if (stored !== null) return await target.save(body, { ifMatch: stored.etag, keepalive })
    return await target.create(body, { idempotencyKey: key ?? newId(), keepalive })
  }

  /** This is stored now, with everything of ours up to here but what waits for a decision. */
  const recordStored = async (now: Stored, upTo: number) => {
    stored = now
    sentUpTo = []
    covered = upTo
    document.saved(now.document, upTo)
    await advance(now)
  }

  const advance = async (now: Stored) => {
    const { aposDocId } = now.document
    if (typeof aposDocId === 'string' && aposDocId !== place.docId) place = { ...place, docId: aposDocId }
    await keeping.advance(now, place)
  }

  /** True where something else is stored than we knew. */
  const catchUp = async (): Promise<boolean> => {
    const theirs = await target.read()
    if (theirs.etag === stored?.etag) return false
    document.merge(theirs.document, writerOf(theirs.document), sentUpTo)
    sentUpTo = []
    unanswered = null
    stored = theirs
    await advance(theirs)
    return true
  }

  /** True where something more is left out, so that the rest can be sent. */
  const leaveOut = (failure: Failure): boolean => {
    const problems = failure.problems.map((problem): Problem => ({ ...problem, path: document.pathOf(problem.path) }))
    const more = problems.filter(({ path }) => !leftOut.some((known) => touches(known, path)))
    if (more.length === 0) return false
    document.serviceProblems.value = [...document.serviceProblems.value, ...more]
    leftOut = [...leftOut, ...more.map(({ path }) => path)]
    refusal = failure
    return true
  }

  /** Tries values again that were changed since they were refused; all where somebody asks for a save. */
  const tryAgain = (isAsked: boolean) => {
    const since = document.operationsSince(covered)
    const isStill = (path: Path) => !isAsked && !since.some((operation) => touches(operation.path, path))
    const again = leftOut.filter((path) => !isStill(path))
    if (again.length === 0) return
    leftOut = leftOut.filter(isStill)
    const isAgain = ({ path }: Problem) => again.some((other) => touches(other, path))
    document.serviceProblems.value = document.serviceProblems.value.filter((problem) => !isAgain(problem))
  }

  /** Decides what follows a failed save; null for sending again what is left to send. */
  const afterFailure = async (sent: Sent, failure: Failure): Promise<Failure | null> => {
    // Also where the answer was cut off after its status.
    const isOvertaken = failure.name === 'conflict' && failure.problems.length === 0
    if (isOvertaken && sent.key === null) {
      try {
        await catchUp()
        return null
      } catch (error) {
        unanswered = sent
        return failureOf(error)
      }
    }
    if (mayBeStored(failure) || isOvertaken) {
      // The same request may fail for ever by a bug of the service; another one need not.
      unanswered = failure.name === 'error' && sent.key === null ? null : sent
      return failure
    }
    unanswered = null
    return leaveOut(failure) ? null : failure
  }

  return {
    get covered() {
      return covered
    },
    get etag() {
      return stored?.etag ?? null
    },
    get place() {
      return place
    },
    async save({ isVersion = false, isLeaving = false }) {
      let failure: Failure | null = null
      tryAgain(isVersion)
      for (let round = 0; round < ROUNDS; round += 1) {
        const isAgain = unanswered !== null
        const { value: revision } = document.revision
        const sent = unanswered ?? next(isVersion)
        if (sent === null) {
          try {
            // A save that failed may have been stored all the same, with what was taken back since.
            if (stored !== null && sentUpTo.length > 0 && (await catchUp())) continue
          } catch (error) {
            return failureOf(error)
          }
          // Changes that were made meanwhile were not looked at.
          if (stored !== null && revision > covered) await recordStored(stored, revision)
          return leftOut.length > 0 ? refusal : null
        }
        try {
          const answer = await send(sent, isLeaving)
          unanswered = null
          await recordStored(answer, sent.upTo)
          if (!isAgain) return leftOut.length > 0 ? refusal : null
        } catch (error) {
          failure = failureOf(error)
          const last = await afterFailure(sent, failure)
          if (last) return last
        }
      }
      return failure
    },
    async pull() {
      try {
        await catchUp()
      } catch {
        // Nobody waits for it: the next save finds out.
      }
    },
  }
}

function without(body: JsonObject, paths: readonly Path[]): JsonObject {
  const names = new Set(paths.map(([name]) => name))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
}

/** Something that both sides changed waits for a decision, and is not stored. */
export function isUndecided({ conflicts }: Saveable): boolean {
  return conflicts.value.some(({ kind }) => kind !== 'order')
}

/** Who saved this; empty where that is unknown. */
export function writerOf({ updatedBy }: JsonObject): string {
  const isPerson = typeof updatedBy === 'object' && updatedBy !== null && 'title' in updatedBy
  return isPerson && typeof updatedBy.title === 'string' ? updatedBy.title : ''
}
