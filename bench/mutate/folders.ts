/** What is mutated, and the test files that have to find it: globs in `cms/`. Those that come first run first. */
export interface Folder {
  readonly mutated: readonly string[]
  readonly tests: readonly string[]
}

/** By the names that `npm run mutate` takes. Only tests that do without PostgreSQL and without other processes. */
export const FOLDERS: Readonly<Record<string, Folder>> = {
  'engine/documents': {
    mutated: ['src/engine/{values,operations,save}/**'],
    tests: [
      'src/engine/{values,operations,save}/**',
      'src/features/pieces/{patch,update,insert,replace,change-state,hooks,singletons}*',
      'src/features/{locales,pieces,scheduling}/*',
      'src/features/versions/*',
      'src/features/pages/{states,insert,change-type,protected-copies,parked-pages,slugs,move}*',
      'src/features/urls/metadata*',
      'src/features/media/{documents,crop,uploads-link}*',
      'test/{access-matrix,content,content-transactions,declarations,field-access,field-types,hooks,if-match}.test.ts',
      'test/{localize,localize-many,unique,unseen-relationships,written-values,changed-site,ai-keys}.test.ts',
    ],
  },
  'engine/access': {
    mutated: ['src/engine/access/**'],
    tests: [
      'src/engine/{access/**,permissions.test.ts}',
      'src/features/access/*',
      'src/features/locales/locales*',
      'src/features/{delivery/preview,pieces/read,pages/read}*',
      'src/http/callers.test.ts',
      'test/{access-matrix,ai-keys,revoked}.test.ts',
    ],
  },
  'features/pages': {
    mutated: ['src/features/pages/**'],
    tests: [
      'src/features/pages/*',
      'src/features/{locales,versions,urls}/*',
      'src/features/delivery/{pages,locales,static-urls,preview,addresses}*',
      'test/{access-matrix,content,content-transactions,field-access,hooks,if-match,localize,localize-many}.test.ts',
      'test/{reserved-slugs,scheduling,service-index,unseen-relationships,uploads,written-values}.test.ts',
    ],
  },
  store: {
    mutated: ['src/store/{documents,lists,tree,versions}/*writer.ts'],
    tests: [
      'src/store/**',
      'src/features/{pieces,pages,locales}/*',
      'src/features/versions/{recording,prune,recent,single}*',
      'src/features/media/documents*',
      'src/engine/lists/*',
      'test/{localize,localize-many,unique}.test.ts',
    ],
  },
}
