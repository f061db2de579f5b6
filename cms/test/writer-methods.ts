import type { Records, StoreWriter } from '../src/store/contract/store.ts'

/** Whether a method of a writer changes what readers note, or something that no cached answer is made of. */
type Announcing = 'announces' | 'locks' | 'unannounced'

type Writers = Omit<StoreWriter, 'read'>

/** The methods of a writer; of records, those that need a transaction: `this` says so. */
type Changing<Part extends keyof Writers> = {
  [Method in keyof Writers[Part]]: Part extends keyof Records<never>
    ? unknown extends ThisParameterType<Writers[Part][Method]>
      ? never
      : Method
    : Method
}[keyof Writers[Part]]

/** All that changes the store, by the parts of a `StoreWriter`: a new method does not compile until it is decided. */
export const writerMethods: {
  readonly [Part in keyof Writers]: { readonly [Method in Changing<Part>]: Announcing }
} = {
  documents: {
    lockCopies: 'locks',
    lockMany: 'locks',
    insert: 'announces',
    insertMany: 'announces',
    put: 'announces',
    remove: 'announces',
    // Searches find the same before and after.
    putSearchWords: 'unannounced',
    addSpellings: 'unannounced',
    mergeSearchWords: 'unannounced',
    reindex: 'announces',
  },
  versions: {
    add: 'announces',
    addMany: 'announces',
    update: 'announces',
    label: 'announces',
    removeOf: 'announces',
    removeLocale: 'announces',
    prune: 'announces',
    // Contents read the same before and after.
    pack: 'unannounced',
  },
  attachments: {
    lock: 'locks',
    recordLeftOver: 'unannounced',
    forgetLeftOver: 'unannounced',
    forgetLeftOverUntil: 'unannounced',
    add: 'announces',
    addCrop: 'announces',
    removeUnused: 'announces',
  },
  // Nothing that is answered is made of it.
  secrets: { make: 'unannounced' },
  agentCalls: { add: 'unannounced', prune: 'unannounced' },
  agentMinutes: { lock: 'locks', put: 'unannounced', removeBefore: 'unannounced' },
  uploadLinks: { add: 'unannounced', take: 'unannounced', removeExpired: 'unannounced' },
  purges: { add: 'unannounced', remove: 'unannounced', clear: 'unannounced', merge: 'unannounced' },
  settings: { set: 'announces', remove: 'announces', claim: 'announces' },
  tree: {
    lock: 'locks',
    insert: 'announces',
    insertMany: 'announces',
    move: 'announces',
    touch: 'announces',
    remove: 'announces',
    rename: 'announces',
    markModified: 'announces',
    setArchived: 'announces',
    recordFormerUrls: 'announces',
    claimUrls: 'announces',
  },
  locales: { lock: 'locks', rename: 'announces', remove: 'announces' },
  contentMigrations: { lock: 'locks', put: 'unannounced', renameVersions: 'announces' },
  // Answers about proposals are not cached.
  proposals: {
    lockAll: 'locks',
    lock: 'locks',
    add: 'unannounced',
    decide: 'unannounced',
    remove: 'unannounced',
    removeExpired: 'unannounced',
  },
  jobs: { dueBy: 'unannounced', claim: 'unannounced', renew: 'unannounced', finish: 'unannounced' },
  webhooks: {
    put: 'unannounced',
    remove: 'unannounced',
    addDeliveries: 'unannounced',
    claim: 'unannounced',
    renew: 'unannounced',
    finish: 'unannounced',
    redeliver: 'unannounced',
    prune: 'unannounced',
  },
  schedules: { put: 'unannounced', remove: 'unannounced' },
  keys: { add: 'unannounced', revoke: 'unannounced' },
  tokens: {
    add: 'unannounced',
    extend: 'unannounced',
    remove: 'unannounced',
    revokeAllOf: 'unannounced',
    lockAccounts: 'locks',
    roleChanged: 'unannounced',
    removeExpired: 'unannounced',
  },
  previews: { add: 'unannounced', revokeAllOf: 'unannounced', removeExpired: 'unannounced' },
  clipboards: {
    lock: 'locks',
    add: 'unannounced',
    take: 'unannounced',
    removeOld: 'unannounced',
    removeExpired: 'unannounced',
  },
  throttle: { lock: 'locks', put: 'unannounced', remove: 'unannounced', removeBefore: 'unannounced' },
  idempotency: {
    claim: 'unannounced',
    extend: 'unannounced',
    commit: 'unannounced',
    finish: 'unannounced',
    abandon: 'unannounced',
    removeBefore: 'unannounced',
  },
}
