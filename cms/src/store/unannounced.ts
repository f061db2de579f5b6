import type { DocId, Locale } from '../model/document.ts'
import { currentSources } from './sources.ts'
import type {
  ApiKey,
  ClipboardReader,
  ContentMigrationReader,
  DocumentSchedule,
  IdempotencyReader,
  IdempotentRequestState,
  JobReader,
  JobState,
  KeyReader,
  LocaleReader,
  LocaleSlug,
  MigratedBatch,
  Preview,
  PreviewReader,
  ScheduleReader,
  StoredMigration,
  ThrottleReader,
  Token,
  TokenReader,
  TypeCount,
  TypeInLocale,
  Webhook,
  WebhookReader,
} from './store.ts'

/** Reads what no commit announces: nothing that is made of it is cached. */
function noteUnknown(): void {
  currentSources()?.noteUnknown()
}

/** Reads API keys, of which no answer is cached. */
export class UnannouncedKeyReader implements KeyReader {
  readonly #reader: KeyReader

  constructor(reader: KeyReader) {
    this.#reader = reader
  }

  byHash(hash: string): Promise<ApiKey | null> {
    noteUnknown()
    return this.#reader.byHash(hash)
  }

  byId(id: string): Promise<ApiKey | null> {
    noteUnknown()
    return this.#reader.byId(id)
  }

  list(): Promise<ApiKey[]> {
    noteUnknown()
    return this.#reader.list()
  }
}

/** Reads login tokens and sessions, of which no answer is cached. */
export class UnannouncedTokenReader implements TokenReader {
  readonly #reader: TokenReader

  constructor(reader: TokenReader) {
    this.#reader = reader
  }

  byHash(hash: string): Promise<Token | null> {
    noteUnknown()
    return this.#reader.byHash(hash)
  }
}

/** Reads previews, of which no answer is cached. */
export class UnannouncedPreviewReader implements PreviewReader {
  readonly #reader: PreviewReader

  constructor(reader: PreviewReader) {
    this.#reader = reader
  }

  byHash(hash: string): Promise<Preview | null> {
    noteUnknown()
    return this.#reader.byHash(hash)
  }
}

/** Reads clipboards, of which no answer is cached. */
export class UnannouncedClipboardReader implements ClipboardReader {
  readonly #reader: ClipboardReader

  constructor(reader: ClipboardReader) {
    this.#reader = reader
  }

  has(hash: string, now: string): Promise<boolean> {
    noteUnknown()
    return this.#reader.has(hash, now)
  }
}

/** Reads failures to sign in, of which no answer is cached. */
export class UnannouncedThrottleReader implements ThrottleReader {
  readonly #reader: ThrottleReader

  constructor(reader: ThrottleReader) {
    this.#reader = reader
  }

  blockedUntil(keys: readonly string[]): Promise<number> {
    noteUnknown()
    return this.#reader.blockedUntil(keys)
  }
}

/** Reads requests that are carried out once, of which no answer is cached. */
export class UnannouncedIdempotencyReader implements IdempotencyReader {
  readonly #reader: IdempotencyReader

  constructor(reader: IdempotencyReader) {
    this.#reader = reader
  }

  get(id: string): Promise<IdempotentRequestState | null> {
    noteUnknown()
    return this.#reader.get(id)
  }
}

/** Reads what is in which locale, of which no answer is cached. */
export class UnannouncedLocaleReader implements LocaleReader {
  readonly #reader: LocaleReader

  constructor(reader: LocaleReader) {
    this.#reader = reader
  }

  types(): Promise<TypeInLocale[]> {
    noteUnknown()
    return this.#reader.types()
  }

  counts(of: readonly TypeInLocale[]): Promise<TypeCount[]> {
    noteUnknown()
    return this.#reader.counts(of)
  }

  countCopies(): Promise<number> {
    noteUnknown()
    return this.#reader.countCopies()
  }

  pagesAt(slugs: readonly LocaleSlug[]): Promise<LocaleSlug[]> {
    noteUnknown()
    return this.#reader.pagesAt(slugs)
  }

  countWritten(locale: Locale, madeByItself: readonly DocId[]): Promise<number> {
    noteUnknown()
    return this.#reader.countWritten(locale, madeByItself)
  }
}

/** Reads content migrations, and what they go through, of which no answer is made. */
export class UnannouncedContentMigrationReader implements ContentMigrationReader {
  readonly #reader: ContentMigrationReader

  constructor(reader: ContentMigrationReader) {
    this.#reader = reader
  }

  all(): Promise<StoredMigration[]> {
    noteUnknown()
    return this.#reader.all()
  }

  get(name: string): Promise<StoredMigration | null> {
    noteUnknown()
    return this.#reader.get(name)
  }

  locales(types: readonly string[]): Promise<Locale[]> {
    noteUnknown()
    return this.#reader.locales(types)
  }

  count(types: readonly string[]): Promise<number> {
    noteUnknown()
    return this.#reader.count(types)
  }

  following(batch: MigratedBatch): Promise<DocId[]> {
    noteUnknown()
    return this.#reader.following(batch)
  }
}

/** Reads the states of jobs, of which no answer is cached. */
export class UnannouncedJobReader implements JobReader {
  readonly #reader: JobReader

  constructor(reader: JobReader) {
    this.#reader = reader
  }

  get(name: string): Promise<JobState | null> {
    noteUnknown()
    return this.#reader.get(name)
  }

  list(): Promise<JobState[]> {
    noteUnknown()
    return this.#reader.list()
  }
}

/** Reads webhooks and their deliveries, of which no answer is cached. */
export class UnannouncedWebhookReader implements WebhookReader {
  readonly #reader: WebhookReader

  constructor(reader: WebhookReader) {
    this.#reader = reader
  }

  list(): Promise<Webhook[]> {
    noteUnknown()
    return this.#reader.list()
  }

  deliveries(...args: Parameters<WebhookReader['deliveries']>): ReturnType<WebhookReader['deliveries']> {
    noteUnknown()
    return this.#reader.deliveries(...args)
  }

  waiting(...args: Parameters<WebhookReader['waiting']>): Promise<string[]> {
    noteUnknown()
    return this.#reader.waiting(...args)
  }
}

/** Reads schedules, of which no answer is cached. */
export class UnannouncedScheduleReader implements ScheduleReader {
  readonly #reader: ScheduleReader

  constructor(reader: ScheduleReader) {
    this.#reader = reader
  }

  of(docIds: readonly DocId[], locale: Locale): Promise<DocumentSchedule[]> {
    noteUnknown()
    return this.#reader.of(docIds, locale)
  }

  due(now: number, limit: number): Promise<DocumentSchedule[]> {
    noteUnknown()
    return this.#reader.due(now, limit)
  }
}
